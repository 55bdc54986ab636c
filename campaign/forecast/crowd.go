package forecast

import (
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// crowd is one number's send to people whom nothing tells apart but how many messages are left to them. So they are counted and not named: a
// departure takes some nanoseconds, wherever in the file people's messages stand. It is the loop's own departure, instant by instant; crowdsOf
// says where that is so, and the tests hold one against the other.
type crowd struct {
	number  uint16
	gap     time.Duration
	hold    time.Duration     // from a departure until the same person's next message
	atOnce  bool              // whoever has begun goes first: there is no pair limit
	next    ratelimit.Instant // the number's next slot
	fresh   classes           // people who got nothing yet
	ready   classes           // people whose next message may go
	waiting ring[comes]       // people whose next message may go from an instant on: since all wait equally long, as they were written to
	slots   *slots            // nil without a messaging limit
	clocks  *clocks           // nil without quiet hours
}

// depart lets the next message leave; ok is false when none is left. It is sure as long as nobody's slot of the messaging limit ended between two
// messages, and all clocks showed the same: else it would matter whose.
func (c *crowd) depart() (d campaign.Departure, ok, sure bool) {
	for at := c.next; at != ratelimit.Never; {
		if at = c.clocks.earliest(at); at == ratelimit.Never {
			return d, false, false
		}
		for c.waiting.len() > 0 && c.waiting.at(0).at <= at {
			one := c.waiting.pop()
			c.ready.add(one.left, one.at)
		}
		room := c.slots.room(at)
		fresh, ready := c.fresh.most(), c.ready.most()
		switch {
		case ready.left > 0 && (c.atOnce || ready.left >= fresh.left || room > at): // of equals those go first who have begun
			sure = c.slots == nil || at < ready.since.Add(c.slots.keeps-c.hold)
			c.ready.take()
			return c.leave(at, ready.left, false), true, sure
		case fresh.left > 0 && room <= at:
			c.fresh.take()
			return c.leave(at, fresh.left, c.slots != nil), true, true
		}
		if at = ratelimit.Never; fresh.left > 0 {
			at = room
		}
		if c.waiting.len() > 0 {
			at = min(at, c.waiting.at(0).at)
		}
	}
	return d, false, true
}

// leave is a departure at an instant to somebody with so many messages left.
func (c *crowd) leave(at ratelimit.Instant, left int, slot bool) campaign.Departure {
	c.next = at.Add(c.gap)
	if left > 1 {
		c.waiting.push(comes{at.Add(c.hold), left - 1})
	}
	c.slots.charge(at, slot, left == 1)
	return campaign.Departure{At: at, Number: c.number, Slot: slot}
}

// slots is the messaging limit of a crowd.
type slots struct {
	limit  int
	scarce bool // more people need a slot than are free at the start
	keeps  time.Duration
	held   int                     // by people of whom some have all their messages
	ends   ring[ratelimit.Instant] // when the slots of those end, in order
}

// room is the first instant from t on at which one more person gets a slot; Never while those who have one are still written to.
func (s *slots) room(t ratelimit.Instant) ratelimit.Instant {
	if s == nil || !s.scarce {
		return t
	}
	for s.ends.len() > 0 && s.ends.at(0) <= t {
		s.ends.pop()
		s.held--
	}
	switch over := s.held - s.limit; { // above 0 where more people counted at the start than the limit allows
	case over < 0:
		return t
	case over < s.ends.len():
		return s.ends.at(over)
	}
	return ratelimit.Never
}

// charge is told of a departure: whether it takes a slot, and whether it is the person's last.
func (s *slots) charge(t ratelimit.Instant, takes, last bool) {
	if s == nil || !s.scarce {
		return
	}
	if takes {
		s.held++
	}
	if last {
		s.ends.push(t.Add(s.keeps))
	}
}

// class is people to whom equally many messages are left.
type class struct {
	left, people int
	since        ratelimit.Instant // no one of them came before
}

// classes are the classes that hold somebody, the fewest messages first. The zero value is empty.
type classes []class

// most is the class with the most messages; the zero class where nobody is.
func (c classes) most() class {
	if len(c) == 0 {
		return class{}
	}
	return c[len(c)-1]
}

// take takes one out of the class with the most messages.
func (c *classes) take() {
	all := *c
	if all[len(all)-1].people--; all[len(all)-1].people == 0 {
		*c = all[:len(all)-1]
	}
}

// add adds somebody who comes at an instant.
func (c *classes) add(left int, at ratelimit.Instant) {
	all := *c
	i := len(all)
	for i > 0 && all[i-1].left > left {
		i--
	}
	if i > 0 && all[i-1].left == left {
		all[i-1].people++
		return
	}
	all = append(all, class{})
	copy(all[i+1:], all[i:])
	all[i] = class{left, 1, at}
	*c = all
}

// classesOf are those of a tally.
func classesOf(people tally) (all classes) {
	for left, count := range people {
		if left > 0 && count > 0 {
			all = append(all, class{left: left, people: count})
		}
	}
	return all
}

// comes is somebody who waits, with the messages left.
type comes struct {
	at   ratelimit.Instant
	left int
}

// ring is entries of which the first comes out first, in memory that is used again. The zero value is empty.
type ring[T any] struct {
	all         []T // its size is a power of two
	head, count int
}

func (r *ring[T]) len() int { return r.count }

// at is the entry behind i others.
func (r *ring[T]) at(i int) T { return r.all[(r.head+i)&(len(r.all)-1)] }

func (r *ring[T]) push(one T) {
	if r.count == len(r.all) {
		all := make([]T, max(2*len(r.all), 64))
		n := copy(all, r.all[r.head:])
		copy(all[n:], r.all[:r.head])
		r.all, r.head = all, 0
	}
	r.all[(r.head+r.count)&(len(r.all)-1)] = one
	r.count++
}

func (r *ring[T]) pop() T {
	one := r.all[r.head]
	r.head = (r.head + 1) & (len(r.all) - 1)
	r.count--
	return one
}

package campaign

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// chain is the messages of one number to one recipient. They go in file order, one at a time or in the bursts that the pair limit allows;
// while one waits or flies, all other recipients flow.
//
// Recipients who get one message need no chain, unless an earlier message binds them, or theirs comes back.
type chain struct {
	recipient uint64
	first     uint32 // places in the queue's links of the messages that are still to go
	end       uint32
	notBefore ratelimit.Instant
	back      uint32 // its own place, when messages of it came back: they stand in the queue and go before
	flying    uint16
	lane      uint16
	kind      uint16 // by whose clocks its quiet hours go
	ahead     uint8  // windows of the messaging limit that wait for its slot
	queued    bool   // stands in an agenda or in a group
	begun     bool   // a message of it left
}

// left is how many messages are still to go.
func (q *queue) left(c *chain) int {
	left := int(c.end - c.first)
	if c.back != 0 {
		left += len(q.came[c.back])
	}
	return left
}

// front is the message that goes next.
func (q *queue) front(c *chain) *Item {
	if c.back != 0 {
		return q.freshened(&q.came[c.back][0])
	}
	return q.freshened(&q.items[q.links[c.first]])
}

// step is the front's, which for most messages follows from its place.
func (q *queue) step(c *chain) uint32 {
	if c.back == 0 && q.dense {
		return q.items[0].Seq + q.links[c.first]
	}
	return q.front(c).Seq
}

// fetches is how many chains are fetched at a time.
const fetches = 16

// fetch reads what a chain that goes soon will need. Chains lie all over the memory; read one by one each would be waited for, several that do not
// depend on each other come together. What it gives says nothing.
func (q *queue) fetch(id uint32) uint32 {
	if c := &q.chains[id]; c.first < c.end {
		return q.items[q.links[c.first]].Seq
	}
	return 0
}

// take takes the front out.
func (q *queue) take(c *chain) Item {
	item := *q.front(c)
	if c.back == 0 {
		c.first++
	} else if q.came[c.back] = q.came[c.back][1:]; len(q.came[c.back]) == 0 {
		delete(q.came, c.back)
		c.back = 0
	}
	return item
}

// returned puts a message back before those that follow it.
func (q *queue) returned(id uint32, item Item) {
	c := &q.chains[id]
	c.back = id
	back := q.came[id]
	at, _ := slices.BinarySearchFunc(back, item.Seq, func(b Item, seq uint32) int { return cmp.Compare(b.Seq, seq) })
	q.came[id] = slices.Insert(back, at, item)
}

// tail is how long the messages after the next one, or after its burst, take at the least. Without a pair limit that is next to nothing: then the
// longest chains go first too, but before them whoever has begun.
func (q *queue) tail(c *chain) time.Duration {
	burst := max(q.pair.Bubbles, 1)
	bursts := (q.left(c)+burst-1)/burst - 1
	switch {
	case q.pair.Interval > 0:
		return time.Duration(bursts*burst) * q.pair.Interval
	case c.begun:
		return time.Duration(bursts) + goesOn
	}
	return time.Duration(bursts)
}

// goesOn is more than the messages of any chain.
const goesOn = time.Duration(math.MaxUint32)

// slack is how long something can wait, in halves of a nanosecond before its people are no longer to be disturbed: less for what has to
// follow it. The least slack goes first, so that the longest chains begin first; of equals those go first that have begun.
type slack int64

// burstBegun is less slack than anything else has: a burst that has begun goes on, or it would end half-way.
const burstBegun slack = math.MinInt64 / 2

// slackOf counts what has to follow: windows of the messaging limit, and the messages of a chain.
func slackOf(ahead uint8, tail time.Duration, begun bool) slack {
	s := -2 * slack(time.Duration(ahead)*ratelimit.MessagingWindow+tail)
	if !begun {
		s++
	}
	return s
}

// slack is that of a chain's next message, without the hour at which its people's quiet hours begin.
func (q *queue) slack(c *chain) slack {
	if c.flying > 0 {
		return burstBegun
	}
	return slackOf(c.ahead, q.tail(c), c.begun)
}

// until adds the hour at which the quiet hours of a kind of people begin.
func (q *queue) until(s slack, kind uint16) slack { return s + 2*slack(q.clocks.kinds[kind].closes) }

// schedule lets a chain wait for its next message, which may go at ready or when the limits of its recipient allow it.
func (q *queue) schedule(id uint32, ready ratelimit.Instant) {
	c := &q.chains[id]
	if c.queued || q.left(c) == 0 {
		return
	}
	l := q.lanes[c.lane]
	at := q.clocks.earliest(c.kind, max(l.policy.Clear(c.recipient, ready), c.notBefore))
	c.queued = true
	l.waiting.push(entry{int64(at), q.step(c), id})
}

// when is the first instant from t on at which a chain's next message may go, and the limit that it waits for. It is Never while that depends
// on answers.
func (q *queue) when(c *chain, t ratelimit.Instant) (ratelimit.Instant, ratelimit.Limit) {
	l := q.lanes[c.lane]
	at := max(t, c.notBefore, l.policy.Clear(c.recipient, t))
	if at > t && c.flying > 0 {
		return ratelimit.Never, ratelimit.LimitPair
	}
	if at = q.clocks.earliest(c.kind, at); at > t {
		return at, ratelimit.LimitPair
	}
	if l.policy.Messaging == nil {
		return t, ratelimit.NoLimit
	}
	if opens := l.opens(q.front(c), t); opens > t {
		return opens, ratelimit.LimitMessaging
	}
	return t, ratelimit.NoLimit
}

// soonest is the first instant from t on at which all limits allow a chain's next message; Never while that depends on answers.
func (q *queue) soonest(id uint32, t ratelimit.Instant) ratelimit.Instant {
	for {
		at, by := q.when(&q.chains[id], t)
		if by == ratelimit.NoLimit || at == ratelimit.Never {
			return at
		}
		t = at
	}
}

package report

import (
	"iter"
	"time"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// Passage is one request that left, of this campaign or of another one that counts to the same limits.
type Passage struct {
	Recipient uint64
	Left      ratelimit.Instant
	Class     outcome.Class // what the answer meant; empty while none came
	Code      int           // the platform's, 0 without one
	Own       bool          // of this campaign
	Number    bool          // from this campaign's number
	Free      bool          // took no slot of the messaging limit
}

// counted says that a request may have been taken, so that the limits count it.
func (p Passage) counted() bool {
	switch p.Class {
	case outcome.Accepted, outcome.Held, outcome.Uncertain, "":
		return true
	}
	return false
}

// column is one piece of the time that the page draws.
type column struct {
	peak    int // most messages of the number in any second that ends here
	sent    int // of this campaign
	people  int // who took a slot of the messaging limit in the 24 h that end here, at most
	known   bool
	spare   time.Duration // least time by which a pair was clear before its next message; only with pairs
	pairs   int           // messages to somebody who had one within the last minute
	refused int           // of this campaign
}

// course is what happened from the first to the last departure of a campaign.
type course struct {
	start, end ratelimit.Instant
	columns    []column
	peak       int // most messages in any second
	people     int // most people in any 24 h
	pairs      int
	spare      time.Duration
	active     time.Duration // from the first to the last departure, without pauses of over a minute
	departures int
}

// pausedFor is a silence that counts as a pause of the campaign.
const pausedFor = time.Minute

// follow goes through what left, in order of time, and keeps for each column what the page draws.
func follow(passages iter.Seq2[Passage, error], start, end ratelimit.Instant, columns int) (*course, error) {
	c := &course{start: start, end: max(end, start+1), columns: make([]column, columns), spare: -1}
	second, slots, pairs := &window{}, newSlots(), map[uint64]pairDebt{}
	var last ratelimit.Instant
	for p, err := range passages {
		if err != nil {
			return nil, err
		}
		if p.counted() && !p.Free {
			slots.add(p.Recipient, p.Left)
		}
		inside := p.Left >= start && p.Left <= end
		if p.Number && p.counted() {
			n := second.add(p.Left)
			if inside {
				c.at(p.Left).peak = max(c.at(p.Left).peak, n)
				c.peak = max(c.peak, n)
			}
			c.pair(p, pairs, inside)
		}
		if !inside {
			continue
		}
		col := c.at(p.Left)
		col.people, col.known = max(col.people, slots.at(p.Left)), true
		c.people = max(c.people, col.people)
		if p.Own {
			c.own(p, col, &last)
		}
	}
	return c, nil
}

// own counts a departure of this campaign.
func (c *course) own(p Passage, col *column, last *ratelimit.Instant) {
	c.departures++
	if p.counted() {
		col.sent++
	} else {
		col.refused++
	}
	if gap := p.Left.Sub(*last); *last != 0 && gap < pausedFor {
		c.active += gap
	}
	*last = p.Left
}

// pairDebt is what is known of one pair.
type pairDebt struct{ clear, last ratelimit.Instant }

// pair tells by how much a pair was clear when its next message left, where there was one within the last minute.
func (c *course) pair(p Passage, pairs map[uint64]pairDebt, inside bool) {
	d, before := pairs[p.Recipient]
	if spare := p.Left.Sub(d.clear); before && p.Own && inside && p.Left.Sub(d.last) < time.Minute {
		col := c.at(p.Left)
		if col.pairs++; col.pairs == 1 || spare < col.spare {
			col.spare = spare
		}
		if c.pairs++; c.pairs == 1 || spare < c.spare {
			c.spare = spare
		}
	}
	pairs[p.Recipient] = pairDebt{max(d.clear, p.Left).Add(ratelimit.PairInterval), p.Left}
}

// at is the column of an instant.
func (c *course) at(t ratelimit.Instant) *column {
	i := int(float64(t-c.start) / float64(c.end-c.start) * float64(len(c.columns)))
	return &c.columns[min(max(i, 0), len(c.columns)-1)]
}

// window counts departures in the second that ends with the last one.
type window struct{ left []ratelimit.Instant }

func (w *window) add(t ratelimit.Instant) int {
	w.left = append(w.left, t)
	gone := 0
	for t.Sub(w.left[gone]) >= time.Second {
		gone++
	}
	if w.left = w.left[gone:]; cap(w.left) > 4*len(w.left)+64 {
		w.left = append([]ratelimit.Instant(nil), w.left...)
	}
	return len(w.left)
}

// slots counts people in a moving 24 hours.
type slots struct {
	latest map[uint64]ratelimit.Instant
	order  []taking
}

type taking struct {
	who uint64
	at  ratelimit.Instant
}

func newSlots() *slots { return &slots{latest: map[uint64]ratelimit.Instant{}} }

func (s *slots) add(who uint64, at ratelimit.Instant) {
	s.latest[who] = at
	s.order = append(s.order, taking{who, at})
}

// at is how many people hold a slot at an instant.
func (s *slots) at(now ratelimit.Instant) int {
	for len(s.order) > 0 && now.Sub(s.order[0].at) >= ratelimit.MessagingWindow {
		if first := s.order[0]; s.latest[first.who] == first.at {
			delete(s.latest, first.who)
		}
		s.order = s.order[1:]
	}
	return len(s.latest)
}

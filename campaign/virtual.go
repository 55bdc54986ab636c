package campaign

import (
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// Departure is one message that leaves in a rehearsal.
type Departure struct {
	At     ratelimit.Instant
	Seq    uint32 // the step's
	Number uint16 // that sends it, from 0
	Slot   bool   // it takes a slot of the messaging limit
}

// Rehearse turns the sender's loop on a virtual clock that begins at start, and shows every departure in order: each request is accepted and
// answered after a constant latency, and the messaging limit is waited for. What would leave after the deadline only does not leave.
func (l Limits) Rehearse(load *Load, start ratelimit.Instant, latency time.Duration, watch func(Departure)) {
	q := newQueue(load, l.Policies(start), l.rules(WaitOnTierLimit), start)
	v := &virtual{queue: q, clock: start, latency: latency, watch: watch}
	pace(v, &settler{queue: q})
}

// virtual is the dry-run's world, in which time is a variable.
//
// A message that nobody waits for needs no event: its answer is only counted. With a constant latency answers come in the order of departures,
// so that no search is needed for the others either.
type virtual struct {
	queue   *queue
	clock   ratelimit.Instant
	latency time.Duration
	watch   func(Departure)
	flight  []flight // a ring; its size is a power of two
	head    int
	flying  int
}

type flight struct {
	departed
	left ratelimit.Instant
}

// answered is the virtual world's only event: it has moved what the answer moves.
var answered = event{room: true}

func (v *virtual) now() ratelimit.Instant { return v.clock }

func (v *virtual) wait(until ratelimit.Instant) *event {
	for v.flying > 0 {
		f := &v.flight[v.head]
		at := f.left.Add(v.latency)
		if at > until {
			break
		}
		v.clock = max(v.clock, at)
		v.head = (v.head + 1) & (len(v.flight) - 1)
		v.flying--
		awaited := until == ratelimit.Never || v.queue.awaited(&f.departed)
		v.queue.arrived(&f.departed, at)
		if awaited {
			return &answered
		}
	}
	v.clock = max(v.clock, until)
	return nil
}

func (v *virtual) depart(d *departed, at ratelimit.Instant) {
	v.watch(Departure{at, d.item.Seq, d.item.Number, d.slot})
	if v.flying == len(v.flight) {
		v.grow()
	}
	f := &v.flight[(v.head+v.flying)&(len(v.flight)-1)]
	f.departed, f.left = *d, at
	v.flying++
}

func (v *virtual) grow() {
	ring := make([]flight, max(2*len(v.flight), 64))
	for i := range v.flying {
		ring[i] = v.flight[(v.head+i)&(len(v.flight)-1)]
	}
	v.flight, v.head = ring, 0
}

func (v *virtual) record([]Result) {}

func (v *virtual) withdraw([]uint32) {}

func (v *virtual) heard(News, int) {}

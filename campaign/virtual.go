package campaign

import (
	"slices"
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
// An answer that changes nothing of what goes next is no event, it is only counted. With a constant latency answers come in the order of
// departures, so that no search is needed for them.
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
		if v.land(f, at, until) {
			return &answered
		}
	}
	v.clock = max(v.clock, until)
	return nil
}

// land tells the queue of an answer and says whether it may change what goes at until, which was found without it: it may where it makes a
// message possible by then, takes a slot of the messaging limit away that was free by then, as one does whose window closed on the way, or somebody
// lost one; and where a burst goes on.
func (v *virtual) land(f *flight, at, until ratelimit.Instant) (changes bool) {
	l := v.queue.lanes[f.item.Number]
	full, burst, slots := l.flying >= l.most, !v.queue.pair.Single(), l.policy.Messaging != nil
	v.queue.arrived(&f.departed, at)
	return full || until == ratelimit.Never || burst && (f.chain != 0 || slots) || l.waiting.len() > 0 && l.waiting.first().key <= int64(until) ||
		slots && (f.left.Add(ratelimit.MessagingWindow) <= until || f.item.OpenUntil > f.left && f.item.OpenUntil <= at || slices.ContainsFunc(v.queue.lanes, (*lane).losers))
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

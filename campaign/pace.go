package campaign

import "github.com/wactl/wactl/ratelimit"

// world is where time passes and messages leave: a variable for the dry-run, clocks and sockets for the sender.
type world interface {
	now() ratelimit.Instant
	// wait returns the next event, or none when the instant is about to come. It waits for an event alone when the instant is Never.
	wait(until ratelimit.Instant) (event, bool)
	// depart lets an item leave at an instant, which is now or a few milliseconds ahead.
	depart(i Item, at ratelimit.Instant)
	// record keeps what became of steps.
	record(results []Result)
}

// event is what the loop hears of: an answer, a departure that came late or did not come at all, room for another one, or a reason to stop.
// Exactly one is set.
type event struct {
	arrival arrival
	room    bool
	late    ratelimit.Instant
	unsent  *Intent
	stop    *Stopped
}

// pace lets every message of the queue leave as soon as all limits allow, and no sooner, until none is left or a reason to stop came.
//
// This is the one loop: the dry-run turns it on a virtual clock, the sender on a real one. Instants are absolute, so waking late costs
// nothing; after a stall the rhythm starts anew and never catches up.
func pace(w world, s *settler) *Stopped {
	for {
		p, some := s.next(w.now())
		if !some && len(s.flight) == 0 {
			return s.end(w.now())
		}
		if !some {
			p.at = ratelimit.Never
		}
		e, heard := w.wait(p.at)
		switch {
		case !heard:
			s.depart(p)
			w.depart(s.flight[p.item.Seq].item, p.at)
		case e.room:
		case e.stop != nil:
			s.halt(e.stop)
		case e.late != 0:
			s.policy.Late(e.late)
		case e.unsent != nil:
			s.unsent(uint32(e.unsent.Seq))
		default:
			w.record(s.settle(e.arrival))
		}
	}
}

// end is why the loop is over: nil when every step has its end.
func (s *settler) end(now ratelimit.Instant) *Stopped {
	if s.stop == nil && len(s.tier) > 0 {
		s.halt(stopTier(s.tierOpens(now)))
	}
	return s.stop
}

package campaign

import "github.com/wactl/wactl/ratelimit"

// world is where time passes and messages leave: a variable for the dry-run, clocks and sockets for the sender.
type world interface {
	now() ratelimit.Instant
	// wait returns the next event, or nil when the instant is about to come. It waits for an event alone when the instant is Never.
	wait(until ratelimit.Instant) *event
	// depart lets a message leave at an instant, which is now or a few milliseconds ahead.
	depart(d *departed, at ratelimit.Instant)
	// record keeps what became of steps.
	record(results []Result)
	// withdraw takes steps off the campaign.
	withdraw(seqs []uint32)
	// heard is told what news change.
	heard(changed News, withdrawn int)
}

// event is what the loop hears of: an answer, a departure that came late or did not come at all, room for another one, news, or a reason to stop.
// Exactly one is set.
type event struct {
	arrival *arrival
	room    bool
	late    *late
	unsent  *departed // its intent is not written
	slept   *departed // its intent is written, but the machine slept over its instant
	news    *News
	roster  *roster // beside news that name people
	stop    *Stopped
}

// late is a message that left later than it was to.
type late struct {
	number uint16
	left   ratelimit.Instant
}

// pace lets every message of the queue leave as soon as all limits allow, and no sooner, until none is left or a reason to stop came.
//
// This is the one loop: the dry-run turns it on a virtual clock, the sender on a real one. Instants are absolute, so waking late costs
// nothing; after a stall the rhythm starts anew and never catches up.
func pace(w world, s *settler) *Stopped {
	for {
		l, at := s.next(w.now()), ratelimit.Never
		if l != nil {
			at = l.next.at
		} else if s.flying == 0 && !s.resting(w.now()) {
			return s.end(w.now())
		}
		e := w.wait(at)
		switch {
		case e == nil:
			w.depart(s.depart(l), at)
		case e.room:
		case e.stop != nil:
			s.halt(e.stop)
		case e.late != nil:
			s.late(*e.late)
		case e.unsent != nil:
			s.refunded(e.unsent)
		case e.slept != nil:
			w.record(s.slept(e.slept, w.now()))
		case e.news != nil:
			s.tell(w, e)
		default:
			w.record(s.settle(e.arrival))
		}
		w.withdraw(s.takeWithdrawn())
	}
}

// tell lets the settler hear news, and the world what they change.
func (s *settler) tell(w world, e *event) {
	if s.ears.roster == nil {
		s.ears.roster = e.roster
	}
	changed := s.hear(*e.news, w.now())
	w.heard(changed, len(s.withdrawn))
}

// end is why the loop is over: nil when every step has its end.
func (s *settler) end(now ratelimit.Instant) *Stopped {
	if s.stop != nil {
		return s.stop
	}
	if s.missed {
		s.halt(stopDeadline(s.deadline))
	} else if opens, some := s.tierOpens(now); some {
		s.halt(stopTier(opens))
	}
	return s.stop
}

package campaign

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"time"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// arrival is an answer with its instants.
type arrival struct {
	departed
	Left   ratelimit.Instant // actual departure
	At     ratelimit.Instant // when the answer came
	Answer Answer
}

// settler turns answers into results: it moves the step on, tells the limits, and decides when the campaign has to stop.
type settler struct {
	*queue
	*ears
	seed      uint64 // makes the jitter of this campaign its own, and the same on every run
	stopAfter int    // failures in a row that stop the campaign
	failing   int    // failures in a row so far
	wrong     []Result
	stop      *Stopped // set once; the first reason stands
}

// halt ends departures for a reason. What is in flight is still answered.
func (s *settler) halt(why *Stopped) {
	s.stop = cmp.Or(s.stop, why)
	s.closed = true
}

// settle gives the results of one arrival: the step's own, and those of earlier steps that it changes.
func (s *settler) settle(a *arrival) []Result {
	taken := a.Answer.Class == outcome.Accepted || a.Answer.Class == outcome.Held || a.Answer.Class == outcome.Uncertain
	s.lanes[a.item.Number].hears(a)
	results := s.noted(s.judge(a))
	s.rejoin(&a.departed, a.At, taken)
	return results
}

func (s *settler) judge(a *arrival) []Result {
	d := &a.departed
	r := Result{Seq: int(d.item.Seq), Attempt: int(d.item.Attempts), Left: a.Left, At: a.At, Answer: a.Answer}
	switch a.Answer.Class {
	case outcome.Accepted, outcome.Held:
		s.taken(&r, d)
	case outcome.Uncertain:
		r.State = Uncertain
		s.hold(d).over(a.Left)
		s.arrived(d, a.At)
		s.failed(a.Answer)
	default:
		s.refunded(d)
		return s.refused(r, d)
	}
	return []Result{r}
}

// hold is that of the number that sent a message.
func (s *settler) hold(d *departed) *hold { return &s.lanes[d.item.Number].hold }

// late moves a number's rhythm.
func (s *settler) late(l late) {
	s.lanes[l.number].policy.Late(l.left)
	s.changed(s.lanes[l.number])
}

func (s *settler) taken(r *Result, d *departed) {
	r.State = Sent
	if r.Answer.Class == outcome.Held {
		r.State = Held
	}
	s.hold(d).over(r.Left)
	s.failing, s.wrong = 0, nil
	s.arrived(d, r.At)
}

// refused settles what the platform, or the way to it, did not take.
func (s *settler) refused(r Result, d *departed) []Result {
	r.State = Pending
	ready := r.At
	switch r.Answer.Class {
	case outcome.PairWait:
		d.item.Refusals = min(d.item.Refusals, 254) + 1
		ready = r.At.Add(ratelimit.PairRetry(int(d.item.Refusals)))
		s.hold(d).over(r.Left)
	case outcome.NumberSlow:
		s.lanes[d.item.Number].policy.Slow(r.Left, r.At)
		s.hold(d).over(r.Left)
	case outcome.NumberHold:
		wait := cmp.Or(r.Answer.RetryAfter, outcome.ForCode(r.Answer.Code).Wait, ratelimit.HoldFor)
		s.pause(r, d, 1+ratelimit.HoldProbes, func(int) time.Duration { return wait })
	case outcome.CallsWait:
		s.pause(r, d, 1+ratelimit.HoldProbes, s.growing(r))
	case outcome.Stop:
		s.halt(stopAnswer(r.Answer, outcome.ForCode(r.Answer.Code).Advice))
	case outcome.RetryFew:
		if !r.Answer.BytesWritten && r.Answer.Code == 0 {
			s.pause(r, d, maxUnreachable, s.growing(r))
			break
		}
		s.hold(d).over(r.Left)
		d.item.Tries++
		if int(d.item.Tries) >= outcome.ForCode(r.Answer.Code).Tries {
			return s.fails(r, d)
		}
		ready = r.At.Add(ratelimit.Transient(int(d.item.Tries), s.random(d.item)))
	case outcome.RequestWrong:
		return s.requestWrong(r, d)
	default:
		return s.fails(r, d)
	}
	s.back(d, ready)
	return []Result{r}
}

// pause holds the number after a refusal; the first begins the hold, each later one is a probe that failed, and most in a row end the run.
func (s *settler) pause(r Result, d *departed, most int, wait func(int) time.Duration) {
	h := s.hold(d)
	if !h.again(r.Left, r.At, wait) || h.failures < most {
		return
	}
	if r.Answer.HTTPStatus == 0 {
		s.halt(stopUnreachable(r.Answer.Details))
		return
	}
	s.halt(stopHeld(r.Answer.Code, most-1))
}

func (s *settler) growing(r Result) func(int) time.Duration {
	return func(failures int) time.Duration {
		return max(r.Answer.RetryAfter, ratelimit.Transient(failures, s.random(Item{Seq: uint32(r.Seq), Tries: uint8(failures)})))
	}
}

// fails ends a step for good.
func (s *settler) fails(r Result, d *departed) []Result {
	r.State = Failed
	s.hold(d).over(r.Left)
	s.done(d, r.At)
	s.failed(r.Answer)
	return []Result{r}
}

// requestWrong fails a step; when it is the last of several in a row with one code, the request is the campaign's fault: all of them go back
// to pending and the campaign stops.
func (s *settler) requestWrong(r Result, d *departed) []Result {
	if s.stop != nil && s.stop.Code == r.Answer.Code {
		s.back(d, r.At) // left before the stop, and wrong for the same reason
		return []Result{r}
	}
	if len(s.wrong) > 0 && s.wrong[0].Answer.Code != r.Answer.Code {
		s.wrong = nil
	}
	results := s.fails(r, d)
	s.wrong = append(s.wrong, results[0])
	if len(s.wrong) < maxWrong {
		return results
	}
	back := s.wrong
	for i := range back {
		back[i].State = Pending
	}
	s.wrong = nil
	s.halt(stopWrong(r.Answer, maxWrong))
	return back
}

// failed counts failures in a row: twenty of them say that something is wrong with more than one recipient.
func (s *settler) failed(a Answer) {
	s.failing++
	if s.stopAfter > 0 && s.failing >= s.stopAfter {
		s.halt(stopFailing(s.failing, cmp.Or(a.Title, a.Details)))
	}
}

// random is the jitter's source: drawn by hash of message and try, never from a shared stream, so that the order of answers changes nothing.
func (s *settler) random(i Item) uint64 {
	h := fnv.New64a()
	var b [24]byte
	binary.LittleEndian.PutUint64(b[0:], s.seed)
	binary.LittleEndian.PutUint64(b[8:], uint64(i.Seq))
	binary.LittleEndian.PutUint64(b[16:], uint64(i.Tries))
	h.Write(b[:])
	return h.Sum64()
}

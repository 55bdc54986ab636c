package campaign

import (
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// pulse listens for the answers of a number, so that a platform that stands still is not met with all that was kept back when it wakes.
//
// What is without an answer may be counted in one instant, the one in which the platform goes on. So when many are on their way and nothing was
// answered for much longer than usual, the number rests: it sends single probes, each later than the last, until an answer comes. Then the rhythm
// starts anew, as if all that was on its way had left just then. An API that is slow but answers is no matter.
type pulse struct {
	usual  time.Duration     // from departure to answer; 0 until the first came
	since  ratelimit.Instant // the last answer, or the departure that ended a rest; silence counts from here
	last   ratelimit.Instant // departure
	ended  ratelimit.Instant // when the last silence did
	proved bool              // one that left since was answered as usual
	deaf   bool              // what came last was no answer: a time limit, or a broken connection
}

const (
	unknownSilence = 2 * time.Second // how long the first answer is waited for while the messages go on
	leastSilence   = 500 * time.Millisecond
	usualSilence   = 4                // times what is usual
	probeAfter     = 2 * time.Second  // the least between two probes
	mostProbe      = 30 * time.Second // and the most
)

// limit is how long nothing is answered in an ordinary way.
func (p *pulse) limit() time.Duration {
	if p.usual == 0 {
		return unknownSilence
	}
	return max(usualSilence*p.usual, leastSilence)
}

// departs is told that a message leaves at t beside so many that are on their way.
func (p *pulse) departs(t ratelimit.Instant, flying int) {
	if p.last = t; flying == 0 && !p.deaf {
		p.since = t
	}
}

// answered is told of an answer at now to a message that left at left, and says whether it ends a silence.
func (p *pulse) answered(left, now ratelimit.Instant) (ends bool) {
	ends = now.Sub(p.since) > p.limit()
	took := max(now.Sub(left), 0)
	switch {
	case p.usual == 0 || ends && !p.proved: // nothing else is known, or it takes so long every time
		p.usual = took
	case !ends && left > p.ended:
		p.usual += (took - p.usual) / 8
		p.proved = true
	}
	if ends {
		p.ended, p.proved = now, false
	}
	p.since, p.deaf = max(p.since, now), false
	return ends
}

// allows is the first instant from t on at which one more may leave, with so many on their way, of which enough would fill half a second of the
// platform's: fewer can do no harm.
func (p *pulse) allows(t ratelimit.Instant, flying, enough int) ratelimit.Instant {
	if t.Sub(p.since) <= p.limit() || flying < enough && !p.deaf {
		return t
	}
	grows := min(max(p.last.Sub(p.since), probeAfter), mostProbe) // the silence grows to twice its length
	return max(t, p.last.Add(grows))
}

// hears tells a number's pulse of what came back. Where that ends a silence, all that is on its way may be counted now: the rhythm starts behind it.
// A second is all that the platform counts.
func (l *lane) hears(a *arrival) {
	if l.pulse == nil {
		return
	}
	if a.Answer.HTTPStatus == 0 {
		l.pulse.deaf = true
		return
	}
	if !l.pulse.answered(a.Left, a.At) {
		return
	}
	rest := time.Duration(l.flying) * l.policy.Throughput.Pace.Gap()
	l.policy.NotBefore(a.At.Add(min(rest, time.Second)))
}

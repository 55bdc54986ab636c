package forecast

import (
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// crowds is a send without names: a crowd for each number.
type crowds []*crowd

// crowdsOf is a send as crowds, nil where names matter: where an earlier message or an open service window binds some people and not others;
// where a burst may go on; where numbers share a messaging limit; and where a number has to wait for answers, or leaves a slot late.
func crowdsOf(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration, s *shape) (all crowds) {
	if s.repeats && !l.Pair.Single() {
		return nil
	}
	numbers := l.All()
	for i, p := range l.Policies(start) {
		gap := p.Pace().Gap()
		_, late := p.Due(start)
		if late || numbers[i].Before != nil && !p.KnowsNobody() || latency > time.Duration(campaign.MostInFlight(numbers[i].Throughput.Pace))*gap {
			return nil
		}
		c := &crowd{number: uint16(i), gap: gap, hold: l.Pair.Interval + latency, atOnce: l.Pair.Interval == 0, next: p.Slot(start), fresh: classesOf(s.people(i))}
		if p.Messaging != nil {
			if len(numbers) > 1 || s.opened > start || c.hold >= ratelimit.MessagingWindow/2 {
				return nil
			}
			c.slots = slotsOf(p.Messaging, c.fresh, start, latency)
		}
		if !l.Quiet.None() {
			c.clocks = &clocks{quiet: l.Quiet, zones: s.zones(load)}
		}
		all = append(all, c)
	}
	return all
}

// slotsOf is the messaging limit of people of whom none counts at the start.
func slotsOf(m *ratelimit.Messaging, people classes, start ratelimit.Instant, latency time.Duration) *slots {
	need := 0
	for _, c := range people {
		need += c.people
	}
	s := &slots{limit: m.Limit(), keeps: latency + ratelimit.MessagingWindow}
	for _, at := range m.Opens(start) {
		s.ends.push(at)
	}
	s.held = s.ends.len()
	s.scarce = need > max(s.limit-s.held, 0)
	return s
}

// departures shows every departure in order. It is false, at any time, where names turn out to matter.
func (all crowds) departures(watch func(campaign.Departure)) bool {
	if len(all) == 1 {
		for {
			d, some, sure := all[0].depart()
			if !sure || !some {
				return sure
			}
			watch(d)
		}
	}
	next := make([]campaign.Departure, len(all))
	sure := true
	look := func(i int) {
		d, some, certain := all[i].depart()
		if sure = sure && certain; !some {
			d.At = ratelimit.Never
		}
		next[i] = d
	}
	for i := range all {
		look(i)
	}
	for sure {
		first := 0
		for i := range next {
			if next[i].At < next[first].At {
				first = i
			}
		}
		if next[first].At == ratelimit.Never {
			return true
		}
		watch(next[first])
		look(first)
	}
	return false
}

// takes is how long a send takes, from start to the last answer: by counting people where that is enough, else by the loop.
func takes(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration, s *shape) time.Duration {
	if t, ok := counted(load, l, start, latency, s); ok {
		return t
	}
	return length(load, l, start, latency)
}

// counted is how long a send takes where counting people tells.
func counted(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration, s *shape) (time.Duration, bool) {
	last := start
	all := crowdsOf(load, l, start, latency, s)
	ok := len(all) > 0 && all.departures(func(d campaign.Departure) { last = max(last, d.At) })
	return last.Add(latency).Sub(start), ok
}

package forecast

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// less is the send with one limit less.
type less struct {
	limits campaign.Limits
	adds   *time.Duration // how much sooner it is over
	takes  time.Duration
	known  bool
}

// lesser are the sends with one limit less, of the limits that may add something.
func (f *Forecast) lesser(l campaign.Limits, s *shape) (all []less) {
	l.Deadline = 0
	if s.repeats || history(l) { // somebody gets several messages, or may owe for earlier ones
		all = append(all, less{limits: noPair(l), adds: &f.PairAdds})
	}
	if tiersBind(l) {
		all = append(all, less{limits: noTier(l), adds: &f.TierAdds})
	}
	if !l.Quiet.None() {
		all = append(all, less{limits: noQuiet(l), adds: &f.QuietAdds})
	}
	return all
}

// adds finds out what each limit adds, by running without it. Where the number's pace alone takes as long, no other limit adds anything.
func (f *Forecast) adds(load *campaign.Load, l campaign.Limits, latency time.Duration, b bound, s *shape, lesser []less) {
	f.Whole = f.Duration()
	if len(f.Missed) > 0 {
		l.Deadline = 0
		f.Whole = takes(load, l, f.Start, latency, s)
	}
	if f.Whole == b.throughput {
		return
	}
	var beside sync.WaitGroup
	for i := range lesser {
		one := &lesser[i]
		beside.Go(func() {
			if one.count(load, f.Start, latency, s); !one.known && lowerBound(load, one.limits, f.Start, latency, s).takes == f.Whole {
				one.takes, one.known = f.Whole, true // the loop does not have to run where the other limits take as long as all do
			}
			one.run(load, f.Start, latency)
			*one.adds = max(f.Whole-one.takes, 0)
		})
	}
	beside.Wait()
}

// count finds out how long the send takes where counting people tells that.
func (o *less) count(load *campaign.Load, start ratelimit.Instant, latency time.Duration, s *shape) {
	if !o.known {
		o.takes, o.known = counted(load, o.limits, start, latency, s)
	}
}

// run finds out how long the send takes, where that is not known.
func (o *less) run(load *campaign.Load, start ratelimit.Instant, latency time.Duration) {
	if !o.known {
		o.takes, o.known = length(load, o.limits, start, latency), true
	}
}

// tiersBind says whether any number has a messaging limit.
func tiersBind(l campaign.Limits) bool {
	return slices.ContainsFunc(l.All(), func(n campaign.Number) bool { return cmp.Or(n.Tier, l.Tier) > 0 })
}

// history says whether the numbers may have sent before.
func history(l campaign.Limits) bool {
	return slices.ContainsFunc(l.All(), func(n campaign.Number) bool { return n.Before != nil })
}

func noPair(l campaign.Limits) campaign.Limits {
	l.Pair = ratelimit.Pair{Reading: ratelimit.Spaced}
	return l
}

func noTier(l campaign.Limits) campaign.Limits {
	l.Tier, l.Numbers = 0, slices.Clone(l.Numbers)
	for i := range l.Numbers {
		l.Numbers[i].Tier = 0
	}
	return l
}

func noQuiet(l campaign.Limits) campaign.Limits {
	l.Quiet = quiet.Hours{}
	return l
}

// length is how long the loop takes for a send, from start to the last answer.
func length(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration) time.Duration {
	last := start
	l.Rehearse(load, start, latency, func(d campaign.Departure) { last = max(last, d.At) })
	return last.Add(latency).Sub(start)
}

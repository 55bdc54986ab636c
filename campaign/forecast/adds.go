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
func (f *Forecast) lesser(load *campaign.Load, l campaign.Limits) (all []less) {
	l.Deadline = 0
	if pairsBind(load, l) {
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
func (f *Forecast) adds(load *campaign.Load, l campaign.Limits, latency time.Duration, b bound, lesser []less) {
	f.Whole = f.Duration()
	if len(f.Missed) > 0 {
		l.Deadline = 0
		f.Whole = length(load, l, f.Start, latency)
	}
	if f.Whole == b.throughput {
		return
	}
	var beside sync.WaitGroup
	for i := range lesser {
		one := &lesser[i]
		beside.Go(func() {
			if !one.known && lowerBound(load, one.limits, f.Start, latency).takes == f.Whole {
				one.takes, one.known = f.Whole, true // the loop does not have to run where the other limits take as long as all do
			}
			one.run(load, f.Start, latency, b)
			*one.adds = max(f.Whole-one.takes, 0)
		})
	}
	beside.Wait()
}

// run finds out how long the send takes, where that is not known. The loop does not have to run for it where only the pace is left.
func (o *less) run(load *campaign.Load, start ratelimit.Instant, latency time.Duration, b bound) {
	if o.known {
		return
	}
	o.known = true
	if paceOnly(load, o.limits, start, latency, b.shape) {
		o.takes = b.throughput
		return
	}
	o.takes = length(load, o.limits, start, latency)
}

// paceOnly says that nothing but the paces holds a message up: each number's messages leave one gap after the other.
func paceOnly(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration, s shape) bool {
	if tiersBind(l) || !l.Quiet.None() || history(l) {
		return false
	}
	several := pairsBind(load, l)
	for i, n := range l.All() {
		gap := n.Throughput.Pace.Gap()
		if latency > time.Duration(campaign.MostInFlight(n.Throughput.Pace))*gap || start != l.Start && start.Sub(l.Start) <= n.Throughput.Slack() {
			return false
		}
		if several && (!l.Pair.Single() || l.Pair.Interval == 0 || !neverIdle(s.people(i), gap, l.Pair.Interval+latency)) {
			return false
		}
	}
	return true
}

// pairsBind says whether anybody gets several messages, or may owe for earlier ones.
func pairsBind(load *campaign.Load, l campaign.Limits) bool {
	for range load.Repeats {
		return true
	}
	return history(l)
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

// length is how long a send takes, from start to the last answer.
func length(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration) time.Duration {
	last := start
	l.Rehearse(load, start, latency, func(d campaign.Departure) { last = max(last, d.At) })
	return last.Add(latency).Sub(start)
}

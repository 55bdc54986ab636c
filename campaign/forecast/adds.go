package forecast

import (
	"slices"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// adds finds out what each limit adds, by running without it. Where the number's pace alone takes as long, no other limit adds anything.
func (f *Forecast) adds(load *campaign.Load, l campaign.Limits, latency time.Duration, b bound) {
	f.Whole = f.Duration()
	l.Deadline = 0
	if len(f.Missed) > 0 {
		f.Whole = length(load, l, f.Start, latency)
	}
	if f.Whole == b.throughput {
		return
	}
	var beside sync.WaitGroup
	without := func(add *time.Duration, bind bool, l campaign.Limits) {
		if bind {
			beside.Go(func() { *add = max(f.Whole-f.without(load, l, latency, b), 0) })
		}
	}
	without(&f.PairAdds, pairsBind(load, l), noPair(l))
	without(&f.TierAdds, l.Tier > 0, noTier(l))
	without(&f.QuietAdds, !l.Quiet.None(), noQuiet(l))
	beside.Wait()
}

// without is how long the send takes with one limit less. The loop does not have to run for it where the other limits take as long as all do, or
// where only the pace is left.
func (f *Forecast) without(load *campaign.Load, l campaign.Limits, latency time.Duration, b bound) time.Duration {
	switch {
	case paceOnly(load, l, f.Start, latency):
		return b.throughput
	case !history(l) && lowerBound(load, l, f.Start, latency).takes == f.Whole:
		return f.Whole
	}
	return length(load, l, f.Start, latency)
}

// paceOnly says that nothing but the paces can hold a message up: each number's messages leave one gap after the other.
func paceOnly(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration) bool {
	if l.Tier > 0 || !l.Quiet.None() || pairsBind(load, l) {
		return false
	}
	for _, n := range l.All() {
		gap := n.Throughput.Pace.Gap()
		if latency > time.Duration(campaign.MostInFlight(n.Throughput.Pace))*gap || start != l.Start && start.Sub(l.Start) <= n.Throughput.Slack() {
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

// history says whether the numbers may have sent before.
func history(l campaign.Limits) bool {
	return slices.ContainsFunc(l.All(), func(n campaign.Number) bool { return n.Before != nil })
}

func noPair(l campaign.Limits) campaign.Limits {
	l.Pair = ratelimit.Pair{Reading: ratelimit.Spaced}
	return l
}

func noTier(l campaign.Limits) campaign.Limits {
	l.Tier = 0
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

package analyze

import (
	"math"
	"slices"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// readings says what each reading of the limit makes of a failure.
func (v *verdict) readings() Readings {
	at := instantOf(v.failure.at())
	debt := v.before.Debt(at)
	messages := milli(float64(debt) / float64(bucket45.Interval))
	r := Readings{
		Strict:   ReadingVerdict{Explains: strict.Earliest(v.before, at) > at},
		Bucket45: ReadingVerdict{Explains: bucket45.Earliest(v.before, at) > at, DebtAtFailure: &messages},
	}
	for i, one := range []*ReadingVerdict{&r.Strict, &r.Bucket45} {
		if v.wrong[i] != nil {
			one.ContradictedBy = instant(v.wrong[i].at())
		}
	}
	if !r.Bucket45.Explains {
		r.Bucket45.UnseenSends = new(fillBucket(debt))
	}
	if !r.Strict.Explains {
		r.Strict.UnseenSends = unseenBurst(v.recent, at)
	}
	return r
}

// fillBucket is the fewest sends that bring a debt over what the bucket lends.
func fillBucket(debt time.Duration) int {
	room := time.Duration(bucket45.Burst-1)*bucket45.Interval - debt
	return int(room/bucket45.Interval) + 1
}

// milli rounds to three decimals.
func milli(x float64) float64 { return math.Round(x*1000) / 1000 }

// unseenBurst is the fewest messages, sent at one instant and not in the log, after which strict refuses at that time; nil if none do.
//
// It is an estimate: several unseen bursts may do with fewer each. A burst that leaves the log's own accepted sends allowed is preferred.
func unseenBurst(seen []*fact, at ratelimit.Instant) *int {
	from, _ := slices.BinarySearchFunc(seen, at.Add(-2*reach), func(f *fact, t ratelimit.Instant) int { return int(instantOf(f.at()).Sub(t)) })
	var sends []ratelimit.Instant
	for _, f := range seen[from:] {
		sends = append(sends, instantOf(f.at()))
	}
	starts := unseenStarts(sends, at)
	_, wrong := refusedAfter(sends, at, 0, 0)
	for _, most := range []int{wrong, len(sends)} {
		for k := 1; k <= strict.Burst; k++ {
			for _, start := range starts {
				if refused, n := refusedAfter(sends, at, start, k); refused && n <= most {
					return &k
				}
			}
		}
	}
	return nil
}

// unseenStarts are the instants at which an unseen burst changes most: just inside and just outside the window of credit of what followed.
func unseenStarts(sends []ratelimit.Instant, at ratelimit.Instant) []ratelimit.Instant {
	const nearest = 8 // sends before the failure; earlier ones are answered by the same bursts
	near := append(slices.Clone(sends[max(0, len(sends)-nearest):]), at)
	if len(sends) > nearest {
		near = append(near, sends[0])
	}
	var starts []ratelimit.Instant
	for _, t := range near {
		for _, back := range []time.Duration{0, time.Millisecond, ratelimit.PairBurstWindow - time.Millisecond, ratelimit.PairBurstWindow} {
			if start := t.Add(-back); start <= at && start > 0 {
				starts = append(starts, start)
			}
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// refusedAfter replays sends with k more at one instant: whether strict then refuses, and how many of all these it would have refused.
func refusedAfter(sends []ratelimit.Instant, at, unseen ratelimit.Instant, k int) (refused bool, wrong int) {
	var s ratelimit.PairState
	burst := func() {
		for ; k > 0; k-- {
			if strict.Earliest(s, unseen) > unseen { // it was accepted, so strict must allow it too
				wrong++
			}
			s = strict.Charge(s, unseen)
		}
	}
	for _, t := range sends {
		if t >= unseen {
			burst()
		}
		if strict.Earliest(s, t) > t {
			wrong++
		}
		s = strict.Charge(s, t)
	}
	burst()
	return strict.Earliest(s, at) > at, wrong
}

package emulator_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/ratelimit"
)

// TestSameVerdictAsRatelimit holds the emulator against the limit that the sender paces by: two ways to count one rule.
func TestSameVerdictAsRatelimit(t *testing.T) {
	seen := map[bool]int{}
	for _, reading := range []ratelimit.Reading{ratelimit.Strict, ratelimit.Bucket45, ratelimit.Spaced} {
		t.Run(string(reading), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				r := newRig(emulator.Options{PairModel: string(reading), MPS: 1000})
				rule, state := ratelimit.PublishedPair(reading), ratelimit.PairState{}
				longest := rapid.SampledFrom([]int{1, 100, 6000, 7000, 300_000}).Draw(rt, "longest gap in ms")
				at := 0
				for i, gap := range rapid.SliceOfN(rapid.IntRange(0, longest), 1, 120).Draw(rt, "gaps in ms") {
					at += gap
					now := ratelimit.At(r.at(time.Duration(at) * time.Millisecond).clock)
					want := rule.Earliest(state, now) == now
					got := r.text(t, person) == 0
					if got != want {
						rt.Fatalf("message %d at %d ms: the emulator accepts: %t, ratelimit allows: %t", i+1, at, got, want)
					}
					if seen[got]++; got {
						state = rule.Charge(state, now)
					}
				}
			})
		})
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("schedules led to %d accepted and %d refused", seen[true], seen[false])
	}
}

// TestEarliestIsTheFirstInstant asks the emulator at the instant that ratelimit names, and a millisecond before it.
func TestEarliestIsTheFirstInstant(t *testing.T) {
	waits := 0
	rapid.Check(t, func(rt *rapid.T) {
		reading := rapid.SampledFrom([]ratelimit.Reading{ratelimit.Strict, ratelimit.Bucket45, ratelimit.Spaced}).Draw(rt, "reading")
		r := newRig(emulator.Options{PairModel: string(reading), MPS: 1000})
		rule, state := ratelimit.PublishedPair(reading), ratelimit.PairState{}
		now := ratelimit.At(started)
		for range rapid.IntRange(1, 60).Draw(rt, "messages") {
			now = now.Add(time.Duration(rapid.IntRange(0, 400).Draw(rt, "gap in ms")) * time.Millisecond)
			if first := rule.Earliest(state, now); first > now {
				waits++
				r.clock = first.Add(-time.Millisecond).Time()
				if r.text(t, person) != 131056 {
					rt.Fatalf("%s: accepted before the earliest instant %s", reading, first.Time())
				}
				now = first
			}
			r.clock = now.Time()
			if got := r.text(t, person); got != 0 {
				rt.Fatalf("%s: code %d at the earliest instant %s", reading, got, now.Time())
			}
			state = rule.Charge(state, now)
		}
	})
	if waits == 0 {
		t.Error("no schedule had to wait")
	}
}

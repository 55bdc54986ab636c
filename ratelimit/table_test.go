package ratelimit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestPairsRemember holds the table of pairs against a map, while time goes on and pairs that are over make room.
func TestPairsRemember(t *testing.T) {
	pair := PublishedPair(Spaced)
	rapid.Check(t, func(t *rapid.T) {
		var p pairs
		type flown struct {
			PairState
			flying int
		}
		want := map[uint64]flown{}
		now := 1000 * second
		people := rapid.SampledFrom([]int{1, 30, 3000}).Draw(t, "people")
		for range rapid.IntRange(1, 4000).Draw(t, "n") {
			who := scattered(rapid.Uint64().Draw(t, "who")) % uint64(people)
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(10*time.Millisecond)).Draw(t, "pause")))
			w := want[who]
			if got := p.get(who); pair.Earliest(got, now) != pair.Earliest(w.PairState, now) || w.flying > 0 && got != w.PairState {
				t.Fatalf("pair %d is %+v, want %+v", who, got, w)
			}
			k := p.at(who, now)
			if w.flying > 0 && rapid.Bool().Draw(t, "answer") {
				k.set(pair.Answered(k.state(), now))
				k.lands()
				w = flown{pair.Answered(w.PairState, now), w.flying - 1}
			} else {
				k.set(pair.Charge(k.state(), now))
				k.flying++
				w = flown{pair.Charge(w.PairState, now), w.flying + 1}
			}
			want[who] = w
		}
		for who, w := range want {
			if got := p.get(who); w.flying > 0 && got != w.PairState || w.ClearAt > now && got != w.PairState {
				t.Fatalf("in the end pair %d is %+v, want %+v", who, got, w)
			}
		}
	})
}

// TestCountingRemembers holds the table of those who count against a map.
func TestCountingRemembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c counting
		want := map[uint64]Instant{}
		people := rapid.SampledFrom([]uint64{1, 30, 3000}).Draw(t, "people")
		for i := range rapid.IntRange(1, 3000).Draw(t, "n") {
			who := scattered(rapid.Uint64().Draw(t, "who")) % people
			got, ok := c.get(who)
			if at, counts := want[who]; ok != counts || counts && got != at {
				t.Fatalf("%d counts: %v at %d, want %v at %d", who, ok, got, counts, at)
			}
			if rapid.IntRange(0, 2).Draw(t, "drop") == 0 {
				c.drop(who)
				delete(want, who)
			} else {
				c.set(who, Instant(i-1500))
				want[who] = Instant(i - 1500)
			}
			if c.size != len(want) {
				t.Fatalf("%d count, want %d", c.size, len(want))
			}
		}
	})
}

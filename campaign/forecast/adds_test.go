package forecast

import (
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
	"pgregory.net/rapid"
)

// TestAddsAreThoseOfARun holds what each limit adds against running the loop without it, also where the forecast knows without a run.
func TestAddsAreThoseOfARun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		if rapid.Bool().Draw(t, "one message each") {
			for i := range d.items {
				d.items[i].Recipient = places[i%len(places)] + uint64(i)
			}
		}
		if rapid.Bool().Draw(t, "slow answers") {
			d.latency = time.Duration(rapid.IntRange(1, 300).Draw(t, "latency in s")) * time.Second
		}
		d.limits.Tier = rapid.SampledFrom([]int{0, 40, 300}).Draw(t, "tier")
		if rapid.Bool().Draw(t, "quiet hours") {
			d.limits.Quiet = quiet.Hours{From: 10 * time.Hour, To: 13 * time.Hour}
		}
		if rapid.Bool().Draw(t, "earlier sends") {
			d.remember(t)
		}
		load, start := campaign.NewLoad(d.items), noon.Add(time.Duration(rapid.IntRange(0, 1).Draw(t, "later"))*time.Millisecond)
		if rapid.Bool().Draw(t, "not before") {
			d.limits.Start = noon
		}
		f := New(load, d.limits, start, d.latency)
		for _, tc := range []struct {
			limit  ratelimit.Limit
			got    time.Duration
			limits campaign.Limits
		}{
			{ratelimit.LimitPair, f.PairAdds, noPair(d.limits)},
			{ratelimit.LimitMessaging, f.TierAdds, noTier(d.limits)},
			{quiet.Limit, f.QuietAdds, noQuiet(d.limits)},
		} {
			if want := max(f.Whole-length(load, tc.limits, f.Start, d.latency), 0); tc.got != want {
				t.Errorf("%s adds %v, the loop without it says %v", tc.limit, tc.got, want)
			}
		}
	})
}

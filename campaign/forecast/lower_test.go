package forecast

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// remember gives the numbers a history: people of the list and others who were written to before, who may be more than the limit, whose pairs may
// owe or be in a burst, and of whom some wrote.
func (d *drawn) remember(t *rapid.T) {
	type earlier struct {
		who uint64
		ago time.Duration
	}
	if len(d.limits.Numbers) == 0 {
		t.Fatal("no numbers")
	}
	d.limits.Numbers = slices.Clone(d.limits.Numbers)
	for n := range d.limits.Numbers {
		var all []earlier
		for range rapid.IntRange(0, 120).Draw(t, "earlier messages") {
			who := rapid.SampledFrom(d.items).Draw(t, "whom").Recipient
			if rapid.IntRange(0, 3).Draw(t, "a stranger") == 0 {
				who = uint64(rapid.IntRange(1, 500).Draw(t, "who"))
			}
			most := rapid.SampledFrom([]int{20, 2000, 10_000, 86_400_000}).Draw(t, "at most ms ago")
			all = append(all, earlier{who, time.Duration(rapid.IntRange(0, most).Draw(t, "ms ago")) * time.Millisecond})
		}
		slices.SortStableFunc(all, func(a, b earlier) int { return cmp.Compare(b.ago, a.ago) })
		d.limits.Numbers[n].Before = func(p *ratelimit.Policy) {
			for _, e := range all {
				at := noon.Add(-e.ago)
				if p.Remember(e.who, at); p.Messaging != nil {
					p.Messaging.Charge(e.who, at)
				}
				p.RememberSlot(at)
			}
		}
	}
}

// TestLowerWithEarlierSends holds that nothing that was sent before makes the lower bound longer than the send.
func TestLowerWithEarlierSends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		d.remember(t)
		d.limits.Tier = rapid.SampledFrom([]int{0, 3, 20, 60, 250}).Draw(t, "tier")
		d.limits.Used = rapid.SampledFrom([]int{0, 0, 5, 70}).Draw(t, "used")
		d.limits.Pair.Bubbles = rapid.SampledFrom([]int{0, 0, 2, 5}).Draw(t, "bubbles")
		if rapid.Bool().Draw(t, "two portfolios") {
			d.limits.Numbers[0].Portfolio = "other"
		}
		if rapid.Bool().Draw(t, "quiet hours") {
			d.limits.Quiet = quiet.Hours{From: 10 * time.Hour, To: 13 * time.Hour}
		}
		if rapid.IntRange(0, 2).Draw(t, "not before") == 0 {
			d.limits.Start = noon.Add(time.Duration(rapid.IntRange(-5, 5).Draw(t, "begins in ms")) * time.Millisecond)
		}
		for i, item := range d.items {
			if item.Recipient%5 == 0 {
				d.items[i].OpenUntil = noon.Add(time.Duration(rapid.SampledFrom([]int{-1, 1, 3600}).Draw(t, "window")) * time.Second)
			}
		}
		if f := d.forecast(); f.Duration() < f.Lower || f.Messages != len(d.items) {
			t.Fatalf("%d of %d messages in %v, lower bound %v by %s", f.Messages, len(d.items), f.Duration(), f.Lower, f.Binding)
		}
	})
}

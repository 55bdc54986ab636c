package forecast

import (
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

const day = ratelimit.MessagingWindow

// to makes messages, one for each recipient named.
func to(recipients ...int) []campaign.Item {
	items := make([]campaign.Item, len(recipients))
	for i, r := range recipients {
		items[i] = campaign.Item{Message: ratelimit.Message{Recipient: uint64(r)}, Seq: uint32(i)}
	}
	return items
}

func strangers(n int) []campaign.Item {
	who := make([]int, n)
	for i := range who {
		who[i] = i + 1
	}
	return to(who...)
}

// TestForecast holds forecasts against plans computed by hand, at 10 messages per second.
func TestForecast(t *testing.T) {
	start := ratelimit.At(time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC))
	open := strangers(300)
	for i := range open[:150] {
		open[i].OpenUntil = start.Add(time.Hour)
	}
	for _, tc := range []struct {
		name                  string
		items                 []campaign.Item
		tier, used            int
		latency               time.Duration
		before                func(*ratelimit.Policy)
		takes, lower, pair, m time.Duration
		binding               ratelimit.Limit
		windows               []int
	}{
		{name: "one message", items: to(1), latency: time.Second, takes: time.Second, lower: time.Second, binding: ratelimit.LimitThroughput, windows: []int{0}},
		{name: "eleven people", items: strangers(11), takes: time.Second, lower: time.Second, binding: ratelimit.LimitThroughput, windows: []int{0}},
		{name: "three messages to one", items: to(1, 1, 1), latency: time.Second, takes: 15 * time.Second, lower: 15 * time.Second,
			pair: 12 * time.Second, binding: ratelimit.LimitPair, windows: []int{0}},
		{name: "a chain among others flows beside them", items: to(1, 1, 2, 3, 4), takes: 6 * time.Second, lower: 6 * time.Second,
			pair: 5600 * time.Millisecond, binding: ratelimit.LimitPair, windows: []int{0}},
		{name: "two windows", items: strangers(300), tier: 250, takes: day + 4900*time.Millisecond, lower: day + 4900*time.Millisecond, m: day - 25*time.Second,
			binding: ratelimit.LimitMessaging, windows: []int{250, 50}},
		{name: "open windows take no slot", items: open, tier: 250, takes: 29900 * time.Millisecond, lower: 29900 * time.Millisecond,
			binding: ratelimit.LimitThroughput, windows: []int{150}},
		{name: "slots used before", items: strangers(300), tier: 250, used: 1000, takes: 2*day + 4900*time.Millisecond, lower: 2*day + 4900*time.Millisecond,
			m: 2*day - 25*time.Second, binding: ratelimit.LimitMessaging, windows: []int{250, 50}},
		{name: "a pair that owes", items: to(1, 2), before: func(p *ratelimit.Policy) { p.Remember(1, start) }, takes: 6 * time.Second,
			lower: 100 * time.Millisecond, pair: 5900 * time.Millisecond, binding: ratelimit.LimitThroughput, windows: []int{0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := campaign.Limits{Number: ratelimit.Throughput{Level: 80, Pace: ratelimit.PerSecond(10)}, Pair: ratelimit.PublishedPair(ratelimit.Spaced),
				Tier: tc.tier, Used: tc.used, Before: tc.before}
			f := New(campaign.NewLoad(tc.items), l, start, tc.latency)
			if f.Duration() != tc.takes || f.Lower != tc.lower || f.Binding != tc.binding {
				t.Errorf("takes %v (lower bound %v by %s), want %v (%v by %s)", f.Duration(), f.Lower, f.Binding, tc.takes, tc.lower, tc.binding)
			}
			if f.PairAdds != tc.pair || f.TierAdds != tc.m {
				t.Errorf("the pair limit adds %v and the messaging limit %v, want %v and %v", f.PairAdds, f.TierAdds, tc.pair, tc.m)
			}
			var windows []int
			for _, w := range f.Windows {
				windows = append(windows, w.Recipients)
			}
			if len(windows) != len(tc.windows) || windows[0] != tc.windows[0] || windows[len(windows)-1] != tc.windows[len(windows)-1] {
				t.Errorf("windows %v, want %v", windows, tc.windows)
			}
			if f.Duration() < f.Lower {
				t.Errorf("it takes %v, less than the lower bound %v", f.Duration(), f.Lower)
			}
		})
	}
}

func TestForecastOfNothing(t *testing.T) {
	if f := New(campaign.NewLoad(nil), campaign.Limits{}, 5, time.Second); f.Duration() != 0 || f.Start != 5 {
		t.Errorf("a forecast of no messages takes %v from %v", f.Duration(), f.Start)
	}
}

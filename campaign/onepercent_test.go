package campaign_test

import (
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"pgregory.net/rapid"
)

// TestForecastWithinOnePercent sends over ways of random length what was foreseen at their mean: however the answers scatter, the whole send takes
// as long as it was said to within a hundredth. A few answers alone may scatter more, so no way is longer than a four-hundredth of the send, nor than
// a usual one: where answers take as long as the pair rests, their own mean is uncertain by more.
func TestForecastWithinOnePercent(t *testing.T) {
	checked := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := drawSend(rt)
		n := rapid.IntRange(200, 500).Draw(rt, "messages of a long send")
		s.people = rapid.SliceOfN(rapid.IntRange(0, rapid.IntRange(1, 600).Draw(rt, "people of a long send")), n, n).Draw(rt, "who")
		s.options.MPS = 100 * s.limits.Number.Level
		var takes time.Duration
		s.limits.Rehearse(campaign.NewLoad(s.items()), start, 0, func(d campaign.Departure) { takes = max(takes, d.At.Sub(start)) })
		longest := rapid.Uint64Range(0, uint64(min(takes/400, longestWay)/time.Millisecond)).Draw(rt, "longest way in ms") + 1
		seed := rapid.Uint64().Draw(rt, "seed")
		s.options.LatencyFn = func(id string) (in, out time.Duration) {
			return way(seed, id, "in", longest), way(seed, id, "out", longest)
		}
		foreseen := last(s.foreseen(time.Duration(longest-1) * time.Millisecond)) // the mean of both ways together
		m, em, stop := s.run(t)
		if stop != nil {
			rt.Fatalf("the send stopped: %v", stop)
		}
		nothingRefused(rt, em, n)
		if actual := last(s.sent(m)); (actual - foreseen).Abs() > foreseen/100 {
			rt.Fatalf("foreseen %v, took %v", foreseen, actual)
		}
		if longest > 1 {
			checked++
		}
	})
	if checked == 0 {
		t.Error("no send had answers that scatter")
	}
}

// longestWay is a usual one: the platform answers within 300 ms.
const longestWay = 150 * time.Millisecond

// last is when the last thing happened.
func last(all []happening) (at time.Duration) {
	for _, h := range all {
		at = max(at, h.After)
	}
	return at
}

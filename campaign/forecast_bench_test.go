package campaign_test

import (
	"testing"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// BenchmarkForecast forecasts a million messages to as many people, at a latency of 150 ms.
func BenchmarkForecast(b *testing.B) {
	items := make([]campaign.Item, 1_000_000)
	for i := range items {
		items[i] = campaign.Item{Message: ratelimit.Message{Recipient: digits(i)}, Seq: uint32(i)}
	}
	l := campaign.Limits{Number: ratelimit.Throughput{Level: 1000, Pace: ratelimit.PerSecond(950)}, Pair: ratelimit.PublishedPair(ratelimit.Spaced)}
	for b.Loop() {
		f := campaign.NewForecast(items, l, 0, 150_000_000)
		if f.Duration() == 0 {
			b.Fatal("nothing was forecast")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(items)), "ns/message")
}

package forecast

import (
	"container/heap"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// many is a campaign of n messages to as many people.
func many(n int) []campaign.Item {
	items := make([]campaign.Item, n)
	for i := range items {
		items[i] = campaign.Item{Message: ratelimit.Message{Recipient: 5511960000000 + uint64(i)}, Seq: uint32(i)}
	}
	return items
}

// BenchmarkForecast forecasts ten million messages at 950/s and a latency of 150 ms, from the items in memory to the result: one a person, several
// a person, and with the limits that slow them down. It reports nanoseconds, and bytes beside the items, for each message.
func BenchmarkForecast(b *testing.B) {
	const n = 10_000_000
	night := quiet.Hours{From: 21 * time.Hour, To: 8 * time.Hour}
	for _, v := range []struct {
		name  string
		whose func(i int) int // person
		tier  int
		quiet quiet.Hours
	}{
		{name: "once", whose: func(i int) int { return i }},
		{name: "once-tier", whose: func(i int) int { return i }, tier: 100_000},
		{name: "once-quiet", whose: func(i int) int { return i }, quiet: night},
		{name: "twice-apart", whose: func(i int) int { return i % (n / 2) }},
		{name: "twice-adjacent", whose: func(i int) int { return i / 2 }},
		{name: "random", whose: anybody(n / 2)},
		{name: "random-tier", whose: anybody(n / 2), tier: 100_000},
		{name: "random-quiet", whose: anybody(n / 2), quiet: night},
	} {
		b.Run(v.name, func(b *testing.B) {
			items := many(n)
			for i := range items {
				items[i].Recipient = 5511960000000 + uint64(v.whose(i))
			}
			l := benchLimits
			l.Tier, l.Quiet = v.tier, v.quiet
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				if f := New(campaign.NewLoad(items), l, 0, benchLatency); f.Messages != n {
					b.Fatalf("%d messages leave", f.Messages)
				}
			}
			runtime.ReadMemStats(&after)
			per := float64(b.N) * n
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/per, "ns/message")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/per, "B/message")
		})
	}
}

// anybody draws one of so many people for each message, the same on every run.
func anybody(people int) func(int) int {
	r := rand.New(rand.NewPCG(1, 2))
	return func(int) int { return r.IntN(people) }
}

var benchLimits = campaign.Limits{Number: ratelimit.Throughput{Level: 1000, Pace: ratelimit.PerSecond(950)}, Pair: ratelimit.PublishedPair(ratelimit.Spaced)}

const benchLatency = 150 * time.Millisecond

// BenchmarkForecastAgainstHeap forecasts ten million messages, one a person, and the same with the event queue that everybody writes first. It
// reports how many times faster the forecast is.
func BenchmarkForecastAgainstHeap(b *testing.B) {
	items := many(10_000_000)
	var ours, peer time.Duration
	for b.Loop() {
		began := time.Now()
		f := New(campaign.NewLoad(items), benchLimits, 0, benchLatency)
		ours += time.Since(began)
		began = time.Now()
		finish := withHeap(items, benchLimits.Number, benchLatency)
		peer += time.Since(began)
		if f.Finish != finish {
			b.Fatalf("the forecast ends at %v, the event queue at %v", f.Finish, finish)
		}
	}
	per := float64(b.N) * float64(len(items))
	b.ReportMetric(float64(ours.Nanoseconds())/per, "ns/message")
	b.ReportMetric(float64(peer.Nanoseconds())/per, "ns/message-heap")
	b.ReportMetric(float64(peer)/float64(ours), "x-heap")
}

// withHeap is the peer: an event for each tick of the pace and one for each answer, in a container/heap.
func withHeap(items []campaign.Item, number ratelimit.Throughput, latency time.Duration) ratelimit.Instant {
	q := events{{at: 0}}
	var clock ratelimit.Instant
	next, seq := 0, 0
	for len(q) > 0 {
		e := heap.Pop(&q).(happens)
		clock = e.at
		if e.answer || next == len(items) {
			continue
		}
		next++
		heap.Push(&q, happens{at: clock.Add(latency), seq: seq + 1, answer: true})
		if seq += 2; next < len(items) {
			heap.Push(&q, happens{at: clock.Add(number.Pace.Gap()), seq: seq})
		}
	}
	return clock
}

type happens struct {
	at     ratelimit.Instant
	seq    int
	answer bool
}

type events []happens

func (q events) Len() int { return len(q) }
func (q events) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].seq < q[j].seq
}
func (q events) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *events) Push(x any)   { *q = append(*q, x.(happens)) }
func (q *events) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

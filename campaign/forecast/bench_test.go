package forecast

import (
	"container/heap"
	"runtime"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
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

// BenchmarkForecast forecasts ten million messages at 950/s and a latency of 150 ms, from the items in memory to the result, and the same with
// the event queue that everybody writes first. It reports how many times faster the forecast is, and the bytes it takes beside the items.
func BenchmarkForecast(b *testing.B) {
	items := many(10_000_000)
	l := campaign.Limits{Number: ratelimit.Throughput{Level: 1000, Pace: ratelimit.PerSecond(950)}, Pair: ratelimit.PublishedPair(ratelimit.Spaced)}
	const latency = 150 * time.Millisecond
	var ours, peer time.Duration
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.ReadMemStats(&before)
		began := time.Now()
		f := New(campaign.NewLoad(items), l, 0, latency)
		ours += time.Since(began)
		runtime.ReadMemStats(&after)
		began = time.Now()
		finish := withHeap(items, l.Number, latency)
		peer += time.Since(began)
		if f.Finish != finish {
			b.Fatalf("the forecast ends at %v, the event queue at %v", f.Finish, finish)
		}
	}
	per := float64(b.N) * float64(len(items))
	b.ReportMetric(float64(ours.Nanoseconds())/per, "ns/message")
	b.ReportMetric(float64(peer.Nanoseconds())/per, "ns/message-heap")
	b.ReportMetric(float64(peer)/float64(ours), "x-heap")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(len(items)), "B/message")
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

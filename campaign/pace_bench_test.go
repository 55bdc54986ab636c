//go:build unix

package campaign_test

import (
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/ratelimit"
)

// BenchmarkPace sends for five seconds over loopback, through the real journal and provider, against a strict emulator that answers after
// 150 ms. It reports the share of the asked pace that was kept, what was refused, and the processor time a thousand messages cost,
// emulator included. Its peer is a sender that awaits each answer.
func BenchmarkPace(b *testing.B) {
	for _, bc := range []struct{ level, pace int }{{80, 76}, {1000, 950}} {
		b.Run(fmt.Sprintf("%d-of-%d", bc.pace, bc.level), func(b *testing.B) {
			for b.Loop() {
				kept, refused, cpu := paced(b, bc.level, bc.pace, 5*time.Second)
				b.ReportMetric(100*kept, "%ofpace")
				b.ReportMetric(kept*float64(bc.pace)/(1/0.15), "x-awaiting")
				b.ReportMetric(float64(refused), "refused")
				b.ReportMetric(float64(cpu.Milliseconds())/(float64(bc.pace)*5/1000), "cpu-ms/1000")
			}
		})
	}
}

func paced(b *testing.B, level, pace int, span time.Duration) (kept float64, refused int, cpu time.Duration) {
	em := emulator.New(emulator.Options{MPS: level, Latency: 150 * time.Millisecond})
	server := httptest.NewServer(em)
	defer server.Close()
	n := pace * int(span/time.Second)
	number := ratelimit.Throughput{Level: level, Pace: ratelimit.PerSecond(pace)}
	api, err := cloudapi.New(cloudapi.Config{BaseURL: server.URL, Token: "secret", MaxInFlight: campaign.MostInFlight(number.Pace)})
	if err != nil {
		b.Fatal(err)
	}
	run, done := openRun(b, server.URL, n)
	defer done()
	items := make([]campaign.Item, n)
	for i := range items {
		items[i] = campaign.Item{Message: ratelimit.Message{Recipient: digits(i)}, Seq: uint32(i)}
	}
	limits := campaign.Limits{Number: number, Pair: ratelimit.PublishedPair(ratelimit.Spaced)}
	var first, last ratelimit.Instant
	sender := campaign.Sender{Provider: api, Journal: run, Policy: limits.Policy(ratelimit.At(time.Now())), Settled: func(r campaign.Result) {
		if first == 0 || r.Left < first {
			first = r.Left
		}
		last = max(last, r.Left)
	}}
	before := used()
	if stop := sender.Send(b.Context(), items); stop != nil {
		b.Fatal(stop)
	}
	cpu = used() - before
	for _, r := range em.Ledger().Refused {
		refused += r
	}
	return float64(n-1) / last.Sub(first).Seconds() / float64(pace), refused, cpu
}

// openRun is a new campaign of n messages in a state of its own.
func openRun(b *testing.B, url string, n int) (run *journal.Run, done func()) {
	ctx := b.Context()
	store, err := journal.Open(ctx, filepath.Join(b.TempDir(), "state.db"), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	target := journal.Target{Provider: "cloud", BaseURL: url, NumberID: "1"}
	lease, err := store.Acquire(ctx, journal.ThisProcess(), journal.Claim{Target: target, Campaign: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	c := journal.Campaign{Target: target, Name: "bench", UID: journal.NewUID()}
	c, err = store.Create(ctx, c, func(yield func(campaign.Planned, error) bool) {
		for i := range n {
			phone := fmt.Sprintf("+%d", digits(i))
			s := campaign.Step{Seq: i, ID: campaign.StepID(c.UID, phone, 0), Recipient: campaign.Recipient{Phone: phone}, NumberID: "1", Line: i + 2,
				Message: template.Message{Type: template.TypeTemplate, Template: "promo", Language: "pt_BR",
					Body: []template.Parameter{{Text: "Ana"}, {Text: "A10"}}}}
			if !yield(campaign.Planned{Step: s}, nil) {
				return
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	if run, err = lease.Run(ctx, c, false); err != nil {
		b.Fatal(err)
	}
	return run, func() { store.Close() }
}

// used is the processor time of this process so far.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

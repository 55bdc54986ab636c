//go:build unix

package campaign_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// The benchmark's emulator answers after so long; a run lasts so long.
const (
	benchLatency = 150 * time.Millisecond
	benchSpan    = 5 * time.Second
)

// BenchmarkPace sends for five seconds over loopback, through the real journal and provider, against a strict emulator that answers after
// 150 ms. It reports the share of the asked pace that was kept, what was refused, how late messages left (99th of a hundred) and how many
// before their instant, and the processor time a thousand messages cost, emulator included.
//
// Its peer is the published way to do it in Node, which awaits each answer and then sleeps a gap; x-awaiting is how many times its rate is kept.
func BenchmarkPace(b *testing.B) {
	for _, bc := range []struct{ numbers, level, pace int }{{1, 80, 60}, {1, 80, 76}, {1, 1000, 950}, {10, 80, 76}} {
		b.Run(fmt.Sprintf("%dx%d-of-%d", bc.numbers, bc.pace, bc.level), func(b *testing.B) {
			peer := awaiting(b, bc.pace)
			for b.Loop() {
				p := paced(b, bc.numbers, bc.level, bc.pace)
				asked := float64(bc.numbers * bc.pace)
				b.ReportMetric(100*p.rate/asked, "%ofpace")
				b.ReportMetric(p.rate/(float64(bc.numbers)*peer), "x-awaiting")
				b.ReportMetric(float64(p.refused), "refused")
				b.ReportMetric(p.late.Seconds()*1000, "p99-late-ms")
				b.ReportMetric(float64(p.early), "early")
				b.ReportMetric(float64(p.cpu.Milliseconds())/(asked*benchSpan.Seconds()/1000), "cpu-ms/1000")
			}
		})
	}
}

// awaiting is how many messages a second the peer manages: Node where it is there, else the same in Go.
func awaiting(b *testing.B, pace int) float64 {
	b.Helper()
	server := httptest.NewServer(emulator.New(emulator.Options{MPS: 1000, Latency: benchLatency}))
	defer server.Close()
	if node, err := exec.LookPath("node"); err == nil {
		out, err := exec.CommandContext(b.Context(), node, "../testdata/bench/awaiting.cjs", server.URL+"/v26.0/1/messages", strconv.Itoa(pace), "3").Output()
		if err != nil {
			b.Fatal(err)
		}
		rate, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			b.Fatal(err)
		}
		return rate
	}
	b.Log("no node in PATH: its peer is the same in Go")
	api, err := cloudapi.New(cloudapi.Config{BaseURL: server.URL, Token: "secret"})
	if err != nil {
		b.Fatal(err)
	}
	begun, sent := time.Now(), 0
	for ; time.Since(begun) < 3*time.Second; sent++ {
		api.Send(b.Context(), campaign.Step{Recipient: campaign.Recipient{Phone: fmt.Sprintf("+%d", digits(sent))}, NumberID: "1",
			Message: template.Message{Type: template.TypeText, Text: "Oi"}})
		time.Sleep(time.Second / time.Duration(pace))
	}
	return float64(sent) / time.Since(begun).Seconds()
}

// pacing is what one run came to.
type pacing struct {
	rate    float64 // messages a second, from the first to the last departure
	refused int
	late    time.Duration // the 99th of a hundred departures, after its instant
	early   int
	cpu     time.Duration
}

// timekeeper is a journal that remembers the instant of each intent.
type timekeeper struct {
	campaign.Journal
	mu sync.Mutex
	at map[int]ratelimit.Instant
}

func (j *timekeeper) Commit(ctx context.Context, intents []campaign.Intent, results []campaign.Result) error {
	j.mu.Lock()
	for _, in := range intents {
		j.at[in.Seq] = in.At
	}
	j.mu.Unlock()
	return j.Journal.Commit(ctx, intents, results)
}

func paced(b *testing.B, numbers, level, pace int) (p pacing) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))) // both as the command sets them for a send
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	em := emulator.New(emulator.Options{MPS: level, Latency: benchLatency})
	server := httptest.NewServer(em)
	defer server.Close()
	n := numbers * pace * int(benchSpan/time.Second)
	number := ratelimit.Throughput{Level: level, Pace: ratelimit.PerSecond(pace)}
	all := ratelimit.PerSecond(numbers * pace)
	api, err := cloudapi.New(cloudapi.Config{BaseURL: server.URL, Token: "secret", MaxInFlight: campaign.MostInFlight(all)})
	if err != nil {
		b.Fatal(err)
	}
	run, done := openRun(b, server.URL, n, numbers)
	defer done()
	items := make([]campaign.Item, n)
	for i := range items {
		items[i] = campaign.Item{Message: ratelimit.Message{Recipient: digits(i)}, Seq: uint32(i), Number: uint16(i % numbers)}
	}
	keeper := &timekeeper{Journal: run, at: map[int]ratelimit.Instant{}}
	var left []campaign.Result
	sender := lines(api, campaign.Limits{Number: number, Pair: ratelimit.PublishedPair(ratelimit.Spaced)}, numbers)
	sender.Journal, sender.Exact = keeper, true
	sender.Settled = func(r campaign.Result) { left = append(left, r) }
	before := used()
	api.Warm(b.Context(), numbers*pace/4)
	if stop := sender.Send(b.Context(), items); stop != nil {
		b.Fatal(stop)
	}
	p.cpu = used() - before
	for _, r := range em.Ledger().Refused {
		p.refused += r
	}
	p.times(left, keeper.at)
	return p
}

// lines is a sender with so many numbers, all behind one provider.
func lines(p campaign.Provider, l campaign.Limits, numbers int) *campaign.Sender {
	s := &campaign.Sender{Provider: p, Policy: l.Policy(ratelimit.At(time.Now()))}
	for range numbers - 1 {
		s.More = append(s.More, campaign.Line{Provider: p, Policy: l.Policy(ratelimit.At(time.Now()))})
	}
	return s
}

// times measures departures against the instants that were decided on. A departure that was late itself moves the rhythm behind it, so the
// instants after a stall are not those of the intents; that shows as lateness here.
func (p *pacing) times(left []campaign.Result, at map[int]ratelimit.Instant) {
	first, last := left[0].Left, left[0].Left
	var late []time.Duration
	for _, r := range left {
		first, last = min(first, r.Left), max(last, r.Left)
		d := r.Left.Sub(at[r.Seq])
		if late = append(late, d); d < 0 {
			p.early++
		}
	}
	slices.Sort(late)
	p.late = late[len(late)*99/100]
	p.rate = float64(len(left)-1) / last.Sub(first).Seconds()
}

// openRun is a new campaign of n messages from so many numbers, in a state of its own.
func openRun(b *testing.B, url string, n, numbers int) (run *journal.Run, done func()) {
	ctx := b.Context()
	store, err := journal.Open(ctx, filepath.Join(b.TempDir(), "state.db"), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	target := journal.Target{Provider: "cloud", BaseURL: url, NumberID: "1"}
	claim := journal.Claim{Target: target, Campaign: "bench"}
	for i := range numbers {
		claim.Numbers = append(claim.Numbers, strconv.Itoa(i+1))
	}
	lease, err := store.Acquire(ctx, journal.ThisProcess(), claim)
	if err != nil {
		b.Fatal(err)
	}
	c := journal.Campaign{Target: target, Name: "bench", UID: journal.NewUID()}
	c, err = store.Create(ctx, c, func(yield func(campaign.Planned, error) bool) {
		for i := range n {
			phone := fmt.Sprintf("+%d", digits(i))
			s := campaign.Step{Seq: i, ID: campaign.StepID(c.UID, phone, 0), Recipient: campaign.Recipient{Phone: phone}, Line: i + 2,
				NumberID: strconv.Itoa(i%numbers + 1), Message: template.Message{Type: template.TypeTemplate, Template: "promo", Language: "pt_BR",
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

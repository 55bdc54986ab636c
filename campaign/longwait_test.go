package campaign_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/ratelimit"
)

const window = 24 * time.Hour

// wait is what a sender told of a long wait, after the start of the bubble.
type wait struct {
	From, Until time.Duration
	Tier        bool
}

// waitingSend sends to n people through an emulator that knows the limits, and is interrupted after some time; 0: never.
func waitingSend(t *testing.T, n int, l campaign.Limits, quit time.Duration) (waits []wait, m *memory, stop *campaign.Stopped, refused map[string]int64) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		em := emulator.New(emulator.Options{MPS: 80, Tier: l.Tier, Latency: 100 * time.Millisecond})
		api, err := cloudapi.New(cloudapi.Config{BaseURL: "http://127.0.0.1", Token: "secret", Transport: em.RoundTripper()})
		if err != nil {
			t.Fatal(err)
		}
		m = &memory{}
		var items []campaign.Item
		for i := range n {
			m.steps = append(m.steps, campaign.Step{Seq: i, ID: fmt.Sprint("step-", i), NumberID: "1", Recipient: campaign.Recipient{Phone: fmt.Sprintf("+%d", digits(i))},
				Message: template.Message{Type: template.TypeText, Text: "Oi"}})
			items = append(items, campaign.Item{Message: ratelimit.Message{Recipient: digits(i)}, Seq: uint32(i)})
		}
		ctx := t.Context()
		if quit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, quit)
			defer cancel()
		}
		sender := campaign.Sender{Provider: api, Journal: m, Policy: l.Policy(ratelimit.At(time.Now())), OnTier: campaign.WaitOnTierLimit, Quiet: l.Quiet, Seed: 1,
			Waits: func(until ratelimit.Instant, tier bool) {
				waits = append(waits, wait{ratelimit.At(time.Now()).Sub(start).Round(time.Second), until.Sub(start).Round(time.Second), tier})
			}}
		stop = sender.Send(ctx, items)
		refused = map[string]int64{}
		for by, count := range em.Ledger().Refused {
			refused[by] = int64(count)
		}
	})
	return waits, m, stop, refused
}

func waitingLimits(tier int) campaign.Limits {
	return campaign.Limits{Number: ratelimit.Throughput{Level: 80, Pace: ratelimit.DefaultPace(80, 0)}, Pair: ratelimit.PublishedPair(ratelimit.Spaced), Tier: tier}
}

// A full messaging limit is slept through, window after window, and nothing is refused; each wait is told once.
func TestWaitSleepsThroughWindows(t *testing.T) {
	waits, m, stop, refused := waitingSend(t, 25, waitingLimits(10), 0)
	if stop != nil {
		t.Fatalf("the send stopped: %v", stop)
	}
	if diff := gocmp.Diff([]wait{{0, window, true}, {window, 2 * window, true}}, waits); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	if got := m.states()[campaign.Sent]; got != 25 {
		t.Errorf("%d of 25 were sent", got)
	}
	for by, n := range refused {
		if n > 0 {
			t.Errorf("%d were refused by %s", n, by)
		}
	}
	for i, r := range m.results {
		if at := r.Left.Sub(start); at < time.Duration(i/10)*window {
			t.Errorf("message %d left after %v", i, at)
		}
	}
}

// An interrupt in the wait ends it at once, with the rest pending.
func TestWaitIsInterrupted(t *testing.T) {
	waits, m, stop, _ := waitingSend(t, 25, waitingLimits(10), 7*time.Hour)
	if stop == nil || stop.Why != "interrupted" || stop.Harm {
		t.Fatalf("stop = %v, want interrupted", stop)
	}
	if diff := gocmp.Diff([]wait{{0, window, true}}, waits); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	if got := m.states(); got[campaign.Sent] != 10 || got[campaign.Pending] != 15 {
		t.Errorf("states = %v, want 10 sent, 15 pending", got)
	}
}

// A run that resumes with the history of the first waits for the same window, and not for another one.
func TestWaitResumes(t *testing.T) {
	l := waitingLimits(10)
	l.Before = func(p *ratelimit.Policy) {
		for i := range 10 {
			p.Messaging.Charge(digits(1000+i), start.Add(-20*time.Hour))
		}
	}
	waits, m, stop, _ := waitingSend(t, 5, l, 0)
	if stop != nil || m.states()[campaign.Sent] != 5 {
		t.Fatalf("stop = %v, states = %v", stop, m.states())
	}
	if diff := gocmp.Diff([]wait{{0, 4 * time.Hour, true}}, waits); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
}

// Quiet hours are waited for too, and are not the messaging limit; the pace itself is no wait.
func TestOtherWaits(t *testing.T) {
	l := waitingLimits(0)
	if waits, _, _, _ := waitingSend(t, 200, l, 0); len(waits) != 0 {
		t.Errorf("waits at the pace: %v", waits)
	}
	l.Quiet = quiet.Hours{From: 20 * time.Hour, To: 8 * time.Hour}
	waits, _, stop, _ := waitingSend(t, 1, l, 0)
	if stop != nil || len(waits) != 1 || waits[0].Tier || waits[0].Until < time.Hour {
		t.Errorf("stop = %v, waits = %v; want one, not for the messaging limit", stop, waits)
	}
}

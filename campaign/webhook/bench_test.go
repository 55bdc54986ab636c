package webhook

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/ratelimit"
)

// sentCampaign is a state in which n messages were sent.
func sentCampaign(b *testing.B, n int) (*journal.Store, []string) {
	b.Helper()
	ctx := b.Context()
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	s, err := journal.Open(ctx, filepath.Join(b.TempDir(), "state.db"), journal.Options{})
	check(err)
	b.Cleanup(func() { s.Close() })
	target := journal.Target{Provider: "cloud", BaseURL: "https://api.test", NumberID: "106"}
	uid := journal.NewUID()
	l, err := s.Acquire(ctx, journal.ThisProcess(), journal.Claim{Target: target, Campaign: "c"})
	check(err)
	var ids []string
	c, err := s.Create(ctx, journal.Campaign{Target: target, Name: "c", UID: uid}, func(yield func(journal.Planned, error) bool) {
		for i := range n {
			p := journal.Planned{Step: campaign.Step{Seq: i, Recipient: campaign.Recipient{Phone: fmt.Sprintf("+%d", 5511900000000+i)}, Line: i + 2,
				NumberID: "106", Message: template.Message{Type: template.TypeText, Text: "hi"}}}
			p.ID = campaign.StepID(uid, p.Recipient.Phone, 0)
			if ids = append(ids, p.ID); !yield(p, nil) {
				return
			}
		}
	})
	check(err)
	run, err := l.Run(ctx, c, false)
	check(err)
	var intents []campaign.Intent
	var results []campaign.Result
	for i := range n {
		at := ratelimit.Instant(i+1) * ratelimit.Instant(time.Millisecond)
		intents = append(intents, campaign.Intent{Seq: i, Attempt: 1, At: at})
		results = append(results, campaign.Result{Seq: i, Attempt: 1, Left: at, At: at, State: campaign.Sent,
			Answer: campaign.Answer{Class: outcome.Accepted, MessageID: fmt.Sprint("wamid.", i), HTTPStatus: 200}})
	}
	check(run.Commit(ctx, intents, nil))
	check(run.Commit(ctx, nil, results))
	return s, ids
}

// BenchmarkStatuses takes signed webhooks of 50 statuses about messages that the state knows, from eight connections at a time. It prints statuses a
// second and the slowest answer of a hundred.
func BenchmarkStatuses(b *testing.B) {
	const each, atOnce = 50, 8
	kinds := []string{"sent", "delivered", "read"}
	most := max(b.N*each/len(kinds)+each, each)
	store, ids := sentCampaign(b, most)
	l := NewListener(Options{Secret: []byte(secret), Canonical: digits, Write: func(ctx context.Context, batch feedback.Batch) (map[string]int, error) {
		return store.Ingest(ctx, batch, journal.Target{}, ratelimit.At(time.Now()))
	}})
	defer l.Close()
	body := func(n int) string {
		var list []string
		for i := range each {
			k := n*each + i
			list = append(list, fmt.Sprintf(`{"id":"wamid.%d","status":"%s","timestamp":"1749854575","recipient_id":"%d","biz_opaque_callback_data":"%s",`+
				`"pricing":{"billable":true,"pricing_model":"PMP","category":"marketing","type":"regular"}}`, k/3, kinds[k%3], 5511900000000+k/3, ids[k/3]))
		}
		return `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"messaging_product":"whatsapp",` +
			`"metadata":{"display_phone_number":"1","phone_number_id":"106"},"statuses":[` + strings.Join(list, ",") + `]}}]}]}`
	}
	bodies := make([]string, b.N)
	signatures := make([]string, b.N)
	for n := range bodies {
		bodies[n] = body(n)
		signatures[n] = sign(bodies[n], secret)
	}
	took := make([]time.Duration, b.N)
	next := make(chan int, b.N)
	for n := range b.N {
		next <- n
	}
	close(next)
	b.ResetTimer()
	var work sync.WaitGroup
	for range atOnce {
		work.Go(func() {
			for n := range next {
				start := time.Now()
				if w := post(l, bodies[n], signatures[n]); w.Code != 200 {
					b.Errorf("answered %d", w.Code)
				}
				took[n] = time.Since(start)
			}
		})
	}
	work.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(b.N*each)/b.Elapsed().Seconds(), "statuses/s")
	b.ReportMetric(float64(took[len(took)*99/100].Milliseconds()), "p99-ms")
}

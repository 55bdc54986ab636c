package webhook

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/ratelimit"
)

// statusesOf is a webhook of statuses k, k+1, … about messages of a sent campaign, three for each: sent, delivered, read.
func statusesOf(ids []string, k, n int) string {
	kinds := []string{"sent", "delivered", "read"}
	var b strings.Builder
	b.WriteString(`{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"messaging_product":"whatsapp",` +
		`"metadata":{"display_phone_number":"1","phone_number_id":"106"},"statuses":[`)
	for i := k; i < k+n; i++ {
		if i > k {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"wamid.%d","status":"%s","timestamp":"1749854575","recipient_id":"%d","biz_opaque_callback_data":"%s",`+
			`"pricing":{"billable":true,"pricing_model":"PMP","category":"marketing","type":"regular"}}`, i/3, kinds[i%3], 5511900000000+i/3, ids[i/3])
	}
	b.WriteString(`]}}]}]}`)
	return b.String()
}

func listenTo(b *testing.B, messages int) (*Listener, []string) {
	store, ids := sentCampaign(b, messages)
	l := NewListener(Options{Secret: []byte(secret), Canonical: digits, Write: func(ctx context.Context, batch feedback.Batch) (map[string]int, error) {
		return store.Ingest(ctx, batch, journal.Target{}, ratelimit.At(time.Now()))
	}})
	b.Cleanup(l.Close)
	return l, ids
}

// BenchmarkStatusesAtPace takes 3,000 statuses a second for four seconds, in webhooks of 20, whether or not the last ones are answered: what 1,000
// messages a second bring. It reports how long answers take; the platform wants them within 250 ms.
func BenchmarkStatusesAtPace(b *testing.B) {
	const pace, each, seconds = 3000, 20, 4
	for b.Loop() {
		l, ids := listenTo(b, pace*seconds/3)
		took := make([]time.Duration, pace*seconds/each)
		var work sync.WaitGroup
		begun := time.Now()
		for n := range took {
			body := statusesOf(ids, n*each, each)
			signature := sign(body, secret)
			time.Sleep(time.Until(begun.Add(time.Duration(n) * time.Second * each / pace)))
			work.Go(func() {
				start := time.Now()
				if w := post(l, body, signature); w.Code != 200 {
					b.Errorf("answered %d", w.Code)
				}
				took[n] = time.Since(start)
			})
		}
		work.Wait()
		b.ReportMetric(float64(pace*seconds)/time.Since(begun).Seconds(), "statuses/s")
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
		b.ReportMetric(took[len(took)*99/100].Seconds()*1000, "p99-ms")
		b.ReportMetric(took[len(took)-1].Seconds()*1000, "slowest-ms")
	}
}

// BenchmarkLargestWebhook takes one webhook of 3 MB, the largest that the platform sends, about messages that the state knows.
func BenchmarkLargestWebhook(b *testing.B) {
	const messages = 3600
	var took []time.Duration
	for b.Loop() {
		l, ids := listenTo(b, messages)
		body := statusesOf(ids, 0, 3*messages)
		signature := sign(body, secret)
		start := time.Now()
		if w := post(l, body, signature); w.Code != 200 {
			b.Fatalf("answered %d", w.Code)
		}
		took = append(took, time.Since(start))
		b.ReportMetric(float64(len(body))/1e6, "MB")
		b.ReportMetric(3*messages, "statuses")
		if news := l.Counts().News[feedback.CountNew]; news != 3*messages {
			b.Errorf("%d of %d statuses were new", news, 3*messages)
		}
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "answer-ms")
	b.ReportMetric(took[len(took)-1].Seconds()*1000, "slowest-ms")
}

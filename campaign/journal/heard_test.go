package journal

import (
	"errors"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/ratelimit"
)

func TestOrders(t *testing.T) {
	now := ratelimit.At(time.Now())
	stop := func(fill func(*feedback.Order)) feedback.Order {
		o := feedback.Order{Kind: feedback.OrderStop, Code: 132015, Reason: "why", At: now}
		fill(&o)
		return o
	}
	tests := []struct {
		name  string
		o     feedback.Order
		stops bool
	}{
		{"this number", stop(func(o *feedback.Order) { o.NumberID = home.NumberID }), true},
		{"another number", stop(func(o *feedback.Order) { o.NumberID = "other" }), false},
		{"this account", stop(func(o *feedback.Order) { o.Account = "102" }), true},
		{"another account", stop(func(o *feedback.Order) { o.Account = "103" }), false},
		{"as it is dialled", stop(func(o *feedback.Order) { o.Display = "155501" }), true},
		{"another, as it is dialled", stop(func(o *feedback.Order) { o.Display = "155502" }), false},
		{"a template that nobody uses", stop(func(o *feedback.Order) { o.Template = "promo" }), false},
		{"old", stop(func(o *feedback.Order) { o.At = now - 2*oldOrders }), false},
	}
	for _, tt := range tests {
		w := newScene(t, 2)
		w.ingest(feedback.Batch{Numbers: []feedback.Number{{ID: home.NumberID, Account: "102", Display: "155501"}}})
		w.ingest(feedback.Batch{Orders: []feedback.Order{tt.o, tt.o}})
		n := w.news()
		if (n.Stop != nil) != tt.stops || tt.stops && (n.Stop.Why != "why" || !n.Stop.Harm || n.Stop.Code != 132015) {
			t.Errorf("%s: %+v, want a stop: %v", tt.name, n.Stop, tt.stops)
		}
		if w.news().Stop != nil {
			t.Errorf("%s: told twice", tt.name)
		}
	}

	w := newScene(t, 2)
	w.ingest(feedback.Batch{Orders: []feedback.Order{{Kind: feedback.OrderLevel, Value: 1000, At: now}, {Kind: feedback.OrderTier, Value: 0, At: now}}})
	for kind, value := range map[string]float64{"pause": 1, "rate": 12.5} {
		if err := w.Control(t.Context(), w.c, kind, value); err != nil {
			t.Fatal(err)
		}
	}
	n := w.news()
	if n.Level != 1000 || n.Tier == nil || *n.Tier != 0 || n.Pause == nil || !*n.Pause || n.Pace != 12500 {
		t.Errorf("news = %+v", n)
	}
	run := must[*Run](t)(w.l.Run(t.Context(), w.c, false))
	if n := must[campaign.News](t)(run.News(t.Context(), nil)); n.Level != 0 || n.Pause != nil {
		t.Errorf("a later run is told old orders: %+v", n)
	}
}

func TestTemplateOrder(t *testing.T) {
	w := newScene(t, 2)
	w.exec(`UPDATE messages SET message = '{"type":"template","template":"promo","language":"pt_BR"}'`)
	for _, tt := range []struct {
		template, language string
		stops              bool
	}{{"prom", "", false}, {"promo", "es", false}, {"promo", "pt_BR", true}, {"promo", "", true}} {
		w.ingest(feedback.Batch{Orders: []feedback.Order{{Kind: feedback.OrderStop, Code: 132015, Template: tt.template, Language: tt.language, At: ratelimit.At(time.Now())}}})
		if got := w.news().Stop; (got != nil) != tt.stops {
			t.Errorf("%s %s: %v, want a stop: %v", tt.template, tt.language, got, tt.stops)
		}
	}
}

func TestWithdraw(t *testing.T) {
	w := newScene(t, 3)
	w.send(0, campaign.Sent, takenBy(0))
	before := w.counts()
	w.ingest(feedback.Batch{OptOuts: []feedback.OptOut{{Person: w.plan[1].Recipient, Scope: feedback.Everything, At: ratelimit.At(time.Now())}}})
	wantDiff(t, "left", map[uint64]bool{5511900000001: false}, w.news().Left)
	if n := must[int](t)(w.run.Withdraw(t.Context(), []int{0, 1}, "suppressed")); n != 1 {
		t.Errorf("Withdraw = %d, want 1: what was sent stays", n)
	}
	n := w.counts()
	if n.Messages != before.Messages || n.Pending != 1 || n.Skipped != before.Skipped+1 || n.Sent != 1 {
		t.Errorf("counts = %+v, before %+v", n, before)
	}
	if err := w.run.Commit(t.Context(), []campaign.Intent{intent(1, 1)}, nil); !errors.Is(err, ErrNotPending) {
		t.Errorf("sending to somebody who left = %v, want ErrNotPending", err)
	}
}

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
	if err := errors.Join(w.Pause(t.Context(), w.c, true), w.Rate(t.Context(), w.c, 12_500)); err != nil {
		t.Fatal(err)
	}
	n := w.news()
	if one := n.Numbers[0]; one.Level != 1000 || one.Tier == nil || *one.Tier != 0 || n.Pause == nil || !*n.Pause || n.PauseAt == 0 || n.Pace == nil || *n.Pace != 12500 {
		t.Errorf("news = %+v", n)
	}
	// What the platform ordered a run before is no news; what a person ordered holds.
	run := must[*Run](t)(w.l.Run(t.Context(), w.c, false))
	if n := must[campaign.News](t)(run.News(t.Context(), nil)); n.Numbers[0].Level != 0 || n.Pause == nil || !*n.Pause || *n.Pace != 12500 {
		t.Errorf("a later run is told %+v", n)
	}
	if err := w.Pause(t.Context(), w.c, false); err != nil {
		t.Fatal(err)
	}
	if n := must[campaign.News](t)(w.Ordered(t.Context(), w.c)); *n.Pause || *n.Pace != 12500 {
		t.Errorf("after resume, ordered = %+v", n)
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

// Who opted out before the run began, or opts out once more after a change of mind, is told; a later sender of the run is told again.
func TestLeftIsTold(t *testing.T) {
	w := newScene(t, 3)
	now := ratelimit.At(time.Now())
	word := func(at ratelimit.Instant, resumed bool) {
		w.ingest(feedback.Batch{OptOuts: []feedback.OptOut{{Person: w.plan[1].Recipient, Scope: feedback.Marketing, Resumed: resumed, At: at}}})
	}
	marketing := map[uint64]bool{5511900000001: true}
	none := map[uint64]bool{}
	word(now-3*second, false)
	wantDiff(t, "before the first look", marketing, w.news().Left)
	wantDiff(t, "told once", none, w.news().Left)
	word(now-2*second, true)
	wantDiff(t, "came back", none, w.news().Left)
	word(now-second, false)
	wantDiff(t, "left again", marketing, w.news().Left)
	w.run.Afresh()
	wantDiff(t, "to a later sender", marketing, w.news().Left)
}

// Each number of a run hears its own news, and what it sent comes back to it.
func TestNewsOfNumbers(t *testing.T) {
	s := newScene(t, 1).Store
	uid, ctx := NewUID(), t.Context()
	plan := testPlan(uid, 3, nil)
	plan[1].NumberID, plan[2].NumberID = "22", "33"
	l := must[*Lease](t)(s.Acquire(ctx, ThisProcess(), Claim{Target: Target{home.Provider, home.BaseURL, "11"}, Campaign: "several", Numbers: []string{"22", "11"}}))
	plan[0].NumberID = "11"
	c := must[Campaign](t)(s.Create(ctx, Campaign{Target: Target{home.Provider, home.BaseURL, "11"}, Name: "several", UID: uid}, sequence(plan)))
	run := must[*Run](t)(l.Run(ctx, c, false))
	must[campaign.News](t)(run.News(ctx, nil))
	now := ratelimit.At(time.Now())
	failed := func(i int) feedback.Status {
		return feedback.Status{Step: plan[i].ID, MessageID: "wamid." + plan[i].NumberID, Kind: "failed", Code: 131056, At: now}
	}
	for i := range plan {
		if err := run.Commit(ctx, []campaign.Intent{intent(i, 1)}, nil); err != nil {
			t.Fatal(err)
		}
		if err := run.Commit(ctx, nil, []campaign.Result{answered(i, 1, campaign.Sent, campaign.Answer{Class: "accepted", MessageID: "wamid." + plan[i].NumberID})}); err != nil {
			t.Fatal(err)
		}
	}
	must[map[string]int](t)(s.Ingest(ctx, feedback.Batch{
		Orders:   []feedback.Order{{Kind: feedback.OrderLevel, NumberID: "22", Value: 1000, At: now}, {Kind: feedback.OrderTier, NumberID: "22", Value: 2000, At: now}},
		Inbound:  []feedback.Inbound{{MessageID: "i", NumberID: "22", Person: plan[0].Recipient, At: now}},
		Echoes:   []feedback.Echo{{MessageID: "e", NumberID: "11", Phone: 7, At: now}},
		Statuses: []feedback.Status{failed(0), failed(1), failed(2)},
	}, home, now))
	n := must[campaign.News](t)(run.News(ctx, nil))
	if len(n.Numbers) != 2 {
		t.Fatalf("news of %d numbers, want 2", len(n.Numbers))
	}
	first, second := n.Numbers[0], n.Numbers[1]
	if first.Level != 0 || first.Tier != nil || len(first.Wrote) != 0 || len(first.Spent) != 1 {
		t.Errorf("the first number hears %+v", first)
	}
	if second.Level != 1000 || second.Tier == nil || *second.Tier != 2000 || len(second.Wrote) != 1 || len(second.Spent) != 0 || len(second.People) == 0 {
		t.Errorf("the second number hears %+v", second)
	}
	var back [][2]int
	for _, item := range n.Again {
		back = append(back, [2]int{int(item.Seq), int(item.Number)})
	}
	wantDiff(t, "what came back, and to which number", [][2]int{{0, 0}, {1, 1}}, back)
}

package journal

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

func TestCountsAddUp(t *testing.T) {
	w := newScene(t, 7)
	w.send(0, campaign.Sent, accepted)
	w.send(1, campaign.Held, campaign.Answer{Class: outcome.Held, HTTPStatus: 200, MessageID: "wamid.h"})
	w.send(2, campaign.Failed, refusal(outcome.RecipientFailed, 131026))
	w.send(3, campaign.Uncertain, campaign.Answer{Class: outcome.Uncertain})
	w.send(4, campaign.Pending, refusal(outcome.PairWait, 131056))
	w.send(5, campaign.Pending, campaign.Answer{Class: outcome.RetryFew}) // not connected: nobody refused
	w.intend(6, 1)
	want := Counts{Messages: 10, Sent: 1, Held: 1, Failed: 1, Skipped: 3, Uncertain: 2, Pending: 2,
		ByCode: map[int]int{131026: 1}, Refused: map[int]int{131056: 1}, FirstLeft: intent(0, 1).At + 1, LastLeft: intent(5, 1).At + 1}
	wantDiff(t, "Counts", want, w.counts())

	w.exec("INSERT INTO statuses (step, message_id, status, at, raw, seen_at) VALUES (?, 'wamid.x', 'read', 1, '{}', 1), (?, 'wamid.f', 'failed', 1, '{}', 1)",
		w.c.key(0), w.c.key(2))
	want.Delivered, want.Read = new(1), new(1)
	wantDiff(t, "Counts with a status", want, w.counts())
}

func (w *scene) exec(query string, args ...any) {
	w.t.Helper()
	err := w.write(context.Background(), "test", func(ctx context.Context, q *session) error {
		_, err := q.exec(ctx, query, args...)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestPending(t *testing.T) {
	w := newScene(t, 0)
	ctx := t.Context()
	plan := testPlan(w.c.UID, 4, nil)
	plan[2].LastInbound = 500 * second
	plan[3].Recipient = campaign.Recipient{BSUID: "BR.7"}
	must[Drift](t)(w.run.Update(ctx, w.c, sequence(plan)))
	w.send(0, campaign.Sent, accepted)
	slow := refusal(outcome.NumberHold, 0)
	slow.RetryAfter = 3 * time.Second
	w.send(1, campaign.Pending, slow)
	w.send(2, campaign.Pending, refusal(outcome.RetryFew, 99))
	want := []Waiting{
		{Recipient: 5511900000001, Seq: 1, Attempts: 1, NotBefore: intent(1, 1).At + 4*second},
		{Recipient: 5511900000002, Seq: 2, Attempts: 1, Tries: 1, OpenUntil: 500*second + serviceWindow},
		{Recipient: plan[3].Recipient.Pair(), Seq: 3},
	}
	wantDiff(t, "Pending", want, must[[]Waiting](t)(w.Pending(ctx, w.c)))
}

func TestContentIsErasedWhenFinal(t *testing.T) {
	tests := []struct {
		state campaign.State
		keep  bool
		has   [3]bool // after the answer, after an answer a minute later, at the end
	}{
		{campaign.Sent, false, [3]bool{true, false, false}}, {campaign.Held, false, [3]bool{true, false, false}},
		{campaign.Failed, false, [3]bool{false, false, false}}, {campaign.Uncertain, false, [3]bool{true, true, true}},
		{campaign.Pending, false, [3]bool{true, true, true}}, {campaign.Sent, true, [3]bool{true, true, true}},
	}
	for _, tt := range tests {
		w := newScene(t, 9)
		w.run.keep = tt.keep
		w.send(0, tt.state, accepted)
		got := [3]bool{w.has(0)}
		w.send(8, campaign.Pending, refusal(outcome.PairWait, 131056)) // its instant is 80 seconds later
		got[1] = w.has(0)
		must[Status](t)(w.run.Finish(t.Context(), nil))
		if got[2] = w.has(0); got != tt.has {
			t.Errorf("%s, keep %v: has its content %v, want %v", tt.state, tt.keep, got, tt.has)
		}
	}

	w := newScene(t, 1) // nothing came after it, and the run ends
	w.send(0, campaign.Sent, accepted)
	must[Status](t)(w.run.Finish(t.Context(), nil))
	if w.has(0) {
		t.Error("the content is still there at the end")
	}
}

// has says whether a step has its content.
func (w *scene) has(seq int) bool {
	w.t.Helper()
	for r, err := range w.Rows(context.Background(), w.c, Filter{}) {
		if err != nil {
			w.t.Fatal(err)
		}
		if r.Seq == seq {
			return r.HasMessage
		}
	}
	w.t.Fatalf("no step %d", seq)
	return false
}

func TestCommitRefuses(t *testing.T) {
	tests := []struct {
		name    string
		intents []campaign.Intent
		results []campaign.Result
		want    error
	}{
		{"sent already", []campaign.Intent{intent(0, 2)}, nil, ErrNotPending},
		{"attempt open", []campaign.Intent{intent(1, 2)}, nil, ErrNotPending},
		{"twice in one go", []campaign.Intent{intent(2, 1), intent(2, 2)}, nil, ErrNotPending},
		{"no such step", []campaign.Intent{intent(9, 1)}, nil, ErrNotPending},
		{"answer without intent", nil, []campaign.Result{answered(2, 1, campaign.Sent, accepted)}, ErrNoIntent},
		{"answered already", nil, []campaign.Result{answered(0, 1, campaign.Failed, refusal(outcome.Stop, 1))}, ErrNoIntent},
	}
	w := newScene(t, 4)
	w.send(0, campaign.Sent, accepted)
	w.intend(1, 1)
	before := w.counts()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := w.run.Commit(t.Context(), append([]campaign.Intent{intent(3, 1)}, tt.intents...), tt.results)
			if !errors.Is(err, tt.want) {
				t.Errorf("Commit = %v, want %v", err, tt.want)
			}
			wantDiff(t, "counts after a refused Commit", before, w.counts())
		})
	}
	// Nothing of the refused ones is left, so what was good in them can go now.
	w.intend(3, 1)
}

func TestRefusedStepGoesAgainInOneCommit(t *testing.T) {
	w := newScene(t, 1)
	w.intend(0, 1)
	err := w.run.Commit(t.Context(), []campaign.Intent{intent(0, 2)}, []campaign.Result{answered(0, 1, campaign.Pending, refusal(outcome.PairWait, 131056))})
	if err != nil {
		t.Fatal(err)
	}
	w.answer(0, 2, campaign.Sent, accepted)
	if n := w.counts(); n.Sent != 1 || n.Refused[131056] != 1 {
		t.Errorf("counts = %+v, want one sent after one refusal", n)
	}
}

// A killed sender leaves its connection open, its lease behind and its attempts without answer.
func TestRecoverAfterKill(t *testing.T) {
	w := newScene(t, 4)
	ctx := t.Context()
	w.send(0, campaign.Sent, accepted)
	w.intend(1, 1)
	w.send(2, campaign.Pending, refusal(outcome.PairWait, 131056))
	w.intend(2, 2)
	w.exec("UPDATE leases SET pid = ?, started = '1'", deadPID(t))

	s := openTest(t, w.path)
	l := must[*Lease](t)(s.Acquire(ctx, ThisProcess(), Claim{Target: home, Campaign: "spring"}))
	run := must[*Run](t)(l.Run(ctx, w.c, false))
	if n := must[int](t)(run.Recover(ctx)); n != 2 {
		t.Errorf("Recover = %d, want 2", n)
	}
	if n := must[int](t)(run.Recover(ctx)); n != 0 {
		t.Errorf("second Recover = %d, want 0", n)
	}
	n := w.counts()
	if n.Sent != 1 || n.Uncertain != 2 || n.Pending != 1 {
		t.Errorf("counts = %+v, want 1 sent, 2 uncertain, 1 pending", n)
	}

	// The dead one was only stopped and wakes up: it must not send, nor write.
	if err := w.run.Commit(ctx, []campaign.Intent{intent(3, 1)}, nil); !errors.Is(err, ErrLeaseLost) {
		t.Errorf("Commit without lease = %v, want ErrLeaseLost", err)
	}
	if err := w.l.Beat(ctx); !errors.Is(err, ErrLeaseLost) {
		t.Errorf("Beat without lease = %v, want ErrLeaseLost", err)
	}
	if err := w.l.Release(ctx); err != nil {
		t.Errorf("Release without lease = %v", err)
	}
	if err := l.Beat(ctx); err != nil {
		t.Errorf("the new holder lost its lease: %v", err)
	}

	if n := must[int](t)(run.ResendUncertain(ctx)); n != 2 {
		t.Errorf("ResendUncertain = %d, want 2", n)
	}
	list := must[[]Waiting](t)(s.Pending(ctx, w.c))
	var attempts []uint16
	for _, p := range list {
		attempts = append(attempts, p.Attempts)
	}
	wantDiff(t, "attempts so far of the pending", []uint16{1, 2, 0}, attempts)
	must[[]campaign.Step](t)(run.Steps(ctx, []int{1, 2, 3}))
}

func TestFinish(t *testing.T) {
	w := newScene(t, 2)
	ctx := t.Context()
	w.send(0, campaign.Sent, accepted)
	if got := must[Status](t)(w.run.Finish(ctx, []byte(`{"why":"interrupted"}`))); got != StatusStopped {
		t.Errorf("Finish with a pending step = %s, want stopped", got)
	}
	c, _, err := w.Find(ctx, home, "spring")
	if err != nil || string(c.Stopped) != `{"why":"interrupted"}` || c.Status != StatusStopped || c.Ended == 0 {
		t.Errorf("Find after stop = %+v, %v", c, err)
	}
	run := must[*Run](t)(w.l.Run(ctx, c, false))
	w.run = run
	w.send(1, campaign.Failed, refusal(outcome.RecipientFailed, 131026))
	if got := must[Status](t)(run.Finish(ctx, nil)); got != StatusFinished {
		t.Errorf("Finish = %s, want finished", got)
	}
	if c, _, _ = w.Find(ctx, home, "spring"); c.Stopped != nil {
		t.Errorf("a finished campaign still says why it stopped: %s", c.Stopped)
	}
}

func TestRows(t *testing.T) {
	w := newScene(t, 3)
	w.send(0, campaign.Sent, accepted)
	w.send(1, campaign.Failed, refusal(outcome.RecipientFailed, 131026))
	w.exec("INSERT INTO statuses (step, message_id, status, at, raw, seen_at) VALUES (?, 'wamid.x', 'delivered', 77, '{}', 1)", w.c.key(0))
	rows := func(f Filter) (list []Row) {
		for r, err := range w.Rows(t.Context(), w.c, f) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, r)
		}
		return list
	}
	sent, failed, pending := w.plan[0].Step, w.plan[1].Step, w.plan[2].Step
	failed.Message.Type, failed.Message.Text = "", ""
	all := []Row{
		{Step: sent, HasMessage: true, State: campaign.Sent, Attempts: 1, Class: outcome.Accepted, HTTPStatus: 200, MessageID: "wamid.x",
			Left: intent(0, 1).At + 1, Answered: intent(0, 1).At + second, Delivered: 77},
		{Step: failed, State: campaign.Failed, Code: 131026, Attempts: 1, Class: outcome.RecipientFailed, HTTPStatus: 400, Details: "no",
			Left: intent(1, 1).At + 1, Answered: intent(1, 1).At + second},
		{Step: pending, HasMessage: true, State: campaign.Pending},
	}
	wantDiff(t, "all", all, rows(Filter{}))
	wantDiff(t, "failed", all[1:2], rows(Filter{State: campaign.Failed}))
	wantDiff(t, "by code", all[1:2], rows(Filter{Code: 131026}))
	wantDiff(t, "other code", []Row(nil), rows(Filter{State: campaign.Failed, Code: 1}))
	for range w.Rows(t.Context(), w.c, Filter{}) {
		break // a reader may leave early, and the store goes on
	}
	w.intend(2, 1)
}

func TestOptOutIsRemembered(t *testing.T) {
	w := newScene(t, 2)
	w.send(0, campaign.Failed, refusal(outcome.RecipientFailed, 131050))
	w.send(1, campaign.Failed, refusal(outcome.RecipientFailed, 131026))
	list := func(n Target, marketing bool) []campaign.Recipient {
		return must[[]campaign.Recipient](t)(w.Suppressed(t.Context(), n, marketing, 5000*second))
	}
	wantDiff(t, "marketing", []campaign.Recipient{w.plan[0].Recipient}, list(home, true))
	wantDiff(t, "no marketing", []campaign.Recipient(nil), list(home, false))
	wantDiff(t, "other target", []campaign.Recipient(nil), list(Target{"cloud", "https://graph", "1"}, true))
	w.exec("INSERT INTO suppressions (phone, scope, source, reason, at, until_at) VALUES (4479, 'all', 'command', '', 1, ?), (4480, 'all', 'command', '', 1, ?)",
		6000*second, 4000*second)
	wantDiff(t, "for all and in time", []campaign.Recipient{{Phone: "+4479"}}, list(Target{"cloud", "https://graph", "1"}, false))
}

func TestLedgers(t *testing.T) {
	w := newScene(t, 4)
	ctx := t.Context()
	w.plan[3].LastInbound = intent(3, 1).At - second
	must[Drift](t)(w.run.Update(ctx, w.c, sequence(w.plan)))
	w.send(0, campaign.Sent, accepted)
	w.send(1, campaign.Failed, refusal(outcome.RecipientFailed, 131026))
	w.intend(2, 1)
	w.send(3, campaign.Sent, accepted)
	if err := w.l.Release(ctx); err != nil {
		t.Fatal(err)
	}
	again := sceneIn(t, w.Store, "second campaign, same number", 1)
	again.send(0, campaign.Uncertain, campaign.Answer{Class: outcome.Uncertain})
	elsewhere := Target{home.Provider, home.BaseURL, "2"}
	w.exec("INSERT INTO numbers (provider, base_url, number_id) VALUES (?, ?, ?)", elsewhere.Provider, elsewhere.BaseURL, elsewhere.NumberID)
	w.exec("INSERT INTO sightings (number, phone, at, source) SELECT number, 4479, ?, 'echo' FROM numbers WHERE number_id = '2'", intent(2, 3).At)

	at := func(seq int) campaign.Result { return answered(seq, 1, campaign.Sent, accepted) }
	ledger := []Departure{
		{Recipient: 5511900000000, Intended: intent(0, 1).At, Left: at(0).Left, Answered: at(0).At, Class: outcome.Accepted},
		{Recipient: 5511900000000, Intended: intent(0, 1).At, Left: at(0).Left, Answered: at(0).At, Class: outcome.Uncertain},
		{Recipient: 5511900000001, Intended: intent(1, 1).At, Left: at(1).Left, Answered: at(1).At, Class: outcome.RecipientFailed},
		{Recipient: 5511900000002, Intended: intent(2, 1).At, Left: 0, Answered: 0, Class: ""},
		{Recipient: 5511900000003, Intended: intent(3, 1).At, Left: at(3).Left, Answered: at(3).At, Class: outcome.Accepted},
	}
	wantDiff(t, "PairLedger", ledger, must[[]Departure](t)(w.PairLedger(ctx, home, 0)))
	wantDiff(t, "PairLedger since", ledger[3:], must[[]Departure](t)(w.PairLedger(ctx, home, intent(2, 1).At)))
	seen := []Departure{{Recipient: 4479, Intended: intent(2, 3).At, Left: intent(2, 3).At, Answered: intent(2, 3).At, Class: outcome.Accepted}}
	wantDiff(t, "PairLedger of another number", seen, must[[]Departure](t)(w.PairLedger(ctx, elsewhere, 0)))

	// Refused people and those in their service window take no slot; somebody written to twice takes one.
	contacts := []Contact{{Recipient: 5511900000000, At: at(0).Left}, {Recipient: 5511900000002, At: intent(2, 1).At}, {Recipient: 4479, At: intent(2, 3).At}}
	wantDiff(t, "MessagingLedger", contacts, must[[]Contact](t)(w.MessagingLedger(ctx, home, 0)))
	wantDiff(t, "MessagingLedger of an unknown number", contacts, must[[]Contact](t)(w.MessagingLedger(ctx, Target{home.Provider, home.BaseURL, "new"}, 0)))
	if err := w.SetPortfolio(ctx, elsewhere, "P"); err != nil {
		t.Fatal(err)
	}
	wantDiff(t, "MessagingLedger after the portfolios part", contacts[:2], must[[]Contact](t)(w.MessagingLedger(ctx, home, 0)))
	wantDiff(t, "MessagingLedger of the other portfolio", contacts[2:], must[[]Contact](t)(w.MessagingLedger(ctx, elsewhere, 0)))
}

func TestInBubble(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	synctest.Test(t, func(t *testing.T) {
		s := must[*Store](t)(Open(t.Context(), path, Options{}))
		w := sceneIn(t, s, "bubble", 2)
		time.Sleep(time.Hour)
		w.send(0, campaign.Sent, accepted)
		synctest.Wait()
		if n := w.counts(); n.Sent != 1 || n.Pending != 1 {
			t.Errorf("counts = %+v", n)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestWrongRequestsAreTakenBack: rows that failed one by one go back to pending when the next ones show that all are wrong alike.
func TestWrongRequestsAreTakenBack(t *testing.T) {
	w := newScene(t, 2)
	wrong := campaign.Answer{Class: outcome.RequestWrong, Code: 132000, HTTPStatus: 400}
	w.send(0, campaign.Failed, wrong)
	w.answer(0, 1, campaign.Pending, wrong)
	if n := w.counts(); n.Pending != 2 || n.Failed != 0 {
		t.Errorf("counts = %+v, want all pending", n)
	}
	w.send(1, campaign.Failed, campaign.Answer{Class: outcome.RecipientFailed, Code: 131026, HTTPStatus: 400})
	for name, r := range map[string]campaign.Result{
		"of another kind": answered(1, 1, campaign.Pending, campaign.Answer{Class: outcome.RecipientFailed, Code: 131026}),
		"of no attempt":   answered(0, 2, campaign.Pending, wrong),
		"twice":           answered(0, 1, campaign.Pending, wrong),
	} {
		if err := w.run.Commit(t.Context(), nil, []campaign.Result{r}); !errors.Is(err, ErrNoIntent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// secret is what no byte of the state may hold of a person who was forgotten.
const secret = "hello 1 "

// forgetScene is a campaign of six people, of whom the second got a message and the third has a pending one; nobody sends any more.
func forgetScene(t *testing.T) *scene {
	t.Helper()
	w := newScene(t, 6)
	a := accepted
	a.MessageID, a.WaID, a.UserID, a.Details = "wamid.5511900000001", "5511900000001", "BR.77", secret+"5511900000001"
	w.send(1, campaign.Sent, a)
	w.send(0, campaign.Sent, campaign.Answer{Class: outcome.Accepted, MessageID: "wamid.5511900000000", HTTPStatus: 200})
	return w
}

func (w *scene) end() {
	w.t.Helper()
	must[Status](w.t)(w.run.Finish(context.Background(), nil))
	if err := w.l.Release(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *scene) forget(phone uint64) map[string]int {
	w.t.Helper()
	return must[map[string]int](w.t)(w.Forget(context.Background(), phone, func(id string) bool { return id == fmt.Sprint("wamid.", phone) }))
}

func TestForgetLeavesNothingBehind(t *testing.T) {
	w := forgetScene(t)
	ctx, who := t.Context(), campaign.Recipient{Phone: "+5511900000001"}
	must[map[string]int](t)(w.Ingest(ctx, feedback.Batch{
		Statuses: []feedback.Status{{Step: w.plan[1].ID, MessageID: "wamid.5511900000001", Kind: "delivered"}, {MessageID: "wamid.5511900000001", Kind: "read"}},
		Inbound:  []feedback.Inbound{{MessageID: "in.5511900000001", NumberID: home.NumberID, Person: who}},
		Echoes:   []feedback.Echo{{NumberID: home.NumberID, MessageID: "e", Phone: 5511900000001}},
		OptOuts:  []feedback.OptOut{{Person: who, Scope: feedback.Everything, Reason: secret}},
	}, home, ratelimit.At(time.Now())))
	w.end()
	before := w.counts()
	got := w.forget(5511900000001)
	wantDiff(t, "what was found", map[string]int{"campaigns": 1, "messages": 1, "kept": 1, "statuses": 2, "inbound": 1, "sightings": 1, "reasons": 0, "opted_out": 1}, got)
	wantDiff(t, "counts", before, w.counts())
	var left []string
	err := w.OptOuts(ctx, ratelimit.At(time.Now()), func(r campaign.Recipient, scope, source, reason string, _, _ ratelimit.Instant) {
		left = append(left, r.Phone+" "+scope+" "+source+" "+reason)
	})
	wantDiff(t, "opt-outs", []string{"+5511900000001 all inbound "}, left)
	if err != nil {
		t.Error(err)
	}
	w.forbid("wamid.5511900000001", secret, "BR.77", "in.5511900000001")
}

// forbid looks for texts in every byte of the state, the log beside it included.
func (w *scene) forbid(texts ...string) {
	w.t.Helper()
	for _, end := range []string{"", "-wal"} {
		bytesOf, err := os.ReadFile(w.path + end)
		if err != nil && end == "" {
			w.t.Fatal(err)
		}
		for _, text := range texts {
			if bytes.Contains(bytesOf, []byte(text)) {
				w.t.Errorf("the state%s still holds %q", end, text)
			}
		}
	}
}

// Whoever was written to in a campaign that is not finished is not written to again, and whoever was not is a new recipient.
func TestForgetKeepsAnUnfinishedCampaignFromSendingTwice(t *testing.T) {
	w := forgetScene(t)
	w.intend(3, 1) // its sender is killed
	if err := w.l.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	for phone, want := range map[uint64]map[string]int{
		5511900000001: {"campaigns": 1, "messages": 1, "kept": 1},
		5511900000002: {"campaigns": 1, "messages": 1, "withdrawn": 1},
		5511900000003: {"campaigns": 1, "messages": 1, "kept": 1},
		5511999999999: {},
	} {
		wantDiff(t, fmt.Sprint("found of ", phone), want, withoutZero(w.forget(phone)))
	}
	d := must[Drift](t)(w.Compare(t.Context(), w.c, sequence(w.plan)))
	wantDiff(t, "drift", Drift{New: 1, Same: 5}, d)

	l := must[*Lease](t)(w.Acquire(t.Context(), ThisProcess(), Claim{Target: home, Campaign: "spring"}))
	w.l, w.run = l, must[*Run](t)(l.Run(t.Context(), w.c, false))
	must[int](t)(w.run.Recover(t.Context()))
	must[int](t)(w.run.ResendUncertain(t.Context()))
	var waits []uint64
	for _, p := range must[[]Waiting](t)(w.Pending(t.Context(), w.c)) {
		waits = append(waits, p.Recipient)
	}
	wantDiff(t, "pending", []uint64{5511900000004, 5511900000005}, waits)
	if n := w.counts(); n.Uncertain != 1 || n.Sent != 2 || n.Messages != 8 {
		t.Errorf("counts = %+v, want 1 uncertain, 2 sent, 8 messages", n)
	}

	// A word that comes later moves nobody whom no message can reach.
	must[map[string]int](t)(w.Ingest(t.Context(), feedback.Batch{Statuses: []feedback.Status{{Step: w.plan[1].ID, MessageID: "wamid.late", Kind: "failed", Code: 131056},
		{Step: w.plan[1].ID, MessageID: "wamid.late", Kind: "failed", Code: 131050}}}, home, 1))
	if n := w.counts(); n.Sent != 2 || n.Pending != 2 {
		t.Errorf("counts after a late word = %+v", n)
	}
}

func withoutZero(m map[string]int) map[string]int {
	for name, n := range m {
		if n == 0 {
			delete(m, name)
		}
	}
	return m
}

// Once its campaign is finished, a second time takes what the first had to leave.
func TestForgetTakesTheIDWhenAllIsFinished(t *testing.T) {
	w := newScene(t, 2)
	w.send(0, campaign.Sent, accepted)
	w.end()
	w.forget(5511900000000)
	l := must[*Lease](t)(w.Acquire(t.Context(), ThisProcess(), Claim{Target: home, Campaign: "spring"}))
	w.l, w.run = l, must[*Run](t)(l.Run(t.Context(), w.c, false))
	w.send(1, campaign.Sent, accepted)
	w.end()
	wantDiff(t, "found the second time", map[string]int{"campaigns": 1, "messages": 1}, withoutZero(w.forget(5511900000000)))
	w.forbid(w.plan[0].ID)
	wantDiff(t, "found the third time", map[string]int{}, withoutZero(w.forget(5511900000000)))
	if n := w.counts(); n.Sent != 2 {
		t.Errorf("counts = %+v, want both sent", n)
	}
}

func TestErasingIsRefusedWhileSomebodySends(t *testing.T) {
	w := newScene(t, 1)
	_, err := w.Forget(t.Context(), 5511900000000, func(string) bool { return false })
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), "number "+home.NumberID) {
		t.Errorf("Forget = %v, want that the number is in use", err)
	}
	if _, _, err := w.Purge(t.Context(), ratelimit.Never); !errors.Is(err, ErrInUse) {
		t.Errorf("Purge = %v, want ErrInUse", err)
	}
	if n := w.counts(); n.Pending != 1 {
		t.Errorf("counts = %+v, want the message still there", n)
	}
}

func TestPurgeTakesWhatIsFinishedAndOld(t *testing.T) {
	w := newScene(t, 3)
	for seq := range 3 {
		w.send(seq, campaign.Sent, accepted)
	}
	w.end()
	open := sceneIn(t, w.Store, "autumn", 2)
	open.send(0, campaign.Sent, accepted)
	open.end()
	purge := func(before ratelimit.Instant) (names []string, rows map[string]int) {
		gone, rows, err := w.Purge(t.Context(), before)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range gone {
			names = append(names, c.Name)
		}
		return names, withoutZero(rows)
	}
	names, rows := purge(ratelimit.At(time.Now().Add(-time.Hour)))
	wantDiff(t, "younger than the instant", []string(nil), names)
	wantDiff(t, "rows", map[string]int{}, rows)
	names, rows = purge(ratelimit.At(time.Now().Add(time.Hour)))
	wantDiff(t, "purged", []string{"spring"}, names)
	wantDiff(t, "rows", map[string]int{"steps": 3, "attempts": 3}, rows)
	w.forbid(w.plan[0].ID)
	if n := open.counts(); n.Sent != 1 || n.Pending != 1 {
		t.Errorf("the campaign that is not finished = %+v, want it whole", n)
	}
	if _, found, err := w.Find(t.Context(), home, "spring"); found || err != nil {
		t.Errorf("Find = %v, %v; want it gone", found, err)
	}
	if left := slices.Collect(func(yield func(string) bool) {
		for c := range open.List(t.Context()) {
			yield(c.Name)
		}
	}); !slices.Equal(left, []string{"autumn"}) {
		t.Errorf("left: %q", left)
	}
}

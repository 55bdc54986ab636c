package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/ratelimit"
)

var home = Target{Provider: "sandbox", BaseURL: "http://127.0.0.1", NumberID: "106540352242922"}

// testPlan is n text messages to n people; text of message i comes from say, or is "hello i".
func testPlan(uid [16]byte, n int, say func(i int) string) []Planned {
	list := make([]Planned, n)
	for i := range list {
		text := fmt.Sprint("hello ", i)
		if say != nil {
			text = say(i)
		}
		list[i] = person(uid, i, 5511900000000+i, text)
	}
	return list
}

func person(uid [16]byte, seq, phone int, text string) Planned {
	p := Planned{Step: campaign.Step{Seq: seq, Recipient: campaign.Recipient{Phone: fmt.Sprintf("+%d", phone)}, Line: seq + 2,
		NumberID: home.NumberID, Message: template.Message{Type: template.TypeText, Text: text}}}
	p.ID = campaign.StepID(uid, p.Recipient.Phone, 0)
	return p
}

func sequence(list []Planned) iter.Seq2[Planned, error] {
	return func(yield func(Planned, error) bool) {
		for _, p := range list {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func openTest(t testing.TB, path string) *Store {
	t.Helper()
	s := must[*Store](t)(Open(context.Background(), path, Options{}))
	t.Cleanup(func() { s.Close() })
	return s
}

// scene is a store with a claimed campaign of n steps under way.
type scene struct {
	*Store
	t    testing.TB
	c    Campaign
	l    *Lease
	run  *Run
	plan []Planned
}

func newScene(t testing.TB, n int) *scene {
	t.Helper()
	return sceneIn(t, openTest(t, filepath.Join(t.TempDir(), "state.db")), "spring", n)
}

func sceneIn(t testing.TB, s *Store, name string, n int) *scene {
	t.Helper()
	ctx := context.Background()
	uid := NewUID()
	w := &scene{Store: s, t: t, plan: testPlan(uid, n, nil)}
	w.l = must[*Lease](t)(s.Acquire(ctx, ThisProcess(), Claim{Target: home, Campaign: name}))
	w.c = must[Campaign](t)(s.Create(ctx, Campaign{Target: home, Name: name, UID: uid, Skipped: map[string]int{"duplicate": 2, "invalid-number": 1}}, sequence(w.plan)))
	w.run = must[*Run](t)(w.l.Run(ctx, w.c, false))
	return w
}

func (w *scene) intend(seq, attempt int) {
	w.t.Helper()
	if err := w.run.Commit(context.Background(), []campaign.Intent{intent(seq, attempt)}, nil); err != nil {
		w.t.Fatal(err)
	}
}

func (w *scene) answer(seq, attempt int, s campaign.State, a campaign.Answer) {
	w.t.Helper()
	if err := w.run.Commit(context.Background(), nil, []campaign.Result{answered(seq, attempt, s, a)}); err != nil {
		w.t.Fatal(err)
	}
}

// send takes a step from intent to an answer.
func (w *scene) send(seq int, s campaign.State, a campaign.Answer) {
	w.t.Helper()
	w.intend(seq, 1)
	w.answer(seq, 1, s, a)
}

const second = ratelimit.Instant(1e9)

func intent(seq, attempt int) campaign.Intent {
	return campaign.Intent{Seq: seq, Attempt: attempt, At: 1000*second + ratelimit.Instant(10*seq+attempt)*second}
}

func answered(seq, attempt int, s campaign.State, a campaign.Answer) campaign.Result {
	at := intent(seq, attempt).At
	return campaign.Result{Seq: seq, Attempt: attempt, Left: at + 1, At: at + second, State: s, Answer: a}
}

var accepted = campaign.Answer{Class: outcome.Accepted, MessageID: "wamid.x", WaID: "5511900000000", HTTPStatus: 200, MessageStatus: "accepted"}

func refusal(class outcome.Class, code int) campaign.Answer {
	return campaign.Answer{Class: class, Code: code, HTTPStatus: 400, Details: "no"}
}

func (w *scene) counts() Counts {
	w.t.Helper()
	return must[Counts](w.t)(w.Counts(context.Background(), w.c))
}

func wantDiff(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestCampaignComesBack(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "state.db")
	s := openTest(t, path)
	want := Campaign{Target: home, Name: "spring", UID: NewUID(), ListHash: "l", ContentHash: "c", MappingHash: "m",
		Skipped: map[string]int{"duplicate": 2}, Region: "BR", Options: json.RawMessage(`{"mps":76}`), Machine: "m1", Host: "h1"}
	must[Campaign](t)(s.Create(ctx, want, sequence(testPlan(want.UID, 3, nil))))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = openTest(t, path)
	got, found, err := s.Find(ctx, home, "spring")
	if err != nil || !found {
		t.Fatalf("Find = %v, %v; want the campaign", found, err)
	}
	want.Messages, want.Status, want.Created = 5, StatusPlanned, got.Created
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Campaign{})); diff != "" {
		t.Errorf("Find (-want +got):\n%s", diff)
	}
	for other, target := range map[string]Target{"spring": {"cloud", home.BaseURL, home.NumberID}, "autumn": home} {
		if _, found, err := s.Find(ctx, target, other); found || err != nil {
			t.Errorf("Find(%v, %s) = %v, %v; want nothing: target and name are the identity", target, other, found, err)
		}
	}
	var names []string
	for c, err := range s.List(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, c.Name)
	}
	wantDiff(t, "List", []string{"spring"}, names)
}

func TestCreateRefuses(t *testing.T) {
	uid := NewUID()
	twice := testPlan(uid, 3, nil)
	twice[2].ID = twice[0].ID
	gap := testPlan(uid, 3, nil)
	gap[2].Seq = 7
	stranger := testPlan(uid, 1, nil)
	stranger[0].Recipient.Phone = "11 98765-4321"
	for name, plan := range map[string][]Planned{"id twice": twice, "gap": gap, "no E.164": stranger} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t, filepath.Join(t.TempDir(), "state.db"))
			if _, err := s.Create(t.Context(), Campaign{Target: home, Name: "x", UID: uid}, sequence(plan)); err == nil {
				t.Fatal("Create took it")
			}
			if _, found, err := s.Find(t.Context(), home, "x"); found || err != nil {
				t.Errorf("half a campaign is left: %v, %v", found, err)
			}
		})
	}
}

func TestManyRowsKeepTheirMessages(t *testing.T) {
	w := newScene(t, 3*batchRows+5)
	for _, seq := range []int{0, batchRows - 1, batchRows, 3*batchRows + 4} {
		got := must[[]campaign.Step](t)(w.run.Steps(t.Context(), []int{seq}))
		wantDiff(t, fmt.Sprint("step ", seq), []campaign.Step{w.plan[seq].Step}, got)
	}
	got := must[[]campaign.Step](t)(w.run.Steps(t.Context(), []int{5, 2}))
	wantDiff(t, "steps in the order asked", []campaign.Step{w.plan[5].Step, w.plan[2].Step}, got)
}

package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

const when = 2000 * second

// word is a status about step i of the scene, by its own message unless id names another.
func (w *scene) word(i int, kind string, code int, id string) feedback.Status {
	if id == "" {
		id = wamid(i)
	}
	return feedback.Status{Step: w.plan[i].ID, MessageID: id, Kind: kind, Code: code, At: when}
}

func wamid(i int) string { return fmt.Sprint("wamid.", i) }

// taken is an accepting answer with a message id of its own.
func takenBy(i int) campaign.Answer {
	a := accepted
	a.MessageID = wamid(i)
	return a
}

func (w *scene) ingest(b feedback.Batch) map[string]int {
	w.t.Helper()
	return must[map[string]int](w.t)(w.Ingest(context.Background(), b, home, when+second))
}

func (w *scene) tell(words ...feedback.Status) map[string]int {
	w.t.Helper()
	return w.ingest(feedback.Batch{Statuses: words})
}

// stands is where step i is: its state and code.
func (w *scene) stands(i int) string {
	w.t.Helper()
	for r, err := range w.Rows(context.Background(), w.c, Filter{}) {
		if err != nil {
			w.t.Fatal(err)
		}
		if r.Seq == i {
			return fmt.Sprint(r.State, " ", r.Code)
		}
	}
	return "gone"
}

func (w *scene) news(items ...campaign.Item) campaign.News {
	w.t.Helper()
	return must[campaign.News](w.t)(w.run.News(context.Background(), items))
}

func TestStatusesMoveSteps(t *testing.T) {
	w := newScene(t, 6)
	w.send(0, campaign.Sent, takenBy(0))
	w.send(1, campaign.Sent, takenBy(1))
	w.send(2, campaign.Uncertain, campaign.Answer{Class: outcome.Uncertain})
	w.send(3, campaign.Sent, takenBy(3))
	w.send(4, campaign.Held, campaign.Answer{Class: outcome.Held, HTTPStatus: 200, MessageID: wamid(4)})
	stranger := feedback.Status{MessageID: "wamid.stranger", Kind: "read", At: when}
	got := w.tell(w.word(0, "delivered", 0, ""), w.word(0, "read", 0, ""), w.word(1, "failed", 131026, ""), w.word(2, "sent", 0, "wamid.new"),
		w.word(3, "failed", 131056, ""), w.word(4, "sent", 0, ""), stranger)
	wantDiff(t, "counted", map[string]int{"new": 7, "orphan": 1, "failed": 1, "sent": 2, "pending": 1}, got)
	wantDiff(t, "told again", map[string]int{"new": 0}, w.tell(w.word(1, "failed", 131026, ""), stranger))
	for i, want := range []string{"sent 0", "failed 131026", "sent 0", "pending 131056", "sent 0", "pending 0"} {
		if got := w.stands(i); got != want {
			t.Errorf("step %d: %s, want %s", i, got, want)
		}
	}
	n := w.counts()
	if n.Refused[131056] != 1 || *n.Delivered != 1 || *n.Read != 1 {
		t.Errorf("counts = %+v, want one refused for 131056, one delivered, one read", n)
	}

	// By the message's id alone, where the platform does not hand the step's back: at once where the message is known by another word.
	w.tell(feedback.Status{MessageID: wamid(4), Kind: "failed", Code: 131026, At: when})
	if got := w.stands(4); got != "failed 131026" {
		t.Errorf("by message id: %s", got)
	}
	w.send(5, campaign.Sent, takenBy(5))
	w.tell(feedback.Status{MessageID: wamid(5), Kind: "failed", Code: 131026, At: when})
	wantDiff(t, "joined", map[string]int{"failed": 1}, must[map[string]int](t)(w.Join(t.Context())))
	wantDiff(t, "joined again", map[string]int{}, must[map[string]int](t)(w.Join(t.Context())))
	if got := w.stands(5); got != "failed 131026" {
		t.Errorf("by message id, later: %s", got)
	}

	// What is pending again goes again, with its content, and is handed out once.
	items := []campaign.Item{{Seq: 0}, {Seq: 3}}
	if again := w.news(items...).Again; len(again) != 1 || again[0].Seq != 3 || again[0].Attempts != 1 {
		t.Fatalf("again = %+v, want step 3 with one attempt", again)
	}
	if again := w.news(items...).Again; len(again) != 0 {
		t.Errorf("handed out twice: %+v", again)
	}
	w.intend(3, 2)
	w.tell(w.word(3, "failed", 131056, ""))
	w.answer(3, 2, campaign.Sent, takenBy(33))
	if got := w.stands(3); got != "sent 0" {
		t.Errorf("after the second attempt: %s", got)
	}
}

// Words that come before the answer are heard when it comes; a failure that the sender takes for a success is handed back to it.
func TestWordsBeforeTheAnswer(t *testing.T) {
	w := newScene(t, 4)
	for i := range 4 {
		w.intend(i, 1)
	}
	w.tell(feedback.Status{MessageID: wamid(0), Kind: "delivered", At: when}, feedback.Status{MessageID: wamid(1), Kind: "failed", Code: 131050, At: when},
		w.word(2, "delivered", 0, ""), w.word(3, "failed", 131056, ""))
	if n := w.counts(); n.Sent+n.Failed != 0 {
		t.Fatalf("while the requests are open: %+v", n)
	}
	if again := w.news().Again; len(again) != 0 {
		t.Fatalf("handed out while its request is open: %+v", again)
	}
	w.answer(0, 1, campaign.Sent, takenBy(0))
	w.answer(1, 1, campaign.Sent, takenBy(1))
	w.answer(2, 1, campaign.Uncertain, campaign.Answer{Class: outcome.Uncertain})
	w.answer(3, 1, campaign.Sent, takenBy(3))
	for i, want := range []string{"sent 0", "failed 131050", "sent 0", "pending 131056"} {
		if got := w.stands(i); got != want {
			t.Errorf("step %d: %s, want %s", i, got, want)
		}
	}
	if again := w.news(campaign.Item{Seq: 3}).Again; len(again) != 1 || again[0].Seq != 3 {
		t.Errorf("again = %+v, want step 3", again)
	}
	if list := must[[]campaign.Recipient](t)(w.Suppressed(t.Context(), home, true, when)); len(list) != 1 || list[0] != w.plan[1].Recipient {
		t.Errorf("suppressed = %v, want the person of step 1", list)
	}
}

func TestRecoverHearsWords(t *testing.T) {
	w := newScene(t, 2)
	w.intend(0, 1)
	w.intend(1, 1)
	w.tell(w.word(0, "sent", 0, ""))
	if n := must[int](t)(w.run.Recover(t.Context())); n != 1 {
		t.Errorf("Recover = %d uncertain, want 1", n)
	}
	if w.stands(0) != "sent 0" || w.stands(1) != "uncertain 0" {
		t.Errorf("step 0 %s, step 1 %s", w.stands(0), w.stands(1))
	}
}

// What was settled while a run went on is erased at its end too.
func TestSettledContentIsErased(t *testing.T) {
	w := newScene(t, 1)
	w.send(0, campaign.Uncertain, campaign.Answer{Class: outcome.Uncertain})
	w.tell(w.word(0, "delivered", 0, ""))
	must[Status](t)(w.run.Finish(t.Context(), nil))
	if w.stands(0) != "sent 0" || w.has(0) {
		t.Errorf("step 0 is %s, has its content: %v", w.stands(0), w.has(0))
	}
}

// A campaign that had ended is open again when one of its messages failed late, and the file gives the content back.
func TestLateFailure(t *testing.T) {
	w := newScene(t, 2)
	w.send(0, campaign.Sent, takenBy(0))
	w.send(1, campaign.Uncertain, campaign.Answer{Class: outcome.Uncertain})
	if s := must[Status](t)(w.run.Finish(t.Context(), nil)); s != StatusFinished {
		t.Fatalf("Finish = %s", s)
	}
	w.tell(w.word(0, "failed", 131056, ""), w.word(1, "delivered", 0, ""))
	if c, _, _ := w.Find(t.Context(), home, "spring"); c.Status != StatusStopped {
		t.Errorf("the campaign is %s, want stopped", c.Status)
	}
	if w.has(0) || w.has(1) {
		t.Error("content is there that was erased or has its end")
	}
	run := must[*Run](t)(w.l.Run(t.Context(), w.c, false))
	if err := run.Refill(t.Context(), sequence(w.plan)); err != nil {
		t.Fatal(err)
	}
	steps := must[[]campaign.Step](t)(run.Steps(t.Context(), []int{0}))
	wantDiff(t, "step", w.plan[0].Step, steps[0])
	if w.has(1) {
		t.Error("a step that has its end got its content back")
	}
}

// The same words give the same end in any order, in any batches and however often they come, whether the answers come before or after.
func TestSameEndInAnyOrder(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "state.db"))
	campaigns := 0
	rapid.Check(t, func(rt *rapid.T) {
		type told struct {
			step, kind, code int
			at               ratelimit.Instant
		}
		kinds := []string{"sent", "delivered", "read", "failed"}
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) told {
			x := told{step: rapid.IntRange(0, 2).Draw(t, "step"), kind: rapid.IntRange(0, 3).Draw(t, "kind"), at: when + ratelimit.Instant(rapid.IntRange(0, 2).Draw(t, "at"))*second}
			if kinds[x.kind] == "failed" {
				x.code = rapid.SampledFrom([]int{131026, 131049, 131050, 131056}).Draw(t, "code")
			}
			return x
		}), 1, 8).Draw(rt, "words")
		callback := rapid.Bool().Draw(rt, "callback")
		play := func(list []told, early int) (end []string) {
			campaigns++
			w := sceneIn(t, s, fmt.Sprint("c", campaigns), 3)
			defer w.l.Release(context.Background())
			unique := func(i int) string { return fmt.Sprint("wamid.", campaigns, ".", i) }
			if err := w.run.Commit(context.Background(), []campaign.Intent{intent(0, 1), intent(1, 1), intent(2, 1)}, nil); err != nil {
				rt.Fatal(err)
			}
			var words []feedback.Status
			for _, x := range list {
				f := w.word(x.step, kinds[x.kind], x.code, unique(x.step))
				if f.At = x.at; !callback {
					f.Step = ""
				}
				words = append(words, f)
			}
			w.tell(words[:early]...)
			w.answers(unique)
			w.tell(words[early:]...)
			must[map[string]int](t)(s.Join(context.Background()))
			for i := range 3 {
				end = append(end, w.stands(i))
			}
			return end
		}
		want := play(list, 0)
		other := rapid.Permutation(list).Draw(rt, "order")
		other = append(other, rapid.SliceOfN(rapid.SampledFrom(list), 0, 3).Draw(rt, "twice")...)
		got := play(other, rapid.IntRange(0, len(other)).Draw(rt, "answers after"))
		for i := range want {
			if got[i] != want[i] && (callback || i != 1) {
				rt.Fatalf("step %d: %s, want %s", i, got[i], want[i])
			}
		}
	})
}

// answers gives the three steps an accepting answer, none, and a refusal that ends it.
func (w *scene) answers(id func(int) string) {
	w.t.Helper()
	sent, held := accepted, accepted
	sent.MessageID, held.MessageID, held.Class = id(0), id(2), outcome.Held
	results := []campaign.Result{answered(0, 1, campaign.Sent, sent), answered(1, 1, campaign.Uncertain, campaign.Answer{Class: outcome.Uncertain}),
		answered(2, 1, campaign.Held, held)}
	if err := w.run.Commit(context.Background(), nil, results); err != nil {
		w.t.Fatal(err)
	}
}

func TestOptOutsFromNews(t *testing.T) {
	w := newScene(t, 3)
	ana, bia, cid := w.plan[0].Recipient, w.plan[1].Recipient, w.plan[2].Recipient
	out := func(who campaign.Recipient, scope feedback.Scope, number string, at ratelimit.Instant, resumed bool) feedback.OptOut {
		return feedback.OptOut{Person: who, Scope: scope, NumberID: number, At: at, Resumed: resumed, Reason: "x"}
	}
	stop, resume := out(bia, feedback.Marketing, home.NumberID, when, false), out(bia, feedback.Marketing, home.NumberID, when+second, true)
	for _, order := range [][]feedback.OptOut{{stop, resume}, {resume, stop}, {resume, stop, resume}} {
		w.exec("DELETE FROM suppressions")
		w.ingest(feedback.Batch{OptOuts: append(order, out(ana, feedback.Everything, "", when, false), out(cid, feedback.Marketing, home.NumberID, when, false))})
		list := must[[]campaign.Recipient](t)(w.Suppressed(t.Context(), home, true, when+2*second))
		if len(list) != 2 || !(list[0] == cid && list[1] == ana || list[0] == ana && list[1] == cid) {
			t.Errorf("%v: suppressed = %v, want %v and %v", order, list, ana, cid)
		}
	}
	if list := must[[]campaign.Recipient](t)(w.Suppressed(t.Context(), home, false, when+2*second)); len(list) != 1 || list[0] != ana {
		t.Errorf("for messages that are no marketing: %v, want %v", list, ana)
	}

	// What the user wrote down stays, whatever people say later.
	must[int](t)(w.Suppress(t.Context(), func(yield func(uint64) bool) { yield(5511900000001) }, "command", "asked by phone", when))
	w.ingest(feedback.Batch{OptOuts: []feedback.OptOut{out(bia, feedback.Everything, "", when+3*second, true)}})
	if list := must[[]campaign.Recipient](t)(w.Suppressed(t.Context(), home, false, when+4*second)); len(list) != 2 {
		t.Errorf("after a resumption: %v, want two", list)
	}
}

func TestRestsForADay(t *testing.T) {
	w := newScene(t, 2)
	w.send(0, campaign.Sent, takenBy(0))
	w.send(1, campaign.Failed, refusal(outcome.RecipientFailed, 131049))
	w.tell(w.word(0, "failed", 131049, ""))
	day := ratelimit.Instant(24 * time.Hour)
	for at, want := range map[ratelimit.Instant]int{when: 2, when + day - 1: 1, when + day: 0} {
		if list := must[[]campaign.Recipient](t)(w.Suppressed(t.Context(), home, true, at)); len(list) != want {
			t.Errorf("at %s: %d people rest, want %d", at.Time(), len(list), want)
		}
	}
	other := home
	other.NumberID = "another number"
	if list := must[[]campaign.Recipient](t)(w.Suppressed(t.Context(), other, true, when)); len(list) != 2 {
		t.Errorf("for another number %d people rest, want 2", len(list))
	}
}

func TestEchoesAndInbound(t *testing.T) {
	w := newScene(t, 1)
	echo := func(id string) feedback.Echo {
		return feedback.Echo{MessageID: id, NumberID: home.NumberID, Phone: 5511900000000, At: when}
	}
	w.ingest(feedback.Batch{Echoes: []feedback.Echo{echo("a"), echo("b"), echo("a"), {MessageID: "c", NumberID: "new", Phone: 1, At: when}}})
	list := must[[]Departure](t)(w.PairLedger(t.Context(), home, 0))
	if len(list) != 2 || list[0].Recipient != 5511900000000 || list[0].Intended/second != when/second {
		t.Errorf("ledger = %+v, want two echoes within one second", list)
	}

	now := ratelimit.At(time.Now())
	in := feedback.Batch{Inbound: []feedback.Inbound{{MessageID: "i", NumberID: home.NumberID, Person: w.plan[0].Recipient, At: now - second}},
		Echoes: []feedback.Echo{{MessageID: "d", NumberID: home.NumberID, Phone: 7, At: now}}}
	for range 2 {
		must[map[string]int](t)(w.Ingest(t.Context(), in, home, now))
	}
	n := w.news().Numbers[0]
	if len(n.Wrote) != 1 || n.Wrote[0] != (ratelimit.Message{Recipient: 5511900000000, OpenUntil: now - second + serviceWindow}) || n.Inbound != 1 {
		t.Errorf("news = %+v, want one who wrote", n)
	}
	if len(n.Spent) != 1 || len(n.Spent[7]) != 1 {
		t.Errorf("spent = %+v, want one", n.Spent)
	}
	if n = w.news().Numbers[0]; len(n.Wrote)+len(n.Spent) != 0 {
		t.Errorf("told twice: %+v", n)
	}
	open := map[uint64]ratelimit.Instant{5511900000000: now - second + serviceWindow}
	wantDiff(t, "windows", open, must[map[uint64]ratelimit.Instant](t)(w.Windows(t.Context(), home, now)))
	wantDiff(t, "windows a day later", map[uint64]ratelimit.Instant{}, must[map[uint64]ratelimit.Instant](t)(w.Windows(t.Context(), home, now+serviceWindow)))
	w.intend(0, 1) // long before the person wrote: that one counts
	if list := must[[]Contact](t)(w.MessagingLedger(t.Context(), home, 0)); len(list) != 3 {
		t.Errorf("ledger = %+v, want the echoes' two people and the one written to", list)
	}
}

// A state of the first version is brought up to date with what is in it.
func TestFromTheFirstVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := must[*Store](t)(open(t.Context(), path, Options{}, migrations[:1]))
	for _, q := range []string{
		"INSERT INTO targets VALUES (1, 'sandbox', 'http://127.0.0.1', '106540352242922')",
		"INSERT INTO numbers VALUES (1, 'sandbox', 'http://127.0.0.1', '106540352242922', NULL)",
		"INSERT INTO campaigns VALUES (1, x'00112233445566778899aabbccddeeff', 1, 'old', 1, '', '', '', '{}', 1, 'finished', 1, 2, NULL, '', '', '', 'null')",
		"INSERT INTO steps (step, id, number, phone, ordinal, line, content, state, attempts) VALUES (4294967296, 'abcdefghjkmnpqrstvwxyz0123', 1, 5511, 0, 2, 0, 'sent', 1)",
		"INSERT INTO step_ids VALUES ('abcdefghjkmnpqrstvwxyz0123', 4294967296)",
		"INSERT INTO attempts (step, attempt, intended_at, class, state, message_id) VALUES (4294967296, 1, 1, 'accepted', 'sent', 'wamid.old')",
	} {
		if _, err := s.writer.conn.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	s = openTest(t, path)
	b := feedback.Batch{Statuses: []feedback.Status{{MessageID: "wamid.old", Kind: "delivered", At: when}}}
	must[map[string]int](t)(s.Ingest(t.Context(), b, home, when))
	must[map[string]int](t)(s.Join(t.Context()))
	c, found, err := s.Find(t.Context(), home, "old")
	if !found || err != nil {
		t.Fatal(found, err)
	}
	if n := must[Counts](t)(s.Counts(t.Context(), c)); n.Sent != 1 || n.Delivered == nil || *n.Delivered != 1 {
		t.Errorf("counts = %+v", n)
	}
	if _, err := os.Stat(path + ".v1.bak"); err != nil {
		t.Errorf("the old state was not copied beside: %v", err)
	}
}

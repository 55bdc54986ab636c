package journal

import (
	"fmt"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// model is the plain truth that the journal is held against: where each step stands, and which attempt is open.
type model struct {
	s        *Store
	run      *Run
	c        Campaign
	state    []campaign.State
	attempts []int
	open     []bool
}

var answers = []struct {
	state campaign.State
	class outcome.Class
}{
	{campaign.Sent, outcome.Accepted}, {campaign.Held, outcome.Held}, {campaign.Failed, outcome.RecipientFailed},
	{campaign.Pending, outcome.PairWait}, {campaign.Pending, outcome.RetryFew}, {campaign.Uncertain, outcome.Uncertain},
}

// commit draws some intents and answers, and some that must be refused.
func (m *model) commit(t *rapid.T) {
	var intents []campaign.Intent
	var results []campaign.Result
	legal := true
	state, attempts, open := append([]campaign.State{}, m.state...), append([]int{}, m.attempts...), append([]bool{}, m.open...)
	for _, i := range rapid.SliceOfDistinct(rapid.IntRange(0, len(m.state)-1), rapid.ID).Draw(t, "answers") {
		if !open[i] {
			continue
		}
		a := rapid.SampledFrom(answers).Draw(t, "answer")
		results = append(results, answered(i, attempts[i], a.state, campaign.Answer{Class: a.class, HTTPStatus: 200}))
		state[i], open[i] = a.state, false
	}
	for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(m.state)-1), 0, 5).Draw(t, "intents") {
		may := state[i] == campaign.Pending && !open[i]
		if !may && !rapid.Bool().Draw(t, "wrongly") {
			continue
		}
		legal = legal && may
		attempts[i]++
		open[i] = true
		intents = append(intents, intent(i, attempts[i]))
	}
	err := m.run.Commit(t.Context(), intents, results)
	if (err == nil) != legal {
		t.Fatalf("Commit = %v, legal %v", err, legal)
	}
	if legal {
		m.state, m.attempts, m.open = state, attempts, open
	}
}

func (m *model) recover(t *rapid.T) {
	want := 0
	for i, open := range m.open {
		if open {
			want++
			m.state[i], m.open[i] = campaign.Uncertain, false
		}
	}
	if n, err := m.run.Recover(t.Context()); err != nil || n != want {
		t.Fatalf("Recover = %d, %v; want %d", n, err, want)
	}
}

func (m *model) resend(t *rapid.T) {
	for i, s := range m.state {
		if s == campaign.Uncertain {
			m.state[i] = campaign.Pending
		}
	}
	if _, err := m.run.ResendUncertain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// check holds the journal against the model: nothing lost, nothing twice, and the sum is the whole.
func (m *model) check(t *rapid.T) {
	n, err := m.s.Counts(t.Context(), m.c)
	if err != nil {
		t.Fatal(err)
	}
	if sum := n.Sent + n.Held + n.Failed + n.Skipped + n.Uncertain + n.Pending; sum != n.Messages || n.Messages != len(m.state)+m.c.skipped() {
		t.Fatalf("%+v: the sum is %d, want %d", n, sum, len(m.state)+m.c.skipped())
	}
	i := 0
	for r, err := range m.s.Rows(t.Context(), m.c, Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		want := m.state[i]
		if m.open[i] { // this process asks while it holds the lease: nothing of its own is on its way any more
			want = campaign.Uncertain
		}
		if r.Seq != i || r.State != want {
			t.Fatalf("row %d is step %d, %s; want %s", i, r.Seq, r.State, want)
		}
		// What was taken keeps its content for a while: it may fail late.
		if again := r.State == campaign.Pending || r.State == campaign.Uncertain; again && !r.HasMessage || r.State == campaign.Failed && r.HasMessage {
			t.Fatalf("row %d, %s: has its message: %v", i, r.State, r.HasMessage)
		}
		i++
	}
	if i != len(m.state) {
		t.Fatalf("%d rows, want %d", i, len(m.state))
	}
}

func TestNothingIsEverLost(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "state.db"))
	campaigns := 0
	rapid.Check(t, func(t *rapid.T) {
		campaigns++
		name := fmt.Sprint("campaign ", campaigns)
		n := rapid.IntRange(1, 8).Draw(t, "steps")
		uid := NewUID()
		l, err := s.Acquire(t.Context(), ThisProcess(), Claim{Target: home, Campaign: name})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Release(t.Context())
		c, err := s.Create(t.Context(), Campaign{Target: home, Name: name, UID: uid, Skipped: map[string]int{"duplicate": n}}, sequence(testPlan(uid, n, nil)))
		if err != nil {
			t.Fatal(err)
		}
		run, err := l.Run(t.Context(), c, false)
		if err != nil {
			t.Fatal(err)
		}
		m := &model{s: s, run: run, c: c, state: make([]campaign.State, n), attempts: make([]int, n), open: make([]bool, n)}
		for i := range m.state {
			m.state[i] = campaign.Pending
		}
		t.Repeat(map[string]func(*rapid.T){"commit": m.commit, "recover": m.recover, "resend": m.resend, "": m.check})
	})
}

package feedback

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign"
)

func TestSettle(t *testing.T) {
	sent, held := Attempt{campaign.Sent, "A"}, Attempt{campaign.Held, "A"}
	uncertain, refused := Attempt{campaign.Uncertain, ""}, Attempt{campaign.Pending, ""}
	is := func(id, kind string, code int) Word { return Word{id, kind, code} }
	tests := []struct {
		name     string
		attempts []Attempt
		words    []Word
		want     Verdict
	}{
		{"nothing asked", nil, []Word{is("A", "delivered", 0)}, Verdict{}},
		{"no word", []Attempt{sent}, nil, Verdict{}},
		{"sent", []Attempt{sent}, []Word{is("A", "sent", 0)}, Verdict{State: campaign.Sent}},
		{"an unknown word", []Attempt{uncertain}, []Word{is("A", "warning", 0)}, Verdict{}},
		{"undeliverable", []Attempt{sent}, []Word{is("A", "sent", 0), is("A", "failed", 131026)}, Verdict{campaign.Failed, 131026}},
		{"failed without a code", []Attempt{sent}, []Word{is("A", "failed", 0)}, Verdict{campaign.Failed, 0}},
		{"delivered wins, the error is a note", []Attempt{sent}, []Word{is("A", "failed", 131026), is("A", "delivered", 0)}, Verdict{campaign.Sent, 131026}},
		{"read wins too", []Attempt{sent}, []Word{is("A", "read", 0), is("A", "failed", 131026)}, Verdict{campaign.Sent, 131026}},
		{"pair rate after a 200", []Attempt{sent}, []Word{is("A", "failed", 131056)}, Verdict{campaign.Pending, 131056}},
		{"throughput after a 200", []Attempt{sent}, []Word{is("A", "failed", 130429)}, Verdict{campaign.Pending, 130429}},
		{"account stopped after a 200", []Attempt{sent}, []Word{is("A", "failed", 131042)}, Verdict{campaign.Pending, 131042}},
		{"an unknown code", []Attempt{sent}, []Word{is("A", "failed", 999999)}, Verdict{campaign.Failed, 999999}},
		{"uncertain was sent", []Attempt{uncertain}, []Word{is("X", "sent", 0)}, Verdict{State: campaign.Sent}},
		{"uncertain failed", []Attempt{uncertain}, []Word{is("X", "failed", 131026)}, Verdict{campaign.Failed, 131026}},
		{"uncertain was refused for its pair", []Attempt{uncertain}, []Word{is("X", "failed", 131056)}, Verdict{campaign.Pending, 131056}},
		{"held, and released", []Attempt{held}, []Word{is("A", "sent", 0)}, Verdict{State: campaign.Sent}},
		{"held, and its template was paused", []Attempt{held}, []Word{is("A", "failed", 132015)}, Verdict{campaign.Failed, 132015}},
		{"old news after another attempt", []Attempt{sent, {campaign.Sent, "B"}}, []Word{is("A", "failed", 131056)}, Verdict{}},
		{"old news after a refusal", []Attempt{sent, refused}, []Word{is("A", "failed", 131056)}, Verdict{}},
		{"the first was delivered after all", []Attempt{sent, refused}, []Word{is("A", "failed", 131056), is("A", "delivered", 0)}, Verdict{campaign.Sent, 131056}},
		{"old news of an uncertain second", []Attempt{sent, uncertain}, []Word{is("A", "failed", 131056)}, Verdict{}},
		{"news of an uncertain second", []Attempt{sent, uncertain}, []Word{is("A", "failed", 131056), is("X", "sent", 0)}, Verdict{State: campaign.Sent}},
		{"two unknown, one failed", []Attempt{uncertain, uncertain}, []Word{is("X", "failed", 131026), is("Y", "sent", 0)}, Verdict{State: campaign.Sent}},
		{"refused by the answer, and sent all the same", []Attempt{{campaign.Failed, ""}}, []Word{is("X", "sent", 0)}, Verdict{}},
		{"a proxy with ids of its own", []Attempt{{campaign.Sent, "msg_1"}}, []Word{is("wamid.1", "failed", 131026)}, Verdict{campaign.Failed, 131026}},
	}
	for _, tt := range tests {
		if got := Settle(tt.attempts, tt.words); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// The same words give the same verdict in any order, and however often they come.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := []string{"A", "B", "X", "Y"}
		attempts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Attempt {
			return Attempt{rapid.SampledFrom([]campaign.State{campaign.Sent, campaign.Held, campaign.Failed, campaign.Uncertain, campaign.Pending}).Draw(t, "state"),
				rapid.SampledFrom([]string{"", "A", "B"}).Draw(t, "id")}
		}), 0, 3).Draw(t, "attempts")
		words := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Word {
			w := Word{MessageID: rapid.SampledFrom(ids).Draw(t, "id"), Kind: rapid.SampledFrom([]string{"sent", "delivered", "read", "failed", "odd"}).Draw(t, "kind")}
			if w.Kind == "failed" {
				w.Code = rapid.SampledFrom([]int{0, 131026, 131049, 131056, 131042, 132015, 130429}).Draw(t, "code")
			}
			return w
		}), 0, 6).Draw(t, "words")
		want := Settle(attempts, words)
		again := rapid.Permutation(words).Draw(t, "order")
		if len(words) > 0 {
			again = append(again, rapid.SliceOfN(rapid.SampledFrom(words), 0, 4).Draw(t, "twice")...)
		}
		if got := Settle(attempts, again); got != want {
			t.Fatalf("in another order: %+v, want %+v", got, want)
		}
	})
}

func TestAfterwards(t *testing.T) {
	if RestFor(131049).Hours() != 24 || RestFor(131056) != 0 || RestFor(0) != 0 {
		t.Error("only 131049 lets a person rest, for a day")
	}
	if !StoppedMarketing(131050) || StoppedMarketing(131049) {
		t.Error("only 131050 is an opt-out")
	}
	var b Batch
	if !b.Empty() {
		t.Error("the zero batch is not empty")
	}
	if b.Add(Batch{Orders: []Order{{}}}); b.Empty() {
		t.Error("a batch with an order is empty")
	}
}

// A message that was sent, and of which no failure was told, stays sent, whatever else is told: whoever keeps messages need not ask.
func TestSentStaysSentWithoutAFailure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		attempts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Attempt {
			return Attempt{rapid.SampledFrom([]campaign.State{campaign.Sent, campaign.Held, campaign.Failed, campaign.Uncertain, campaign.Pending}).Draw(t, "state"),
				rapid.SampledFrom([]string{"", "A", "B"}).Draw(t, "id")}
		}), 0, 4).Draw(t, "attempts")
		words := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Word {
			return Word{MessageID: rapid.SampledFrom([]string{"A", "B", "X"}).Draw(t, "id"), Kind: rapid.SampledFrom([]string{"sent", "delivered", "read", "played", "odd"}).Draw(t, "kind")}
		}), 0, 6).Draw(t, "words")
		if got := Settle(attempts, words); got != (Verdict{}) && got != (Verdict{State: campaign.Sent}) {
			t.Fatalf("%v, %v: %+v", attempts, words, got)
		}
	})
}

package emulator_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign/emulator"
)

// accepted is one message in the whole history that a recount looks through, again and again, with no state kept.
type accepted struct {
	number, to string
	at         time.Duration
}

// recount says what should have refused a message, by looking at everything that was ever accepted.
func recount(o emulator.Options, history []accepted, m accepted) string {
	inSecond, others := 0, map[string]bool{}
	var pair []time.Duration
	for _, a := range history {
		if a.number == m.number && m.at-a.at < time.Second {
			inSecond++
		}
		if m.at-a.at < 24*time.Hour {
			others[a.to] = true
		}
		if a.number == m.number && a.to == m.to {
			pair = append(pair, a.at)
		}
	}
	switch {
	case inSecond >= o.MPS:
		return "throughput"
	case o.Tier > 0 && !others[m.to] && len(others) >= o.Tier:
		return "messaging"
	case !pairAllows(o.PairModel, pair, m.at):
		return "pair"
	}
	return ""
}

// pairAllows reads the rule from a pair's accepted messages, by walking its debt from the first to the last.
func pairAllows(model string, sent []time.Duration, at time.Duration) bool {
	const interval = 6 * time.Second
	var debt, last, first time.Duration
	inBurst := 0
	for _, s := range append(sent, at) {
		if debt = max(0, debt-(s-last)); debt == 0 {
			first, inBurst = s, 0
		}
		last, inBurst = s, inBurst+1
		debt += interval
	}
	before := debt - interval // what the message found
	switch model {
	case emulator.Bucket45:
		return before <= 44*interval
	case emulator.Strict:
		return before == 0 || at-first < interval && inBurst-1 < 45
	}
	return before == 0
}

func TestEveryVerdictIsDeserved(t *testing.T) {
	models := []string{emulator.Strict, emulator.Bucket45, emulator.Spaced}
	seen := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		o := emulator.Options{
			PairModel: rapid.SampledFrom(models).Draw(rt, "model"),
			MPS:       rapid.SampledFrom([]int{2, 5, 200}).Draw(rt, "mps"),
			Tier:      rapid.SampledFrom([]int{0, 2, 3}).Draw(rt, "tier"),
		}
		r := newRig(o)
		gaps := rapid.SampledFrom([]time.Duration{0, time.Millisecond, 40 * time.Millisecond, 333 * time.Millisecond, time.Second,
			6*time.Second - time.Millisecond, 6 * time.Second, 30 * time.Second, 4 * time.Minute, 11 * time.Hour})
		steps := rapid.SliceOfN(gaps, 1, 150).Draw(rt, "gaps")
		people := rapid.IntRange(1, 5).Draw(rt, "people")
		var history []accepted
		var at time.Duration
		for i, gap := range steps {
			at += gap * time.Duration(rapid.IntRange(0, 1).Draw(rt, "moves"))
			m := accepted{fmt.Sprint(rapid.IntRange(1, 2).Draw(rt, "number")), fmt.Sprintf("+551198765432%d", rapid.IntRange(1, people).Draw(rt, "person")), at}
			want := recount(o, history, m)
			before := r.Ledger()
			got := map[int]string{0: "", 130429: "throughput", 131048: "messaging", 131056: "pair"}[code(t, r.at(at).RoundTripper(), m.number, textBody(m.to, ""))]
			seen[got]++
			if got != want {
				rt.Fatalf("message %d %+v: refused by %q, the recount says %q", i, m, got, want)
			}
			if want == "" {
				history = append(history, m)
			} else if r.Ledger().Refused[want] != before.Refused[want]+1 {
				rt.Fatalf("message %d: the ledger does not count a refusal by %s", i, want)
			}
		}
		if r.Ledger().Accepted != len(history) {
			rt.Fatalf("ledger has %d accepted, the history %d", r.Ledger().Accepted, len(history))
		}
	})
	for _, by := range []string{"", "throughput", "messaging", "pair"} {
		if seen[by] == 0 {
			t.Errorf("no schedule led to a verdict of %q", by)
		}
	}
}

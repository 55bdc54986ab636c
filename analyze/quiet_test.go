package analyze

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestSparing holds that facts which are given up as they are joined are either not missed, or said to be needed again.
func TestSparing(t *testing.T) {
	spent, same := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := logOf(anyEvents().Draw(t, "events")...)
		l.sources = []Source{{Path: "a"}, {Path: "b"}, {Path: "c"}}
		want, err := Analyze(l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		g := Ledger{once: true, sparing: true}
		if err := g.Read(l); err != nil {
			t.Fatal(err)
		}
		got, err := g.Analyze(l, Options{})
		switch {
		case errors.Is(err, errSpent):
			spent++
		case err != nil:
			t.Fatal(err)
		default:
			same++
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("another report (-kept +given up):\n%s", diff)
			}
		}
	})
	if spent == 0 || same == 0 {
		t.Errorf("%d times the facts were needed again, %d times not: this test proves nothing", spent, same)
	}
}

// TestQuietIsCounted holds that people who were never refused count alike, whether only their sends are kept or everything.
func TestQuietIsCounted(t *testing.T) {
	quiet, pairs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) Fact {
			return Fact{
				Kind:      rapid.SampledFrom([]Kind{Sent, Sent, Sent, Sent, Delivered, Accepted, Attempt, Failed}).Draw(t, "kind"),
				Number:    uint16(rapid.IntRange(0, 2).Draw(t, "number")),
				Recipient: rapid.SampledFrom([]uint64{12025550111, 12025550112, 12025550113, 552080000101, 5520980000101, 1 << 48}).Draw(t, "recipient"),
				Message:   rapid.Uint64Range(0, 80).Draw(t, "message"),
				At:        1795165200000 + rapid.Int64Range(0, 40_000).Draw(t, "ms")/1000*rapid.SampledFrom([]int64{1000, 999}).Draw(t, "unit"),
				Until:     time.Second,
				Code:      rapid.SampledFrom([]int{0, 0, 0, 0, 0, 0, 131056, 131026, 130429}).Draw(t, "code"),
				Place:     Place{rapid.IntRange(0, 1).Draw(t, "file"), rapid.IntRange(0, 200).Draw(t, "line")},
			}
		})
		facts := rapid.SliceOfN(one, 0, 60).Draw(t, "facts")
		var sums []tally
		var peaks []*int
		for _, whole := range []bool{false, true} {
			var l Ledger
			l.Number([]byte("990000000000001"))
			l.Number([]byte("990000000000002"))
			for _, f := range facts {
				l.Add(f)
			}
			j := l.join(Options{}.meaning(logOf()), whole)
			sum, kept := j.timelines(!whole, func(_ timeline, failed, _ bool) bool { return failed })
			sums, peaks = append(sums, sum), append(peaks, j.peak(1))
			for _, s := range j.quiet {
				for i := range s.lists {
					quiet += s.lists[i].count
				}
			}
			pairs += len(kept)
		}
		if diff := cmp.Diff(sums[1], sums[0], cmp.AllowUnexported(tally{})); diff != "" {
			t.Fatalf("other sums (-whole +quiet):\n%s", diff)
		}
		if diff := cmp.Diff(peaks[1], peaks[0]); diff != "" {
			t.Fatalf("another peak (-whole +quiet):\n%s", diff)
		}
	})
	if quiet == 0 || pairs == 0 {
		t.Errorf("%d quiet sends beside %d pairs: this test proves nothing", quiet, pairs)
	}
}

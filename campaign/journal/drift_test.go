package journal

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

func TestCompare(t *testing.T) {
	w := newScene(t, 2000)
	same := w.plan
	changed := testPlan(w.c.UID, 2000, func(i int) string { return fmt.Sprint("hello ", i, map[bool]string{true: "!"}[i%1000 == 7]) })
	moved := slices.Clone(same)
	moved[3].NumberID = "other number"
	shuffled := slices.Clone(same)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	stranger := person(w.c.UID, 0, 447900900123, "hi")
	tests := []struct {
		name string
		file []Planned
		want Drift
	}{
		{"same", same, Drift{Same: 2000}},
		{"empty file", nil, Drift{Gone: 2000}},
		{"two texts changed", changed, Drift{Changed: 2, Same: 1998}},
		{"another sending number", moved, Drift{Changed: 1, Same: 1999}},
		{"new first", slices.Insert(slices.Clone(same), 0, stranger), Drift{New: 1, Same: 2000}},
		{"new in the middle", slices.Insert(slices.Clone(same), 900, stranger), Drift{New: 1, Same: 2000}},
		{"new last", append(slices.Clone(same), stranger), Drift{New: 1, Same: 2000}},
		{"first gone", same[1:], Drift{Gone: 1, Same: 1999}},
		{"last gone", same[:1999], Drift{Gone: 1, Same: 1999}},
		{"shuffled", shuffled, Drift{Same: 2000}},
		{"halves swapped, one gone", append(slices.Clone(same[1000:]), same[:999]...), Drift{Gone: 1, Same: 1999}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := must[Drift](t)(w.Compare(t.Context(), w.c, sequence(tt.file)))
			wantDiff(t, "Drift", tt.want, got)
			if got.Any() != (tt.want != Drift{Same: 2000}) {
				t.Errorf("Any = %v", got.Any())
			}
		})
	}
	if _, err := w.Compare(t.Context(), w.c, sequence(append(slices.Clone(same), same[5]))); err == nil {
		t.Error("Compare took a message that comes twice")
	}
}

func TestUpdate(t *testing.T) {
	w := newScene(t, 6)
	ctx := t.Context()
	w.send(0, campaign.Sent, accepted)
	w.send(1, campaign.Failed, refusal(outcome.RecipientFailed, 131026))
	w.send(2, campaign.Uncertain, campaign.Answer{Class: outcome.Uncertain})
	file := testPlan(w.c.UID, 5, func(i int) string { return fmt.Sprint("corrected ", i) })
	stranger := person(w.c.UID, 0, 447900900123, "hi")
	stranger.Line = 2
	file = append([]Planned{stranger}, file...) // 5 is gone, a stranger comes first
	c := w.c
	c.ContentHash, c.Skipped = "new", map[string]int{"duplicate": 1}

	got := must[Drift](t)(w.run.Update(ctx, c, sequence(file)))
	wantDiff(t, "Drift", Drift{New: 1, Changed: 5, Gone: 1}, got)
	wantDiff(t, "Drift afterwards", Drift{Same: 6}, must[Drift](t)(w.Compare(ctx, w.c, sequence(file))))
	n := w.counts()
	wantDiff(t, "Counts", Counts{Messages: 7, Sent: 1, Failed: 1, Uncertain: 1, Pending: 3, Skipped: 1, ByCode: map[int]int{131026: 1},
		FirstLeft: n.FirstLeft, LastLeft: n.LastLeft}, n)
	if c, _, _ := w.Find(ctx, home, "spring"); c.ContentHash != "new" || c.UID != w.c.UID {
		t.Errorf("Find = %+v, want the new hash and the old uid", c)
	}

	// Old ones keep their positions, the new one comes last; what is still to go says the new text.
	stranger.Seq = 6
	want := []campaign.Step{file[3].Step, file[4].Step, file[5].Step, stranger.Step}
	wantDiff(t, "steps that may go", want, must[[]campaign.Step](t)(w.run.Steps(ctx, []int{2, 3, 4, 6})))
	var waiting []uint32
	for _, p := range must[[]Waiting](t)(w.Pending(ctx, w.c)) {
		waiting = append(waiting, p.Seq)
	}
	wantDiff(t, "pending", []uint32{3, 4, 6}, waiting)
	for _, seq := range []int{0, 1, 5} {
		if steps, err := w.run.Steps(ctx, []int{seq}); err == nil {
			t.Errorf("step %d can be sent again: %+v", seq, steps)
		}
	}

	// Who comes back to the file is new again, in the old place.
	back := append(slices.Clone(file), w.plan[5])
	wantDiff(t, "Drift with one back", Drift{New: 1, Same: 6}, must[Drift](t)(w.run.Update(ctx, c, sequence(back))))
	if n := w.counts(); n.Messages != 8 || n.Pending != 4 {
		t.Errorf("counts = %+v, want 8 messages, 4 pending", n)
	}
	wantDiff(t, "the one that came back", []campaign.Step{w.plan[5].Step}, must[[]campaign.Step](t)(w.run.Steps(ctx, []int{5})))

	before := w.counts()
	if _, err := w.run.Update(ctx, c, sequence(append(back, stranger, person(w.c.UID, 0, 4480, "x"), person(w.c.UID, 0, 4480, "x")))); err == nil {
		t.Error("Update took messages that come twice")
	}
	wantDiff(t, "counts after a refused Update", before, w.counts())
}

// However a file is cut, shuffled and added to, Compare counts as a plain map would.
func TestCompareLikeAMap(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "state.db"))
	w := sceneIn(t, s, "spring", 300)
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.Permutation(rapid.SliceOfNDistinct(rapid.IntRange(0, 320), 0, 320, rapid.ID).Draw(t, "who")).Draw(t, "order")
		if rapid.Bool().Draw(t, "sorted") {
			slices.Sort(order)
		}
		var file []Planned
		var want Drift
		for _, i := range order {
			p := person(w.c.UID, i, 5511900000000+i, fmt.Sprint("hello ", i))
			switch {
			case i >= 300:
				want.New++
			case i%7 == 3:
				p.Message.Text += "!"
				want.Changed++
			default:
				want.Same++
			}
			file = append(file, p)
		}
		want.Gone = 300 - want.Same - want.Changed
		got, err := s.Compare(t.Context(), w.c, sequence(file))
		if err != nil || got != want {
			t.Fatalf("Compare = %+v, %v; want %+v", got, err, want)
		}
	})
}

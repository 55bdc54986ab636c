package journal

import (
	"testing"

	"github.com/wactl/wactl/campaign"
)

// TestNumbersOfPairs holds that the state tells which number writes to whom, the latest campaign's where several do, and which sends each step
// that is still to go.
func TestNumbersOfPairs(t *testing.T) {
	w := newScene(t, 4)
	ctx := t.Context()
	const other = "2002"
	plan := testPlan(w.c.UID, 4, nil)
	plan[1].NumberID = other
	must[Drift](t)(w.run.Update(ctx, w.c, sequence(plan)))
	w.send(0, campaign.Sent, accepted)
	wantDiff(t, "PairNumbers", map[uint64]string{5511900000000: home.NumberID, 5511900000001: other, 5511900000002: home.NumberID, 5511900000003: home.NumberID},
		must[map[uint64]string](t)(w.PairNumbers(ctx, home, Campaign{})))
	steps := must[map[uint32]string](t)(w.PendingNumbers(ctx, w.c))
	wantDiff(t, "PendingNumbers", []string{"", other, home.NumberID}, []string{steps[0], steps[1], steps[2]})

	// Another campaign gives a pair to another number: that one is known from then on, but not to the first campaign.
	uid := NewUID()
	later := testPlan(uid, 1, nil)
	later[0].NumberID = other
	must[Campaign](t)(w.Create(ctx, Campaign{Target: home, Name: "later", UID: uid}, sequence(later)))
	if got := must[map[uint64]string](t)(w.PairNumbers(ctx, home, Campaign{}))[5511900000000]; got != other {
		t.Errorf("the pair is with %q, want the later campaign's", got)
	}
	if got := must[map[uint64]string](t)(w.PairNumbers(ctx, home, w.c))[5511900000000]; got != home.NumberID {
		t.Errorf("to the first campaign the pair is with %q, want its own", got)
	}
	for number, want := range map[string]bool{home.NumberID: false, other: true, "3003": false} {
		at, shared, err := w.SharedWith(ctx, Target{home.Provider, home.BaseURL, number}, w.c.Name)
		if err != nil || shared != want || shared && at != home.NumberID {
			t.Errorf("number %s shares the campaign: %v under %q, %v; want %v", number, shared, at, err, want)
		}
	}

	elsewhere := home
	elsewhere.BaseURL = "https://elsewhere.example"
	wantDiff(t, "PairNumbers elsewhere", map[uint64]string{}, must[map[uint64]string](t)(w.PairNumbers(ctx, elsewhere, Campaign{})))
}

package forecast

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestNeverIdle holds that the loop leaves no slot unused where the counting says so, and that the counting often says so.
func TestNeverIdle(t *testing.T) {
	var sure, unsure int
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		d.limits.Numbers = d.limits.Numbers[:1]
		for i := range d.items {
			d.items[i].Number = 0
		}
		d.limits.Pair.Interval = time.Duration(rapid.SampledFrom([]int{50, 500, 6000}).Draw(t, "interval in ms")) * time.Millisecond
		f := d.forecast()
		pace := d.limits.Numbers[0].Throughput.Pace
		s := shapeOf(d.load(), 1)
		gap := pace.Gap()
		if !neverIdle(s.people(0), gap, d.limits.Pair.Interval+d.latency) || d.latency > 80*gap {
			unsure++
			return
		}
		sure++
		if want := time.Duration(len(d.items)-1)*gap + d.latency; f.Duration() != want {
			t.Fatalf("takes %v, one message after the other %v", f.Duration(), want)
		}
	})
	if sure == 0 || unsure == 0 {
		t.Errorf("sure of %d campaigns, unsure of %d", sure, unsure)
	}
}

// TestNeverIdleByHand counts slots by hand, at a hold of three slots.
func TestNeverIdleByHand(t *testing.T) {
	for _, tc := range []struct {
		people tally
		hold   time.Duration
		want   bool
	}{
		{tally{0, 5}, 3, true},        // one each
		{tally{0, 0, 3}, 3, true},     // three twice: each comes again in time
		{tally{0, 0, 2}, 3, false},    // two twice: the third slot is nobody's
		{tally{0, 1, 2}, 3, true},     // a single one fills it
		{tally{0, 0, 0, 1}, 3, false}, // one three times
		{tally{0, 4, 0, 1}, 3, true},  // and four beside
		{tally{0, 3, 0, 1}, 3, false}, // and three
		{tally{0, 0, 0, 1}, 1, true},  // each answer is there before the next slot
		{tally{0, 0, 0, 1}, 0, true},
	} {
		if got := neverIdle(append(tally(nil), tc.people...), 1, tc.hold); got != tc.want {
			t.Errorf("%v with a hold of %d: %v", tc.people, tc.hold, got)
		}
	}
}

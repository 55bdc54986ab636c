package analyze

import "testing"

// TestStormsShareTheirSends holds that a pair that is refused over and over takes memory by its sends, not by sends times refusals.
func TestStormsShareTheirSends(t *testing.T) {
	var events []Event
	const sends, every = 2400, 4 // so many sends in ten minutes, and a refusal after every fourth
	for i := range sends {
		s := float64(i) / 4
		events = append(events, accepted(s)...)
		if i%every == every-1 {
			events = append(events, refusal(s+0.1, 131056))
		}
	}
	r, err := Analyze(logOf(events...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	held, listed := map[*Send]bool{}, 0
	for _, f := range r.Failures {
		if f.Burst == nil {
			continue
		}
		for i := range f.Burst.Sends {
			held[&f.Burst.Sends[i]] = true
			listed++
			if i > 0 && f.Burst.Sends[i].At.Before(f.Burst.Sends[i-1].At.Time) {
				t.Fatalf("the sends before %s are out of order", f.At)
			}
		}
		last := f.Burst.Sends[len(f.Burst.Sends)-1]
		if !last.At.Equal(f.Burst.Last.Time) || last.At.After(f.At.Time) {
			t.Fatalf("the list before %s ends with %s, the burst with %s", f.At, last.At, f.Burst.Last)
		}
	}
	if len(r.Failures) != sends/every || listed < 100*sends {
		t.Fatalf("%d failures list %d sends: no storm", len(r.Failures), listed)
	}
	if len(held) > 8*sends {
		t.Errorf("%d sends are held for the %d that there are", len(held), sends)
	}
}

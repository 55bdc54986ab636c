package analyze

import (
	"slices"
	"testing"
	"time"
)

func TestVerdicts(t *testing.T) {
	const statuses = true
	for _, tt := range []struct {
		name     string
		sends    []float64
		statuses bool
		at       float64
		verdict  string
		count    int
		first    float64
		clear    float64
		early    float64
		debt     float64
		unseen   int // strict's, 0 where it explains
		bucket   int // bucket45's, 0 where it explains
	}{
		{"twenty at once, as in the published example", every(20, 0, 0.1), false, 90, "explained", 20, 0, 120, 30, 5, 0, 40},
		{"a millisecond before", every(20, 0, 0.1), false, 119.999, "explained", 20, 0, 120, 0.001, 0, 0, 44},
		{"over, but not counted from the last message", every(20, 0, 0.25), false, 122, "explained", 20, 0, 120, 0, 0, 1, 45},
		{"over by that count too", every(20, 0, 0.25), false, 124.75, "unexplained", 0, 0, 0, 0, 0, 1, 45},
		{"at most six seconds later", []float64{0, 5, 10, 15, 20}, false, 36, "unexplained", 0, 0, 0, 0, 0, 2, 45},
		{"clear at the instant itself", []float64{0}, false, 6, "unexplained", 0, 0, 0, 0, 0, 1, 45},
		{"within the second of statuses", []float64{0}, statuses, 6, "explained", 1, 0, 6, 0, 0, 1, 45},
		{"beyond the second of statuses", []float64{0}, statuses, 7, "unexplained", 0, 0, 0, 0, 0, 1, 45},
		{"a duplicate at once", []float64{0}, false, 0.3, "explained", 1, 0, 6, 5.7, 0.95, 1, 44},
		{"two in five seconds", []float64{0, 5}, statuses, 11, "explained", 2, 0, 12, 1, 0.167, 0, 44},
		{"only the open burst", append(every(10, 0, 0.5), 60, 61), false, 62, "explained", 2, 60, 72, 10, 1.667, 43, 43},
		{"a debt that grew", every(8, 0, 4), false, 34, "explained", 8, 0, 48, 14, 2.333, 0, 42},
		{"the 46th", every(45, 0, 0.05), false, 2.25, "explained", 45, 0, 270, 267.75, 44.625, 0, 0},
		{"nothing before", nil, false, 60, "unexplained", 0, 0, 0, 0, 0, 2, 45},
		{"what comes later does not count", []float64{0, 1, 100}, false, 10, "explained", 2, 0, 12, 2, 0.333, 0, 44},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events := accepted(tt.sends...)
			if tt.statuses {
				events = with(events, func(_ int, e *Event) { e.Kind, e.Until = Sent, time.Second })
			}
			f := only(t, analyzed(t, Options{}, append(events, refusal(tt.at, 131056))...))
			if f.Verdict != tt.verdict || (f.Burst == nil) != (tt.verdict == "unexplained") {
				t.Fatalf("%s with burst %v, want %s; %q", f.Verdict, f.Burst, tt.verdict, f.Evidence)
			}
			if f.Burst != nil {
				checkBurst(t, f, tt.count, sec(tt.first), sec(tt.clear), tt.early)
			} else if f.ClearAt != nil || f.EarlyBy != nil || f.Pattern != "unexplained" || f.MissingSends != tt.unseen {
				t.Errorf("clear %v, early %v, pattern %s, missing %d", f.ClearAt, f.EarlyBy, f.Pattern, f.MissingSends)
			}
			checkReading(t, "strict", f.Readings.Strict, tt.unseen)
			checkReading(t, "bucket45", f.Readings.Bucket45, tt.bucket)
			if got := *f.Readings.Bucket45.DebtAtFailure; got != tt.debt {
				t.Errorf("debt %v, want %v", got, tt.debt)
			}
		})
	}
}

func checkBurst(t *testing.T, f Failure, count int, first, clear time.Time, early float64) {
	t.Helper()
	if f.Burst.Count != count || !f.Burst.First.Equal(first) || len(f.Burst.Sends) != count || !f.Burst.Sends[count-1].At.Equal(f.Burst.Last.Time) {
		t.Errorf("burst %d from %s to %s with %d listed, want %d from %s", f.Burst.Count, f.Burst.First, f.Burst.Last, len(f.Burst.Sends), count, first)
	}
	if !f.ClearAt.Equal(clear) || *f.EarlyBy != early || f.MissingSends != 0 {
		t.Errorf("clear at %s, early by %v, missing %d; want %s, %v, 0", f.ClearAt, *f.EarlyBy, f.MissingSends, clear, early)
	}
	for _, s := range f.Burst.Sends {
		if s.Line == 0 || s.Path == "" || s.MessageID == nil {
			t.Errorf("a send without its place: %+v", s)
		}
	}
}

func checkReading(t *testing.T, name string, v ReadingVerdict, unseen int) {
	t.Helper()
	got := 0
	if v.UnseenSends != nil {
		got = *v.UnseenSends
	}
	if v.Explains != (unseen == 0) || got != unseen {
		t.Errorf("%s: explains %v, unseen %d; want %v, %d", name, v.Explains, got, unseen == 0, unseen)
	}
}

func TestContradictions(t *testing.T) {
	events := append(accepted(0, 1, 2, 9, 10, 11), refusal(18, 131056))
	r := analyzed(t, Options{}, events...)
	f := only(t, r)
	if got := f.Readings.Strict.ContradictedBy; got == nil || !got.Equal(sec(9)) {
		t.Errorf("strict is contradicted at %v, want %s", got, sec(9))
	}
	if f.Readings.Bucket45.ContradictedBy != nil {
		t.Errorf("bucket45 is contradicted at %s, and lends all of it", f.Readings.Bucket45.ContradictedBy)
	}
	want := SummaryReadings{Strict: ReadingCount{Right: 1, Contradicted: 3}}
	if r.Summary.Readings != want {
		t.Errorf("readings %+v, want %+v", r.Summary.Readings, want)
	}
}

// TestUnseenBurstIsLeast holds the estimate against a search over every millisecond of the last minute.
func TestUnseenBurstIsLeast(t *testing.T) {
	for _, sends := range [][]float64{{}, {0}, {0, 3}, {0, 1, 2, 3}, {0, 30}, {-100, -50, 0}} {
		for _, after := range []float64{0.1, 2, 5.9, 30, 61} {
			last := 0.0
			if len(sends) > 0 {
				last = sends[len(sends)-1]
			}
			var seen []*fact
			for _, s := range sends {
				f := Fact{Kind: Accepted, At: sec(s).UnixMilli()}.pack(0)
				seen = append(seen, &f)
			}
			at := instantOf(sec(last + after).UnixMilli())
			if got, want := unseenBurst(seen, at), leastUnseen(sends, last+after); (got == nil) != (want == 0) || got != nil && *got != want {
				t.Errorf("sends %v, refusal at %v: %v, want %d", sends, last+after, got, want)
			}
		}
	}
}

// leastUnseen counts in milliseconds what the strict reading says, in words other than the code's.
func leastUnseen(sends []float64, at float64) int {
	ms := func(s float64) int { return int(s*1000 + 100_000_000.5) }
	for k := 1; k <= 45; k++ {
		for start := ms(at) - 60_000; start <= ms(at); start++ {
			if strictRefuses(sends, ms, start, k, ms(at)) {
				return k
			}
		}
	}
	return 0
}

func strictRefuses(sends []float64, ms func(float64) int, start, k, at int) bool {
	times := slices.Repeat([]int{start}, k)
	for _, s := range sends {
		times = append(times, ms(s))
	}
	slices.Sort(times)
	opened, closed, n := 0, 0, 0
	may := func(t int) bool { return t >= closed || t-opened < 6000 && n < 45 }
	for _, t := range times {
		if !may(t) {
			return false // the log shows that it was accepted
		}
		if t >= closed {
			opened, closed, n = t, t, 0
		}
		closed += 6000
		n++
	}
	return !may(at)
}

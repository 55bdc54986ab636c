package analyze

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/ratelimit"
	"pgregory.net/rapid"
)

func whatIf(t *testing.T, change string, events ...Event) Replay {
	t.Helper()
	l := logOf(events...)
	var g Ledger
	if err := g.Read(l); err != nil {
		t.Fatal(err)
	}
	r, err := g.WhatIf(l, Options{}, change)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWhatIf(t *testing.T) {
	retried := texts(slices.Concat(accepted(every(20, 0, 0.1)...), []Event{refusal(30, 131056), refusal(31, 131056), refusal(33, 131056)}),
		append(counter(20, "piece %d of it"), "again", "again", "again")...)
	doubled := append(detailed(accepted(0, 0.1, 0.2, 0.3), func(_ int, d *Detail) { d.Campaign, d.Template = "c", "t" }), refusal(10, 131056))
	for _, tt := range []struct {
		name, change          string
		events                []Event
		logged, before, after int
		dropped, tries        int
		delay                 float64
	}{
		{"a ladder that is too short, spaced", "gap=6s", retried, 3, 3, 0, 2, 0, 112.1},
		{"and by 4^X", "retry=4^x", retried, 3, 3, 5, 2, 5, 341}, // after 1, 4, 16, 64 and 256 s
		{"and in one queue", "one-queue", retried, 3, 3, 0, 2, 0, 112.1},
		{"and without doubles", "dedupe", retried, 3, 3, 3, 0, 0, 0},
		{"double rows", "dedupe", doubled, 1, 1, 0, 3, 0, 0},
		{"double rows, a second apart", "gap=1s", doubled, 1, 1, 1, 0, 0, 2.7},
		{"nothing wrong", "dedupe", accepted(0, 10, 20), 0, 0, 0, 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := whatIf(t, tt.change, tt.events...)
			got := Replay{Logged: r.Logged, Before: r.Before, After: r.After, Dropped: r.Dropped, Tries: r.Tries, LongestDelay: r.LongestDelay}
			want := Replay{Logged: tt.logged, Before: tt.before, After: tt.after, Dropped: tt.dropped, Tries: tt.tries, LongestDelay: tt.delay}
			if got != want {
				t.Errorf("%+v\nwant %+v", got, want)
			}
			if r.Version != 1 || r.Change != tt.change || r.Means == "" {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestChangesThatAreNone(t *testing.T) {
	for _, change := range []string{"", "gap", "gap=", "gap=-1s", "gap=fast", "retry", "retry=2^x", "dedupe=1", "faster"} {
		var g Ledger
		_, err := g.WhatIf(logOf(), Options{}, change)
		hinted, ok := err.(interface{ Hint() string })
		if !ok || !strings.Contains(hinted.Hint(), "dedupe, gap=6s, retry=4^x, one-queue") {
			t.Errorf("%q: %v", change, err)
		}
	}
}

// traffic makes sends to one pair at random, judged by a limit.
func traffic(t *rapid.T, p ratelimit.Pair, n int) (events []Event) {
	var s ratelimit.PairState
	at := day
	for i := range n {
		at = at.Add(time.Duration(rapid.SampledFrom([]int{50, 200, 900, 1700, 3100, 4300, 5900, 30_000}).Draw(t, "gap")) * time.Millisecond)
		e := Event{Kind: Accepted, At: at, Number: someNumber, Recipient: someone, MessageID: wamid(i)}
		if now := ratelimit.At(at); p.Earliest(s, now) > now {
			e.Kind, e.Code, e.MessageID = Refused, 131056, ""
		} else {
			s = p.Charge(s, now)
		}
		events = append(events, e)
	}
	return events
}

// TestCalibrateFindsTheLimit makes traffic under limits of our own and wants them back, within the bounds that are given.
func TestCalibrateFindsTheLimit(t *testing.T) {
	for _, p := range []ratelimit.Pair{
		strict,
		{Reading: ratelimit.Strict, Interval: 4 * time.Second, Burst: 10},
		{Reading: ratelimit.Bucket45, Interval: 3 * time.Second, Burst: 8},
		{Reading: ratelimit.Bucket45, Interval: 6 * time.Second, Burst: 45},
	} {
		t.Run(string(p.Reading)+" "+p.Interval.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				l := logOf(traffic(t, p, 250)...)
				var g Ledger
				if err := g.Read(l); err != nil {
					t.Fatal(err)
				}
				c, err := g.Calibrate(l, Options{})
				if err != nil {
					t.Fatal(err)
				}
				checkFit(t, c, p)
			})
		})
	}
}

func checkFit(t *rapid.T, c Calibration, p ratelimit.Pair) {
	if c.Fit.Contradicted != 0 && c.Reading == string(p.Reading) || c.Accepted+c.Refused == 0 {
		t.Fatalf("%+v does not fit %+v", c, p)
	}
	if c.Inconclusive || c.Reading != string(p.Reading) {
		return // what was drawn does not tell the readings apart
	}
	want := p.Interval.Seconds()
	if c.IntervalMin != nil && *c.IntervalMin > want+0.1 && c.Burst == p.Burst || c.IntervalMax != nil && *c.IntervalMax < want-0.1 && c.Burst == p.Burst {
		t.Fatalf("%v s is not within %v and %v", want, *c.IntervalMin, *c.IntervalMax)
	}
}

func TestCalibrate(t *testing.T) {
	l := logOf(append(accepted(every(20, 0, 0.1)...), append(with([]Event{refusal(90, 131056), refusal(119.9, 131056)}, func(int, *Event) {}), at(120, Accepted, wamid(1)))...)...)
	var g Ledger
	if err := g.Read(l); err != nil {
		t.Fatal(err)
	}
	c, err := g.Calibrate(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Reading != "strict" || c.Interval != 6 || *c.IntervalMin != 6 || *c.IntervalMax != 6 || *c.BurstMin != 20 || c.BurstMax != nil || c.Inconclusive {
		t.Errorf("%+v, interval %v to %v, burst from %v", c, *c.IntervalMin, *c.IntervalMax, *c.BurstMin)
	}
	if c.Published.Strict != (ReadingCount{Right: 2}) || c.Published.Bucket45 != (ReadingCount{}) || c.Spaced.Contradicted != 19 || c.Accepted != 21 || c.Refused != 2 {
		t.Errorf("%+v", c)
	}
}

func TestCalibrateWithoutRefusals(t *testing.T) {
	l := logOf(accepted(0, 1, 20)...)
	var g Ledger
	if err := g.Read(l); err != nil {
		t.Fatal(err)
	}
	if c, err := g.Calibrate(l, Options{}); err != nil || !c.Inconclusive || c.Interval != 6 || c.Burst != 45 || len(c.Notes) == 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

package report

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2020, 3, 2, 12, 0, 0, 0, time.UTC)

func at(seconds ...float64) (all []time.Time) {
	for _, s := range seconds {
		all = append(all, noon.Add(time.Duration(s*float64(time.Second))))
	}
	return all
}

func TestDebt(t *testing.T) {
	for name, c := range map[string]struct {
		sends []time.Time
		want  time.Duration
	}{
		"nothing":          {nil, 0},
		"one":              {at(0), 6 * time.Second},
		"two at once":      {at(0, 0), 12 * time.Second},
		"paid back":        {at(0, 6, 12), 6 * time.Second},
		"a second earlier": {at(0, 5, 10), 8 * time.Second},
	} {
		if got := (timeline{sends: c.sends, interval: 6 * time.Second}).highest(); got != c.want {
			t.Errorf("%s: %s owed, want %s", name, got, c.want)
		}
	}
}

func TestColumns(t *testing.T) {
	line := timeline{sends: at(0, 0, 4), refused: at(9), open: at(18)[0], interval: 6 * time.Second}.fitted()
	want := []column{
		{sends: 2, debt: 12 * time.Second}, {debt: 9 * time.Second}, {debt: 12 * time.Second}, {debt: 9 * time.Second}, {debt: 6 * time.Second}, {debt: 3 * time.Second, open: true},
	}
	want[1] = column{sends: 1, debt: 14 * time.Second}
	want[3].refused = 1
	if diff := cmp.Diff(want, line.columns(6), cmp.AllowUnexported(column{})); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

func TestFittedHoldsAll(t *testing.T) {
	line := timeline{refused: at(3)}.fitted()
	if !line.start.Equal(at(3)[0]) || line.end.Sub(line.start) != shortest {
		t.Errorf("one instant alone is drawn from %s to %s", line.start, line.end)
	}
	line = timeline{sends: at(5, 7), refused: at(1), open: at(60)[0]}.fitted()
	if !line.start.Equal(at(1)[0]) || !line.end.Equal(at(60)[0]) {
		t.Errorf("drawn from %s to %s", line.start, line.end)
	}
}

func TestMarksStandOnRoundLocalTimes(t *testing.T) {
	india := time.FixedZone("IST", 5*3600+1800)
	for name, c := range map[string]struct {
		span time.Duration
		want string
	}{
		"seconds": {10 * time.Second, "17:30:00 17:30:05 17:30:10"},
		"minutes": {4 * time.Minute, "17:30:00 17:32:00 17:34:00"},
		"hours":   {5 * time.Hour, "18:00:00 20:00:00 22:00:00"},
		"days":    {60 * time.Hour, "00:00:00 00:00:00 00:00:00"},
	} {
		var got []string
		for _, m := range (timeline{start: noon, end: noon.Add(c.span)}).marks(4, india) {
			got = append(got, m.In(india).Format(clockLayout))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", name, s, c.want)
		}
	}
}

func TestHillIsTheExactDebt(t *testing.T) {
	line := timeline{sends: at(0, 0, 10), interval: 6 * time.Second, open: at(18)[0]}.fitted()
	const want = "M0 86L0.0 86.0L0.0 63.0L0.0 63.0L0.0 40.0L277.8 78.3L277.8 55.3L500.0 86.0L500 86Z"
	if got := line.hill(nil); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[time.Duration]string{
		0: "0 s", 30102 * time.Millisecond: "30.1 s", 6 * time.Second: "6 s", 2 * time.Minute: "2 min", 158 * time.Second: "2 min 38 s",
		59960 * time.Millisecond: "1 min", 3*time.Hour + 12*time.Minute: "3 h 12 min", 48 * time.Hour: "2 d",
	} {
		if got := lasting(in); got != want {
			t.Errorf("lasting(%v) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := count(in); got != want {
			t.Errorf("count(%d) = %q, want %q", in, got, want)
		}
	}
	if got := tally(map[string]int{"a": 1, "b": 3, "c": 1}); got != "b 3, a 1, c 1" {
		t.Errorf("tally: %s", got)
	}
}

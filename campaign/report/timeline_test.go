package report

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

var nine = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func TestDraw(t *testing.T) {
	line := Timeline{From: nine, Width: time.Minute, Counts: []int{6, 3, 0, 1}, Marks: []Mark{
		{At: nine.Add(3 * time.Minute), Sign: 'w', Says: "a window"}, {At: nine.Add(time.Minute), To: nine.Add(3 * time.Minute), Sign: 'q', Says: "quiet"}}}
	want := `messages per minute
6 |#
  |#
  |#
  |##
  |##
  |## #
  +----
   09:00
      w
    qq
   w: a window
   q: quiet`
	if got := strings.Join(line.Draw(80, true), "\n"); got != want {
		t.Errorf("drawn\n%s\nwant\n%s", got, want)
	}
	line.Marks = nil
	if got := strings.Join(line.Draw(80, false)[1:7], "\n"); got != "6 |█\n  |█\n  |█\n  |██\n  |██\n  |██ █" {
		t.Errorf("drawn\n%s", got)
	}
	if got := (Timeline{From: nine, Width: time.Minute, Counts: []int{5}}).Draw(80, true); got != nil {
		t.Errorf("one stretch is drawn: %q", got)
	}
	if got := (Timeline{}).Draw(80, true); got != nil {
		t.Errorf("nothing is drawn: %q", got)
	}
}

// TestDrawFits wants every drawing to fit, every message to be seen, and plain ones to be ASCII.
func TestDrawFits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		line := Timeline{From: nine, Width: rapid.SampledFrom([]time.Duration{time.Minute, time.Hour, 24 * time.Hour}).Draw(rt, "width"),
			Counts: rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 1, 76, 4560, 57000}), 2, 3000).Draw(rt, "counts"),
			Marks:  []Mark{{At: nine.Add(time.Duration(rapid.IntRange(-50, 5000).Draw(rt, "mark")) * time.Minute), Sign: 'w', Says: "x"}}}
		line.Counts[0] = 1
		columns := rapid.SampledFrom([]int{40, 80, 160}).Draw(rt, "columns")
		for _, plain := range []bool{true, false} {
			drawn := line.Draw(columns, plain)
			for _, l := range drawn {
				if utf8.RuneCountInString(l) > columns {
					rt.Fatalf("%d characters, at most %d fit: %q", utf8.RuneCountInString(l), columns, l)
				}
				if plain && strings.ContainsFunc(l, func(r rune) bool { return r > '~' }) {
					rt.Fatalf("not ASCII: %q", l)
				}
			}
			foot := []rune(drawn[timelineHeight])
			counts, _ := line.columns(columns)
			bar := []rune(string(foot)[strings.IndexByte(string(foot), '|')+1:])
			for i, n := range counts {
				if seen := i < len(bar) && bar[i] != ' '; seen != (n > 0) {
					rt.Fatalf("column %d has %d messages, seen: %v", i, n, seen)
				}
			}
		}
	})
}

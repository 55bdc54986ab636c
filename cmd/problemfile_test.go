package cmd

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/wactl/wactl/normalize"
	faces "github.com/wactl/wactl/normalize/report"
)

// TestProblemsAreKeptWhole holds that what was kept is what is read, of any size, list by list, and without a round that was forgotten.
func TestProblemsAreKeptWhole(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringN(3*problemChunk/4, 2*problemChunk, -1))
	number := rapid.IntRange(0, 1<<40)
	problem := rapid.Custom(func(t *rapid.T) faces.Problem {
		p := faces.Problem{Line: number.Draw(t, "line"), Column: number.Draw(t, "column"), Char: number.Draw(t, "char"), Byte: number.Draw(t, "byte"),
			FirstLine: number.Draw(t, "first"), Header: text.Draw(t, "header"), Rule: rapid.OneOf(text, rapid.Just("duplicate")).Draw(t, "rule"), Value: text.Draw(t, "value"),
			Message: text.Draw(t, "message"), Recipient: text.Draw(t, "recipient"), Severity: rapid.SampledFrom(severities).Draw(t, "severity")}
		if rapid.Bool().Draw(t, "fix") {
			p.Fix = &normalize.Repair{Line: number.Draw(t, "at"), Char: number.Draw(t, "from"), Old: text.Draw(t, "old"), New: text.Draw(t, "new"), Row: rapid.Bool().Draw(t, "row")}
		}
		return p
	})
	rapid.Check(t, func(t *rapid.T) {
		file, err := newProblemFile()
		if err != nil {
			t.Fatal(err)
		}
		defer file.file.Close()
		var want []faces.Problem
		for _, path := range []string{"a.csv", "b.csv"} {
			var kept []faces.Problem
			for round := range rapid.IntRange(1, 2).Draw(t, "rounds") {
				file.begin(path, round > 0)
				kept = rapid.SliceOfN(problem, 0, 5).Draw(t, "problems")
				for i := range kept {
					kept[i].Path = path
					if err := file.add(kept[i]); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := file.end(); err != nil {
				t.Fatal(err)
			}
			want = append(want, kept...)
		}
		for range 2 {
			var got []faces.Problem
			for p, err := range file.all() {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, p)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatal(d)
			}
		}
		keep, at := rapid.IntRange(0, 2).Draw(t, "keep"), 0
		seen := map[[2]string]int{}
		for got, err := range file.brief(keep) {
			whole := want[at]
			kind := [2]string{whole.Rule, string(whole.Severity)}
			if seen[kind]++; seen[kind] > keep {
				whole = faces.Problem{Path: whole.Path, Rule: whole.Rule, Severity: whole.Severity}
			}
			if d := cmp.Diff(whole, got); err != nil || d != "" {
				t.Fatalf("problem %d in brief: error %v\n%s", at, err, d)
			}
			at++
		}
		if at != len(want) {
			t.Fatalf("%d problems in brief, want %d", at, len(want))
		}
	})
}

// TestProblemsThatAreCutOffAreAnError holds that a damaged file does not pass for fewer problems.
func TestProblemsThatAreCutOffAreAnError(t *testing.T) {
	file, err := newProblemFile()
	if err != nil {
		t.Fatal(err)
	}
	defer file.file.Close()
	file.begin("a.csv", false)
	if err := file.add(faces.Problem{Rule: "duplicate", Message: "same"}); err != nil {
		t.Fatal(err)
	}
	if err := file.end(); err != nil {
		t.Fatal(err)
	}
	file.segments[0].end--
	var failed error
	for _, err := range file.all() {
		failed = err
	}
	if failed == nil {
		t.Error("no error")
	}
}

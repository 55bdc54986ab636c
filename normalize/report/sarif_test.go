package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/normalize"
)

func manyProblems(n int) Report {
	return reportOf(nil, func(yield func(Problem, error) bool) {
		for i := range n {
			p := Problem{Path: "a.csv", Line: i + 2, Rule: "fixed-line", Severity: normalize.Warning, Message: "a landline"}
			if i == n-1 {
				p.Rule, p.Severity = "too-short", normalize.Error
			}
			if !yield(p, nil) {
				return
			}
		}
	})
}

// sarifRead is a SARIF file read back.
func sarifRead(t *testing.T, r Report, o Options) sarifRun {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(written(t, "sarif", r, o)), &log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0]
}

// The worst come first where not all have room, and the file says so.
func TestSARIFCap(t *testing.T) {
	run := sarifRead(t, manyProblems(mostResults+7), Options{})
	if len(run.Results) != mostResults || run.Results[0].RuleID != "too-short" {
		t.Errorf("%d results, the first %s", len(run.Results), run.Results[0].RuleID)
	}
	want := []sarifNotification{{"warning", sarifText{Text: "not all problems are here: these are the worst 5000 of 5007 (1 errors, 5006 warnings, 0 notes)"}}}
	if diff := cmp.Diff(want, run.Invocations[0].Notifications); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if whole := sarifRead(t, manyProblems(mostResults), Options{}); whole.Invocations[0].Notifications != nil {
		t.Error("a whole run says that it is not whole")
	}
}

func TestSARIFPlacesAndFixes(t *testing.T) {
	run := sarifRead(t, example(), Options{Numbers: Shown})
	byRule := map[string]sarifResult{}
	for _, r := range run.Results {
		byRule[r.RuleID] = r
	}
	if got := byRule["duplicate"].Related[0].Physical.Region.StartLine; got != 2 {
		t.Errorf("first line %d", got)
	}
	if got := *byRule["idd-prefix"].Locations[0].Physical.Region; got != (sarifRegion{StartLine: 5, StartColumn: 8}) {
		t.Errorf("place %v", got)
	}
	if byRule["mixed-countries"].Locations[0].Physical.Region != nil {
		t.Error("a problem of the whole file has a line")
	}
	for rule, want := range map[string]sarifReplacement{
		"idd-prefix": {sarifRegion{5, 8, 5, 23}, sarifText{Text: "+5511987654322"}},
		"duplicate":  {sarifRegion{4, 1, 5, 1}, sarifText{}},
	} {
		if diff := cmp.Diff(want, byRule[rule].Fixes[0].Changes[0].Replacements[0]); diff != "" {
			t.Errorf("%s: -want +got\n%s", rule, diff)
		}
	}
	if help := run.Tool.Driver.Rules[byRule["duplicate"].RuleIndex].Help.Markdown; !strings.Contains(help, "Why it matters") {
		t.Errorf("help %q", help)
	}
}

// A masked fix would write stars into the list.
func TestSARIFHidesFixesWithNumbers(t *testing.T) {
	run := sarifRead(t, example(), Options{})
	for _, r := range run.Results {
		if (r.Fixes != nil) != (r.RuleID == "duplicate") {
			t.Errorf("%s: fixes %v", r.RuleID, r.Fixes)
		}
	}
	if n := run.Invocations[0].Notifications; len(n) != 1 || !strings.HasPrefix(n[0].Message.Text, "1 fixes") {
		t.Errorf("notifications %v", n)
	}
}

func TestSARIFTextIsPlain(t *testing.T) {
	r := reportOf(nil, All(Problem{Path: "a b/ü:1.csv", Line: 2, Column: 1, Rule: "not-a-phone-number", Severity: normalize.Error, Value: "[x](https://evil.example) {0}", Message: "m"}))
	got := sarifRead(t, r, Options{}).Results[0]
	if want := `m: \[x\](https://evil.example) {{0}}`; got.Message.Text != want {
		t.Errorf("message %q, want %q", got.Message.Text, want)
	}
	if want := "a%20b/%C3%BC:1.csv"; got.Locations[0].Physical.Artifact.URI != want {
		t.Errorf("uri %q, want %q", got.Locations[0].Physical.Artifact.URI, want)
	}
}

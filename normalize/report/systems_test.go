package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/normalize"
)

// unescapeGitHub undoes the runner's escapes, in its order.
var unescapeGitHub = []string{"%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%"}

func TestGitHubEscapesRoundTrip(t *testing.T) {
	for _, h := range hostile {
		for _, escape := range []*strings.Replacer{messageText, property} {
			got := escape.Replace(h)
			if strings.ContainsAny(got, "\r\n") {
				t.Errorf("%q breaks its line", got)
			}
			for i := 0; i < len(unescapeGitHub); i += 2 {
				got = strings.ReplaceAll(got, unescapeGitHub[i], unescapeGitHub[i+1])
			}
			if got != h {
				t.Errorf("%.80q comes back as %.80q", h, got)
			}
		}
	}
}

func TestGitHubShowsTheWorstAndCountsTheRest(t *testing.T) {
	var all []Problem
	for i := range 30 {
		all = append(all, Problem{Path: "a|b.csv", Line: i + 2, Rule: "fixed-line", Severity: normalize.Warning, Message: "a landline"},
			Problem{Path: "a|b.csv", Line: i + 2, Rule: "plus-missing", Severity: normalize.Info, Message: "no plus"})
	}
	for i := range 3 {
		all = append(all, Problem{Path: "a|b.csv", Line: i + 40, Rule: "too-short", Severity: normalize.Error, Message: "short"})
	}
	r := reportOf([]File{{Path: "a|b.csv", Rows: 60, Recipients: 7}, {Path: "c.csv"}}, All(all...))
	text := written(t, "github", r, Options{})
	if e, w := strings.Count(text, "::error "), strings.Count(text, "::warning "); e != 3 || w != 10 {
		t.Errorf("%d errors and %d warnings are shown", e, w)
	}
	var b bytes.Buffer
	if err := WriteStepSummary(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"3 errors, 30 warnings and 30 notes in 60 rows with 7 recipients.\n",
		"The annotations show the first 3 errors and 10 warnings only.\n",
		"| [too-short](" + rulePages + "too-short.md) | error | 3 | ",
		"| [fixed-line](" + rulePages + "fixed-line.md) | warning | 30 | ",
		"- a&#124;b.csv: 60 rows, 7 recipients\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the summary lacks %q:\n%s", want, b.String())
		}
	}
}

func gitlabRead(t *testing.T, r Report) (all []gitlabIssue) {
	t.Helper()
	if err := json.Unmarshal([]byte(written(t, "gitlab", r, Options{})), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestGitLab(t *testing.T) {
	got := gitlabRead(t, example())
	want := [][3]string{{"duplicate", "minor", "4"}, {"idd-prefix", "info", "5"}, {"mixed-countries", "minor", "1"}, {"param-empty", "major", "6"}}
	for i, w := range want {
		if g := got[i]; g.CheckName != w[0] || g.Severity != w[1] || fmt.Sprint(g.Location.Lines.Begin) != w[2] || g.Location.Path != "list.csv" || g.Description == "" {
			t.Errorf("%+v, want %v", g, w)
		}
	}
}

// A row put in above changes no fingerprint, and no two problems share one.
func TestFingerprintsAreStableAndDistinct(t *testing.T) {
	problem := func(line int, value string) Problem {
		return Problem{Path: "a.csv", Line: line, Column: 1, Rule: "too-short", Severity: normalize.Error, Value: value}
	}
	before := gitlabRead(t, reportOf(nil, All(problem(2, "123"), problem(3, "123"), problem(4, "+55 11 96123-4567"))))
	after := gitlabRead(t, reportOf(nil, All(problem(2, "99"), problem(3, "123"), problem(4, "123"), problem(5, "+55 11 96123-4567"))))
	for i := range before {
		if before[i].Fingerprint != after[i+1].Fingerprint {
			t.Errorf("problem %d has another fingerprint", i)
		}
	}
	seen := map[string]bool{}
	for _, g := range after {
		if seen[g.Fingerprint] || len(g.Fingerprint) != 32 {
			t.Errorf("fingerprint %q", g.Fingerprint)
		}
		seen[g.Fingerprint] = true
	}
}

func TestJUnitFailsOn(t *testing.T) {
	for failOn, want := range map[FailOn]int{FailOnError: 1, FailOnWarning: 3, FailOnNever: 0} {
		text := written(t, "junit", example(), Options{FailOn: failOn})
		if got := strings.Count(text, "<failure "); got != want {
			t.Errorf("fail on %s: %d failures, want %d", failOns[failOn], got, want)
		}
		checkXML(t, text)
	}
	clean := written(t, "junit", reportOf([]File{{Path: "a.csv"}}, All()), Options{})
	if !strings.Contains(clean, `<testcase name="no problems" classname="a.csv">`) {
		t.Errorf("a clean list has no case that passes:\n%s", clean)
	}
	many := written(t, "junit", manyProblems(mostInCase+5), Options{})
	if !strings.Contains(many, "and 4 more") {
		t.Error("the rest of a case is not counted")
	}
}

func TestRDJSONL(t *testing.T) {
	var got []rdDiagnostic
	for line := range strings.Lines(written(t, "rdjsonl", example(), Options{Numbers: Shown})) {
		var d rdDiagnostic
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		got = append(got, d)
	}
	at := func(line, column int) rdPosition { return rdPosition{line, column} }
	end := func(line, column int) *rdPosition { p := at(line, column); return &p }
	for i, want := range []struct {
		severity string
		place    *rdRange
		fix      []rdSuggestion
	}{
		{"WARNING", &rdRange{at(4, 0), nil}, []rdSuggestion{{rdRange{at(4, 1), end(5, 1)}, ""}}},
		{"INFO", &rdRange{at(5, 9), nil}, []rdSuggestion{{rdRange{at(5, 9), end(5, 24)}, "+5511987654322"}}}, // bytes, not characters
		{"WARNING", nil, nil},
		{"ERROR", &rdRange{at(6, 1), nil}, nil},
	} {
		g := got[i]
		if diff := cmp.Diff(want.place, g.Location.Range); diff != "" || g.Severity != want.severity {
			t.Errorf("%d: severity %s, place -want +got\n%s", i, g.Severity, diff)
		}
		if diff := cmp.Diff(want.fix, g.Suggestions); diff != "" {
			t.Errorf("%d: -want +got\n%s", i, diff)
		}
	}
}

package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/normalize"
)

var testSalt = []byte("0123456789abcdef")

func problemOf(line int, rule, value, recipient string) Problem {
	return Problem{Path: "a.csv", Line: line, Column: 1, Rule: rule, Severity: normalize.Warning, Value: value, Recipient: recipient}
}

// reread is a baseline of problems after it was written and read.
func reread(t testing.TB, known ...Problem) Baseline {
	t.Helper()
	b := NewBaseline(testSalt)
	for _, p := range known {
		b.Add(p)
	}
	var text bytes.Buffer
	if err := b.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, p := range known {
		for _, secret := range []string{p.Value, p.Recipient} {
			if secret != "" && strings.Contains(text.String(), strings.TrimPrefix(secret, "+")) {
				t.Errorf("the file holds %q", secret)
			}
		}
	}
	b, err := ReadBaseline(&text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBaseline(t *testing.T) {
	b := reread(t, problemOf(2, "fixed-line", "+55 55 3221-1234", "+555532211234"), problemOf(3, "too-short", "123", ""), Problem{Path: "a.csv", Rule: "mixed-countries"})
	now := []Problem{
		problemOf(7, "fixed-line", "555532211234", "+555532211234"), // moved, and written in another way
		problemOf(8, "too-short", "123", ""),
		problemOf(9, "too-short", "123", ""), // one more than was known
		problemOf(10, "toll-free", "+55 55 3221-1234", "+555532211234"),
		{Path: "a.csv", Rule: "mixed-countries"},
		{Path: "b.csv", Rule: "mixed-countries"},
	}
	for range 2 { // ranging again begins again
		var lines []int
		for p, err := range b.New(All(now...)) {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, p.Line)
		}
		if len(lines) != 3 || lines[0] != 9 || lines[1] != 10 || lines[2] != 0 {
			t.Errorf("new in lines %v", lines)
		}
	}
	for range b.Empty().New(All(now[0])) {
		return
	}
	t.Error("an empty baseline knows a problem")
}

func TestZeroBaselineKnowsNothing(t *testing.T) {
	for range (Baseline{}).New(All(problemOf(1, "too-short", "1", ""))) {
		return
	}
	t.Error("a problem is known")
}

func TestBaselineTellsFaults(t *testing.T) {
	for p, err := range NewBaseline(testSalt).New(func(yield func(Problem, error) bool) { yield(Problem{}, errRead) }) {
		if !errors.Is(err, errRead) {
			t.Errorf("%v, error %v", p, err)
		}
	}
}

// Whatever is written to a baseline is known, in any order, and any problem beside it is new.
func TestBaselineProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.Custom(func(t *rapid.T) Problem {
			return problemOf(rapid.IntRange(1, 99).Draw(t, "line"), rapid.SampledFrom([]string{"too-short", "fixed-line"}).Draw(t, "rule"),
				rapid.StringMatching(`[0-9]{1,2}`).Draw(t, "value"), rapid.SampledFrom([]string{"", "+5511"}).Draw(t, "recipient"))
		})
		known := rapid.SliceOf(draw).Draw(t, "known")
		b := NewBaseline(testSalt)
		for _, p := range known {
			b.Add(p)
		}
		extra := draw.Draw(t, "extra")
		n := 0
		for range b.New(All(rapid.Permutation(append(known, extra)).Draw(t, "now")...)) {
			n++
		}
		if n != 1 {
			t.Fatalf("%d are new, want 1", n)
		}
	})
}

func TestReadBaselineRefuses(t *testing.T) {
	salt := `"salt":"30313233343536373839616263646566"`
	for text, want := range map[string]string{
		"": "no JSON", "[]": "no JSON", `{"version":2,` + salt + `}`: "version 2", `{"version":1}`: "salt", `{"version":1,"salt":"zz"}`: "salt",
		`{"version":1,` + salt + `,"keys":{"abc":1}}`:                              "key",
		`{"version":1,` + salt + `,"keys":{"30313233343536373839616263646566":0}}`: "count",
		`{"version":1,` + salt + `,"keys":{"\u001b":1}}`:                           "key",
	} {
		_, err := ReadBaseline(strings.NewReader(text))
		if !errors.Is(err, ErrBaseline) || !strings.Contains(err.Error(), want) || strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func FuzzReadBaseline(f *testing.F) {
	f.Add(`{"version":1,"salt":"30313233343536373839616263646566","keys":{"30313233343536373839616263646566":2}}`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBaseline(strings.NewReader(text))
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		if err := b.Write(&once); err != nil {
			t.Fatal(err)
		}
		again, err := ReadBaseline(bytes.NewReader(once.Bytes()))
		if err != nil || again.Write(&twice) != nil || once.String() != twice.String() {
			t.Errorf("%q: error %v, or it changes when it is written", text, err)
		}
	})
}

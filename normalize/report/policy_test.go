package report

import (
	"errors"
	"testing"

	"github.com/wactl/wactl/normalize"
)

func TestPolicy(t *testing.T) {
	p, err := ParsePolicy([]string{"fixed-line, toll-free", ""}, []string{"too-short=warning", "duplicate=info,plus-missing=error"})
	if err != nil {
		t.Fatal(err)
	}
	all := All(Problem{Rule: "fixed-line"}, Problem{Rule: "too-short", Severity: normalize.Error}, Problem{Rule: "duplicate", Severity: normalize.Warning},
		Problem{Rule: "too-long", Severity: normalize.Error}, Problem{Rule: "plus-missing", Severity: normalize.Info})
	got := ""
	for x, err := range p.Of(all) {
		if err != nil {
			t.Fatal(err)
		}
		got += x.Rule + "=" + string(x.Severity) + " "
	}
	if want := "too-short=warning duplicate=info too-long=error plus-missing=error "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for x := range (Policy{}).Of(All(Problem{Rule: "a", Severity: normalize.Info})) {
		if x.Severity != normalize.Info {
			t.Errorf("the zero policy changes %v", x)
		}
	}
}

func TestParsePolicyRefuses(t *testing.T) {
	for _, tt := range [][2]string{{"no-such-rule", ""}, {"", "too-short"}, {"", "too-short=bad"}, {"", "no-such-rule=error"}, {"", "too-short="}} {
		_, err := ParsePolicy([]string{tt[0]}, []string{tt[1]})
		var e *usageError
		if !errors.As(err, &e) || e.Hint() == "" {
			t.Errorf("%v: error %v", tt, err)
		}
	}
}

func TestFailOn(t *testing.T) {
	for _, tt := range []struct {
		word string
		s    Summary
		want bool
	}{
		{"error", Summary{Errors: 1}, true}, {"error", Summary{Warnings: 1, Infos: 1}, false}, {"warning", Summary{Warnings: 1}, true}, {"warning", Summary{Errors: 1}, true},
		{"warning", Summary{Infos: 1}, false}, {"never", Summary{Errors: 1}, false},
	} {
		f, err := ParseFailOn(tt.word)
		if err != nil || f.Fails(tt.s) != tt.want {
			t.Errorf("%s, %+v: %v, error %v", tt.word, tt.s, f.Fails(tt.s), err)
		}
	}
	if _, err := ParseFailOn("info"); err == nil {
		t.Error("info is taken")
	}
}

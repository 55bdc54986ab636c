package cmd

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/cmd/output"
)

// page runs wactl with args and wants that exit code.
func pageOf(t *testing.T, want int, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	if got := Main(args, strings.NewReader(""), &o, &e); got != want {
		t.Fatalf("wactl %s: exit %d, want %d\n%s", strings.Join(args, " "), got, want, e.String())
	}
	return o.String(), e.String()
}

// TestEveryCodeHasItsPage: each code of the table says all that a page promises, in lines that fit.
func TestEveryCodeHasItsPage(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	n := 0
	for e := range outcome.All() {
		for _, code := range []int{e.Code, e.Last} {
			page, _ := pageOf(t, exitDone, "explain", strconv.Itoa(code))
			for _, want := range []string{e.Title, "means     ", "concerns  ", "slower    ", "wactl     ", "do        "} {
				if !strings.Contains(page, want) {
					t.Errorf("%d: the page lacks %q:\n%s", code, want, page)
				}
			}
			if (e.Not != "") != strings.Contains(page, "beware    ") {
				t.Errorf("%d: what it is not stands in table and page differently", code)
			}
			for line := range strings.Lines(page) {
				if utf8.RuneCountInString(line) > helpWidth+1 && !strings.Contains(line, e.Title) {
					t.Errorf("%d: a long line: %s", code, line)
				}
			}
		}
		n++
	}
	if n < 60 {
		t.Errorf("only %d codes", n)
	}
}

func TestWordsForEveryClassAndScope(t *testing.T) {
	for e := range outcome.All() {
		if scopeWords[e.Scope] == "" {
			t.Errorf("%d: no words for whom it concerns: %s", e.Code, e.Scope)
		}
		if text := does(e); text == "" || strings.Contains(text, "%!") {
			t.Errorf("%d: wactl does %q", e.Code, text)
		}
	}
}

// TestFamilyIsKnown: the short table stands on codes that outcome has, and shows what it says of speed.
func TestFamilyIsKnown(t *testing.T) {
	var o bytes.Buffer
	a := &app{out: output.New(strings.NewReader(""), &o, &o, output.Options{})}
	a.listFamily()
	for _, f := range family {
		e := outcome.ForCode(f.code)
		if f.code != 0 && (!e.Known || e.Not == "") {
			t.Errorf("%d is in the family, but outcome does not say what it is not", f.code)
		}
		if f.code != 0 && !strings.Contains(o.String(), e.Not[:min(len(e.Not), 30)]) {
			t.Errorf("%d: what it is not is not shown", f.code)
		}
	}
}

func TestParseCode(t *testing.T) {
	for text, want := range map[string]int{"131056": 131056, "#131056": 131056, "(#131056)": 131056, "0": 0, " 4 ": 4} {
		if got, err := parseCode(text); err != nil || got != want {
			t.Errorf("parseCode(%q) = %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "log.jsonl", "-1", "131056x", "99999999999999999999999"} {
		if got, err := parseCode(text); err == nil {
			t.Errorf("parseCode(%q) = %d", text, got)
		}
	}
}

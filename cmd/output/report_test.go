package output

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"github.com/wactl/wactl/analyze/report"
)

var storm = []report.Line{
	{{Text: "2 incidents", Style: report.Strong}},
	nil,
	{{Text: "  refused |", Style: report.Faint}, {Text: "  x \x1b[2J", Style: report.Refused}},
	{{Text: "to +5511987654321", Style: report.Plain}},
}

func TestReportIsPlainInAPipe(t *testing.T) {
	s, out, _ := record("", Options{})
	s.Report(storm)
	if got, want := out.String(), "2 incidents\n\n  refused |  x \\x1b[2J\nto +5511987654321\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReportMasks(t *testing.T) {
	s, out, _ := record("", Options{Mask: true})
	s.Report(storm)
	if got := out.String(); strings.Contains(got, "98765") || !strings.Contains(got, "+5511*****4321") {
		t.Errorf("got %q", got)
	}
}

func TestReportIsColouredOnATerminal(t *testing.T) {
	s, out, _ := record("", Options{})
	onTerminal(s, 80)
	s.Report(storm)
	got := out.String()
	for _, want := range []string{"\x1b[1m2 incidents\x1b[0m\n\n", "\x1b[31m  x \\x1b[2J\x1b[0m", "to +5511987654321\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if w := lipgloss.Width(strings.Split(got, "\n")[0]); w != len("2 incidents") {
		t.Errorf("the first line is %d columns wide", w)
	}
	s.Options.NoColor = true
	out.Reset()
	if s.Report(storm); strings.Contains(out.String(), "\x1b[") {
		t.Errorf("--no-color has no effect: %q", out.String())
	}
}

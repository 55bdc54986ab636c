package output

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestTableGolden(t *testing.T) {
	header := []string{"line", "recipient", "why", "left out"}
	rows := [][]string{
		{"12", "+5511987654321", "not a phone number: letters stand in it, and nobody can tell what it was meant to be", "12,000"},
		{"7", "+525512345678", "same recipient as line 3", "3"},
		{"1,204", "-", "名前が長い受信者 \x1b[31m", "-"},
	}
	for _, width := range []int{0, 40, 80, 200} {
		name := map[int]string{0: "pipe", 40: "40", 80: "80", 200: "200"}[width]
		s, out, _ := record("", Options{NoColor: true})
		s.Width = width
		s.Table(header, rows)
		path := filepath.Join("testdata", "table_"+name+".txt")
		if *update {
			if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// TestTableFits: on a terminal no line is wider than it, as long as the columns can be narrow enough.
func TestTableFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringMatching(`([a-zé名]{1,12} ?){0,12}`)
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, 3, 3), 1, 5).Draw(t, "rows")
		width := rapid.IntRange(3*narrowest+2*gap, 200).Draw(t, "width")
		s, out, _ := record("", Options{})
		s.Width = width
		s.Table([]string{"one", "two", "three"}, rows)
		for line := range strings.Lines(out.String()) {
			if w := lipgloss.Width(strings.TrimRight(line, "\n")); w > width {
				t.Fatalf("%d columns of %d: %q", w, width, line)
			}
		}
		var said, shown []string
		for _, row := range rows {
			said = append(said, strings.Join(strings.Fields(strings.Join(row, "")), ""))
		}
		shown = strings.Fields(out.String())
		if a, b := letters(strings.Join(said, "")), letters(strings.Join(shown[3:], "")); a != b {
			t.Fatalf("the cells have %d letters, the table %d", a, b)
		}
	})
}

func letters(s string) int { return len([]rune(s)) }

func TestTableWithoutRows(t *testing.T) {
	s, out, _ := record("", Options{})
	s.Table([]string{"a", "b"}, nil)
	if got, want := out.String(), "a  b\n"; got != want {
		t.Errorf("table %q, want %q", got, want)
	}
}

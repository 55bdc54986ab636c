package normalize

import (
	"fmt"
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// TestShapesAreThosePatterns holds the shapes against what they mean as regular expressions.
func TestShapesAreThosePatterns(t *testing.T) {
	patterns := []*regexp.Regexp{
		regexp.MustCompile(`^[^0-9]*$|^[ (]*[).-]|\+[ (]*[-).]|\+[ (]*\+`),
		regexp.MustCompile(`\.\.`),
		regexp.MustCompile(`\d.*\+|` + fmt.Sprintf(`^(?:[^0-9]*[0-9]){%d,}[^0-9(]*\(`, maxGroupStart+1)),
	}
	matched := make([]int, len(patterns))
	cells := rapid.StringMatching(`([0-9]{1,4}|[-+(). ]|\.\.){0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		cell := cells.Draw(t, "cell")
		for i, p := range patterns {
			want := p.MatchString(cell)
			if got := shapes[i].is(cell); got != want {
				t.Fatalf("%q is %s: %v, want %v", cell, shapes[i].rule, got, want)
			}
			if want {
				matched[i]++
			}
		}
	})
	for i, n := range matched {
		if n == 0 {
			t.Errorf("no cell was %s: this test proves too little", shapes[i].rule)
		}
	}
}

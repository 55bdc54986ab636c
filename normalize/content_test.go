package normalize

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestOtherCellsAreToldApart holds that rows have one hash if and only if their other cells are the same, quoted or not, but for empty ones at the end.
func TestOtherCellsAreToldApart(t *testing.T) {
	cell := rapid.SampledFrom([]string{"", "a", "b", ",", "a,", ",b", "a,b", "\x01a"})
	rapid.Check(t, func(t *rapid.T) {
		column := rapid.IntRange(0, 3).Draw(t, "phone column")
		header := slices.Insert([]string{"x", "y", "z"}, column, "phone")
		list := strings.Join(header, ",") + "\n"
		var cells [2]string
		for i := range cells {
			row := rapid.SliceOfN(cell, 3, 3).Draw(t, "cells")
			cells[i] = strings.TrimRight(strings.Join(row, "|"), "|")
			row = slices.Insert(row, column, "+5511961234567")
			for k, c := range row {
				if strings.Contains(c, ",") || rapid.Bool().Draw(t, "quoted") {
					row[k] = `"` + c + `"`
				}
			}
			list += strings.Join(row, ",") + "\n"
		}
		l := openText(t, list)
		by, h := newHasher(), hand{l: l}
		var got []hashed
		for r := range l.Rows() {
			got = append(got, h.otherCells(&by, &r))
		}
		if len(got) != 2 || (got[0] == got[1]) != (cells[0] == cells[1]) {
			t.Fatalf("hashes %v of %q", got, list)
		}
	})
}

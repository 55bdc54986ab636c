package lines

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Cutting by eight bytes at once finds what the standard library finds, wherever delimiters stand and whatever stands beside them.
func TestSplitIsSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delim := rapid.SampledFrom([]byte{',', ';', '\t', '|'}).Draw(t, "delimiter")
		text := rapid.SliceOfN(rapid.SampledFrom([]byte{delim, delim, delim - 1, delim + 1, delim | 0x80, 'a', 0, 1, 0xFF, 0x80, ' '}), 0, 40).Draw(t, "text")
		got, want := split([]string{"before"}, string(text), delim), strings.Split(string(text), string(delim))
		if !slices.Equal(got, append([]string{"before"}, want...)) {
			t.Errorf("%q by %q: %q, want %q", text, delim, got, want)
		}
	})
}

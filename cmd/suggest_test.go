package cmd

import (
	"testing"

	"pgregory.net/rapid"
)

func TestDidYouMean(t *testing.T) {
	flags := []string{"--mps", "--tier", "--tier-code", "--phone-number-id", "--quiet"}
	for typed, want := range map[string]string{
		"--mpss":          `did you mean "--mps"?`,
		"--teir":          `did you mean "--tier"?`,
		"--tier-cod":      `did you mean "--tier-code"?`,
		"--phone-nr-id":   `did you mean "--phone-number-id"?`,
		"--phone":         `did you mean "--phone-number-id"?`,
		"--entirely-else": "",
		"x":               "",
	} {
		if got := didYouMean(typed, flags); got != want {
			t.Errorf("didYouMean(%q) = %q, want %q", typed, got, want)
		}
	}
}

func TestEditsIsADistance(t *testing.T) {
	word := rapid.StringMatching(`[a-c]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		if (edits(a, b) == 0) != (a == b) {
			t.Errorf("edits(%q, %q) = %d", a, b, edits(a, b))
		}
		if edits(a, b) != edits(b, a) {
			t.Errorf("%q and %q are not as far from each other both ways", a, b)
		}
		if edits(a, c) > edits(a, b)+edits(b, c) {
			t.Errorf("%q to %q is shorter by way of %q", a, c, b)
		}
	})
}

package normalize

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestCanonical(t *testing.T) {
	for _, tt := range []struct{ id, want uint64 }{
		{551181234567, 5511981234567},
		{5511981234567, 5511981234567},
		{552080000101, 5520980000101}, // an area that is not in use
		{551132345678, 551132345678},  // a landline
		{551171234567, 551171234567},  // with a 9 it may be somebody else
		{5215512345678, 525512345678},
		{525512345678, 525512345678},
		{541123456789, 5491123456789},
		{5491123456789, 5491123456789},
		{22507123456, 2250707123456},
		{22997000000, 2290197000000},
		{12025550111, 12025550111},
		{447700900123, 447700900123},
		{0, 0},
	} {
		if got := Canonical(tt.id); got != tt.want {
			t.Errorf("Canonical(%d) = %d, want %d", tt.id, got, tt.want)
		}
	}
}

// TestAliasesMeet holds that the aliases that Parse gives are one recipient by their form too, and that nothing changes twice.
func TestAliasesMeet(t *testing.T) {
	met := 0
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SampledFrom([]string{"55119", "5255", "54911", "22507", "22901", "1202", "4477"}).Draw(t, "start")
		n := Parse("+"+start+strconv.Itoa(rapid.IntRange(10_000_000, 99_999_999).Draw(t, "rest")), "")
		if c := Canonical(n.Digits); Canonical(c) != c {
			t.Fatalf("%d became %d, and that %d", n.Digits, c, Canonical(c))
		}
		for _, alias := range n.Aliases() {
			digits, err := strconv.ParseUint(alias[1:], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			met++
			if Canonical(digits) != Canonical(n.Digits) {
				t.Fatalf("%s is %d, its alias %s is %d", n.E164(), Canonical(n.Digits), alias, Canonical(digits))
			}
		}
	})
	if met < 10 {
		t.Errorf("only %d aliases: this test proves nothing", met)
	}
}

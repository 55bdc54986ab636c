package normalize

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// mixedIn is what is said about the countries of a list, with its place; empty for nothing.
func mixedIn(t testing.TB, text string, o Options) (said string) {
	t.Helper()
	l, _ := rowsOf(t, text, o)
	for _, f := range l.Notes() {
		if f.Rule != "mixed-countries" {
			continue
		}
		if said != "" {
			t.Error("said twice")
		}
		said = placed(f) + " " + f.Header + ": " + f.Message
	}
	return said
}

func TestMixedCountries(t *testing.T) {
	const (
		bare  = "11961234567\n11961234568\n"
		coded = "+5511961234567\n+5511961234568\n"
		three = "+525512345678\n+525512345679\n+351912345678\n"
		said  = "mixed-countries warning 1:1:1 phone: numbers without a country code were read for "
	)
	br := Options{Region: "BR"}
	tests := map[string]struct {
		text string
		o    Options
		want string
	}{
		"others carry their code":           {"phone\n" + bare + three, br, said + "BR (2 of 5), but 3 belong to other countries (MX 2, PT 1)"},
		"others are valid only abroad":      {"phone\n" + bare + "351912345678\n351912345679\n351912345670\n", br, said + "BR (2 of 5), but 3 belong to other countries (PT 3)"},
		"all carry their code":              {"phone\n" + coded + three, br, ""},
		"all carry it without a plus":       {"phone\n5511961234567\n5511961234568\n" + three, br, ""},
		"a link carries it":                 {"phone\nhttps://wa.me/5511961234567\n5511961234568@s.whatsapp.net\n" + three, br, ""},
		"00 stands before it":               {"phone\n005511961234567\n" + three, br, ""},
		"repaired without a code":           {"phone\n1161234567\n" + three, br, said + "BR (1 of 4), but 3 belong to other countries (MX 2, PT 1)"},
		"only two of them":                  {"phone\n" + bare + "+525512345678\n+525512345679\n", br, ""},
		"a small share":                     {"phone\n" + strings.Repeat(bare, 7) + three, br, ""},
		"just one in five":                  {"phone\n" + strings.Repeat(bare, 6) + three, br, said + "BR (12 of 15), but 3 belong to other countries (MX 2, PT 1)"},
		"unreadable ones do not count":      {"phone\n" + strings.Repeat(bare, 6) + three + strings.Repeat("12\n", 9), br, said + "BR (12 of 15), but 3 belong to other countries (MX 2, PT 1)"},
		"a country column speaks":           {"phone,country\n11961234567,BR\n+525512345678,MX\n+525512345679,MX\n+351912345678,PT\n", br, ""},
		"one calling code":                  {"phone\n2025550143\n+16135550143\n+16135550144\n+16135550145\n", Options{Region: "US"}, ""},
		"several regions":                   {"phone\n" + bare + three + "+351912345679\n+351912345670\n", Options{Region: "BR,MX"}, said + "BR,MX (2 of 7), but 3 belong to other countries (PT 3)"},
		"no region":                         {"phone\n" + bare + three, Options{}, ""},
		"all are written with their code":   {"phone\n5511961234567\n" + three, Options{Region: International}, ""},
		"more countries than are worth it":  {"phone\n" + bare + "+525512345678\n+351912345678\n+393123456789\n+34612345678\n", br, said + "BR (2 of 6), but 4 belong to other countries (ES 1, IT 1, MX 1, …)"},
		"no header":                         {bare + three, br, "mixed-countries warning 0:0:0 : numbers without a country code were read for BR (2 of 5), but 3 belong to other countries (MX 2, PT 1)"},
		"the column is the one of the list": {"name,phone\nAna,11961234567\na,+525512345678\nb,+525512345679\nc,+351912345678\n", br, "mixed-countries warning 1:2:6 phone: numbers without a country code were read for BR (1 of 4), but 3 belong to other countries (MX 2, PT 1)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := mixedIn(t, tt.text, tt.o); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestMixedIsAShare holds the two thresholds over lists of all sizes.
func TestMixedIsAShare(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		bare, coded, abroad := rapid.IntRange(0, 20).Draw(r, "bare"), rapid.IntRange(0, 20).Draw(r, "coded"), rapid.IntRange(0, 12).Draw(r, "abroad")
		var b strings.Builder
		b.WriteString("phone\n")
		for i := range bare {
			fmt.Fprintf(&b, "119612345%02d\n", i)
		}
		for i := range coded {
			fmt.Fprintf(&b, "+55119612346%02d\n", i)
		}
		for i := range abroad {
			fmt.Fprintf(&b, "+3519123456%02d\n", i)
		}
		want := bare > 0 && abroad >= 3 && 5*abroad >= bare+coded+abroad
		if got := mixedIn(t, b.String(), Options{Region: "BR"}); (got != "") != want {
			r.Fatalf("%d bare, %d with their code, %d from abroad: %q", bare, coded, abroad, got)
		}
	})
}

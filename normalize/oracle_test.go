package normalize

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/unicode/runenames"
)

// severities are the letters of the published table of rules for phone cells: a finding may have no other severity.
const severities = "scientific-notation W · scientific-notation-lossy E · float-suffix W · thousands-separator W · trunk-zero-missing I · plus-missing I/W · text-prefix I · formula-wrapped I · " +
	"formula-cell E · formula-evaluated E · spreadsheet-error E · date-cell E · empty-phone W · placeholder-number W/E · not-a-phone-number E · lid-not-phone E · " +
	"group-id E · broadcast-id E · newsletter-id E · link-without-number E · short-code E · masked-number E · nul-byte W/E · " +
	"too-short E · too-long E · invalid-number E · invalid-country-code E · missing-country-code E · missing-area-code E · ambiguous-country W/E · country-mismatch W · country-differs I/W · " +
	"unknown-country E · double-country-code W · idd-prefix I/W · carrier-prefix I · trunk-zero I/W · label-text I/W · letters-in-number E · letter-for-digit E · extension-dropped W · " +
	"multiple-numbers E · invisible-characters I · non-ascii-digits I/W · br-ninth-digit-missing I/W · br-eight-digit-7x W · mx-legacy-prefix W · ar-maybe-mobile W · ar-redundant-15 W · " +
	"obsolete-number W/E · fixed-line W · toll-free W · shared-cost W · premium-rate W · non-geographic W · fictional-number W · directory-assistance W"

// mayHave says whether the published table allows the severity of a finding.
func mayHave(f Finding) bool {
	letter := map[Severity]string{Error: "E", Warning: "W", Info: "I"}[f.Severity]
	for row := range strings.SplitSeq(severities, " · ") {
		if rule, letters, _ := strings.Cut(row, " "); rule == f.Rule {
			return strings.Contains(letters, letter)
		}
	}
	return false
}

// writtenDigits are the digits of a cell in any script, by the names of the characters.
func writtenDigits(cell string) string {
	values := map[string]string{"ZERO": "0", "ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4", "FIVE": "5", "SIX": "6", "SEVEN": "7", "EIGHT": "8", "NINE": "9"}
	var b strings.Builder
	for _, c := range cell {
		switch {
		case c <= unicode.MaxASCII && unicode.IsDigit(c):
			b.WriteRune(c)
		case unicode.IsDigit(c):
			words := strings.Fields(runenames.Name(c))
			b.WriteString(values[words[len(words)-1]])
		}
	}
	return b.String()
}

// nationalWritings are the ways to write a national number that a named rule allows.
func nationalWritings(cc, nsn string, has func(string) bool) []string {
	out := []string{nsn}
	switch {
	case cc == "55" && has("br-ninth-digit-missing"):
		out = append(out, nsn[:2]+nsn[3:])
	case cc == "54" && len(nsn) == 11:
		for area := 2; area <= 4; area++ {
			out = append(out, nsn[1:1+area]+"15"+nsn[1+area:])
			if has("ar-redundant-15") {
				out = append(out, nsn[:1+area]+"15"+nsn[1+area:])
			}
		}
	case has("obsolete-number"):
		out = append(out, nsn[1:], nsn[2:], nsn[min(len(nsn), 2):])
	}
	return out
}

// before matches what may stand before a national number: dialling prefix, country code, the code again, trunk prefix or carrier.
func before(cc string) *regexp.Regexp {
	if re, ok := beforeByCode.Load(cc); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(`^(?:(?P<idd>00|011|0011|010|000|001|009|810|0)?(?P<cc>` + cc + `)(?P<again>(?:00)?` + cc + `)?)?(?P<trunk>06|01|044|045|0|1|8)?(?P<carrier>\d{1,3})?$`)
	beforeByCode.Store(cc, re)
	return re
}

var beforeByCode sync.Map

// explainable says whether a number follows from the digits written, by the rules that are named and no others.
func explainable(cell, region string, n Number) bool {
	has := func(rule string) bool {
		return slices.ContainsFunc(n.Problems, func(f Finding) bool { return f.Rule == rule })
	}
	d := writtenDigits(cell)
	cc := strconv.Itoa(codeOf(n.E164()))
	nsn := strings.TrimPrefix(n.E164(), "+"+cc)
	behind := has("extension-dropped") || has("float-suffix") || has("scientific-notation") || strings.ContainsAny(cell, "@/?;=:＠／？；＝：")
	ahead := has("label-text") || strings.Contains(cell, ";phone-context")
	for _, w := range nationalWritings(cc, nsn, has) {
		for at := 0; at+len(w) <= len(d); at++ {
			if d[at:at+len(w)] != w || at+len(w) < len(d) && !behind {
				continue
			}
			if ahead || prefixed(d[:at], cc, region, has) {
				return true
			}
		}
		if padded := has("scientific-notation") && strings.HasPrefix(cc+w, strings.TrimRight(d, "0")[:min(4, len(strings.TrimRight(d, "0")))]); padded {
			return true
		}
	}
	return false
}

// prefixed says whether the digits before a national number are prefixes that are either silent everywhere or named.
func prefixed(pre, cc, region string, has func(string) bool) bool {
	re := before(cc)
	m := re.FindStringSubmatch(pre)
	if m == nil {
		return false
	}
	part := func(name string) string { return m[re.SubexpIndex(name)] }
	home := slices.ContainsFunc(strings.Split(region, ","), func(r string) bool { return strconv.Itoa(phonenumbers.GetCountryCodeForRegion(r)) == cc })
	switch {
	case part("cc") == "" && !home,
		part("idd") != "" && !has("idd-prefix") && !has("carrier-prefix"), // 55 is a carrier too
		part("again") != "" && !has("double-country-code"),
		part("carrier") != "" && !has("carrier-prefix"),
		part("cc") != "" && part("trunk") != "" && !has("trunk-zero") && !has("mx-legacy-prefix") && !has("carrier-prefix") && cc != "54":
		return false
	}
	return true
}

// codeOf is the country code of an E.164 number by the phone library.
func codeOf(e164 string) int {
	n, err := phonenumbers.Parse(e164, "")
	if err != nil {
		return 0
	}
	return int(n.GetCountryCode())
}

// checkNumber holds every promise that a Number makes about its cell.
func checkNumber(t *testing.T, cell, region string, n Number) {
	t.Helper()
	for _, p := range n.Problems {
		if !mayHave(p) || strings.Contains(p.Message, "%!") && !strings.Contains(cell, "%") || p.Message == "" {
			t.Fatalf("Parse(%q, %q) has the finding %+v", cell, region, p)
		}
		if n.Digits != 0 && p.Severity == Error {
			t.Fatalf("Parse(%q, %q) = %s has the error %s", cell, region, n.E164(), p.Rule)
		}
	}
	switch {
	case n.Digits == 0 && (len(n.Problems) == 0 || n.Digits != 0 || n.Problems[0].Severity != Error || n.Aliases() != nil):
		t.Fatalf("Parse(%q, %q) has no number and no error: %+v", cell, region, n)
	case n.Digits == 0:
		return
	case !explainable(cell, region, n):
		t.Fatalf("Parse(%q, %q) = %s, which the digits do not explain: %s", cell, region, n.E164(), ruleNames(n.Problems))
	}
	back, err := phonenumbers.Parse(n.E164(), "")
	if err != nil || phonenumbers.Format(back, phonenumbers.E164) != n.E164() || !phonenumbers.IsValidNumber(back) && !strings.Contains(ruleNames(n.Problems), "fictional-number") {
		t.Fatalf("Parse(%q, %q) = %s, which the phone library does not confirm (%v)", cell, region, n.E164(), err)
	}
	for _, a := range n.Aliases() {
		if back := Parse(a[1:]+"@s.whatsapp.net", ""); back.Digits != n.Digits {
			t.Fatalf("Parse(%q, %q) = %s, whose alias %s is %s", cell, region, n.E164(), a, back.E164())
		}
	}
	if again := Parse(n.E164(), ""); again.E164() != n.E164() {
		t.Fatalf("Parse(%q, %q) = %s, which reads as %q", cell, region, n.E164(), again.E164())
	}
}

// writing is one way to write a number. The digits of a bare one may be a number of another country too, which must be said.
type writing struct {
	name string
	bare bool
	cell func(n *phonenumbers.PhoneNumber) string
}

func e164Of(n *phonenumbers.PhoneNumber) string { return phonenumbers.Format(n, phonenumbers.E164) }
func nsnOf(n *phonenumbers.PhoneNumber) string  { return phonenumbers.GetNationalSignificantNumber(n) }
func codeText(n *phonenumbers.PhoneNumber) string {
	return strconv.Itoa(int(n.GetCountryCode()))
}

// allWritings are the ways in which lists write numbers.
var allWritings = []writing{
	{"e164", false, e164Of},
	{"international", false, func(n *phonenumbers.PhoneNumber) string { return phonenumbers.Format(n, phonenumbers.INTERNATIONAL) }},
	{"rfc3966", false, func(n *phonenumbers.PhoneNumber) string { return phonenumbers.Format(n, phonenumbers.RFC3966) }},
	{"00", false, func(n *phonenumbers.PhoneNumber) string { return "00" + e164Of(n)[1:] }},
	{"0+", false, func(n *phonenumbers.PhoneNumber) string { return "0" + e164Of(n) }},
	{"+00", false, func(n *phonenumbers.PhoneNumber) string { return "+00" + e164Of(n)[1:] }},
	{"(0)", false, func(n *phonenumbers.PhoneNumber) string { return "+" + codeText(n) + " (0)" + nsnOf(n) }},
	{"apostrophe", false, func(n *phonenumbers.PhoneNumber) string { return "'" + e164Of(n) }},
	{"formula", false, func(n *phonenumbers.PhoneNumber) string { return `="` + e164Of(n) + `"` }},
	{"direction marks", false, func(n *phonenumbers.PhoneNumber) string {
		return "\u202a" + phonenumbers.Format(n, phonenumbers.INTERNATIONAL) + "\u202c"
	}},
	{"label", false, func(n *phonenumbers.PhoneNumber) string { return "Tel.: " + e164Of(n) + " (Ana)" }},
	{"extension", false, func(n *phonenumbers.PhoneNumber) string { return e164Of(n) + " ext. 12" }},
	{"jid", false, func(n *phonenumbers.PhoneNumber) string { return e164Of(n)[1:] + ":3@s.whatsapp.net" }},
	{"link", false, func(n *phonenumbers.PhoneNumber) string { return "https://wa.me/" + e164Of(n)[1:] + "?text=5" }},
	{"doubled", false, func(n *phonenumbers.PhoneNumber) string { return "+" + codeText(n) + " " + e164Of(n) }},
	{"national", true, func(n *phonenumbers.PhoneNumber) string { return phonenumbers.Format(n, phonenumbers.NATIONAL) }},
	{"bare national", true, nsnOf},
	{"trunk", true, func(n *phonenumbers.PhoneNumber) string {
		return phonenumbers.GetNddPrefixForRegion(phonenumbers.GetRegionCodeForNumber(n), true) + nsnOf(n)
	}},
	{"bare", true, func(n *phonenumbers.PhoneNumber) string { return e164Of(n)[1:] }},
	{"float", true, func(n *phonenumbers.PhoneNumber) string { return e164Of(n)[1:] + ".0" }},
	{"exponent", true, func(n *phonenumbers.PhoneNumber) string {
		d := e164Of(n)[1:]
		return d[:1] + "." + d[1:] + "E+" + strconv.Itoa(len(d)-1)
	}},
	{"lossy", true, func(n *phonenumbers.PhoneNumber) string { d := e164Of(n)[1:]; return d[:1] + "." + d[1:4] + "E+11" }},
	{"minus", true, func(n *phonenumbers.PhoneNumber) string { return "-" + nsnOf(n) }},
	{"two", true, func(n *phonenumbers.PhoneNumber) string { return nsnOf(n) + " / " + nsnOf(n) }},
}

// TestNoStrangers reads an example of every kind of every country in all writings: each is that very number, or nothing, or doubted aloud.
func TestNoStrangers(t *testing.T) {
	seen, read, bareRead, bare := 0, 0, 0, 0
	for region := range phonenumbers.GetSupportedRegions() {
		for kind := phonenumbers.FIXED_LINE; kind <= phonenumbers.VOICEMAIL; kind++ {
			name := fmt.Sprint("kind ", kind)
			example := phonenumbers.GetExampleNumberForType(region, kind)
			if example == nil || len(e164Of(example)) < 6 || !phonenumbers.IsValidNumber(example) {
				continue
			}
			seen++
			for _, w := range allWritings {
				cell := w.cell(example)
				n := Parse(cell, region)
				checkNumber(t, cell, region, n)
				if w.bare {
					bare++
				}
				switch {
				case n.E164() == e164Of(example):
					read++
					if w.bare {
						bareRead++
					}
				case n.Digits != 0 && (!w.bare || !strings.Contains(ruleNames(n.Problems), "ambiguous-country")):
					t.Errorf("%s %s: Parse(%q, %q) = %s %s, a stranger", w.name, name, cell, region, n.E164(), ruleNames(n.Problems))
				case n.Digits == 0 && !w.bare && w.name != "(0)" && w.name != "doubled":
					t.Errorf("%s %s: Parse(%q, %q) is refused: %s", w.name, name, cell, region, ruleNames(n.Problems))
				}
			}
		}
	}
	if seen < 1000 {
		t.Fatalf("only %d examples: this test proves nothing", seen)
	}
	t.Logf("%d examples in %d writings: %d read; of %d bare ones %d", seen, len(allWritings), read, bare, bareRead)
	if bareRead*100 < bare*60 { // three of nine must be refused
		t.Errorf("only %d of %d bare writings are read", bareRead, bare)
	}
}

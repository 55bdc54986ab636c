package normalize

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nyaruka/phonenumbers"
	"pgregory.net/rapid"
)

// digitsOf are the digits of a cell.
func digitsOf(s string) string {
	return strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return c
		}
		return -1
	}, s)
}

// explainable says whether the number follows from the digits written: nothing but a country code put before and one trunk prefix taken out.
func explainable(cell, region, e164 string) bool {
	d, e := digitsOf(cell), strings.TrimPrefix(e164, "+")
	cc := strconv.Itoa(phonenumbers.GetCountryCodeForRegion(region))
	if d == e || cc+d == e {
		return true
	}
	for _, trunk := range []string{"0", "1", "8", "06"} {
		if rest, ok := strings.CutPrefix(d, trunk); ok && cc+rest == e {
			return true
		}
		for n := 1; n <= 3 && n < len(d); n++ {
			if rest, ok := strings.CutPrefix(d[n:], trunk); ok && d[:n]+rest == e {
				return true
			}
		}
	}
	return false
}

func TestParse(t *testing.T) {
	tests := []struct {
		cell, region string
		e164, kind   string
		rules        string
	}{
		{"+55 11 96123-4567", "", "+5511961234567", "mobile", ""},
		{"(+55) 11 96123.4567", "", "+5511961234567", "mobile", ""},
		{" 11 96123-4567 ", "BR", "+5511961234567", "mobile", ""},
		{"(011) 96123-4567", "BR", "+5511961234567", "mobile", ""},
		{"5511961234567", "BR", "+5511961234567", "mobile", "plus-missing"},
		{"5511961234567", International, "+5511961234567", "mobile", ""},
		{"5511961234567", "", "", "", "missing-country-code"},
		{"(11) 3456-7890", "BR", "+551134567890", "fixed-line", "fixed-line"},
		{"0800 123 4567", "BR", "+558001234567", "toll-free", "toll-free"},
		{"351912345678", "BR", "+351912345678", "mobile", "plus-missing"},
		{"351 912 345 678", "BR", "+351912345678", "mobile", "plus-missing"},
		{"51912345678", "BR", "+5551912345678", "mobile", "ambiguous-country"},
		{"(51) 91234-5678", "BR", "+5551912345678", "mobile", ""},
		{"62812345679", "ID", "+62812345679", "mobile", "ambiguous-country"},
		{"1 (201) 555-0124", "US", "+12015550124", "fixed-line-or-mobile", ""},
		{"876-555-0123", "US", "+18765550123", "mobile", "country-differs"},
		{"+44 (0)7400 123456", "BR", "+447400123456", "mobile", "trunk-zero"},
		{"+39 06 1234 5678", "", "+390612345678", "fixed-line", "fixed-line"},
		{"06 20 123 4567", "HU", "+36201234567", "mobile", ""},
		{"8 (912) 345-67-89", "RU", "+79123456789", "mobile", ""},
		{"+870 773 123456", "", "+870773123456", "mobile", "non-geographic"},
		{"11 2345-6796", "AR", "+541123456796", "fixed-line", "ar-maybe-mobile"},

		// Never a stranger: what the phone library would make a valid number of another person.
		{"0055 51 91234-5678", "BR", "", "", "idd-prefix"},
		{"(00) 55 11 96123 4567", "BR", "", "", "idd-prefix"},
		{"0 +55 11 96123-4567", "BR", "", "", "idd-prefix"},
		{"011 55 11 96123-4567", "US", "", "", "idd-prefix"},
		{"015 11 96123-4568", "BR", "", "", "carrier-prefix"},
		{"-9812345587", "IN", "", "", "formula-evaluated"},
		{"812345678.0", "ID", "", "", "float-suffix"},
		{"812345678.5", "ID", "", "", "float-suffix"},
		{"8.123456799", "ID", "", "", "float-suffix"},
		{"8.123456799E9", "ID", "", "", "scientific-notation"},
		{"1 55 1234 5684", "MX", "", "", "mx-legacy-prefix"},
		{"15512345684", "MX", "", "", "mx-legacy-prefix"},
		{"4961234568", "BR", "", "", "br-ninth-digit-missing"},
		{"201-555-0124 24", "US", "", "", "too-long"},
		{"201-555-0124 (24)", "US", "", "", "label-text"},
		{"+55 11 96123-4567 +55 11 96123-4568", "BR", "", "", "multiple-numbers"},
		{"11961234571 ; 21961234572", "BR", "", "", "multiple-numbers"},
		{"201-555-0124 (home)", "US", "", "", "label-text"},
		{"a20155a50132a", "US", "", "", "letters-in-number"},
		{"+-55 11 96123-4567", "", "", "", "not-a-phone-number"},
		{"555511961234567", "BR", "", "", "double-country-code"},
		{"+999 123456", "", "", "", "invalid-country-code"},
		{"+0 55 11 961234567", "", "", "", "invalid-country-code"},
		{"190", "BR", "", "", "short-code"},
		{"+55 11 996123-4571", "BR", "", "", "too-long"},
		{"+1 201 555 012", "", "", "", "too-short"},
		{"555-0126", "US", "", "", "missing-area-code"},
		{"+", "BR", "", "", "not-a-phone-number"},
		{"-", "BR", "", "", "not-a-phone-number"},
		{"#N/A", "BR", "", "", "spreadsheet-error"},
		{"11 96123\t4567", "BR", "", "", "invisible-characters"},
		{strings.Repeat("9", 400), "BR", "", "", "too-long"},
	}
	for _, tt := range tests {
		n := Parse(tt.cell, tt.region)
		if n.E164 != tt.e164 || n.Kind != tt.kind || ruleNames(n.Problems) != tt.rules {
			t.Errorf("Parse(%.40q, %q) = %s %s [%s], want %s %s [%s]", tt.cell, tt.region, n.E164, n.Kind, ruleNames(n.Problems), tt.e164, tt.kind, tt.rules)
		}
		wantDigits, _ := strconv.ParseUint(digitsOf(tt.e164), 10, 64)
		if n.Digits != wantDigits {
			t.Errorf("Parse(%q).Digits = %d, want %d", tt.cell, n.Digits, wantDigits)
		}
	}
}

// TestEveryCountry reads an example of every kind of every country in the writings that lists use.
func TestEveryCountry(t *testing.T) {
	seen, lost := 0, map[string]string{}
	for region := range regions {
		for kind, name := range kinds {
			example := phonenumbers.GetExampleNumberForType(region, kind)
			if example == nil {
				continue
			}
			e164 := phonenumbers.Format(example, phonenumbers.E164)
			if len(e164) < 6 || !phonenumbers.IsValidNumber(example) {
				continue
			}
			seen++
			for _, cell := range []string{e164, phonenumbers.Format(example, phonenumbers.INTERNATIONAL)} {
				if n := Parse(cell, ""); n.E164 != e164 {
					t.Errorf("%s %s: Parse(%q) = %q %s", region, name, cell, n.E164, ruleNames(n.Problems))
				}
			}
			for _, cell := range []string{phonenumbers.GetNationalSignificantNumber(example), phonenumbers.Format(example, phonenumbers.NATIONAL), e164[1:]} {
				n := Parse(cell, region)
				if n.E164 == e164 {
					continue
				}
				lost[region+" "+name+" "+cell] = n.E164 + " " + ruleNames(n.Problems)
				warned := slices.ContainsFunc(n.Problems, func(f Finding) bool { return f.Rule == "ambiguous-country" })
				if n.E164 != "" && !warned {
					t.Errorf("%s %s: Parse(%q) = %s without a doubt, want %s", region, name, cell, n.E164, e164)
				}
			}
		}
	}
	if seen < 1000 {
		t.Fatalf("only %d examples: this test proves nothing", seen)
	}
	t.Logf("%d examples; %d of %d bare or national writings are not read", seen, len(lost), 3*seen)
	if len(lost)*100 > 3*seen*6 {
		t.Errorf("more than 6 %% are not read: %v", lost)
	}
}

// TestWritingsMeetInOneKey holds that separators never change the number.
func TestWritingsMeetInOneKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		area := rapid.IntRange(11, 19).Draw(t, "area")
		rest := rapid.IntRange(60000000, 99999999).Draw(t, "rest")
		national := strconv.Itoa(area) + "9" + strconv.Itoa(rest)
		want := Parse("+55"+national, "")
		if want.E164 == "" {
			t.Fatalf("+55%s is not valid", national)
		}
		seps := rapid.SliceOfN(rapid.SampledFrom([]string{"", " ", "-", ".", "  "}), len(national), len(national)).Draw(t, "separators")
		cell := rapid.SampledFrom([]string{"+55", "+55 ", "0", "", "(+55) "}).Draw(t, "start")
		for i, c := range national {
			cell += string(c)
			if i == 1 || i == 6 {
				cell += seps[i]
			}
		}
		got := Parse(cell, "BR")
		if got.E164 == "" && len(got.Problems) > 0 && got.Problems[0].Rule == "float-suffix" {
			return
		}
		if diff := cmp.Diff(want.Digits, got.Digits); diff != "" {
			t.Errorf("%q (-want +got):\n%s %v", cell, diff, got.Problems)
		}
	})
}

// FuzzParse holds that no cell panics and that every number is explained by the digits written.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"+55 11 96123-4567", "0055 51 91234-5678", "812345678.0", "+44 (0)7400 123456", "1112015550127", "5,511,961", "８", "#N/A", "5.5E+12", "+8", "tel:+1", "@lid", "0xx11"} {
		for _, region := range []string{"BR", "US", "", International} {
			f.Add(s, region)
		}
	}
	f.Fuzz(func(t *testing.T, cell, region string) {
		if region != International && !knownRegion(region) {
			region = ""
		}
		n := Parse(cell, region)
		switch {
		case n.E164 == "" && (len(n.Problems) == 0 || n.Digits != 0 || n.Problems[0].Severity != Error):
			t.Fatalf("Parse(%q, %q) has no number and no error: %+v", cell, region, n)
		case n.E164 == "":
			return
		case !explainable(cell, region, n.E164):
			t.Fatalf("Parse(%q, %q) = %s, which the digits do not explain", cell, region, n.E164)
		}
		back, err := phonenumbers.Parse(n.E164, "")
		if err != nil || !phonenumbers.IsValidNumber(back) || phonenumbers.Format(back, phonenumbers.E164) != n.E164 {
			t.Fatalf("Parse(%q, %q) = %s, which the phone library does not confirm (%v)", cell, region, n.E164, err)
		}
		for _, p := range n.Problems {
			if p.Severity == Error {
				t.Fatalf("Parse(%q, %q) = %s has the error %s", cell, region, n.E164, p.Rule)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for _, bm := range []struct{ name, cell, region string }{
		{"plus", "+55 11 96123-4567", "BR"}, {"national", "(11) 96123-4567", "BR"}, {"bare", "5511961234567", "BR"}, {"invalid", "11 9612-34", "BR"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(bm.cell, bm.region)
			}
		})
	}
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			n, err := phonenumbers.Parse("(11) 96123-4567", "BR")
			if err != nil || phonenumbers.GetNumberType(n) != phonenumbers.MOBILE {
				b.Fatal(err)
			}
			_ = phonenumbers.Format(n, phonenumbers.E164)
		}
	})
}

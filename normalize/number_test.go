package normalize

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nyaruka/phonenumbers"
	"pgregory.net/rapid"
)

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
		{"1 (201) 234-0124", "US", "+12012340124", "fixed-line-or-mobile", ""},
		{"876-234-0123", "US", "+18762340123", "", "country-differs"},
		{"+44 (0)7400 123456", "BR", "+447400123456", "mobile", "trunk-zero"},
		{"+39 06 1234 5678", "", "+390612345678", "fixed-line", "fixed-line"},
		{"06 20 123 4567", "HU", "+36201234567", "mobile", ""},
		{"8 (912) 345-67-89", "RU", "+79123456789", "mobile", ""},
		{"+870 773 123456", "", "+870773123456", "mobile", "non-geographic"},
		{"11 2345-6796", "AR", "+541123456796", "fixed-line", "ar-maybe-mobile"},
		{"11 99999-9999", "BR", "+5511999999999", "mobile", "placeholder-number"},
		{"+1 201 555 1212", "", "+12015551212", "fixed-line-or-mobile", "directory-assistance"},

		// Prefixes.
		{"0055 51 91234-5678", "BR", "+5551912345678", "mobile", "idd-prefix"},
		{"(00) 55 11 96123 4567", "BR", "+5511961234567", "mobile", "idd-prefix"},
		{"005511961234567", "", "+5511961234567", "mobile", "idd-prefix"},
		{"0 +55 11 96123-4567", "BR", "+5511961234567", "mobile", "idd-prefix"},
		{"+0 55 11 961234567", "", "+5511961234567", "mobile", "idd-prefix"},
		{"+07400 123456", "GB", "+447400123456", "mobile", "idd-prefix"},
		{"+011 55 11 96123-4567", "", "+5511961234567", "mobile", "idd-prefix"},
		{"011 55 11 96123-4567", "US", "+5511961234567", "mobile", "idd-prefix"},
		{"0011 55 11 96123-4567", "AU", "+5511961234567", "mobile", "idd-prefix"},
		{"015 11 96123-4568", "BR", "+5511961234568", "mobile", "carrier-prefix"},
		{"(0xx11) 96123-4572", "BR", "+5511961234572", "mobile", "carrier-prefix"},
		{"+55 0xx11 96123-4572", "", "+5511961234572", "mobile", "carrier-prefix trunk-zero"},
		{"555511961234567", "BR", "+5511961234567", "mobile", "double-country-code plus-missing"},
		{"+351 +351 912 345 678", "", "+351912345678", "mobile", "double-country-code"},
		{"+55 +351 912 345 678", "", "", "", "multiple-numbers"},

		// Plans of countries.
		{"+55 11 6123-4567", "", "+5511961234567", "mobile", "br-ninth-digit-missing"},
		{"551161234567@s.whatsapp.net", "", "+5511961234567", "mobile", "br-ninth-digit-missing"},
		{"55011 6123-4567", "BR", "+5511961234567", "mobile", "br-ninth-digit-missing trunk-zero plus-missing"},
		{"4961234568", "BR", "", "", "ambiguous-country"},
		{"1 55 1234 5684", "MX", "+525512345684", "", "mx-legacy-prefix"},
		{"15512345684", "MX", "", "", "ambiguous-country"},
		{"1 551 234 5684", "MX", "", "", "ambiguous-country"},
		{"+54 9 11 15 2345 6793", "", "+5491123456793", "mobile", "ar-redundant-15"},
		{"0223 15 412-3456", "AR", "+5492234123456", "mobile", ""},
		{"+225 07 12 34 56", "", "", "", "obsolete-number"},
		{"22507123456@c.us", "", "+2250707123456", "mobile", "obsolete-number"},
		{"+229 97 12 34 56", "", "", "", "obsolete-number"},
		{"+84 162 123 4567", "", "", "", "obsolete-number"},

		// Characters, wrappings and labels.
		{"812345678.0", "ID", "+62812345678", "mobile", "float-suffix trunk-zero-missing"},
		{"8.123456799E9", "ID", "+628123456799", "mobile", "scientific-notation trunk-zero-missing"},
		{"11 96123\t4567", "BR", "+5511961234567", "mobile", "invisible-characters"},
		{"201-234-0124 (home)", "US", "+12012340124", "fixed-line-or-mobile", "label-text"},
		{"Tel.: (11) 96123-4567", "BR", "+5511961234567", "mobile", "label-text"},
		{"(11) 3456-7890 ramal 12", "BR", "+551134567890", "fixed-line", "extension-dropped fixed-line"},
		{"201-234-0124 x24", "US", "+12012340124", "fixed-line-or-mobile", "extension-dropped"},
		{"11 96123\n4567", "BR", "+5511961234567", "mobile", "invisible-characters"},
		{"*11 96123-4567", "BR", "+5511961234567", "mobile", "label-text"},
		{"11 96123-456*", "BR", "", "", "masked-number"},
		{"+5511961234567;ext=3", "BR", "+5511961234567", "mobile", "extension-dropped"},
		{"1234567890", "BR", "+551234567890", "fixed-line", "placeholder-number"},
		{"0151/23456789", "DE", "+4915123456789", "mobile", ""},
		{"tel:96123-4567;phone-context=+55-11", "", "+5511961234567", "mobile", ""},
		{"web.whatsapp.com/send/?phone=%2B5511961234567&text=1", "", "+5511961234567", "mobile", ""},

		// Never a stranger: what the phone library would make a valid number of another person.
		{"-9812345587", "IN", "", "", "formula-evaluated"},
		{"+551196000.0000", "", "+5511960000000", "mobile", "placeholder-number"},
		{"812345678.5", "ID", "", "", "not-a-phone-number"},
		{"8.123456799", "ID", "", "", "not-a-phone-number"},
		{"201-555-0124 24", "US", "", "", "too-long"},
		{"201-555-0124 (24)", "US", "", "", "multiple-numbers"},
		{"+55 11 96123-4567 +55 11 96123-4568", "BR", "", "", "multiple-numbers"},
		{"11961234571 ; 21961234572", "BR", "", "", "multiple-numbers"},
		{"a20155a50132a", "US", "", "", "letters-in-number"},
		{"+-55 11 96123-4567", "", "", "", "not-a-phone-number"},
		{"++55 11 96123-4567", "", "", "", "not-a-phone-number"},
		{"https://example.com/5511961234567", "", "", "", "link-without-number"},
		{"1234567@example.com", "", "", "", "not-a-phone-number"},
		{"11 9…34567", "BR", "", "", "masked-number"},
		{"+999 123456", "", "", "", "invalid-country-code"},
		{"190", "BR", "", "", "short-code"},
		{"+55 11 996123-4571", "BR", "", "", "too-long"},
		{"+1 201 555 012", "", "", "", "too-short"},
		{"555-0126", "US", "", "", "missing-area-code"},
		{"+", "BR", "", "", "not-a-phone-number"},
		{"-", "BR", "", "", "placeholder-number"},
		{"não tem", "BR", "", "", "placeholder-number"},
		{"00000000000", "BR", "", "", "placeholder-number"},
		{"#N/A", "BR", "", "", "spreadsheet-error"},
		{strings.Repeat("9", 400), "BR", "", "", "too-long"},
		{strings.Repeat("1 ", 1<<20), "BR", "", "", "not-a-phone-number"},
		{"\xff11961234567", "BR", "", "", "not-a-phone-number"},

		// Several regions.
		{"(11) 96123-4567", "BR,MX", "+5511961234567", "mobile", ""},
		{"55 1234 5678", "BR,MX", "+525512345678", "", ""},
		{"55 3221 1234", "BR,MX", "", "", "ambiguous-country"},
		{"5215512345679", "BR,MX", "+525512345679", "", "mx-legacy-prefix plus-missing"},
		{"55 6123 4568", "BR,MX", "+525561234568", "", "ambiguous-country"},
		{"11 6123 4568", "BR,PT", "+5511961234568", "mobile", "br-ninth-digit-missing"},
		{"abc", "BR,MX", "", "", "not-a-phone-number"},
		{"2", "BR,MX", "", "", "too-short"},
	}
	for _, tt := range tests {
		n := Parse(tt.cell, tt.region)
		if n.E164() != tt.e164 || tt.kind != "" && n.Kind != tt.kind || ruleNames(n.Problems) != tt.rules {
			t.Errorf("Parse(%.40q, %q) = %s %s [%s], want %s %s [%s]; suggests %v", tt.cell, tt.region, n.E164(), n.Kind, ruleNames(n.Problems), tt.e164, tt.kind, tt.rules, n.Suggest)
		}
		wantDigits, _ := strconv.ParseUint(onlyDigits(tt.e164), 10, 64)
		if n.Digits != wantDigits {
			t.Errorf("Parse(%q).Digits = %d, want %d", tt.cell, n.Digits, wantDigits)
		}
	}
}

func TestAliases(t *testing.T) {
	tests := []struct{ cell, want, waID string }{
		{"+55 11 96123-4567", "+551161234567", ""},
		{"+55 11 6123-4567", "+551161234567", "551161234567"},
		{"+55 11 97123-4567", "", ""}, // 11 7123-4567 is somebody else
		{"+55 11 93456-7890", "", ""}, // 11 3456-7890 is a landline
		{"+55 11 3456-7890", "", ""},
		{"+52 55 1234 5678", "+5215512345678", ""},
		{"+52 1 55 1234 5678", "+5215512345678", "5215512345678"},
		{"+54 9 11 2345-6789", "", ""}, // without the 9 it is a landline
		{"+225 07 07 12 34 56", "+22507123456", ""},
		{"22507123456@c.us", "+22507123456", "22507123456"},
		{"+229 01 97 12 34 56", "+22997123456", ""},
		{"+351 912 345 678", "", ""},
	}
	for _, tt := range tests {
		n := Parse(tt.cell, "")
		if got := strings.Join(n.Aliases(), " "); got != tt.want || n.WaID != tt.waID {
			t.Errorf("Parse(%q) has aliases %q and id %q, want %q and %q; %v", tt.cell, got, n.WaID, tt.want, tt.waID, n.Problems)
		}
		for _, a := range n.Aliases() {
			if back, err := phonenumbers.Parse(a, ""); err == nil && phonenumbers.IsValidNumber(back) {
				t.Errorf("Parse(%q): alias %s is a number of somebody else", tt.cell, a)
			}
		}
	}
}

// TestWritingsMeetInOneKey holds that separators never change the number.
func TestWritingsMeetInOneKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		area := rapid.IntRange(11, 19).Draw(t, "area")
		rest := rapid.IntRange(60000000, 99999999).Draw(t, "rest")
		national := strconv.Itoa(area) + "9" + strconv.Itoa(rest)
		want := Parse("+55"+national, "")
		if want.Digits == 0 {
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
		if got.Digits == 0 && len(got.Problems) > 0 && got.Problems[0].Rule == "not-a-phone-number" {
			return
		}
		if diff := cmp.Diff(want.Digits, got.Digits); diff != "" {
			t.Errorf("%q (-want +got):\n%s %v", cell, diff, got.Problems)
		}
	})
}

// TestRegionsShareNoNumbers holds that in a list of two countries no number of one becomes a number of the other, by a repair or otherwise.
func TestRegionsShareNoNumbers(t *testing.T) {
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		region := rapid.SampledFrom([]string{"MX", "BR"}).Draw(t, "region")
		national := strconv.Itoa(rapid.IntRange(11, 99).Draw(t, "area"))
		if region == "BR" {
			national += "9"
		}
		national += strconv.Itoa(rapid.IntRange(20000000, 99999999).Draw(t, "rest"))
		own := Parse(national, region)
		if own.Region != region || !strings.HasSuffix(own.E164(), national) {
			return
		}
		n := Parse(national, "BR,MX")
		if n.Digits != 0 && n.E164() != own.E164() {
			t.Fatalf("%s of %s became %s: %s", national, region, n.E164(), ruleNames(n.Problems))
		}
		if n.Digits != 0 {
			read++
		}
	})
	if read < 20 {
		t.Errorf("only %d read: this test proves nothing", read)
	}
}

// FuzzParse holds that no cell panics and that every number is explained by the digits written.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"+55 11 96123-4567", "0055 51 91234-5678", "812345678.0", "+44 (0)7400 123456", "1112015550127", "5,511,961", "８", "#N/A", "5.5E+12", "+8", "tel:+1", "@lid", "0xx11",
		"+1 201 555 0128 or 0129", "https://wa.me/5511961234569?text=Oi%2012345", "5511961234573:12@s.whatsapp.net", "201-555-0124 (home)", "1-800-FLOWERS", "+54 9 11 15 2345 6793",
		"1 55 1234 5684", "0223 15 412-3456", "555511961234567", "11 6123-4568", "=\"+5511961234567\"", "5.511.961.234.568", "812345678.0", "\u202a+55 11 96123\u20114567", "1️⃣1️⃣961234568"} {
		for _, region := range []string{"BR", "US", "", International, "AR", "MX", "BR,MX", "IT"} {
			f.Add(s, region)
		}
	}
	f.Fuzz(func(t *testing.T, cell, region string) {
		if region, _ = checkRegion("", region); region == "" && len(cell)%2 == 0 {
			region = "BR,MX"
		}
		checkNumber(t, cell, region, Parse(cell, region))
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
	b.Run("messy", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Parse("\u202aTel.: (11) 96123-4567\u202c", "BR")
		}
	})
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

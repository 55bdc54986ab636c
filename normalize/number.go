package normalize

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// International as a region means: digits without a + carry their country code all the same.
const International = "international"

// Number is what a phone cell says. Without an E164 it must not be written to, and Problems say why.
type Number struct {
	E164     string    // with +, or empty
	Region   string    // ISO code of the number's own country; "001" for numbers of no country
	Kind     string    // "mobile", "fixed-line", "fixed-line-or-mobile", "toll-free", …
	Digits   uint64    // E164 as an integer: equal for all writings of one number; 0 without one
	Aliases  []string  // other ids of the same recipient, with +; none of them is a number of somebody else
	WaID     string    // digits of the WhatsApp id that the cell states, where they are not those of E164
	Suggest  []string  // numbers with + that the cell may mean; for people to choose from, never written to
	Problems []Finding // the main one first

	bare bool // it was written without its country code, which is the region's
}

// kinds are the phone library's types in our words.
var kinds = map[phonenumbers.PhoneNumberType]string{
	phonenumbers.FIXED_LINE:           "fixed-line",
	phonenumbers.MOBILE:               "mobile",
	phonenumbers.FIXED_LINE_OR_MOBILE: "fixed-line-or-mobile",
	phonenumbers.TOLL_FREE:            "toll-free",
	phonenumbers.PREMIUM_RATE:         "premium-rate",
	phonenumbers.SHARED_COST:          "shared-cost",
	phonenumbers.VOIP:                 "voip",
	phonenumbers.PERSONAL_NUMBER:      "personal",
	phonenumbers.PAGER:                "pager",
	phonenumbers.UAN:                  "company-wide",
	phonenumbers.VOICEMAIL:            "voicemail",
}

// Parse reads a phone cell. Region is the ISO code of numbers without a country code, several with commas, International, or empty for none.
//
// The number's digits are those of the cell, but for prefixes and for what a named rule in Problems repairs.
func Parse(cell, region string) Number { return parse(cell, region, false) }

// parse is Parse; id says that the column holds WhatsApp ids.
func parse(cell, region string, id bool) Number {
	w, refusal := spell(cell, region)
	if refusal != nil {
		return refusal.number()
	}
	w.id = w.id || id
	n := w.read(region)
	if n.E164 == "" && n.Problems[0].Rule != "ambiguous-country" {
		if w.filledIn() {
			return refused(Found("placeholder-number").as(Error, ""))
		}
		if parts := w.severalNumbers(region); parts != nil {
			return Number{Suggest: parts, Problems: []Finding{Found("multiple-numbers")}}
		}
	}
	if n.E164 != "" {
		n.bare = w.bare(n, region)
		n.Problems = append(w.notes, n.Problems...)
	}
	return n
}

// bare says whether a number was written without its country code.
func (w written) bare(n Number, region string) bool {
	carries := func(f Finding) bool { return f.Rule == "plus-missing" || f.Rule == "idd-prefix" }
	return !w.plus && region != "" && region != International && !slices.ContainsFunc(n.Problems, carries)
}

// read reads the digits of a cell under a region.
func (w written) read(region string) Number {
	switch {
	case w.plus && w.digits[0] == '0':
		return w.plusZero(region)
	case w.plus || region == International:
		return w.international(region)
	case strings.HasPrefix(w.digits, "00"):
		return w.dialled(region)
	case region == "":
		return refused(Found("missing-country-code"), w.international("").E164)
	case strings.Contains(region, ","):
		return w.several(strings.Split(region, ","))
	}
	n, _ := w.national(region)
	return n
}

// refused is a cell without a number; what may have been meant is suggested, empty ones are left out.
func refused(f Finding, suggest ...string) Number {
	n := Number{Problems: []Finding{f}}
	for _, s := range suggest {
		if s != "" {
			n.Suggest = append(n.Suggest, s)
		}
	}
	return n
}

// reading is one way to understand the digits of a cell.
type reading struct {
	cc     int    // country calling code
	nsn    string // national significant number, digits
	trunk  string // the national prefix that was taken out, or empty
	region string
	kind   string // empty for a number that does not exist
	fault  Finding
	id     string // the digits of an older WhatsApp id that were written, or empty
}

func (r reading) valid() bool  { return r.kind != "" }
func (r reading) e164() string { return "+" + strconv.Itoa(r.cc) + r.nsn }

// read asks the phone library whether the number exists. It never lets the library take the digits apart.
func read(cc int, nsn string) reading {
	r := reading{cc: cc, nsn: nsn}
	if len(nsn) < 2 || len(nsn) > 15 {
		return r
	}
	n := libraryNumber(cc, nsn)
	kind := kinds[phonenumbers.GetNumberType(n)]
	// What the library holds must be what we wrote, leading zeros too.
	if kind != "" && phonenumbers.GetNationalSignificantNumber(n) == nsn {
		r.kind, r.region = kind, phonenumbers.GetRegionCodeForNumber(n)
	} else if kind, ok := fictional(cc, nsn); ok {
		r.kind, r.region = kind, phonenumbers.GetRegionCodeForCountryCode(cc)
	}
	return r
}

// libraryNumber is the library's form of a number that was taken apart already.
func libraryNumber(cc int, nsn string) *phonenumbers.PhoneNumber {
	value, _ := strconv.ParseUint(nsn, 10, 64) // digits only, at most 15
	n := &phonenumbers.PhoneNumber{CountryCode: new(int32(cc)), NationalNumber: &value}
	if zeros := len(nsn) - len(strings.TrimLeft(nsn[:len(nsn)-1], "0")) - 1; zeros > 0 {
		n.ItalianLeadingZero = new(true)
		n.NumberOfLeadingZeros = new(int32(zeros))
	}
	return n
}

// readTrunk reads the digits as written, and if no such number exists, without the national prefix of the country or as its plan has it.
func readTrunk(cc int, digits string) reading {
	r := read(cc, digits)
	if r.valid() {
		return r
	}
	trunk := trunkOf(phonenumbers.GetRegionCodeForCountryCode(cc))
	rest, has := strings.CutPrefix(digits, trunk)
	if has && trunk != "" {
		if short := read(cc, rest); short.valid() {
			short.trunk = trunk
			return short
		}
	}
	if planned := readPlan(cc, rest); planned.valid() {
		if has {
			planned.trunk = trunk
		}
		return planned
	}
	return r
}

// trunkOf is the national prefix of a region: "0" in most, "1", "8" or "06" in some, none in others.
func trunkOf(region string) string { return phonenumbers.GetNddPrefixForRegion(region, true) }

// splitCode cuts the country calling code off the digits; no code is the start of another.
func splitCode(digits string) (cc int, rest string, ok bool) {
	for i := 1; i <= min(3, len(digits)); i++ {
		n, _ := strconv.Atoi(digits[:i])
		if digits[0] != '0' && phonenumbers.GetRegionCodeForCountryCode(n) != phonenumbers.UNKNOWN_REGION {
			return n, digits[i:], true
		}
	}
	return 0, "", false
}

// international reads digits that start with their country code.
func (w written) international(region string) Number {
	if strings.HasPrefix(w.digits, "00") {
		return w.dialled(region)
	}
	cc, rest, ok := splitCode(w.digits)
	if !ok {
		return refused(Found("invalid-country-code", w.digits[:min(3, len(w.digits))]))
	}
	r := readTrunk(cc, rest)
	if r.valid() && r.trunk == "" && rest[0] == '0' && strings.Contains(w.cell, "(0)") { // the zero is there, or it is not
		if without := read(cc, rest[1:]); without.valid() {
			return undecided(r.e164(), without.e164())
		}
	}
	if !r.valid() {
		var ok bool
		if r, ok = repaired(cc, rest, w.id); !ok {
			return refused(explain(cc, rest, region), proposals(cc, rest)...)
		}
		if r.fault.Severity == Error {
			return refused(r.fault, r.e164())
		}
	}
	var front []Finding
	front = r.afterCode(front)
	if sharesCode(region, r) {
		front = append(front, Found("country-differs", r.region, region).as(Info, ""))
	}
	return r.number(front...)
}

// afterCode names a national prefix that stood between country code and number. In North America it is the code once more.
func (r reading) afterCode(front []Finding) []Finding {
	switch r.trunk {
	case "":
		return front
	case strconv.Itoa(r.cc):
		return append(front, Found("double-country-code"))
	}
	return append(front, Found("trunk-zero", r.trunk))
}

// number is the Number of a valid reading: its fault, what else was found on the way, and what its type says about reaching it.
func (r reading) number(front ...Finding) Number {
	e164 := r.e164()
	digits, _ := strconv.ParseUint(e164[1:], 10, 64) // E.164 has at most 15 digits
	n := Number{E164: e164, Region: r.region, Kind: r.kind, Digits: digits, Aliases: aliases(r), WaID: r.id}
	if r.fault.Rule != "" {
		n.add(r.fault)
	}
	n.Problems = append(n.Problems, front...)
	for _, m := range reachRules {
		if m.match(r) {
			n.add(Found(m.rule))
			break
		}
	}
	if mobile, ok := argentineMobile(r); ok {
		n.Suggest = append(n.Suggest, mobile)
	}
	return n
}

func (n *Number) add(f Finding) { n.Problems = append(n.Problems, f) }

// sharesCode says whether the number is of another country that has the same country code as the region.
func sharesCode(region string, r reading) bool {
	return r.region != region && region != "" && region != International && phonenumbers.GetCountryCodeForRegion(region) == r.cc
}

// reachRules say what the number means for WhatsApp; the first that matches counts.
var reachRules = []struct {
	rule  string
	match func(reading) bool
}{
	{"fictional-number", func(r reading) bool { _, ok := fictional(r.cc, r.nsn); return ok }},
	{"directory-assistance", func(r reading) bool { return r.cc == 1 && strings.HasSuffix(r.nsn, "5551212") }},
	{"placeholder-number", func(r reading) bool { return sameDigits(r.nsn) || r.nsn == keyRow[:10] }},
	{"toll-free", func(r reading) bool { return r.kind == "toll-free" }},
	{"premium-rate", func(r reading) bool { return r.kind == "premium-rate" }},
	{"shared-cost", func(r reading) bool { return r.kind == "shared-cost" }},
	{"non-geographic", func(r reading) bool { return r.region == "001" }},
	{"br-eight-digit-7x", func(r reading) bool { return r.cc == 55 && r.kind == "mobile" && len(r.nsn) == 10 }},
	{"ar-maybe-mobile", func(r reading) bool { _, ok := argentineMobile(r); return ok }},
	{"fixed-line", func(r reading) bool { return r.kind == "fixed-line" }},
}

// sameDigits says whether a number ends in seven or more equal digits, as people type to get past a form.
func sameDigits(nsn string) bool {
	const least = 7
	return len(nsn) >= least && strings.Trim(nsn[len(nsn)-least:], nsn[len(nsn)-1:]) == ""
}

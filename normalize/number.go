package normalize

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// International as a region means: digits without a + carry their country code all the same.
const International = "international"

// Number is what a phone cell says. Without an E164 it must not be written to, and Problems say why.
type Number struct {
	E164     string // with +, or empty
	Region   string // ISO code of the number's own country; "001" for numbers of no country
	Kind     string // "mobile", "fixed-line", "fixed-line-or-mobile", "toll-free", …
	Digits   uint64 // E164 as an integer: equal for all writings of one number; 0 without one
	Problems []Finding
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

// Parse reads a phone cell. Region is the ISO code of numbers without a country code, International, or empty for none.
//
// The number's digits are always those of the cell, with at most a country code before them and one national prefix less.
func Parse(cell, region string) Number {
	w, refusal := spell(cell)
	if refusal != nil {
		return refused(*refusal)
	}
	switch {
	case w.plus || region == International:
		return w.international(region)
	case region == "":
		return refused(Found("missing-country-code"))
	default:
		return w.national(region)
	}
}

// refused is a cell without a number.
func refused(f Finding) Number { return Number{Problems: []Finding{f}} }

// reading is one way to understand the digits of a cell.
type reading struct {
	cc     int    // country calling code
	nsn    string // national significant number, digits
	trunk  string // the national prefix that was taken out, or empty
	region string
	kind   string // empty for a number that does not exist
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

// readTrunk reads the digits as written, and if no such number exists, without the national prefix of the country.
func readTrunk(cc int, digits string) reading {
	r := read(cc, digits)
	trunk := trunkOf(phonenumbers.GetRegionCodeForCountryCode(cc))
	if r.valid() || trunk == "" || !strings.HasPrefix(digits, trunk) {
		return r
	}
	short := read(cc, digits[len(trunk):])
	short.trunk = trunk
	return short
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
	cc, rest, ok := splitCode(w.digits)
	switch {
	case strings.HasPrefix(w.digits, "00"):
		return refused(Found("idd-prefix"))
	case !ok:
		return refused(Found("invalid-country-code", w.digits[:min(3, len(w.digits))]))
	}
	r := readTrunk(cc, rest)
	if !r.valid() {
		return refused(explain(cc, rest, region))
	}
	n := r.number()
	if r.trunk != "" {
		n.add(Found("trunk-zero", r.trunk))
	}
	if sharesCode(region, r) {
		n.add(Found("country-differs", r.region, region).as(Info, ""))
	}
	return n
}

// number is the Number of a valid reading, with what its type says about reaching it.
func (r reading) number() Number {
	e164 := r.e164()
	digits, _ := strconv.ParseUint(e164[1:], 10, 64) // E.164 has at most 15 digits
	n := Number{E164: e164, Region: r.region, Kind: r.kind, Digits: digits}
	for _, m := range reachRules {
		if m.match(r) {
			n.add(Found(m.rule))
			break
		}
	}
	return n
}

func (n *Number) add(f Finding) { n.Problems = append(n.Problems, f) }

// sharesCode says whether the number is of another country that has the same country code as the region.
func sharesCode(region string, r reading) bool {
	return r.region != region && region != "" && region != International && phonenumbers.GetCountryCodeForRegion(region) == r.cc
}

// reachRules say what the type of a number means for WhatsApp; the first that matches counts.
var reachRules = []struct {
	rule  string
	match func(reading) bool
}{
	{"toll-free", func(r reading) bool { return r.kind == "toll-free" }},
	{"premium-rate", func(r reading) bool { return r.kind == "premium-rate" }},
	{"shared-cost", func(r reading) bool { return r.kind == "shared-cost" }},
	{"non-geographic", func(r reading) bool { return r.region == "001" }},
	{"br-eight-digit-7x", func(r reading) bool { return r.cc == 55 && r.kind == "mobile" && len(r.nsn) == 10 }},
	{"ar-maybe-mobile", func(r reading) bool { return r.cc == 54 && r.kind == "fixed-line" }},
	{"fixed-line", func(r reading) bool { return r.kind == "fixed-line" }},
}

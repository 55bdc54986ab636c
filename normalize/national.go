package normalize

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// national reads digits without a + in a list of the region: as a national number, or with their country code.
//
// A national number wins over a foreign one. Digits that start with the region's own code are the harder case: a mobile number
// wins over a landline. Two valid readings are always warned about.
func (w written) national(region string) Number {
	cc := phonenumbers.GetCountryCodeForRegion(region)
	home, ok := readHome(cc, w.digits, region)
	if !ok {
		return refused(Found("ambiguous-country", home.e164(), "+"+strconv.Itoa(cc)+w.digits).as(Error, ""))
	}
	abroad := w.abroad(cc)
	own := abroad.cc == cc
	switch {
	case home.valid() && abroad.valid() && home.e164() != abroad.e164():
		if own && abroad.kind == "mobile" && home.kind != "mobile" {
			home, abroad = abroad, home
		}
		n := home.number()
		n.add(Found("ambiguous-country", home.e164(), abroad.e164()))
		return n
	case home.valid():
		n := home.number()
		if sharesCode(region, home) {
			n.add(Found("country-differs", home.region, region))
		}
		return n
	case abroad.valid() && own:
		return carriesCode(abroad, Info)
	case abroad.valid():
		if f, doubtful := doubt(w.digits, cc, region, abroad); doubtful {
			return refused(f)
		}
		return carriesCode(abroad, Warning)
	}
	return refused(w.explainNational(cc, region))
}

// carriesCode is a number whose + is missing; s says how sure that is.
func carriesCode(r reading, s Severity) Number {
	n := r.number()
	n.add(Found("plus-missing").as(s, ""))
	if r.trunk != "" {
		n.add(Found("trunk-zero", r.trunk))
	}
	return n
}

// readHome reads digits as a number of the region, with or without its national prefix. Not ok: both ways exist, so neither is certain.
func readHome(cc int, digits, region string) (r reading, ok bool) {
	r = read(cc, digits)
	trunk := trunkOf(region)
	if trunk == "" || !strings.HasPrefix(digits, trunk) {
		return r, true
	}
	short := read(cc, digits[len(trunk):])
	short.trunk = trunk
	if !short.valid() {
		return r, true
	}
	return short, !r.valid()
}

// abroad reads digits as a number with its country code; the zero reading where they are not written so.
//
// A group that is set apart is a country code only when it is exactly one: 351 912 345 678, never 201-555-0124 24. A group in
// parentheses is an area code, unless it is the region's own country code.
func (w written) abroad(home int) reading {
	cc, rest, ok := splitCode(w.digits)
	switch {
	case !ok:
		return reading{}
	case cc == home:
		return readTrunk(cc, rest)
	case w.group != 0 && (w.paren || w.group != len(w.digits)-len(rest)):
		return reading{}
	}
	return read(cc, rest)
}

// doubt looks for a reason why digits that are valid abroad are rather a damaged number of the region.
func doubt(digits string, cc int, region string, abroad reading) (Finding, bool) {
	if f, ok := damaged(cc, digits); ok {
		return f, true
	}
	if phonenumbers.IsPossibleNumberWithReason(libraryNumber(cc, digits)) == phonenumbers.IS_POSSIBLE_LOCAL_ONLY {
		return Found("missing-area-code"), true
	}
	// The library knows carrier codes and old prefixes that we do not read. Where it sees a number of the region, we see a doubt.
	if other, ok := libraryReads(digits, region); ok && other.e164() != abroad.e164() {
		return Found("ambiguous-country", other.e164(), abroad.e164()).as(Error, fmt.Sprintf("could be %s or %s", other.e164(), abroad.e164())), true
	}
	return Finding{}, false
}

// libraryReads is the phone library's own reading of the digits, to find doubts with; it is never used as a number.
func libraryReads(digits, region string) (reading, bool) {
	n, err := phonenumbers.Parse(digits, region)
	if err != nil {
		return reading{}, false
	}
	r := read(int(n.GetCountryCode()), phonenumbers.GetNationalSignificantNumber(n))
	return r, r.valid()
}

// explainNational says why digits are no number of the region, with or without a country code.
func (w written) explainNational(cc int, region string) Finding {
	if len(w.digits) <= 6 && phonenumbers.IsValidShortNumberForRegion(libraryNumber(cc, w.digits), region) {
		return Found("short-code", w.digits, region)
	}
	if f, ok := damaged(cc, w.digits); ok {
		return f
	}
	other, ok := libraryReads(w.digits, region)
	switch {
	case ok && other.cc != cc:
		return Found("idd-prefix")
	case ok && w.digits[0] == '0':
		return Found("carrier-prefix", perhaps(other))
	}
	f := explain(cc, w.digits, region)
	if code, rest, ok := splitCode(w.digits); ok && code == cc && f.Rule == "too-long" {
		return explain(cc, rest, region)
	}
	return f
}

// explain says why digits behind a country code are no number.
func explain(cc int, digits, region string) Finding {
	if f, ok := damaged(cc, digits); ok {
		return f
	}
	country := phonenumbers.GetRegionCodeForCountryCode(cc)
	if cc == phonenumbers.GetCountryCodeForRegion(region) {
		country = region
	}
	if len(digits) > 15 {
		return Found("too-long", country)
	}
	if digits == "" {
		return Found("too-short", country)
	}
	switch phonenumbers.IsPossibleNumberWithReason(libraryNumber(cc, digits)) {
	case phonenumbers.TOO_SHORT:
		return Found("too-short", country)
	case phonenumbers.TOO_LONG:
		return Found("too-long", country)
	case phonenumbers.IS_POSSIBLE_LOCAL_ONLY:
		return Found("missing-area-code")
	}
	return Found("invalid-number", country)
}

// damages are faults of well-known lists that make a valid number of a country from an invalid one. They name the fault and correct nothing.
var damages = []struct {
	rule   string
	repair func(cc int, digits string) string // the national number without the fault, or empty
}{
	{"double-country-code", func(cc int, digits string) string {
		code := strconv.Itoa(cc)
		if cc < 10 {
			return "" // one digit twice is a slip of the finger as often
		}
		rest, _ := strings.CutPrefix(digits, code)
		return strings.TrimPrefix(rest, code)
	}},
	{"mx-legacy-prefix", func(cc int, digits string) string {
		if cc != 52 {
			return ""
		}
		for _, prefix := range []string{"044", "045", "01", "521", "1"} {
			if rest, ok := strings.CutPrefix(digits, prefix); ok && len(rest) == 10 {
				return rest
			}
		}
		return ""
	}},
	{"br-ninth-digit-missing", func(cc int, digits string) string {
		digits = strings.TrimPrefix(digits, "0")
		if cc != 55 || len(digits) != 10 || digits[2] < '6' {
			return ""
		}
		return digits[:2] + "9" + digits[2:]
	}},
}

// damaged finds the fault of digits that are no number of the country.
func damaged(cc int, digits string) (Finding, bool) {
	for _, d := range damages {
		nsn := d.repair(cc, digits)
		if nsn == "" || nsn == digits {
			continue
		}
		if r := read(cc, nsn); r.valid() {
			return Found(d.rule, perhaps(r)), true
		}
	}
	return Finding{}, false
}

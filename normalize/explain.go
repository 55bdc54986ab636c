package normalize

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/nyaruka/phonenumbers"
)

// explainNational says why digits are no number of the region, with or without a country code.
func (w written) explainNational(cc int, region string) Finding {
	if w.isShortCode(cc, region) {
		return Found("short-code", w.digits, region)
	}
	if lacksArea(cc, w.digits, region) {
		return Found("missing-area-code")
	}
	f := explain(cc, w.digits, region)
	if f.Rule != "too-long" {
		return f
	}
	if strayPrefix(cc, w.digits) {
		return Found("invalid-number", region)
	}
	if code, rest, ok := splitCode(w.digits); ok && code == cc {
		return explain(cc, rest, region)
	}
	return f
}

// keyRow is what people type who run along the keys.
const keyRow = "1234567890123456"

// filledIn says whether the digits are one digit again and again or the row of keys, as people type to get past a form.
func (w written) filledIn() bool {
	const least, most = 6, 15
	if strings.Trim(w.digits, "0") == "" {
		return true
	}
	if len(w.digits) < least || len(w.digits) > most {
		return false
	}
	keys := strings.HasPrefix(keyRow, w.digits) || strings.HasPrefix("0"+keyRow, w.digits)
	return strings.Trim(w.digits, w.digits[:1]) == "" || keys && len(w.groups) == 1
}

// isShortCode says whether the digits are a number of a few digits that a network sells or reserves.
func (w written) isShortCode(cc int, region string) bool {
	if len(w.digits) > 6 || len(w.groups) > 1 {
		return false
	}
	return phonenumbers.IsValidShortNumberForRegion(libraryNumber(cc, w.digits), region) ||
		len(w.digits) >= 5 && phonenumbers.IsPossibleShortNumberForRegion(libraryNumber(cc, w.digits), region)
}

// lacksArea says whether the digits become a number of the region behind the area code of an example number.
func lacksArea(cc int, digits, region string) bool {
	if cc == 54 && strings.HasPrefix(digits, "15") && len(digits) >= 8 && len(digits) <= 10 {
		return true // Argentine mobiles as they are dialled in their own town
	}
	const least = 6
	if len(digits) < least {
		return false
	}
	for _, e := range examplesOf(region) {
		whole := e.area + len(digits)
		if e.area > 0 && whole <= len(e.nsn) && whole >= len(e.nsn)-1 && read(cc, e.nsn[:e.area]+digits).valid() {
			return true
		}
	}
	return false
}

// example is a national number of a region and how many digits its area code has, 0 where it has none.
type example struct {
	nsn  string
	area int
}

// examples are the landline and the mobile number of each region that was asked for: the library builds them anew each time.
var examples sync.Map

func examplesOf(region string) []example {
	if known, ok := examples.Load(region); ok {
		return known.([]example)
	}
	var all []example
	for _, kind := range []phonenumbers.PhoneNumberType{phonenumbers.FIXED_LINE, phonenumbers.MOBILE} {
		n := phonenumbers.GetExampleNumberForType(region, kind)
		if n == nil {
			continue
		}
		e := example{phonenumbers.GetNationalSignificantNumber(n), phonenumbers.GetLengthOfGeographicalAreaCode(n)}
		if region == "BR" {
			e.area = 2 // of mobiles too, which the library does not count
		}
		all = append(all, e)
	}
	examples.Store(region, all)
	return all
}

// strayPrefix says whether a number with its country code stands behind up to three digits that mean nothing.
func strayPrefix(cc int, digits string) bool {
	for n := 1; n <= min(3, len(digits)); n++ {
		if rest, ok := strings.CutPrefix(digits[n:], strconv.Itoa(cc)); ok && read(cc, rest).valid() {
			return true
		}
	}
	return false
}

// explain says why digits behind a country code are no number.
func explain(cc int, digits, region string) Finding {
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
	if cc == 54 && strings.HasPrefix(digits, "15") && lacksArea(cc, digits, "AR") {
		return Found("missing-area-code")
	}
	if (cc == 225 || cc == 229) && len(digits) == 8 {
		return Found("obsolete-number") // a landline of which only its operator knows what became of it
	}
	if legacy := withoutMexican1(cc, digits); legacy != "" && len(legacy) < 10 {
		return Found("too-short", country)
	}
	switch phonenumbers.IsPossibleNumberWithReason(libraryNumber(cc, digits)) {
	case phonenumbers.IS_POSSIBLE:
		if belowExamples(digits, country) {
			return Found("too-short", country)
		}
	case phonenumbers.TOO_SHORT:
		return Found("too-short", country)
	case phonenumbers.TOO_LONG:
		return Found("too-long", country)
	case phonenumbers.IS_POSSIBLE_LOCAL_ONLY:
		if !lacksArea(cc, digits, country) {
			return Found("too-short", country)
		}
		return Found("missing-area-code")
	}
	return Found("invalid-number", country)
}

// belowExamples says whether both a landline and a mobile number of the region are longer: possible lengths count odd services too.
func belowExamples(digits, region string) bool {
	all := examplesOf(region)
	return len(all) > 0 && !slices.ContainsFunc(all, func(e example) bool { return len(e.nsn) <= len(digits) })
}

// proposals are the numbers of a country that digits with one fault may mean.
func proposals(cc int, digits string) []string {
	var out []string
	propose := func(nsn string) {
		if r := read(cc, nsn); r.valid() && !slices.Contains(out, r.e164()) {
			out = append(out, r.e164())
		}
	}
	if cc == 55 && len(digits) == 12 && digits[2] == '9' && digits[3] == '9' {
		propose(digits[:2] + digits[3:]) // one 9 too many
	}
	if cc == 39 || cc == 225 {
		propose("0" + digits) // a zero that belongs to the number, and that spreadsheets drop
	}
	return out
}

// perhaps are the numbers that digits without a + may mean.
func (w written) perhaps(cc int, region string) []string {
	out := proposals(cc, w.digits)
	if rest, ok := strings.CutPrefix(w.digits, strconv.Itoa(cc)); ok {
		out = append(out, proposals(cc, rest)...)
	}
	if rest, ok := strings.CutPrefix(w.digits, "0"+strconv.Itoa(cc)); ok && read(cc, rest).valid() {
		out = append(out, read(cc, rest).e164())
	}
	if other, ok := libraryReads(w.digits, region); ok && other.cc == cc && !slices.Contains(out, other.e164()) {
		out = append(out, other.e164())
	}
	return out
}

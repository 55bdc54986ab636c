package normalize

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

// explainNational says why digits are no number of the region, with or without a country code.
func (w written) explainNational(cc int, region string) []Finding {
	if w.isShortCode(region) {
		return []Finding{Found("short-code", w.digits, region)}
	}
	if lacksArea(cc, w.digits, region) {
		return []Finding{Found("missing-area-code")}
	}
	found := explain(cc, w.digits, region)
	if found[0].Rule != tooLong.rule {
		return found
	}
	if strayPrefix(cc, w.digits) {
		return unassigned.in(region)
	}
	if code, rest, ok := splitCode(w.digits); ok && code == cc {
		return explain(cc, rest, region)
	}
	return found
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
	return strings.Trim(w.digits, w.digits[:1]) == "" || keys && w.groups.n == 1
}

// isShortCode says whether the digits are a number of a few digits that a network sells or reserves.
func (w written) isShortCode(region string) bool {
	if len(w.digits) > 6 || w.groups.n > 1 {
		return false
	}
	return numplan.ShortCode(region, w.digits) || len(w.digits) >= 5 && numplan.ShortLength(region, len(w.digits))
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
		whole := e.Area + len(digits)
		if e.Area > 0 && whole <= len(e.NSN) && whole >= len(e.NSN)-1 && read(cc, e.NSN[:e.Area]+digits).valid() {
			return true
		}
	}
	return false
}

// examplesOf are a landline and a mobile number of a region, where it has them, with the length of their area code.
func examplesOf(region string) (all [2]numplan.Example) {
	all[0], all[1] = numplan.Examples(region)
	if region == "BR" {
		all[0].Area, all[1].Area = 2, 2 // of mobiles too, which the plans do not count
	}
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

// explain says why digits behind a country code are no number, in one finding that others may share.
func explain(cc int, digits, region string) []Finding {
	country := numplan.Region(cc)
	if cc == numplan.Code(region) {
		country = region
	}
	if len(digits) > 15 {
		return tooLong.in(country)
	}
	if digits == "" {
		return tooShort.in(country)
	}
	if cc == 54 && strings.HasPrefix(digits, "15") && lacksArea(cc, digits, "AR") {
		return []Finding{Found("missing-area-code")}
	}
	if (cc == 225 || cc == 229) && len(digits) == 8 {
		return []Finding{Found("obsolete-number")} // a landline of which only its operator knows what became of it
	}
	if legacy := withoutMexican1(cc, digits); legacy != "" && len(legacy) < 10 {
		return tooShort.in(country)
	}
	switch numplan.Length(cc, len(digits)) {
	case numplan.Unassigned:
		if belowExamples(digits, country) {
			return tooShort.in(country)
		}
	case numplan.TooShort:
		return tooShort.in(country)
	case numplan.TooLong:
		return tooLong.in(country)
	case numplan.LocalOnly:
		if !lacksArea(cc, digits, country) {
			return tooShort.in(country)
		}
		return []Finding{Found("missing-area-code")}
	}
	return unassigned.in(country)
}

// belowExamples says whether both a landline and a mobile number of the region are longer: possible lengths count odd services too.
func belowExamples(digits, region string) bool {
	known := false
	for _, e := range examplesOf(region) {
		if known = known || e.NSN != ""; e.NSN != "" && len(e.NSN) <= len(digits) {
			return false
		}
	}
	return known
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
	if other, ok := planReads(w.digits, region); ok && other.cc == cc && !slices.Contains(out, other.e164()) {
		out = append(out, other.e164())
	}
	return out
}

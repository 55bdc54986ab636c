package normalize

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

// tier says how directly the digits are a number of the region: the lower the surer.
type tier int

const (
	tierHome     tier = iota // valid there, with or without the region's own country code
	tierRepaired             // valid there after a repair
	tierAbroad               // valid with the country code that the digits start with
	tierNone
)

// national reads digits without a + in a list of the region: as a national number, or with their country code.
//
// A national number wins over a foreign one. Digits that start with the region's own code are the harder case: a mobile number
// wins over a landline. Two valid readings are warned about, but for a landline abroad: a list for WhatsApp does not mean it.
func (w written) national(region string) (Number, tier) {
	cc := numplan.Code(region)
	home, ok := readHome(cc, w.digits, region)
	if !ok {
		return undecided(home.e164(), "+"+strconv.Itoa(cc)+w.digits), tierHome
	}
	abroad := w.abroad(cc)
	own := abroad.cc == cc && abroad.valid()
	switch {
	case home.valid() && abroad.valid() && home.e164() != abroad.e164() && (own || abroad.kind == numplan.Mobile):
		if own && abroad.kind == numplan.Mobile && home.kind != numplan.Mobile {
			home, abroad = abroad, home
		}
		n := home.number(Found("ambiguous-country", home.e164(), abroad.e164()))
		n.Suggest = append(n.Suggest, abroad.e164())
		return n, tierHome
	case home.valid():
		return w.atHome(home, region), tierHome
	case own:
		return carriesCode(abroad, Info), tierHome
	}
	if n, ok := w.dialledFrom(region); ok {
		return n, tierAbroad
	}
	return w.mended(cc, region, abroad)
}

// atHome is a number that is written nationally.
func (w written) atHome(r reading, region string) Number {
	var front []Finding
	if sharesCode(region, r) {
		front = append(front, Found("country-differs", r.region, region))
	}
	n := r.number(front...)
	// A spreadsheet that takes the number for an amount drops the zero and leaves no separators.
	if r.trunk == "" && w.groups.n < 2 && r.fault.Rule == "" && zeroRegions.has(region) && numplan.Trunk(region) == "0" {
		n.add(Found("trunk-zero-missing"))
	}
	return n
}

// zeroRegions are the regions where national numbers are always written with the trunk zero.
var zeroRegions = regionSetOf("AE AF AL AM AT AU AX AZ BA BD BE BG BL CC CD CH CU CX DE DZ EC EG EH ER ET FI FR GB GF GG GH GP HR ID IE IL IM IQ IR JE JO JP KE KG " +
	"KH KP KR LA LK LR LY MA MC MD ME MF MG MK MM MQ MW MY NA NG NL NZ PH PK PM PS PY RE RO RS RW SA SD SE SI SK SL SS TH TW TZ UA UG UY VE XK YE YT ZA ZM ZW")

// regionSet are regions as bits, by their first letter and their second: every number of a list may ask for its region.
type regionSet [26]uint32

func regionSetOf(list string) (s regionSet) {
	for region := range strings.FieldsSeq(list) {
		s[region[0]-'A'] |= 1 << (region[1] - 'A')
	}
	return s
}

func (s *regionSet) has(region string) bool {
	return len(region) == 2 && region[0]-'A' < 26 && s[region[0]-'A']&(1<<(region[1]-'A')) != 0
}

// undecided are digits with two meanings that are equally good.
func undecided(a, b string) Number {
	return refused(Found("ambiguous-country", a, b).as(Error, fmt.Sprintf("could be %s or %s", a, b)), a, b)
}

// carriesCode is a number whose + is missing; s says how sure that is.
func carriesCode(r reading, s Severity) Number {
	missing := Found("plus-missing").as(s, "")
	front := r.afterCode(nil)
	if s != Info {
		return r.number(append(front, missing)...)
	}
	n := r.number(front...)
	n.add(missing) // says nothing about the number: what does comes first
	return n
}

// readHome reads digits as a number of the region, with or without its national prefix. Not ok: both ways exist, so neither is certain.
func readHome(cc int, digits, region string) (r reading, ok bool) {
	r = read(cc, digits)
	trunk := numplan.Trunk(region)
	rest, has := strings.CutPrefix(digits, trunk)
	if has && trunk != "" {
		if short := read(cc, rest); short.valid() {
			short.trunk = trunk
			return short, !r.valid()
		}
	}
	if r.valid() {
		return r, true
	}
	if planned := readPlan(cc, rest); planned.valid() {
		planned.trunk = trunk
		return planned, true
	}
	if c := readCarrier(cc, digits, region); c.valid() {
		return c, true
	}
	return r, true
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
	case w.groups.n > 1 && (w.paren || int(w.groups.sizes[0]) != len(w.digits)-len(rest)):
		return reading{}
	}
	return read(cc, rest)
}

// mended reads digits that are no number of the region as they stand: with a repair, or abroad where nothing speaks for the region.
func (w written) mended(cc int, region string, abroad reading) (Number, tier) {
	home, carries, faulty := w.repairedHome(cc)
	switch {
	case faulty && !home.valid():
		return refusedAs(unassigned.in(region)), tierNone
	case faulty && abroad.valid() && !w.mexican():
		return undecided(home.e164(), abroad.e164()), tierRepaired
	case faulty && home.fault.Severity == Error:
		return refused(home.fault, home.e164()), tierNone
	case faulty:
		if !carries {
			return home.number(), tierRepaired
		}
		n := home.number(home.afterCode(nil)...)
		n.add(Found("plus-missing"))
		return n, tierRepaired
	case !abroad.valid():
		return refusedAs(w.explainNational(cc, region), w.perhaps(cc, region)...), tierNone
	}
	if n, doubtful := w.doubt(cc, region, abroad); doubtful {
		return n, tierNone
	}
	return carriesCode(abroad, Warning), tierAbroad
}

// repairedHome is the one number of the region that a repair makes of the digits. Carries: they start with the region's country code.
// A reading without a kind says that repairs contradict each other.
func (w written) repairedHome(cc int) (r reading, carries, ok bool) {
	local, localOK := repaired(cc, w.digits, w.id)
	if !w.id {
		local.id = "" // without a country code it states no id
	}
	rest, carries := strings.CutPrefix(w.digits, strconv.Itoa(cc))
	if !carries {
		return local, false, localOK
	}
	full, fullOK := repaired(cc, rest, w.id)
	switch {
	case !fullOK:
		return local, false, localOK
	case localOK && local.nsn != full.nsn:
		return reading{}, false, true
	}
	return full, true, true
}

// mexican says whether a leading 1 is set apart before an area code of two digits, which no number of North America has.
func (w written) mexican() bool {
	return w.groups.n > 2 && w.groups.sizes[0] == 1 && w.groups.sizes[1] == 2
}

// doubt looks for a reason why digits that are valid abroad are rather a damaged number of the region.
func (w written) doubt(cc int, region string, abroad reading) (Number, bool) {
	if lacksArea(cc, w.digits, region) {
		return refused(Found("missing-area-code")), true
	}
	// The plans know carrier codes and old prefixes that we do not read. Where they see a number of the region, we see a doubt.
	if other, ok := planReads(w.digits, region); ok && other.e164() != abroad.e164() {
		return undecided(other.e164(), abroad.e164()), true
	}
	return Number{}, false
}

// planReads is the plans' own reading of the digits, as they are dialled in the region, to find doubts with; it is never used as a number.
func planReads(digits, region string) (reading, bool) {
	n := numplan.Read(digits, region)
	r := read(n.Code, n.NSN())
	return r, r.valid()
}

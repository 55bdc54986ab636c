package normalize

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

// International as a region means: digits without a + carry their country code all the same.
const International = "international"

// Number is what a phone cell says. Without Digits it must not be written to, and Problems say why.
//
// It holds no text of its own: what it is called is made when somebody asks, since most rows of a list are only counted and compared.
type Number struct {
	Digits   uint64    // E.164 without its +: equal for all writings of one number; 0 without one
	Region   string    // ISO code of the number's own country; "001" for numbers of no country
	Kind     string    // "mobile", "fixed-line", "fixed-line-or-mobile", "toll-free", …
	WaID     string    // digits of the WhatsApp id that the cell states, where they are not those of E164
	Suggest  []string  // numbers with + that the cell may mean; for people to choose from, never written to
	Problems []Finding // the main one first; several numbers may share them, so they are not to be changed

	bare bool // it was written without its country code, which is the region's
}

// E164 is the number with +, empty without one.
func (n Number) E164() string {
	if n.Digits == 0 {
		return ""
	}
	b := [24]byte{'+'}
	return string(strconv.AppendUint(b[:1], n.Digits, 10))
}

// Aliases are other ids of the same recipient, with +; none of them is a number of somebody else. There are none without a number.
func (n Number) Aliases() []string {
	if a := n.alias(); a != 0 {
		return []string{"+" + strconv.FormatUint(a, 10)}
	}
	return nil
}

// alias is the other id as digits, 0 for none.
func (n *Number) alias() uint64 {
	return aliasOf(n.Digits, func() numplan.Kind { return numplan.KindNamed(n.Kind) })
}

// Parse reads a phone cell. Region is the ISO code of numbers without a country code, several with commas, International, or empty for none.
//
// The number's digits are those of the cell, but for prefixes and for what a named rule in Problems repairs.
func Parse(cell, region string) Number { return parse(cell, region, false) }

// parse is Parse; id says that the column holds WhatsApp ids.
func parse(cell, region string, id bool) Number {
	var n Number
	if !quick(&n, cell, region, id) {
		n = careful(cell, region, id)
	}
	return n
}

// careful reads any cell. Of the cells that quick reads it says the same.
func careful(cell, region string, id bool) Number {
	w, refusal := spell(cell, region)
	if refusal != nil {
		return refusal.number()
	}
	w.id = w.id || id
	n := w.read(region)
	if n.Digits == 0 && n.Problems[0].Rule != "ambiguous-country" {
		if w.filledIn() {
			return refused(Found("placeholder-number").as(Error, ""))
		}
		if parts := w.severalNumbers(region); parts != nil {
			return Number{Suggest: parts, Problems: []Finding{Found("multiple-numbers")}}
		}
	}
	if n.Digits != 0 {
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
		return refused(Found("missing-country-code"), w.international("").E164())
	case strings.Contains(region, ","):
		return w.several(strings.Split(region, ","))
	}
	n, _ := w.national(region)
	return n
}

// refused is a cell without a number; what may have been meant is suggested, empty ones are left out.
func refused(f Finding, suggest ...string) Number { return refusedAs([]Finding{f}, suggest...) }

// refusedAs is refused with findings that others may share.
func refusedAs(found []Finding, suggest ...string) Number {
	n := Number{Problems: found}
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
	kind   numplan.Kind // NoKind for a number that does not exist
	fault  Finding
	id     string // the digits of an older WhatsApp id that were written, or empty
}

func (r reading) valid() bool  { return r.kind != numplan.NoKind }
func (r reading) e164() string { return "+" + strconv.Itoa(r.cc) + r.nsn }

// digits are those of E.164 as one number. A national number has at most 15 of them, so all fit.
func (r reading) digits() uint64 {
	d := uint64(r.cc)
	for i := range len(r.nsn) {
		d = d*10 + uint64(r.nsn[i]-'0')
	}
	return d
}

// read asks the numbering plans whether the number exists. It never lets them take the digits apart.
func read(cc int, nsn string) reading {
	r := reading{cc: cc, nsn: nsn}
	if e := entry(cc, nsn); e.Valid() {
		r.kind, r.region = e.Kind, e.Region
	}
	return r
}

// entry is what is known of a national number: from the numbering plans, or from the ranges that they leave out.
func entry[T digitText](cc int, nsn T) (e numplan.Entry) {
	if len(nsn) < 2 || len(nsn) > 15 {
		return e
	}
	if e = numplan.Lookup(cc, nsn); !e.Valid() && isFictional(cc, nsn) {
		e.Kind, _ = fictional(cc, string(nsn))
		e.Region = numplan.Region(cc)
	}
	return e
}

// readTrunk reads the digits as written, and if no such number exists, without the national prefix of the country or as its plan has it.
func readTrunk(cc int, digits string) reading {
	r := read(cc, digits)
	if r.valid() {
		return r
	}
	trunk := numplan.Trunk(numplan.Region(cc))
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

// splitCode cuts the country calling code off the digits; no code is the start of another.
func splitCode(digits string) (cc int, rest string, ok bool) {
	cc, n := numplan.SplitCode(digits)
	return cc, digits[n:], n > 0
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
			return refusedAs(explain(cc, rest, region), proposals(cc, rest)...)
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
	n := Number{Region: r.region, Kind: r.kind.String(), Digits: r.digits(), WaID: r.id}
	if r.fault.Rule != "" {
		n.add(r.fault)
	}
	n.Problems = append(n.Problems, front...)
	if rule := reachOf(r.cc, r.nsn, r.region, r.kind); rule != reached {
		n.add(Found(reachNames[rule]))
	}
	if mobile, ok := argentineMobile(r); ok {
		n.Suggest = append(n.Suggest, mobile)
	}
	return n
}

func (n *Number) add(f Finding) { n.Problems = append(n.Problems, f) }

// sharesCode says whether the number is of another country that has the same country code as the region.
func sharesCode(region string, r reading) bool {
	return r.region != region && region != "" && region != International && numplan.Code(region) == r.cc
}

package normalize

import (
	"slices"
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

// dialled reads digits that start with 00: as +, in every region, before anything else can tear them apart.
func (w written) dialled(region string) Number {
	severity := Info
	if w.plus {
		severity = Warning
	}
	digits := strings.TrimPrefix(w.digits, "00")
	n := w.after("00", region, severity)
	if n.Digits != 0 || digits == "" {
		return n
	}
	if other, ok := w.dialledFrom(region); ok {
		return other
	}
	return n
}

// dialledFrom reads digits behind the international prefix of the region itself, such as 011.
func (w written) dialledFrom(region string) (Number, bool) {
	prefix := idds[region]
	if prefix == "" || !strings.HasPrefix(w.digits, prefix) {
		return Number{}, false
	}
	n := w.after(prefix, region, Info)
	return n, n.Digits != 0
}

// after is the international number behind a dialling prefix, with a finding that names the prefix.
func (w written) after(prefix, region string, s Severity) Number {
	rest := w.digits[len(prefix):]
	if rest == "" || rest[0] == '0' {
		return refused(Found("invalid-country-code", rest[:min(3, len(rest))]))
	}
	n := written{digits: rest, plus: true, id: w.id}.international(region)
	if n.Digits == 0 {
		return n
	}
	f := Found("idd-prefix", prefix).as(s, "")
	at := 0 // a repair or a trunk zero says more about the number
	for at < len(n.Problems) && (n.Problems[at].Rule == "trunk-zero" || isRepair(n.Problems[at].Rule)) {
		at++
	}
	n.Problems = slices.Insert(n.Problems, at, f)
	return n
}

func isRepair(rule string) bool {
	return slices.ContainsFunc(repairs, func(r repair) bool { return r.rule == rule })
}

// plusZero reads a + before a zero, which no country code has: the zeros are a dialling prefix, or the + is one too many.
func (w written) plusZero(region string) Number {
	var found []Number
	try := func(n Number) {
		same := func(x Number) bool { return x.Digits == n.Digits }
		if n.Digits != 0 && !slices.ContainsFunc(found, same) {
			found = append(found, n)
		}
	}
	for _, prefix := range []string{"00", "011", "0"} {
		if strings.HasPrefix(w.digits, prefix) {
			try(w.after(prefix, region, Warning))
		}
	}
	if knownRegion(region) && !strings.HasPrefix(w.digits, "00") {
		if home, ok := readHome(numplan.Code(region), w.digits, region); ok && home.valid() {
			try(home.number(Found("idd-prefix", "+").as(Warning, "a + stands before a number without a country code")))
		}
	}
	switch len(found) {
	case 0:
		return refused(Found("invalid-country-code", w.digits[:min(3, len(w.digits))]))
	case 1:
		return found[0]
	}
	return undecided(found[0].E164(), found[1].E164())
}

// several reads digits in a list of several regions: one number, or none where two regions have one.
func (w written) several(regions []string) Number {
	best, found := tierNone, []Number(nil)
	var lesser string
	for _, region := range regions {
		n, t := w.national(region)
		switch {
		case t == tierNone && len(found) == 0 && best == tierNone:
			found = []Number{n} // to say why
		case t > best || t == tierNone:
			lesser = n.E164()
		case t < best:
			if best != tierNone {
				lesser = found[0].E164()
			}
			best, found = t, []Number{n}
		default:
			found = append(found, n)
		}
	}
	n := agreed(found, best, lesser)
	n.Problems = slices.DeleteFunc(slices.Clone(n.Problems), func(f Finding) bool { return f.Rule == "country-differs" && slices.Contains(regions, n.Region) })
	return n
}

// agreed is the number of all readings where they are one. A number that another region has by a repair or abroad is worth a warning.
func agreed(found []Number, best tier, lesser string) Number {
	first := found[0]
	if best == tierNone {
		return first
	}
	for _, n := range found {
		switch {
		case n.Digits == 0:
			return n
		case n.Digits != first.Digits:
			return undecided(first.E164(), n.E164())
		}
	}
	if lesser != "" && lesser != first.E164() && best < tierAbroad && first.Digits != 0 {
		first.Suggest = append(first.Suggest, lesser)
		first.Problems = slices.Insert(first.Problems, 0, Found("ambiguous-country", first.E164(), lesser))
	}
	return first
}

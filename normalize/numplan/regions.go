package numplan

import "math/bits"

// plan is the numbering plan of one region, or of a country code of no region.
type plan struct {
	region             string
	code               uint16
	possible, local    uint32 // lengths of national numbers as bits: all, and those of numbers without their area code
	services           uint32 // lengths of short codes as bits
	trunk              string
	put                string // digits before the group that the prefix keeps
	rewrites           bool   // whether the prefix keeps a group
	idd, prefix, short uint16 // where these parts of the automaton start
	fixed, mobile      Example
}

// Example is a national number that the plans give as an example. The zero value is none.
type Example struct {
	NSN  string
	Area int // digits of its area code, 0 where it has none
}

// planOf is the plan of a region, nil for an unknown one.
func planOf(region string) *plan {
	if len(region) != 2 {
		return nil
	}
	a, b := uint(region[0])-'A', uint(region[1])-'A'
	if a > 25 || b > 25 || planAt[a*26+b] == 0 {
		return nil
	}
	return &plans[planAt[a*26+b]-1]
}

// Code is the country code of a region such as 55 for "BR"; 0 for an unknown region.
func Code(region string) int {
	if p := planOf(region); p != nil {
		return int(p.code)
	}
	return 0
}

// Region is the main region of a country code, "001" for a code of no region, empty for an unknown one.
func Region(number int) string {
	if p := codeOf(number).main(); p != nil {
		return p.region
	}
	return ""
}

// main is the plan that decides for all regions of a code; nil for an unknown code.
func (c *code) main() *plan {
	if c.count == 0 {
		return nil
	}
	return &plans[c.first]
}

// Trunk is the national prefix of a region: "0" in most, "1", "8" or "06" in some, empty in others.
func Trunk(region string) string {
	if p := planOf(region); p != nil {
		return p.trunk
	}
	return ""
}

// Examples are an example of a landline and of a mobile number of a region; either may be missing.
func Examples(region string) (fixed, mobile Example) {
	if p := planOf(region); p != nil {
		return p.fixed, p.mobile
	}
	return Example{}, Example{}
}

// Length says what a country's plan thinks of a national number of so many digits; Unassigned where the length is possible.
func Length(number, digits int) Status {
	p := codeOf(number).main()
	if p == nil {
		return InvalidCode
	}
	return p.length(digits)
}

func (p *plan) length(digits int) Status {
	bit := uint32(1) << min(digits, 31)
	switch {
	case p.local&bit != 0:
		return LocalOnly
	case p.possible&bit != 0:
		return Unassigned
	case digits < bits.TrailingZeros32(p.possible):
		return TooShort
	case digits >= bits.Len32(p.possible):
		return TooLong
	}
	return InvalidLength
}

// ShortCode says whether digits are a number of a few digits that networks of the region give to services or reserve.
func ShortCode[T text](region string, digits T) bool {
	p := planOf(region)
	return p != nil && labels[ended(p.short, digits)].service()
}

// ShortLength says whether the region has short codes of so many digits.
func ShortLength(region string, digits int) bool {
	p := planOf(region)
	return p != nil && p.services&(1<<min(digits, 31)) != 0
}

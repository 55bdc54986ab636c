package normalize

import (
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

// aliasRules are the other ids under which a country's numbers are known to WhatsApp or were known before.
//
// An alias must never be a number of somebody else: each rule leaves out the digits that are in use in their own right.
var aliasRules = []struct {
	from, to uint64 // the numbers of one country code and length, with the code
	alias    func(digits uint64, kind numplan.Kind) uint64
}{
	{55_00_0_0000_0000, 55_99_9_9999_9999, func(d uint64, _ numplan.Kind) uint64 { // the id from before the ninth digit; 2 to 5 are landlines, 7 is the old trunking range
		switch d / 1_000_0000 % 100 {
		case 96, 98, 99:
			return d/10_0000_0000*1_0000_0000 + d%1_0000_0000
		}
		return 0
	}},
	{52_00_0000_0000, 52_99_9999_9999, func(d uint64, kind numplan.Kind) uint64 { // the 1 that stood before mobile numbers until 2019
		if kind == numplan.TollFree || kind == numplan.PremiumRate {
			return 0
		}
		return 521_00_0000_0000 + d%100_0000_0000
	}},
	{225_00_0000_0000, 225_99_9999_9999, older},
	{229_00_0000_0000, 229_99_9999_9999, older},
}

// older is the number without the two digits that a new plan put before it, where the plan leads from there to the very number.
func older(digits uint64, _ numplan.Kind) uint64 {
	text := strconv.FormatUint(digits, 10)
	cc, old := text[:3], text[5:]
	if renumbered(int(digits/100_0000_0000), old) != text[3:] {
		return 0
	}
	d, err := strconv.ParseUint(cc+old, 10, 64)
	if err != nil {
		return 0
	}
	return d
}

// aliasOf is the other id of a number's owner, 0 for none. The kind is asked for where it counts.
func aliasOf(digits uint64, kind func() numplan.Kind) uint64 {
	for i := range aliasRules {
		if r := &aliasRules[i]; digits >= r.from && digits <= r.to {
			return r.alias(digits, kind())
		}
	}
	return 0
}

// idShapes lead from an older or shorter id to today's digits by the form alone, so that made-up and new numbers meet too.
var idShapes = []struct {
	from, to uint64 // the older ids: one country code and length
	code     int    // digits of the country code, and of what the older id has behind it
	today    func(rest string) string
}{
	{55_00_0000_0000, 55_99_9999_9999, 2, func(rest string) string { // as in aliasRules: 2 to 5 are landlines, 7 may be somebody else
		if strings.IndexByte("689", rest[2]) < 0 {
			return ""
		}
		return "55" + rest[:2] + "9" + rest[2:]
	}},
	{521_00_0000_0000, 521_99_9999_9999, 3, func(rest string) string { return "52" + rest }},
	{54_00_0000_0000, 54_89_9999_9999, 2, func(rest string) string { return "549" + rest }}, // a block of numbers is a landline's or a mobile's, never both
	{225_0000_0000, 225_9999_9999, 3, func(rest string) string { return behindCode("225", renumbered(225, rest)) }},
	{229_0000_0000, 229_9999_9999, 3, func(rest string) string { return behindCode("229", renumbered(229, rest)) }},
}

func behindCode(cc, nsn string) string {
	if nsn == "" {
		return ""
	}
	return cc + nsn
}

// Canonical is the number, as digits with country code, in which all WhatsApp ids of its owner meet. It goes by their form alone and returns others unchanged.
func Canonical(digits uint64) uint64 {
	for _, r := range idShapes {
		if digits < r.from || digits > r.to {
			continue
		}
		if today, err := strconv.ParseUint(r.today(strconv.FormatUint(digits, 10)[r.code:]), 10, 64); err == nil {
			return today
		}
	}
	return digits
}

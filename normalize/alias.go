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
	cc    int
	alias func(r reading) string // the alias without +, or empty
}{
	{55, func(r reading) string { // the id from before the ninth digit; 2 to 5 are landlines, 7 is the old trunking range
		if len(r.nsn) != 11 || r.nsn[2] != '9' || strings.IndexByte("689", r.nsn[3]) < 0 {
			return ""
		}
		return "55" + r.nsn[:2] + r.nsn[3:]
	}},
	{52, func(r reading) string { // the 1 that stood before mobile numbers until 2019
		if len(r.nsn) != 10 || r.kind == numplan.TollFree || r.kind == numplan.PremiumRate {
			return ""
		}
		return "521" + r.nsn
	}},
	{225, func(r reading) string { return older(r, 2) }},
	{229, func(r reading) string { return older(r, 2) }},
}

// older is the number without the digits that a new plan put before it, where the plan leads from there to the very number.
func older(r reading, put int) string {
	if len(r.nsn) != 10 || renumbered(r.cc, r.nsn[put:]) != r.nsn {
		return ""
	}
	return r.e164()[1:][:3] + r.nsn[put:]
}

// aliases are the other ids of a number's owner, with +.
func aliases(r reading) []string {
	var out []string
	for _, rule := range aliasRules {
		if rule.cc != r.cc {
			continue
		}
		if a := rule.alias(r); a != "" {
			out = append(out, "+"+a)
		}
	}
	return out
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

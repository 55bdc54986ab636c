package normalize

import "strings"

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
		if len(r.nsn) != 10 || r.kind == "toll-free" || r.kind == "premium-rate" {
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

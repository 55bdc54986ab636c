package normalize

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

// planRules are national writings that are correct in a country although no prefix alone explains them.
var planRules = []struct {
	cc  int
	nsn func(digits string) []string // the numbers that the writing can mean
}{
	{54, without15},
}

// without15 takes the 15 of Argentine mobiles out behind the area code of two to four digits and puts the 9 before it.
func without15(digits string) (all []string) {
	if len(digits) != 12 {
		return nil
	}
	for area := 2; area <= 4; area++ {
		if digits[area:area+2] == "15" {
			all = append(all, "9"+digits[:area]+digits[area+2:])
		}
	}
	return all
}

// readPlan reads digits as the plan of their country writes them; the zero reading where that is not certain.
func readPlan(cc int, digits string) (r reading) {
	for _, p := range planRules {
		if p.cc != cc {
			continue
		}
		for _, nsn := range p.nsn(digits) {
			one := read(cc, nsn)
			switch {
			case one.valid() && r.valid():
				return reading{}
			case one.valid():
				r = one
			}
		}
	}
	return r
}

// carriers are the codes of phone companies that stand between the trunk zero and the number.
var carriers = []struct {
	region string
	codes  string
	rest   []int // lengths of the number behind them
}{
	{"BR", "12 14 15 21 22 23 25 31 41 43 55 65 99", []int{10, 11}},
	{"CO", "3 5 7 9 414 444 456 4", []int{10}},
}

// readCarrier reads 0, a carrier code and the number; the zero reading where the region has no carrier codes.
func readCarrier(cc int, digits, region string) reading {
	for _, c := range carriers {
		if c.region != region || digits[0] != '0' {
			continue
		}
		for code := range strings.SplitSeq(c.codes, " ") {
			rest, ok := strings.CutPrefix(digits[1:], code)
			if !ok || !slices.Contains(c.rest, len(rest)) {
				continue
			}
			if r := read(cc, rest); r.valid() {
				r.fault = Found("carrier-prefix")
				return r
			}
		}
	}
	return reading{}
}

// repair is a fault of well-known lists: it makes a number of digits that are none.
type repair struct {
	rule     string
	severity Severity // Error: only suggested, since more than one digit is in doubt
	idOK     Severity // in a WhatsApp id, where the old writing is no fault of the list; empty: as severity
	old      bool     // whether the digits written may be the number's WhatsApp id
	nsn      func(cc int, digits string) string
	args     []any // for the rule's words
}

// repairs are tried on digits that are no number of the country; each must lead to one.
var repairs = []repair{
	{"double-country-code", Warning, "", false, undoubled, nil},
	{"mx-legacy-prefix", Warning, Info, true, withoutMexican1, nil},
	{"br-ninth-digit-missing", Warning, Info, true, withNinth, nil},
	{"ar-redundant-15", Warning, "", false, func(cc int, digits string) string {
		if all := without15(strings.TrimPrefix(digits, "9")); cc == 54 && strings.HasPrefix(digits, "9") && len(all) == 1 {
			return all[0]
		}
		return ""
	}, nil},
	{"trunk-zero", Warning, "", false, func(cc int, digits string) string {
		if rest, ok := strings.CutPrefix(digits, "0"); ok && !strings.HasPrefix(rest, "0") {
			return rest
		}
		return ""
	}, []any{"0"}},
	{"obsolete-number", Error, Warning, true, renumbered, nil},
}

// undoubled takes a second country code off. Of one digit it is a slip of the finger as often.
func undoubled(cc int, digits string) string {
	if cc < 10 {
		return ""
	}
	rest, ok := strings.CutPrefix(strings.TrimPrefix(digits, "00"), strconv.Itoa(cc))
	if !ok {
		return ""
	}
	return rest
}

// withoutMexican1 takes off what stood before Mexican mobile numbers until 2019.
func withoutMexican1(cc int, digits string) string {
	if cc != 52 {
		return ""
	}
	for _, prefix := range []string{"044", "045", "01", "1"} {
		if rest, ok := strings.CutPrefix(digits, prefix); ok {
			return rest
		}
	}
	return ""
}

// withNinth puts the ninth digit before a Brazilian mobile number of eight. The old trunking numbers (7x) and landlines have none.
func withNinth(cc int, digits string) string {
	digits = strings.TrimPrefix(digits, "0")
	if cc != 55 || len(digits) != 10 || digits[2] < '6' {
		return ""
	}
	return digits[:2] + "9" + digits[2:]
}

// repaired looks for the one repair that makes the digits a number of the country. Two different ones are none.
func repaired(cc int, digits string, id bool) (r reading, ok bool) {
	for _, p := range repairs {
		nsn := p.nsn(cc, digits)
		if nsn == "" || nsn == digits {
			continue
		}
		one := read(cc, nsn)
		switch {
		case !one.valid():
		case r.valid() && r.nsn != one.nsn:
			return reading{}, false
		case !r.valid():
			r = one.repairedBy(p, digits, id)
		}
	}
	return r, r.valid()
}

// repairedBy notes which repair made the reading and how sure it is.
func (r reading) repairedBy(p repair, digits string, id bool) reading {
	severity := p.severity
	if id && p.idOK != "" {
		severity = p.idOK
	}
	if r.cc == 55 && digits[0] == '0' && p.rule != "trunk-zero" {
		r.trunk = "0" // it went together with the repair
	}
	r.fault = Found(p.rule, p.args...).as(severity, "")
	if written := strconv.Itoa(r.cc) + digits; p.old && (id || written == r.olderID()) {
		r.id = written
	}
	return r
}

// olderID is the alias of a number: the id that an account from before a change of plan has; empty for none.
func (r reading) olderID() string {
	if a := aliasOf(r.digits(), func() numplan.Kind { return r.kind }); a != 0 {
		return strconv.FormatUint(a, 10)
	}
	return ""
}

// renumbering is one change of a national plan: old numbers of a length gained or changed their first digits.
type renumbering struct {
	cc     int
	length int
	next   func(old string) string // the new number, or empty where the old one does not decide it
}

// renumberings are the changes of plans whose old numbers still stand in lists.
var renumberings = []renumbering{
	{225, 8, func(old string) string { // Côte d'Ivoire, 2021: the operator follows from the second digit of a mobile number
		if old[0] == '2' || old[0] == '3' {
			return "" // of landlines only the operator knows
		}
		return [10]string{"01", "01", "01", "01", "05", "05", "05", "07", "07", "07"}[old[1]-'0'] + old
	}},
	{229, 8, func(old string) string { return "01" + old }}, // Benin, 2024
	{237, 8, func(old string) string { // Cameroon, 2014
		if old[0] == '2' || old[0] == '3' {
			return "2" + old
		}
		return "6" + old
	}},
	{593, 8, func(old string) string { return "9" + old }}, // Ecuador, 2012
	{57, 8, func(old string) string { return "60" + old }}, // Colombian landlines, 2021
	{84, 10, func(old string) string { // Vietnamese mobiles of eleven digits with the trunk zero, 2018
		if to := vietnam[old[:3]]; to != "" {
			return to + old[3:]
		}
		return ""
	}},
}

// vietnam are the mobile prefixes before and after 2018.
var vietnam = map[string]string{
	"162": "32", "163": "33", "164": "34", "165": "35", "166": "36", "167": "37", "168": "38", "169": "39", "120": "70", "121": "79", "122": "77",
	"126": "76", "128": "78", "123": "83", "124": "84", "125": "85", "127": "81", "129": "82", "186": "56", "188": "58", "199": "59",
}

// renumbered is the number that an old one became, or empty.
func renumbered(cc int, digits string) string {
	if cc == 84 || cc == 593 {
		digits = strings.TrimPrefix(digits, "0")
	}
	for _, n := range renumberings {
		if n.cc == cc && n.length == len(digits) {
			return n.next(digits)
		}
	}
	return ""
}

// argentineMobile is the mobile number that a landline of Argentina is as likely, since both are written alike without the 9.
func argentineMobile(r reading) (e164 string, ok bool) {
	if !landlineOf54(r.cc, len(r.nsn), r.kind) {
		return "", false
	}
	return "+549" + r.nsn, true
}

// landlineOf54 says whether a number is a landline of Argentina.
func landlineOf54(cc, digits int, kind numplan.Kind) bool {
	return cc == 54 && kind == numplan.FixedLine && digits == 10
}

// idds are the international dialling prefixes of regions, beside 00 which is understood in all of them.
var idds = map[string]string{
	"US": "011", "CA": "011", "AU": "0011", "JP": "010", "KE": "000", "UG": "000", "TZ": "000", "SG": "001", "HK": "001", "ID": "001", "TH": "001", "KR": "001",
	"RU": "810", "KZ": "810", "BY": "810", "CO": "009", "JM": "011", "DO": "011", "PR": "011", "TT": "011", "BB": "011", "BS": "011",
}

package normalize

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Severity says what a finding does to its row. An Error holds the row back.
type Severity string

// The severities, worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Rule is one kind of finding: its public name, its usual severity, its words for people and what to do about it.
type Rule struct {
	Name     string
	Severity Severity
	Says     string // message; %s and %d take what was found
	Hint     string // what to do in the list; empty where the message says it
}

// Finding is what is said about one row. Line, Column (field) and Char count from 1; 0 means not known.
type Finding struct {
	Rule               string
	Severity           Severity
	Line, Column, Char int
	Header             string // of the column it is about, empty for the whole row
	Value              string // the cell as it stands in the list
	Message            string
	FirstLine          int // of duplicates and of people who opted out: the row that it is about; 0 without one
}

// What to do, where several rules say the same.
const (
	writeOut = "write the number with + and its country code, digits only, for example +5511987654321"
	typeText = "format the column as text, type the number again with + and its country code"
	oneEach  = "leave one number in the cell"
)

// rules are all rules in use, in the order of `--rules`. A rule for a writing that is not read yet is an error until it is.
var rules = []Rule{
	{"row-too-short", Error, "the row has %d of %d columns, and the phone column is missing", "compare the row with the header"},
	{"row-too-long", Error, "the row has %d columns, the header %d: its cells are shifted", "put a cell that holds the delimiter in quotes"},

	{"scientific-notation", Warning, "a spreadsheet wrote the number as %s; all its digits are there", typeText},
	{"scientific-notation-lossy", Error, "a spreadsheet shortened the number to %s; its last digits are lost", typeText},
	{"float-suffix", Warning, "%s is written as a decimal number; the decimal zeros were dropped", typeText},
	{"thousands-separator", Warning, "the digits are grouped like an amount", typeText},
	{"trunk-zero-missing", Info, "the number lacks the zero of national calls, as spreadsheets drop it", typeText},
	{"text-prefix", Info, "a quote or apostrophe stands before the number; it was left out", "take it away"},
	{"formula-wrapped", Info, "the number is wrapped in a formula; it was taken out", "paste the column as values"},
	{"formula-cell", Error, "the cell is a formula", "paste the column as values"},
	{"formula-evaluated", Error, "the cell starts with a minus: a spreadsheet calculated with the number", typeText},
	{"spreadsheet-error", Error, "the cell holds the spreadsheet error %s", "correct the formula or type the number"},

	{"empty-phone", Warning, "the row has no phone number", ""},
	{"placeholder-number", Warning, "this is what people fill in where they have no number", writeOut},
	{"not-a-phone-number", Error, "%s is no phone number that can be read", writeOut},
	{"lid-not-phone", Error, "this is a WhatsApp privacy id (LID), not a phone number", writeOut},
	{"group-id", Error, "this is the id of a WhatsApp group", writeOut},
	{"broadcast-id", Error, "this is the id of a WhatsApp broadcast list", writeOut},
	{"newsletter-id", Error, "this is the id of a WhatsApp channel", writeOut},
	{"link-without-number", Error, "this link holds no phone number", writeOut},
	{"short-code", Error, "%s is a short code in %s; WhatsApp has none", ""},
	{"masked-number", Error, "some digits of the number are masked", writeOut},

	{"too-short", Error, "the number has too few digits for %s", writeOut},
	{"too-long", Error, "the number has too many digits for %s", writeOut},
	{"invalid-number", Error, "no such number exists in %s", writeOut},
	{"invalid-country-code", Error, "no country has a code at the start of +%s", writeOut},
	{"missing-country-code", Error, "the number has no country code, and no region was given", "write it with + and its country code, or name the list's country with --region, for example --region BR"},
	{"missing-area-code", Error, "the area code is missing", writeOut},
	{"ambiguous-country", Warning, "read as %s; %s would be valid too", "write it with + and its country code"},
	{"country-mismatch", Warning, "the number belongs to %s, the country column says %s; the number's own + counts", ""},
	{"country-differs", Warning, "the number belongs to %s, which shares its country code with %s", ""},
	{"unknown-country", Error, "the country %q is not known", "write a two-letter code such as BR, or a calling code such as +55"},
	{"double-country-code", Warning, "the country code stands there twice; one was dropped", writeOut},
	{"idd-prefix", Info, "the dialling prefix %s stands where + belongs", "write + in its place"},
	{"carrier-prefix", Info, "the code of a phone company was taken out from before the number", writeOut},
	{"trunk-zero", Info, "the %s of national calls was taken out after the country code", ""},
	{"plus-missing", Info, "the number carries its country code without +", ""},
	{"label-text", Warning, "other text stands beside the number; it was left out", "leave only the number in the cell"},
	{"letters-in-number", Error, "letters stand among the digits", writeOut},
	{"letter-for-digit", Error, "letters stand for digits, perhaps for %s", writeOut},
	{"extension-dropped", Warning, "the extension was left out: WhatsApp has none", ""},
	{"multiple-numbers", Error, "the cell seems to hold several numbers", oneEach},
	{"invisible-characters", Info, "the cell holds the character %s; it was left out", "type the number again"},
	{"non-ascii-digits", Info, "the digits are not 0 to 9; they were translated", writeOut},

	{"br-ninth-digit-missing", Warning, "the ninth digit of a Brazilian mobile number is missing; it was put in", writeOut},
	{"br-eight-digit-7x", Warning, "an eight-digit mobile number of the old trunking range", ""},
	{"mx-legacy-prefix", Warning, "a mobile prefix that Mexico gave up in 2019; it was dropped", writeOut},
	{"ar-maybe-mobile", Warning, "a landline, or a mobile number written without its 9", "write mobile numbers as +54 9 …"},
	{"ar-redundant-15", Warning, "the 15 of national calls stands beside the 9; it was dropped", writeOut},
	{"obsolete-number", Error, "a number from before the country changed its numbers", "ask for the new number, or check the one that is suggested"},

	{"fictional-number", Warning, "a number that is kept for films and manuals: nobody has it", ""},
	{"directory-assistance", Warning, "the number of directory assistance", ""},
	{"fixed-line", Warning, "a landline; few of them are on WhatsApp", ""},
	{"toll-free", Warning, "a toll-free number; few of them are on WhatsApp", ""},
	{"shared-cost", Warning, "a shared-cost number; few of them are on WhatsApp", ""},
	{"premium-rate", Warning, "a premium-rate number", ""},
	{"non-geographic", Warning, "a number that belongs to no country, such as a satellite phone", ""},
	{"us-marketing", Warning, "a number of the United States, where no marketing template is delivered", "leave it out, or send a utility template where the content allows it"},

	{"same-recipient-two-numbers", Warning, "the row has another number too; only this one is used", ""},

	{"opted-out", Error, "the recipient opted out: %q", ""},
	{"consent-other-channel", Warning, "opted out of e-mail or SMS: %q says nothing about WhatsApp", ""},
}

// Rules are all rules in use, in the order in which they are listed to people.
func Rules() []Rule { return slices.Concat(fileRules, rules, rowRules, contentRules) }

var ruleByName = indexRules()

func indexRules() map[string]Rule {
	m := map[string]Rule{}
	for _, r := range slices.Concat(fileRules, rules, rowRules, contentRules) {
		m[r.Name] = r
	}
	return m
}

// RuleNamed is the rule of a finding; false for a name that no rule in use has.
func RuleNamed(name string) (Rule, bool) {
	r, ok := ruleByName[name]
	return r, ok
}

// Found makes a finding of a rule in use, without a place; args fill in the rule's words. An unknown rule holds the row back.
func Found(name string, args ...any) Finding {
	r := ruleByName[name]
	return Finding{Rule: name, Severity: cmp.Or(r.Severity, Error), Message: fill(r.Says, args)}
}

// fill puts what was found into a rule's words, as fmt.Sprintf does. Most words take texts and whole numbers alone, and lists have millions of them.
func fill(says string, args []any) string {
	var room [128]byte
	out, rest := room[:0], says
	for _, arg := range args {
		i := strings.IndexByte(rest, '%')
		if i < 0 || i+1 == len(rest) {
			return fmt.Sprintf(says, args...)
		}
		out = append(out, rest[:i]...)
		verb := byte('d')
		switch v := arg.(type) {
		case string:
			out, verb = append(out, v...), 's'
		case int:
			out = strconv.AppendInt(out, int64(v), 10)
		case uint32:
			out = strconv.AppendUint(out, uint64(v), 10)
		default:
			verb = 0
		}
		if rest[i+1] != verb {
			return fmt.Sprintf(says, args...)
		}
		rest = rest[i+2:]
	}
	if strings.IndexByte(rest, '%') >= 0 {
		return fmt.Sprintf(says, args...)
	}
	return string(append(out, rest...))
}

// as is the finding with another severity or message: rules with two letters in the table need it.
func (f Finding) as(s Severity, message string) Finding {
	f.Severity = s
	if message != "" {
		f.Message = message
	}
	return f
}

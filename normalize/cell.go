package normalize

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// written is a phone cell whose every character is understood.
type written struct {
	digits string
	plus   bool
	group  int  // digits before the first separator; 0 when there is none
	paren  bool // whether the first group stands in parentheses
}

// maxGroupStart is how many digits may stand before a "(": country code and trunk. What comes later in parentheses is a remark.
const maxGroupStart = 5

// spell takes a phone cell to its digits, or says why it cannot. Only 0-9, space and + - ( ) . are read.
func spell(cell string) (written, *Finding) {
	cell = strings.Trim(cell, " ")
	for i := range len(cell) {
		if !readable(cell[i]) {
			return written{}, new(nameUnreadable(cell))
		}
	}
	if f := badShape(cell); f != nil {
		return written{}, f
	}
	var w written
	b := make([]byte, 0, len(cell))
	for i := range len(cell) {
		switch c := cell[i]; {
		case c == '+':
			w.plus = true
		case isDigit(c):
			b = append(b, c)
		case w.group == 0 && len(b) > 0:
			w.group, w.paren = len(b), c == ')'
		}
	}
	w.digits = string(b)
	return w, nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func readable(c byte) bool { return isDigit(c) || strings.IndexByte("+-(). ", c) >= 0 }

// badShape names what is wrong with a cell of readable characters that is not written like one phone number, or nil.
func badShape(cell string) *Finding {
	for _, s := range shapes {
		if s.re.MatchString(cell) {
			return new(s.finding(cell))
		}
	}
	return nil
}

// shape is a writing that is known and not read, and how to name it.
type shape struct {
	rule    string
	re      *regexp.Regexp
	finding func(cell string) Finding
}

// named is a shape whose message takes nothing of the cell; quoting puts the cell into the message.
func named(rule, re string, args ...any) shape {
	return shape{rule, regexp.MustCompile(re), func(string) Finding { return Found(rule, args...) }}
}

func quoting(rule, re string) shape {
	return shape{rule, regexp.MustCompile(re), func(cell string) Finding { return Found(rule, short(cell)) }}
}

// shapes are looked for in cells of readable characters only; the first that matches counts.
var shapes = []shape{
	quoting("not-a-phone-number", `^[^0-9]*$`),
	named("formula-evaluated", `^[ (]*-`),
	named("idd-prefix", `^[ (+]*0[ ().-]*0|^[ (]*0[ ()]*\+`),
	named("double-country-code", `^\+\d{1,3}[ ().-]*\+`, ""),
	named("multiple-numbers", `\+.*\+|\d.*\+`),
	quoting("not-a-phone-number", `^[ (]*[).]|\+[ (]*[-).]`),
	quoting("float-suffix", `^\+?\d+\.\d{1,2}$|^\d\.\d+$`),
	named("label-text", fmt.Sprintf(`^(?:[^0-9]*[0-9]){%d,}[^0-9(]*\(`, maxGroupStart+1)),
}

// unreadables are looked for in all other cells; the first that matches counts.
var unreadables = []shape{
	quoting("spreadsheet-error", `^#[A-Z0-9/!?]+[!?A]?$`),
	named("formula-wrapped", `^="[0-9+ ().-]*"$|^=\+?[0-9]+$`),
	named("formula-cell", `^[=@]`),
	named("text-prefix", "^['’‘`\"´]"),
	{"scientific-notation", scientific, nameScientific},
	named("lid-not-phone", `@lid\b`),
	named("group-id", `@g\.us\b`),
	named("broadcast-id", `@broadcast\b`),
	named("newsletter-id", `@newsletter\b`),
	named("link-without-number", `(?i)chat\.whatsapp\.com|wa\.me/message/`),
	quoting("not-a-phone-number", `://|@|(?i)^(?:tel|whatsapp|wa\.me)\b`),
	quoting("not-a-phone-number", `^[^\pN]*$`),
	named("thousands-separator", `^\d{1,3}(?:[,'’\x{a0}\x{202f}]\d{3}){2,}$`),
	named("multiple-numbers", `[/;|&,\r\n]|:::`),
	{"invisible-characters", regexp.MustCompile(`[\x00-\x1f\x7f]`), nameForeign},
	{"non-ascii-digits", regexp.MustCompile(`[^\x00-\x7f]`), nameForeign},
	named("carrier-prefix", `^\(?0[xX]{2}`, ""),
	named("masked-number", `[*]|[xX]{2}|[0-9][ .-]*[xX]+$`),
	named("letters-in-number", `[0-9][.-]?[A-Za-z]|[A-Za-z][.-]?[0-9]`),
	named("label-text", `^[^0-9]*[0-9+ ().-]+[^0-9]*$`),
	named("multiple-numbers", `[A-Za-z]`),
}

// nameUnreadable says what a cell with unread characters is.
func nameUnreadable(cell string) Finding {
	for _, s := range unreadables {
		if s.re.MatchString(cell) {
			return s.finding(cell)
		}
	}
	return Found("not-a-phone-number", short(cell))
}

// scientific is a number with an exponent, as spreadsheets write long numbers.
var scientific = regexp.MustCompile(`^[+-]?\d+(?:[.,](\d+))?[eE]\+?(\d{1,3})$`)

// nameScientific tells a number that still has all its digits from one that lost some.
func nameScientific(cell string) Finding {
	m := scientific.FindStringSubmatch(cell)
	if exponent, _ := strconv.Atoi(m[2]); len(m[1]) >= exponent { // at most three digits
		return Found("scientific-notation", short(cell))
	}
	return Found("scientific-notation-lossy", short(cell))
}

// nameForeign says which character beyond printable ASCII stands in the cell.
func nameForeign(cell string) Finding {
	foreignDigit := func(c rune) bool { return c > unicode.MaxASCII && unicode.Is(unicode.Nd, c) }
	if strings.ContainsFunc(cell, foreignDigit) {
		return Found("non-ascii-digits")
	}
	for _, c := range cell {
		switch {
		case ' ' <= c && c < unicode.MaxASCII:
		case unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zs, unicode.Mn, unicode.Me, unicode.Pd, unicode.Sm):
			return Found("invisible-characters", fmt.Sprintf("%U", c))
		default:
			return Found("label-text")
		}
	}
	return Found("not-a-phone-number", short(cell))
}

// short quotes a cell for a message, cut to 40 characters.
func short(cell string) string {
	const most = 40
	if r := []rune(cell); len(r) > most {
		cell = string(r[:most]) + "…"
	}
	return strconv.Quote(cell)
}

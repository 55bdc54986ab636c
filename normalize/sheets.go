package normalize

import (
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

const quoteSigns = "'’‘`\"´“”„"

// quoted takes off the quotes that programs put before a number to keep a spreadsheet from calculating with it.
func quoted(t *text) *refusal {
	rest := strings.TrimLeft(t.s, quoteSigns)
	if rest == t.s || rest == "" {
		return nil
	}
	t.note(Found("text-prefix"))
	t.s = strings.TrimRight(rest, quoteSigns)
	if strings.HasPrefix(rest, "=") {
		t.s = rest // a formula's own quotes
	}
	return nil
}

var (
	wrapped = pattern(`^="([^"=]*)"$|^=(\+?[0-9]+)$`)
	minus   = pattern(`^=\+?([0-9]{1,3})-([0-9]+)$`)
)

// formula unwraps text that was made a formula to protect it, and refuses all other formulas: none is calculated.
func formula(t *text) *refusal {
	if m := wrapped().FindStringSubmatch(t.s); m != nil {
		t.note(Found("formula-wrapped"))
		t.s = m[1] + m[2]
		return nil
	}
	if !strings.HasPrefix(t.s, "=") && !strings.HasPrefix(t.s, "@") {
		return nil
	}
	r := refuse(Found("formula-cell"))
	if m := minus().FindStringSubmatch(t.s); m != nil { // what a spreadsheet makes of a typed +91-98…
		r.suggest = valids("+" + m[1] + m[2])
	}
	return r
}

// valids are the suggestions among texts that are numbers indeed.
func valids(cells ...string) (out []string) {
	for _, c := range cells {
		if n := Parse(c, ""); n.Digits != 0 {
			out = append(out, n.E164())
		}
	}
	return out
}

var errorCell = pattern(`^#(?:[A-Z0-9/]+[!?]?|#*)$`)

// spreadsheetError refuses #N/A, #REF! and the ##### of a narrow column.
func spreadsheetError(t *text) *refusal {
	if errorCell().MatchString(t.s) {
		return refuse(Found("spreadsheet-error", short(t.s)))
	}
	return nil
}

// scientific is a number with an exponent, as spreadsheets write long numbers.
var scientific = pattern(`^(\+?)(\d)(?:[.,](\d+))?[eE]\+?(\d{1,3})$`)

// exponent writes a number out that has all its digits, and refuses one that lost some: equal remains are different people.
func exponent(t *text) *refusal {
	m := scientific().FindStringSubmatch(t.s)
	if m == nil {
		return nil
	}
	decimals := m[3]
	power, _ := strconv.Atoi(m[4]) // at most three digits
	if len(decimals) < power || strings.Trim(decimals[power:], "0") != "" {
		return refuse(Found("scientific-notation-lossy", short(t.s)))
	}
	t.note(Found("scientific-notation", short(t.s)))
	t.s = m[1] + m[2] + decimals[:power]
	return nil
}

var (
	zeros    = pattern(`^(\+?\d{7,})[.,]0{1,2}$`) // dots are phone signs too: not after fewer digits, and no more zeros
	fraction = pattern(`^\+?\d+[.]\d{1,2}$|^\d\.\d+$`)
)

// decimals takes a decimal part of zeros off; any other means that the cell held an amount.
func decimals(t *text) *refusal {
	if m := zeros().FindStringSubmatch(t.s); m != nil {
		t.note(Found("float-suffix", short(t.s)))
		t.s = m[1]
	}
	if fraction().MatchString(t.s) {
		return refuse(Found("not-a-phone-number", short(t.s)))
	}
	return nil
}

// computed refuses a leading minus: +91-98… was calculated. The sum can be turned round where the country code is known.
func computed(t *text) *refusal {
	rest, ok := strings.CutPrefix(strings.TrimLeft(t.s, "( "), "-")
	if !ok || onlyDigits(rest) == "" || !readable(rest) {
		return nil
	}
	r := refuse(Found("formula-evaluated"))
	code := numplan.Code(t.region)
	if value, err := strconv.ParseUint(rest, 10, 48); err == nil && code > 0 {
		r.suggest = valids("+" + strconv.Itoa(code) + strconv.FormatUint(value+uint64(code), 10))
	}
	return r
}

var dates = pattern(`^(?:\d{1,2}/\d{1,2}/(?:19|20)\d\d|(?:19|20)\d\d-[01]\d-[0-3]\d)(?:[ T].*)?$`)

// dated refuses what a spreadsheet took for a day.
func dated(t *text) *refusal {
	if dates().MatchString(t.s) {
		return refuse(Found("date-cell", short(t.s)).as(Error, short(t.s)+" is a date"))
	}
	return nil
}

// SheetRead is how many bytes of a workbook's sheet were read so far, and of how many; 0 and 0 for a text list.
func (l *List) SheetRead() (done, total int64) { return l.reader.SheetRead() }

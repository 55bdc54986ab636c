package normalize

import "strings"

// signs are the kinds of characters that a cell has, as bits: most steps have nothing to do with most cells.
type signs uint32

const (
	hasDigit   signs = 1 << iota
	hasLetter        // a to z and A to Z
	hasForeign       // no ASCII, or a control character
	hasBracket       // [ ] { }
	hasQuote
	hasEquals
	hasAt
	hasHash
	hasDot
	hasComma
	hasDash
	hasSlash
	hasColon
	hasPlus
	hasStar // * ? _
	hasDivider
)

// signClasses are the characters of each bit, where one has a few.
var signClasses = []struct {
	bit   signs
	chars string
}{
	{hasDigit, "0123456789"}, {hasBracket, "[]{}"}, {hasQuote, "'`\""}, {hasEquals, "="}, {hasAt, "@"}, {hasHash, "#"}, {hasDot, "."}, {hasComma, ","},
	{hasDash, "-"}, {hasSlash, "/"}, {hasColon, ":"}, {hasPlus, "+"}, {hasStar, "*?_"}, {hasDivider, ";|&"},
}

var signOf = indexSigns()

func indexSigns() (all [256]signs) {
	for c := range all {
		switch {
		case c < ' ' || c > '~':
			all[c] = hasForeign
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			all[c] = hasLetter
		}
	}
	for _, row := range signClasses {
		for _, c := range []byte(row.chars) {
			all[c] = row.bit
		}
	}
	return all
}

// signsOf are the kinds of characters of a cell.
func signsOf(s string) (all signs) {
	for i := range len(s) {
		all |= signOf[s[i]]
	}
	return all
}

// step takes a cell that is not plain nearer to one that is, or refuses it.
type step struct {
	needs, with signs // it leaves cells alone that have nothing of these, or nothing of those; 0 asks for nothing
	do          func(*text) *refusal
}

// concerns says whether the step has something to do with a cell of such characters.
func (s step) concerns(has signs) bool {
	return (s.needs == 0 || has&s.needs != 0) && (s.with == 0 || has&s.with != 0)
}

// steps are tried in this order; the first refusal counts. (A function, since some steps read what they suggest.)
func steps() [22]step {
	return [...]step{
		{hasDigit, hasDot | hasComma | hasQuote | hasForeign, groupedLikeAmount},
		{hasForeign | hasBracket, 0, plainCharacters},
		{hasQuote | hasForeign, 0, quoted},
		{hasEquals | hasAt, 0, formula},
		{hasHash, 0, spreadsheetError},
		{hasDigit, hasLetter, exponent},
		{hasDigit, hasDot | hasComma, decimals},
		{hasDigit, hasSlash | hasDash, dated},
		{hasDigit, hasDash, computed},
		{hasAt, 0, whatsAppID},
		{hasLetter | hasForeign, hasDot | hasColon, link},
		{hasColon, 0, uri},
		{hasDigit, hasLetter | hasHash | hasForeign, extension},
		{hasLetter | hasForeign, 0, placeholderWord},
		{0, 0, placeholderSign},
		{hasDigit, hasLetter | hasStar, carrierMark},
		{hasLetter | hasStar | hasHash | hasForeign, 0, masked},
		{hasLetter | hasForeign, 0, letterForDigit},
		{hasPlus, 0, twoPluses},
		{hasDivider | hasSlash | hasComma | hasColon | hasForeign, 0, separated},
		{0, 0, labelled},
		{0, 0, badShape},
	}
}

// take takes all steps that have something to do with the cell.
func (t *text) take() *refusal {
	has := signsOf(t.s)
	for _, s := range steps() {
		if !s.concerns(has) {
			continue
		}
		before := t.s
		if r := s.do(t); r != nil {
			return r
		}
		if t.s = strings.Trim(t.s, " "); t.s != before {
			has = signsOf(t.s)
		}
	}
	return nil
}

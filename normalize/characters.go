package normalize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// characters counts what plainCharacters replaced.
type characters struct {
	out     strings.Builder
	unseen  rune // the first invisible or look-alike character
	foreign bool // digits or signs of another script
	keycap  bool // digits inside the emoji of a key
	last    rune
}

// plainCharacters writes native digits as 0 to 9, odd spaces and dashes as plain ones, and leaves invisible characters out.
//
// It goes by the Unicode class and not by a list, since every program has its own invisible characters.
func plainCharacters(t *text) *refusal {
	if !utf8.ValidString(t.s) {
		return refuse(Found("not-a-phone-number", short(t.s)))
	}
	if without := strings.ReplaceAll(t.s, "\x00", ""); without != t.s {
		return refuse(Found("nul-byte").as(Error, "a NUL byte stands in the number: part of it may be lost"), Parse(without, t.region).E164())
	}
	var c characters
	for _, r := range strings.Trim(t.s, " \t\r\n") {
		c.write(r)
	}
	t.s = c.out.String()
	switch {
	case c.keycap:
		t.note(Found("non-ascii-digits").as(Warning, ""))
	case c.foreign:
		t.note(Found("non-ascii-digits"))
	}
	if c.unseen != 0 && !c.keycap {
		t.note(Found("invisible-characters", fmt.Sprintf("%U", c.unseen)))
	}
	return nil
}

// write takes one character over.
func (c *characters) write(r rune) {
	before := c.last
	c.last = r
	switch {
	case r == '\n', r == '\r':
		c.out.WriteByte('\n')
	case r == '[', r == '{':
		c.out.WriteByte('(')
	case r == ']', r == '}':
		c.out.WriteByte(')')
	case ' ' <= r && r <= '~':
		c.out.WriteRune(r)
	case r == keycapSign:
		c.keycap = true
	case 0xFF01 <= r && r <= 0xFF5E: // the full-width forms of ASCII
		c.foreign = true
		c.out.WriteRune(r - 0xFF01 + '!')
	case unicode.Is(unicode.Nd, r):
		c.foreign = true
		c.out.WriteByte('0' + digitValue(r))
	case unicode.Is(unicode.Zs, r), r == '\t':
		c.saw(r)
		c.out.WriteByte(' ')
	case unicode.Is(unicode.Pd, r), r == '\u2212':
		c.saw(r)
		c.out.WriteByte('-')
	case unicode.In(r, unicode.Cc, unicode.Cf), unicode.Is(unicode.Variation_Selector, r):
		if !unicode.Is(unicode.So, before) { // it belongs to the emoji before it
			c.saw(r)
		}
	default:
		c.out.WriteRune(r)
	}
}

const keycapSign = '\u20e3'

func (c *characters) saw(r rune) {
	if c.unseen == 0 {
		c.unseen = r
	}
}

// digitValue is the value of a decimal digit of any script: Unicode has them in runs from 0 to 9.
func digitValue(r rune) byte {
	for _, s := range unicode.Nd.R16 {
		if rune(s.Lo) <= r && r <= rune(s.Hi) {
			return byte((r - rune(s.Lo)) % 10)
		}
	}
	for _, s := range unicode.Nd.R32 {
		if rune(s.Lo) <= r && r <= rune(s.Hi) {
			return byte((r - rune(s.Lo)) % 10)
		}
	}
	return 0
}

// amounts are digits in groups of three, as spreadsheets show large numbers. Dots and plain spaces are phone signs too: dots take four groups.
var amounts = pattern(`^\d{1,3}(?:(?:,\d{3}){2,}|(?:['’]\d{3}){2,}|(?:\x{a0}\d{3}){2,}|(?:\x{202f}\d{3}){2,}|(?:\.\d{3}){3,})$`)

// groupedLikeAmount takes thousands separators out, before they are taken for the signs between two numbers.
func groupedLikeAmount(t *text) *refusal {
	if amounts().MatchString(t.s) {
		t.note(Found("thousands-separator"))
		t.s = onlyDigits(t.s)
	}
	return nil
}

func onlyDigits(s string) string {
	return strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return c
		}
		return -1
	}, s)
}

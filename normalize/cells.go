package normalize

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// cells looks at the cells beside the phone's: text that was read in a wrong encoding, and formulas.
func (c *Check) cells(v *Verdict) {
	raw := v.rec.Raw()
	doubtful := raw == "" || mayBeMisread(raw)
	for i, cell := range v.Fields {
		if cell == "" {
			continue
		}
		if leads[cell[0]] && !c.phone(i) && risky(cell) {
			c.add(v, Found("formula-injection").in(i, cell))
		}
		if !doubtful {
			continue
		}
		if meant, ok := misread(cell); ok {
			c.add(v, Found("mojibake", short(meant)).in(i, cell))
		}
	}
}

// phone says whether numbers are taken from a column: they may start with +.
func (c *Check) phone(i int) bool {
	for _, p := range c.list.columns.phones {
		if p.index == i {
			return true
		}
	}
	return false
}

// harmless are cells that a spreadsheet may calculate without doing anything: signs alone, amounts, phone numbers.
var harmless = pattern(`^(?:[-+= ]*|[-+] ?[0-9][0-9.,' ]*%?|\+ ?[0-9(][0-9 ().-]{6,})$`)

// fullWidth is the first byte of the full-width forms.
const fullWidth = 0xEF

// leads are the first bytes of cells that a spreadsheet may take for formulas.
var leads = [256]bool{'=': true, '+': true, '-': true, '@': true, '\t': true, '\r': true, '\n': true, fullWidth: true}

// risky says whether a spreadsheet takes the cell for a formula.
func risky(cell string) bool {
	if !leads[cell[0]] {
		return false
	}
	if c, _ := utf8.DecodeRuneInString(cell); cell[0] == fullWidth && !strings.ContainsRune("＝＋－＠", c) {
		return false
	}
	text := strings.TrimLeft(cell, "\t\r\n ")
	return text != "" && (text == cell || strings.ContainsRune("=+-@", rune(text[0]))) && !harmless().MatchString(text)
}

// SafeCell is a cell as plain text for spreadsheets: one that looks like a formula gets an apostrophe before it.
func SafeCell(cell string) string {
	if cell != "" && risky(cell) {
		return "'" + cell
	}
	return cell
}

// windows1252 are the characters of the bytes 0x80 to 0x9F in Windows-1252; 0 where it has none.
var windows1252 = [32]rune{'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0, 0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ'}

// mayBeMisread says whether a cell of the row may be: what was the first byte of a character is one that UTF-8 starts with 0xC3, and what
// follows it is no ASCII either. Most rows are passed over by the first look, for three bytes side by side that are no ASCII.
func mayBeMisread(row string) bool {
	if !threeHigh(row) {
		return false
	}
	for {
		i := strings.IndexByte(row, 0xC3)
		if i < 0 || i+2 >= len(row) {
			return false
		}
		if row[i+2] >= utf8.RuneSelf && row[i+2] != 0xC3 { // two letters with accents side by side are none: it starts no second byte of UTF-8
			return true
		}
		row = row[i+2:]
	}
}

// threeHigh says whether three bytes side by side are no ASCII. It looks at eight at once, from every sixth on.
func threeHigh(row string) bool {
	const high, step = 0x8080808080808080, 6
	at := 0
	for ; at+8 <= len(row); at += step {
		s := row[at : at+8]
		w := high & (uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
		if w&(w>>8)&(w>>16) != 0 {
			return true
		}
	}
	for run := 0; at < len(row); at++ {
		if run++; row[at] < utf8.RuneSelf {
			run = 0
		} else if run == 3 {
			return true
		}
	}
	return false
}

// startsMisread says whether the first two characters that are not ASCII can be the first bytes of one character of UTF-8.
func startsMisread(cell string) bool {
	i := strings.IndexFunc(cell, func(c rune) bool { return c >= utf8.RuneSelf })
	lead, n := utf8.DecodeRuneInString(cell[i:])
	next, _ := utf8.DecodeRuneInString(cell[i+n:])
	return 0xC2 <= lead && lead <= 0xF4 && next >= 0x80 && (next < 0xC0 || slices.Contains(windows1252[:], next))
}

// misread is the text that was meant by a cell whose UTF-8 bytes were once read as Windows-1252 ("JosÃ©" for "José").
func misread(cell string) (meant string, ok bool) {
	if strings.IndexByte(cell, 0xC3) < 0 { // every first byte of UTF-8 that Windows-1252 shows as a letter is written with it
		return "", false
	}
	if !startsMisread(cell) {
		return "", false
	}
	b := make([]byte, 0, len(cell))
	for _, c := range cell {
		i := slices.Index(windows1252[:], c)
		switch {
		case c < 0x100:
			b = append(b, byte(c))
		case i >= 0:
			b = append(b, byte(0x80+i))
		default:
			return "", false
		}
	}
	return string(b), utf8.Valid(b) && utf8.RuneCount(b) < utf8.RuneCountInString(cell)
}

package normalize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Repair is one change of a list's text that needs no guess: a field written anew, or a whole row taken out.
type Repair struct {
	Line, Char int    // where the field starts, from 1
	Old, New   string // the field's text with its quotes; of a whole row Old is the row and New is empty
	Row        bool   // the whole row goes
}

// repairable are the rules whose finding goes away when the cell holds the number itself, which is certain.
var repairable = []string{
	"scientific-notation", "float-suffix", "thousands-separator", "trunk-zero-missing", "plus-missing", "text-prefix", "formula-wrapped",
	"double-country-code", "idd-prefix", "carrier-prefix", "trunk-zero", "letter-for-digit", "invisible-characters", "non-ascii-digits",
	"br-ninth-digit-missing", "mx-legacy-prefix", "ar-redundant-15", "obsolete-number",
}

// doubtful are the rules that say that a person has to look: whatever stands beside them in a cell is not repaired.
var doubtful = []string{"ambiguous-country", "extension-dropped", "label-text", "multiple-numbers", "country-mismatch", "fictional-number", "placeholder-number"}

// Repairs says whether a finding of this row goes away with the row's repair.
func (v *Verdict) Repairs(f Finding) bool {
	return v.twin && f.Rule == Duplicate || slices.Contains(repairable, f.Rule) && f.Column == v.Column
}

// Repair is what can be done about a row without guessing; false where there is nothing, or where the text cannot be told for certain.
func (v *Verdict) Repair(l *List) (r Repair, ok bool) {
	raw := v.rec.Raw()
	if raw == "" || len(l.Delimiter) != 1 {
		return r, false
	}
	if v.twin {
		return Repair{Line: v.Line, Char: 1, Old: raw, Row: true}, !strings.ContainsAny(raw, "\r\n")
	}
	number := v.mended()
	if number == "" {
		return r, false
	}
	before, cell, _, ok := v.Around(l)
	if !ok || strings.ContainsAny(before+cell, "\r\n") {
		return r, false
	}
	r = Repair{Line: v.Line, Char: utf8.RuneCountInString(before) + 1, Old: cell, New: number}
	if strings.HasPrefix(r.Old, `"`) {
		r.New = `"` + number + `"`
	}
	return r, r.Old != r.New
}

// mended is the number that the phone cell should hold, empty where it is fine or in doubt.
func (v *Verdict) mended() string {
	rule := ""
	for _, f := range v.Findings {
		if slices.Contains(doubtful, f.Rule) || f.Rule == "plus-missing" && f.Severity != Info {
			return ""
		}
		if rule == "" && slices.Contains(repairable, f.Rule) && f.Column == v.Column {
			rule = f.Rule
		}
	}
	switch {
	case rule == "" || v.Column == 0:
		return ""
	case v.Number.Digits != 0:
		return v.Number.E164()
	case len(v.Number.Suggest) == 1 && (rule != "letter-for-digit" || onlyO(v.Raw)):
		return v.Number.Suggest[0]
	}
	return ""
}

// onlyO says whether every letter of a cell is an O, which stands for a zero. Other letters may stand for more than one digit.
func onlyO(cell string) bool {
	return !strings.ContainsFunc(cell, func(c rune) bool { return unicode.IsLetter(c) && c != 'O' && c != 'o' })
}

// InUTF8 says whether the list was UTF-8 as far as it was known at this row, so that its characters have their places in bytes.
func (r *Row) InUTF8() bool { return strings.HasPrefix(r.encoding, "utf-8") }

// Around cuts the row's text at its phone cell, which keeps its quotes; false where the text does not tell for certain where the cell is.
func (r *Row) Around(l *List) (before, cell, after string, ok bool) {
	raw := r.rec.Raw()
	if raw == "" || r.Column == 0 || len(l.Delimiter) != 1 {
		return "", "", "", false
	}
	if at := r.rec.Start(r.Column - 1); at >= 0 {
		end := at + len(r.Raw)
		return raw[:at], raw[at:end], raw[end:], true
	}
	at, end := pieceAt(raw, l.Delimiter[0], r.Column-1)
	if end < 0 || unquoted(raw[at:end]) != r.Raw {
		return "", "", "", false
	}
	return raw[:at], raw[at:end], raw[end:], true
}

// Blanks is how many lines and rows without any text were passed so far.
func (l *List) Blanks() int {
	n := l.Blank + l.empty
	for _, note := range l.readerNotes() {
		if note.Rule == "blank-lines" {
			n += note.Count
		}
	}
	return n
}

// HeaderText is the header as it stands in the file, empty where the file has no text for it.
func (l *List) HeaderText() string { return strings.TrimPrefix(l.head.Raw(), "\ufeff") }

// pieceAt is where field i of a record's text begins and ends; end is -1 where the text has no such field.
func pieceAt(raw string, delim byte, i int) (at, end int) {
	for ; ; i-- {
		end = pieceEnd(raw, delim, at)
		if i <= 0 {
			return at, end
		}
		if end >= len(raw) {
			return 0, -1
		}
		at = end + 1
	}
}

// pieceEnd is the offset of the delimiter behind the field at the given offset, or the text's end.
func pieceEnd(raw string, delim byte, at int) int {
	quoted := at < len(raw) && raw[at] == '"'
	if quoted {
		at++
	}
	for ; at < len(raw); at++ {
		switch {
		case quoted && raw[at] == '"' && at+1 < len(raw) && raw[at+1] == '"':
			at++
		case quoted && raw[at] == '"':
			quoted = false
		case !quoted && raw[at] == delim:
			return at
		}
	}
	return at
}

// unquoted is the value of a field's text.
func unquoted(piece string) string {
	if len(piece) < 2 || piece[0] != '"' || piece[len(piece)-1] != '"' {
		return piece
	}
	return strings.ReplaceAll(piece[1:len(piece)-1], `""`, `"`)
}

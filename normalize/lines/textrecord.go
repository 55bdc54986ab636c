package lines

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// chunkBytes and chunkCells are how much neighbouring records share of memory: large enough that allocation costs little,
// small enough that one record which is kept does not hold a window.
const (
	chunkBytes = 8 << 10
	chunkCells = 256
)

// arena gives records memory that is never written again.
type arena struct {
	text  *strings.Builder
	cells []string
}

// keep copies bytes into a string.
func (a *arena) keep(b []byte) string {
	if a.text == nil || a.text.Cap()-a.text.Len() < len(b) {
		a.text = &strings.Builder{}
		a.text.Grow(max(chunkBytes, len(b)))
	}
	at := a.text.Len()
	a.text.Write(b)
	return a.text.String()[at:]
}

// split cuts a kept record into its fields; width is how many are expected.
func (a *arena) split(s *scanner, raw string, width int) []string {
	if cap(a.cells)-len(a.cells) < width {
		a.cells = make([]string, 0, max(chunkCells, width))
	}
	free := a.cells[len(a.cells):]
	out := s.fields(free, raw)
	if len(out) <= cap(free) {
		a.cells = a.cells[:len(a.cells)+len(out)]
	}
	return out[:len(out):len(out)]
}

// record makes the record of a cut, with its notes. Its error is a LineError where cells are in doubt.
func (t *text) record(c cut, b []byte) (Record, error) {
	rec := Record{Line: t.line, delim: t.r.Delimiter}
	row := b[:c.text]
	if t.invalid && !utf8.Valid(row) {
		row, c = t.decode(&rec, row, c)
	}
	rec.raw = t.room.keep(row)
	rec.Fields = t.room.split(&t.scan, rec.raw, t.width)
	t.width = max(t.width, len(rec.Fields))
	if t.nul.next(t.buf[:t.end], t.start) < t.start+c.text {
		t.noteNULs(&rec)
	}
	return rec, t.judge(&rec, row, c)
}

// judge notes quotes in wrong places; where they leave cells in doubt, it says so by a LineError.
func (t *text) judge(rec *Record, row []byte, c cut) error {
	switch {
	case t.under != nil:
		return t.under
	case c.kind == quoteInside:
		t.suspect = true
		return t.bareQuote(row, c.at, c.field)
	case c.bare == 0:
		return nil
	case t.suspect && bytes.Count(row, []byte{'"'})%2 == 1:
		t.suspect = false // it may be the end of what the quote above opened
		return t.bareQuote(row, c.bare-1, c.inBar)
	}
	t.suspect = false
	line, char := t.placeOf(row, c.bare-1)
	rec.note(Note{Rule: ruleBareQuote, Line: line, Column: c.inBar + 1, Char: char,
		Msg: "a quote stands inside a field; it is read as part of the text"})
	return nil
}

// bareQuote is the fault of a record whose cells are in doubt from a quote on.
func (t *text) bareQuote(row []byte, at, field int) error {
	line, char := t.placeOf(row, at)
	return &LineError{Path: t.r.Path, Line: line, Column: field + 1, Char: char, Rule: ruleBareQuote,
		Msg:  "a quote stands inside a field, and where the field ends is in doubt",
		Hint: "put the whole field in quotes and write each quote in it twice (\"\")"}
}

// maxNULs is how many NUL bytes of one record are noted.
const maxNULs = 20

// noteNULs notes the first NUL byte of each field.
func (t *text) noteNULs(rec *Record) {
	for i, f := range rec.Fields {
		if strings.IndexByte(f, 0) < 0 || len(rec.Notes()) >= maxNULs {
			continue
		}
		at := max(fieldStart(rec.raw, rec.delim, i, len(rec.Fields)), 0)
		at += max(strings.IndexByte(rec.raw[at:], 0), 0)
		line, char := t.placeOf([]byte(rec.raw), at)
		rec.note(Note{Rule: ruleNUL, Line: line, Column: i + 1, Char: char, Msg: "a NUL byte stands here; text has none"})
	}
}

// checkNew looks whether the bytes that were read last are UTF-8. At the first that are not, the encoding is guessed.
func (t *text) checkNew() {
	if t.invalid {
		return
	}
	at := min(max(t.validTo, t.start), t.end)
	if i := invalidAt(t.buf[at:t.end], t.eof); i < 0 {
		t.validTo = t.end
		for back := 1; back < utf8.UTFMax && back <= t.end-at; back++ {
			if utf8.RuneStart(t.buf[t.end-back]) {
				if !utf8.FullRune(t.buf[t.end-back : t.end]) {
					t.validTo = t.end - back
				}
				break
			}
		}
		return
	}
	t.invalid = true
	window := t.buf[t.start:t.end]
	t.mixed = t.r.Encoding != UTF8 || mostlyUTF8(window)
	if !t.mixed {
		t.eightBit = guess(window)
		t.r.Encoding = eightBit[t.eightBit].name
	}
}

// decode reads a record that is not UTF-8 in the guessed encoding, and cuts its fields anew.
func (t *text) decode(rec *Record, row []byte, c cut) ([]byte, cut) {
	at := invalidAt(row, true)
	line, char := t.placeOf(row, at)
	name := eightBit[t.eightBit].name
	n := Note{Rule: ruleGuessed, Line: line, Char: char, Msg: fmt.Sprintf("byte 0x%02X is not UTF-8; the file is read as %s", row[at], name)}
	if t.mixed {
		n.Msg = fmt.Sprintf("byte 0x%02X is not UTF-8, unlike the rest of the file; the row is read as %s", row[at], name)
		rec.note(n)
	} else {
		t.r.note(n)
	}
	decoded, err := eightBit[t.eightBit].set.NewDecoder().Bytes(row)
	if err != nil {
		decoded = bytes.ToValidUTF8(row, []byte("\ufffd"))
	}
	s := newScanner(t.r.Delimiter)
	again := s.record(decoded, 0, true)
	if len(t.scan.spans) == 0 {
		s.spans = nil // a physical line under an unclosed quote
	}
	t.scan.spans = append(t.scan.spans[:0], s.spans...)
	again.kind, again.size = c.kind, c.size
	return decoded, again
}

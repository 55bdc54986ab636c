package lines

import (
	"strings"
	"unicode/utf8"
)

// Record is one row of the file with its place. No later record overwrites its strings, which share memory with their neighbours.
type Record struct {
	Line   int      // physical line where the record starts, or sheet row, from 1
	Fields []string // unquoted values, byte for byte; in a workbook as they are displayed

	raw   string // the record as it stands in the file, without its line ending; empty in a workbook
	more  *more  // what few records have, nil for the others: millions of records are handed on
	delim byte
	whole bool // raw is known to be the fields with delimiters between them
}

// more is what few records have.
type more struct {
	notes []Note
	cells []cell // what stands behind Fields in a workbook
}

// Notes are what was seen in the record, in order; nil in most.
func (r *Record) Notes() []Note {
	if r.more == nil {
		return nil
	}
	return r.more.notes
}

// note adds a note on the record.
func (r *Record) note(n Note) { r.extra().notes = append(r.extra().notes, n) }

// extra is a place for what few records have.
func (r *Record) extra() *more {
	if r.more == nil {
		r.more = &more{}
	}
	return r.more
}

// behind is what stands behind field i in a workbook; the zero value for other fields.
func (r *Record) behind(i int) cell {
	if r.more == nil || i < 0 || i >= len(r.more.cells) {
		return cell{}
	}
	return r.more.cells[i]
}

// Char is where field i (from 0) starts, in characters of the record's first line, from 1; 0 where it starts on a later line.
//
// A quoted field starts at its quote. It is worked out when asked for: only faults need it.
func (r *Record) Char(i int) int {
	if i < 0 || i >= len(r.Fields) || r.delim == 0 {
		return 0
	}
	offset := r.Start(i)
	if offset < 0 {
		offset = fieldStart(r.raw, r.delim, i, len(r.Fields))
	}
	if offset < 0 || !r.whole && strings.ContainsAny(r.raw[:offset], "\r\n") {
		return 0
	}
	return utf8.RuneCountInString(r.raw[:offset]) + 1
}

// Start is the byte offset of field i (from 0) in Raw; -1 where the record has quotes, which have to be read for it, or no text.
func (r *Record) Start(i int) int {
	if r.whole {
		return r.startWhole(i)
	}
	offset, length := -1, len(r.Fields)-1
	for k, f := range r.Fields {
		if k == i {
			offset = length - (len(r.Fields) - 1) + i
		}
		length += len(f)
	}
	if length != len(r.raw) || strings.IndexByte(r.raw, '"') >= 0 {
		return -1
	}
	return offset
}

// startWhole is Start where nothing has to be looked at.
func (r *Record) startWhole(i int) int {
	if i < 0 || i >= len(r.Fields) {
		return -1
	}
	at := i
	for _, f := range r.Fields[:i] {
		at += len(f)
	}
	return at
}

// Number is how field i (from 0) reads as a phone number: itself, or what a workbook stores behind what it displays.
//
// Rule names what makes the cell none, such as a date; empty where its text decides.
func (r Record) Number(i int) (text, rule string) {
	if c := r.behind(i); c.set {
		return c.number, c.rule
	}
	if i < 0 || i >= len(r.Fields) {
		return "", ""
	}
	return r.Fields[i], ""
}

// Date is the day number, counted from 1900, behind field i (from 0) that displays a date; empty for any other field.
func (r Record) Date(i int) string {
	return r.behind(i).day
}

// fieldStart is the byte offset of field i in a record of that many fields, or -1.
func fieldStart(raw string, delim byte, i, fields int) int {
	s := newScanner(delim)
	s.record([]byte(raw), 0, true)
	if len(s.spans) == fields && i < fields {
		return s.spans[i].from
	}
	at := 0 // the record was cut without regard to quotes
	for ; i > 0; i-- {
		n := strings.IndexByte(raw[at:], delim)
		if n < 0 {
			return -1
		}
		at += n + 1
	}
	return at
}

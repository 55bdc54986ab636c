package lines

import "unicode/utf8"

// Record is one row of the file with its place. Its strings are its own: no later record overwrites them.
type Record struct {
	Line   int      // physical line where the record starts, from 1
	Fields []string // unquoted values, byte for byte

	raw   string // the record as it stands in the file, without its line ending
	delim byte
}

// Char is where field i (from 0) starts, in characters of the record's first line, from 1; 0 where it starts on a later line.
//
// A quoted field starts at its quote. It is worked out when asked for: only faults need it.
func (r Record) Char(i int) int {
	if i < 0 || i >= len(r.Fields) {
		return 0
	}
	offset := fieldStart(r.raw, r.delim, i)
	if offset < 0 || newlineBefore(r.raw, offset) {
		return 0
	}
	return utf8.RuneCountInString(r.raw[:offset]) + 1
}

// fieldStart is the byte offset of field i in raw, or -1.
func fieldStart(raw string, delim byte, i int) int {
	at := 0
	for ; i > 0; i-- {
		end := fieldEnd(raw, delim, at)
		if end >= len(raw) {
			return -1
		}
		at = end + 1
	}
	return at
}

// fieldEnd is the offset of the delimiter after the field at the given offset, or len(raw).
func fieldEnd(raw string, delim byte, at int) int {
	quoted := at < len(raw) && raw[at] == '"'
	if quoted {
		at++
	}
	for ; at < len(raw); at++ {
		switch {
		case quoted && raw[at] == '"':
			if at+1 < len(raw) && raw[at+1] == '"' {
				at++
				continue
			}
			quoted = false
		case !quoted && raw[at] == delim:
			return at
		}
	}
	return at
}

// newlineBefore says whether a line ends in raw before the offset.
func newlineBefore(raw string, offset int) bool {
	for i := range offset {
		if raw[i] == '\n' {
			return true
		}
	}
	return false
}

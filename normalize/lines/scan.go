package lines

import (
	"bytes"
	"strings"
)

// faultKind says why no record could be cut, or why its cells are in doubt.
type faultKind int

const (
	noFault     faultKind = iota
	needMore              // the window ends inside the record
	quoteOpen             // a quoted field that the window does not close
	quoteBroken           // a quoted field over several lines, whose next quote does not close it
	quoteInside           // a quote inside a field, and where the field ends is in doubt
)

// span is one field inside the record: [start, end) without its quotes. With them, and blanks before them, it starts at from.
type span struct {
	from       int
	start, end int
	escaped    bool // holds doubled quotes
}

// cut is the outcome of looking for one record. Offsets count from the start of the record.
type cut struct {
	text  int // bytes of the record without its line ending
	size  int // bytes of the record with it
	kind  faultKind
	at    int // offset of the fault: the quote that is to blame
	field int // field of the fault, from 0
	until int // offset of the quote that shows a quoteBroken
	bare  int // offset of the first quote in a wrong place that leaves no doubt, plus 1; 0 for none
	inBar int // field of that quote, from 0
	start int // offset of the field of the fault
	lone  int // offset of the first CR that ends a line alone, plus 1; 0 for none
}

// seeker remembers where the next byte of its kind stands, so that each byte of the window is looked at once.
type seeker struct {
	c     byte
	at    int // where it stands, or how far there is none
	found bool
}

// next is the offset of the first such byte at or behind from, or len(b). Calls must go forward.
func (s *seeker) next(b []byte, from int) int {
	if s.at >= from && (s.found || s.at == len(b)) {
		return s.at
	}
	return s.seek(b, from)
}

// seek looks for the next such byte where none is known.
func (s *seeker) seek(b []byte, from int) int {
	s.at = min(max(s.at, from), len(b)) // the end mark of a file may have been taken off
	i := bytes.IndexByte(b[s.at:], s.c)
	if s.found = i >= 0; s.found {
		s.at += i
	} else {
		s.at = len(b)
	}
	return s.at
}

// scanner cuts records. The spans slice is reused from record to record.
type scanner struct {
	delim         byte
	spans         []span // of a record with quotes; empty for one without
	lf, cr, quote seeker
}

func newScanner(delim byte) scanner {
	return scanner{delim: delim, lf: seeker{c: '\n'}, cr: seeker{c: '\r'}, quote: seeker{c: '"'}}
}

// shift tells the scanner that the window moved by n bytes.
func (s *scanner) shift(n int) {
	for _, k := range []*seeker{&s.lf, &s.cr, &s.quote} {
		k.at = max(k.at-n, 0)
	}
}

// record cuts the record at the offset from. When eof is false the window may end inside it.
func (s *scanner) record(b []byte, from int, eof bool) cut {
	s.spans = s.spans[:0]
	lf, cr := s.lf.next(b, from), s.cr.next(b, from)
	end := min(lf, cr)
	if s.quote.next(b, from) < end {
		return s.quotedRecord(b[from:], eof)
	}
	return ended(b, from, end, eof)
}

// line cuts one physical line, whatever its quotes.
func (s *scanner) line(b []byte, from int, eof bool) cut {
	s.spans = s.spans[:0]
	return ended(b, from, min(s.lf.next(b, from), s.cr.next(b, from)), eof)
}

// ended is the cut of a record whose text starts at from and ends at end.
func ended(b []byte, from, end int, eof bool) cut {
	n, whole := ending(b[end:], eof)
	if !whole {
		return cut{kind: needMore}
	}
	c := cut{text: end - from, size: end - from + n}
	if n == 1 && b[end] == '\r' && end+1 < len(b) {
		c.lone = end - from + 1 // a CR that ends the file is too little to speak of
	}
	return c
}

// ending is the length of the line ending at the start of b: LF, CRLF, a CR alone, or CR CR LF, which broken writers make.
//
// It is 0 at the end of the file; whole is false where more must be read to know.
func ending(b []byte, eof bool) (n int, whole bool) {
	switch {
	case len(b) == 0:
		return 0, eof
	case b[0] == '\n':
		return 1, true
	case len(b) < 3 && !eof && (len(b) < 2 || b[1] == '\r'):
		return 0, false
	case len(b) > 1 && b[1] == '\n':
		return 2, true
	case len(b) > 2 && b[1] == '\r' && b[2] == '\n':
		return 3, true
	}
	return 1, true
}

// lineEnd is the offset of the line ending behind at, or len(b).
func lineEnd(b []byte, at int) int {
	end := len(b)
	if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
		end = at + i
	}
	if i := bytes.IndexByte(b[at:end], '\r'); i >= 0 {
		end = at + i
	}
	return end
}

// quotedRecord cuts a record that has quotes in it, field by field, and fills spans.
func (s *scanner) quotedRecord(b []byte, eof bool) cut {
	bare, inBar, eol := 0, 0, lineEnd(b, 0)
	for at := 0; ; {
		if eol < at {
			eol = lineEnd(b, at) // a quoted field took the record to a later line
		}
		sp, f := s.field(b, at, eol, eof)
		f.field, f.start = len(s.spans), at
		if f.kind != noFault {
			return s.spoilt(b, f, eof)
		}
		if bare == 0 && f.bare > 0 {
			bare, inBar = f.bare, f.field
		}
		sp.from = at
		s.spans = append(s.spans, sp)
		if f.size < len(b) && b[f.size] == s.delim {
			at = f.size + 1
			continue
		}
		c := ended(b, 0, f.size, eof)
		c.bare, c.inBar = bare, inBar
		return c
	}
}

// field reads the field at the offset, which stands on a line that ends at eol. The cut's size is the offset behind it.
func (s *scanner) field(b []byte, at, eol int, eof bool) (span, cut) {
	if at < len(b) && b[at] == '"' {
		return s.quotedField(b, at, eol, eof)
	}
	if eol == len(b) && !eof {
		return span{}, cut{kind: needMore}
	}
	// Blanks before a quote: it opens the field if it also closes on this line, else it is text.
	open := at
	for open < eol && b[open] == ' ' {
		open++
	}
	if open < eol && b[open] == '"' {
		if sp, c := s.quotedField(b[:eol], open, eol, true); c.kind == noFault {
			c.bare = open + 1
			return sp, c
		}
	}
	return s.plainField(b, at, eol)
}

// spoilt ends a record in doubt at the end of the physical line of the quote to blame; what stands from that field on is one field.
func (s *scanner) spoilt(b []byte, f cut, eof bool) cut {
	if f.kind == needMore || f.kind == quoteOpen && !eof {
		return f
	}
	c := ended(b, 0, lineEnd(b, f.at), eof)
	if c.kind == needMore {
		return c
	}
	s.spans = append(s.spans, span{from: f.start, start: f.start, end: c.text})
	c.kind, c.at, c.field, c.until = f.kind, f.at, f.field, f.until
	return c
}

// quotedField reads the field whose opening quote is at the offset, on a line that ends at eol.
//
// A quote in a wrong place is text as long as the field closes on its first line: then only one reading is left.
func (s *scanner) quotedField(b []byte, open, eol int, eof bool) (span, cut) {
	sp, c := span{start: open + 1}, cut{}
	for i := open + 1; ; i++ {
		q := bytes.IndexByte(b[i:], '"')
		i += q
		switch {
		case c.bare > 0 && (q < 0 || i > eol):
			return sp, cut{kind: quoteInside, at: c.bare - 1}
		case q < 0:
			return sp, cut{kind: quoteOpen, at: open}
		}
		rest := b[i+1:]
		blanks := len(rest) - len(bytes.TrimLeft(rest, " "))
		switch {
		case blanks == len(rest) && !eof:
			return sp, cut{kind: quoteOpen, at: open} // what follows the quote decides, and it is not here yet
		case len(rest) > 0 && rest[0] == '"':
			sp.escaped = true
			i++
		case endsField(rest[blanks:], s.delim):
			if sp.end, c.size = i, i+1+blanks; blanks > 0 && c.bare == 0 {
				c.bare = i + 1
			}
			return sp, c
		case i > eol:
			return sp, cut{kind: quoteBroken, at: open, until: i}
		case eol == len(b) && !eof:
			return sp, cut{kind: needMore}
		case b[i-1] == s.delim:
			return sp, cut{kind: quoteInside, at: i} // it may open the next field as well
		case c.bare == 0:
			c.bare = i + 1
		}
	}
}

// endsField says whether a field may end before rest: at a delimiter, a line ending, or the end of the file.
func endsField(rest []byte, delim byte) bool {
	return len(rest) == 0 || rest[0] == delim || rest[0] == '\n' || rest[0] == '\r'
}

// plainField reads the unquoted field at the offset, on a line that ends at eol.
func (s *scanner) plainField(b []byte, at, eol int) (span, cut) {
	end := eol
	if i := bytes.IndexByte(b[at:end], s.delim); i >= 0 {
		end = at + i
	}
	sp, c := span{start: at, end: end}, cut{size: end}
	if i := bytes.IndexByte(b[at:end], '"'); i >= 0 {
		c.bare = at + i + 1
		if !quotesCertain(b[at:end]) {
			return sp, cut{kind: quoteInside, at: at + i}
		}
	}
	return sp, c
}

// quotesCertain says whether the quotes of an unquoted field leave no doubt about where the field ends.
//
// Pairs do. An odd quote does only where none of them can be meant to open a quoted part, as in 5" or "a" b".
func quotesCertain(field []byte) bool {
	if bytes.Count(field, []byte{'"'})%2 == 0 {
		return true
	}
	for i, c := range field {
		if c == '"' && (i == 0 || !isWord(field[i-1])) {
			return false
		}
	}
	return true
}

// isWord says whether c is part of a word or number; all bytes of non-ASCII characters are.
func isWord(c byte) bool {
	return c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// fields slices the cut record, copied into raw, into its fields and appends them to out.
func (s *scanner) fields(out []string, raw string) []string {
	if len(s.spans) == 0 {
		return split(out, raw, s.delim)
	}
	for _, sp := range s.spans {
		f := raw[sp.start:sp.end]
		if sp.escaped {
			f = strings.ReplaceAll(f, `""`, `"`)
		}
		out = append(out, f)
	}
	return out
}

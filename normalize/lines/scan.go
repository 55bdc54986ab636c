package lines

import (
	"bytes"
	"strings"
)

// faultKind says why no record could be cut.
type faultKind int

const (
	noFault         faultKind = iota
	needMore                  // the window ends inside the record
	quoteOpen                 // a quoted field that the window does not close
	quoteMisplaced            // a quote where no quote may stand, and the record's end is in doubt
	carriageReturn            // a CR that no LF follows
	quoteInUnquoted           // a quote inside an unquoted field; the record's end is certain
)

// span is one field inside the record: [start, end) without its quotes.
type span struct {
	start, end int
	escaped    bool // holds doubled quotes
}

// cut is the outcome of looking for one record at the start of a window.
type cut struct {
	size  int // bytes of the record with its line ending
	text  int // bytes of the record without it
	kind  faultKind
	at    int // offset of the fault
	field int // field of the fault, from 0
}

// scanner cuts records. The spans slice is reused from record to record.
type scanner struct {
	delim byte
	spans []span
}

// record cuts the record at the start of b. When eof is false the window may end inside it.
func (s *scanner) record(b []byte, eof bool) cut {
	s.spans = s.spans[:0]
	size := bytes.IndexByte(b, '\n') + 1
	if size == 0 {
		if !eof && bytes.IndexByte(b, '"') < 0 {
			return s.unfinished(b)
		}
		size = len(b)
	}
	line := b[:size]
	if bytes.IndexByte(line, '"') >= 0 {
		return s.quotedRecord(b, eof)
	}
	text := len(trimEnding(line))
	if i := bytes.IndexByte(line[:text], '\r'); i >= 0 {
		return cut{kind: carriageReturn, at: i, field: bytes.Count(line[:i], []byte{s.delim})}
	}
	return cut{size: size, text: text}
}

// unfinished answers for a window that holds no line ending: more is needed, unless a lone CR already stands in it.
func (s *scanner) unfinished(b []byte) cut {
	// The last byte may be the CR of a CRLF.
	if i := bytes.IndexByte(b[:max(len(b)-1, 0)], '\r'); i >= 0 {
		return cut{kind: carriageReturn, at: i, field: bytes.Count(b[:i], []byte{s.delim})}
	}
	return cut{kind: needMore}
}

// trimEnding takes LF, CRLF, or the CR that ends the file, off a line.
func trimEnding(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// quotedRecord cuts a record that has quotes in it, field by field, and fills spans.
func (s *scanner) quotedRecord(b []byte, eof bool) cut {
	bare := cut{}
	for at := 0; ; {
		var f cut
		var sp span
		if at < len(b) && b[at] == '"' {
			sp, f = s.quotedField(b, at, eof)
		} else {
			sp, f = s.plainField(b, at, eof)
		}
		f.field = len(s.spans)
		if f.kind == quoteInUnquoted && bare.kind == noFault {
			bare = f
		}
		if f.kind != noFault && f.kind != quoteInUnquoted {
			return f
		}
		s.spans = append(s.spans, sp)
		next := f.size
		if next < len(b) && b[next] == s.delim {
			at = next + 1
			continue
		}
		bare.text = next
		bare.size = next + endingSize(b[next:])
		return bare
	}
}

// endingSize is the length of the line ending at the start of b; 0 at the end of the file.
func endingSize(b []byte) int {
	switch {
	case len(b) == 0:
		return 0
	case b[0] == '\n':
		return 1
	default: // CRLF, or the CR that ends the file
		return min(2, len(b))
	}
}

// quotedField reads the field whose opening quote is at the offset. The cut's size is the offset behind it.
func (s *scanner) quotedField(b []byte, at int, eof bool) (span, cut) {
	sp := span{start: at + 1}
	for i := at + 1; ; {
		q := bytes.IndexByte(b[i:], '"')
		if q < 0 {
			return sp, cut{kind: quoteOpen, at: at}
		}
		i += q
		rest := b[i+1:]
		switch {
		case len(rest) == 0 && !eof, len(rest) == 1 && rest[0] == '\r' && !eof:
			// What follows the quote decides, and it is not here yet.
			return sp, cut{kind: quoteOpen, at: at}
		case len(rest) > 0 && rest[0] == '"':
			sp.escaped = true
			i += 2
		case endsField(rest, s.delim):
			sp.end = i
			return sp, cut{size: i + 1}
		default:
			return sp, cut{kind: quoteMisplaced, at: i}
		}
	}
}

// endsField says whether a field may end before rest: at a delimiter, a line ending, or the end of the file.
func endsField(rest []byte, delim byte) bool {
	return len(rest) == 0 || rest[0] == delim || rest[0] == '\n' || rest[0] == '\r' && (len(rest) == 1 || rest[1] == '\n')
}

// plainField reads the unquoted field at the offset. The cut's size is the offset behind it.
func (s *scanner) plainField(b []byte, at int, eof bool) (span, cut) {
	end := at
	for end < len(b) && b[end] != s.delim && b[end] != '\n' {
		end++
	}
	if end == len(b) && !eof {
		return span{}, cut{kind: needMore}
	}
	if (end == len(b) || b[end] == '\n') && end > at && b[end-1] == '\r' {
		end--
	}
	field := b[at:end]
	sp, out := span{start: at, end: end}, cut{size: end}
	if i := bytes.IndexByte(field, '\r'); i >= 0 {
		return sp, cut{kind: carriageReturn, at: at + i}
	}
	if i := bytes.IndexByte(field, '"'); i >= 0 {
		out.kind, out.at = quoteInUnquoted, at+i
		if !quotesCertain(field) {
			out.kind = quoteMisplaced
		}
	}
	return sp, out
}

// quotesCertain says whether the quotes of an unquoted field leave no doubt about where the record ends.
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

// fields copies the cut record into one string and slices its fields from it; width is the expected number of fields.
func (s *scanner) fields(text []byte, width int) (string, []string) {
	raw := string(text)
	out := make([]string, 0, max(width, len(s.spans)))
	if len(s.spans) == 0 {
		return raw, split(out, raw, s.delim)
	}
	for _, sp := range s.spans {
		f := raw[sp.start:sp.end]
		if sp.escaped {
			f = strings.ReplaceAll(f, `""`, `"`)
		}
		out = append(out, f)
	}
	return raw, out
}

// split cuts a record without quotes at its delimiters.
func split(out []string, raw string, delim byte) []string {
	for {
		i := strings.IndexByte(raw, delim)
		if i < 0 {
			return append(out, raw)
		}
		out = append(out, raw[:i])
		raw = raw[i+1:]
	}
}

package readlog

import (
	"bytes"
	"strconv"
)

// chunkSize is how many bytes of a list inside an object are taken at once.
const chunkSize = 1 << 20

// spanned is a value that takes several lines, or a long one, while it is scanned.
//
// Of a list only the elements that are not taken yet are held: a top-level array goes element by element, and an object that holds a long
// list, as exports do, goes in pieces that each have the object's beginning around them.
type spanned struct {
	scan   jsonScan
	text   []byte // the record so far, with the line of every object written into it
	header int    // bytes of text that stand before the first element of the list; 0: no list yet
	first  int    // line where the record began
	line   int    // line of the byte that comes next
	opened bool   // an object was opened, and its line is to be written before its first key
	tooBig bool   // the record is longer than may be held: it is scanned, and not kept
}

// step takes one byte.
func (s *spanned) step(b byte) scanned {
	found := s.scan.step(b)
	if b == '\n' {
		s.line++
	}
	if found == broken || s.tooBig || b <= ' ' && !s.scan.inString {
		return found
	}
	if s.opened && b == '"' {
		s.text = append(strconv.AppendInt(append(s.text, lineKeyJSON...), int64(s.line), 10), ',')
	}
	s.text = append(s.text, b)
	s.opened = b == '{' && !s.scan.inString
	if stack := string(s.scan.stack); b == '[' && !s.scan.inString && (stack == "[" || stack == "{[") {
		s.header = len(s.text)
	}
	if s.tooBig = len(s.text) > maxRecord; s.tooBig {
		s.text = s.text[:s.header]
	}
	return found
}

// boundary says whether the byte that was taken last ended a piece that may be taken by itself.
func (s *spanned) boundary(b byte) bool {
	if b != ',' || s.scan.inString {
		return false
	}
	switch string(s.scan.stack) {
	case "[":
		return true
	case "{[":
		return s.tooBig || len(s.text) > chunkSize
	}
	return false
}

// piece is the record up to a boundary, closed; the next one begins with the same header.
func (s *spanned) piece() []byte {
	s.text = s.text[:len(s.text)-1]
	if len(s.scan.stack) == 1 {
		return append(s.text, ']')
	}
	return append(s.text, ']', '}')
}

func (s *spanned) next() {
	s.text, s.first, s.tooBig = s.text[:s.header], s.line, false
}

// blank says whether nothing stands behind the header.
func (s *spanned) blank() bool { return len(s.text) <= s.header }

// span takes a value that goes on behind its first line, of n bytes.
func (c *cutter) span(n, lead int) {
	if c.w.base+int64(n) < c.singleUntil {
		c.cut(n)
		return
	}
	s := spanned{first: c.w.line, line: c.w.line}
	for i := lead; !c.stopped; i++ {
		if i == len(c.w.buf) && !c.w.more() {
			c.unfinished(n, &s)
			return
		}
		b := c.w.buf[i]
		switch found := s.step(b); {
		case found == broken:
			c.broke(n, i, &s)
			return
		case found == complete:
			c.w.drop(i + 1)
			c.spanValue(&s, s.text)
			return
		case s.boundary(b):
			c.w.drop(i + 1)
			i, n = -1, 0
			if !s.tooBig {
				c.spanValue(&s, s.piece())
			} else {
				c.spanValue(&s, nil)
			}
			s.next()
		case s.tooBig && i >= windowStep:
			c.w.drop(i + 1)
			i, n = -1, 0
		}
	}
}

// spanValue takes a record that is whole, unless it was too long to be held.
func (c *cutter) spanValue(s *spanned, text []byte) {
	if s.tooBig {
		c.skip(s.first, tooLong)
		return
	}
	c.jsonValue(text, s.first)
}

// unfinished is a value that the source ends in. A half line can swallow the lines behind it: they are tried by themselves.
func (c *cutter) unfinished(n int, s *spanned) {
	c.singleUntil = c.w.base + int64(len(c.w.buf))
	if at := c.nextRecord(n); n > 0 && at > 0 {
		c.cutAt(n, at)
		return
	}
	if n > 0 || !s.blank() {
		c.skip(s.first, truncated)
	}
	c.w.drop(len(c.w.buf))
}

// nextRecord is where, behind the first n bytes, the next line begins with a bracket: indented JSON does so only where a record begins.
func (c *cutter) nextRecord(n int) int {
	for at := n; at < len(c.w.buf); {
		if b := c.w.buf[at]; b == '{' || b == '[' {
			return at
		}
		i := bytes.IndexByte(c.w.buf[at:], '\n')
		if i < 0 {
			return 0
		}
		at += i + 1
	}
	return 0
}

// cutAt counts the piece of a record in front of at. A half line is no JSON, and several lines are a record that was cut.
func (c *cutter) cutAt(n, at int) {
	if at == n {
		c.cut(n)
		return
	}
	c.skip(c.w.line, truncated)
	c.w.drop(at)
}

// broke is a value that stops being JSON at byte i. The line that does not fit begins a record of its own.
func (c *cutter) broke(n, i int, s *spanned) {
	at := bytes.LastIndexByte(c.w.buf[:i], '\n') + 1
	c.singleUntil = c.w.base + int64(at)
	begins := at == i && (c.w.buf[i] == '{' || c.w.buf[i] == '[')
	switch {
	case n > 0 && begins:
		c.cutAt(n, at)
	case n > 0 && looksCut(c.w.buf[:n]):
		c.cut(n)
	case n > 0:
		c.textLine(n, true)
	default: // in the middle of a list
		c.skip(s.first, notJSON)
		if at == 0 {
			c.w.dropLine()
			return
		}
		c.w.drop(at)
	}
}

// looksCut says whether a line that begins like JSON is a piece of it, and not words of a program that begin with a bracket.
func looksCut(line []byte) bool { return bytes.Contains(line, []byte(`":`)) }

package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"
)

// maxRecord is the longest record that is read, in bytes: 1 MiB. It bounds the memory that a broken file can take.
const maxRecord = 1 << 20

// text cuts records out of a window over the bytes of a text file.
type text struct {
	r    *Reader
	src  io.Reader
	scan scanner
	room arena

	buf        []byte // its length is the window's room
	start, end int    // the unread bytes in buf
	eof        bool
	line       int // physical line at start
	width      int // fields of the first record

	nul      seeker
	loneCR   bool // a line ended with CR alone
	validTo  int  // buf is UTF-8 up to here, as long as nothing is invalid
	invalid  bool // bytes that are not UTF-8 were seen
	eightBit int  // index of the encoding that such bytes are read as
	mixed    bool // most of the file is UTF-8 all the same

	under   *LineError // the unclosed quote that the lines before underTo stand under
	underTo int        // physical line
	suspect bool       // a quote opened something that was not found to close

	clearTo int // offset in buf to which stretch has looked for records that need no care
	oddAt   int // the first byte that needs care, or how far there is none
}

// openText reads the file as text: its encoding, its sep= line and its delimiter. The window grows where a record does not fit.
func (r *Reader) openText(src io.Reader, sample []byte, window int) error {
	if err := checkSignature(r.Path, sample); err != nil {
		return err
	}
	src, name, guessed := widen(sample, src)
	t := &text{r: r, src: src, buf: make([]byte, window), line: 1, nul: seeker{c: 0}}
	r.src, r.Encoding = t, UTF8
	if name != "" {
		r.Encoding = name
	} else if bytes.Count(sample, []byte{0})*3 > len(sample) {
		return &FileError{Path: r.Path, Rule: ruleNUL, Err: ErrNUL, Msg: "many bytes are NUL: this is no text", Hint: saveAsCSV}
	}
	if guessed {
		r.note(Note{Rule: ruleGuessed, Line: 1, Msg: "read as " + name + " text without a mark"})
	}
	if err := t.fill(); err != nil {
		return err
	}
	if name == "" && bytes.HasPrefix(t.buf[:t.end], []byte(bom)) {
		r.Encoding, t.start = UTF8BOM, len(bom)
	}
	if text := t.buf[t.start:t.end]; t.eof && len(bytes.Trim(text, " \t\r\n\x1a\ufeff")) == 0 {
		return &FileError{Path: r.Path, Msg: "the file is empty", Hint: "export the list again, with a header line", Err: ErrEmpty}
	}
	t.takeSepLine()
	if r.Delimiter == 0 {
		r.Delimiter = detect(t.buf[t.start:t.end], t.eof)
	}
	t.scan = newScanner(r.Delimiter)
	t.checkNew()
	return nil
}

// takeSepLine skips the line that tells Excel the delimiter, and obeys it.
func (t *text) takeSepLine() {
	m := sepLine().FindSubmatch(t.buf[t.start:t.end])
	if m == nil {
		return
	}
	if len(m[1]) == 1 {
		t.r.Delimiter = m[1][0]
	}
	t.r.note(Note{Rule: ruleSep, Line: 1, Msg: fmt.Sprintf("the line %q names the delimiter and is no row", bytes.TrimSpace(m[0]))})
	t.start += len(m[0])
	t.line++
}

// next is the next record that is no empty line; io.EOF after the last.
func (t *text) next() (Record, error) {
	for {
		t.skipBlank()
		if rec, ok := t.plain(); ok {
			return rec, nil
		}
		c, err := t.cut()
		if err != nil {
			return Record{}, err
		}
		if c.size == 0 {
			return Record{}, io.EOF
		}
		b := t.buf[t.start : t.start+c.size]
		if c.lone > 0 && !t.loneCR {
			t.loneCR = true
			t.r.note(Note{Rule: ruleCR, Line: t.line, Char: utf8.RuneCount(b[:c.lone-1]) + 1, Msg: "lines end with CR alone, as on old Macs"})
		}
		var rec Record
		if c.text == 0 {
			t.r.note(Note{Rule: ruleBlank, Line: t.line, Msg: "blank lines"})
		} else {
			rec, err = t.record(c, b)
		}
		t.start += c.size
		t.line++
		if len(t.scan.spans) > 0 {
			t.line += lineEndings(b[:c.text])
		}
		if c.text > 0 {
			return rec, err
		}
	}
}

// skipBlank passes over lines without text that end in LF or CRLF: a file may have millions of them.
func (t *text) skipBlank() {
	n, at := 0, t.start
	for t.under == nil && at < t.end {
		if t.buf[at] == '\r' && at+1 < t.end && t.buf[at+1] == '\n' {
			at++
		}
		if t.buf[at] != '\n' {
			break
		}
		n, at = n+1, at+1
	}
	if n > 0 {
		t.r.noteTimes(n, Note{Rule: ruleBlank, Line: t.line, Msg: "blank lines"})
		t.start, t.line = at, t.line+n
	}
}

// plain is the next record where nothing is to be said about it: one line with text and without quotes, as most are.
func (t *text) plain() (Record, bool) {
	b := t.buf[:t.end]
	lf := t.scan.lf.next(b, t.start)
	if lf == len(b) || t.under != nil || t.invalid || lf-t.start > maxRecord {
		return Record{}, false
	}
	end := lf
	if cr := t.scan.cr.next(b, t.start); cr < lf {
		if end = cr; cr < lf-1 {
			return Record{}, false
		}
	}
	if end == t.start || t.scan.quote.next(b, t.start) < lf || t.nul.next(b, t.start) < lf {
		return Record{}, false
	}
	t.scan.spans = t.scan.spans[:0]
	rec := Record{Line: t.line, delim: t.scan.delim, raw: t.room.keep(b[t.start:end])}
	rec.Fields = t.room.split(&t.scan, rec.raw, t.width)
	t.width = max(t.width, len(rec.Fields))
	t.start = lf + 1
	t.line++
	return rec, true
}

// lineEndings counts the lines that end in b; CRLF is one ending.
func lineEndings(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	for i := bytes.IndexByte(b, '\r'); i >= 0; {
		if i+1 == len(b) || b[i+1] != '\n' {
			n++
		}
		next := bytes.IndexByte(b[i+1:], '\r')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return n
}

// cut finds the next record, reading on until it is whole. Its size is 0 at the end of the file.
func (t *text) cut() (cut, error) {
	for {
		if t.eof {
			t.dropEndMark()
		}
		if t.eof && t.start == t.end {
			return cut{}, nil
		}
		c := t.look()
		if c.kind == needMore || c.kind == quoteOpen && !t.eof {
			if t.end-t.start <= maxRecord {
				if err := t.fill(); err != nil {
					return c, err
				}
				t.checkNew()
				continue
			}
			if c.kind == needMore {
				return c, t.tooLong(c)
			}
		}
		if c.kind == quoteOpen || c.kind == quoteBroken {
			c = t.standUnder(c)
		}
		if c.size > maxRecord {
			return c, t.tooLong(c)
		}
		return c, nil
	}
}

// look cuts a record, or a physical line where an unclosed quote stands above.
func (t *text) look() cut {
	if t.under != nil && t.line < t.underTo {
		return t.scan.line(t.buf[:t.end], t.start, t.eof)
	}
	t.under = nil
	return t.scan.record(t.buf[:t.end], t.start, t.eof)
}

// standUnder puts the lines below a quote that is not closed under it: to the end of the file, or to the quote that broke it.
func (t *text) standUnder(c cut) cut {
	window := t.buf[t.start:t.end]
	if c.kind == quoteOpen && c.size == 0 {
		c = t.scan.spoilt(window, c, true)
	}
	line, char := t.placeOf(window, c.at)
	e := &LineError{Path: t.r.Path, Line: line, Column: c.field + 1, Char: char, Rule: ruleUnclosed,
		Msg: "a quoted field opens here and never closes", Hint: "close the quote, or write it twice (\"\") where it is part of the text"}
	t.under, t.underTo = e, math.MaxInt
	if c.kind == quoteBroken {
		t.underTo, _ = t.placeOf(window, c.until)
		e.Msg = fmt.Sprintf("a quoted field opens here, and the next quote, on line %d, does not close it", t.underTo)
		t.suspect = true
	}
	return c
}

// dropEndMark takes the 0x1A off the end of the window with which DOS ended a text file.
func (t *text) dropEndMark() {
	for t.end > t.start && t.buf[t.end-1] == 0x1a {
		t.end--
	}
}

// fill makes room and reads until the window is full or the source ends.
func (t *text) fill() error {
	t.clearTo, t.oddAt = 0, 0
	if t.start > 0 {
		copy(t.buf, t.buf[t.start:t.end])
		t.scan.shift(t.start)
		t.nul.at = max(t.nul.at-t.start, 0)
		t.validTo = max(t.validTo-t.start, 0)
		t.start, t.end = 0, t.end-t.start
	}
	if t.end == len(t.buf) {
		t.buf = slices.Grow(t.buf, len(t.buf))[:2*len(t.buf)]
	}
	for t.end < len(t.buf) {
		n, err := t.src.Read(t.buf[t.end:])
		t.end += n
		if err == io.EOF {
			t.eof = true
			return nil
		}
		if err != nil {
			return readError(t.r.Path, t.line, err)
		}
	}
	return nil
}

// readError says how far a source that failed was read.
func readError(path string, line int, err error) error {
	if e, ok := errors.AsType[*FileError](err); ok {
		e.Line = line
		return e
	}
	return fmt.Errorf("read %s: at line %d: %w", path, line, err)
}

// tooLong refuses a record over 1 MiB; an open quote is its likely cause and is named where it stands.
func (t *text) tooLong(c cut) error {
	if e := t.under; e != nil && c.kind == quoteOpen {
		return &FileError{Path: e.Path, Line: e.Line, Column: e.Column, Char: e.Char, Rule: e.Rule, Hint: e.Hint, Err: ErrUnclosedQuote,
			Msg: "a quoted field opens here and does not close within 1 MiB; nothing after it was read"}
	}
	return &FileError{Path: t.r.Path, Line: t.line, Char: 1, Err: ErrTooLong, Msg: "the row is longer than 1 MiB",
		Hint: "look at this line: a list row has some hundred characters"}
}

// placeOf is the physical line and the character of offset at in the record that starts b.
func (t *text) placeOf(b []byte, at int) (line, char int) {
	before := b[:at]
	lineStart := bytes.LastIndexAny(before, "\r\n") + 1
	return t.line + lineEndings(before), utf8.RuneCount(before[lineStart:]) + 1
}

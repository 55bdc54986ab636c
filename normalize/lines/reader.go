package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"
)

// maxRecord is the longest record that is read, in bytes: 1 MiB. It bounds the memory that a broken file can take.
const maxRecord = 1 << 20

// The names of the encodings that are read.
const (
	UTF8    = "utf-8"
	UTF8BOM = "utf-8-bom"
)

// Reader cuts a file into records. Memory stays below 4 MiB whatever the file holds.
type Reader struct {
	Path      string
	Encoding  string // UTF8 or UTF8BOM
	Delimiter byte   // ',', ';' or tab

	src        io.Reader
	scan       scanner
	buf        []byte // its length is the window's room
	start, end int    // the unread bytes in buf
	eof        bool
	line       int // physical line at start
	width      int // fields of the first record
}

// NewReader looks at the first 64 KiB and refuses what it cannot read. Path is for messages only.
func NewReader(path string, src io.Reader) (*Reader, error) {
	r := &Reader{Path: path, Encoding: UTF8, src: src, buf: make([]byte, sampleSize), line: 1}
	if err := r.fill(); err != nil {
		return nil, err
	}
	sample := r.buf[:r.end]
	if err := checkSignature(path, sample); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(sample, []byte(bom)) {
		r.Encoding, r.start = UTF8BOM, len(bom)
		sample = sample[len(bom):]
	}
	if r.eof && len(bytes.Trim(sample, " \t\r\n\x1a")) == 0 {
		return nil, &FileError{Path: path, Msg: "the file is empty", Hint: "export the list again, with a header line", Err: ErrEmpty}
	}
	if err := checkSepLine(path, sample); err != nil {
		return nil, err
	}
	found := detect(sample, r.eof)
	if !found.read {
		return nil, &FileError{Path: path, Line: 1, Err: ErrFormat,
			Msg:  fmt.Sprintf("fields are separated by a %s (%q), which is not read yet", found.name, found.delim),
			Hint: "save it with commas, semicolons or tabs"}
	}
	r.Delimiter, r.scan.delim = found.delim, found.delim
	return r, nil
}

// Records yields the records in file order, without empty lines. Ranged over again after a break, it goes on behind the last one.
//
// A LineError comes with its record and spoils only that one. Any other error is the last pair.
func (r *Reader) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			rec, err := r.next()
			if err == io.EOF {
				return
			}
			if !yield(rec, err) || err != nil && !spoilsOne(err) {
				return
			}
		}
	}
}

// spoilsOne says whether the reading goes on after an error.
func spoilsOne(err error) bool {
	_, ok := errors.AsType[*LineError](err)
	return ok
}

// next is the next record that is no empty line; io.EOF after the last.
func (r *Reader) next() (Record, error) {
	for {
		c, err := r.cut()
		if err != nil {
			return Record{}, err
		}
		if c.size == 0 {
			return Record{}, io.EOF
		}
		b := r.buf[r.start : r.start+c.size]
		rec := Record{Line: r.line, delim: r.Delimiter}
		if err := r.checkText(b); err != nil {
			return rec, err
		}
		empty := c.text == 0
		if !empty {
			rec.raw, rec.Fields = r.scan.fields(b[:c.text], r.width)
			err = r.lineError(c, b)
			r.width = max(r.width, len(rec.Fields))
		}
		r.start += c.size
		r.line++
		if len(r.scan.spans) > 0 {
			r.line += bytes.Count(b[:c.text], []byte{'\n'})
		}
		if !empty {
			return rec, err
		}
	}
}

// cut finds the next record, reading on until it is whole. Its size is 0 at the end of the file.
func (r *Reader) cut() (cut, error) {
	for {
		window := r.buf[r.start:r.end]
		if r.eof && (len(window) == 0 || len(window) == 1 && window[0] == 0x1a) {
			return cut{}, nil // 0x1A is how DOS ended a text file
		}
		c := r.scan.record(window, r.eof)
		switch {
		case c.kind == noFault || c.kind == quoteInUnquoted:
			if c.size > maxRecord {
				return c, r.tooLong(c, window)
			}
			return c, nil
		case c.kind == needMore || c.kind == quoteOpen && !r.eof:
			if len(window) > maxRecord {
				return c, r.tooLong(c, window)
			}
			if err := r.fill(); err != nil {
				return c, err
			}
		default:
			return c, r.refuse(c, window)
		}
	}
}

// fill makes room and reads until the window is full or the source ends.
func (r *Reader) fill() error {
	if r.start > 0 {
		copy(r.buf, r.buf[r.start:r.end])
		r.start, r.end = 0, r.end-r.start
	}
	if r.end == len(r.buf) {
		r.buf = slices.Grow(r.buf, len(r.buf))[:2*len(r.buf)]
	}
	n, err := io.ReadFull(r.src, r.buf[r.end:])
	r.end += n
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		r.eof = true
	case err != nil:
		return fmt.Errorf("read %s: at line %d: %w", r.Path, r.line, err)
	}
	return nil
}

// checkText refuses NUL bytes and whatever is not UTF-8.
func (r *Reader) checkText(b []byte) error {
	if err := r.checkNUL(b); err != nil {
		return err
	}
	if utf8.Valid(b) {
		return nil
	}
	i := invalidAt(b)
	return r.fault(b, i, FileError{Err: ErrEncoding, Msg: fmt.Sprintf("byte 0x%02X is not UTF-8; the file looks like Windows-1252 or another encoding that is not read yet", b[i]),
		Hint: saveAsCSV})
}

// checkNUL refuses NUL bytes.
func (r *Reader) checkNUL(b []byte) error {
	i := bytes.IndexByte(b, 0)
	if i < 0 {
		return nil
	}
	return r.fault(b, i, FileError{Rule: "nul-byte", Err: ErrNUL, Msg: "a NUL byte stands here; text files have none",
		Hint: "export the list again: the file is damaged, or it is UTF-16 text (" + saveAsCSV + ")"})
}

// invalidAt is the offset of the first byte that is not UTF-8.
func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// refuse turns a scanner's fault into the error that ends the reading.
func (r *Reader) refuse(c cut, window []byte) error {
	if err := r.checkText(window[:c.at]); err != nil {
		return err // what stands before the fault explains it better
	}
	e := FileError{Column: c.field + 1}
	switch c.kind {
	case quoteOpen:
		e.Rule, e.Err = "unclosed-quote", ErrUnclosedQuote
		e.Msg, e.Hint = "a quoted field opens here and never closes; nothing after it was read", "close the quote, or write it twice (\"\") where it is part of the text"
	case carriageReturn:
		e.Rule, e.Err = "cr-line-endings", ErrFormat
		e.Msg, e.Hint = "a line ends with CR alone (old Mac style), which is not read yet", saveAsCSV
	default:
		e.Rule, e.Err = "bare-quote", ErrBareQuote
		e.Msg, e.Hint = "a quote stands inside a field, and where the row ends is in doubt", "put the whole field in quotes and write each quote in it twice (\"\")"
	}
	return r.fault(window, c.at, e)
}

// tooLong refuses a record over 1 MiB; an open quote is its likely cause and is named where it stands.
func (r *Reader) tooLong(c cut, window []byte) error {
	if err := r.checkNUL(window); err != nil {
		return err // binary, not a long row
	}
	if c.kind == quoteOpen {
		return r.fault(window, c.at, FileError{Column: c.field + 1, Rule: "unclosed-quote", Err: ErrUnclosedQuote,
			Msg:  "a quoted field opens here and is not closed within 1 MiB; nothing after it was read",
			Hint: "close the quote, or write it twice (\"\") where it is part of the text"})
	}
	return r.fault(window, 0, FileError{Err: ErrTooLong, Msg: "the row is longer than 1 MiB", Hint: "look at this line: a list row has some hundred characters"})
}

// fault completes an error with the place of offset at in the record that starts b.
func (r *Reader) fault(b []byte, at int, e FileError) error {
	e.Path = r.Path
	e.Line, e.Char = r.placeOf(b, at)
	return &e
}

// placeOf is the physical line and the character of offset at in the record that starts b.
func (r *Reader) placeOf(b []byte, at int) (line, char int) {
	before := b[:at]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return r.line + bytes.Count(before, []byte{'\n'}), utf8.RuneCount(before[lineStart:]) + 1
}

// lineError is the fault of a record whose end is certain, or nil.
func (r *Reader) lineError(c cut, b []byte) error {
	if c.kind != quoteInUnquoted {
		return nil
	}
	line, char := r.placeOf(b, c.at)
	return &LineError{Path: r.Path, Line: line, Column: c.field + 1, Char: char, Rule: "bare-quote",
		Msg:  "a quote stands inside a field that is not quoted, which is not read yet",
		Hint: "put the whole field in quotes and write each quote in it twice (\"\")"}
}

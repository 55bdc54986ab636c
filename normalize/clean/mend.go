package clean

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/wactl/wactl/normalize"
)

// Change is a physical line before and after its repair, without line ending. Gone says that nothing stands in its place.
type Change struct {
	Line     int
	Old, New string
	Gone     bool
}

// ErrChanged is the reason why a list is not written anew: its text is no longer what was read.
var ErrChanged = errors.New("the list changed while it was read")

// Mend copies a list's text and makes the repairs, which come in the order of their lines; all other bytes stay. Wide is for text in UTF-8:
// in any other a character is a byte. Seen is told each line that changes.
func Mend(in io.Reader, out io.Writer, repairs iter.Seq2[normalize.Repair, error], wide bool, seen func(Change)) error {
	m := mender{in: bufio.NewReaderSize(in, startSize), out: bufio.NewWriter(out), wide: wide, seen: seen}
	start, _ := m.in.Peek(startSize)
	m.ending = endingOf(start)
	for r, err := range repairs {
		if err != nil {
			return err
		}
		if err := m.copyTo(r.Line); err != nil {
			return err
		}
		if err := m.repair(r); err != nil {
			return err
		}
	}
	if _, err := io.Copy(m.out, m.in); err != nil {
		return err
	}
	return m.out.Flush()
}

// startSize is how many bytes of a list tell what ends its lines.
const startSize = 1 << 16

// endingOf is the byte that ends the lines of a list that starts so: a carriage return alone is what old Macs wrote.
func endingOf(start []byte) byte {
	if bytes.IndexByte(start, '\n') < 0 && bytes.IndexByte(start, '\r') >= 0 {
		return '\r'
	}
	return '\n'
}

// mender is a copy on its way.
type mender struct {
	in     *bufio.Reader
	out    *bufio.Writer
	ending byte
	wide   bool
	line   int // lines read
	seen   func(Change)
}

// next is the next line with its ending.
func (m *mender) next() ([]byte, error) {
	line, err := m.in.ReadBytes(m.ending)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(line) == 0 && err != nil {
		return nil, ErrChanged // a repair is about a line that is not there
	}
	m.line++
	return line, nil
}

// copyTo copies all lines before the one with that number.
func (m *mender) copyTo(number int) error {
	for m.line < number-1 {
		line, err := m.next()
		if err != nil {
			return err
		}
		if _, err := m.out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// repair makes one repair in the next line, or says that the line is not what was read.
func (m *mender) repair(r normalize.Repair) error {
	line, err := m.next()
	if err != nil {
		return err
	}
	mark := ""
	if m.line == 1 && bytes.HasPrefix(line, []byte(bom)) {
		mark, line = bom, line[len(bom):]
	}
	text := strings.TrimRight(string(line), "\r\n")
	at := m.offset(text, r.Char)
	if at < 0 || !strings.HasPrefix(text[at:], r.Old) {
		return ErrChanged
	}
	c := Change{Line: m.line, Old: text, New: text[:at] + r.New + text[at+len(r.Old):], Gone: r.Row}
	m.seen(c)
	if r.Row {
		_, err = m.out.WriteString(mark)
	} else {
		_, err = m.out.WriteString(mark + c.New + string(line[len(text):]))
	}
	return err
}

// offset is where a character stands in the line, in bytes, or -1.
func (m *mender) offset(text string, char int) int {
	if !m.wide {
		return min(char-1, len(text))
	}
	at := 0
	for ; char > 1; char-- {
		if at >= len(text) {
			return -1
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return at
}

package clean

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize"
)

// Options say how a clean list is written. The zero value writes E.164 numbers and leaves all other cells alone.
type Options struct {
	Digits bool   // numbers without their +
	Safe   bool   // cells that look like formulas become plain text
	EOL    string // what ends a line, empty for a line feed
}

// Writer writes checked rows as two lists: those that go, and those that are rejected with the reason. Flush it at the end.
type Writer struct {
	list         *normalize.List
	o            Options
	out, rejects *bufio.Writer // rejects may be nil
	delim        string
	special      string // characters that make a cell need quotes
	err          error
}

// bufferSize is how much text is written at once, in bytes.
const bufferSize = 128 << 10

// bom is the mark that lets spreadsheets take a file for UTF-8.
const bom = "\ufeff"

// New starts both lists with their header; rejects may be nil. A list without a header goes out without one, and one with a byte order mark with it.
func New(l *normalize.List, out, rejects io.Writer, o Options) *Writer {
	c := &Writer{list: l, o: o, out: bufio.NewWriterSize(out, bufferSize), delim: l.Delimiter}
	if len(c.delim) != 1 {
		c.delim = "," // a workbook has none
	}
	c.special = c.delim + "\"\r\n"
	if c.o.EOL == "" {
		c.o.EOL = "\n"
	}
	mark := ""
	if strings.HasSuffix(l.Encoding, "-bom") || strings.HasPrefix(l.Encoding, "utf-16") {
		mark = bom
	}
	if l.HeaderLine > 0 {
		c.line(c.out, mark+c.header())
	} else {
		c.out.WriteString(mark)
	}
	if rejects != nil {
		c.rejects = bufio.NewWriterSize(rejects, bufferSize)
		c.line(c.rejects, string(c.join([]byte(mark), append(safeCells(l.Header), "line", "rule", "message"))))
	}
	return c
}

// header is the header as the file has it, where that is known.
func (c *Writer) header() string {
	if text := c.list.HeaderText(); text != "" && !c.o.Safe {
		return text
	}
	if c.o.Safe {
		return string(c.join(nil, safeCells(c.list.Header)))
	}
	return string(c.join(nil, c.list.Header))
}

// Write adds a row to the list that it belongs to. A duplicate belongs to neither.
func (c *Writer) Write(v normalize.Verdict) error {
	return c.write(v.Kept, c.Text(nil, &v))
}

// WriteBatch adds the rows of a batch, whose face is Text.
func (c *Writer) WriteBatch(b *normalize.Batch) error {
	for i := 0; i < b.Rows(); {
		kept, first := true, i
		together := func(int) bool { return true } // of rejected rows there is no text
		if c.rejects != nil {
			kept = b.Goes(first)
			together = func(i int) bool { return b.Goes(i) == kept }
		}
		var text []byte
		if text, i = b.Joined(first, together); c.write(kept, text) != nil {
			return c.err
		}
	}
	return nil
}

// Text appends a row as the list that it belongs to has it, with its line ending; nothing for a duplicate. It may be called on several cores.
func (c *Writer) Text(text []byte, v *normalize.Verdict) []byte {
	switch {
	case v.Kept:
		text = c.clean(text, v)
	case v.Repeats || c.rejects == nil:
		return text
	default:
		text = c.join(text, c.rejected(v))
	}
	return append(text, c.o.EOL...)
}

// Brief is Text of rows of which only a little is known. That is enough unless they are rejected for reasons that have to be told.
func (c *Writer) Brief(text []byte, v *normalize.Verdict) (out []byte, enough bool) {
	if !v.Kept {
		return text, v.Repeats || c.rejects == nil
	}
	return c.Text(text, v), true
}

func (c *Writer) write(kept bool, text []byte) error {
	w := c.out
	if !kept {
		w = c.rejects
	}
	if len(text) == 0 || c.err != nil {
		return c.err
	}
	_, c.err = w.Write(text)
	return c.err
}

// Flush writes what is still in memory and is the first error of all.
func (c *Writer) Flush() error {
	for _, w := range []*bufio.Writer{c.out, c.rejects} {
		if w == nil {
			continue
		}
		if err := w.Flush(); c.err == nil {
			c.err = err
		}
	}
	return c.err
}

func (c *Writer) line(w *bufio.Writer, text string) {
	w.WriteString(text) // the writer keeps its error
	if _, err := w.WriteString(c.o.EOL); c.err == nil {
		c.err = err
	}
}

// number appends the row's number in the form that was asked for.
func (c *Writer) number(text []byte, v *normalize.Verdict) []byte {
	if !c.o.Digits {
		text = append(text, '+')
	}
	return strconv.AppendUint(text, v.Number.Digits, 10)
}

// clean appends a row with its number in one form. All other text is the file's own, quotes too, as long as its cells can be told apart for
// certain.
func (c *Writer) clean(text []byte, v *normalize.Verdict) []byte {
	cells := v.Fields
	if c.o.Safe {
		cells = safeCells(v.Fields)
		cells[v.Column-1] = v.Raw // the number takes its place, whatever it looks like
	}
	before, _, after, ok := v.Around(c.list)
	if ok && (!c.o.Safe || slices.Equal(cells, v.Fields)) {
		text = c.number(append(text, before...), v)
		return append(text, after...)
	}
	cells = slices.Clone(cells)
	cells[v.Column-1] = string(c.number(nil, v))
	return c.join(text, cells)
}

// rejected is the row with its line, the rule and the message behind the last column; surplus cells come after them. People open this
// file in spreadsheets to see what is wrong, so no cell of it is a formula.
func (c *Writer) rejected(v *normalize.Verdict) []string {
	width := len(c.list.Header)
	cells := safeCells(v.Fields)
	for len(cells) < width {
		cells = append(cells, "")
	}
	why := reason(v.Findings)
	return slices.Insert(cells, width, strconv.Itoa(v.Line), why.Rule, normalize.SafeCell(why.Message))
}

// reason is the first error, or else the first finding that is more than information.
func reason(found []normalize.Finding) (why normalize.Finding) {
	for _, f := range found {
		if f.Severity == normalize.Error {
			return f
		}
		if why.Rule == "" || why.Severity == normalize.Info {
			why = f
		}
	}
	return why
}

func safeCells(cells []string) []string {
	safe := make([]string, len(cells))
	for i, cell := range cells {
		safe[i] = normalize.SafeCell(cell)
	}
	return safe
}

// join appends a record of the cells, with quotes where they are needed.
func (c *Writer) join(text []byte, cells []string) []byte {
	for i, cell := range cells {
		if i > 0 {
			text = append(text, c.delim...)
		}
		if strings.ContainsAny(cell, c.special) || cell != strings.TrimSpace(cell) || len(cells) == 1 && cell == "" {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		text = append(text, cell...)
	}
	return text
}

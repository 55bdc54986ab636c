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
	err          error
}

// bom is the mark that lets spreadsheets take a file for UTF-8.
const bom = "\ufeff"

// New starts both lists with their header; rejects may be nil. A list without a header goes out without one, and one with a byte order mark with it.
func New(l *normalize.List, out, rejects io.Writer, o Options) *Writer {
	c := &Writer{list: l, o: o, out: bufio.NewWriter(out), delim: l.Delimiter}
	if len(c.delim) != 1 {
		c.delim = "," // a workbook has none
	}
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
		c.rejects = bufio.NewWriter(rejects)
		c.line(c.rejects, mark+c.join(append(safeCells(l.Header), "line", "rule", "message")))
	}
	return c
}

// header is the header as the file has it, where that is known.
func (c *Writer) header() string {
	if text := c.list.HeaderText(); text != "" && !c.o.Safe {
		return text
	}
	if c.o.Safe {
		return c.join(safeCells(c.list.Header))
	}
	return c.join(c.list.Header)
}

// Write adds a row to the list that it belongs to. A duplicate belongs to neither.
func (c *Writer) Write(v normalize.Verdict) error {
	switch {
	case v.Kept:
		c.line(c.out, c.clean(v))
	case !v.Repeats && c.rejects != nil:
		c.line(c.rejects, c.join(c.rejected(v)))
	}
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

// number is the row's number in the form that was asked for.
func (c *Writer) number(v normalize.Verdict) string {
	if c.o.Digits {
		return strings.TrimPrefix(v.Number.E164, "+")
	}
	return v.Number.E164
}

// clean is a row with its number in one form. All other text is the file's own, quotes too, as long as its cells can be told apart for certain.
func (c *Writer) clean(v normalize.Verdict) string {
	cells := v.Fields
	if c.o.Safe {
		cells = safeCells(v.Fields)
	}
	cells = slices.Clone(cells)
	cells[v.Column-1] = v.Raw // the number takes its place, whatever it looks like
	before, _, after, ok := v.Around(c.list)
	if ok && slices.Equal(cells, v.Fields) {
		return before + c.number(v) + after
	}
	cells[v.Column-1] = c.number(v)
	return c.join(cells)
}

// rejected is the row with its line, the rule and the message behind the last column; surplus cells come after them. People open this
// file in spreadsheets to see what is wrong, so no cell of it is a formula.
func (c *Writer) rejected(v normalize.Verdict) []string {
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

// join is a record of the cells, with quotes where they are needed.
func (c *Writer) join(cells []string) string {
	var b strings.Builder
	for i, cell := range cells {
		if i > 0 {
			b.WriteString(c.delim)
		}
		if strings.ContainsAny(cell, c.delim+"\"\r\n") || cell != strings.TrimSpace(cell) || len(cells) == 1 && cell == "" {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		b.WriteString(cell)
	}
	return b.String()
}

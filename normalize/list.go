package normalize

import (
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
)

// Options say how a list is to be read. The zero value reads numbers that carry + and finds the columns by their headers.
type Options struct {
	Region         string   // ISO code of numbers without a country code, International, or empty for none
	PhoneColumns   []string // headers to take numbers from, best first; empty: found by header
	ConsentColumns []string // headers of opt-out columns, beside those found by header
}

// List is an opened recipient list: its header is read, its rows are not.
type List struct {
	Path        string
	Encoding    string // "utf-8" or "utf-8-bom"
	Delimiter   string // "," or ";" or a tab
	HeaderLine  int    // physical line, from 1
	Header      []string
	PhoneColumn string // header of the first column that numbers are taken from
	Region      string // as in Options, in upper case

	columns columns
	reader  *lines.Reader // stands behind the header
}

// Open reads the header of a list and finds its columns. Path is for messages; r is read to the end by Rows.
func Open(path string, r io.Reader, o Options) (*List, error) {
	region, err := checkRegion(path, o.Region)
	if err != nil {
		return nil, err
	}
	reader, err := lines.NewReader(path, r)
	if err != nil {
		return nil, err
	}
	l := &List{Path: path, Encoding: reader.Encoding, Delimiter: string(reader.Delimiter), Region: region, reader: reader}
	if err := l.readHeader(o); err != nil {
		return nil, err
	}
	return l, nil
}

// readHeader takes the first record that is not blank as the header.
func (l *List) readHeader(o Options) error {
	for rec, err := range l.reader.Records() {
		if e, spoilt := errors.AsType[*lines.LineError](err); spoilt {
			return &lines.FileError{Path: e.Path, Line: e.Line, Column: e.Column, Char: e.Char, Rule: e.Rule, Msg: "in the header, " + e.Msg, Hint: e.Hint, Err: lines.ErrBareQuote}
		}
		if err != nil {
			return err
		}
		if !blank(rec.Fields) {
			return l.takeHeader(rec, o)
		}
	}
	return &lines.FileError{Path: l.Path, Msg: "the file holds nothing but blank lines", Hint: "export the list again, with a header line", Err: lines.ErrEmpty}
}

// takeHeader finds the columns by the header.
func (l *List) takeHeader(rec lines.Record, o Options) (err error) {
	l.HeaderLine = rec.Line
	for _, h := range rec.Fields {
		l.Header = append(l.Header, strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")))
	}
	if l.columns, err = findColumns(l.Path, l.HeaderLine, l.Header, o); err != nil {
		return err
	}
	l.PhoneColumn = l.Header[l.columns.phones[0].index]
	return nil
}

// Column is the index of a column by its exact header, or else by the header in any case; it is for content columns.
func (l *List) Column(name string) (int, bool) {
	for i, h := range l.Header {
		if h == name {
			return i, true
		}
	}
	for i, h := range l.Header {
		if strings.EqualFold(h, name) {
			return i, true
		}
	}
	return 0, false
}

// Columns are the indexes of the columns with a role, phone columns in the order in which they are tried.
func (l *List) Columns(role Role) []int { return l.columns.byRole[role] }

// Rows yields the rows in file order, blank ones left out; it can be ranged over once and keeps nothing.
//
// A faulty row comes with its findings, not as an error. An error is the last pair: nothing after it was read.
func (l *List) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for rec, err := range l.reader.Records() {
			if e, spoilt := errors.AsType[*lines.LineError](err); spoilt {
				if !yield(l.spoiltRow(rec, e), nil) {
					return
				}
				continue
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			if !blank(rec.Fields) && !yield(l.row(rec), nil) {
				return
			}
		}
	}
}

// blank says whether a record holds no text at all.
func blank(fields []string) bool {
	for _, f := range fields {
		if strings.TrimSpace(f) != "" {
			return false
		}
	}
	return true
}

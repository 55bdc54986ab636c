package normalize

import (
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/wactl/wactl/normalize/lines"
)

// Options say how a list is to be read. The zero value reads numbers that carry + and finds the columns by their headers.
type Options struct {
	Region         string   // ISO code of numbers without a country code, International, or empty for none
	PhoneColumns   []string // headers to take numbers from, best first; empty: found by header
	ConsentColumns []string // headers of opt-out columns, beside those found by header
	Size           int64    // bytes of the list's text, from which the room for its recipients is reckoned; 0 unknown
}

// List is an opened recipient list: its header is read, its rows are not.
type List struct {
	Path        string
	Encoding    string   // such as "utf-8", "utf-16le-bom", "windows-1252", "xlsx"
	Delimiter   string   // such as "," or a tab; empty for a workbook
	Sheet       string   // of a workbook, the one that is read
	HeaderLine  int      // physical line, from 1; 0 where the list has no header
	Header      []string // "column 1" and so on where the list has none
	PhoneColumn string   // header of the first column that numbers are taken from
	Region      string   // as in Options, in upper case
	Blank       int      // records without any text, of those that Rows has passed

	columns    columns
	head       lines.Record  // the header as it stands in the file
	reader     *lines.Reader // stands behind the header
	notes      []Finding
	mix        mix
	size       int64
	firstBlank int          // line of the first row without text
	lineNotes  []lines.Note // what the reader noted, as far as rows were passed; nil before the first
	empty      int          // lines without any text that were passed beside those that the reader counts, and the first one
	firstEmpty int
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
	l := &List{Path: path, Encoding: reader.Encoding, Region: region, mix: mixOf(region), reader: reader, size: o.Size}
	if reader.Delimiter != 0 {
		l.Delimiter = string(reader.Delimiter)
	}
	if sheets := reader.Sheets(); sheets != nil {
		err = l.chooseSheet(sheets, o)
	} else {
		err = l.readHeader(o)
	}
	if err != nil {
		reader.Close()
		return nil, err
	}
	return l, nil
}

// Close frees what the list holds where its rows are not read to the end. It may be called more than once.
func (l *List) Close() { l.reader.Close() }

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

// Rows yields the rows in file order, blank ones left out; it can be ranged over once and keeps nothing. All cores read ahead of it.
//
// A faulty row comes with its findings, not as an error. An error is the last pair: nothing after it was read.
func (l *List) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for b, err := range l.batches(batching{lasting: true}) {
			if err != nil {
				yield(Row{}, err)
				return
			}
			for i := range b.Verdicts {
				if !yield(b.Verdicts[i].Row, nil) {
					return
				}
			}
		}
	}
}

// blank says whether a record holds no text at all.
func blank(fields []string) bool {
	for _, f := range fields {
		if !empty(f) {
			return false
		}
	}
	return true
}

// empty says whether a cell holds no text. The first byte tells it of most cells.
func empty(cell string) bool {
	return cell == "" || (cell[0] <= ' ' || cell[0] >= utf8.RuneSelf) && strings.TrimSpace(cell) == ""
}

package lines

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
)

// The size of the largest sheet that spreadsheets know.
const (
	maxColumns = 16_384
	maxRows    = 1_048_576
)

// The rules that a cell breaks as a phone number by what it is, whatever it says.
const (
	ruleDate       = "date-cell"
	ruleNoValue    = "formula-without-value"
	ruleCalculated = "formula-evaluated"
)

// cell is how a workbook's cell reads as a phone number, where that differs from what it displays.
type cell struct {
	number string
	rule   string
	set    bool
	day    string // the day number that a date is stored as
}

// sheet reads the rows of one sheet as a stream.
type sheet struct {
	book *workbook
	name string
	xml  *xml.Decoder
	row  int
}

// next is the next row that holds anything; styled empty rows are none.
func (s *sheet) next() (Record, error) {
	for {
		e, err := s.start("row")
		if err != nil {
			return Record{}, err
		}
		if s.row, err = number(attr(e.Attr, "r"), s.row+1, maxRows); err != nil {
			return Record{}, s.damaged(err)
		}
		rec := Record{Line: s.row}
		if err := s.cells(&rec); err != nil {
			return Record{}, err
		}
		if len(rec.Fields) == 0 {
			continue
		}
		if isTrue(attr(e.Attr, "hidden")) {
			rec.note(Note{Rule: ruleHidden, Line: s.row, Msg: "the row is hidden in the sheet, for example by a filter"})
		}
		return rec, nil
	}
}

// start is the next start of an element of that name; io.EOF behind the cells of the sheet.
func (s *sheet) start(name string) (xml.StartElement, error) {
	for {
		tok, err := s.xml.RawToken()
		if err == io.EOF {
			return xml.StartElement{}, s.damaged(io.ErrUnexpectedEOF)
		}
		if err != nil {
			return xml.StartElement{}, s.damaged(err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			if e.Name.Local == name {
				return e, nil
			}
		case xml.EndElement:
			if e.Name.Local == "sheetData" || e.Name.Local == "worksheet" {
				return xml.StartElement{}, io.EOF
			}
		}
	}
}

// number reads a row number, which may be left out.
func number(s string, otherwise, most int) (int, error) {
	n := otherwise
	if s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			return 0, fmt.Errorf("row number %s", short(s))
		}
	}
	if n < 1 || n > most {
		return 0, fmt.Errorf("row number %d", n)
	}
	return n, nil
}

// damaged places what is wrong with the sheet.
func (s *sheet) damaged(err error) error {
	e, ok := errors.AsType[*FileError](damaged(s.book.path, s.name, err))
	if !ok {
		return err
	}
	e.Line = s.row
	return e
}

// cells reads the cells of a row up to its end.
func (s *sheet) cells(rec *Record) error {
	size := 0
	for column := 0; ; {
		tok, err := s.xml.RawToken()
		if err != nil {
			return s.damaged(noEOF(err))
		}
		switch e := tok.(type) {
		case xml.EndElement:
			if e.Name.Local == "row" {
				return nil
			}
		case xml.StartElement:
			if e.Name.Local != "c" {
				continue
			}
			if column, err = columnOf(attr(e.Attr, "r"), column+1); err != nil {
				return s.damaged(err)
			}
			raw, err := s.cell(e)
			if err != nil {
				return s.damaged(err)
			}
			if size += len(raw.value) + len(raw.formula); size > maxRecord {
				return &FileError{Path: s.book.path, Line: s.row, Err: ErrTooLong, Msg: "the row is longer than 1 MiB", Hint: "look at this row: a list row has some hundred characters"}
			}
			s.put(rec, column, raw)
		}
	}
}

// noEOF tells an XML stream that ends too early from one that ends.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// columnOf is the column of a reference such as AB12, from 1; without one the cell stands beside the last.
func columnOf(ref string, otherwise int) (int, error) {
	n := 0
	for i := 0; i < len(ref) && ref[i]|0x20 >= 'a' && ref[i]|0x20 <= 'z' && n <= maxColumns; i++ {
		n = n*26 + int(ref[i]|0x20-'a') + 1
	}
	if ref == "" {
		n = otherwise
	}
	if n < 1 || n > maxColumns {
		return 0, fmt.Errorf("cell reference %s", short(ref))
	}
	return n, nil
}

// errLongCell says what is wrong with a cell that no spreadsheet would take.
var errLongCell = errors.New("a cell is longer than 1 MiB")

// rawCell is a cell as the file has it.
type rawCell struct {
	kind       string // its t attribute
	style      int
	formula    string
	calculated bool // has a formula, perhaps one that it shares with other cells
	value      string
	valued     bool // has a value, perhaps an empty one
}

// cell reads one cell up to its end.
func (s *sheet) cell(e xml.StartElement) (rawCell, error) {
	c := rawCell{kind: attr(e.Attr, "t")}
	c.style, _ = strconv.Atoi(attr(e.Attr, "s")) // no style is style 0
	var into *string
	for phonetic := 0; ; {
		tok, err := s.xml.RawToken()
		if err != nil {
			return c, noEOF(err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "v", "t":
				into, c.valued = &c.value, true
			case "f":
				into, c.calculated = &c.formula, true
			case "rPh":
				phonetic++
			}
		case xml.EndElement:
			into = nil
			switch e.Name.Local {
			case "c":
				return c, nil
			case "rPh":
				phonetic--
			}
		case xml.CharData:
			if into == nil || phonetic > 0 {
				continue
			}
			if len(*into)+len(e) > maxRecord {
				return c, errLongCell
			}
			*into += string(e)
		}
	}
}

// put places a cell in the record: what it displays and how it reads as a number. An empty one leaves the record as long as it is.
func (s *sheet) put(rec *Record, column int, c rawCell) {
	shown, how := s.read(c)
	if shown == "" && !how.set {
		return
	}
	for len(rec.Fields) < column {
		rec.Fields = append(rec.Fields, "")
	}
	rec.Fields[column-1] = shown
	if !how.set {
		return
	}
	more := rec.extra()
	for len(more.cells) < column {
		more.cells = append(more.cells, cell{})
	}
	more.cells[column-1] = how
}

// read is what a cell displays, and how it reads as a phone number.
func (s *sheet) read(c rawCell) (shown string, how cell) {
	if c.calculated && c.value == "" && (c.kind != "str" || !c.valued) {
		return "", cell{number: "=" + c.formula, rule: ruleNoValue, set: true}
	}
	switch c.kind {
	case "s":
		if i, err := strconv.Atoi(strings.TrimSpace(c.value)); err == nil && i >= 0 && i < len(s.book.texts) {
			return s.book.texts[i], cell{}
		}
		return "", cell{}
	case "str", "inlineStr", "e":
		return unescape(c.value), cell{}
	case "b":
		return strings.ToUpper(strconv.FormatBool(isTrue(c.value))), cell{}
	case "d":
		return c.value, cell{number: c.value, rule: ruleDate, set: true}
	}
	return s.readNumber(c)
}

// readNumber reads a cell that holds a number, whose format may hide digits, add some, or make a date of it.
func (s *sheet) readNumber(c rawCell) (shown string, how cell) {
	plain := plainNumber(strings.TrimSpace(c.value))
	if plain == "" {
		return "", cell{}
	}
	shown = s.book.formats.show(c.style, plain)
	switch {
	case s.book.formats.isDate(c.style):
		return shown, cell{number: shown, rule: ruleDate, set: true, day: s.book.formats.day(plain)}
	case c.calculated && arithmetic().MatchString(c.formula):
		return shown, cell{number: "=" + c.formula, rule: ruleCalculated, set: true}
	}
	return shown, cell{number: phoneText(plain, shown), set: true}
}

// arithmetic is a formula of digits only that calculates: a number typed as +55-11-… or +55+11….
var arithmetic = pattern(`^[-+\s(]*[0-9][0-9.\s()]*[-+*/][-+*/0-9.\s()]*$`)

// plainNumber writes a stored number without an exponent, as long as it has all its digits.
func plainNumber(v string) string {
	i := strings.IndexAny(v, "eE")
	if i < 0 && !strings.ContainsRune(v, '.') {
		return v
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil {
		return v
	}
	plain := strconv.FormatFloat(f, 'f', -1, 64)
	if i < 0 {
		return plain
	}
	exponent, err := strconv.Atoi(v[i+1:])
	point := strings.IndexByte(v[:i], '.')
	if err == nil && exponent > 6 && (point < 0 || i-point-1 < exponent) {
		return v // its last digits may be lost
	}
	return plain
}

// phoneText is a number cell as a phone number: its digits as they are stored, since formats shorten, group and round.
//
// Two formats say more than the stored number: one zero before it, which number cells cannot hold, and a written +.
func phoneText(plain, shown string) string {
	digits := strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, shown)
	switch {
	case plain == "" || strings.Trim(plain, "0123456789") != "":
		return plain
	case digits == "0"+plain:
		return digits
	case strings.HasPrefix(strings.TrimSpace(shown), "+") && strings.HasSuffix(digits, plain):
		return "+" + digits
	}
	return plain
}

// escaped is how a workbook writes a character that XML has no place for.
var escaped = pattern(`_x[0-9A-Fa-f]{4}_`)

// unescape reads such characters.
func unescape(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	return escaped().ReplaceAllStringFunc(s, func(m string) string {
		n, err := strconv.ParseUint(m[2:6], 16, 16)
		if err != nil || utf16.IsSurrogate(rune(n)) {
			return m
		}
		return string(rune(n))
	})
}

package lines

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// format is how a style writes numbers: the number of a built-in format, or a code of its own.
type format struct {
	id   int
	code string
	date bool
	cell string // of the scratch sheet, once it was used

	dates dateFormat // of a date that is written without the library
}

func newFormat(id int, code string) format {
	f := format{id: id, code: code, date: isDateFormat(id, code)}
	if f.date {
		f.dates = dateFormatOf(id, code)
	}
	return f
}

// formats writes numbers as a spreadsheet displays them, in one cell of a scratch sheet per style.
type formats struct {
	from1904 bool // dates count from 1904, as on old Macs

	styles  []format
	used    int // cells of the scratch sheet
	known   map[shownKey]string
	scratch *excelize.File
}

// maxFormats is how many styles are followed; spreadsheets know no more than 64,000, and people use ten.
const maxFormats = 5000

// shownKey is a number under a style.
type shownKey struct {
	style int
	plain string
}

// maxKnown is how many written numbers are remembered: the days of a long life, since days repeat and cost most.
const maxKnown = 1 << 15

const scratchSheet = "Sheet1" // the one that excelize makes

// newFormats has no styles yet; dates count from 1900, or from 1904 as on old Macs.
func newFormats(from1904 bool) *formats {
	f := &formats{scratch: excelize.NewFile(), known: map[shownKey]string{}}
	f.from1904 = from1904
	_ = f.scratch.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &from1904}) // no value of it is refused
	return f
}

// readStyles reads which style has which number format.
func (w *workbook) readStyles(name string) error {
	b, err := w.small(name, maxPart)
	if err != nil {
		return err
	}
	var sheet struct {
		Codes []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Styles []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := xml.Unmarshal(b, &sheet); err != nil {
		return damaged(w.path, name, err)
	}
	codes := map[int]string{}
	for _, c := range sheet.Codes {
		codes[c.ID] = c.Code
	}
	for _, s := range sheet.Styles {
		code := codes[s.Format]
		w.formats.styles = append(w.formats.styles, newFormat(s.Format, code))
	}
	return nil
}

// dateIDs are the built-in formats of dates and times, from and to; some are East Asian.
var dateIDs = [][2]int{{14, 22}, {27, 36}, {45, 47}, {50, 58}}

// notDate are the parts of a format code that are no letters of a date: quoted and escaped text, colours, conditions, fillers.
var notDate = pattern(`"[^"]*"|\\.|[_*].|\[[^\]]*\]|(?i:general)|[eE][-+]`)

// elapsed is a count of hours, minutes or seconds.
var elapsed = pattern(`(?i)\[(h+|m+|s+)\]`)

// isDateFormat says whether a format shows a number as a date or a time.
func isDateFormat(id int, code string) bool {
	if code == "" {
		for _, d := range dateIDs {
			if d[0] <= id && id <= d[1] {
				return true
			}
		}
		return false
	}
	return elapsed().MatchString(code) || strings.ContainsAny(notDate().ReplaceAllString(code, ""), "yYmMdDhHsS")
}

// of is the format of a style, nil where numbers are shown as they are.
func (f *formats) of(style int) *format {
	if style < 0 || style >= len(f.styles) {
		return nil
	}
	s := &f.styles[style]
	if s.code == "" && (s.id == 0 || s.id == 49) || strings.EqualFold(s.code, "general") || s.code == "@" {
		return nil
	}
	return s
}

// isDate says whether a style shows numbers as dates.
func (f *formats) isDate(style int) bool {
	s := f.of(style)
	return s != nil && s.date
}

// daysTo1904 is by how many days the two ways of counting dates differ.
const daysTo1904 = 1462

// day is a stored date as days since 1900, whatever the workbook counts from.
func (f *formats) day(plain string) string {
	n, err := strconv.ParseFloat(plain, 64)
	if err != nil || !f.from1904 {
		return plain
	}
	return strconv.FormatFloat(n+daysTo1904, 'f', -1, 64)
}

// show writes a number as its style displays it; as it is where the style cannot be followed.
func (f *formats) show(style int, plain string) string {
	s := f.of(style)
	if s == nil {
		return plain
	}
	zeros := s.code
	if s.code == "" && s.id == 1 {
		zeros = "0"
	}
	if strings.Trim(zeros, "0") == "" && zeros != "" && strings.Trim(plain, "0123456789") == "" {
		return strings.Repeat("0", max(0, len(zeros)-len(plain))) + plain // the commonest format of numbers
	}
	if shown, ok := s.dates.show(plain); ok && !f.from1904 {
		return shown
	}
	key := shownKey{style, plain}
	if shown, ok := f.known[key]; ok {
		return shown
	}
	shown, ok := f.write(s, plain)
	if !ok {
		shown = plain
	}
	if s.date && len(f.known) < maxKnown {
		f.known[key] = shown
	}
	return shown
}

// write lets the library write a number; ok is false where it cannot.
func (f *formats) write(s *format, plain string) (shown string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false // a format code is a stranger's text, and the library may not survive every one
		}
	}()
	if s.cell == "" && !f.prepare(s) {
		return "", false
	}
	if err := f.scratch.SetCellDefault(scratchSheet, s.cell, plain); err != nil {
		return "", false
	}
	shown, err := f.scratch.GetCellValue(scratchSheet, s.cell)
	return shown, err == nil
}

// prepare gives a style its cell of the scratch sheet.
func (f *formats) prepare(s *format) bool {
	if f.used == maxFormats {
		return false
	}
	look := &excelize.Style{NumFmt: s.id}
	if s.code != "" {
		look = &excelize.Style{CustomNumFmt: &s.code}
	}
	id, err := f.scratch.NewStyle(look)
	if err != nil {
		return false
	}
	f.used++
	cell := "A" + strconv.Itoa(f.used)
	if err := f.scratch.SetCellStyle(scratchSheet, cell, cell, id); err != nil {
		return false
	}
	s.cell = cell
	return true
}

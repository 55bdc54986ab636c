package normalize

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
)

// The records that are looked at before the first row is read: to find the header, and to judge columns by their cells.
const (
	lookAhead    = 50
	headerWithin = 10 // rows that may stand before the header
)

// head is a header that was found, with the columns that it gives.
type head struct {
	rec     lines.Record
	header  []string
	columns columns
	none    bool // the list has no header: rec is its first row
	before  int  // rows before it
	first   int  // line of the first of them
}

// readHeader finds the header of a text file and takes it.
func (l *List) readHeader(o Options) error {
	h, err := l.findHead(o, true)
	if err != nil {
		return err
	}
	return l.take(h)
}

// chooseSheet takes the first sheet with a phone column and says what the others are; visible sheets come first.
//
// A sheet without header counts only where no sheet has one.
func (l *List) chooseSheet(sheets []lines.Sheet, o Options) error {
	heads, chosen, reason := l.sheetHeads(sheets, o, false)
	if chosen < 0 && (errors.Is(reason, ErrNoPhoneColumn) || errors.Is(reason, ErrUnknownColumn)) {
		heads, chosen, _ = l.sheetHeads(sheets, o, true)
	}
	if chosen < 0 {
		return reason
	}
	for i, s := range sheets {
		switch {
		case i == chosen || errors.Is(heads[i].err, lines.ErrEmpty):
		case heads[i].err == nil:
			l.notes = append(l.notes, Found("more-sheets", short(s.Name), short(sheets[chosen].Name)))
		default:
			l.notes = append(l.notes, Found("sheet-without-phone-column", short(s.Name)))
		}
	}
	l.Sheet = sheets[chosen].Name
	if err := l.reader.Select(chosen); err != nil {
		return err
	}
	return l.take(heads[chosen].head)
}

// sheetHead is the header of a sheet, or why it has none.
type sheetHead struct {
	head
	err error
}

// sheetHeads looks for a header in each sheet; chosen is the first with one, or -1, and reason the worst of what the others lack.
func (l *List) sheetHeads(sheets []lines.Sheet, o Options, bare bool) (heads []sheetHead, chosen int, reason error) {
	chosen = -1
	for i := range sheets {
		h, err := head{}, l.reader.Select(i)
		if err == nil {
			h, err = l.findHead(o, bare)
		}
		heads = append(heads, sheetHead{h, err})
		switch {
		case err == nil && chosen < 0:
			chosen = i
		case chosen < 0 && !errors.Is(err, lines.ErrEmpty) && !errors.Is(err, ErrNoPhoneColumn) && !errors.Is(err, ErrUnknownColumn):
			return heads, -1, err // it may be the list, and it is not clear or not whole
		case reason == nil || errors.Is(reason, lines.ErrEmpty):
			reason = err
		}
	}
	return heads, chosen, reason
}

// findHead looks for the header among the first records. Where bare is true, a list without one is taken as well.
func (l *List) findHead(o Options, bare bool) (head, error) {
	ahead, fault := l.reader.Peek(lookAhead)
	ahead = slices.DeleteFunc(ahead, func(rec lines.Record) bool { return blank(rec.Fields) })
	if e, spoilt := errors.AsType[*lines.LineError](fault); spoilt && (len(ahead) == 0 || e.Line < ahead[0].Line) {
		reason := lines.ErrBareQuote
		if e.Rule == "unclosed-quote" {
			reason = lines.ErrUnclosedQuote
		}
		return head{}, &lines.FileError{Path: e.Path, Line: e.Line, Column: e.Column, Char: e.Char, Rule: e.Rule, Msg: "in the header, " + e.Msg, Hint: e.Hint, Err: reason}
	}
	if len(ahead) == 0 {
		return head{}, cmp.Or(fault, error(&lines.FileError{Path: l.Path, Msg: "the file holds nothing but blank lines", Hint: "export the list again, with a header line", Err: lines.ErrEmpty}))
	}
	found, reason := l.byHeader(ahead, o)
	if found != nil || !errors.Is(reason, ErrNoPhoneColumn) && !errors.Is(reason, ErrUnknownColumn) {
		return *cmp.Or(found, &head{}), reason
	}
	if h, err := l.byCells(ahead, o, bare); h != nil || err != nil {
		return *cmp.Or(h, &head{}), err
	}
	return head{}, reason
}

// byHeader takes the first record that names a phone column, or says why the first one does not.
//
// A single cell counts only where no fuller header follows: it may be a title. Behind a row with a number no header is looked for.
func (l *List) byHeader(ahead []lines.Record, o Options) (found *head, reason error) {
	for k, rec := range ahead[:min(len(ahead), headerWithin+1)] {
		if l.holdsNumber(rec) {
			if k == 0 && len(o.PhoneColumns) == 0 {
				return nil, l.firstReason(rec, o)
			}
			break
		}
		h := &head{rec: rec, header: headerOf(rec), before: k, first: ahead[0].Line}
		var err error
		h.columns, err = findColumns(l.Path, rec.Line, h.header, o)
		switch {
		case errors.Is(err, ErrNoPhoneColumn), errors.Is(err, ErrUnknownColumn):
			reason = cmp.Or(reason, err)
		case err != nil && found == nil:
			return nil, err
		case err == nil && filled(rec.Fields) > 1:
			return h, nil
		case err == nil && found == nil:
			found = h
		}
	}
	if found != nil {
		return found, nil
	}
	return nil, cmp.Or(reason, l.firstReason(ahead[0], o))
}

// firstReason is why the first record gives no columns.
func (l *List) firstReason(rec lines.Record, o Options) error {
	_, err := findColumns(l.Path, rec.Line, headerOf(rec), o)
	if err == nil {
		return &lines.FileError{Path: l.Path, Line: rec.Line, Rule: "no-phone-column", Err: ErrNoPhoneColumn, Msg: "the first row holds a number and column names", Hint: "add a header line"}
	}
	return err
}

// headerOf is the header that a record would be.
func headerOf(rec lines.Record) []string {
	var header []string
	for _, h := range rec.Fields {
		header = append(header, strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")))
	}
	return header
}

// filled counts the cells with text.
func filled(fields []string) (n int) {
	for _, f := range fields {
		if strings.TrimSpace(f) != "" {
			n++
		}
	}
	return n
}

// dateText is a date, whose digits are no phone number.
var dateText = pattern(`^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})`)

// longNumber is how many digits make a cell look like a phone number whatever its country.
const longNumber = 10

// looksLikeNumber says whether a cell is written like a phone number, and whether it is one indeed.
func (l *List) looksLikeNumber(cell string) (looks, valid bool) {
	if cell == "" || strings.Trim(cell, "0123456789+-(). \u00a0") != "" || dateText().MatchString(cell) {
		return false, false
	}
	digits := 0
	for i := range len(cell) {
		if isDigit(cell[i]) {
			digits++
		}
	}
	valid = Parse(cell, l.Region).E164() != ""
	return valid || digits >= longNumber, valid
}

// holdsNumber says whether a record has a cell like a phone number, as rows have and headers have not.
func (l *List) holdsNumber(rec lines.Record) bool {
	for i := range rec.Fields {
		if looks, _ := l.looksLikeNumber(cellText(rec, i)); looks {
			return true
		}
	}
	return false
}

// byCells finds the phone column by its cells: of a list without header, if bare allows, or of one whose headers say nothing.
func (l *List) byCells(ahead []lines.Record, o Options, bare bool) (*head, error) {
	h := &head{rec: ahead[0], none: l.holdsNumber(ahead[0])}
	rows := ahead
	if h.none {
		for i := range h.rec.Fields {
			h.header = append(h.header, fmt.Sprintf("column %d", i+1))
		}
	} else {
		h.header, rows = headerOf(h.rec), ahead[1:]
	}
	if h.none && !bare || !h.none && len(o.PhoneColumns) > 0 {
		return nil, nil
	}
	if len(o.PhoneColumns) == 0 {
		best, rival := l.numberColumns(rows, len(h.header), h.none)
		if best < 0 {
			return nil, nil
		}
		if rival >= 0 {
			return nil, &lines.FileError{Path: l.Path, Line: h.rec.Line, Rule: "ambiguous-phone-column", Err: ErrAmbiguousPhoneColumn,
				Msg:  listed([]int{best, rival}, h.header) + " both hold cells like phone numbers, and no header tells which counts",
				Hint: sayWhich(best, h.header)}
		}
		o.PhoneColumns = []string{nameOf(best, h.header)}
	}
	line := h.rec.Line
	var err error
	h.columns, err = findColumns(l.Path, line, h.header, o)
	return h, err
}

// numberColumns is the column whose cells are phone numbers, and another that may be as well; -1 for none.
//
// Below a header the numbers must be valid: any long digits may stand there. Without one, cells like numbers are enough.
func (l *List) numberColumns(rows []lines.Record, width int, loose bool) (best, rival int) {
	best, rival, bestShare := -1, -1, 0
	for i := range width {
		full, looking, valid := 0, 0, 0
		for _, rec := range rows {
			cell := cellText(rec, i)
			looks, ok := l.looksLikeNumber(cell)
			full += btoi(cell != "")
			looking += btoi(looks)
			valid += btoi(ok)
		}
		share := valid
		if loose && valid == 0 {
			share = looking
		}
		switch {
		case share*5 < full*4 || share == 0:
			if share*2 >= full && share > 0 && rival < 0 {
				rival = i
			}
		case best < 0:
			best, bestShare = i, share
		default:
			rival = i
		}
	}
	if bestShare == 0 {
		return -1, -1
	}
	return best, rival
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// take makes a header the list's own and moves the reader behind it.
func (l *List) take(h head) error {
	l.Header, l.columns, l.head = h.header, h.columns, h.rec
	l.PhoneColumn = l.Header[l.columns.phones[0].index]
	if h.none {
		l.head = lines.Record{}
		f := Found("no-header", l.PhoneColumn)
		f.Line = h.rec.Line
		l.notes = append(l.notes, f)
		return nil
	}
	l.HeaderLine = h.rec.Line
	if h.before > 0 {
		f := Found("rows-before-header", h.before, h.rec.Line)
		f.Line = h.first
		l.notes = append(l.notes, f)
	}
	l.duplicateHeaders()
	for rec, err := range l.reader.Records() {
		switch {
		case err == nil && rec.Line == h.rec.Line:
			for _, n := range rec.Notes() {
				l.notes = append(l.notes, noted(n))
			}
			return nil
		case err == nil && blank(rec.Fields):
			l.countBlank(rec.Line)
		}
	}
	return fmt.Errorf("read %s: the header in line %d is gone", l.Path, h.rec.Line)
}

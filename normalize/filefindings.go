package normalize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
)

// Notes are the findings about the file as a whole: all of them once its rows were read, those of its beginning before.
func (l *List) Notes() []Finding {
	found := slices.Clone(l.notes)
	blanks, first := l.Blank+l.empty, earlier(l.firstBlank, l.firstEmpty)
	for _, n := range l.readerNotes() {
		if n.Rule == "blank-lines" {
			blanks += n.Count
			first = earlier(first, n.Line)
			continue
		}
		found = append(found, noted(n))
	}
	if blanks > 0 {
		f := Found("blank-lines", blanks)
		f.Line = first
		found = append(found, f)
	}
	if f, mixed := l.mixed(); mixed {
		found = append(found, f)
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return a.Line - b.Line })
	return found
}

// earlier is the smaller of two lines of which 0 is none.
func earlier(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// readerNotes are what the reader noted about the file, no further than rows were passed.
func (l *List) readerNotes() []lines.Note {
	if l.lineNotes == nil {
		return l.reader.Notes()
	}
	return l.lineNotes
}

// noted is a reader's note as a finding.
func noted(n lines.Note) Finding {
	f := Found(n.Rule, n.Msg)
	f.Line, f.Column, f.Char = n.Line, n.Column, n.Char
	return f
}

// countBlank counts a row without text.
func (l *List) countBlank(line int) {
	if l.Blank++; l.firstBlank == 0 {
		l.firstBlank = line
	}
}

// numbersRaw gives a workbook's row its missing cells at the end, and its phone cells as they are stored: formats hide and add digits.
func (h *hand) numbersRaw(rec *lines.Record) {
	if h.encoding != lines.Workbook {
		return
	}
	for len(rec.Fields) < len(h.l.Header) {
		rec.Fields = append(rec.Fields, "")
	}
	for _, p := range h.l.columns.phones {
		if p.index < len(rec.Fields) {
			rec.Fields[p.index], _ = rec.Number(p.index)
		}
	}
}

// readRow reads a row whose record is sound, and what its reader noted about it.
func (h *hand) readRow(r *Row) {
	h.row(r)
	if h.encoding == lines.Workbook && r.Column > 0 {
		if _, rule := r.rec.Number(r.Column - 1); rule != "" {
			h.l.noNumber(r, Found(rule, cellWords(rule, r.Raw)...))
		}
	}
	for _, n := range r.rec.Notes() {
		f := noted(n)
		if n.Column > 0 && n.Column <= len(h.l.Header) {
			f.Header = h.l.Header[n.Column-1]
		}
		if n.Rule == "nul-byte" && n.Column == r.Column {
			h.l.noNumber(r, f.as(Error, "a NUL byte stands in the number: the file is damaged there"))
			continue
		}
		r.Findings = append(r.Findings, f)
	}
}

// cellWords fills in the words of a rule about a workbook's cell.
func cellWords(rule, cell string) []any {
	if rule == "date-cell" {
		return []any{short(cell)}
	}
	return nil
}

// noNumber takes the number away from a row whose phone cell is none, with the finding that says why in place of all others on the cell.
func (l *List) noNumber(r *Row, f Finding) {
	suggest := r.Number.Suggest
	if r.Number.Digits != 0 && f.Rule == "nul-byte" {
		suggest = append(suggest, r.Number.E164())
	}
	r.Number = Number{Suggest: suggest, Problems: []Finding{f}}
	r.Findings = slices.DeleteFunc(r.Findings, func(other Finding) bool { return other.Column == r.Column })
	char := f.Char
	f = f.in(r.Column-1, r.Raw)
	if l.place(&f, &r.rec); char > 0 {
		f.Char = char
	}
	r.Findings = slices.Insert(r.Findings, 0, f)
}

// spoiltRow is a row whose record could be cut, but not into certain cells. What stands before the doubt is still read.
func (h *hand) spoiltRow(r *Row, e *lines.LineError) {
	l, col := h.l, h.start(r)
	f := Found(e.Rule, e.Msg).as(Error, "")
	f.Line, f.Column, f.Char = e.Line, e.Column, e.Char
	switch {
	case e.Line < r.Line:
		f.Line, f.Column, f.Char, f.FirstLine = r.Line, 0, 0, e.Line
		f.Message = fmt.Sprintf("the line stands under the quote of line %d (character %d), which is not closed", e.Line, e.Char)
	case e.Line == r.Line && l.columnsBefore(e.Column):
		h.number(r, col)
		for i := range r.Findings {
			l.place(&r.Findings[i], &r.rec)
		}
	}
	if f.Column > 0 && f.Column <= len(l.Header) {
		f.Header = l.Header[f.Column-1]
	}
	r.Findings = slices.Insert(r.Findings, 0, f)
}

// columnsBefore says whether all columns that a number depends on stand before a column (from 1): the phone, its label, the country, consent.
func (l *List) columnsBefore(column int) bool {
	for _, c := range l.columns.consents {
		if c.index+1 >= column {
			return false
		}
	}
	for _, i := range l.columns.countries {
		if i+1 >= column {
			return false
		}
	}
	return !slices.ContainsFunc(l.columns.phones, func(p phoneColumn) bool { return p.index+1 >= column || p.label+1 >= column })
}

// duplicateHeaders warns where two columns have one header: whoever names it gets the first.
func (l *List) duplicateHeaders() {
	seen := map[string]bool{}
	for i, h := range l.Header {
		folded := fold(h)
		if folded != "" && seen[folded] {
			f := Found("duplicate-header", short(h), i+1).in(i, h)
			f.Line, f.Header, f.Char = l.HeaderLine, h, l.head.Char(i)
			l.notes = append(l.notes, f)
		}
		seen[folded] = true
	}
}

// cellText is cell i of a record as a phone number, for a look at the cells.
func cellText(rec lines.Record, i int) string {
	text, _ := rec.Number(i)
	return strings.TrimSpace(text)
}

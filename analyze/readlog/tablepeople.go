package readlog

import (
	"regexp"
	"slices"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
)

// share is the part of a column's cells that fit, of those that are not empty.
func share(rows []lines.Record, column int, fits func(string) bool) float64 {
	fit, all := 0, 0
	for _, r := range rows {
		if column >= len(r.Fields) {
			continue
		}
		if s := unwrapCell(r.Fields[column]); s != "" {
			all++
			if fits(s) {
				fit++
			}
		}
	}
	return float64(fit) / float64(max(all, 1))
}

// findPeople looks again at who is named: a recipient's column that holds people's names gives way to one with their numbers, and one number that
// stands in all rows beside the recipients is the one that sent.
func (t *table) findPeople(rows []lines.Record) {
	if t.preset != nil {
		return
	}
	names := func(s string) bool { return strings.ContainsAny(s, " \u00a0") && strings.IndexAny(s, "0123456789") < 0 }
	if c, ok := t.cols[roleRecipient]; ok && t.options.Map[roleRecipient] == "" && share(rows, c, names) > 0.3 {
		if other := t.phoneColumn(rows); other >= 0 {
			t.cols[roleRecipient] = other
		}
	}
	if _, named := t.options.Map[roleFrom]; !named && !t.cols.has(roleFrom) && t.cols.has(roleRecipient) {
		if other := t.phoneColumn(rows); other >= 0 && bareNumber[foldHeader(t.header[other])] && t.isOneNumber(rows, other) {
			t.cols[roleFrom] = other
		}
	}
}

// bareNumber are headers that say only that a number stands below them, in folded form. A phone or a mobile is somebody's.
var bareNumber = map[string]bool{"number": true, "numero": true, "nummer": true, "nomor": true, "whatsappnumber": true, "numerowhatsapp": true, "whatsapp": true}

// isOneNumber says whether a column has the same number in each row, and it is not the recipient's.
func (t *table) isOneNumber(rows []lines.Record, column int) bool {
	only := ""
	for _, r := range rows {
		if column >= len(r.Fields) {
			return false
		}
		n := unwrapCell(r.Fields[column])
		if only == "" {
			only = n
		}
		if n != only || n == t.cell(r, roleRecipient) {
			return false
		}
	}
	return only != ""
}

// phoneColumn is the first column without a role that has the header of a recipient, and phone numbers below it; -1: none.
func (t *table) phoneColumn(rows []lines.Record) int {
	for i, h := range t.header {
		means := slices.ContainsFunc(headerMeanings[foldHeader(h)], func(m headerMeaning) bool { return m.role == roleRecipient })
		if means && !t.cols.plays(i) && share(rows, i, cellIsPhone) >= 0.8 {
			return i
		}
	}
	return -1
}

// plays says whether a column has a role.
func (r roles) plays(column int) bool {
	for _, c := range r {
		if c == column {
			return true
		}
	}
	return false
}

// hoursOnly and dayOnly are the halves of a time that stands in two columns.
var (
	hoursOnly = regexp.MustCompile(`^\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[AaPp]\.?[Mm]\.?)?$`)
	dayOnly   = regexp.MustCompile(`^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/. ](?:\d{1,2}|[A-Za-z]{3,9})[-/. ]\d{2,4})$`)
)

// findClock finds the two columns of a time that is written as a day and a time of day.
func (t *table) findClock(rows []lines.Record) {
	at, ok := t.cols[roleAt]
	if !ok {
		return
	}
	partner := func(of *regexp.Regexp) int {
		for i := range t.header {
			if i != at && (!t.cols.plays(i) || slices.ContainsFunc(timeRoles, func(role string) bool { c, ok := t.cols[role]; return ok && c == i })) &&
				share(rows, i, of.MatchString) >= 0.8 {
				return i
			}
		}
		return -1
	}
	switch {
	case share(rows, at, hoursOnly.MatchString) >= 0.8:
		if day := partner(dayOnly); day >= 0 {
			t.cols[roleAt], t.hours = day, at+1
		}
	case share(rows, at, dayOnly.MatchString) >= 0.8:
		if hours := partner(hoursOnly); hours >= 0 {
			t.hours = hours + 1
		}
	}
}

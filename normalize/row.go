package normalize

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
	"github.com/wactl/wactl/normalize/numplan"
)

// Row is one row of a list with what could be made of it.
type Row struct {
	Line     int      // physical line where it starts, from 1
	Fields   []string // all cells as they stand in the list
	Raw      string   // the phone cell as it stands in the list, empty without one
	Column   int      // of the phone cell, from 1; 0 without one
	Region   string   // that numbers without a country code were read for
	Number   Number   // without E164 where the row's cells are in doubt
	Findings []Finding

	rec      lines.Record // the row as it stands in the file
	encoding string       // of the file, as far as it was known
}

// Held says whether the row must not be sent: it has an error or no number.
func (r *Row) Held() bool {
	return r.Number.Digits == 0 || hasError(r.Findings)
}

// hasError says whether a finding holds its row back.
func hasError(found []Finding) bool {
	for i := range found {
		if found[i].Severity == Error {
			return true
		}
	}
	return false
}

// OptedOut says whether the recipient must not be written to because the list says so, or may say so.
func (r *Row) OptedOut() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Rule == "opted-out" })
}

// E164 is the number that may be written to: empty without a usable number and for a recipient who opted out.
func (r *Row) E164() string {
	if r.OptedOut() {
		return ""
	}
	return r.Number.E164()
}

// in places a finding in a column (index from 0); the row fills in the rest.
func (f Finding) in(index int, value string) Finding {
	f.Column, f.Value = index+1, value
	return f
}

// row reads the record that the row was made of: its length, its phone cell under its country, its consent cells.
func (h *hand) row(r *Row) {
	l := h.l
	col := h.start(r)
	shifted := false
	if len(r.Fields) != len(l.Header) {
		var ragged Finding
		if ragged, shifted = l.ragged(r.Fields, r.Raw); ragged.Rule != "" {
			r.Findings = append(r.Findings, ragged)
		}
	}
	if !shifted {
		h.number(r, col)
	}
	if len(l.columns.consents) > 0 {
		r.Findings = append(r.Findings, h.consentFindings(r.Fields)...)
	}
	if len(r.Findings) > 1 {
		slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(r.weight(a), r.weight(b)) })
	}
	for i := range r.Findings {
		l.place(&r.Findings[i], &r.rec)
	}
}

// start takes from the row's record what needs no reading, and tells which column its phone cell stands in.
func (h *hand) start(r *Row) phoneColumn {
	r.Line, r.Fields, r.Region, r.encoding = r.rec.Line, r.rec.Fields, h.l.Region, h.encoding
	col := h.l.pick(r.Fields)
	if col.index < len(r.Fields) {
		r.Column, r.Raw = col.index+1, r.Fields[col.index]
	}
	return col
}

// weight orders the findings of a row: what holds it back, doubts about the row, the number's findings in their own order, the rest.
func (r *Row) weight(f Finding) int {
	ofNumber := func(p Finding) bool { return p.Rule == f.Rule && f.Column == r.Column }
	switch {
	case f.Severity == Error:
		return 1
	case slices.ContainsFunc(r.Number.Problems, ofNumber):
		return 3
	case f.Severity == Warning:
		return 2
	}
	return 4
}

// place completes a finding: line, header and character.
func (l *List) place(f *Finding, rec *lines.Record) {
	f.Line = rec.Line
	if f.Column == 0 || f.Column > len(l.Header) {
		return
	}
	f.Header, f.Char = l.Header[f.Column-1], rec.Char(f.Column-1)
}

// ragged judges the length of a row. Shifted: it has more cells than the header, or none for the phone, so no cell is certain.
func (l *List) ragged(fields []string, phone string) (found Finding, shifted bool) {
	have, want := len(fields), len(l.Header)
	switch {
	case have > want && !blank(fields[want:]):
		return Found("row-too-long", have, want), true
	case have > want:
		return Found("row-too-long", have, want).as(Info, "the row has empty cells beyond the last column"), false
	case have < want && strings.TrimSpace(phone) == "" && slices.ContainsFunc(l.columns.phones, func(p phoneColumn) bool { return p.index >= have }):
		return Found("row-too-short", have, want), true
	case have < want:
		return Found("row-too-short", have, want).as(Info, "the row ends before the last column"), false
	}
	return Finding{}, false
}

// labelRanks are words of label cells, in folded form, and the rank they give the number beside them.
var labelRanks = []struct {
	word string
	rank int
}{
	{"whatsapp", rankWhatsApp}, {"zap", rankWhatsApp}, {"wpp", rankWhatsApp},
	{"mobile", rankMobile}, {"mobil", rankMobile}, {"movil", rankMobile}, {"cell", rankMobile}, {"celul", rankMobile}, {"handy", rankMobile}, {"portable", rankMobile}, {"iphone", rankMobile},
}

// pick is the column whose cell is the row's number: the best-ranked one that is not empty, or the first column where all are.
func (l *List) pick(fields []string) phoneColumn {
	if len(l.columns.phones) == 1 {
		return l.columns.phones[0]
	}
	best, bestRank := -1, 0
	for i, p := range l.columns.phones {
		if p.index >= len(fields) || strings.TrimSpace(fields[p.index]) == "" {
			continue
		}
		rank := p.rank
		if p.label >= 0 && p.label < len(fields) {
			rank = labelRank(fields[p.label], rank)
		}
		if best < 0 || rank < bestRank {
			best, bestRank = i, rank
		}
	}
	return l.columns.phones[max(best, 0)]
}

// labelRank is the rank that a label gives, or the column's own.
func labelRank(label string, rank int) int {
	label = fold(label)
	for _, l := range labelRanks {
		if strings.Contains(label, l.word) {
			return min(rank, l.rank)
		}
	}
	return rank
}

// number reads the phone cell under the row's own country, where it has one.
func (h *hand) number(r *Row, col phoneColumn) {
	l := h.l
	if empty(r.Raw) {
		r.Findings = append(r.Findings, Found("empty-phone").in(col.index, r.Raw))
		return
	}
	region, named, ok := h.under(r, &col)
	if !ok {
		return
	}
	r.Number = h.parse(r.Raw, region, col.international)
	if !named {
		h.mix.count(&r.Number)
	}
	if h.encoding == lines.Workbook { // where a number cell has no place for a +
		r.Number.Problems = slices.DeleteFunc(slices.Clone(r.Number.Problems), func(f Finding) bool { return f.Rule == "plus-missing" && f.Severity == Info })
	}
	for _, f := range r.Number.Problems {
		r.Findings = append(r.Findings, f.in(col.index, r.Raw))
	}
	if named && foreign(r.Number, r.Raw, r.Region) {
		r.Findings = append(r.Findings, Found("country-mismatch", r.Number.Region, r.Region).in(col.index, r.Raw))
	}
	if len(l.columns.phones) > 1 {
		l.second(r, col)
	}
}

// under settles the region that the phone cell is read under: the row's own country, which it may have named, or the list's. Not ok: the row
// names none that is known.
func (h *hand) under(r *Row, col *phoneColumn) (region string, named, ok bool) {
	if r.Region = h.l.Region; col.international {
		r.Region = International
	}
	if region = r.Region; len(h.l.columns.countries) == 0 {
		return region, false, true
	}
	unknown, own := h.country(r.Fields)
	if unknown.Rule != "" {
		r.Findings = append(r.Findings, unknown)
		return "", false, false
	}
	if named = own != ""; named {
		if r.Region = own; !col.international {
			region = own
		}
	}
	return region, named, true
}

// parse is parse of a list's cell. What people write in place of numbers comes again and again, so its meaning is remembered.
func (h *hand) parse(cell, region string, id bool) (n Number) {
	switch {
	case quick(&n, cell, region, id):
		return n
	case id || region != h.l.Region:
		return careful(cell, region, id)
	}
	return h.remembered(cell, region)
}

// remembered is careful of a cell under the list's region.
func (h *hand) remembered(cell, region string) Number {
	return h.numbers.of(cell, func(cell string) Number {
		n := careful(cell, region, false)
		n.Problems, n.Suggest = slices.Clip(n.Problems), slices.Clip(n.Suggest) // many rows share them
		return n
	})
}

// country reads the first country cell that is not empty: a finding where it names no country, else its region.
func (h *hand) country(fields []string) (unknown Finding, region string) {
	for _, i := range h.l.columns.countries {
		if i >= len(fields) || strings.TrimSpace(fields[i]) == "" {
			continue
		}
		region := h.regions.of(fields[i], func(cell string) string {
			if region, ok := regionOf(cell); ok {
				return region
			}
			return ""
		})
		if region == "" {
			return Found("unknown-country", fields[i]).in(i, fields[i]), ""
		}
		return Finding{}, region
	}
	return Finding{}, ""
}

// foreign says whether a number written with + has another country code than the region.
func foreign(n Number, cell, region string) bool {
	if n.Digits == 0 || !strings.Contains(cell, "+") {
		return false
	}
	cc, _, _ := splitCode(n.E164()[1:])
	return cc != numplan.Code(region)
}

// second warns about another number in the row, which is left aside. A landline in a lesser column is what ranks are for.
func (l *List) second(r *Row, used phoneColumn) {
	for _, p := range l.columns.phones {
		if p.index == used.index || p.index >= len(r.Fields) || strings.TrimSpace(r.Fields[p.index]) == "" {
			continue
		}
		n := Parse(r.Fields[p.index], r.Region)
		if p.rank != used.rank && n.Kind == "fixed-line" {
			continue
		}
		if n.Digits != 0 && r.Number.Digits != 0 && n.Digits != r.Number.Digits {
			r.Findings = append(r.Findings, Found("same-recipient-two-numbers").in(p.index, r.Fields[p.index]))
			return
		}
	}
}

package normalize

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign/template"
)

// said is what a row says, in hashes: rows with equal ones are duplicates.
type said struct {
	hash     hashed // of the content
	identity hashed // of all columns but the phone's
}

// usedColumns are the columns that content takes its values from.
func usedColumns(l *List, content *template.Content) []int {
	var used []int
	for _, u := range content.Uses() {
		if i := slices.Index(l.Header, u.Column); u.Column != "" && i >= 0 && !slices.Contains(used, i) {
			used = append(used, i)
		}
	}
	return used
}

// content judges what the row is to say and hashes it. Without content it is all other columns that count.
func (c *Check) content(h *hand, v *Verdict) said {
	all := h.otherCells(&c.hasher, &v.Row)
	if c.o.Content == nil {
		return said{all, all}
	}
	cell := func(i int) string {
		if i >= len(v.Fields) {
			return ""
		}
		return v.Fields[i]
	}
	m, faults := c.o.Content.Render(cell, v.Number.Region)
	for _, f := range faults {
		found := Found(f.Rule).as(Severity(f.Severity), f.Key+": "+f.Message)
		if f.Column > 0 {
			found = found.in(f.Column-1, cell(f.Column-1))
		}
		c.add(v, found)
	}
	if f, barred := Barred(v.Number, c.o.Content); barred {
		c.add(v, f.in(v.Column-1, v.Raw))
	}
	c.serials(v)
	h.media(m)
	if m.Type != "" && m.Type != template.TypeTemplate && c.closed(cell) {
		c.add(v, Found("text-outside-window"))
	}
	sum := m.Hash()
	return said{c.hasher.of(sum[:]), all}
}

// add places a finding and appends it.
func (c *Check) add(v *Verdict, f Finding) {
	c.list.place(&f, &v.rec)
	v.Findings = append(v.Findings, f)
}

// noDelimiter stands between cells where the file has no delimiter.
const noDelimiter = 0x1f

// otherCells hashes all columns but the phone's, whether they are quoted or not. Empty cells at the end make no difference.
func (h *hand) otherCells(by *hasher, r *Row) hashed {
	delim := byte(noDelimiter)
	if len(h.l.Delimiter) == 1 {
		delim = h.l.Delimiter[0]
	}
	one := len(h.l.columns.phones) == 1 // the number of every row stands between the same cells
	if at := r.rec.Start(r.Column - 1); one && at >= 0 {
		raw := r.rec.Raw() // the text is the cells already
		return by.both(raw[:at], trimEnd(raw[at+len(r.Raw):], delim))
	}
	b, cut, sure := r.joined(h.buf[:0], delim)
	if !sure {
		return h.apart(by, r)
	}
	if h.buf = b; !one || r.Column == 0 {
		cut = 0
	}
	for len(b) > cut && b[len(b)-1] == delim {
		b = b[:len(b)-1]
	}
	return by.bothIn(b, cut)
}

// trimEnd takes delimiters off the end of a text.
func trimEnd(text string, delim byte) string {
	for len(text) > 0 && text[len(text)-1] == delim {
		text = text[:len(text)-1]
	}
	return text
}

// joined appends the other cells with the delimiter between them; the number stood at cut. Not sure: a cell holds a delimiter.
func (r *Row) joined(b []byte, delim byte) (joined []byte, cut int, sure bool) {
	for i, cell := range r.Fields {
		if i > 0 {
			b = append(b, delim)
		}
		if i+1 == r.Column {
			cut = len(b)
			continue
		}
		if strings.IndexByte(cell, delim) >= 0 {
			return b, 0, false
		}
		b = append(b, cell...)
	}
	return b, cut, true
}

// apart hashes the other cells of a row that has a delimiter inside one, each with its length. No row without one has such a hash.
func (h *hand) apart(by *hasher, r *Row) hashed {
	b, end := h.buf[:0], 0
	for i, cell := range r.Fields {
		if i+1 == r.Column {
			cell = ""
		}
		b = binary.AppendUvarint(b, uint64(len(cell)))
		if b = append(b, cell...); cell != "" {
			end = len(b)
		}
	}
	h.buf = b
	all := by.of(b[:end])
	return hashed{^all[0], ^all[1]}
}

// closed says whether the list tells that the recipient last wrote more than 24 hours ago.
func (c *Check) closed(cell func(int) string) bool {
	for _, i := range c.list.Columns(RoleLastInbound) {
		if at, ok := instantOf(strings.TrimSpace(cell(i))); ok && !c.o.Now.IsZero() {
			return !c.o.Now.Before(at.Add(serviceWindow))
		}
	}
	return false
}

// serviceWindow is how long after a recipient's message free text may be sent.
const serviceWindow = 24 * time.Hour

// instantOf reads a time with its zone, or Unix seconds.
func instantOf(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(n, 0), err == nil && n > 0 && n <= 1<<33
}

// dayHeaders are parts of headers, in folded form, whose columns hold dates.
var dayHeaders = []string{"date", "data", "fecha", "datum", "tanggal", "vencimento", "vencimiento", "дата", "日期", "日付", "تاريخ"}

// serial is a number of a day as spreadsheets count them: from 1954 to 2064.
var serial = pattern(`^[2-5][0-9]{4}(?:[.,][0-9]+)?$`)

// serials warns about days that a spreadsheet turned into numbers, where the header says that the column holds dates.
func (c *Check) serials(v *Verdict) {
	for _, i := range c.used {
		if i >= len(v.Fields) || !serial().MatchString(v.Fields[i]) {
			continue
		}
		header := fold(c.list.Header[i])
		if !slices.ContainsFunc(dayHeaders, func(h string) bool { return strings.Contains(header, h) }) {
			continue
		}
		days, _ := strconv.Atoi(v.Fields[i][:5]) // five digits, as matched
		day := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days).Format(time.DateOnly)
		c.add(v, Found("param-looks-like-serial", v.Fields[i], day).in(i, v.Fields[i]))
	}
}

// media counts links.
func (h *hand) media(m template.Message) {
	medium := m.Media
	if m.Header != nil && m.Header.Media != nil {
		medium = m.Header.Media
	}
	if medium != nil && medium.Link != "" {
		h.links++
	}
}

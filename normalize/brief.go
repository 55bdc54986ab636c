package normalize

import "github.com/wactl/wactl/normalize/lines"

// Most rows of most lists are certain at once: a number that quick reads, and cells about which nothing is to be said. A brief face is asked about
// those before anything else is made of them. Where it has enough, no verdict is made unless another row changes what becomes of the row.

// briefFace appends to text what is to be written about a row of which only the cells and the number are known: what is found about the number
// stands in its Problems, and nothing else was found. Not enough: it wants to see the whole verdict. Of a row that goes no more, whatever the
// reason, it is told only that.
type briefFace func(text []byte, v *Verdict) (out []byte, enough bool)

// What a brief face is shown of any row that repeats another one, and of any that is rejected.
var (
	repeated = Verdict{Repeats: true}
	rejected = Verdict{}
)

// quiet says whether a face has nothing to write about rows like this one.
func (f briefFace) quiet(v *Verdict) bool {
	text, enough := f(nil, v)
	return enough && len(text) == 0
}

// inBrief is how the rows of a check are told in brief.
type inBrief struct {
	face     briefFace
	repeated bool // nothing is written about rows that repeat others
	rejected bool // nothing is written about those that are rejected
}

// briefly sets up what is told in brief, if anything can be: nobody opts out in the list, and its text has what its cells hold.
func (c *Check) briefly(face briefFace) bool {
	of := &c.list.columns
	if face == nil || len(of.phones) != 1 || len(of.consents) > 0 || c.o.Content != nil || c.list.Encoding == lines.Workbook {
		return false
	}
	c.brief = inBrief{face, face.quiet(&repeated), face.quiet(&rejected)}
	return true
}

// glance settles a row in brief; not ok: it has to be judged as others are, and nothing was noted of it.
func (c *Check) glance(b *Batch, rec *lines.Record) (ok bool) {
	v, col := &b.glanced, &c.list.columns.phones[0]
	if len(rec.Fields) != len(c.list.Header) || !c.clear(rec, col.index) {
		return false
	}
	v.Line, v.Fields, v.Column, v.Raw, v.encoding, v.rec = rec.Line, rec.Fields, col.index+1, rec.Fields[col.index], b.encoding, *rec
	region, named, ok := b.under(&v.Row, col)
	if v.Findings = nil; !ok {
		return false
	}
	n := &v.Number
	if *n = (Number{}); !quick(n, v.Raw, region, col.international) {
		if !c.brief.rejected || named || col.international || empty(v.Raw) {
			return false
		}
		*n = b.remembered(v.Raw, region)
	}
	switch s := c.o.Suppressed; {
	case n.Digits == 0 || hasError(n.Problems):
		return c.brief.rejected && b.reject(v, named)
	case named && foreign(*n, v.Raw, v.Region):
		return false
	case s != nil && s.by.len > 0:
		if _, found := s.Find(*n); found {
			return false
		}
	}
	v.Kept = true
	start := len(b.texts)
	text, enough := c.brief.face(b.texts, v)
	if enough {
		b.texts = text
		b.tell(v, start, c.content(&b.hand, v).hash, named)
	}
	return enough
}

// tell notes a row that goes, and whose face stands in the batch's texts from start on.
func (b *Batch) tell(v *Verdict, start int, h hashed, named bool) {
	if !named {
		b.mix.count(&v.Number)
	}
	b.rows++
	b.kept++
	b.recipients++
	b.spans = append(b.spans, [2]int{start, len(b.texts)})
	b.standings = append(b.standings, standing{hash: h, digits: v.Number.Digits, raw: v.rec.Raw(), line: uint32(v.Line), goes: true, at: -1,
		country: uint16(b.countries.add(v.Number.Region, 1))})
}

// reject notes a row that is rejected, about which nothing is written.
func (b *Batch) reject(v *Verdict, named bool) bool {
	if !named {
		b.mix.count(&v.Number)
	}
	b.rows++
	b.rejected++
	b.spans = append(b.spans, [2]int{len(b.texts), len(b.texts)})
	b.standings = append(b.standings, standing{digits: v.Number.Digits, raw: v.rec.Raw(), line: uint32(v.Line), at: -1})
	return true
}

// clear says whether there is nothing to be said about the cells beside the phone's: cells looks at those of the others.
func (c *Check) clear(rec *lines.Record, phone int) bool {
	for i, cell := range rec.Fields {
		if cell != "" && leads[cell[0]] && i != phone && risky(cell) {
			return false
		}
	}
	return !mayBeMisread(rec.Raw())
}

// whole is the whole verdict of row i, where it was settled in brief before. It says nothing new, so nothing of it is counted.
func (c *Check) whole(b *Batch, i int) *Verdict {
	s := &b.standings[i]
	if s.at < 0 {
		v := b.begin(b.block.Record(&b.cells, int(s.line), s.raw))
		b.readRow(&v.Row)
		c.judge(b, v)
		b.seal(&v.Row)
		s.at = int32(len(b.Verdicts) - 1)
	}
	return &b.Verdicts[s.at]
}

// drops says whether row i, which goes no longer since it repeats another one, needs no verdict for that.
func (c *Check) drops(b *Batch, i int) bool {
	s := &b.standings[i]
	if s.at >= 0 || s.met || !c.brief.repeated {
		return false
	}
	s.goes, b.spans[i][1] = false, b.spans[i][0]
	b.kept--
	b.recipients--
	b.duplicates++
	b.countries[s.country].n--
	return true
}

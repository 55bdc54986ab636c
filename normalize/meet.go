package normalize

import "fmt"

// standing is what has to be known of a row to hold it against others. Those of a batch stand side by side, so that the one core which compares
// rows looks at few verdicts: they are large, and another core made them.
type standing struct {
	hash    hashed // of what it says
	digits  uint64 // of the recipient, 0 without one
	raw     string // the row as it stands in the file, where there is no verdict
	line    uint32
	goes    bool   // no error holds it back
	met     bool   // another row changes what is said about it
	country uint16 // index of the recipient's country in the batch's counts, where there is no verdict
	at      int32  // index of its verdict, -1 where there is none
}

// counts are what became of rows.
type counts struct{ kept, recipients, duplicates, rejected int }

// stand notes the standing of the row that was read last.
func (b *Batch) stand(v *Verdict, s said) {
	b.standings = append(b.standings, standing{hash: s.hash, digits: v.Number.Digits, line: uint32(v.Line), goes: v.Kept, at: int32(len(b.Verdicts) - 1)})
	if s.identity != s.hash {
		for len(b.identities) < len(b.standings)-1 {
			b.identities = append(b.identities, b.standings[len(b.identities)].hash)
		}
		b.identities = append(b.identities, s.identity)
	}
	b.count(v, 1)
}

// identity is a hash of all columns of row i but the phone's.
func (b *Batch) identity(i int) hashed {
	if i < len(b.identities) {
		return b.identities[i]
	}
	return b.standings[i].hash
}

// count counts a row in, or out again with -1.
func (b *Batch) count(v *Verdict, by int) {
	switch {
	case v.Kept && v.was.line == 0:
		b.kept += by
		b.recipients += by
		b.countries.add(v.Number.Region, by)
	case v.Kept:
		b.kept += by
	case v.Repeats:
		b.duplicates += by
	default:
		b.rejected += by
	}
}

// touch is the verdict of row i for another row to change; it is counted anew when all rows were compared.
func (c *Check) touch(b *Batch, i int) *Verdict {
	v := c.whole(b, i)
	if s := &b.standings[i]; !s.met {
		s.met = true
		b.met = append(b.met, i)
		b.count(v, -1)
	}
	return v
}

// ahead is how many rows are looked up at once: few enough that what was fetched for them is still in the nearest cache when it is used.
const ahead = 64

// compare looks up what other rows of the same recipients are there.
func (c *Check) compare(b *Batch) {
	for start := 0; start < len(b.standings); start += ahead {
		end := min(start+ahead, len(b.standings))
		var near uint64
		for i := start; i < end; i++ {
			d := b.standings[i].digits
			near += c.first.near(d)
			if twin := argentineTwin(d); twin != 0 {
				near += c.first.near(twin)
			}
		}
		c.near += near
		c.compareRows(b, start, end)
	}
}

// compareRows is compare for the rows from start on, up to end.
func (c *Check) compareRows(b *Batch, start, end int) {
	for i := start; i < end; i++ {
		s := &b.standings[i]
		if s.digits == 0 {
			continue
		}
		if c.facts.out.len > 0 {
			c.optedOut(b, i)
		}
		if !s.goes {
			c.remember(b, i)
			continue
		}
		if !c.lost(b, i) {
			c.meet(b, i)
		}
	}
}

// meet looks up the recipient's first row, and whether this one says the same.
func (c *Check) meet(b *Batch, i int) {
	s := &b.standings[i]
	was := c.put(&c.first, &c.same, s, s.hash)
	twin := was.same
	if c.o.Content != nil {
		twin = c.put(&c.columns, &c.twins, s, b.identity(i)).same
	}
	if was.line != 0 {
		if !(was.same || c.o.Keep != "" && !c.o.Several) || !c.drops(b, i) {
			v := c.touch(b, i)
			v.was, v.twin = was, twin
		}
		return
	}
	if other := argentineTwin(s.digits); other != 0 {
		if line := c.first.line(other); line != 0 {
			c.touch(b, i).other = line
		}
	}
}

// put adds a row, which says h, to those of its recipient, and says where the first one stands.
func (c *Check) put(to *people, sure *claims, s *standing, h hashed) place {
	brief := h
	if c.blind {
		brief = hashed{}
	}
	was := to.put(s.digits, s.line, brief)
	switch {
	case was.line == 0:
		sure.first(s.line, h)
	case was.same:
		was.same = sure.same(was.line, s.line, h)
	}
	return was
}

// optedOut says of a recipient who opted out in another row that nothing may go.
func (c *Check) optedOut(b *Batch, i int) {
	line := int(c.facts.out.line(b.standings[i].digits))
	if line == 0 || c.whole(b, i).OptedOut() {
		return
	}
	v := c.touch(b, i)
	f := Found("opted-out", "").as(Error, fmt.Sprintf("line %d says that this recipient has opted out", line))
	f.FirstLine = line
	v.lead(f, c.list)
	v.Kept, b.standings[i].goes = false, false
}

// remember keeps who opted out. A row before this one about the same person has to be judged again, whatever became of it.
func (c *Check) remember(b *Batch, i int) {
	s := &b.standings[i]
	switch {
	case len(c.list.columns.consents) == 0: // nobody can opt out
	case !c.whole(b, i).OptedOut():
		c.held.put(s.digits, s.line, hashed{})
	case c.facts.out.put(s.digits, s.line, hashed{}).line == 0:
		c.late = c.late || c.first.line(s.digits) != 0 || c.held.line(s.digits) != 0
	}
}

// settle decides what becomes of the rows that others change, now that these are known, and counts all.
func (c *Check) settle(b *Batch, show face) {
	for _, i := range b.met {
		s := &b.standings[i]
		v := &b.Verdicts[s.at]
		c.place(v, s)
		v.sort()
		b.rewrite(i, v, show)
		b.count(v, 1)
	}
	c.In += len(b.standings)
	c.Kept += b.kept
	c.Recipients += b.recipients
	c.Duplicates += b.duplicates
	c.Rejected += b.rejected
	b.countries.into(c.Countries)
}

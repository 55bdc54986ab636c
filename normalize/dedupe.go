package normalize

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/ratelimit"
)

// CheckOptions say what rows are held against beside their own cells. The zero value looks for duplicates only.
type CheckOptions struct {
	Content    *template.Content // what rows are to say; nil: rows differ where any other column does
	Several    bool              // rows with other content are messages of their own, not conflicts
	Suppressed *Suppressions     // who must not be written to, nil for nobody
	Keep       string            // "first" or "last" of rows with other content goes; empty: they are conflicts
	Limits     bool              // judge rows by the limits too
	Tier       int               // recipients in a moving 24 hours; 0 unknown
	Now        time.Time         // for the 24 hours after a recipient's last message; zero: not judged
	Before     *Check            // an earlier check of the same list, see Check.Again
}

// facts are what later rows say about the recipients of earlier ones. They are known only when a list was read to its end.
type facts struct {
	out  people         // who opted out, and the line that says so
	last map[uint64]int // of recipients with several rows, the last one's line
}

// Verdict is one row with everything found about it, errors first.
type Verdict struct {
	Row
	Kept      bool // it goes out
	Repeats   bool // it is left out because another row of the recipient goes; neither: it is rejected
	FirstLine int  // of the row that this one repeats, 0 without one

	twin  bool   // the repeated row is the same in every other column
	was   place  // of the recipient's first row that goes
	other uint32 // line of Argentina's other form of the number
}

// E164 is the recipient's number; empty for one who must not be written to at all.
func (v *Verdict) E164() string {
	if slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Rule == Suppressed }) {
		return ""
	}
	return v.Row.E164()
}

// saying is one of several messages to a recipient.
type saying struct {
	recipient uint64
	hash      hashed
}

// Check holds the rows of one list against each other and against what is known of people. Memory grows with recipients, not with rows.
type Check struct {
	In, Kept, Duplicates, Rejected int            // rows so far: those read, and what became of them
	Recipients                     int            // distinct ones among the rows that go
	Countries                      map[string]int // recipients by ISO code

	list    *List
	o       CheckOptions
	used    []int // columns that content takes
	first   people
	columns people            // with content: the same rows, by all their columns
	held    people            // who stands in rows that are held back, where the list has opt-outs
	rows    map[uint64]uint32 // how many messages go to a recipient, where that matters and is more than one
	more    map[saying]uint32 // line of each further message, with Several
	hasher  hasher
	same    claims // of first
	twins   claims // of columns
	blind   bool   // lets the set of recipients take all their rows for the same; for tests, which cannot wait for hashes to meet
	facts   *facts
	brief   inBrief
	late    bool
	sized   bool // there is room for as many recipients as the list may have
	links   int
	near    uint64 // nothing but a place for what was read ahead
}

// Check prepares a check of the list's rows.
func (l *List) Check(o CheckOptions) *Check {
	c := &Check{list: l, o: o, hasher: newHasher(), rows: map[uint64]uint32{}, more: map[saying]uint32{}, Countries: map[string]int{}}
	c.facts = &facts{last: map[uint64]int{}}
	c.same.reach, c.twins.reach = restLines, restLines
	if o.Before != nil {
		c.facts.out = o.Before.facts.out
		o.Before.first, o.Before.columns, o.Before.held, o.Before.more = people{}, people{}, people{}, nil // both sets at once would double the memory
		o.Before.same, o.Before.twins = claims{}, claims{}
	}
	if o.Content != nil {
		c.used = usedColumns(l, o.Content)
	}
	return c
}

// Rows yields every row that is not blank with its verdict, in file order. An error is the last pair.
func (c *Check) Rows() iter.Seq2[Verdict, error] {
	return func(yield func(Verdict, error) bool) {
		for b, err := range c.batches(nil, nil, true) {
			if err != nil {
				yield(Verdict{}, err)
				return
			}
			for _, v := range b.Verdicts {
				if !yield(v, nil) {
					return
				}
			}
		}
	}
}

// face appends to text what is to be written about a row. It is asked on several cores at once, and again where another row changes a verdict.
type face func(text []byte, v *Verdict) []byte

// Batches yields the rows as Rows does, many at once and with what show makes of each. A batch is good until the next one.
//
// Brief, unless it is nil, is asked first about rows that go, of which only the cells and the number are known, with no other findings than the
// number's Problems. Once it is shown a verdict that says nothing but that the row repeats another one, and one of a row that is rejected: what it
// says of these holds for all. Of rows of which it has enough there is no verdict in a batch.
func (c *Check) Batches(show func(text []byte, v *Verdict) []byte, brief func(text []byte, v *Verdict) (out []byte, enough bool)) iter.Seq2[*Batch, error] {
	return c.batches(show, brief, false)
}

func (c *Check) batches(show face, brief briefFace, lasting bool) iter.Seq2[*Batch, error] {
	each := func(b *Batch, v *Verdict) {
		c.weigh(b, v)
		b.write(show, v)
	}
	work := batching{each: each, lasting: lasting}
	c.list.reader.Passing = !lasting
	if c.briefly(brief) {
		work.glance = c.glance
	}
	return func(yield func(*Batch, error) bool) {
		for b, err := range c.list.batches(work) {
			if err != nil {
				yield(nil, err)
				return
			}
			c.links += b.links
			c.reckon(b)
			c.compare(b)
			c.settle(b, show)
			if !yield(b, nil) {
				return
			}
		}
	}
}

// reckon makes room for as many recipients as a list of that size has, once a batch tells how long its rows are.
func (c *Check) reckon(b *Batch) {
	if b.size > 0 && c.list.size > 0 && !c.sized {
		c.first.expect(int(c.list.size * int64(b.rows) / int64(b.size)))
		c.sized = true
	}
}

// Again says whether later rows changed what is true of earlier ones: somebody opted out in a later row, or the last row of a recipient
// goes. The verdicts then hold only of another check, with this one as its Before.
func (c *Check) Again() bool { return c.late }

// weigh judges a row and notes its standing.
func (c *Check) weigh(b *Batch, v *Verdict) { b.stand(v, c.judge(b, v)) }

// judge finds what is to be said about a row without a look at others, and hashes what the row says.
func (c *Check) judge(b *Batch, v *Verdict) said {
	c.cells(v)
	if c.o.Suppressed != nil {
		if where, found := c.o.Suppressed.Find(v.Number); found {
			v.lead(Found("suppressed", where), c.list)
		}
	}
	said := c.content(&b.hand, v)
	v.Kept = v.Number.Digits != 0 && !hasError(v.Findings)
	v.sort()
	return said
}

// sort puts errors first; what else is found is in the order of what matters most already.
func (v *Verdict) sort() {
	if len(v.Findings) > 1 {
		slices.SortStableFunc(v.Findings, func(a, b Finding) int { return mild(a) - mild(b) })
	}
}

// mild is 0 for an error, which comes first, and 1 for all else: their order says already what matters most.
func mild(f Finding) int {
	if f.Severity == Error {
		return 0
	}
	return 1
}

// lead puts a finding about the phone cell before all others.
func (v *Verdict) lead(f Finding, l *List) {
	if v.Column > 0 {
		f = f.in(v.Column-1, v.Raw)
	}
	l.place(&f, &v.rec)
	v.Findings = slices.Insert(slices.Clip(v.Findings), 0, f)
}

// place says what follows for a row from the other rows of its recipient.
func (c *Check) place(v *Verdict, s *standing) {
	was, twin := v.was, v.twin
	v.twin = false
	switch {
	case !s.goes || v.Repeats: // for other reasons
	case was.line == 0:
		c.perhaps(v)
	case was.same:
		v.twin = twin
		c.repeat(v, Found(Duplicate, was.line, v.Number.E164()), int(was.line))
	case c.o.Several:
		key := saying{s.digits, s.hash}
		if line, again := c.more[key]; again {
			c.repeat(v, Found(Duplicate, line, v.Number.E164()), int(line))
			return
		}
		c.more[key] = uint32(v.Line)
		c.debt(v)
	case c.o.Keep != "":
		c.repeat(v, Found(Duplicate, was.line, v.Number.E164()), int(was.line))
	default:
		c.repeat(v, Found(DuplicateConflict, was.line, v.Number.E164()), int(was.line))
		c.debt(v)
	}
}

// lost says whether a later row of the recipient goes instead, where the last one is wanted; the first check only finds out which.
func (c *Check) lost(b *Batch, i int) bool {
	if c.o.Keep != "last" {
		return false
	}
	d, line := b.standings[i].digits, int(b.standings[i].line)
	if c.o.Before == nil {
		if c.first.line(d) != 0 {
			c.facts.last[d], c.late = line, true
		}
		return false
	}
	last, several := c.o.Before.facts.last[d]
	if !several || last == line {
		return false
	}
	if c.drops(b, i) {
		return true
	}
	v := c.touch(b, i)
	c.repeat(v, Found(Duplicate, last, v.Number.E164()), last)
	return true
}

// repeat leaves a row out for another one. A conflict is an error and so the row is rejected.
func (c *Check) repeat(v *Verdict, f Finding, line int) {
	f.FirstLine, v.FirstLine = line, line
	v.Repeats, v.Kept = f.Severity != Error, false
	v.lead(f, c.list)
}

// perhaps warns where an Argentine number stands in the list with and without the 9 of mobile phones.
func (c *Check) perhaps(v *Verdict) {
	f := Found("possible-duplicate", v.other, fmt.Sprintf("+%d", argentineTwin(v.Number.Digits)))
	if v.Column > 0 {
		f = f.in(v.Column-1, v.Raw)
	}
	f.FirstLine = int(v.other)
	c.add(v, f)
}

// debt warns about a further message to one recipient, which has to wait for the pair limit.
func (c *Check) debt(v *Verdict) {
	if !c.o.Limits && !c.o.Several {
		return
	}
	rows := max(c.rows[v.Number.Digits], 1) + 1
	c.rows[v.Number.Digits] = rows
	pair := ratelimit.PublishedPair(ratelimit.Spaced)
	f := Found("pair-debt", rows, v.was.line, time.Duration(rows-1)*pair.Interval)
	f.FirstLine = int(v.was.line)
	c.add(v, f)
}

// Ended are the findings about the list as a whole, once its rows were read.
func (c *Check) Ended() []Finding {
	var found []Finding
	if n, tier := c.Recipients, c.o.Tier; tier > 0 && n > tier {
		found = append(found, Found("tier-exceeded", n, (n+tier-1)/tier, tier))
	}
	if c.links > 0 {
		found = append(found, Found("media-link", plural(c.links, "message carries its medium", "messages carry their media")))
	}
	return found
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

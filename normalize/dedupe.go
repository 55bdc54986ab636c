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
	out  map[uint64]int // who opted out, and the line that says so
	last map[uint64]int // of recipients with several rows, the last one's line
}

// Verdict is one row with everything found about it, errors first.
type Verdict struct {
	Row
	Kept      bool // it goes out
	Repeats   bool // it is left out because another row of the recipient goes; neither: it is rejected
	FirstLine int  // of the row that this one repeats, 0 without one

	twin bool // the repeated row is the same in every other column
}

// E164 is the recipient's number; empty for one who must not be written to at all.
func (v Verdict) E164() string {
	if slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Rule == Suppressed }) {
		return ""
	}
	return v.Row.E164()
}

// known is the first row of a recipient that goes.
type known struct {
	hash     digest // of what it says
	identity digest // of all its other columns, where that is not the same
	line     uint32
	rows     uint32 // how many messages go to the recipient
}

// digest is the half of a hash that a recipient's rows are told apart by: a list has few of one recipient, but millions of recipients.
type digest [8]byte

// saying is one of several messages to a recipient.
type saying struct {
	recipient uint64
	hash      [16]byte
}

// Check holds the rows of one list against each other and against what is known of people. Memory grows with recipients, not with rows.
type Check struct {
	In, Kept, Duplicates, Rejected int            // rows so far: those read, and what became of them
	Recipients                     int            // distinct ones among the rows that go
	Countries                      map[string]int // recipients by ISO code

	list  *List
	o     CheckOptions
	used  []int // columns that content takes
	first map[uint64]known
	more  map[saying]uint32 // line of each further message, with Several
	facts facts
	late  bool
	links int
	buf   []byte
}

// Check prepares a check of the list's rows.
func (l *List) Check(o CheckOptions) *Check {
	c := &Check{list: l, o: o, first: map[uint64]known{}, more: map[saying]uint32{}, Countries: map[string]int{}}
	c.facts = facts{out: map[uint64]int{}, last: map[uint64]int{}}
	if o.Before != nil {
		c.facts.out = o.Before.facts.out
		o.Before.first, o.Before.more = nil, nil // its rows are judged anew; both sets at once would double the memory
	}
	if o.Content != nil {
		c.used = usedColumns(l, o.Content)
	}
	return c
}

// Rows yields every row that is not blank with its verdict, in file order. An error is the last pair.
func (c *Check) Rows() iter.Seq2[Verdict, error] {
	return func(yield func(Verdict, error) bool) {
		for row, err := range c.list.Rows() {
			if err != nil {
				yield(Verdict{}, err)
				return
			}
			if !yield(c.judge(row), nil) {
				return
			}
		}
	}
}

// Again says whether later rows changed what is true of earlier ones: somebody opted out in a later row, or the last row of a recipient
// goes. The verdicts then hold only of another check, with this one as its Before.
func (c *Check) Again() bool { return c.late }

// judge finds what is to be said about one row and decides whether it goes.
func (c *Check) judge(row Row) Verdict {
	c.In++
	v := Verdict{Row: row}
	c.cells(&v)
	c.optOuts(&v)
	content := c.content(&v)
	if v.Held() {
		c.remember(v)
		c.Rejected++
	} else {
		c.place(&v, content)
	}
	slices.SortStableFunc(v.Findings, func(a, b Finding) int { return mild(a) - mild(b) })
	return v
}

// mild is 0 for an error, which comes first, and 1 for all else: their order says already what matters most.
func mild(f Finding) int {
	if f.Severity == Error {
		return 0
	}
	return 1
}

// optOuts says of a recipient who is on a list of opt-outs, or opted out in another row, that nothing may go.
func (c *Check) optOuts(v *Verdict) {
	if where, found := c.o.Suppressed.Find(v.Number); found {
		v.lead(Found("suppressed", where), c.list)
	}
	if line, out := c.facts.out[v.Number.Digits]; out && !v.OptedOut() && v.Number.Digits != 0 {
		f := Found("opted-out", "").as(Error, fmt.Sprintf("line %d says that this recipient has opted out", line))
		f.FirstLine = line
		v.lead(f, c.list)
	}
}

// remember keeps who opted out. A row before this one that goes to the same person has to be judged again.
func (c *Check) remember(v Verdict) {
	d := v.Number.Digits
	if d == 0 || !v.OptedOut() {
		return
	}
	if _, known := c.facts.out[d]; !known {
		c.facts.out[d] = v.Line
	}
	_, went := c.first[d]
	c.late = c.late || went
}

// lead puts a finding about the phone cell before all others.
func (v *Verdict) lead(f Finding, l *List) {
	if v.Column > 0 {
		f = f.in(v.Column-1, v.Raw)
	}
	l.place(&f, v.rec)
	v.Findings = slices.Insert(slices.Clip(v.Findings), 0, f)
}

// place finds the row's place among those of its recipient and counts it.
func (c *Check) place(v *Verdict, content said) {
	d := v.Number.Digits
	was, again := c.first[d]
	switch {
	case c.o.Keep == "last" && c.lost(v):
	case !again:
		v.Kept = true
		c.first[d] = known{hash: digest(content.hash[:8]), identity: digest(content.identity[:8]), line: uint32(v.Line), rows: 1}
		c.Recipients++
		c.Countries[v.Number.Region]++
		c.perhaps(v)
	case c.same(v, was, content):
	case c.o.Several:
		was.rows++
		c.first[d] = was
		c.more[saying{d, content.hash}] = uint32(v.Line)
		v.Kept = true
		c.debt(v, was)
	case c.o.Keep != "":
		c.repeat(v, Found(Duplicate, was.line, v.Number.E164), int(was.line))
	default:
		c.repeat(v, Found(DuplicateConflict, was.line, v.Number.E164), int(was.line))
		was.rows++
		c.first[d] = was
		c.debt(v, was)
	}
	c.tally(v)
}

func (c *Check) tally(v *Verdict) {
	switch {
	case v.Kept:
		c.Kept++
	case v.Repeats:
		c.Duplicates++
	default:
		c.Rejected++
	}
}

// lost says whether a later row of the recipient goes instead; the first check only finds out which.
func (c *Check) lost(v *Verdict) bool {
	d := v.Number.Digits
	if c.o.Before == nil {
		if _, again := c.first[d]; again {
			c.facts.last[d], c.late = v.Line, true
		}
		return false
	}
	last, several := c.o.Before.facts.last[d]
	if !several || last == v.Line {
		return false
	}
	c.repeat(v, Found(Duplicate, last, v.Number.E164), last)
	return true
}

// same leaves out a row that says what an earlier one of its recipient says.
func (c *Check) same(v *Verdict, was known, content said) bool {
	line, again := was.line, was.hash == digest(content.hash[:8])
	if !again && c.o.Several {
		line, again = c.more[saying{v.Number.Digits, content.hash}]
	}
	if again {
		c.repeat(v, Found(Duplicate, line, v.Number.E164), int(line))
		v.twin = line == was.line && was.identity == digest(content.identity[:8])
	}
	return again
}

// repeat leaves a row out for another one. A conflict is an error and so the row is rejected.
func (c *Check) repeat(v *Verdict, f Finding, line int) {
	f.FirstLine, v.FirstLine = line, line
	v.Repeats = f.Severity != Error
	v.lead(f, c.list)
}

// perhaps warns where an Argentine number stands in the list with and without the 9 of mobile phones.
func (c *Check) perhaps(v *Verdict) {
	twin := argentineTwin(v.Number.Digits)
	if was, found := c.first[twin]; twin != 0 && found {
		f := Found("possible-duplicate", was.line, fmt.Sprintf("+%d", twin))
		if v.Column > 0 {
			f = f.in(v.Column-1, v.Raw)
		}
		f.FirstLine = int(was.line)
		c.list.place(&f, v.rec)
		v.Findings = append(v.Findings, f)
	}
}

// debt warns about a further message to one recipient, which has to wait for the pair limit.
func (c *Check) debt(v *Verdict, was known) {
	if !c.o.Limits && !c.o.Several {
		return
	}
	pair := ratelimit.PublishedPair(ratelimit.Spaced)
	f := Found("pair-debt", was.rows, was.line, time.Duration(was.rows-1)*pair.Interval)
	f.FirstLine = int(was.line)
	c.list.place(&f, v.rec)
	v.Findings = append(v.Findings, f)
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

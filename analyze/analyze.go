package analyze

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// Analyze explains every 131056 of a log: which accepted sends before it spent the pair's quota, and why.
//
// It reads the log twice, and very rarely once more. An error is the log's, or names a pair in the options that the log does not know.
func Analyze(log Log, o Options) (Report, error) {
	l := Ledger{Region: o.Region, once: true}
	if err := l.Read(log); err != nil {
		return Report{}, err
	}
	l.sparing = l.facts.size() > heldTwice && !l.compares()
	r, err := l.Analyze(log, o)
	if !errors.Is(err, errSpent) {
		return r, err
	}
	l = Ledger{Region: o.Region, once: true}
	if err := l.Read(log); err != nil {
		return Report{}, err
	}
	return l.Analyze(log, o)
}

// heldTwice is how many bytes of facts may be held by message and by pair at once, when the facts are joined.
const heldTwice = 8 << 20

// errSpent says that the facts of a sparing ledger would be needed again.
var errSpent = errors.New("the facts are given up already")

// Analyze is the explanation from facts that are read already; the log gives its sources, and the details of the pairs that failed.
//
// The first question to a ledger settles the meaning of codes and the time that is asked about.
func (l *Ledger) Analyze(log Log, o Options) (Report, error) {
	j := l.join(o.meaning(log), o.Pair != "")
	if j.spent {
		return Report{}, errSpent
	}
	asked, err := j.asked(o.Pair)
	if err != nil {
		return Report{}, err
	}
	sum, pairs := j.timelines(asked == nil, func(t timeline, failed, _ bool) bool {
		if asked != nil {
			return asked.has(t.number, t.recipient)
		}
		return failed
	})
	if asked != nil && len(pairs) == 0 {
		return Report{}, &unknownPairError{o.Pair, "such pair", "give the recipient as the log has it, with its country code"}
	}
	others := j.otherErrors()
	if l.once {
		j.pairs, j.quiet = nil, nil
	}
	r, err := j.explain(log, pairs, sum, asked != nil)
	if err != nil {
		return Report{}, err
	}
	r.Sources = j.sourceReports()
	r.OtherErrors = others
	r.Unattributed = j.unattributed()
	r.Summary.Pairs, r.Summary.Sends, r.Summary.Unattributed = sum.pairs, sum.sends, len(r.Unattributed)
	r.Summary.Readings.Strict.Contradicted, r.Summary.Readings.Bucket45.Contradicted = sum.wrong[0], sum.wrong[1]
	r.Notes = append(r.Notes, j.notes(&r)...)
	if sum.nameless > 0 {
		r.Notes = append(r.Notes, namelessNote(sum.nameless))
	}
	r.narrow(o.Top)
	return r, nil
}

func (o Options) meaning(log Log) meaning {
	return meaning{sources: log.Sources(), codeMap: o.CodeMap, since: o.Since, until: o.Until}
}

// explain judges the pairs and tells their stories; whole asks for all their sends too.
func (j *joined) explain(log Log, pairs []timeline, sum tally, whole bool) (Report, error) {
	r := Report{
		Version: 1, Notes: []string{}, Failures: []Failure{}, Unattributed: []Unattributed{}, OtherErrors: []OtherError{}, Incidents: []Incident{},
		Model: Model{strict.Interval.Seconds(), strict.Burst, ratelimit.PairBurstWindow.Seconds()},
	}
	known := make([]records, len(pairs))
	rooms := make([]int, len(pairs)+1) // where the failures of each pair stand at first
	for i, t := range pairs {
		rooms[i+1] = rooms[i] + t.roles()[failing]
	}
	inTurn(len(pairs), func(d *desk, i int) {
		if whole {
			known[i].facts = pairs[i].all()
		} else {
			known[i].facts = pairs[i].near(d, pairs[i].judge(d)) // and judged again when its story is told: verdicts are many
		}
	})
	if err := j.readDetails(log, known); err != nil {
		return r, err
	}
	r.Failures = make([]Failure, rooms[len(pairs)])
	found, sends := make([]finding, len(r.Failures)), make([][]Send, len(pairs))
	inTurn(len(pairs), func(d *desk, i int) {
		from, to := rooms[i], rooms[i+1]
		j.findings(d, pairs[i], &known[i], sum.perNumber[pairs[i].number], r.Failures[from:to], found[from:to])
		if whole {
			sends[i] = j.sends(d, &known[i])
		}
		pairs[i].facts, known[i] = nil, records{} // what is told is held; the rest may go
	})
	r.Timeline = slices.Concat(sends...)
	r.fill(found)
	return r, nil
}

// findings are the failures of a pair that lie in the time asked about, each with what the order of things needs. The others leave their places empty.
// Total is how many sends the pair's business number has.
func (j *joined) findings(d *desk, t timeline, known *records, total int, failures []Failure, found []finding) {
	people, sends := j.spelling(t, known), sendsOf(t)
	stories := known.tell(d, t.judge(d))
	var before *Failure
	var last *story
	var listed listing
	for i := range stories {
		s := &stories[i]
		s.total, s.sends, s.sources = total, sends, j.meaning.sources
		if !j.meaning.within(s.failure.at()) { // the stories of the others count for this one's
			continue
		}
		if last != nil && !last.sameSends(s) {
			before = nil
		}
		failures[i] = j.failure(t, s, people, before, &listed)
		found[i] = finding{Failure: &failures[i], pair: timelineKey{t.number, t.recipient}, place: s.place(), line: s.failure.place(), again: s.again != ""}
		before, last = &failures[i], s
	}
}

// sends are all accepted sends of a timeline that lie in the time asked about.
func (j *joined) sends(d *desk, known *records) (all []Send) {
	for _, s := range known.scene(d).sends {
		if j.meaning.within(s.at) {
			all = append(all, j.send(s))
		}
	}
	return all
}

// all are the facts of a timeline.
func (t timeline) all() (facts []*fact) {
	for i := range t.facts {
		facts = append(facts, &t.facts[i])
	}
	return facts
}

func sendsOf(t timeline) (n int) {
	for i := range t.facts {
		if r := t.facts[i].role(); r == placed || r == unplaced {
			n++
		}
	}
	return n
}

// spelling is the recipient of a timeline for people: as the log writes it, or if it does so in several ways, in today's digits.
func (j *joined) spelling(t timeline, known *records) string {
	one := uint64(0)
	for i := range known.kept {
		switch r := &known.kept[i]; {
		case r.spelled == 0:
		case r.spelled == twoWays || one != 0 && one != r.spelled:
			return j.recipientText(t.recipient)
		default:
			one = r.spelled
		}
	}
	return j.recipientText(cmp.Or(one, t.recipient))
}

// instant is milliseconds as the report has them, nil for an unknown time.
func instant(ms int64) *Millis {
	if ms == 0 {
		return nil
	}
	return &Millis{time.UnixMilli(ms).UTC()}
}

func instantAt(t ratelimit.Instant) *Millis {
	if t == 0 {
		return nil
	}
	return &Millis{t.Time()}
}

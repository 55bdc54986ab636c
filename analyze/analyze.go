package analyze

import (
	"cmp"
	"slices"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// Analyze explains every 131056 of a log: which accepted sends before it spent the pair's quota, and why.
//
// It reads the log twice. An error is the log's, or names a pair in the options that the log does not know.
func Analyze(log Log, o Options) (Report, error) {
	l := Ledger{Region: o.Region}
	if err := l.Read(log); err != nil {
		return Report{}, err
	}
	return l.Analyze(log, o)
}

// Analyze is the explanation from facts that are read already; the log gives its sources, and the details of the pairs that failed.
//
// The first question to a ledger settles the meaning of codes and the time that is asked about.
func (l *Ledger) Analyze(log Log, o Options) (Report, error) {
	j := l.join(o.meaning(log))
	asked, err := j.asked(o.Pair)
	if err != nil {
		return Report{}, err
	}
	sum, pairs := j.timelines(func(t timeline, failed, _ bool) bool {
		if asked != nil {
			return asked.has(t.number, t.recipient)
		}
		return failed
	})
	if asked != nil && len(pairs) == 0 {
		return Report{}, &unknownPairError{o.Pair, "such pair", "give the recipient as the log has it, with its country code"}
	}
	r, err := j.explain(log, pairs, sum, asked != nil)
	if err != nil {
		return Report{}, err
	}
	r.Sources = j.sourceReports()
	r.OtherErrors = j.otherErrors()
	r.Unattributed = j.unattributed()
	r.Summary.Pairs, r.Summary.Sends, r.Summary.Unattributed = sum.pairs, sum.sends, len(r.Unattributed)
	r.Summary.Readings.Strict.Contradicted, r.Summary.Readings.Bucket45.Contradicted = sum.wrong[0], sum.wrong[1]
	r.Notes = append(r.Notes, j.notes(&r)...)
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
	verdicts := make([][]verdict, len(pairs))
	needed := make([][]*fact, len(pairs))
	for i, t := range pairs {
		verdicts[i] = t.judge()
		needed[i] = t.near(verdicts[i])
		if whole {
			needed[i] = t.all()
		}
	}
	d, err := j.readDetails(log, slices.Concat(needed...))
	if err != nil {
		return r, err
	}
	var all []*finding
	for i, t := range pairs {
		people := j.spelling(t, needed[i], d)
		stories := t.tell(verdicts[i], needed[i], d)
		for _, s := range stories {
			s.total, s.sends = sum.perNumber[t.number], sendsOf(t)
			if j.meaning.within(s.failure.at()) { // the stories of the others count for this one's
				all = append(all, j.finding(t, s, people))
			}
		}
		if whole {
			r.Timeline = append(r.Timeline, j.sends(t, needed[i], d)...)
		}
	}
	r.fill(all)
	return r, nil
}

// sends are all accepted sends of a timeline that lie in the time asked about.
func (j *joined) sends(t timeline, needed []*fact, d details) (all []Send) {
	scene, _ := t.scene(needed, d)
	for _, s := range scene.sends {
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
func (j *joined) spelling(t timeline, needed []*fact, d details) string {
	one := uint64(0)
	for _, f := range needed {
		e := d[detailKey{f.place(), f.kind(), f.message}]
		for _, id := range []string{e.WaID, e.Recipient} {
			switch r := j.Recipient(j.bytes(id)); {
			case r == 0 || r > lastDigits:
			case one == 0:
				one = r
			case one != r:
				return j.recipientText(t.recipient)
			}
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

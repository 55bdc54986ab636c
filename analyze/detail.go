package analyze

import (
	"cmp"
	"slices"
	"time"
)

// told is a fact with what its record says beyond the arithmetic.
type told struct {
	fact *fact
	at   int64 // as corrected, milliseconds
	part int   // of a message in parts, or 0
	Event
}

// detailKey finds the record of a fact again in the second pass.
type detailKey struct {
	place   Place
	kind    Kind
	message uint64
}

// details are the records of the pairs that failed, from the second pass.
type details map[detailKey]Event

// before and after a failure, and before its burst, what was said may show a cause.
const (
	lookBack  = time.Minute
	lookAhead = 5 * time.Minute
)

// window is the time around one failure in which the second pass looks.
func (v *verdict) window() (from, to int64) {
	at := instantOf(v.failure.at())
	start := at.Add(-reach)
	if v.start != 0 {
		start = min(start, v.start)
	}
	return start.Add(-lookBack).Time().UnixMilli(), at.Add(lookAhead).Time().UnixMilli()
}

// near gives the facts of a timeline whose records are needed, in order: those around its failures, and all others of the same messages.
func (t timeline) near(verdicts []verdict) (needed []*fact) {
	marked := make([]bool, len(t.facts))
	messages := map[uint64]bool{}
	next := 0
	for i := range verdicts {
		from, to := verdicts[i].window()
		start, _ := slices.BinarySearchFunc(t.facts, from, func(f fact, ms int64) int { return cmp.Compare(f.at(), ms) })
		for next = max(next, start); next < len(t.facts) && t.facts[next].at() <= to; next++ {
			marked[next] = true
			messages[t.facts[next].message] = true
		}
	}
	for i := range t.facts {
		if f := &t.facts[i]; marked[i] || f.message != 0 && messages[f.message] {
			needed = append(needed, f)
		}
	}
	return needed
}

// readDetails reads the records of the given facts again.
func (l *Ledger) readDetails(log Log, wantedFacts []*fact) (details, error) {
	places := make(map[Place]bool, len(wantedFacts))
	for _, f := range wantedFacts {
		places[f.place()] = true
	}
	found := details{}
	if len(places) == 0 {
		return found, nil
	}
	for e, err := range log.Events(Want{Details: true, Place: func(p Place) bool { return places[p] }}) {
		if err != nil {
			return nil, err
		}
		key := detailKey{e.Place, e.Kind, l.eventMessage(e)}
		if _, again := found[key]; !again && places[e.Place] {
			found[key] = e
		}
	}
	return found, nil
}

// of is a fact with its record.
func (d details) of(f *fact) told {
	return told{fact: f, at: f.at(), Event: d[detailKey{f.place(), f.kind(), f.message}]}
}

// messageOf is a fact with what all records of its message say: a status may name the category, the request the text.
func (d details) messageOf(f *fact, same map[uint64][]*fact) told {
	t := d.of(f)
	for _, other := range same[f.message] {
		o := d.of(other)
		t.MessageID = cmp.Or(t.MessageID, o.MessageID)
		t.Detail = t.Detail.or(o.Detail)
	}
	t.part = partOf(t.Detail)
	return t
}

// or fills what one record leaves out from another of the same message.
func (d Detail) or(o Detail) Detail {
	for _, field := range []struct{ to, from *string }{
		{&d.Client, &o.Client}, {&d.Campaign, &o.Campaign}, {&d.Row, &o.Row}, {&d.Job, &o.Job}, {&d.Template, &o.Template}, {&d.Category, &o.Category},
		{&d.Text, &o.Text}, {&d.Trigger, &o.Trigger}, {&d.InReply, &o.InReply}, {&d.Host, &o.Host},
	} {
		*field.to = cmp.Or(*field.to, *field.from)
	}
	d.Attempt = cmp.Or(d.Attempt, o.Attempt)
	d.Part = cmp.Or(d.Part, o.Part)
	return d
}

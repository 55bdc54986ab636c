package analyze

import (
	"cmp"
	"slices"
	"time"
)

// told is a fact with what its record says beyond the arithmetic.
type told struct {
	fact      *fact
	at        int64 // as corrected, milliseconds
	part      int   // of a message in parts, or 0
	MessageID string
	Detail    *Detail // never nil, and shared with other records that say the same
}

// records are what is kept of the records that the facts of one timeline stand for.
type records struct {
	facts []*fact    // in the order of the timeline
	kept  []recorded // one a fact
	kin   []int32    // indexes of facts, those of one message together
	group [][2]int32 // by fact, where its message is in kin
}

// recorded is what is kept of one record. The zero value is none.
type recorded struct {
	spelled uint64 // the recipient as it is written; 0: not in digits
	id      string
	detail  *Detail // nil: there was no record
}

// twoWays is the recipient of a record that writes it in two ways.
const twoWays = 1

var nothing Detail

const kindBits = 4

// placeKey is the place of a record, and what it says, in the order of places.
func placeKey(p Place, k Kind) uint64 {
	return uint64(packPlace(p))<<kindBits | uint64(k)
}

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
func (t timeline) near(d *desk, verdicts []verdict) (needed []*fact) {
	marked := clean(&d.marked, len(t.facts))
	messages := d.messages
	if messages == nil {
		messages = map[uint64]bool{}
		d.messages = messages
	}
	clear(messages)
	next := 0
	for i := range verdicts {
		from, to := verdicts[i].window()
		start, _ := slices.BinarySearchFunc(t.facts, from, func(f fact, ms int64) int { return cmp.Compare(f.at(), ms) })
		for next = max(next, start); next < len(t.facts) && t.facts[next].at() <= to; next++ {
			marked[next] = true
			messages[t.facts[next].message] = true
		}
	}
	n := 0
	for i := range t.facts {
		if marked[i] = marked[i] || t.facts[i].message != 0 && messages[t.facts[i].message]; marked[i] {
			n++
		}
	}
	needed = make([]*fact, 0, n)
	for i := range t.facts {
		if marked[i] {
			needed = append(needed, &t.facts[i])
		}
	}
	return needed
}

// readDetails reads the records of the given facts again.
func (l *Ledger) readDetails(log Log, all []records) error {
	wants := wantsOf(all)
	places := make(placeList, 0, len(wants))
	for _, w := range wants {
		if p := packedPlace(w.place >> kindBits); len(places) == 0 || p != places[len(places)-1] {
			places = append(places, p)
		}
	}
	if len(places) == 0 {
		return nil
	}
	r := recorder{Ledger: l, wants: wants, latest: &nothing, alike: map[Detail]*Detail{{}: &nothing}}
	for e, err := range log.Events(Want{Details: true, Place: places.has, Next: places.next}) {
		if err != nil {
			return err
		}
		r.add(&e)
	}
	return nil
}

// recorder keeps records so that what many of them say is held once.
type recorder struct {
	*Ledger
	wants  []want          // in order
	next   int             // of them: the first behind the record before
	ids    [1 << 10]string // lately seen, by hash
	latest *Detail
	alike  map[Detail]*Detail
}

// add hands a record to those who want it and have none: the first of its place, kind and message is the one.
func (r *recorder) add(e *Event) {
	w := want{place: placeKey(e.Place, e.Kind), message: r.eventMessage(e)}
	at := r.find(&w)
	for r.next = at; r.next < len(r.wants) && r.wants[r.next].compare(&w) == 0; r.next++ {
	}
	if at == r.next || r.wants[at].to.detail != nil {
		return
	}
	k := r.record(e, w.message)
	for i := range r.wants[at:r.next] {
		*r.wants[at+i].to = k
	}
}

// find is the index of the first want that is not before w. Records mostly come in the order of places.
func (r *recorder) find(w *want) int {
	const near = 4
	for i := r.next; i < min(len(r.wants), r.next+near); i++ {
		if r.wants[i].compare(w) >= 0 {
			if i == 0 || r.wants[i-1].compare(w) < 0 {
				return i
			}
			break
		}
	}
	i, _ := slices.BinarySearchFunc(r.wants, w, func(a want, w *want) int { return a.compare(w) })
	return i
}

// record is what is kept of an event's record.
func (r *recorder) record(e *Event, message uint64) recorded {
	k := recorded{id: e.MessageID}
	if known := &r.ids[message>>1%uint64(len(r.ids))]; *known == k.id {
		k.id = *known
	} else {
		*known = k.id
	}
	k.detail = r.detail(&e.Detail)
	for _, id := range [...]string{e.WaID, e.Recipient} {
		if id == "" {
			continue
		}
		switch n := r.Recipient(r.bytes(id)); {
		case n == 0 || n > lastDigits:
		case k.spelled == 0:
			k.spelled = n
		case k.spelled != n:
			k.spelled = twoWays
		}
	}
	return k
}

// detail is one that says the same as d, and is kept.
func (r *recorder) detail(d *Detail) *Detail {
	if *d == *r.latest {
		return r.latest
	}
	known := r.alike[*d]
	if known == nil {
		known = new(*d)
		r.alike[*d] = known
	}
	r.latest = known
	return known
}

// placeList is places in order.
type placeList []packedPlace

// packedPlace is a place as one number, in the same order.
type packedPlace uint64

func packPlace(p Place) packedPlace { return packedPlace(p.File)<<32 | packedPlace(uint32(p.Line)) }

func (p packedPlace) place() Place { return Place{File: int(p >> 32), Line: int(uint32(p))} }

func (l placeList) has(p Place) bool {
	_, found := slices.BinarySearch(l, packPlace(p))
	return found
}

// next is the first of the places from p on.
func (l placeList) next(p Place) (Place, bool) {
	i, _ := slices.BinarySearch(l, packPlace(p))
	if i == len(l) {
		return Place{}, false
	}
	return l[i].place(), true
}

// meet finds out which facts tell of one message.
func (r *records) meet(d *desk) {
	r.kin, r.group = lay(&d.kin, len(r.facts)), lay(&d.group, len(r.facts))
	for i := range r.kin {
		r.kin[i] = int32(i)
	}
	slices.SortFunc(r.kin, func(a, b int32) int {
		if x, y := r.facts[a].message, r.facts[b].message; x != y {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(a, b)
	})
	for from := 0; from < len(r.kin); {
		to := from + 1
		for message := r.facts[r.kin[from]].message; to < len(r.kin) && message != 0 && r.facts[r.kin[to]].message == message; to++ {
		}
		for _, i := range r.kin[from:to] {
			r.group[i] = [2]int32{int32(from), int32(to)}
		}
		from = to
	}
}

// index is where a fact of the timeline is among those that have records.
func (r *records) index(f *fact) int {
	i, _ := slices.BinarySearchFunc(r.facts, f.at(), func(f *fact, ms int64) int { return cmp.Compare(f.at(), ms) })
	for r.facts[i] != f {
		i++
	}
	return i
}

// of is a fact with its record.
func (r *records) of(i int) told {
	t := told{fact: r.facts[i], at: r.facts[i].at(), Detail: &nothing}
	if k := &r.kept[i]; k.detail != nil {
		t.MessageID, t.Detail = k.id, k.detail
	}
	return t
}

// messageOf is a fact with what all records of its message say: a status may name the category, the request the text.
func (r *records) messageOf(i int) told {
	t := r.of(i)
	for _, other := range r.kin[r.group[i][0]:r.group[i][1]] {
		o := &r.kept[other]
		if o.detail == nil || int(other) == i {
			continue
		}
		t.MessageID = cmp.Or(t.MessageID, o.id)
		if o.detail == t.Detail || o.detail == &nothing {
			continue
		}
		if both := t.Detail.or(*o.detail); both != *t.Detail {
			t.Detail = &both
		}
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

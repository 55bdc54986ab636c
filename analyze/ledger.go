package analyze

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"time"
)

// Ledger is the facts of a log. The zero value is empty and ready; a Ledger belongs to one goroutine, several are merged.
//
// Facts are kept by message, in many small lists, so that the joining of a message's facts needs little more memory.
type Ledger struct {
	Region string // country of recipients that are written without one, as normalize.Parse takes it; empty: none

	numbers names
	ids     names // recipients that are no phone number
	codes   codes
	users   users
	facts   store
	files   []fileFacts
	coded   map[uint64]bool // recipients of facts with an error code
	masked  int             // events whose recipient covers several people
	first   int64           // the earliest and the latest time of any fact, 0: none
	last    int64
	local   map[string]uint64 // recipients written in the region's way
	room    []byte
	once    bool    // there will be no other question than the first
	sparing bool    // facts are given up as they are joined; should they be needed again, the log has to be read again
	joined  *joined // set when the facts have been judged; nothing may be added any more
}

const (
	listCount = 64
	listShift = 64 - 6
	noNumber  = 0
)

// fileFacts is what is known of one source from its facts alone.
type fileFacts struct {
	number uint16 // the only business number in it, or 0
	many   bool   // it shows several
	naive  bool   // it has times without a zone
}

// Number is the short name under which a ledger keeps a business number, 0 for an empty one. A phone number is kept as its digits.
func (l *Ledger) Number(id []byte) uint16 {
	if len(id) > 0 && (id[0] == '+' || id[0] == 'w') {
		if digits, _, ok := spelled(bytes.TrimPrefix(id, []byte("whatsapp:"))); ok {
			id = digits
		}
	}
	return uint16(l.numbers.id(id, 1<<16-1))
}

// Message is the hash under which a ledger keeps a message id, 0 for an empty one. It is the same in every ledger.
//
// The lowest bit says that the id is one that no two messages in the world share.
func (l *Ledger) Message(id []byte) uint64 {
	const worldwide = 20 // characters; shorter ids are counters, which every system starts at 1
	if len(id) == 0 {
		return 0
	}
	h := hash(id) &^ 1
	if len(id) >= worldwide {
		h |= 1
	}
	return max(h, 2)
}

// Link says that two recipients of this ledger are one person, as an event that shows both does. Zero ids are nobody.
func (l *Ledger) Link(a, b uint64) {
	if a != 0 && b != 0 && a != b {
		l.users.link(a, b, &l.ids)
	}
}

// Add takes one fact. It must come before the first question to the ledger.
func (l *Ledger) Add(f Fact) {
	p := f.pack(l.codes.index(f.Code))
	if p.bits&laterBits != 0 && !p.standsForOthers() {
		for _, one := range p.apart(nil) {
			l.addOne(&one)
		}
		return
	}
	l.addOne(&p)
}

func (l *Ledger) addOne(p *fact) {
	if p.code() != 0 && p.recipient() != 0 {
		l.sawCode(p.recipient())
	}
	l.noteFile(p)
	if at := p.at(); at != 0 {
		if l.first == 0 || at < l.first {
			l.first = at
		}
		l.last = max(l.last, at+1000*int64(max(p.later[0].Seconds, p.later[1].Seconds)))
	}
	l.put(p)
}

func (l *Ledger) sawCode(recipient uint64) {
	if l.coded == nil {
		l.coded = map[uint64]bool{}
	}
	l.coded[recipient] = true
}

// Facts are all facts of a ledger, each status on its own, in an order that does not depend on how they were added.
func (l *Ledger) Facts() iter.Seq[Fact] {
	return func(yield func(Fact) bool) {
		var room, all []fact
		for i := range l.facts.lists {
			room, all = l.facts.unpack(room[:0], i), all[:0]
			for k := range room {
				all = room[k].apart(all)
			}
			slices.SortFunc(all, func(a, b fact) int { return byMessage(&a, &b) })
			for _, f := range all {
				if !yield(Fact{Kind: f.kind(), Naive: f.naive(), Number: f.number, Recipient: f.recipient(), Message: f.message, At: f.at(),
					Until: f.grain(), Code: l.codes.code(f.code()), Place: f.place()}) {
					return
				}
			}
		}
	}
}

func (l *Ledger) put(p *fact) {
	key := p.message
	if key == 0 {
		key = mix(p.who, uint64(p.line))
	}
	l.facts.add(int(key>>listShift), p)
}

func (l *Ledger) noteFile(p *fact) {
	for p.file() >= len(l.files) {
		l.files = append(l.files, fileFacts{})
	}
	l.files[p.file()].see(p.number, p.naive())
}

func (s *fileFacts) see(number uint16, naive bool) {
	s.naive = s.naive || naive
	switch {
	case number == noNumber || number == s.number:
	case s.number == noNumber:
		s.number = number
	default:
		s.many = true
	}
}

// Merge moves the facts of another ledger into this one; the other must not be used after it.
func (l *Ledger) Merge(from *Ledger) {
	numbers := from.numbers.into(&l.numbers, 1<<16-1)
	ids := from.ids.into(&l.ids, whoMask)
	codes := from.codes.into(&l.codes)
	person := func(r uint64) uint64 {
		if r > lastDigits {
			return idRecipient(ids[r-lastDigits])
		}
		return r
	}
	for a, b := range from.users.parent {
		l.Link(person(a), person(b))
	}
	for f := range from.facts.each() {
		f.number = uint16(numbers[f.number])
		f.setRecipient(person(f.recipient()))
		f.setCode(codes[f.code()])
		if r := f.recipient(); r != 0 && f.code() != 0 {
			l.sawCode(r)
		}
		l.put(&f)
	}
	for i, s := range from.files {
		if i == len(l.files) {
			l.files = append(l.files, fileFacts{})
		}
		l.files[i].see(uint16(numbers[s.number]), s.naive)
		l.files[i].many = l.files[i].many || s.many
	}
	l.masked += from.masked
	if l.first == 0 || from.first != 0 && from.first < l.first {
		l.first = from.first
	}
	l.last = max(l.last, from.last)
}

// Read adds every event of a log. Lines that cannot be used are the reader's to count; an error ends the reading.
//
// A log that knows the facts of its lines without decoding them adds them itself.
func (l *Ledger) Read(log Log) error {
	if quick, ok := log.(interface{ Facts(*Ledger) error }); ok {
		return quick.Facts(l)
	}
	for e, err := range log.Events(Want{}) {
		if err != nil {
			return err
		}
		l.Note(e)
	}
	return nil
}

// Note adds an event, reduced to its fact.
func (l *Ledger) Note(e Event) {
	f := Fact{Kind: e.Kind, Naive: e.Naive, Until: e.Until, Code: e.Code, Place: e.Place, At: millis(e.At)}
	if e.Kind == Inbound && !e.Logged.IsZero() {
		f.At = millis(e.Logged) // a message that is delivered again keeps its time; what matters is when it came
	}
	f.Number = l.Number(l.bytes(e.Number))
	f.Recipient = l.person(e)
	if f.Recipient == 0 && e.Recipient != "" {
		l.masked++
	}
	f.Message = l.eventMessage(&e)
	l.Add(f)
	if e.Request != "" && e.Kind != Attempt {
		f.Kind, f.Code, f.Message = answered, 0, l.Message(l.bytes("request "+e.Request))
		l.Add(f)
	}
}

// person is the recipient of an event. What else it calls them is linked with it.
func (l *Ledger) person(e Event) uint64 {
	recipient, waID := l.Recipient(l.bytes(e.Recipient)), uint64(0)
	if e.WaID != e.Recipient {
		waID = l.Recipient(l.bytes(e.WaID))
	}
	user := l.Recipient(l.bytes(e.UserID))
	first := cmp.Or(recipient, waID, user)
	l.Link(first, waID)
	l.Link(first, user)
	return first
}

// eventMessage is the key of an event's message. A request without an answer has none, but may meet its answer by the sender's own key.
func (l *Ledger) eventMessage(e *Event) uint64 {
	if e.Kind == Attempt && e.MessageID == "" && e.Request != "" {
		return l.Message(l.bytes("request " + e.Request))
	}
	return l.Message(l.bytes(e.MessageID))
}

func (l *Ledger) bytes(s string) []byte {
	l.room = append(l.room[:0], s...)
	return l.room
}

// millis is a time as facts have it; 0 for an unknown one and for one that no log of this platform can have.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return max(t.UnixMilli(), 0)
}

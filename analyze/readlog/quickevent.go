package readlog

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/wactl/wactl/analyze"
)

// quickFact is a fact with what is settled when its block's turn comes.
type quickFact struct {
	message   uint64
	recipient uint64 // digits; 0: only its user is known
	waID      uint64 // another spelling of the recipient; 0: none
	at        uint32 // unix seconds
	line      int32  // from the block's first, from 0
	code      int32
	user      int32  // index in the block's users, from 1; 0: none
	number    uint16 // index in the block's numbers
	kind      analyze.Kind
	delivered analyze.Later // what followed it, as far as it stands in the same run
	read      analyze.Later
}

// quickUsers are the user ids in a block that are no phone numbers, each once: most people are named several times in a row.
type quickUsers struct {
	texts [][]byte
	index map[string]int32
	keys  []uint64 // by which the ledger knows them, when it was asked
	links []uint64 // the recipients that they were last linked with
}

func (u *quickUsers) reset() {
	u.texts, u.keys, u.links = u.texts[:0], u.keys[:0], u.links[:0]
	clear(u.index)
}

// id is the index of a user, from 1.
func (u *quickUsers) id(text []byte) int32 {
	if n := len(u.texts); n > 0 && string(u.texts[n-1]) == string(text) {
		return int32(n)
	}
	if i, known := u.index[string(text)]; known {
		return i
	}
	if u.index == nil {
		u.index = map[string]int32{}
	}
	u.texts = append(u.texts, text)
	u.index[string(text)] = int32(len(u.texts))
	return int32(len(u.texts))
}

// number is the index of a business number in its block.
func (f *shown) number(text []byte) int {
	for i := len(f.numbers) - 1; i >= 0; i-- {
		if string(f.numbers[i]) == string(text) {
			return i
		}
	}
	f.numbers = append(f.numbers, text)
	return len(f.numbers) - 1
}

// ended takes what ends in a leaf: an event, or a change whose events, from the given one on, it completes. False: the line is not quick after all.
func (m *matcher) ended(l *leaf, first int) bool {
	switch {
	case l.kind == leafEvent && m.events:
		return m.event(l)
	case l.kind == leafEvent:
		m.fact(l)
		return true
	case m.events:
		return m.completeEvents(l, first)
	}
	return m.completeFacts(l, first)
}

var ids analyze.Ledger // its hash of a message's id is that of every ledger

func (m *matcher) fact(l *leaf) {
	f := quickFact{kind: l.proto.Kind, at: uint32(m.time), code: int32(l.proto.Code), line: m.lineNow, message: ids.Message(m.piece(slotID))}
	if l.fills(slotPhone) {
		f.recipient = m.phone
	}
	if l.fills(slotUser) {
		f.user = m.out.users.id(m.piece(slotUser))
	}
	m.out.facts = append(m.out.facts, f)
}

// mostNumbers is how many business numbers a block's facts can have.
const mostNumbers = 1 << 16

// status makes the fact of a line that is about one status of a number, which an opening piece names.
func (m *matcher) status(l *leaf, opened *piece, start int) bool {
	if opened.block != m.heat.block {
		opened.block = m.heat.block
		opened.index = m.out.number(m.text[start+int(opened.number.from) : start+int(opened.number.to)])
	}
	m.fact(l)
	m.out.facts[len(m.out.facts)-1].number = uint16(opened.index)
	return opened.index < mostNumbers
}

// completeFacts gives the facts of a change its number, and what its contact says of the recipient.
func (m *matcher) completeFacts(l *leaf, first int) bool {
	number := m.out.number(m.piece(slotNumber))
	if number >= mostNumbers {
		return false
	}
	contact := uint64(0)
	if l.fills(slotContact) {
		m.fillDigits(holePhone, int(m.slots[slotContact].from))
		contact = m.phone
	}
	for i := first; i < len(m.out.facts); i++ {
		f := &m.out.facts[i]
		f.number = uint16(number)
		if f.kind != analyze.Echo {
			if f.user == 0 && l.fills(slotContactUser) {
				f.user = m.out.users.id(m.piece(slotContactUser))
			}
			if f.recipient == 0 {
				f.recipient = contact
			} else if contact != f.recipient {
				f.waID = contact
			}
		}
		if f.recipient == 0 && f.user == 0 {
			return false
		}
	}
	return true
}

// event makes the event of an element, but for what its change says.
func (m *matcher) event(l *leaf) bool {
	e := l.proto
	e.MessageID, e.At, e.Place.Line = m.names.message.of(m.piece(slotID)), time.Unix(m.time, 0).UTC(), int(m.lineNow)
	if l.fills(slotPhone) {
		e.Recipient = m.names.recipient.of(m.piece(slotPhone))
	}
	if l.fills(slotUser) {
		e.UserID = string(m.piece(slotUser))
	}
	fields := textFields(&e)
	for _, d := range l.details {
		known := &m.names.texts[d.field]
		if raw := m.piece(d.slot); len(raw) == 0 || string(raw) != known.raw {
			text, ok := plainText(raw)
			if !ok {
				return false
			}
			known.raw, known.text = string(raw), text
		}
		*fields[d.field] = known.text
	}
	m.out.events = append(m.out.events, e)
	return true
}

func (m *matcher) completeEvents(l *leaf, first int) bool {
	number, contact, user := m.names.number.of(m.piece(slotNumber)), "", ""
	if l.fills(slotContact) {
		contact = m.names.contact.of(m.piece(slotContact))
	}
	if l.fills(slotContactUser) {
		user = string(m.piece(slotContactUser))
	}
	for i := first; i < len(m.out.events); i++ {
		e := &m.out.events[i]
		e.Number = number
		if e.Kind != analyze.Echo {
			if e.UserID == "" {
				e.UserID = user
			}
			if e.Recipient == "" {
				e.Recipient = contact
			} else if contact != e.Recipient {
				e.WaID = contact
			}
		}
		if e.Recipient == "" && e.UserID == "" {
			return false
		}
	}
	return true
}

// lastNames are the texts that neighbouring events mostly share.
type lastNames struct {
	number, recipient, contact, message sameText
	texts                               [detailFields]struct{ raw, text string } // as they are written, and as they read
}

// detailFields is how many fields of an event texts of a line can fill.
const detailFields = 11

// sameText is a text that is made anew only when it changes.
type sameText string

func (t *sameText) of(b []byte) string {
	if string(*t) != string(b) {
		*t = sameText(b)
	}
	return string(*t)
}

// textFields are the fields of an event that texts of a line can fill.
func textFields(e *analyze.Event) [detailFields]*string {
	d := &e.Detail
	return [...]*string{&e.Reason, &d.Client, &d.Campaign, &d.Row, &d.Job, &d.Template, &d.Category, &d.Text, &d.Trigger, &d.InReply, &d.Host}
}

// plainText is the text in a JSON string without its quotes. It is not ok where the decoder could make something else of it: blanks at an end, or nothing.
func plainText(b []byte) (string, bool) {
	text := string(b)
	if strings.ContainsFunc(text, func(r rune) bool { return r == '\\' || r >= 0x80 }) {
		if err := json.Unmarshal([]byte(`"`+text+`"`), &text); err != nil {
			return "", false
		}
	}
	return text, text != "" && strings.TrimSpace(text) == text
}

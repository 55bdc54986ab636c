package ratelimit

import (
	"math"
	"slices"
	"time"
)

// Messaging is the limit on distinct recipients of a portfolio in a moving 24 hours, outside their service windows.
//
// It holds the recipients that count at present, so unlike the other limits it is a store and not a small value; [NewMessaging] makes one.
// All numbers of a portfolio share one.
type Messaging struct {
	limit  int
	window time.Duration
	last   counting
	queue  []counted // by instant; entries that are not a recipient's latest are void
	live   bool      // the first entry is known not to be void
	once   int       // entries of the queue without a name
	moved  Instant   // what left the window by then is forgotten
	flying int       // recipients without a name whose message is not answered yet: they count, and nobody knows until when
}

// counted is a message that counts. Without a recipient it is one to somebody who gets no other, so that nobody will ask for the name.
type counted struct {
	recipient uint64
	at        Instant
}

// NewMessaging is the limit of so many distinct recipients in a moving window; published: 24 h.
func NewMessaging(limit int, window time.Duration) *Messaging {
	return &Messaging{limit: limit, window: window}
}

// Limit is how many distinct recipients the window may hold.
func (m *Messaging) Limit() int { return m.limit }

// Resize changes how many distinct recipients the window may hold, from now on; 0 is any number. Who counts already goes on counting.
func (m *Messaging) Resize(limit int) {
	if m.limit = limit; limit == 0 {
		m.limit = math.MaxInt
	}
}

// Used is how many distinct recipients count at t.
func (m *Messaging) Used(t Instant) int {
	_, gone := m.expired(t)
	return m.held() - gone
}

func (m *Messaging) held() int { return m.last.size + m.once + m.flying }

// Has says whether this recipient counts at t, so that one more message to it is free.
func (m *Messaging) Has(recipient uint64, t Instant) bool {
	at, ok := m.last.get(recipient)
	return ok && at.Add(m.window) > t
}

// Until is when this recipient stops counting if it gets nothing more; 0 when it never counted.
func (m *Messaging) Until(recipient uint64) Instant {
	if at, ok := m.last.get(recipient); ok {
		return at.Add(m.window)
	}
	return 0
}

// Earliest is the first instant from t on at which this recipient may be written to. One that counts already is free.
func (m *Messaging) Earliest(recipient uint64, t Instant) Instant {
	if m.Has(recipient, t) {
		return t
	}
	return m.Room(t)
}

// Room is the first instant from t on at which one more recipient fits; Never while that depends on answers that did not come yet.
//
// Of the time before the latest charge it knows nothing any more, so that it answers for no instant before.
func (m *Messaging) Room(t Instant) Instant {
	t = max(t, m.moved)
	n, gone := m.expired(t)
	over := m.held() - gone - m.limit // normally below 1: more only when a ledger held more than the limit
	if over < 0 {
		return t
	}
	for _, c := range m.queue[n:] {
		if m.void(c) {
			continue
		}
		if over == 0 {
			return max(t, c.at.Add(m.window))
		}
		over--
	}
	return Never // a limit of nobody, or of as many as are on their way
}

// Opens lists when the recipients that count at t stop counting, in order: each makes room for another.
func (m *Messaging) Opens(t Instant) []Instant {
	n, _ := m.expired(t)
	opens := make([]Instant, 0, m.held())
	for _, c := range m.queue[n:] {
		if !m.void(c) {
			opens = append(opens, c.at.Add(m.window))
		}
	}
	return opens
}

// Charge counts a message to this recipient at t and says whether the recipient is new in the window. Called again when the answer comes, it
// counts from there: the platform counts arrivals, and only the answer says that the message has arrived.
func (m *Messaging) Charge(recipient uint64, t Instant) (added bool) {
	m.forget(t)
	at, ok := m.last.get(recipient)
	if ok && at >= t {
		return false
	}
	m.last.set(recipient, t)
	m.changed(recipient)
	m.insert(counted{recipient, t})
	return !ok
}

// Release takes back the charge that added this recipient, when its message was refused. A refused message to one who counted already may keep
// that one counted for longer: too cautious, never too bold.
func (m *Messaging) Release(recipient uint64) {
	m.last.drop(recipient)
	m.changed(recipient)
}

// changed is told that another message than before, or none, is this recipient's latest.
func (m *Messaging) changed(recipient uint64) {
	if len(m.queue) > 0 && m.queue[0].recipient == recipient {
		m.live = false
	}
}

// take counts somebody who gets this one message, from its departure on.
func (m *Messaging) take(t Instant) {
	m.forget(t)
	m.flying++
}

// land is told that the message of a taken slot arrived by t.
func (m *Messaging) land(t Instant) {
	m.flying--
	m.once++
	m.insert(counted{at: t})
}

// insert keeps the queue in order: departures are charged a little ahead, and answers may be told in another order than they came.
func (m *Messaging) insert(c counted) {
	i := len(m.queue)
	for i > 0 && m.queue[i-1].at > c.at {
		i--
	}
	m.queue = slices.Insert(m.queue, i, c)
	m.live = m.live || i == 0 // the latest of its recipient, or without a name
}

// give takes a taken slot back, when its message was refused.
func (m *Messaging) give() { m.flying-- }

// void says that a later message of the same recipient, or none, counts in the place of this one.
func (m *Messaging) void(c counted) bool {
	if c.recipient == 0 {
		return false
	}
	at, ok := m.last.get(c.recipient)
	return !ok || at != c.at
}

// expired is how much of the queue's front has left the window at t, and how many recipients with it: a message at a counts in [a, a+window).
//
// It only looks: t may lie ahead, and what will have expired then still counts now.
func (m *Messaging) expired(t Instant) (entries, recipients int) {
	if m.live && m.queue[0].at.Add(m.window) > t { // asked again and again: nothing behind it has left either
		return 0, 0
	}
	for _, c := range m.queue {
		if !m.void(c) {
			if c.at.Add(m.window) > t {
				break
			}
			recipients++
		}
		entries++
	}
	return entries, recipients
}

// forget drops what has left the window at t, which has come.
func (m *Messaging) forget(t Instant) {
	m.moved = max(m.moved, t)
	n, _ := m.expired(t)
	for _, c := range m.queue[:n] {
		switch {
		case c.recipient == 0:
			m.once--
		case !m.void(c):
			m.last.drop(c.recipient)
		}
	}
	m.queue = m.queue[n:]
	m.live = len(m.queue) > 0
}

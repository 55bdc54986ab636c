package ratelimit

import "time"

// Messaging is the limit on distinct recipients of a portfolio in a moving 24 hours, outside their service windows.
//
// It holds the recipients that count at present, so unlike the other limits it is a store and not a small value; [NewMessaging] makes one.
type Messaging struct {
	limit  int
	window time.Duration
	last   map[uint64]Instant // recipient to its latest counted message
	queue  []counted          // in the order of counting; entries that are not a recipient's latest are void
}

type counted struct {
	recipient uint64
	at        Instant
}

// NewMessaging is the limit of so many distinct recipients in a moving window; published: 24 h.
func NewMessaging(limit int, window time.Duration) *Messaging {
	return &Messaging{limit: limit, window: window, last: map[uint64]Instant{}}
}

// Used is how many distinct recipients count at t.
func (m *Messaging) Used(t Instant) int {
	_, gone := m.expired(t)
	return len(m.last) - gone
}

// Has says whether this recipient counts at t, so that one more message to it is free.
func (m *Messaging) Has(recipient uint64, t Instant) bool {
	at, ok := m.last[recipient]
	return ok && at.Add(m.window) > t
}

// Earliest is the first instant from t on at which this recipient may be written to. One that counts already is free.
func (m *Messaging) Earliest(recipient uint64, t Instant) Instant {
	if m.Has(recipient, t) {
		return t
	}
	n, gone := m.expired(t)
	over := len(m.last) - gone - m.limit // normally below 1: more only when a ledger held more than the limit
	if over < 0 {
		return t
	}
	for _, c := range m.queue[n:] {
		if m.last[c.recipient] != c.at {
			continue
		}
		if over == 0 {
			return max(t, c.at.Add(m.window))
		}
		over--
	}
	return Never // a limit of nobody
}

// Charge counts a message to this recipient at t and says whether the recipient is new in the window. Called again when the answer comes, it
// counts from there: the platform counts arrivals, and only the answer says that the message has arrived.
func (m *Messaging) Charge(recipient uint64, t Instant) (added bool) {
	m.forget(t)
	at, ok := m.last[recipient]
	if ok && at >= t {
		return false
	}
	m.last[recipient] = t
	m.queue = append(m.queue, counted{recipient, t})
	return !ok
}

// Release takes back the charge that added this recipient, when its message was refused. A refused message to one who counted already may keep
// that one counted for longer: too cautious, never too bold.
func (m *Messaging) Release(recipient uint64) { delete(m.last, recipient) }

// expired is how much of the queue's front has left the window at t, and how many recipients with it: a message at a counts in [a, a+window).
//
// It only looks: t may lie ahead, and what will have expired then still counts now.
func (m *Messaging) expired(t Instant) (entries, recipients int) {
	for _, c := range m.queue {
		if m.last[c.recipient] == c.at {
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
	n, _ := m.expired(t)
	for _, c := range m.queue[:n] {
		if m.last[c.recipient] == c.at {
			delete(m.last, c.recipient)
		}
	}
	m.queue = m.queue[n:]
}

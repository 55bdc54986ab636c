package ratelimit

// Limit names the limit that decides when a message may leave.
type Limit string

// The limits of a [Policy]. NoLimit means that the message may leave at once.
const (
	NoLimit         Limit = ""
	LimitPair       Limit = "pair"
	LimitThroughput Limit = "throughput"
	LimitMessaging  Limit = "messaging"
)

// Message is what the limits need to know of a message.
type Message struct {
	Recipient uint64  // canonical recipient: the digits of its E.164 number
	OpenUntil Instant // end of the recipient's service window; before it the messaging limit does not count
}

// Charge is what a departure took from the limits, kept to take it back when the platform refuses the message.
type Charge struct {
	pair  PairState
	added bool
}

// NewRecipient says that the message took a slot of the messaging limit.
func (c Charge) NewRecipient() bool { return c.added }

// Policy is all limits of one business number together. Make it with [NewPolicy].
//
// It is used by one goroutine and reads no clock: whoever calls it says what time it is.
type Policy struct {
	Throughput Throughput
	Pair       Pair
	Messaging  *Messaging // nil: unlimited, or unknown and not enforced

	number ThroughputState
	from   Instant // nothing departs before
	pairs  pairs
}

// NewPolicy is a policy without history.
func NewPolicy(t Throughput, p Pair, m *Messaging) *Policy {
	return &Policy{Throughput: t, Pair: p, Messaging: m}
}

// Slot is the first instant from t on at which the number may send to anybody.
func (p *Policy) Slot(t Instant) Instant { return p.Throughput.Earliest(p.number, t) }

// Due is the slot that passed unused no more than the slack before t: see [Throughput.Due].
func (p *Policy) Due(t Instant) (Instant, bool) { return p.Throughput.Due(p.number, t) }

// Pace is the pace that holds now; below what was asked after refusals.
func (p *Policy) Pace() Pace { return p.Throughput.At(p.number) }

// Clear is the first instant from t on at which the pair limit allows a message to this recipient.
func (p *Policy) Clear(recipient uint64, t Instant) Instant {
	return p.Pair.Earliest(p.pairs.get(recipient), t)
}

// Earliest is the first instant from t on that every limit allows, and the limit that it waits for longest.
func (p *Policy) Earliest(m Message, t Instant) (Instant, Limit) {
	at, by := t, NoLimit
	later := func(u Instant, l Limit) {
		if u > at {
			at, by = u, l
		}
	}
	later(p.Slot(t), LimitThroughput)
	later(p.Clear(m.Recipient, t), LimitPair)
	if p.Messaging != nil && at >= m.OpenUntil {
		later(p.Messaging.Earliest(m.Recipient, at), LimitMessaging)
	}
	return at, by
}

// Depart charges every limit with a message that leaves at t.
func (p *Policy) Depart(m Message, t Instant) Charge {
	pair := p.pairs.at(m.Recipient, t)
	c := Charge{pair: pair.state()}
	p.number = p.Throughput.Charge(p.number, t)
	pair.set(p.Pair.Charge(c.pair, t))
	pair.flying++
	if p.Messaging != nil && t >= m.OpenUntil {
		c.added = p.Messaging.Charge(m.Recipient, t)
	}
	return c
}

// DepartOnce is Depart for a recipient of whom nothing is known and who gets no other message: nobody will ask for the pair or the name again.
// It says whether the message took a slot of the messaging limit.
func (p *Policy) DepartOnce(m Message, t Instant) (slot bool) {
	p.number = p.Throughput.Charge(p.number, t)
	if p.Messaging == nil || t < m.OpenUntil {
		return false
	}
	p.Messaging.take(t)
	return true
}

// ArrivedOnce is Arrived for a message of DepartOnce that took a slot.
func (p *Policy) ArrivedOnce(t Instant) { p.Messaging.land(t) }

// RefusedOnce is Refused for a message of DepartOnce that took a slot.
func (p *Policy) RefusedOnce() { p.Messaging.give() }

// Knows says whether an earlier message to this recipient binds the pair or counts for the messaging limit.
func (p *Policy) Knows(recipient uint64) bool {
	if p.pairs.has(recipient) || p.Messaging == nil {
		return p.pairs.has(recipient)
	}
	_, counts := p.Messaging.last.get(recipient)
	return counts
}

// KnowsNobody says that [Policy.Knows] is false for everybody.
func (p *Policy) KnowsNobody() bool {
	return p.pairs.count == 0 && (p.Messaging == nil || p.Messaging.last.size == 0)
}

// NotBefore lets nothing depart before t.
func (p *Policy) NotBefore(t Instant) {
	p.from = max(p.from, t)
	p.number.Next = max(p.number.Next, t)
}

// Repace changes level and pace. What has left keeps its instant: the next message leaves a gap of the new pace after the last.
func (p *Policy) Repace(t Throughput) {
	before := p.Pace().Gap()
	p.Throughput = t
	p.number.Next = max(p.number.Next.Add(p.Pace().Gap()-before), p.from)
}

// Late moves the number's rhythm when a message left at t, later than it was to.
func (p *Policy) Late(t Instant) {
	p.number.Next = max(p.number.Next, t.Add(p.Pace().Gap()))
}

// Arrived moves what a message took to the instant of its answer, accepted or unknown: the platform counts arrivals.
func (p *Policy) Arrived(m Message, t Instant) {
	pair := p.pairs.at(m.Recipient, 0)
	pair.set(p.Pair.Answered(pair.state(), t))
	pair.lands()
	if p.Messaging != nil && t >= m.OpenUntil {
		p.Messaging.Charge(m.Recipient, t)
	}
}

// Refused takes back what a message took that the platform did not accept. The instant that the number spent stays spent.
//
// Of a burst nothing is taken back from the pair: what else of it is on its way cannot be told apart. That is too cautious, never too bold.
func (p *Policy) Refused(m Message, c Charge) {
	pair := p.pairs.at(m.Recipient, 0)
	if pair.lands(); pair.count <= 1 {
		pair.set(c.pair)
	}
	if c.added {
		p.Messaging.Release(m.Recipient)
	}
}

// Slow is told that the number was refused for its throughput at now, by a message that left at left.
func (p *Policy) Slow(left, now Instant) {
	p.number = p.Throughput.Refused(p.number, left, now)
}

// Remember adds a message of an earlier run to the pair's debt; it arrived by t at the latest.
func (p *Policy) Remember(recipient uint64, t Instant) {
	pair := p.pairs.at(recipient, 0)
	pair.set(p.Pair.Charge(pair.state(), t))
}

// RememberSlot adds when an earlier run last used the number.
func (p *Policy) RememberSlot(t Instant) { p.Late(t) }

package campaign

import (
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// queue holds the steps that are still to go and says which goes next, and when.
//
// Each number has a lane. In it a message goes as soon as all limits allow; of several that may go the one with the least slack does: the
// longest chains begin first, so that no order of the file makes the campaign longer than its strictest limit.
type queue struct {
	items    []Item
	dense    bool                        // steps follow each other without a gap
	links    []uint32                    // places of the chains' messages
	chained  bitset                      // places of messages that belong to a chain
	owns     bool                        // chained is the queue's own, and not its load's
	used     bitset                      // places of messages that were alone and are no longer in their group; nil where nobody asks
	index    *index                      // of chains; nil where nobody asked yet
	chains   []chain                     // the first is nobody's
	took     map[uint32]ratelimit.Charge // what the last message of a burst took, by chain: that is taken back
	came     map[uint32][]Item           // messages that came back, by chain
	lanes    []*lane
	clocks   *clocks
	pair     ratelimit.Pair
	onTier   string
	deadline ratelimit.Instant // nothing departs after; 0: none
	leaving  departed          // the last departure
	latest   ratelimit.Instant // its instant
	flying   int
	fetched  uint32 // see [queue.fetch]
	closed   bool   // nothing departs any more
	paused   bool   // nothing departs for now
	missed   bool   // something would depart after the deadline only
}

// rules are the queue's own, beside the limits in the numbers' policies.
type rules struct {
	onTier   string
	quiet    quiet.Hours
	deadline ratelimit.Instant
}

// next is the lane whose message goes next, as things stand at now: see [lane.next]. It is nil while only answers can bring one.
func (q *queue) next(now ratelimit.Instant) (first *lane) {
	if q.missed = false; q.closed || q.paused {
		return nil
	}
	now = max(now, q.latest) // a sender decides ahead: what was decided before leaves before
	for _, l := range q.lanes {
		if !l.known || l.next.at < now {
			l.look(now)
		}
		if l.next.at != ratelimit.Never && (first == nil || l.next.at < first.next.at) {
			first = l
		}
	}
	if first != nil && q.deadline != 0 && first.next.at.Add(q.clocks.civil) > q.deadline {
		q.missed = true
		return nil
	}
	return first
}

// changed says that what a lane lets leave next has to be looked for again; with a messaging limit that of all lanes, which may share it.
func (q *queue) changed(l *lane) {
	l.known = false
	if l.policy.Messaging == nil {
		return
	}
	for _, l := range q.lanes {
		l.known = false
	}
}

// depart takes what a lane lets leave next out of the queue and charges the limits with it. The result is valid until the next departure.
func (q *queue) depart(l *lane) *departed {
	p := &l.next
	d := &q.leaving
	d.chain = p.chain
	switch p.from {
	case fromGroup:
		item, id := q.first(p.group)
		d.item, d.chain = *item, id
		l.skip(p.group)
	case fromReady:
		l.ready.pop()
		for _, t := range l.ready.ahead() {
			q.fetched += q.fetch(uint32(t))
		}
	case fromLost:
		l.lost.pop()
	}
	q.changed(l)
	q.latest = p.at
	if l.pulse != nil {
		l.pulse.departs(p.at, l.flying)
	}
	l.flying++
	q.flying++
	if d.chain == 0 {
		d.slot = l.policy.DepartOnce(d.item.Message, p.at)
	} else {
		q.departChain(l, d, p.at)
	}
	d.item.Attempts++
	return d
}

func (q *queue) departChain(l *lane, d *departed, at ratelimit.Instant) {
	c := &q.chains[d.chain]
	d.item = q.take(c)
	c.queued, c.begun = false, true
	c.flying++
	d.took = l.policy.Depart(d.item.Message, at)
	d.slot = d.took.NewRecipient()
	if c.flying > 1 {
		q.took[d.chain] = d.took
	} else if len(q.took) > 0 {
		delete(q.took, d.chain)
	}
	if q.pair.Bubbles > 1 && l.policy.Clear(c.recipient, at) == at { // the burst may go on before the answer
		q.schedule(d.chain, at)
	}
}

// landed ends a message's flight.
func (q *queue) landed(d *departed) *lane {
	l := q.lanes[d.item.Number]
	l.flying--
	q.flying--
	q.changed(l)
	if d.chain != 0 {
		q.chains[d.chain].flying--
	}
	return l
}

// arrived is told that the platform took a message, or may have, and answered at an instant: the recipient's next message comes forward.
func (q *queue) arrived(d *departed, at ratelimit.Instant) {
	l := q.landed(d)
	switch {
	case d.chain != 0:
		l.policy.Arrived(d.item.Message, at)
		if len(q.took) > 0 && q.chains[d.chain].flying == 0 {
			delete(q.took, d.chain)
		}
		q.done(d, at)
	case d.slot:
		l.policy.ArrivedOnce(at)
	case l.policy.Messaging != nil && at >= d.item.OpenUntil: // the limit came, or the window closed, while it was on its way
		l.policy.Messaging.Charge(d.item.Recipient, at)
	}
}

// done lets the recipient's next message come forward at now, when none is in flight any more.
func (q *queue) done(d *departed, now ratelimit.Instant) {
	if d.chain != 0 && q.chains[d.chain].flying == 0 {
		q.schedule(d.chain, now)
	}
}

// refunded is told that the platform did not take a message.
func (q *queue) refunded(d *departed) {
	l := q.landed(d)
	switch {
	case d.chain != 0:
		took, burst := q.took[d.chain]
		if !burst {
			took = d.took
		}
		l.policy.Refused(d.item.Message, took)
	case d.slot:
		l.policy.RefusedOnce()
	}
}

// back returns a landed message to its place, to go again at ready.
func (q *queue) back(d *departed, ready ratelimit.Instant) {
	id := d.chain
	if id == 0 && q.index != nil {
		id = q.chainOf(pairKey{d.item.Number, d.item.Recipient})
	}
	if id == 0 {
		id = q.link(d.item)
	} else {
		q.returned(id, d.item)
	}
	c := &q.chains[id]
	c.notBefore = max(c.notBefore, ready)
	if c.flying == 0 {
		q.schedule(id, ready)
	}
}

// link makes a chain of a message that was alone.
func (q *queue) link(item Item) uint32 {
	id := q.newChain(pairKey{item.Number, item.Recipient})
	q.returned(id, item)
	return id
}

// tierOpens is when the first that waits for the messaging limit may go, as far as that limit says; false when nothing is left.
func (q *queue) tierOpens(now ratelimit.Instant) (opens ratelimit.Instant, some bool) {
	opens = ratelimit.Never
	for _, l := range q.lanes {
		if at, left := l.rest(now); left {
			opens, some = min(opens, at), true
		}
	}
	return opens, some
}

package campaign

import "github.com/wactl/wactl/ratelimit"

// lane is one business number: its limits, and whose message it lets leave next.
type lane struct {
	queue   *queue
	policy  *ratelimit.Policy
	hold    hold
	pulse   *pulse                       // nil where no platform is there to fall silent
	most    int                          // most requests in flight at a time
	flying  int                          // requests without an answer
	groups  []*group                     // messages that did not begin yet
	open    []*group                     // of them those whose people may be written to, the most urgent first
	looks   int                          // at the clocks, when open was made; 0: make it anew
	waiting line                         // chains that may go from an instant on
	ready   turns                        // chains that may go, by slack
	lost    agenda                       // chains that did not get a slot of the messaging limit in their turn, by slack
	opened  map[uint64]ratelimit.Instant // until when the service windows of those are open who wrote since the start; nil: nobody did

	next  pick // what goes next, and when; at Never while only answers can bring something
	known bool // next is up to date
}

// pick is a message with the instant at which it may leave.
type pick struct {
	at    ratelimit.Instant
	group *group // set when it comes from one
	from  source
	chain uint32 // set when it does not
}

// source says where in its lane a pick stands.
type source int

const (
	fromGroup source = iota
	fromReady
	fromLost
)

// look finds the message that goes next and its instant, as things stand at now.
func (l *lane) look(now ratelimit.Instant) {
	l.known = true
	l.next.at = ratelimit.Never
	if l.flying >= l.most || l.hold.probing() && l.flying > 0 {
		return
	}
	if slot, due := l.policy.Due(now); due && l.hold.until <= slot && l.heard(slot) == slot && l.at(slot) {
		return
	}
	for slot := l.heard(l.policy.Slot(max(now, l.hold.until))); ; slot = l.heard(l.next.at) {
		l.next.at = ratelimit.Never
		if !l.at(slot) {
			l.later(slot)
		}
		if l.heard(l.next.at) == l.next.at {
			return
		}
	}
}

// heard is t, or later while the platform is silent.
func (l *lane) heard(t ratelimit.Instant) ratelimit.Instant {
	if l.pulse == nil || t == ratelimit.Never {
		return t
	}
	return l.pulse.allows(t, l.flying, l.policy.Throughput.Level/2)
}

// at looks for the message that goes at slot, if one may: the one with the least slack, of equals the first of the file.
func (l *lane) at(slot ratelimit.Instant) bool {
	q := l.queue
	q.clocks.look(slot)
	some := false
	var best entry
	if l.waiting.len()+l.ready.len() > 0 && l.turn(slot) {
		some, best = true, l.urgent(l.ready.first())
		l.next = pick{at: slot, from: fromReady, chain: best.chain}
	}
	if len(l.lost) > 0 && l.found(slot) {
		if e := l.urgent(l.lost[0]); !some || e.before(best) {
			some, best = true, e
			l.next = pick{at: slot, from: fromLost, chain: e.chain}
		}
	}
	g := l.group(slot)
	if g == nil || some && !l.first(g).before(best) {
		return some
	}
	l.next.at, l.next.from, l.next.chain, l.next.group = slot, fromGroup, 0, g
	return true
}

// urgent is a ready chain's entry with the slack that counts beside groups.
func (l *lane) urgent(e entry) entry {
	e.key = int64(l.queue.until(slack(e.key), l.queue.chains[e.chain].kind))
	return e
}

// first is the entry that a group's first message would have.
func (l *lane) first(g *group) entry {
	item, _ := l.queue.first(g)
	return entry{key: int64(g.slack), seq: item.Seq}
}

// found says whether the first of those that need a slot may leave at slot.
func (l *lane) found(slot ratelimit.Instant) bool {
	for len(l.lost) > 0 {
		id := l.lost[0].chain
		_, by := l.queue.when(&l.queue.chains[id], slot)
		if by != ratelimit.LimitPair {
			return by == ratelimit.NoLimit
		}
		l.lost.pop()
		l.again(id, slot)
	}
	return false
}

// turn says whether a chain may leave at slot, and brings the one with the least slack to the front of the ready ones.
func (l *lane) turn(slot ratelimit.Instant) bool {
	q := l.queue
	for l.waiting.len() > 0 && l.waiting.first().key <= int64(slot) {
		for _, e := range l.waiting.ahead() {
			q.fetched += q.chains[e.chain].end
		}
		e := l.waiting.pop()
		e.key = int64(q.slack(&q.chains[e.chain]))
		l.ready.push(e)
	}
	for l.ready.len() > 0 {
		id := l.ready.first().chain
		_, by := q.when(&q.chains[id], slot)
		if by == ratelimit.NoLimit {
			return true
		}
		l.ready.pop()
		l.put(id, slot, by)
	}
	return false
}

// put lets a chain that may not go at t wait where its limit says.
func (l *lane) put(id uint32, t ratelimit.Instant, by ratelimit.Limit) {
	if by == ratelimit.LimitMessaging {
		l.miss(id)
		return
	}
	l.again(id, t)
}

// again lets a chain wait for its own limits; while its messages fly, their answers will do that.
func (l *lane) again(id uint32, t ratelimit.Instant) {
	c := &l.queue.chains[id]
	c.queued = false
	if c.flying == 0 {
		l.queue.schedule(id, t)
	}
}

// later looks for the message that goes first after slot, when none may at slot. Of several that may at the same instant the rules of at choose.
func (l *lane) later(slot ratelimit.Instant) {
	for {
		t := l.soonest(slot)
		if t == ratelimit.Never || l.at(t) {
			return
		}
		slot = t + 1
	}
}

// soonest is the first instant from slot on at which a message may go.
func (l *lane) soonest(slot ratelimit.Instant) ratelimit.Instant {
	q, t := l.queue, ratelimit.Never
	for l.waiting.len() > 0 {
		e := l.waiting.first()
		id, at := e.chain, max(slot, ratelimit.Instant(e.key))
		_, by := q.when(&q.chains[id], at)
		if by == ratelimit.NoLimit {
			t = at
			break
		}
		l.waiting.pop()
		l.put(id, at, by)
	}
	for _, g := range l.groups {
		t = min(t, l.begins(g, slot))
	}
	if len(l.lost) > 0 && q.onTier == WaitOnTierLimit { // behind the groups, which may have lost some just now
		t = min(t, q.soonest(l.lost[0].chain, slot))
	}
	return t
}

// begins is the first instant after slot at which the first message of a group may go; Never when it has none, or must not wait for it.
func (l *lane) begins(g *group, slot ratelimit.Instant) ratelimit.Instant {
	q := l.queue
	for q.any(g) {
		at := slot
		if g.slots && l.policy.Messaging != nil {
			at = l.policy.Messaging.Room(slot)
			if at > slot && q.onTier != WaitOnTierLimit {
				return ratelimit.Never
			}
		}
		if at = q.clocks.earliest(g.kind, at); g.slots || at == ratelimit.Never || l.fits(g, at) {
			return at
		}
		l.lose(g)
	}
	return ratelimit.Never
}

// rest says whether messages are left that did not leave, and when the first may as far as the messaging limit goes.
func (l *lane) rest(now ratelimit.Instant) (opens ratelimit.Instant, some bool) {
	some = len(l.lost)+l.waiting.len()+l.ready.len() > 0
	for _, g := range l.groups {
		some = some || l.queue.any(g)
	}
	if l.policy.Messaging == nil {
		return ratelimit.Never, some
	}
	return l.policy.Messaging.Room(now), some
}

// losers says whether some did not get a slot in their turn.
func (l *lane) losers() bool { return len(l.lost) > 0 }

package campaign

import (
	"cmp"
	"slices"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// group is the messages of one number that did not begin yet and that the same limits bind: people with the same clocks, who take a slot of the
// messaging limit or not. The longest chains come first, then the people with one message, in file order.
type group struct {
	heads  []uint32 // chains, the longest first
	alone  []uint32 // places of messages to people who get one
	every  bool     // alone stands for all such messages of the queue
	cursor uint32   // how far alone, or the queue's items, are used up
	kind   uint16   // by whose clocks the quiet hours go
	ahead  uint8    // windows of the messaging limit that wait for these people's slots
	slots  bool     // each takes a new slot
	slack  slack    // of the first; as of the last order
}

// any says whether messages are left.
func (q *queue) any(g *group) bool {
	if len(g.heads) > 0 {
		return true
	}
	if !g.every {
		for int(g.cursor) < len(g.alone) && q.chained.has(uint64(g.alone[g.cursor])) {
			g.cursor++
		}
		return int(g.cursor) < len(g.alone)
	}
	for int(g.cursor) < len(q.items) && q.chained.has(uint64(g.cursor)) {
		g.cursor++
	}
	return int(g.cursor) < len(q.items)
}

// first is the message that goes next, and its chain, 0 when it is alone. There is one.
func (q *queue) first(g *group) (*Item, uint32) {
	switch {
	case len(g.heads) > 0:
		return q.front(&q.chains[g.heads[0]]), g.heads[0]
	case g.every:
		return q.freshened(&q.items[g.cursor]), 0
	}
	return q.freshened(&q.items[g.alone[g.cursor]]), 0
}

// skip takes the first message's place out; the message itself, where it is a chain's, stays in the chain.
func (l *lane) skip(g *group) {
	if len(g.heads) == 0 {
		place := g.cursor
		if !g.every {
			place = g.alone[g.cursor]
		}
		if l.queue.used != nil {
			l.queue.used.set(uint64(place))
		}
		g.cursor++
		return
	}
	l.queue.chains[g.heads[0]].queued = false
	g.heads = g.heads[1:]
	if l.queue.weigh(g); len(l.open) > 1 {
		l.looks = 0 // the others may be more urgent now
	}
}

// weigh brings a group's slack up to date.
func (q *queue) weigh(g *group) {
	tail := time.Duration(0)
	if len(g.heads) > 0 {
		tail = q.tail(&q.chains[g.heads[0]])
	}
	g.slack = q.until(slackOf(g.ahead, tail, false), g.kind)
}

// order lists the groups whose people may be written to at present, the most urgent first.
func (l *lane) order() {
	q := l.queue
	l.looks, l.open = q.clocks.looks, l.open[:0]
	for _, g := range l.groups {
		if k := q.clocks.kinds[g.kind]; k.opens <= q.clocks.from && q.any(g) {
			q.weigh(g)
			l.open = append(l.open, g)
		}
	}
	slices.SortStableFunc(l.open, func(a, b *group) int { return cmp.Compare(a.slack, b.slack) })
}

// group is the most urgent group whose first message may go at slot, nil when none may.
func (l *lane) group(slot ratelimit.Instant) *group {
	q := l.queue
	if q.clocks.look(slot); l.looks != q.clocks.looks {
		l.order()
	}
	for i := 0; i < len(l.open); {
		g := l.open[i]
		switch {
		case !q.any(g):
			l.open = slices.Delete(l.open, i, i+1)
		case l.policy.Messaging == nil:
			return g
		case g.slots && l.policy.Messaging.Room(slot) > slot:
			i++
		case !g.slots && !l.fits(g, slot):
			l.lose(g)
		default:
			return g
		}
	}
	return nil
}

// fits says whether the messaging limit allows the first message of a group at t. Where the group takes no slots that is so, until a service
// window or an earlier message's day is over.
func (l *lane) fits(g *group, t ratelimit.Instant) bool {
	item, _ := l.queue.first(g)
	return l.opens(item, t) <= t
}

// lose takes the first message of a group to those that wait for a slot.
func (l *lane) lose(g *group) {
	item, id := l.queue.first(g)
	l.skip(g)
	if id == 0 {
		id = l.queue.link(*item)
		l.queue.chains[id].ahead = g.ahead
	}
	l.miss(id)
}

// miss lets a chain wait for a slot.
func (l *lane) miss(id uint32) {
	c := &l.queue.chains[id]
	c.queued = true
	l.lost.push(entry{int64(l.queue.slack(c)), l.queue.step(c), id})
}

// opens is the first instant from t on at which the messaging limit allows a message.
func (l *lane) opens(item *Item, t ratelimit.Instant) ratelimit.Instant {
	if m := l.policy.Messaging; m != nil && t >= item.OpenUntil {
		return m.Earliest(item.Recipient, t)
	}
	return t
}

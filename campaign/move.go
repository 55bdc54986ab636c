package campaign

import (
	"cmp"
	"slices"

	"github.com/wactl/wactl/ratelimit"
)

// pairKey is a number and a person.
type pairKey struct {
	lane      uint16
	recipient uint64
}

// index finds chains by their pair. It is made when one is first looked for.
type index struct {
	sorted []uint32           // those that were there then, by recipient and lane
	later  map[pairKey]uint32 // those that came since
}

// chainOf is the chain of a pair, 0 where there is none.
func (q *queue) chainOf(k pairKey) uint32 {
	if q.index == nil {
		q.index = &index{later: map[pairKey]uint32{}}
		for id := range q.chains[1:] {
			q.index.sorted = append(q.index.sorted, uint32(id+1))
		}
		slices.SortFunc(q.index.sorted, func(a, b uint32) int { return q.comparePair(a, q.chains[b].pair()) })
	}
	if at, ok := slices.BinarySearchFunc(q.index.sorted, k, q.comparePair); ok {
		return q.index.sorted[at]
	}
	return q.index.later[k]
}

func (c *chain) pair() pairKey { return pairKey{c.lane, c.recipient} }

func (q *queue) comparePair(id uint32, k pairKey) int {
	c := &q.chains[id]
	return cmp.Or(cmp.Compare(c.recipient, k.recipient), cmp.Compare(c.lane, k.lane))
}

// newChain is an empty chain of a pair that has none.
func (q *queue) newChain(k pairKey) uint32 {
	id := uint32(len(q.chains))
	q.chains = append(q.chains, chain{recipient: k.recipient, lane: k.lane, kind: q.clocks.kind(k.recipient, q.clocks.from)})
	if q.index != nil {
		q.index.later[k] = id
	}
	return id
}

// ownChained makes the marks of who belongs to a chain the queue's own: they are shared with its load at first.
func (q *queue) ownChained() {
	if !q.owns {
		q.chained, q.owns = slices.Clone(q.chained), true
	}
}

// pull takes a message that is alone, and has not left, out of its group.
func (q *queue) pull(place uint32) Item {
	q.ownChained()
	q.chained.set(uint64(place))
	return q.fresh(q.items[place])
}

// fresh is an item with what is known by now of its recipient's service window.
func (q *queue) fresh(i Item) Item {
	if opened := q.lanes[i.Number].opened; opened != nil {
		i.OpenUntil = max(i.OpenUntil, opened[i.Recipient])
	}
	return i
}

// freshened is fresh for an item that stays where it is: a copy, where more is known by now.
func (q *queue) freshened(i *Item) *Item {
	if q.lanes[i.Number].opened == nil {
		return i
	}
	item := q.fresh(*i)
	return &item
}

// unqueue takes chains out of where they wait.
func (q *queue) unqueue(ids []uint32) {
	out := map[uint32]bool{}
	lanes := map[*lane]bool{}
	for _, id := range ids {
		if c := &q.chains[id]; c.queued {
			c.queued = false
			out[id], lanes[q.lanes[c.lane]] = true, true
		}
	}
	for l := range lanes { // each for itself, so the order does not matter
		l.waiting.drop(out)
		l.ready.drop(out)
		l.lost.drop(out)
		for _, g := range l.groups {
			g.heads = slices.DeleteFunc(g.heads, func(id uint32) bool { return out[id] })
			q.weigh(g)
		}
		l.looks = 0
	}
}

// requeue lets chains wait anew for what binds their pairs now.
func (q *queue) requeue(ids []uint32, now ratelimit.Instant) {
	q.unqueue(ids)
	for _, id := range ids {
		if q.chains[id].flying == 0 {
			q.schedule(id, now)
		}
	}
}

// empty takes all messages out of a chain that are still to go.
func (q *queue) empty(id uint32) (items []Item) {
	c := &q.chains[id]
	items = q.came[id]
	delete(q.came, id)
	for _, at := range q.links[c.first:c.end] {
		items = append(items, q.items[at])
	}
	c.back, c.first = 0, c.end
	return items
}

// regroup sorts what has not begun into groups anew, after a messaging limit has changed.
func (q *queue) regroup(now ratelimit.Instant) {
	q.ownChained()
	for i, some := range q.used {
		q.chained[i] |= some // what has left is nobody's to sort
	}
	var ids []uint32
	for _, l := range q.lanes {
		for _, g := range l.groups {
			ids = append(ids, g.heads...)
		}
		for _, e := range l.lost {
			ids = append(ids, e.chain)
		}
		l.groups, l.open, l.lost, l.looks = nil, nil, nil, 0
	}
	slices.Sort(ids)
	for _, id := range ids {
		q.chains[id].queued = false
	}
	q.group(ids, now)
}

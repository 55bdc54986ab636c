package campaign

import (
	"cmp"
	"slices"

	"github.com/wactl/wactl/normalize/largepages"
	"github.com/wactl/wactl/ratelimit"
)

// newQueue prepares a load for its numbers, whose policies stand in their order.
func newQueue(load *Load, policies []*ratelimit.Policy, r rules, start ratelimit.Instant) *queue {
	filed := load.filed()
	q := &queue{items: load.items, dense: load.dense, came: map[uint32][]Item{}, took: map[uint32]ratelimit.Charge{},
		links: slices.Clip(filed.links), chained: filed.several, chains: largepages.Make[chain](len(filed.people) + 1)[:1],
		clocks: newClocks(r.quiet), pair: policies[0].Pair, onTier: r.onTier, deadline: r.deadline}
	for _, p := range policies {
		q.lanes = append(q.lanes, &lane{queue: q, policy: p, most: MostInFlight(p.Throughput.Pace)})
	}
	q.chainSeveral(filed)
	q.chainBound(load)
	ids := largepages.Make[uint32](len(q.chains) - 1)
	for i := range ids {
		ids[i] = uint32(i + 1)
	}
	q.group(ids, start)
	return q
}

// group sorts chains that wait nowhere, and all messages that are alone and have not left, into groups.
func (q *queue) group(ids []uint32, start ratelimit.Instant) {
	b := builder{queue: q, start: start, groups: map[sort]*group{}}
	b.portfolios(ids)
	b.chains(ids)
	b.alone()
	for _, l := range q.lanes {
		for _, g := range l.groups {
			g.heads = q.longest(g.heads)
		}
	}
}

// longest orders chains by how many messages they have, the most first; of equals the first of the list.
func (q *queue) longest(heads []uint32) []uint32 {
	var counts []int // chains with so many messages
	for _, id := range heads {
		left := q.left(&q.chains[id])
		for len(counts) <= left {
			counts = append(counts, 0)
		}
		counts[left]++
	}
	for left, sum := len(counts)-1, 0; left >= 0; left-- {
		counts[left], sum = sum, sum+counts[left]
	}
	ordered := largepages.Make[uint32](len(heads))
	for _, id := range heads {
		at := &counts[q.left(&q.chains[id])]
		ordered[*at] = id
		*at++
	}
	return ordered
}

// chainSeveral makes the chains of those who get several messages: one for each number that sends some.
func (q *queue) chainSeveral(f *filed) {
	from := uint32(0)
	if len(q.lanes) == 1 {
		for _, to := range f.people {
			q.chain(from, to)
			from = to
		}
		return
	}
	for _, to := range f.people {
		places := f.links[from:to]
		number := func(at uint32) uint16 { return q.items[at].Number }
		if slices.ContainsFunc(places, func(at uint32) bool { return number(at) != number(places[0]) }) {
			sorted := slices.SortedStableFunc(slices.Values(places), func(a, b uint32) int { return cmp.Compare(number(a), number(b)) })
			for len(sorted) > 0 {
				n := 1
				for n < len(sorted) && number(sorted[n]) == number(sorted[0]) {
					n++
				}
				q.links = append(q.links, sorted[:n]...)
				q.chain(uint32(len(q.links)-n), uint32(len(q.links)))
				sorted = sorted[n:]
			}
		} else {
			q.chain(from, to)
		}
		from = to
	}
}

// chainBound makes chains of those single messages whose recipients earlier messages bind.
func (q *queue) chainBound(load *Load) {
	if !slices.ContainsFunc(q.lanes, func(l *lane) bool { return !l.policy.KnowsNobody() }) {
		return
	}
	q.ownChained()
	for i, item := range q.items {
		if load.Single(i) && q.lanes[item.Number].policy.Knows(item.Recipient) {
			q.chained.set(uint64(i))
			q.links = append(q.links, uint32(i))
			q.chain(uint32(len(q.links)-1), uint32(len(q.links)))
		}
	}
}

// chain adds the chain of some links.
func (q *queue) chain(from, to uint32) {
	item := q.items[q.links[from]]
	q.chains = append(q.chains, chain{recipient: item.Recipient, first: from, end: to, lane: item.Number})
}

// builder sorts messages into groups.
type builder struct {
	*queue
	start  ratelimit.Instant
	groups map[sort]*group
	scarce map[*ratelimit.Messaging]*portfolio
}

// sort is what the messages of a group have in common.
type sort struct {
	lane, kind uint16
	ahead      uint8
	slots      bool
}

// portfolio is a messaging limit that has fewer slots at the start than the messages need. Then those who take or prolong a slot go first,
// since each of their slots is needed again a day after.
type portfolio struct {
	people int               // who need a slot
	known  int               // who have one
	ahead  uint8             // how often a slot is needed again
	soon   ratelimit.Instant // those whose service window closes before go at once, or they need a slot too
}

// portfolios finds the messaging limits that are scarce.
func (b *builder) portfolios(ids []uint32) {
	b.scarce = map[*ratelimit.Messaging]*portfolio{}
	if !slices.ContainsFunc(b.lanes, func(l *lane) bool { return l.policy.Messaging != nil }) {
		return
	}
	for i := range b.items {
		if !b.chained.has(uint64(i)) {
			b.count(b.fresh(b.items[i]))
		}
	}
	for _, id := range ids {
		b.count(*b.front(&b.queue.chains[id]))
	}
	for m, p := range b.scarce {
		free := max(m.Limit()-m.Used(b.start), 0)
		if p.people <= free {
			delete(b.scarce, m)
			continue
		}
		p.ahead = uint8(min((p.people-free+m.Limit()-1)/m.Limit(), 100))
		var gap ratelimit.Instant
		for _, l := range b.lanes {
			gap = max(gap, ratelimit.Instant(l.policy.Pace().Gap()))
		}
		p.soon = b.start + gap*ratelimit.Instant(p.known+free)
	}
}

func (b *builder) count(item Item) {
	m := b.lanes[item.Number].policy.Messaging
	if m == nil || item.OpenUntil > b.start {
		return
	}
	if b.scarce[m] == nil {
		b.scarce[m] = &portfolio{}
	}
	if m.Has(item.Recipient, b.start) {
		b.scarce[m].known++
	} else {
		b.scarce[m].people++
	}
}

// sort is where a message belongs that goes first to its recipient.
func (b *builder) sort(item Item) sort {
	s := sort{lane: item.Number, kind: b.clocks.kind(item.Recipient, b.start)}
	m := b.lanes[item.Number].policy.Messaging
	p := b.scarce[m]
	switch {
	case m == nil || p == nil:
	case item.OpenUntil > p.soon:
	case item.OpenUntil > b.start || m.Has(item.Recipient, b.start):
		s.ahead = p.ahead + 1
	default:
		s.ahead, s.slots = p.ahead, true
	}
	return s
}

func (b *builder) groupOf(s sort) *group {
	g := b.groups[s]
	if g == nil {
		g = &group{kind: s.kind, ahead: s.ahead, slots: s.slots}
		b.groups[s] = g
		l := b.lanes[s.lane]
		l.groups = append(l.groups, g)
	}
	return g
}

// chains puts each chain into its group, or lets it wait where an earlier message binds its pair.
func (b *builder) chains(ids []uint32) {
	for _, id := range ids {
		c := &b.queue.chains[id]
		s := b.sort(*b.front(c))
		c.kind, c.ahead = s.kind, s.ahead
		switch {
		case c.flying > 0: // the answer will let it wait
		case max(c.notBefore, b.lanes[c.lane].policy.Clear(c.recipient, b.start)) > b.start:
			b.schedule(id, b.start)
		default:
			c.queued = true
			g := b.groupOf(s)
			g.heads = append(g.heads, id)
		}
	}
}

// alone puts the single messages into their groups.
func (b *builder) alone() {
	if len(b.lanes) == 1 && b.clocks.hours.None() && len(b.scarce) == 0 {
		b.groupOf(sort{}).every = true
		return
	}
	for i := range b.items {
		if !b.chained.has(uint64(i)) {
			g := b.groupOf(b.sort(b.fresh(b.items[i])))
			g.alone = append(g.alone, uint32(i))
		}
	}
}

package forecast

import (
	"slices"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// bound is the least time in which all messages can be answered, whatever their order.
type bound struct {
	takes      time.Duration
	by         ratelimit.Limit
	throughput time.Duration // by the pace alone
}

// lowerBound is the time that the strictest limit takes, all of them worked out one by one from the list's shape.
//
// What was sent before the start binds each number until its first slot. That may lie a little before the start, where the sender still takes it.
func lowerBound(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration, s *shape) bound {
	policies := l.Policies(start)
	first, early := firstSlots(policies, start)
	b := bound{by: ratelimit.LimitThroughput}
	for i, n := range l.All() {
		if count := s.messages[i]; count > 0 {
			b.throughput = max(b.throughput, first[i].Sub(start)+time.Duration(count-1)*n.Throughput.Pace.Gap())
		}
	}
	b.takes = b.throughput
	by := func(limit ratelimit.Limit, takes time.Duration) {
		if takes > b.takes {
			b.takes, b.by = takes, limit
		}
	}
	for i, n := range l.All() {
		if pairs := pairBound(l.Pair, s.chains[i], n.Throughput.Pace.Gap(), latency, n.Before == nil); pairs > 0 {
			by(ratelimit.LimitPair, first[i].Sub(start)+pairs)
		}
	}
	begins := start.Add(-early)
	if tiersBind(l) {
		by(ratelimit.LimitMessaging, tierBound(load, l, policies, begins, latency, s)-early)
	}
	if !l.Quiet.None() {
		by(quiet.Limit, quietBound(load, l, begins, latency, s)-early)
	}
	b.takes += latency
	b.throughput += latency
	return b
}

// firstSlots is when each number may send first, and by how much the first of these lies before the start.
func firstSlots(policies []*ratelimit.Policy, start ratelimit.Instant) (first []ratelimit.Instant, early time.Duration) {
	for _, p := range policies {
		slot, due := p.Due(start)
		if !due {
			slot = p.Slot(start)
		}
		first = append(first, slot)
		early = max(early, start.Sub(slot))
	}
	return first, early
}

// shape is how the messages spread over numbers and people.
type shape struct {
	messages []int             // of each number
	chains   []tally           // of each number: people by how many messages they get, of those who get several
	repeats  bool              // somebody gets several
	opened   ratelimit.Instant // when the last service window closes
	looked   sync.Once
	where    []quiet.Area // see areas
}

func shapeOf(load *campaign.Load, numbers int) *shape {
	s := &shape{messages: make([]int, numbers), chains: make([]tally, numbers)}
	items := load.Items()
	for i := range items {
		s.messages[items[i].Number]++
		s.opened = max(s.opened, items[i].OpenUntil)
	}
	each := newPerNumber(items, numbers)
	for places := range load.Several {
		s.repeats = true
		for number, n := range each.count(places) {
			s.chains[number].add(n)
		}
	}
	return s
}

// people counts all people of a number by how many messages they get from it.
func (s *shape) people(number int) tally {
	all := append(tally{0, 0}, s.chains[number][min(2, len(s.chains[number])):]...)
	all[1] = s.messages[number]
	for n, count := range all[2:] {
		all[1] -= (n + 2) * count
	}
	return all
}

// tally counts people by how many messages they get; its last count is not 0.
type tally []int

func (t *tally) add(messages int) {
	for len(*t) <= messages {
		*t = append(*t, 0)
	}
	(*t)[messages]++
}

// perNumber counts a person's messages by the number that sends them.
type perNumber struct {
	items  []campaign.Item
	counts []int
}

func newPerNumber(items []campaign.Item, numbers int) perNumber {
	return perNumber{items, make([]int, numbers)}
}

// count is valid until the next call.
func (p perNumber) count(places []uint32) []int {
	if len(p.counts) == 1 {
		p.counts[0] = len(places)
		return p.counts
	}
	clear(p.counts)
	for _, at := range places {
		p.counts[p.items[at].Number]++
	}
	return p.counts
}

// pairBound is how long the longest chains of one number take, from the first departure to the last.
//
// Of those who get the most, each one's first burst has to leave; after the last of these bursts the others of its chain follow. Where the number
// may have sent before, an earlier message may have begun the burst.
func pairBound(p ratelimit.Pair, chains tally, gap, latency time.Duration, afresh bool) time.Duration {
	burst, longest := max(p.Bubbles, 1), len(chains)-1
	if longest <= burst {
		return 0
	}
	bursts := (longest + burst - 1) / burst
	hold := time.Duration(burst)*p.Interval + latency
	if !wholeBursts(burst, gap) || burst > 1 && !afresh { // a burst may be cut short, and a shorter one holds for less
		return time.Duration(longest-burst)*p.Interval + time.Duration(bursts-1)*latency
	}
	between := time.Duration((bursts-2)*(burst-1)+longest-(bursts-1)*burst-1) * gap
	return time.Duration(burst*chains[longest]-1)*gap + time.Duration(bursts-1)*hold + between
}

// wholeBursts says whether the pace lets a burst leave in the time that it may take.
func wholeBursts(burst int, gap time.Duration) bool {
	return burst == 1 || time.Duration(burst-1)*gap < ratelimit.PairBurstWindow/2
}

// quietBound is how long the people of one number and area take, each crowd alone, in the hours that suit them.
func quietBound(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration, s *shape) (most time.Duration) {
	burst := max(l.Pair.Bubbles, 1)
	local := s.localsOf(load)
	for number, n := range l.All() {
		for area, c := range local[number] {
			if c.messages == 0 {
				continue
			}
			zones := quiet.Area(area).Zones()
			if len(zones) == 0 {
				zones = everywhere
			}
			most = max(most, hours(l.Quiet, zones, start, c.messages, n.Throughput.Pace.Gap()),
				hours(l.Quiet, zones, start, (c.longest+burst-1)/burst, l.Pair.Interval+latency))
		}
	}
	return most
}

// locals is the messages of one number to the people of one area, and the most of them to one person.
type locals struct{ messages, longest int }

// localsOf are those of each number, by area.
func (s *shape) localsOf(load *campaign.Load) [][]locals {
	all := make([][]locals, len(s.messages))
	of := func(number int, area quiet.Area) *locals {
		for len(all[number]) <= int(area) {
			all[number] = append(all[number], locals{longest: 1})
		}
		return &all[number][area]
	}
	if areas := s.areas(load); len(areas) == 1 { // all were counted
		for number, n := range s.messages {
			*of(number, areas[0]) = locals{n, max(len(s.chains[number])-1, 1)}
		}
		return all
	}
	items := load.Items()
	for i := range items {
		of(int(items[i].Number), quiet.AreaOf(items[i].Recipient)).messages++
	}
	each := newPerNumber(items, len(s.messages))
	for places := range load.Several {
		area := quiet.AreaOf(items[places[0]].Recipient)
		for number, n := range each.count(places) {
			if c := of(number, area); n > c.longest {
				c.longest = n
			}
		}
	}
	return all
}

// everywhere stands for people of whom no plan says where they are.
var everywhere = []*time.Location{time.UTC}

// hours is how long so many messages take with a gap between them, in the hours that suit people of some zones; 0 where no hour does.
func hours(h quiet.Hours, zones []*time.Location, start ratelimit.Instant, messages int, gap time.Duration) time.Duration {
	at := start
	for {
		if at = h.Earliest(zones, at); at == ratelimit.Never {
			return 0
		}
		if gap == 0 {
			return at.Sub(start)
		}
		fit := int((h.Closes(zones, at).Sub(at)-1)/gap) + 1
		if messages <= fit {
			return at.Add(time.Duration(messages-1) * gap).Sub(start)
		}
		messages -= fit
		at = at.Add(time.Duration(fit) * gap)
	}
}

// tierBound is how long the messaging limits take, each portfolio alone.
func tierBound(load *campaign.Load, l campaign.Limits, policies []*ratelimit.Policy, start ratelimit.Instant, latency time.Duration, s *shape) (most time.Duration) {
	seen := map[*ratelimit.Messaging]bool{}
	for i, p := range policies {
		if p.Messaging == nil || seen[p.Messaging] {
			continue
		}
		seen[p.Messaging] = true
		ours := func(number uint16) bool { return policies[number].Messaging == policies[i].Messaging }
		most = max(most, portfolioBound(newPeople(load, p.Messaging, start, ours, s), l, start, latency, ours))
	}
	return most
}

// people are those of a portfolio who take a slot, by how many messages they get.
type people struct {
	limit int
	slots []ratelimit.Instant // when each slot of the limit is free, in order; and more where more people count already than the limit allows
	count tally
	loose bool // some messages go in a service window, so that they keep no slot
}

func newPeople(load *campaign.Load, m *ratelimit.Messaging, start ratelimit.Instant, ours func(uint16) bool, s *shape) people {
	p := people{limit: m.Limit()}
	known := 0
	if len(s.messages) == 1 && s.opened <= start && m.Used(start) == 0 { // all are alike, and were counted
		p.count = s.people(0)
	} else {
		known = p.look(load, m, start, ours)
	}
	p.free(m, start, known)
	return p
}

// look counts people one by one and tells how many of them have a slot.
func (p *people) look(load *campaign.Load, m *ratelimit.Messaging, start ratelimit.Instant, ours func(uint16) bool) (known int) {
	items := load.Items()
	add := func(item campaign.Item, n int) {
		if n == 0 || item.OpenUntil > start {
			return
		}
		p.count.add(n)
		if m.Has(item.Recipient, start) {
			known++
		}
	}
	for i := range items {
		if load.Single(i) && ours(items[i].Number) {
			add(items[i], 1)
		}
	}
	for places := range load.Several {
		n, first := 0, places[0]
		for _, at := range slices.Backward(places) {
			if ours(items[at].Number) {
				n, first = n+1, at
				p.loose = p.loose || items[at].OpenUntil > start
			}
		}
		add(items[first], n)
	}
	return known
}

// free finds when the limit's slots are free, of which so many are those of people known.
func (p *people) free(m *ratelimit.Messaging, start ratelimit.Instant, known int) {
	opens := m.Opens(start)
	for range max(p.limit-len(opens), 0) {
		p.slots = append(p.slots, start)
	}
	p.slots = append(p.slots, opens[max(len(opens)-p.limit, 0):]...)
	for i := range min(known, len(p.slots)) { // who has a slot needs not wait for it
		p.slots[len(p.slots)-1-i] = start
	}
	for range known - p.limit { // whoever counts is free, also above the limit
		p.slots = append(p.slots, start)
	}
	slices.Sort(p.slots)
}

// portfolioBound is how long the people of one portfolio take. However they are ordered, so many of them begin no sooner than a slot is free
// again; at the least those with the fewest messages do, and these have to leave, one after the other.
func portfolioBound(p people, l campaign.Limits, start ratelimit.Instant, latency time.Duration, ours func(uint16) bool) (most time.Duration) {
	var pace ratelimit.Pace
	numbers := 0
	for i, n := range l.All() {
		if ours(uint16(i)) {
			pace += n.Throughput.Pace
			numbers++
		}
	}
	total, fewest := 0, 0
	for n, count := range p.count {
		if total == 0 {
			fewest = n
		}
		total += count
	}
	if total == 0 {
		return 0
	}
	if p.loose {
		fewest = 1
	}
	apart, step := pace.Gap(), l.Pair.Interval+latency
	if numbers > 1 { // each at its own pace, and somebody may get messages from several
		apart, step = 1000*time.Second/time.Duration(pace), 0
	}
	if l.Pair.Bubbles > 1 {
		step = 0
	}
	again := ratelimit.MessagingWindow + latency + time.Duration(fewest-1)*step
	people, messages := 0, 0
	for n, count := range p.count {
		for range count {
			people++
			messages += n
			before := total - people
			begins := p.begins(before, again).Sub(start)
			most = max(most, begins+max(time.Duration(max(messages-numbers, 0))*apart, time.Duration(n-1)*step))
		}
	}
	return most
}

// begins is when somebody may begin at the soonest behind whom so many others begin: a slot is free for each in turn, and again after a while.
func (p people) begins(before int, again time.Duration) ratelimit.Instant {
	if before < len(p.slots) {
		return p.slots[before]
	}
	before += p.limit - len(p.slots) // those above the limit do not come again
	return p.slots[before%p.limit].Add(time.Duration(before/p.limit) * again)
}

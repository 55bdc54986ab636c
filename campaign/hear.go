package campaign

import (
	"maps"
	"math"
	"slices"

	"github.com/wactl/wactl/ratelimit"
)

// ears are what the settler knows beyond its queue, so that it can act on news.
type ears struct {
	roster    *roster           // nil until somebody is named
	ended     bitset            // places of messages that have their end
	more      map[uint32]bool   // steps that came back and are not among those that the send began with; true while they have no end
	again     map[uint32]uint8  // how often a step came back
	joined    map[uint32]uint32 // chains that wait for the answer to a step that left when it was alone
	gone      map[uint64]bool   // people who left
	asked     []asking          // of each lane
	marketing bool              // who left marketing alone has left
	part      bool              // only what the send began with is sent
	withdrawn []uint32          // steps to take off the campaign
	portfolio []string          // of each lane, as far as it was told
}

// listens gives a settler ears.
func (s *settler) listens(lines []Line, marketing, part bool) {
	s.ears = &ears{ended: newBitset(len(s.items)), more: map[uint32]bool{}, again: map[uint32]uint8{}, joined: map[uint32]uint32{},
		gone: map[uint64]bool{}, asked: make([]asking, len(s.lanes)), marketing: marketing, part: part, portfolio: make([]string, len(s.lanes))}
	for i, l := range s.lanes {
		l.pulse = &pulse{}
		s.asked[i] = asking{started: l.policy.Throughput.Pace, fixed: lines[i].Asked}
	}
	s.used = newBitset(len(s.items))
}

// hear acts on news, and says what they change: nothing that was known already.
func (s *settler) hear(n News, now ratelimit.Instant) (changed News) {
	now = max(now, s.latest)
	if n.civil != nil {
		s.clocks.set(*n.civil)
	}
	if n.Stop != nil {
		s.halt(n.Stop)
	}
	if n.Pause != nil && *n.Pause != s.paused {
		s.paused = *n.Pause
		changed.Pause, changed.PauseAt = n.Pause, n.PauseAt
	}
	s.repace(n, &changed)
	s.retier(n, now, &changed)
	for _, who := range slices.Sorted(maps.Keys(n.Left)) {
		if s.marketing || !n.Left[who] {
			s.leave(who)
		}
	}
	for i := range n.Numbers {
		s.people(uint16(i), n.Numbers[i], now)
	}
	for _, item := range n.Again {
		s.onceMore(item, now)
	}
	for _, l := range s.lanes {
		l.known = false
	}
	return changed
}

// repace brings the paces up to date.
func (s *settler) repace(n News, changed *News) {
	changed.Numbers = make([]NumberNews, len(s.lanes))
	for i, l := range s.lanes {
		var one NumberNews
		if i < len(n.Numbers) {
			one = n.Numbers[i]
		}
		before, level := s.asked[i].asked(), l.policy.Throughput.Level
		t := s.asked[i].hear(one, n.Pace, l.policy.Throughput)
		if t.Level != level {
			changed.Numbers[i].Level = t.Level
		}
		if after := s.asked[i].asked(); n.Pace != nil && after != before {
			changed.Pace = &after
		}
		if t != l.policy.Throughput {
			l.policy.Repace(t)
			l.most = MostInFlight(t.Pace)
		}
	}
}

// retier brings the messaging limits up to date. Those who are known to count for one that is new are counted.
func (s *settler) retier(n News, now ratelimit.Instant, changed *News) {
	told := n.Numbers[:min(len(n.Numbers), len(s.lanes))]
	for i, one := range told {
		s.portfolio[i] = one.Portfolio
	}
	resort := false
	for i, one := range told {
		if one.Tier == nil || *one.Tier == tierOf(s.lanes[i].policy) {
			continue
		}
		if m := s.lanes[i].policy.Messaging; m != nil {
			m.Resize(*one.Tier)
		} else {
			s.enforce(one, now)
		}
		changed.Numbers[i].Tier = one.Tier
		resort = true
	}
	if resort {
		s.regroup(now)
	}
}

// tierOf is a number's messaging limit, 0 for none.
func tierOf(p *ratelimit.Policy) int {
	if p.Messaging == nil || p.Messaging.Limit() == math.MaxInt {
		return 0
	}
	return p.Messaging.Limit()
}

// enforce gives the numbers of a portfolio a messaging limit that had none.
func (s *settler) enforce(n NumberNews, now ratelimit.Instant) {
	m := ratelimit.NewMessaging(*n.Tier, ratelimit.MessagingWindow)
	for _, who := range slices.Sorted(maps.Keys(n.People)) {
		m.Charge(who, min(n.People[who], now))
	}
	for i, l := range s.lanes {
		if l.policy.Messaging == nil && s.portfolio[i] == n.Portfolio {
			l.policy.Messaging = m
		}
	}
}

// leave takes everything off that is still to go to a person.
func (s *settler) leave(who uint64) {
	s.gone[who] = true
	places := s.roster.of(who)
	if len(places) == 0 && s.index == nil {
		return // nothing of the send was ever for them
	}
	for _, place := range places {
		if !s.chained.has(uint64(place)) && !s.used.has(uint64(place)) {
			s.withdraw(s.pull(place))
		}
	}
	for lane := range s.lanes {
		id := s.chainOf(pairKey{uint16(lane), who})
		if id == 0 {
			continue
		}
		s.unqueue([]uint32{id})
		for _, item := range s.empty(id) {
			s.withdraw(item)
		}
	}
}

// withdraw notes a step that is to be taken off the campaign. It has its end.
func (s *settler) withdraw(item Item) {
	s.withdrawn = append(s.withdrawn, item.Seq)
	s.finish(item.Seq)
}

// finish marks a step that has its end.
func (s *settler) finish(seq uint32) {
	if place, ok := placeOf(s.items, seq); ok {
		s.ended.set(uint64(place))
	} else {
		s.more[seq] = false
	}
}

// takeWithdrawn hands out which steps are to be taken off the campaign.
func (s *settler) takeWithdrawn() (seqs []uint32) {
	if s.ears == nil {
		return nil
	}
	seqs, s.withdrawn = s.withdrawn, nil
	return seqs
}

// people acts on what happened between a number and its people.
func (s *settler) people(lane uint16, n NumberNews, now ratelimit.Instant) {
	if int(lane) >= len(s.lanes) {
		return
	}
	l := s.lanes[lane]
	var bound []uint32
	for _, who := range slices.Sorted(maps.Keys(n.Spent)) {
		if m := l.policy.Messaging; m != nil {
			m.Charge(who, min(slices.Max(n.Spent[who]), now))
		}
		if id := s.gather(pairKey{lane, who}); id != 0 {
			for _, at := range n.Spent[who] {
				l.policy.Remember(who, min(at, now))
			}
			bound = append(bound, id)
		}
	}
	for _, m := range n.Wrote {
		if m.OpenUntil <= now || len(s.roster.of(m.Recipient)) == 0 && s.chainOf(pairKey{lane, m.Recipient}) == 0 {
			continue
		}
		if l.opened == nil {
			l.opened = map[uint64]ratelimit.Instant{}
		}
		l.opened[m.Recipient] = max(l.opened[m.Recipient], m.OpenUntil)
		if l.policy.Messaging == nil {
			continue // nothing waits for a slot
		}
		if id := s.gather(pairKey{lane, m.Recipient}); id != 0 {
			bound = append(bound, id)
		}
	}
	s.requeue(bound, now)
}

// gather makes one chain of all messages of a pair that are still to go, or on their way; 0 when there is none.
func (s *settler) gather(k pairKey) uint32 {
	id := s.chainOf(k)
	for _, place := range s.roster.of(k.recipient) {
		item := s.items[place]
		switch {
		case item.Number != k.lane || s.ended.has(uint64(place)):
		case s.used.has(uint64(place)):
			if id == 0 { // it flies; where a chain is, that one knows of it
				id = s.newChain(k)
				s.joined[item.Seq] = id
				s.chains[id].flying++
			}
		case !s.chained.has(uint64(place)):
			if id == 0 {
				id = s.newChain(k)
			}
			s.returned(id, s.pull(place))
		}
	}
	return id
}

// onceMore lets a step go again that came back, unless it is here already, or is none of this send's.
func (s *settler) onceMore(item Item, now ratelimit.Instant) {
	place, known := placeOf(s.items, item.Seq)
	switch {
	case known && !s.ended.has(uint64(place)), !known && (s.part || s.more[item.Seq]), int(item.Number) >= len(s.lanes):
		return
	case s.gone[item.Recipient]:
		s.withdrawn = append(s.withdrawn, item.Seq)
		return
	}
	if known {
		s.ended.unset(uint64(place))
	} else {
		s.more[item.Seq] = true
	}
	s.again[item.Seq] = min(s.again[item.Seq], 254) + 1
	k := pairKey{item.Number, item.Recipient}
	id := s.gatherOthers(k, place, known)
	s.returned(id, item)
	c := &s.chains[id]
	// Nobody knows when the platform counted it: the pair rests as after an answer, and longer each time.
	wait := max(s.pair.Interval, ratelimit.PairRetry(int(s.again[item.Seq])))
	c.notBefore = max(c.notBefore, now.Add(wait))
	s.requeue([]uint32{id}, now)
}

// gatherOthers is gather for a message that comes back to its place.
func (s *settler) gatherOthers(k pairKey, place uint32, known bool) uint32 {
	if known {
		s.ended.set(uint64(place))
		defer s.ended.unset(uint64(place))
	}
	if id := s.gather(k); id != 0 {
		return id
	}
	return s.newChain(k)
}

// noted keeps which steps have their end.
func (s *settler) noted(results []Result) []Result {
	if s.ears != nil {
		for _, r := range results {
			if r.State != Pending {
				s.finish(uint32(r.Seq))
			}
		}
	}
	return results
}

// rejoin ends the flight of a message that was alone when it left and whose pair has a chain since.
func (s *settler) rejoin(d *departed, at ratelimit.Instant, arrived bool) {
	if s.ears == nil {
		return
	}
	id, ok := s.joined[d.item.Seq]
	if !ok {
		return
	}
	delete(s.joined, d.item.Seq)
	c := &s.chains[id]
	c.flying--
	if arrived {
		s.lanes[c.lane].policy.Remember(c.recipient, at)
	}
	if c.flying == 0 {
		s.schedule(id, at)
	}
}

// back returns a landed message to its place, to go again at ready; one to somebody who has left meanwhile goes off the campaign.
func (s *settler) back(d *departed, ready ratelimit.Instant) {
	if s.ears != nil && s.gone[d.item.Recipient] {
		s.withdraw(d.item)
		s.done(d, ready)
		return
	}
	s.queue.back(d, ready)
}

// slept returns a step whose intent is written and that did not leave, since the machine had slept.
func (s *settler) slept(d *departed, now ratelimit.Instant) []Result {
	r := notSent(d, now)
	s.refunded(d)
	s.back(d, now)
	s.rejoin(d, now, false)
	return []Result{r}
}

// resting says that nothing leaves although something could: somebody ordered a pause.
func (s *settler) resting(now ratelimit.Instant) bool {
	if !s.paused || s.closed {
		return false
	}
	if s.deadline != 0 && now.Add(s.clocks.civil) > s.deadline {
		s.missed = true // nobody has to order it to go on for that
		return false
	}
	_, some := s.tierOpens(now)
	return some
}

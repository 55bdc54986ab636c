package analyze

import (
	"cmp"
	"iter"
	"slices"
	"sync"
)

// joined is a ledger whose facts know their message, their pair and what they are in the pair's timeline.
type joined struct {
	*Ledger
	meaning    meaning
	unite      map[uint16]uint16 // business numbers that are another one
	only       uint16            // the one business number of the log, or 0
	skew       []clock           // by source
	pairs      []*store          // facts by pair
	quiet      []*quietStore     // and the sends that only count
	refused    people            // recipients of whatever has an error code
	whole      bool              // keep all facts of other recipients too, and not only what was sent
	duplicates map[int]int       // by source
	others     map[otherKey]*otherCount
	homeless   []fact // failures without a recipient or a time
	lost       int    // accepted sends without a recipient
	spent      bool   // facts that were given up are needed again: there is no answer
}

// compares says whether messages are likely to be logged in several ways, which tell of clocks and names what no single fact does.
func (l *Ledger) compares() bool {
	return len(l.files) > 1 || slices.ContainsFunc(l.facts.kinds.all, func(f fact) bool { return f.host() })
}

// join puts together what belongs to one message, wherever it was logged. It is done once; the facts then move from lists by message to lists by pair.
//
// Whole keeps all facts of every pair; else of pairs without a refusal only the sends are kept.
func (l *Ledger) join(m meaning, whole bool) *joined {
	if l.joined != nil {
		return l.joined
	}
	j := &joined{Ledger: l, meaning: m, whole: whole, unite: map[uint16]uint16{}, duplicates: map[int]int{}, others: map[otherKey]*otherCount{}}
	l.joined = j
	l.inOrder()
	j.compare(nil)
	parts := j.settle()
	for j.compare(parts) { // what was settled rests on less than the messages say; those of most logs say no more
		if j.spent = l.sparing; j.spent {
			return j
		}
		parts = j.settle()
	}
	l.facts = store{}
	for _, p := range parts {
		j.collect(p)
	}
	slices.SortFunc(j.homeless, func(a, b fact) int { return bySequence(&a, &b) })
	return j
}

// settle gives all facts their roles and pairs, by what is known of clocks and names.
func (j *joined) settle() []*part {
	j.only = j.onlyNumber()
	return eachList(func(p *part, i int, r *room) {
		p.begin(j)
		r.gather(i, &j.facts)
		if j.sparing {
			j.facts.lists[i] = list{}
		}
		r.takeAlone(p.single)
		r.sort(func(f *fact) uint64 { return f.message }, byMessage)
		for g := range messages(r.facts) {
			if g = p.apart(g); len(g) > 1 {
				p.said.look(g)
			}
			p.settle(g)
		}
	})
}

func (j *joined) collect(p *part) {
	j.pairs, j.quiet = append(j.pairs, &p.pairs), append(j.quiet, &p.quiet)
	for file, n := range p.duplicates {
		j.duplicates[file] += n
	}
	for key, c := range p.others {
		j.countOther(key, c)
	}
	j.homeless = append(j.homeless, p.homeless...)
	j.lost += p.lost
}

// eachList runs work over all lists on two goroutines, each with a state and a room of its own. Which one takes which list is not left to chance.
func eachList[T any](work func(state *T, i int, r *room)) []*T {
	const workers = 2
	states := make([]*T, workers)
	var wg sync.WaitGroup
	for w := range states {
		states[w] = new(T)
		wg.Go(func() {
			var r room
			for i := w; i < listCount; i += workers {
				work(states[w], i, &r)
			}
		})
	}
	wg.Wait()
	return states
}

// messages yields the facts of one message together, each fact without a message alone. They are sorted by message.
func messages(facts []fact) iter.Seq[[]fact] {
	return func(yield func([]fact) bool) {
		for start := 0; start < len(facts); {
			end := start + 1
			for end < len(facts) && facts[start].message != 0 && facts[end].message == facts[start].message {
				end++
			}
			if !yield(facts[start:end]) {
				return
			}
			start = end
		}
	}
}

// onlyNumber is the business number that a log is about when it names no other.
func (j *joined) onlyNumber() uint16 {
	only := uint16(noNumber)
	for n := 1; n <= len(j.numbers.all); n++ {
		switch root := rootNumber(j.unite, uint16(n)); {
		case only == noNumber:
			only = root
		case only != root:
			return noNumber
		}
	}
	return only
}

// numberOf is the business number of a fact: the one it names, else that of its source, else that of the log.
func (j *joined) numberOf(f *fact) uint16 {
	if f.number != noNumber {
		return rootNumber(j.unite, f.number)
	}
	if s := j.files[f.file()]; s.number != noNumber && !s.many {
		return rootNumber(j.unite, s.number)
	}
	return j.only
}

// part is one goroutine's share of the joining.
type part struct {
	*joined
	said       comparison
	late       []uint64 // recipients of refusals that were not known to be some
	pairs      store
	quiet      quietStore
	duplicates map[int]int
	others     map[otherKey]*otherCount
	homeless   []fact
	lost       int
	room       []fact // of one message
}

// single settles what nearly every message comes to: it was sent to somebody who was never refused, and nothing else that it says matters.
func (p *part) single(f *fact) bool {
	if f.kind() != Sent || f.at() == 0 || f.code() != 0 || f.recipient() == 0 || p.whole {
		return false
	}
	recipient := p.find(f.recipient())
	if p.refused.has(recipient) {
		return false
	}
	sent := f.alone()
	sent.setRecipient(recipient)
	p.onPlatformClock(&sent)
	sent.number = p.numberOf(&sent)
	sent.bits |= freshBit
	sent.setRole(placed)
	if !p.quiet.add(&sent) {
		p.give(&sent)
	}
	return true
}

// apart gives the facts of a message, each status as a fact of its own.
func (p *part) apart(g []fact) []fact {
	if !slices.ContainsFunc(g, func(f fact) bool { return f.bits&laterBits != 0 }) {
		return g
	}
	p.room = p.room[:0]
	for i := range g {
		p.room = g[i].apart(p.room)
	}
	slices.SortFunc(p.room, func(a, b fact) int { return byMessage(&a, &b) })
	return p.room
}

func (p *part) begin(j *joined) {
	if p.joined == nil {
		*p = part{joined: j, duplicates: map[int]int{}, others: map[otherKey]*otherCount{}}
	}
}

// settle gives the facts of one message id their roles. A short id may be that of several messages, which their recipients tell apart.
func (p *part) settle(g []fact) {
	for i := range g {
		g[i].setRecipient(p.find(g[i].recipient()))
		p.onPlatformClock(&g[i])
	}
	for len(g) > 0 {
		rest := g[len(g):]
		if len(g) > 1 && g[0].message&1 == 0 {
			g, rest = firstRecipient(g)
		}
		p.settleOne(g)
		g = rest
	}
}

func (p *part) find(r uint64) uint64 {
	if r == 0 {
		return 0
	}
	return p.users.find(r)
}

// firstRecipient splits off the facts of the first recipient that is named, and those that name none.
func firstRecipient(g []fact) (one, rest []fact) {
	first := recipientOf(g)
	slices.SortStableFunc(g, func(a, b fact) int { return cmp.Compare(elsewhere(a, first), elsewhere(b, first)) })
	n := 0
	for n < len(g) && elsewhere(g[n], first) == 0 {
		n++
	}
	return g[:n], g[n:]
}

func elsewhere(f fact, r uint64) int {
	if f.recipient() == 0 || f.recipient() == r {
		return 0
	}
	return 1
}

func recipientOf(g []fact) uint64 {
	for i := range g {
		if r := g[i].recipient(); r != 0 {
			return r
		}
	}
	return 0
}

// settleOne gives the facts of one message their number, recipient and roles, and hands them to their pair.
func (p *part) settleOne(g []fact) {
	recipient, number := recipientOf(g), uint16(noNumber)
	for i := range g {
		if g[i].number != noNumber {
			number = rootNumber(p.unite, g[i].number)
			break
		}
	}
	var s message
	for i := range g {
		f := &g[i]
		f.setRecipient(recipient)
		if number == noNumber {
			number = p.numberOf(f)
		}
		pair := f.code() != 0 && p.meaning.pairCode(f.file(), p.codes.code(f.code()))
		if pair && recipient != 0 && !p.refused.has(recipient) {
			p.late = append(p.late, recipient)
		}
		p.count(f, !s.take(f, pair))
	}
	for i := range g {
		g[i].number = number
	}
	s.assign(p.skewed)
	for i := range g {
		p.countError(&g[i], number)
		p.give(&g[i])
	}
}

// count notes a fact that says again what is known.
func (p *part) count(f *fact, again bool) {
	switch {
	case f.kind() == answered:
	case again:
		p.duplicates[f.file()]++
	default:
		f.bits |= freshBit
	}
}

// give hands a fact to its pair, if it can matter there. Without a recipient or a time it has none.
func (p *part) give(f *fact) {
	if f.message == 0 {
		f.bits |= idlessBit // pairs without a refusal forget the ids of their messages
	}
	sent := f.role() == placed || f.role() == unplaced || f.role() == uncertain
	switch {
	case f.role() == failing && (f.recipient() == 0 || f.at() == 0):
		p.homeless = append(p.homeless, *f)
	case f.recipient() != 0 && (p.whole || p.refused.has(f.recipient())):
		p.pairs.add(int(pairHash(f)>>listShift), f)
	case f.recipient() != 0:
		if sent { // nobody asks for its record
			f.message, f.line = 0, 0
			p.pairs.add(int(pairHash(f)>>listShift), f)
		}
	case f.role() == placed || f.role() == unplaced:
		p.lost++
	}
}

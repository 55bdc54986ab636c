package analyze

import (
	"math/bits"
	"slices"
	"sort"
)

// piles is how many a list is dealt out to before it is sorted.
const piles = 1 << pileBits

const pileBits = 12

// pileOf is the pile of a hash, by bits that differ within a list.
func pileOf(hash uint64) uint32 { return uint32(hash << (64 - listShift) >> (64 - pileBits)) }

// room is where one goroutine sorts one list after the other.
type room struct {
	facts, spare      []fact
	quiet, spareQuiet []pairSend
	seen              []int32 // facts by the hash of their message, plus 1; 0: none
	met               []bool  // by fact: another tells of its message
}

// grown is a slice that has room for n more. It is not made much larger than that: lists are of one length, more or less.
func grown[T any](to []T, n int) []T {
	if cap(to)-len(to) >= n {
		return to
	}
	return append(make([]T, 0, len(to)+n+n/16), to...)
}

// gather unpacks the lists of one number in some stores, one behind the other.
func (r *room) gather(i int, stores ...*store) {
	r.facts = r.facts[:0]
	for _, s := range stores {
		r.facts = s.unpack(r.facts, i)
	}
}

// takeAlone hands over the facts whose message no other fact of the list tells of, and keeps those that are not taken.
func (r *room) takeAlone(take func(*fact) bool) {
	r.meet()
	rest := r.facts[:0]
	for i := range r.facts {
		if f := &r.facts[i]; r.met[i] || !take(f) {
			rest = append(rest, *f)
		}
	}
	r.facts = rest
}

// meet finds out which facts tell of a message that others tell of too.
func (r *room) meet() {
	size := 1 << bits.Len(uint(2*len(r.facts)))
	r.seen, r.met = grown(r.seen[:0], size)[:size], grown(r.met[:0], len(r.facts))[:len(r.facts)]
	clear(r.seen)
	clear(r.met)
	for i := range r.facts {
		message := r.facts[i].message
		if message == 0 {
			continue
		}
		at := int(message>>16) & (size - 1)
		for r.seen[at] != 0 && r.facts[r.seen[at]-1].message != message {
			at = (at + 1) & (size - 1)
		}
		if first := r.seen[at]; first != 0 {
			r.met[first-1], r.met[i] = true, true
		}
		r.seen[at] = int32(i + 1)
	}
}

// sort brings facts of one key together, and those of each key into order. The keys are hashes: the facts are dealt out by them first, and only what meets is compared.
func (r *room) sort(key func(*fact) uint64, order func(a, b *fact) int) {
	if len(r.facts) < piles/8 {
		sort.Sort(pile{r.facts, order})
		return
	}
	var end [piles]int32
	of := func(f *fact) int { return int(pileOf(key(f))) }
	for i := range r.facts {
		end[of(&r.facts[i])]++
	}
	for i := 1; i < piles; i++ {
		end[i] += end[i-1]
	}
	r.spare = slices.Grow(r.spare[:0], len(r.facts))[:len(r.facts)]
	for i := len(r.facts) - 1; i >= 0; i-- {
		p := of(&r.facts[i])
		end[p]--
		r.spare[end[p]] = r.facts[i]
	}
	r.facts, r.spare = r.spare, r.facts
	for i := range piles {
		to := len(r.facts)
		if i+1 < piles {
			to = int(end[i+1])
		}
		sortPile(r.facts[end[i]:to], order)
	}
}

// sortPile sorts a few facts by moving each to its place, and many as others do.
func sortPile(facts []fact, order func(a, b *fact) int) {
	const few = 12
	if len(facts) > few {
		sort.Sort(pile{facts, order})
		return
	}
	for i := 1; i < len(facts); i++ {
		for k := i; k > 0 && order(&facts[k], &facts[k-1]) < 0; k-- {
			facts[k], facts[k-1] = facts[k-1], facts[k]
		}
	}
}

// pile is facts to be sorted where they are.
type pile struct {
	facts []fact
	order func(a, b *fact) int
}

func (p pile) Len() int           { return len(p.facts) }
func (p pile) Less(i, j int) bool { return p.order(&p.facts[i], &p.facts[j]) < 0 }
func (p pile) Swap(i, j int)      { p.facts[i], p.facts[j] = p.facts[j], p.facts[i] }

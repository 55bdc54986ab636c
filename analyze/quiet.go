package analyze

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/wactl/wactl/ratelimit"
)

// quietStore is the sends to people who were never refused, which only count: nearly all sends of most logs. The zero value is empty and ready.
//
// They lie in lists by pair, twelve bytes each, so that a list is sorted and counted without being unpacked.
type quietStore struct {
	lists [listCount]quietList
	kinds kinds
}

// quietList is sends one behind the other, in pieces that never move.
type quietList struct {
	full  [][]quietSend
	open  []quietSend
	count int
}

// quietSend is one send: what all of its kind have in common stands in the store's kinds.
type quietSend struct {
	at        uint32 // unix seconds
	kind      uint16
	high      uint16 // of the recipient's 48 bits
	recipient uint32 // the low ones
}

const quietPiece = 256 // sends

// add takes a send. False: it is of a kind that has no place here, such as a time that is no whole second.
func (s *quietStore) add(f *fact) bool {
	const second = 1000
	at, recipient := f.at(), f.recipient()
	if at%second != 0 || at/second > math.MaxUint32 || recipient >= 1<<48 {
		return false
	}
	kind := s.kinds.id(f)
	if kind > math.MaxUint16 {
		return false
	}
	l := &s.lists[pairHash(f)>>listShift]
	if len(l.open) == cap(l.open) {
		if len(l.open) > 0 {
			l.full = append(l.full, l.open)
		}
		l.open = make([]quietSend, 0, min(quietPiece, 4<<min(2*len(l.full), 8)))
	}
	l.open = append(l.open, quietSend{uint32(at / second), uint16(kind), uint16(recipient >> 32), uint32(recipient)})
	l.count++
	return true
}

// fact is a send as what it was made of, but for message and line.
func (s *quietStore) fact(q quietSend) fact {
	f := s.kinds.all[q.kind]
	f.setRecipient(uint64(q.high)<<32 | uint64(q.recipient))
	f.setAt(int64(q.at) * 1000)
	return f
}

func (s *quietStore) list(i int) iter.Seq[quietSend] {
	return func(yield func(quietSend) bool) {
		l := &s.lists[i]
		for _, q := range l.open {
			if !yield(q) {
				return
			}
		}
		for _, piece := range l.full {
			for _, q := range piece {
				if !yield(q) {
					return
				}
			}
		}
	}
}

// pairSend is a send of a pair while it is sorted.
type pairSend struct {
	pair uint64 // recipient, and above it the business number
	at   uint32
	pile uint32
}

// gatherQuiet takes the sends of the lists of one number. Those of pairs that have other facts too become facts; so do all where nothing is only counted.
func (r *room) gatherQuiet(i int, count bool, stores ...*quietStore) {
	var others people
	for k := range r.facts {
		others.add(max(pairHash(&r.facts[k]), 1))
	}
	r.quiet = r.quiet[:0]
	for _, s := range stores {
		r.quiet = grown(r.quiet, s.lists[i].count)
		for q := range s.list(i) {
			number := s.kinds.all[q.kind].number
			recipient := uint64(q.high)<<32 | uint64(q.recipient)
			hash := mix(recipient, uint64(number))
			if !count || others.has(max(hash, 1)) {
				r.facts = append(r.facts, s.fact(q))
				continue
			}
			r.quiet = append(r.quiet, pairSend{recipient | uint64(number)<<48, q.at, pileOf(hash)})
		}
	}
}

// sortQuiet brings the sends of each pair together, in the order of time.
func (r *room) sortQuiet() {
	var end [piles + 1]int32
	for i := range r.quiet {
		end[r.quiet[i].pile+1]++
	}
	for i := 1; i < len(end); i++ {
		end[i] += end[i-1]
	}
	r.spareQuiet = grown(r.spareQuiet[:0], len(r.quiet))[:len(r.quiet)]
	for _, q := range r.quiet {
		r.spareQuiet[end[q.pile]] = q
		end[q.pile]++
	}
	r.quiet, r.spareQuiet = r.spareQuiet, r.quiet
	from := int32(0)
	for _, to := range end[:piles] {
		sortSends(r.quiet[from:to])
		from = to
	}
}

// sortSends sorts the few sends of a pile by moving each to its place. They mostly come in the order of time.
func sortSends(all []pairSend) {
	const few = 64
	if len(all) > few {
		slices.SortFunc(all, pairSend.compare)
		return
	}
	for i := 1; i < len(all); i++ {
		for k := i; k > 0 && all[k].compare(all[k-1]) < 0; k-- {
			all[k], all[k-1] = all[k-1], all[k]
		}
	}
}

func (q pairSend) compare(o pairSend) int {
	if q.pair != o.pair {
		return cmp.Compare(q.pair, o.pair)
	}
	return cmp.Compare(q.at, o.at)
}

// countQuiet replays the sorted sends of pairs that have nothing else.
func (t *tally) countQuiet(all []pairSend) {
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].pair == all[from].pair {
			to++
		}
		if t.pairs++; to > from+1 {
			var state ratelimit.PairState
			for _, q := range all[from:to] {
				state, _ = t.replay(state, int64(q.at)*1000)
			}
		}
		t.sends += to - from
		t.perNumber[uint16(all[from].pair>>48)] += to - from
		from = to
	}
}

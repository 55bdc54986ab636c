package campaign

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// Load is the messages that are to be sent, with what can be known of them before any limit: who gets several. Make it with [NewLoad].
//
// It does not change, so any number of forecasts may share one. It takes an eighth of a byte a message beside the items, and 4 bytes more for
// each message to somebody who gets several.
type Load struct {
	items   []Item
	several bitset   // positions of the messages to people who get several
	links   []uint32 // the same positions, people by people, each one's in file order
	people  []uint32 // where each of those people's part of links ends
}

// NewLoad finds who gets several messages; it keeps the items and does not change them.
//
// Bits spread by hash leave the few messages that may share a recipient: only those are compared.
func NewLoad(items []Item) *Load {
	l := &Load{items: items, several: newBitset(len(items))}
	maybe := candidates(items)
	who, counts := distinct(items, maybe)
	starts, sum := make([]uint32, len(counts)), uint32(0)
	for person, n := range counts {
		if starts[person] = sum; n > 1 {
			sum += n
			l.people = append(l.people, sum)
		}
	}
	l.links = make([]uint32, sum)
	for i, at := range maybe {
		if person := who[i]; counts[person] > 1 {
			l.links[starts[person]] = at
			starts[person]++
			l.several.set(uint64(at))
		}
	}
	return l
}

// Items are the messages, in file order. They are shared: do not change them.
func (l *Load) Items() []Item { return l.items }

// Repeats yields the places of the messages of each recipient who gets several, in file order: people by their first message.
func (l *Load) Repeats(yield func(places []uint32) bool) {
	from := uint32(0)
	for _, to := range l.people {
		if !yield(l.links[from:to]) {
			return
		}
		from = to
	}
}

// Single says whether the message at a place is its recipient's only one.
func (l *Load) Single(place int) bool { return !l.several.has(uint64(place)) }

// candidates are the places whose recipients share a hash with another one's, in order: all who get several, and few others.
//
// The hashes are sorted into parts that fit a processor's cache, and each part is looked through alone, by all processors.
func candidates(items []Item) (places []uint32) {
	parts := scatter(items)
	found := make([][]uint32, len(parts))
	var work sync.WaitGroup
	var next atomic.Int32
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		work.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parts); i = int(next.Add(1)) - 1 {
				found[i] = alike(parts[i])
			}
		})
	}
	work.Wait()
	maybe, n := newBitset(len(items)), 0
	for _, part := range found {
		n += len(part)
		for _, place := range part {
			maybe.set(uint64(place))
		}
	}
	return maybe.list(n)
}

// hashed is 32 bits of a recipient's hash, and the place of the message below them.
type hashed uint64

// scatter sorts the messages into parts by the first bits of their recipients' hashes.
func scatter(items []Item) (parts [][]hashed) {
	const shift = 56
	if len(items) < 1<<15 {
		all := make([]hashed, len(items))
		for i := range items {
			all[i] = hashed(spread(items[i].Recipient)<<32 | uint64(i))
		}
		return [][]hashed{all}
	}
	var sizes, at [1 << (64 - shift)]int
	for i := range items {
		sizes[spread(items[i].Recipient)>>shift]++
	}
	all, from := make([]hashed, len(items)), 0
	for i, n := range sizes {
		parts = append(parts, all[from:from+n])
		at[i] = from
		from += n
	}
	for i := range items {
		h := spread(items[i].Recipient)
		all[at[h>>shift]] = hashed(h<<32 | uint64(i))
		at[h>>shift]++
	}
	return parts
}

// alike are the places of a part whose hash another one has too.
func alike(part []hashed) (places []uint32) {
	size := uint64(64)
	for size < uint64(len(part))*16 {
		size *= 2
	}
	once, twice := newBitset(int(size)), newBitset(int(size))
	for _, h := range part {
		if bit := uint64(h>>32) & (size - 1); once.has(bit) {
			twice.set(bit)
		} else {
			once.set(bit)
		}
	}
	for _, h := range part {
		if twice.has(uint64(h>>32) & (size - 1)) {
			places = append(places, uint32(h))
		}
	}
	return places
}

// distinct numbers the people behind some places, in the order of their first message, and counts each one's messages.
func distinct(items []Item, places []uint32) (who, counts []uint32) {
	size := uint64(16)
	for size < uint64(len(places))*2 {
		size *= 2
	}
	table := make([]uint32, size) // person + 1, 0 where free
	people := make([]uint64, 0, len(places))
	who = make([]uint32, len(places))
	for i, at := range places {
		r := items[at].Recipient
		slot := spread(r) >> 20 & (size - 1)
		for table[slot] != 0 && people[table[slot]-1] != r {
			slot = (slot + 1) & (size - 1)
		}
		if table[slot] == 0 {
			people, counts = append(people, r), append(counts, 0)
			table[slot] = uint32(len(people))
		}
		who[i] = table[slot] - 1
		counts[who[i]]++
	}
	return who, counts
}

// spread hashes a recipient: neighbours in a list of numbers end far apart.
func spread(r uint64) uint64 {
	r *= 0x9e3779b97f4a7c15
	r ^= r >> 32
	return r * 0xd6e8feb86659fd93
}

// bitset is a set of small numbers, one bit each.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, n/64+1) }

// list is the members, n at the most, in order.
func (b bitset) list(n int) []uint32 {
	list := make([]uint32, 0, n)
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			list = append(list, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return list
}

func (b bitset) has(i uint64) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bitset) set(i uint64)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) unset(i uint64)    { b[i/64] &^= 1 << (i % 64) }

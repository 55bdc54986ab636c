package campaign

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/wactl/wactl/normalize/largepages"
)

// Load is the messages that are to be sent, with what can be known of them before any limit: who gets several. Make it with [NewLoad].
//
// It does not change, so any number of forecasts may share one. Beside the items it takes 4 bytes for each message to somebody who gets several;
// as many again, and an eighth of a byte for each message, once somebody asks for the order of the file.
type Load struct {
	items []Item
	dense bool   // steps follow each other without a gap
	parts []part // the messages to people who get several, person by person
	asked sync.Once
	order filed // once it was asked for
}

// filed is the messages to people who get several as the file orders them.
type filed struct {
	several bitset   // their positions
	links   []uint32 // the same, people by people, each one's in file order
	people  []uint32 // where each of those people's part of links ends
}

// NewLoad finds who gets several messages; it keeps the items and does not change them.
//
// The messages are sorted into parts by a hash of their recipients. A part fits a processor's cache and is looked through alone, by all
// processors.
func NewLoad(items []Item) *Load {
	l := &Load{items: items}
	l.parts, l.dense = scatter(items)
	eachPart(len(l.parts), func(i int, d *desk) { l.parts[i].gather(d) })
	return l
}

// filed lets each person's messages take their place among those of the others.
func (l *Load) filed() *filed {
	l.asked.Do(func() { l.order = newFiled(l.parts, len(l.items)) })
	return &l.order
}

func newFiled(parts []part, messages int) filed {
	f := filed{several: newBitset(messages)}
	begins := newBitset(messages) // the first messages of those who get several
	eachPart(len(parts), func(i int, _ *desk) {
		for places := range parts[i].people {
			begins.add(uint64(places[0]))
			for _, at := range places {
				f.several.add(uint64(at))
			}
		}
	})
	before := begins.ranks()
	f.people = largepages.Make[uint32](int(before[len(before)-1]))
	eachPart(len(parts), func(i int, _ *desk) {
		for places := range parts[i].people {
			f.people[begins.rank(before, places[0])] = uint32(len(places))
		}
	})
	sum := uint32(0)
	for i, n := range f.people {
		sum += n
		f.people[i] = sum
	}
	f.links = largepages.Make[uint32](int(sum))
	eachPart(len(parts), func(i int, _ *desk) {
		for places := range parts[i].people {
			end := f.people[begins.rank(before, places[0])]
			copy(f.links[end-uint32(len(places)):end], places)
		}
	})
	return f
}

// Items are the messages, in file order. They are shared: do not change them.
func (l *Load) Items() []Item { return l.items }

// Repeats yields the places of the messages of each recipient who gets several, in file order: people by their first message.
func (l *Load) Repeats(yield func(places []uint32) bool) {
	f := l.filed()
	from := uint32(0)
	for _, to := range f.people {
		if !yield(f.links[from:to]) {
			return
		}
		from = to
	}
}

// Several yields what Repeats does, people in an order of its own: that is there at once, and the same on every run.
func (l *Load) Several(yield func(places []uint32) bool) {
	for i := range l.parts {
		for places := range l.parts[i].people {
			if !yield(places) {
				return
			}
		}
	}
}

// Single says whether the message at a place is its recipient's only one.
func (l *Load) Single(place int) bool { return !l.filed().several.has(uint64(place)) }

// part is the messages whose recipients' hashes begin alike, in file order; after gather only those to people who get several, person by person.
type part struct {
	hashes []uint64 // each recipient has its own
	places []uint32
	sizes  []uint32 // people's messages
}

// people yields each person's places.
func (p *part) people(yield func(places []uint32) bool) {
	from := uint32(0)
	for _, n := range p.sizes {
		if !yield(p.places[from : from+n]) {
			return
		}
		from += n
	}
}

// scatter sorts the messages into parts, and says whether their steps follow each other without a gap. The processors share the list out; each
// writes behind what those before it write.
func scatter(items []Item) (parts []part, dense bool) {
	const most, size = 9, 1 << 14 // bits of the hash that choose a part, messages in one
	choose := min(bits.Len(uint(len(items)/size)), most)
	workers := min(runtime.GOMAXPROCS(0), len(items)/size+1)
	share := func(w int) (from, to int) { return len(items) * w / workers, len(items) * (w + 1) / workers }
	at := make([][]int, workers) // how much of each part a worker has; then where its next one goes
	gaps := make([]bool, workers)
	each(workers, func(w int) {
		at[w] = make([]int, 1<<choose)
		from, to := share(w)
		for i := from; i < to; i++ {
			at[w][spread(items[i].Recipient)>>(64-choose)]++
			gaps[w] = gaps[w] || items[i].Seq-items[0].Seq != uint32(i)
		}
	})
	hashes, places, from := largepages.Make[uint64](len(items)), largepages.Make[uint32](len(items)), 0
	for i := range 1 << choose {
		begin := from
		for w := range at {
			at[w][i], from = from, from+at[w][i]
		}
		parts = append(parts, part{hashes: hashes[begin:from], places: places[begin:from]})
	}
	each(workers, func(w int) {
		from, to := share(w)
		for i := from; i < to; i++ {
			h := spread(items[i].Recipient)
			next := &at[w][h>>(64-choose)]
			hashes[*next], places[*next] = h, uint32(i)
			*next++
		}
	})
	return parts, !slices.Contains(gaps, true)
}

// desk is what a worker needs to gather, used again for each part.
type desk struct {
	once, twice bitset
	table       []uint32 // person + 1, 0 where free
	known       []uint64 // people's hashes
	counts      []uint32 // their messages
	who         []uint32 // the messages' people
}

// gather leaves the messages to people who get several, person by person in the order of their first message.
func (p *part) gather(d *desk) {
	p.filter(d)
	d.number(p.hashes)
	sum := uint32(0)
	for person, n := range d.counts {
		if d.counts[person] = none; n > 1 {
			d.counts[person] = sum
			sum += n
			p.sizes = append(p.sizes, n)
		}
	}
	sorted := make([]uint32, sum)
	for i, person := range d.who {
		if at := &d.counts[person]; *at != none {
			sorted[*at] = p.places[i]
			*at++
		}
	}
	p.places, p.hashes = sorted, nil
}

// none is no place.
const none = ^uint32(0)

// filter drops nearly all messages to people who get one: a bit of their hashes is no other's.
func (p *part) filter(d *desk) {
	size := uint64(64)
	for size < uint64(len(p.hashes))*16 {
		size *= 2
	}
	d.once, d.twice = d.once.empty(size), d.twice.empty(size)
	for _, h := range p.hashes {
		if bit := h & (size - 1); d.once.has(bit) {
			d.twice.set(bit)
		} else {
			d.once.set(bit)
		}
	}
	n := 0
	for i, h := range p.hashes {
		if p.hashes[n], p.places[n] = h, p.places[i]; d.twice.has(h & (size - 1)) {
			n++
		}
	}
	p.hashes, p.places = p.hashes[:n], p.places[:n]
}

// number numbers the people behind some hashes, in the order of their first message, and counts each one's messages.
func (d *desk) number(hashes []uint64) {
	size := uint64(16)
	for size < uint64(len(hashes))*2 {
		size *= 2
	}
	if uint64(cap(d.table)) < size {
		d.table = make([]uint32, size)
	}
	d.table = d.table[:size]
	clear(d.table)
	d.known, d.counts, d.who = d.known[:0], d.counts[:0], d.who[:0]
	for _, h := range hashes {
		slot := h >> 20 & (size - 1)
		for d.table[slot] != 0 && d.known[d.table[slot]-1] != h {
			slot = (slot + 1) & (size - 1)
		}
		if d.table[slot] == 0 {
			d.known, d.counts = append(d.known, h), append(d.counts, 0)
			d.table[slot] = uint32(len(d.known))
		}
		person := d.table[slot] - 1
		d.who = append(d.who, person)
		d.counts[person]++
	}
}

// each lets so many workers run beside each other.
func each(workers int, work func(w int)) {
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { work(w) })
	}
	all.Wait()
}

// eachPart shares parts out to all processors, each with its own desk.
func eachPart(parts int, work func(i int, d *desk)) {
	var next atomic.Int32
	each(min(runtime.GOMAXPROCS(0), parts), func(int) {
		var d desk
		for i := int(next.Add(1)) - 1; i < parts; i = int(next.Add(1)) - 1 {
			work(i, &d)
		}
	})
}

// spread hashes a recipient: neighbours in a list of numbers end far apart, and no two recipients share a hash.
func spread(r uint64) uint64 {
	r *= 0x9e3779b97f4a7c15
	r ^= r >> 32
	return r * 0xd6e8feb86659fd93
}

// bitset is a set of small numbers, one bit each.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, n/64+1) }

// empty is an empty set below size, in the same memory where that is large enough.
func (b bitset) empty(size uint64) bitset {
	if n := int(size/64) + 1; n <= cap(b) {
		b = b[:n]
		clear(b)
		return b
	}
	return newBitset(int(size))
}

// ranks is how many members stand before each 64 numbers, and in all.
func (b bitset) ranks() []uint32 {
	before := make([]uint32, len(b)+1)
	for i, word := range b {
		before[i+1] = before[i] + uint32(bits.OnesCount64(word))
	}
	return before
}

// rank is how many members are below i, by the set's ranks.
func (b bitset) rank(before []uint32, i uint32) uint32 {
	return before[i/64] + uint32(bits.OnesCount64(b[i/64]&(1<<(i%64)-1)))
}

// add is set for several goroutines at a time.
func (b bitset) add(i uint64) { atomic.OrUint64(&b[i/64], 1<<(i%64)) }

func (b bitset) has(i uint64) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bitset) set(i uint64)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) unset(i uint64)    { b[i/64] &^= 1 << (i % 64) }

package normalize

import (
	"hash/maphash"
	"iter"
	"math/bits"

	"github.com/wactl/wactl/normalize/largepages"
)

// people remembers of every recipient the line where they stand first, and what stands there: 16 bytes each at about three quarters full.
// The zero value holds nobody.
//
// Recipients are spread over parts that grow one by one: growing then takes little more memory, and a part that grows fits in a core's cache.
type people struct {
	parts [partCount]part
	wide  map[uint64]saidAt // numbers that do not fit into a slot
	len   int
}

// The shape of the set. From largeSlots on, it grows in small steps, so that little more than a quarter of it is ever empty.
const (
	partBits   = 8
	partCount  = 1 << partBits
	leastSlots = 16                  // of one part
	largeSlots = 4 << 20 / partCount // of one part, when all of them take 64 MiB
	manySlots  = 2048                // of one part, when all of them take 8 MiB
	keyBits    = 50                  // E.164 has 15 digits
	tagBits    = 64 - keyBits
)

// part is one open-addressing table: a recipient stands in the first free slot from where its hash points.
type part struct {
	slots []slot
	used  int
}

// slot is one recipient: digits and some bits of what the line says, the line, more bits. The zero value is empty.
type slot struct {
	key       uint64
	line, tag uint32
}

// saidAt is the first line of a recipient, and what it says.
type saidAt struct {
	line uint32
	tag  uint64 // 46 bits
}

// hashed is what a row says: 128 bits, of which 64 are sure to count.
type hashed [2]uint64

// hasher makes hashes of its own: no list can be written whose contents collide. No result depends on it.
type hasher [2]maphash.Seed

func newHasher() hasher { return hasher{maphash.MakeSeed(), maphash.MakeSeed()} }

// of hashes what a row says.
func (h *hasher) of(b []byte) hashed { return hashed{maphash.Bytes(h[0], b), maphash.Bytes(h[1], b)} }

// both hashes two texts, each by itself.
func (h *hasher) both(before, after string) hashed {
	return mixed(maphash.String(h[0], before), maphash.String(h[1], after))
}

// bothIn is both of a text up to cut and of the rest.
func (h *hasher) bothIn(b []byte, cut int) hashed {
	return mixed(maphash.Bytes(h[0], b[:cut]), maphash.Bytes(h[1], b[cut:]))
}

// mixed is one hash of two. If one of them differs, so does the hash; each of its halves has a part in both.
func mixed(a, b uint64) hashed {
	const odd, other = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
	return hashed{a*odd + b, a + b*other}
}

// spread is part of where recipients stand: no list can be written whose recipients collide.
var spread = maphash.Comparable(maphash.MakeSeed(), 0)

// tag is the part of a hash that a slot has room for.
func (h hashed) tag() uint64 { return h[0] >> (64 - tagBits - 32) }

// place is where a recipient stands first, and whether that row says the same, as far as a tag tells. Line is 0 for one who was not known.
type place struct {
	line uint32
	same bool
}

// put adds a recipient, unless known already, and says where the recipient stands first.
func (p *people) put(digits uint64, line uint32, h hashed) place {
	at := saidAt{line, h.tag()}
	if digits>>keyBits != 0 {
		return p.putWide(digits, at)
	}
	return p.putTagged(digits, at)
}

// putTagged is put for a number of at most 15 digits.
func (p *people) putTagged(digits uint64, at saidAt) place {
	where := scatter(digits)
	t := &p.parts[where>>(64-partBits)]
	if t.used >= len(t.slots)-len(t.slots)/6 {
		t.grow()
	}
	n := uint64(len(t.slots))
	for i := where << partBits >> 32 * n >> 32; ; {
		s := &t.slots[i]
		switch {
		case s.key == 0:
			*s = slotOf(digits, at)
			t.used++
			p.len++
			return place{}
		case s.key<<tagBits>>tagBits == digits:
			return place{s.line, s.key>>keyBits == at.tag>>32 && s.tag == uint32(at.tag)}
		}
		if i++; i == n {
			i = 0
		}
	}
}

func slotOf(digits uint64, at saidAt) slot {
	return slot{digits | at.tag>>32<<keyBits, at.line, uint32(at.tag)}
}

// near reads the slot from which put will look for a recipient. Asked for many at once, the waits for memory overlap.
func (p *people) near(digits uint64) uint64 {
	where := scatter(digits)
	t := &p.parts[where>>(64-partBits)]
	if len(t.slots) == 0 {
		return 0
	}
	return t.slots[where<<partBits>>32*uint64(len(t.slots))>>32].key
}

// putWide is put for a number of more than 15 digits, of which plans have some.
func (p *people) putWide(digits uint64, at saidAt) place {
	if was, known := p.wide[digits]; known {
		return place{was.line, was.tag == at.tag}
	}
	if p.wide == nil {
		p.wide = map[uint64]saidAt{}
	}
	p.wide[digits] = at
	p.len++
	return place{}
}

// line is where a recipient stands first, 0 for one who is not known.
func (p *people) line(digits uint64) uint32 {
	if digits>>keyBits != 0 {
		return p.wide[digits].line
	}
	if s := p.slot(digits); s != nil {
		return s.line
	}
	return 0
}

// slot is where a recipient of at most 15 digits stands, nil for one who is not known.
func (p *people) slot(digits uint64) *slot {
	where := scatter(digits)
	t := &p.parts[where>>(64-partBits)]
	n := uint64(len(t.slots))
	if n == 0 {
		return nil
	}
	for i := where << partBits >> 32 * n >> 32; ; {
		s := &t.slots[i]
		switch {
		case s.key == 0:
			return nil
		case s.key<<tagBits>>tagBits == digits:
			return s
		}
		if i++; i == n {
			i = 0
		}
	}
}

// get is what was put with a recipient; not ok: nobody put one.
func (p *people) get(digits uint64) (at saidAt, ok bool) {
	if digits>>keyBits != 0 {
		at, ok = p.wide[digits]
		return at, ok
	}
	s := p.slot(digits)
	if s == nil {
		return at, false
	}
	return saidAt{s.line, s.key>>keyBits<<32 | uint64(s.tag)}, true
}

// set puts a recipient in place of what was put before.
func (p *people) set(digits uint64, at saidAt) {
	if digits>>keyBits != 0 {
		p.putWide(digits, at)
		p.wide[digits] = at
		return
	}
	p.putTagged(digits, at)
	*p.slot(digits) = slotOf(digits, at)
}

// all yields everybody, in no order, with what was put.
func (p *people) all() iter.Seq2[uint64, saidAt] {
	return func(yield func(uint64, saidAt) bool) {
		for d, at := range p.wide {
			if !yield(d, at) {
				return
			}
		}
		for i := range p.parts {
			for _, s := range p.parts[i].slots {
				if s.key != 0 && !yield(s.key<<tagBits>>tagBits, saidAt{s.line, s.key>>keyBits<<32 | uint64(s.tag)}) {
					return
				}
			}
		}
	}
}

// scatter spreads digits over 64 bits: the first choose the part, the next ones the slot.
func scatter(digits uint64) uint64 {
	high, low := bits.Mul64(digits^spread, 0x9E3779B97F4A7C15)
	return high ^ low
}

// expect makes room for about n recipients, as far as it costs little should they be fewer.
func (p *people) expect(n int) {
	slots := n / partCount * 4 / 3
	if slots > largeSlots {
		slots = max(largeSlots, slots/2)
	}
	for i := range p.parts {
		if t := &p.parts[i]; slots > max(leastSlots, len(t.slots)) {
			t.resize(slots)
		}
	}
}

// grow makes a part larger.
func (t *part) grow() {
	n := max(leastSlots, 2*len(t.slots))
	if len(t.slots) >= largeSlots {
		n = len(t.slots) + len(t.slots)/6
	}
	t.resize(n)
}

// resize moves the recipients of a part to so many slots.
func (t *part) resize(n int) {
	old := t.slots
	if t.slots = make([]slot, n); n >= manySlots {
		largepages.Around(t.slots)
	}
	for _, s := range old {
		if s.key == 0 {
			continue
		}
		i := scatter(s.key<<tagBits>>tagBits) << partBits >> 32 * uint64(n) >> 32
		for t.slots[i].key != 0 {
			if i++; i == uint64(n) {
				i = 0
			}
		}
		t.slots[i] = s
	}
}

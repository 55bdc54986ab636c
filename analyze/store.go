package analyze

import (
	"encoding/binary"
	"iter"
)

// store is many lists of facts in as few bytes as their likeness allows: most facts say who got a message again, a little later, one line on.
//
// The first fact of a message takes about 21 bytes, others about 6, and the statuses that a fact stands for about 2 each. A store belongs to one goroutine.
type store struct {
	lists [listCount]list
	kinds kinds
	ids   []int // the numbers that ids of recipients got since they were added; nil: they have their own
}

// list is facts one behind the other, in pieces that never move.
type list struct {
	full  [][]byte
	open  []byte
	count int     // of facts
	last  *lately // how the next fact is told from those before it; nil before the first
}

// lately is what a list remembers of its facts while they are packed or unpacked.
type lately struct {
	at    int64
	line  uint32
	about [slots]about // by the lowest bits of the message
}

// about is whom a message went to.
type about struct{ message, recipient uint64 }

const (
	slots       = 32
	slotMask    = slots - 1
	knownBit    = 1 << 7 // of a fact's first byte: message and recipient are those in the slot
	namelessBit = 1 << 6 // there is no message
	nowhereBit  = 1 << 5 // there is no line
	shortBit    = 1 << 0 // the recipient is written in six bytes, as nearly all phone numbers are; of facts that are not in a slot
	pieceLength = 2 << 10
	firstLength = 64 // of the first pieces, for logs of a few lines
	mostPacked  = 1 + 8 + 7 + 3*binary.MaxVarintLen64 + 4*binary.MaxVarintLen16
)

func slotOf(message uint64) uint64 { return message >> 1 & slotMask } // the lowest bit says something else

// add packs a fact into a list.
func (s *store) add(i int, f *fact) {
	l := &s.lists[i]
	if cap(l.open)-len(l.open) < mostPacked {
		s.grow(l)
	}
	b, n, last := l.open[:cap(l.open)], len(l.open), l.last
	head := byte(0)
	if f.line == 0 {
		head = nowhereBit
	}
	slot := slotOf(f.message)
	switch a := &last.about[slot]; {
	case f.message == 0:
		b[n] = head | namelessBit | shortOf(f.recipient())
		n = putRecipient(b, n+1, f.recipient())
	case a.message == f.message && a.recipient == f.recipient():
		b[n] = head | knownBit | byte(slot)
		n++
	default:
		a.message, a.recipient = f.message, f.recipient()
		b[n] = head | shortOf(f.recipient())
		binary.LittleEndian.PutUint64(b[n+1:], f.message)
		n = putRecipient(b, n+9, f.recipient())
	}
	n = putUvarint(b, n, uint64(s.kinds.id(f)))
	n = putUvarint(b, n, step(f.at()-last.at))
	if last.at = f.at(); f.line != 0 {
		n = putUvarint(b, n, zigzag(int64(f.line)-int64(last.line)))
		last.line = f.line
	}
	for i, later := range f.later {
		if f.bits&(laterBit<<i) != 0 {
			n = putUvarint(b, n, uint64(later.Seconds))
			n = putUvarint(b, n, uint64(later.Lines))
		}
	}
	l.open = b[:n]
	l.count++
}

// shortOf is the bit for a recipient of six bytes, if it is one.
func shortOf(recipient uint64) byte {
	if recipient < 1<<48 {
		return shortBit
	}
	return 0
}

// putRecipient writes a recipient at an offset, where there is room for eight bytes, and gives the offset behind it.
func putRecipient(b []byte, n int, r uint64) int {
	binary.LittleEndian.PutUint64(b[n:], r)
	return n + recipientWidth(shortOf(r))
}

// putUvarint is binary.PutUvarint at an offset, and the offset behind it.
func putUvarint(b []byte, n int, v uint64) int {
	for ; v >= 0x80; n++ {
		b[n] = byte(v) | 0x80
		v >>= 7
	}
	b[n] = byte(v)
	return n + 1
}

func recipientWidth(head byte) int { return 7 - int(head&shortBit) }

// recipientFrom reads the recipient of that many bytes that b begins with.
func recipientFrom(b []byte, width int) uint64 {
	_ = b[5]
	r := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40
	if width == 7 {
		r |= uint64(b[6]) << 48
	}
	return r
}

// step is a span of milliseconds as a small number: most are whole seconds. The lowest bit says whether this one is not.
func step(ms int64) uint64 {
	if ms%1000 == 0 {
		return zigzag(ms/1000) << 1
	}
	return zigzag(ms)<<1 | 1
}

// unstep is the span that a step stands for.
func unstep(n uint64) int64 {
	if n&1 == 0 {
		return unzigzag(n>>1) * 1000
	}
	return unzigzag(n >> 1)
}

// size is how many bytes the facts take.
func (s *store) size() (n int) {
	for i := range s.lists {
		n += len(s.lists[i].full)*pieceLength + len(s.lists[i].open)
	}
	return n
}

// grow begins the next piece.
func (s *store) grow(l *list) {
	if l.last == nil {
		l.last = &lately{}
	}
	if len(l.open) > 0 {
		l.full = append(l.full, l.open)
	}
	l.open = make([]byte, 0, max(mostPacked, min(pieceLength, firstLength<<min(len(l.full), 5))))
}

// unpack appends the facts of a list to others.
func (s *store) unpack(to []fact, i int) []fact {
	var last lately
	l, first := &s.lists[i], len(to)
	to = grown(to, l.count)
	for _, piece := range l.full {
		to = s.unpackPiece(to, piece, &last)
	}
	to = s.unpackPiece(to, l.open, &last)
	if s.ids != nil {
		for k := range to[first:] {
			f := &to[first+k]
			f.setRecipient(movedRecipient(f.recipient(), s.ids))
		}
	}
	return to
}

func (s *store) unpackPiece(to []fact, b []byte, last *lately) []fact {
	for i := 0; i < len(b); {
		head := b[i]
		var a about
		switch {
		case head&knownBit != 0:
			a = last.about[head&slotMask]
			i++
		case head&namelessBit != 0:
			width := recipientWidth(head)
			a.recipient = recipientFrom(b[i+1:], width)
			i += 1 + width
		default:
			width := recipientWidth(head)
			a = about{binary.LittleEndian.Uint64(b[i+1:]), recipientFrom(b[i+9:], width)}
			last.about[slotOf(a.message)] = a
			i += 9 + width
		}
		var kind, at, line uint64
		kind, i = uvarint(b, i)
		at, i = uvarint(b, i)
		last.at += unstep(at)
		f := s.kinds.all[kind]
		if head&nowhereBit == 0 {
			line, i = uvarint(b, i)
			last.line += uint32(unzigzag(line))
			f.line = last.line
		}
		f.message = a.message
		f.who |= a.recipient
		f.when |= last.at << fileBits
		if f.bits&laterBits != 0 {
			i = f.unpackLater(b, i)
		}
		to = append(to, f)
	}
	return to
}

// unpackLater reads the statuses that a fact stands for, at an offset, and gives the offset behind them.
func (f *fact) unpackLater(b []byte, i int) int {
	for k := range f.later {
		if f.bits&(laterBit<<k) != 0 {
			var seconds, lines uint64
			seconds, i = uvarint(b, i)
			lines, i = uvarint(b, i)
			f.later[k] = Later{uint16(seconds), uint16(lines)}
		}
	}
	return i
}

// uvarint is binary.Uvarint at an offset, and the offset behind it. Most are of one or two bytes.
func uvarint(b []byte, i int) (uint64, int) {
	if b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	if b[i+1] < 0x80 {
		return uint64(b[i]&0x7f) | uint64(b[i+1])<<7, i + 2
	}
	n, width := binary.Uvarint(b[i:])
	return n, i + width
}

// zigzag makes a number without a sign of one with it, the smaller the nearer it is to 0.
func zigzag(n int64) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

// unzigzag is the signed number that AppendVarint wrote.
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// each unpacks every fact of a store.
func (s *store) each() iter.Seq[fact] {
	return func(yield func(fact) bool) {
		var room []fact
		for i := range s.lists {
			room = s.unpack(room[:0], i)
			for _, f := range room {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// kinds are the facts that occur, but for message, recipient, time and line: a log has few of them.
type kinds struct {
	all    []fact
	index  map[kindKey]int
	recent [64]recentKind // so that the map is hardly ever asked
}

type kindKey struct {
	file   uint32
	number uint16
	code   uint16
	bits   uint16
}

type recentKind struct {
	kindKey
	id int // plus 1
}

func (k *kinds) id(f *fact) int {
	key := kindKey{uint32(f.file()), f.number, uint16(f.code()), f.bits}
	r := &k.recent[(uint(key.number)*7+uint(key.bits)+uint(key.bits)>>8*5+uint(key.code)*3+uint(key.file))%uint(len(k.recent))]
	if r.kindKey == key && r.id > 0 {
		return r.id - 1
	}
	id, known := k.index[key]
	if !known {
		if k.index == nil {
			k.index = map[kindKey]int{}
		}
		id = len(k.all)
		k.index[key] = id
		k.all = append(k.all, fact{number: f.number, bits: f.bits, who: f.who &^ whoMask, when: int64(f.file())})
	}
	r.kindKey, r.id = key, id+1
	return id
}

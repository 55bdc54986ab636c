package analyze

import (
	"iter"
	"math/bits"
	"slices"
)

// list is facts that stay where they are: full pieces, and one that is being filled.
type list struct {
	full [][]fact
	open []fact
}

const pieceLength = 256 // facts, 8 KiB

func (l *list) add(f fact) {
	if len(l.open) == cap(l.open) {
		l.grow()
	}
	l.open = append(l.open, f)
}

// grow begins the next piece. The first ones are small, for logs of a few lines.
func (l *list) grow() {
	if len(l.open) > 0 {
		l.full = append(l.full, l.open)
	}
	l.open = make([]fact, 0, min(pieceLength, max(4, 2*cap(l.open))))
}

// take moves another list's facts to this one.
func (l *list) take(from *list) {
	l.full = append(l.full, from.full...)
	if len(from.open) > 0 {
		l.full = append(l.full, from.open)
	}
	*from = list{}
}

// each yields every fact, to be read or changed.
func (l *list) each() iter.Seq[*fact] {
	return func(yield func(*fact) bool) {
		for _, piece := range l.full {
			for i := range piece {
				if !yield(&piece[i]) {
					return
				}
			}
		}
		for i := range l.open {
			if !yield(&l.open[i]) {
				return
			}
		}
	}
}

// put writes facts back, as many as were gathered.
func (l *list) put(facts []fact) {
	for _, piece := range l.full {
		facts = facts[copy(piece, facts):]
	}
	copy(l.open, facts)
}

// room is where one goroutine sorts one list after the other.
type room struct{ facts, spare []fact }

// gather copies the facts of a list one behind the other.
func (r *room) gather(l *list) {
	r.facts = r.facts[:0]
	for _, piece := range l.full {
		r.facts = append(r.facts, piece...)
	}
	r.facts = append(r.facts, l.open...)
}

// sort brings facts of one key together, and those of each key into order. The keys are hashes: the facts are dealt out by them first, and only what meets is compared.
func (r *room) sort(key func(*fact) uint64, order func(a, b fact) int) {
	const piles = 1 << 12
	if len(r.facts) < piles/8 {
		slices.SortFunc(r.facts, order)
		return
	}
	var end [piles]int
	pile := func(f *fact) int { return int(key(f) << (64 - listShift) >> (64 - 12)) }
	for i := range r.facts {
		end[pile(&r.facts[i])]++
	}
	for i := 1; i < piles; i++ {
		end[i] += end[i-1]
	}
	r.spare = slices.Grow(r.spare[:0], len(r.facts))[:len(r.facts)]
	for i := len(r.facts) - 1; i >= 0; i-- {
		p := pile(&r.facts[i])
		end[p]--
		r.spare[end[p]] = r.facts[i]
	}
	r.facts, r.spare = r.spare, r.facts
	for i := range piles {
		to := len(r.facts)
		if i+1 < piles {
			to = end[i+1]
		}
		slices.SortFunc(r.facts[end[i]:to], order)
	}
}

// names keeps texts under small numbers, from 1; 0 is the empty text.
type names struct {
	index  map[string]int
	all    []string
	latest int
	over   bool // there were more than fit: the last number stands for several
}

// id is the number of a text, at most the given one.
func (n *names) id(text []byte, most int) int {
	if len(text) == 0 {
		return 0
	}
	if n.latest > 0 && n.all[n.latest-1] == string(text) { // most logs have one business number
		return n.latest
	}
	i, known := n.index[string(text)]
	if !known {
		i = n.add(string(text), most)
	}
	n.latest = i
	return i
}

func (n *names) add(text string, most int) int {
	if len(n.all) == most {
		n.over = true
		return most
	}
	if n.index == nil {
		n.index = map[string]int{}
	}
	n.all = append(n.all, text)
	n.index[text] = len(n.all)
	return len(n.all)
}

// text is what has the number i.
func (n *names) text(i int) string {
	if i == 0 {
		return ""
	}
	return n.all[i-1]
}

// into adds all texts to another set and says which number each has there.
func (n *names) into(to *names, most int) []int {
	moved := make([]int, len(n.all)+1)
	for i, text := range n.all {
		moved[i+1] = to.id([]byte(text), most)
	}
	to.over = to.over || n.over
	return moved
}

// codes keeps error codes under small numbers, 0 for none.
type codes struct{ all []int }

func (c *codes) index(code int) int {
	if code == 0 {
		return 0
	}
	if i := slices.Index(c.all, code); i >= 0 {
		return i + 1
	}
	if len(c.all) == maxCodes { // no log has so many; a table whose numbers are no codes may
		return maxCodes
	}
	c.all = append(c.all, code)
	return len(c.all)
}

func (c *codes) code(i int) int {
	if i == 0 {
		return 0
	}
	return c.all[i-1]
}

func (c *codes) into(to *codes) []int {
	moved := make([]int, len(c.all)+1)
	for i, code := range c.all {
		moved[i+1] = to.index(code)
	}
	return moved
}

// hash spreads an id over 64 bits. It has no seed, since the same log must give the same report.
func hash(b []byte) uint64 {
	h := uint64(len(b)) * 0x9e3779b97f4a7c15
	for ; len(b) >= 8; b = b[8:] {
		h = mix(h^0xa0761d6478bd642f, word(b)^0xe7037ed1a0b428db)
	}
	var rest uint64
	for i, c := range b {
		rest |= uint64(c) << (8 * i)
	}
	return mix(h^0x8ebc6af09c88c6e3, rest^0x589965cc75374cc3)
}

func word(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// mix folds the 128 bits of a product into 64.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x2d358dccaa6c78a5, b^0x8bb84b93962eacc9)
	return hi ^ lo
}

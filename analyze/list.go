package analyze

import (
	"math/bits"
	"slices"
)

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

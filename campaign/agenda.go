package campaign

import "slices"

// entry is a chain that waits: until an instant, or for its turn by slack. The smaller key goes first, then the earlier message.
type entry struct {
	key   int64
	seq   uint32
	chain uint32
}

func (e entry) before(o entry) bool { return e.key < o.key || e.key == o.key && e.seq < o.seq }

// agenda is a heap of entries. Equal inputs give equal orders, since no two entries are equal.
type agenda []entry

func (a *agenda) push(e entry) {
	h := append(*a, e)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
	*a = h
}

// pop takes the first entry out.
func (a *agenda) pop() entry {
	h := *a
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*a = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for {
		least := 4*i + 1
		if least >= len(h) {
			break
		}
		for child := least + 1; child < min(4*i+5, len(h)); child++ {
			if h[child].before(h[least]) {
				least = child
			}
		}
		if !h[least].before(last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return first
}

// drop takes the entries of some chains out.
func (a *agenda) drop(chains map[uint32]bool) {
	old := *a
	if !slices.ContainsFunc(old, func(e entry) bool { return chains[e.chain] }) {
		return
	}
	*a = old[:0]
	for _, e := range old {
		if !chains[e.chain] {
			a.push(e)
		}
	}
}

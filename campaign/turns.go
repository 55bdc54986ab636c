package campaign

import (
	"cmp"
	"slices"

	"github.com/wactl/wactl/normalize/largepages"
)

// turns is the chains whose turn it is, by slack and then in file order. Few slacks differ, since chains are counted in messages: each has a
// pile. The zero value is empty.
type turns struct {
	piles []*pile // none is empty; the least slack last
	spare []*pile
}

func (t *turns) len() int { return len(t.piles) }

func (t *turns) push(e entry) {
	t.pile(e.key).push(turn(e.seq)<<32 | turn(e.chain))
}

// pile is that of a slack.
func (t *turns) pile(key int64) *pile {
	i, found := slices.BinarySearchFunc(t.piles, key, func(p *pile, key int64) int { return cmp.Compare(key, p.key) })
	if !found {
		p := &pile{}
		if n := len(t.spare); n > 0 {
			p, t.spare = t.spare[n-1], t.spare[:n-1]
		}
		p.key = key
		t.piles = slices.Insert(t.piles, i, p)
	}
	return t.piles[i]
}

// first is the entry that goes first; there is one.
func (t *turns) first() entry {
	p := t.piles[len(t.piles)-1]
	return p.first().entry(p.key)
}

// pop takes the first entry out.
func (t *turns) pop() entry {
	last := len(t.piles) - 1
	p := t.piles[last]
	e := p.pop().entry(p.key)
	if len(p.run)+len(p.late) == 0 {
		t.piles, t.spare = t.piles[:last], append(t.spare, p)
	}
	return e
}

// drop takes the turns of some chains out.
func (t *turns) drop(chains map[uint32]bool) {
	t.piles = slices.DeleteFunc(t.piles, func(p *pile) bool {
		p.drop(chains)
		empty := len(p.run)+len(p.late) == 0
		if empty {
			t.spare = append(t.spare, p)
		}
		return empty
	})
}

// ahead is the turns that come next, once for so many: see [queue.fetch].
func (t *turns) ahead() []turn {
	if len(t.piles) == 0 {
		return nil
	}
	run := t.piles[len(t.piles)-1].run
	if len(run)%fetches != 0 {
		return nil
	}
	return run[:min(fetches, len(run))]
}

// turn is an entry without its key: the message's step above the chain.
type turn uint64

func (t turn) entry(key int64) entry { return entry{key, uint32(t >> 32), uint32(t)} }

// pile is turns of one slack. Often it is filled before its first turn comes: then it is sorted once, and only what comes late needs a heap.
type pile struct {
	key  int64
	run  []turn // in order
	late []turn // a heap
}

func (p *pile) push(t turn) {
	h := append(p.late, t)
	i := len(h) - 1
	for ; i > 0 && t < h[(i-1)/4]; i = (i - 1) / 4 {
		h[i] = h[(i-1)/4]
	}
	h[i] = t
	p.late = h
}

func (p *pile) drop(chains map[uint32]bool) {
	p.run = slices.DeleteFunc(p.run, func(t turn) bool { return chains[uint32(t)] })
	old := p.late
	p.late = old[:0]
	for _, t := range old {
		if !chains[uint32(t)] {
			p.push(t)
		}
	}
}

func (p *pile) first() turn {
	if len(p.run) == 0 || len(p.late) > 0 && p.late[0] < p.run[0] {
		return p.late[0]
	}
	return p.run[0]
}

// sorting pays from so many turns on.
const sortFrom = 256

func (p *pile) pop() turn {
	if len(p.run) == 0 && len(p.late) >= sortFrom {
		p.run, p.late = sorted(p.late), nil
	}
	if len(p.run) == 0 || len(p.late) > 0 && p.late[0] < p.run[0] {
		return p.popLate()
	}
	t := p.run[0]
	p.run = p.run[1:]
	return t
}

func (p *pile) popLate() turn {
	h := p.late
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	p.late = h
	i := 0
	for least := 1; least < len(h); least = 4*i + 1 {
		for child := least + 1; child < min(4*i+5, len(h)); child++ {
			if h[child] < h[least] {
				least = child
			}
		}
		if last <= h[least] {
			break
		}
		h[i] = h[least]
		i = least
	}
	if len(h) > 0 {
		h[i] = last
	}
	return first
}

// sorted orders turns by their steps, eleven bits at a time: a step occurs once.
func sorted(from []turn) []turn {
	const bits, mask = 11, 1<<11 - 1
	to := largepages.Make[turn](len(from))
	for shift := 32; shift < 64; shift += bits {
		var at [mask + 1]int
		for _, t := range from {
			at[t>>shift&mask]++
		}
		sum := 0
		for i, n := range at {
			at[i] = sum
			sum += n
		}
		for _, t := range from {
			to[at[t>>shift&mask]] = t
			at[t>>shift&mask]++
		}
		from, to = to, from
	}
	return from
}

package ratelimit

import "math"

// counting is people who count for a messaging limit, with the latest message of each: a table without pointers. The zero value is empty.
type counting struct {
	table []counts // its size is a power of two
	taken int      // places that were taken, by people who count no more too
	size  int      // people who count
}

// counts is a recipient with the instant of the latest message, one bit turned so that the zero value is free.
type counts struct {
	recipient uint64
	at        uint64
}

// The marks of a place: no instants.
const (
	freePlace = iota
	goneFrom
)

func mark(t Instant) uint64       { return uint64(t) ^ 1<<63 }
func (c counts) instant() Instant { return Instant(c.at ^ 1<<63) }

func (p *counting) find(recipient uint64) *counts {
	mask := uint64(len(p.table) - 1)
	at := scattered(recipient) & mask
	for p.table[at].at != freePlace && p.table[at].recipient != recipient {
		at = (at + 1) & mask
	}
	return &p.table[at]
}

// get is the latest message of somebody who counts.
func (p *counting) get(recipient uint64) (at Instant, ok bool) {
	if p.size == 0 {
		return math.MinInt64, false
	}
	c := p.find(recipient)
	return c.instant(), c.at > goneFrom
}

// set says when somebody's latest message was.
func (p *counting) set(recipient uint64, t Instant) {
	if 4*p.taken >= 3*len(p.table) {
		p.sweep()
	}
	c := p.find(recipient)
	if c.at == freePlace {
		p.taken++
	}
	if c.at <= goneFrom {
		p.size++
	}
	*c = counts{recipient, mark(t)}
}

// drop says that somebody counts no more.
func (p *counting) drop(recipient uint64) {
	if _, ok := p.get(recipient); ok {
		p.find(recipient).at = goneFrom
		p.size--
	}
}

// sweep frees the places of those who count no more, and leaves room for as many as do.
func (p *counting) sweep() {
	old, size := p.table, 64
	for size < 2*p.size+2 {
		size *= 2
	}
	p.table, p.taken = make([]counts, size), p.size
	for _, c := range old {
		if c.at > goneFrom {
			*p.find(c.recipient) = c
		}
	}
}

// scattered hashes a recipient: neighbours in a list of numbers end far apart.
func scattered(recipient uint64) uint64 {
	h := recipient * 0x9e3779b97f4a7c15
	return (h ^ h>>32) * 0xd6e8feb86659fd93 >> 32
}

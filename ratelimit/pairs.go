package ratelimit

// pairs is the state of each pair that is not clear, by recipient: a table without pointers in which a look touches one line of memory.
// The zero value is empty.
type pairs struct {
	table []known // its size is a power of two
	count int
}

// known is a pair's state beside its recipient, in half a line of memory.
type known struct {
	recipient      uint64
	clearAt, start Instant
	count          int32
	flying         uint16 // messages without an answer: only it says until when the pair is bound
	used           bool
}

// over says that the pair is clear at now, whatever answer comes; at 0 none is.
func (k *known) over(now Instant) bool { return k.flying == 0 && k.clearAt <= now }

// lands counts an answer.
func (k *known) lands() { k.flying -= min(k.flying, 1) }

func (k *known) state() PairState {
	return PairState{ClearAt: k.clearAt, Start: k.start, Count: int(k.count)}
}

func (k *known) set(s PairState) { k.clearAt, k.start, k.count = s.ClearAt, s.Start, int32(s.Count) }

// find is the place of a recipient's pair, or one where it may stand: free, or of a pair that is over at now.
func (p *pairs) find(recipient uint64, now Instant) *known {
	mask := uint64(len(p.table) - 1)
	at := scattered(recipient) & mask
	var clear *known
	for k := &p.table[at]; k.used; k = &p.table[at] {
		if k.recipient == recipient {
			return k
		}
		if clear == nil && k.over(now) {
			clear = k
		}
		at = (at + 1) & mask
	}
	if clear != nil {
		return clear
	}
	return &p.table[at]
}

// get is the state of a pair; the zero state when nothing is known of it.
func (p *pairs) get(recipient uint64) PairState {
	if p.count == 0 {
		return PairState{}
	}
	return p.find(recipient, 0).state()
}

// has says whether something is known of a pair.
func (p *pairs) has(recipient uint64) bool { return p.count > 0 && p.find(recipient, 0).used }

// at is a pair to change. A new one takes the place of a pair that is over at now, so that memory holds the live ones only. What it gives is
// valid until the next call.
func (p *pairs) at(recipient uint64, now Instant) *known {
	if p.table == nil {
		p.sweep(now)
	}
	k := p.find(recipient, now)
	if !k.used && 4*p.count >= 3*len(p.table) {
		p.sweep(now)
		k = p.find(recipient, now)
	}
	if k.used && k.recipient == recipient {
		return k
	}
	if !k.used {
		p.count++
	}
	*k = known{recipient: recipient, used: true}
	return k
}

// sweep forgets the pairs that are over and leaves room for as many as remain.
func (p *pairs) sweep(now Instant) {
	old, live := p.table, 0
	for i := range old {
		if old[i].used && !old[i].over(now) {
			live++
		}
	}
	size := 1024
	for size < 2*live+2 {
		size *= 2
	}
	p.table, p.count = make([]known, size), live
	for i := range old {
		if old[i].used && !old[i].over(now) {
			*p.find(old[i].recipient, 0) = old[i]
		}
	}
}

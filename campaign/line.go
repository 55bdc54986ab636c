package campaign

// line is entries that mostly come in order, since most wait for equally long: those stand in a ring, and only the others in an agenda.
type line struct {
	ring  []entry // its size is a power of two
	head  int
	count int // in the ring
	early agenda
}

func (l *line) len() int { return l.count + len(l.early) }

func (l *line) push(e entry) {
	if l.count > 0 && e.before(l.ring[(l.head+l.count-1)&(len(l.ring)-1)]) {
		l.early.push(e)
		return
	}
	if l.count == len(l.ring) {
		l.grow()
	}
	l.ring[(l.head+l.count)&(len(l.ring)-1)] = e
	l.count++
}

// first is the entry that goes first; there is one.
func (l *line) first() entry {
	if l.count == 0 || len(l.early) > 0 && l.early[0].before(l.ring[l.head]) {
		return l.early[0]
	}
	return l.ring[l.head]
}

// pop takes the first entry out.
func (l *line) pop() entry {
	if l.count == 0 || len(l.early) > 0 && l.early[0].before(l.ring[l.head]) {
		return l.early.pop()
	}
	e := l.ring[l.head]
	l.head = (l.head + 1) & (len(l.ring) - 1)
	l.count--
	return e
}

// drop takes the entries of some chains out.
func (l *line) drop(chains map[uint32]bool) {
	l.early.drop(chains)
	mask, kept := len(l.ring)-1, 0
	for i := range l.count {
		if e := l.ring[(l.head+i)&mask]; !chains[e.chain] {
			l.ring[(l.head+kept)&mask] = e
			kept++
		}
	}
	l.count = kept
}

// ahead is the entries that go next, once for so many: see [queue.fetch].
func (l *line) ahead() []entry {
	if l.head%fetches != 0 {
		return nil
	}
	return l.ring[l.head : l.head+min(fetches, l.count)]
}

func (l *line) grow() {
	ring := make([]entry, max(2*len(l.ring), 64))
	n := copy(ring, l.ring[l.head:])
	copy(ring[n:], l.ring[:l.head])
	l.ring, l.head = ring, 0
}

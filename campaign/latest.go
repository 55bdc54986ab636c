package campaign

// latest finds each recipient's latest step. Its slots hold 32 bits of the recipient's hash and the step's place plus one; the recipient itself
// stands in the step. The zero value is empty.
type latest struct {
	slots  []uint64
	people int
}

// expect makes room for so many recipients.
func (l *latest) expect(people int) {
	size := 64
	for size < people*2 {
		size *= 2
	}
	l.slots = make([]uint64, size)
}

// slot is where a recipient stands, or where it would.
func (l *latest) slot(steps []planned, recipient uint64) (at uint64, h uint64) {
	h = spread(recipient) >> 32
	mask := uint64(len(l.slots) - 1)
	for at = h & mask; l.slots[at] != 0; at = (at + 1) & mask {
		if s := l.slots[at]; s>>32 == h && steps[uint32(s)-1].recipient == recipient {
			break
		}
	}
	return at, h
}

// find is a recipient's latest step, as its place plus one; 0 where there is none.
func (l *latest) find(steps []planned, recipient uint64) uint32 {
	if len(l.slots) == 0 {
		return 0
	}
	at, _ := l.slot(steps, recipient)
	return uint32(l.slots[at])
}

// set makes the last step its recipient's latest.
func (l *latest) set(steps []planned) {
	if l.people*2 >= len(l.slots) {
		l.grow()
	}
	at, h := l.slot(steps, steps[len(steps)-1].recipient)
	if l.slots[at] == 0 {
		l.people++
	}
	l.slots[at] = h<<32 | uint64(len(steps))
}

// grow doubles the room.
func (l *latest) grow() {
	old := l.slots
	l.expect(max(len(old), 64))
	mask := uint64(len(l.slots) - 1)
	for _, s := range old {
		if s == 0 {
			continue
		}
		at := s >> 32 & mask
		for l.slots[at] != 0 {
			at = (at + 1) & mask
		}
		l.slots[at] = s
	}
}

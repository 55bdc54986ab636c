package campaign

import "github.com/wactl/wactl/normalize/largepages"

// latest finds each recipient's latest step. Its slots hold 32 bits of the recipient's hash and the step's place plus one; the recipient itself
// stands in the step. The zero value is empty.
type latest struct {
	slots  []uint64
	people int
}

// expect makes room for so many recipients.
func (l *latest) expect(people int) {
	size := 64
	for size*3 < people*4 {
		size *= 2
	}
	old := l.slots
	if size <= len(old) {
		return
	}
	l.slots = largepages.Make[uint64](size)
	mask := uint64(size - 1)
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

// fetch reads where the recipients of some rows stand. Read one by one each place would be waited for; these do not depend on each other and come
// together. What it gives says nothing.
func (l *latest) fetch(rows []renderedRow) (sum uint64) {
	if len(l.slots) == 0 {
		return 0
	}
	mask := uint64(len(l.slots) - 1)
	for i := range rows {
		sum += l.slots[spread(rows[i].recipient)>>32&mask]
	}
	return sum
}

// slot is where a recipient stands, or where it would.
func (l *latest) slot(steps *steps, recipient uint64) (at uint64, h uint64) {
	h = spread(recipient) >> 32
	mask := uint64(len(l.slots) - 1)
	for at = h & mask; l.slots[at] != 0; at = (at + 1) & mask {
		if s := l.slots[at]; s>>32 == h && steps.at(int(uint32(s)-1)).recipient == recipient {
			break
		}
	}
	return at, h
}

// find is a recipient's latest step, as its place plus one; 0 where there is none.
func (l *latest) find(steps *steps, recipient uint64) uint32 {
	if len(l.slots) == 0 {
		return 0
	}
	at, _ := l.slot(steps, recipient)
	return uint32(l.slots[at])
}

// set makes the last step its recipient's latest.
func (l *latest) set(steps *steps) {
	if l.people*4 >= len(l.slots)*3 {
		l.expect(max(len(l.slots), 48))
	}
	at, h := l.slot(steps, steps.at(steps.len()-1).recipient)
	if l.slots[at] == 0 {
		l.people++
	}
	l.slots[at] = h<<32 | uint64(steps.len())
}

package analyze

import "slices"

// inOrder numbers business numbers, ids and codes anew, in the order of their texts and values: until here those that were met first came first, and what
// is settled by the order of facts must not depend on which ledger met what.
func (l *Ledger) inOrder() {
	if moved := l.ids.sort(); moved != nil {
		l.moveRecipients(moved)
	}
	numbers, codes := l.numbers.sort(), l.codes.sort()
	if numbers != nil {
		for i := range l.files {
			l.files[i].number = uint16(numbers[l.files[i].number])
		}
	}
	l.facts.kinds.move(numbers, codes)
}

// moveRecipients gives all that is kept of recipients the new numbers of their ids. The facts get them when they are unpacked.
func (l *Ledger) moveRecipients(moved []int) {
	l.facts.ids = moved
	parent, coded := make(map[uint64]uint64, len(l.users.parent)), make(map[uint64]bool, len(l.coded))
	for a, b := range l.users.parent {
		parent[movedRecipient(a, moved)] = movedRecipient(b, moved)
	}
	for r := range l.coded {
		coded[movedRecipient(r, moved)] = true
	}
	l.users.parent, l.coded = parent, coded
}

// movedRecipient is a recipient whose id, if it has one, got another number.
func movedRecipient(r uint64, moved []int) uint64 {
	if r <= lastDigits {
		return r
	}
	return idRecipient(moved[r-lastDigits])
}

// sort brings the texts into order and says which number each has now; nil: each has its own.
func (n *names) sort() []int {
	if slices.IsSorted(n.all) {
		return nil
	}
	before := slices.Clone(n.all)
	slices.Sort(n.all)
	for i, text := range n.all {
		n.index[text] = i + 1
	}
	moved := make([]int, len(before)+1)
	for i, text := range before {
		moved[i+1] = n.index[text]
	}
	n.latest = 0
	return moved
}

// sort brings the codes into order and says which number each has now; nil: each has its own.
func (c *codes) sort() []int {
	if slices.IsSorted(c.all) {
		return nil
	}
	before := codes{slices.Clone(c.all)}
	slices.Sort(c.all)
	return before.into(c)
}

// move gives the kinds of facts the new numbers of their business numbers and codes; nil: these have their own. Nothing may be added any more.
func (k *kinds) move(numbers, codes []int) {
	for i := range k.all {
		f := &k.all[i]
		if numbers != nil {
			f.number = uint16(numbers[f.number])
		}
		if codes != nil {
			f.setCode(codes[f.code()])
		}
	}
	k.index, k.recent = nil, [len(k.recent)]recentKind{}
}

package analyze

// people is a set of recipients, each under an id that is not 0. The zero value is empty.
//
// Every message of a log asks it, so it is a table that needs one look for nearly all who are not in it.
type people struct {
	slots []uint64 // a power of two of them, at most half full; 0 is free
	count int
}

// slot is where a recipient is, or where it belongs.
func (p *people) slot(r uint64) *uint64 {
	mask := uint64(len(p.slots) - 1)
	for i := mix(r, 1); ; i++ {
		if s := &p.slots[i&mask]; *s == r || *s == 0 {
			return s
		}
	}
}

func (p *people) add(r uint64) {
	if r == 0 {
		return
	}
	if 2*(p.count+1) > len(p.slots) {
		p.grow()
	}
	if s := p.slot(r); *s == 0 {
		*s = r
		p.count++
	}
}

func (p *people) grow() {
	const least = 16
	before := p.slots
	p.slots = make([]uint64, max(least, 2*len(before)))
	for _, r := range before {
		if r != 0 {
			*p.slot(r) = r
		}
	}
}

func (p *people) has(r uint64) bool { return p.count > 0 && r != 0 && *p.slot(r) == r }

package campaign

// arena keeps many small byte strings in large blocks, so that the garbage collector sees a few blocks and not a million strings.
type arena struct {
	blocks [][]byte
}

// span is where a byte string stands in an arena.
type span struct {
	block, from, size uint32
}

const arenaBlock = 1 << 20

func (a *arena) put(b []byte) span {
	n := len(a.blocks)
	if n == 0 || len(a.blocks[n-1])+len(b) > cap(a.blocks[n-1]) {
		a.blocks = append(a.blocks, make([]byte, 0, max(arenaBlock, len(b))))
		n++
	}
	last := &a.blocks[n-1]
	s := span{uint32(n - 1), uint32(len(*last)), uint32(len(b))}
	*last = append(*last, b...)
	return s
}

// get is valid as long as the arena is; it must not be changed.
func (a *arena) get(s span) []byte { return a.blocks[s.block][s.from : s.from+s.size] }

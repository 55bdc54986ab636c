package normalize

import (
	"math"
	"sync/atomic"
)

// claims are rows of which a short hash said that they say the same as an earlier row. Where that stands no more than reach lines above, the rest
// of its hash is there to ask. Of the others it is kept how many there are for each earlier one, and the sum of the long hashes of what they say:
// read again, the earlier rows must come to the same sum. The zero value holds none, and has no reach.
type claims struct {
	rests []*[claimPage]uint64 // in a ring of reach lines: the half of a hash that the set of recipients has no room for
	reach uint32
	pages []*[claimPage]uint8
	many  map[uint32]uint64 // counts beyond what a page has room for
	sum   hashed
}

// claimPage is how many lines share a piece of memory, and restLines how many lines the rest of a hash is kept for, in 8 bytes each: nearly all
// lists are read only once then, and no more than 8 MiB is taken for it.
const (
	claimPage = 4096
	restLines = 1 << 20
)

// first notes what the first row of a recipient says.
func (c *claims) first(line uint32, h hashed) {
	if c.reach > 0 {
		*pageAt(&c.rests, line%c.reach) = h[1]
	}
}

// same says whether the row in line at, which says h, and was taken for the same as the first row of its recipient, is so. Where nothing is there
// to ask, it is taken at its word, and noted.
func (c *claims) same(line, at uint32, h hashed) bool {
	if at-line < c.reach {
		return *pageAt(&c.rests, line%c.reach) == h[1]
	}
	c.add(line, h)
	return true
}

// pageAt is the place of a line in pages, which are made where there is none.
func pageAt[T any](pages *[]*[claimPage]T, line uint32) *T {
	page := int(line / claimPage)
	for page >= len(*pages) {
		*pages = append(*pages, nil)
	}
	if (*pages)[page] == nil {
		(*pages)[page] = new([claimPage]T)
	}
	return &(*pages)[page][line%claimPage]
}

// add notes that a row which says h was taken for the same as the one in that line.
func (c *claims) add(line uint32, h hashed) {
	switch n := pageAt(&c.pages, line); {
	case *n < math.MaxUint8:
		*n++
	case c.many == nil:
		c.many = map[uint32]uint64{line: 1}
	default:
		c.many[line]++
	}
	w := weight(line)
	c.sum[0] += h[0] * w
	c.sum[1] += h[1] * w
}

// count is how many rows were taken for the same as the one in that line.
func (c *claims) count(line int) uint64 {
	page := line / claimPage
	if page >= len(c.pages) || c.pages[page] == nil {
		return 0
	}
	n := uint64(c.pages[page][line%claimPage])
	if n == math.MaxUint8 {
		n += c.many[uint32(line)]
	}
	return n
}

// weight makes claims on one line differ from those on another. It is odd, so that no bit of a hash is lost.
func weight(line uint32) uint64 { return scatter(uint64(line)) | 1 }

// sums are those of the earlier rows. Many cores add to them, in any order.
type sums [2]atomic.Uint64

// add adds what the row in that line says, as often as it was claimed.
func (s *sums) add(line int, h hashed, times uint64) {
	w := weight(uint32(line)) * times
	s[0].Add(h[0] * w)
	s[1].Add(h[1] * w)
}

// are says whether the sums are those of the claims.
func (s *sums) are(c *claims) bool { return s[0].Load() == c.sum[0] && s[1].Load() == c.sum[1] }

// Confirm reads the list again, freshly opened, and says whether all rows that were taken for the same are. The check itself compares rows by
// at least 64 bits of a hash with those of the million lines above, but by 46 with others: these are compared here, by 64 or more. Where it is
// false, the verdicts do not hold; another check has other hashes.
func (c *Check) Confirm(again *List) (bool, error) {
	var same, twins sums
	each := func(b *Batch, v *Verdict) {
		said := c.content(&b.hand, v)
		if n := c.same.count(v.Line); n > 0 {
			same.add(v.Line, said.hash, n)
		}
		if n := c.twins.count(v.Line); n > 0 {
			twins.add(v.Line, said.identity, n)
		}
	}
	for _, err := range again.batches(batching{each: each, pass: func(line int) bool { return c.same.count(line) == 0 && c.twins.count(line) == 0 }}) {
		if err != nil {
			return false, err
		}
	}
	return same.are(&c.same) && twins.are(&c.twins), nil
}

// Repeated says whether any row was taken for the same as an earlier one and is not known to be, so that there is something to Confirm.
func (c *Check) Repeated() bool { return c.same.pages != nil || c.twins.pages != nil }

package approval

import (
	"encoding/base64"
	"math"
)

// buckets and the one byte in each are few on purpose: they tell how much differs, and are far too little to find anybody's number by.
const buckets = 64

// sketch is a set's outline: of two, one can tell about how many elements differ. The order of the elements does not matter.
type sketch [buckets]byte

// add puts an element into the bucket of its key. Equal elements add up, so that a second one is seen too.
func (s *sketch) add(key, element uint64) {
	s[mix(key)%buckets] += byte(mix(element)>>40) | 1 // never 0, or a new element could go unseen
}

// mix spreads the bits of a number; the same everywhere and for ever, since sketches are compared across machines.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s sketch) String() string { return base64.RawStdEncoding.EncodeToString(s[:]) }

// differ is about how many elements differ between two sketches, at least one; most is how many there can be.
func differ(a, b string, most int) int {
	x, errX := base64.RawStdEncoding.DecodeString(a)
	y, errY := base64.RawStdEncoding.DecodeString(b)
	if errX != nil || errY != nil || len(x) != buckets || len(y) != buckets {
		return most
	}
	d := 0
	for i := range x {
		if x[i] != y[i] {
			d++
		}
	}
	n := int(math.Round(-buckets * math.Log1p(-min(float64(d)/buckets, 1-0.5/buckets))))
	return min(max(n, d, 1), most)
}

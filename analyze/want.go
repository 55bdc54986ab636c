package analyze

import (
	"cmp"
	"math/bits"
	"slices"
)

// want is one fact whose record is wanted, and where it is to be kept.
type want struct {
	place   uint64
	message uint64
	to      *recorded
}

// compare brings wants into the order of their places.
func (w *want) compare(o *want) int {
	if w.place != o.place {
		return cmp.Compare(w.place, o.place)
	}
	return cmp.Compare(w.message, o.message)
}

// wantsOf are all records that are wanted, in the order of their places.
//
// There may be very many, and hardly two of one place: they are dealt out by it, and only what meets is compared.
func wantsOf(all []records) []want {
	end, pile := pilesOf(all)
	if len(end) == 0 {
		return nil
	}
	wants := make([]want, end[len(end)-1])
	for i := range all {
		r := &all[i]
		r.kept = make([]recorded, len(r.facts))
		for k, f := range r.facts {
			w := want{placeKey(f.place(), f.kind()), f.message, &r.kept[k]}
			to := &end[pile(w.place)]
			wants[*to] = w
			*to++
		}
	}
	from := int32(0)
	for _, to := range end[:len(end)-1] {
		if to-from > 1 {
			slices.SortFunc(wants[from:to], func(a, b want) int { return a.compare(&b) })
		}
		from = to
	}
	return wants
}

// pilesOf says into which pile a place is dealt, and where each pile begins among all wants; the last number is that of all wants.
func pilesOf(all []records) (begin []int32, pile func(place uint64) int) {
	n, least, most := 0, ^uint64(0), uint64(0)
	for i := range all {
		n += len(all[i].facts)
		for _, f := range all[i].facts {
			place := placeKey(f.place(), f.kind())
			least, most = min(least, place), max(most, place)
		}
	}
	if n == 0 {
		return nil, nil
	}
	shift := max(0, bits.Len64(most-least)-bits.Len(uint(n))) // about as many piles as wants
	pile = func(place uint64) int { return int((place - least) >> shift) }
	begin = make([]int32, pile(most)+2)
	for i := range all {
		for _, f := range all[i].facts {
			begin[pile(placeKey(f.place(), f.kind()))+1]++
		}
	}
	for i := 1; i < len(begin); i++ {
		begin[i] += begin[i-1]
	}
	return begin, pile
}

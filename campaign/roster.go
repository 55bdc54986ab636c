package campaign

import (
	"cmp"
	"slices"
)

// roster finds a person's messages among those that a send began with. It takes 4 bytes a message, and is made when the first person is named.
type roster struct {
	items  []Item
	places []uint32 // by recipient, then in file order
}

func newRoster(items []Item) *roster {
	r := &roster{items: items, places: make([]uint32, len(items))}
	for i := range r.places {
		r.places[i] = uint32(i)
	}
	slices.SortFunc(r.places, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(items[a].Recipient, items[b].Recipient), cmp.Compare(a, b))
	})
	return r
}

// of is the places of a person's messages, in file order.
func (r *roster) of(recipient uint64) []uint32 {
	if r == nil {
		return nil
	}
	from, _ := slices.BinarySearchFunc(r.places, recipient, func(at uint32, who uint64) int { return cmp.Compare(r.items[at].Recipient, who) })
	to := from
	for to < len(r.places) && r.items[r.places[to]].Recipient == recipient {
		to++
	}
	return r.places[from:to]
}

// placeOf is where a step stands among items, which are in order of their positions.
func placeOf(items []Item, seq uint32) (place uint32, ok bool) {
	at, ok := slices.BinarySearchFunc(items, seq, func(i Item, seq uint32) int { return cmp.Compare(i.Seq, seq) })
	return uint32(at), ok
}

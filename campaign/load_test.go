package campaign

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/ratelimit"
	"pgregory.net/rapid"
)

// TestLoadFindsWhoGetsSeveral holds the load against a map, for lists of one part and of many.
func TestLoadFindsWhoGetsSeveral(t *testing.T) {
	for name, n := range map[string]int{"small": 300, "large": 100_000} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				people := rapid.Uint64Range(1, uint64(3*n)).Draw(t, "people")
				step := rapid.SampledFrom([]uint64{1, 1000, 1 << 20, 1 << 40}).Draw(t, "step")
				seed := rapid.Uint64().Draw(t, "seed")
				items := make([]Item, rapid.IntRange(0, n).Draw(t, "messages"))
				for i := range items {
					items[i] = Item{Message: ratelimit.Message{Recipient: spread(seed+uint64(i)) % people * step}, Seq: uint32(i)}
				}
				checkLoad(t, items)
			})
		})
	}
}

func checkLoad(t *rapid.T, items []Item) {
	places := map[uint64][]uint32{}
	for i, item := range items {
		places[item.Recipient] = append(places[item.Recipient], uint32(i))
	}
	var want [][]uint32
	for _, of := range places {
		if len(of) > 1 {
			want = append(want, of)
		}
	}
	slices.SortFunc(want, func(a, b []uint32) int { return cmp.Compare(a[0], b[0]) })
	load := NewLoad(items)
	var got [][]uint32
	for of := range load.Repeats {
		got = append(got, of)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("who gets several (-want +got)\n%s", diff)
	}
	for i, item := range items {
		if load.Single(i) != (len(places[item.Recipient]) == 1) {
			t.Fatalf("message %d: single is %v", i, load.Single(i))
		}
	}
}

// byOrder is what waits in some order: the three of the queue.
type byOrder interface {
	push(entry)
	pop() entry
	first() entry
}

// heap is an agenda as the others are.
type heap struct{ agenda }

func (h *heap) first() entry { return h.agenda[0] }

// TestOrderOfEntries holds the agenda, the line and the turns against sorting.
func TestOrderOfEntries(t *testing.T) {
	for name, empty := range map[string]func() byOrder{
		"agenda": func() byOrder { return &heap{} },
		"line":   func() byOrder { return &line{} },
		"turns":  func() byOrder { return &turns{} },
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkOrder(t, empty()) })
		})
	}
}

// checkOrder fills and empties by turns, so that heaps, rings and sorted runs all come into play.
func checkOrder(t *rapid.T, a byOrder) {
	compare := func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.seq, b.seq)) }
	var all []entry // in order
	seq := uint32(0)
	keys := rapid.IntRange(0, 20).Draw(t, "keys")
	seed := rapid.Uint64().Draw(t, "seed")
	rising := rapid.Bool().Draw(t, "keys rise")
	for range rapid.IntRange(1, 6).Draw(t, "rounds") {
		for range rapid.SampledFrom([]int{1, 5, 300, 1500}).Draw(t, "more") {
			seq++
			e := entry{key: int64(spread(seed+uint64(seq)) % uint64(keys+1)), seq: uint32(spread(uint64(seq))), chain: seq}
			if rising {
				e.key += int64(seq) / 10
			}
			a.push(e)
			at, _ := slices.BinarySearchFunc(all, e, compare)
			all = slices.Insert(all, at, e)
		}
		for range rapid.IntRange(0, len(all)).Draw(t, "fewer") {
			if first, got := a.first(), a.pop(); got != all[0] || first != got {
				t.Fatalf("took out %v, first was %v, the least is %v", got, first, all[0])
			}
			all = all[1:]
		}
	}
	for _, want := range all {
		if got := a.pop(); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// TestMessagesComeBackInOrder holds that what comes back goes before what follows it, whatever the order in which it comes back.
func TestMessagesComeBackInOrder(t *testing.T) {
	q := queue{chains: make([]chain, 2), lanes: []*lane{{}}, came: map[uint32][]Item{}}
	for _, seq := range []uint32{3, 1, 4, 2} {
		q.returned(1, Item{Seq: seq})
	}
	for want := range uint32(4) {
		if left := q.left(&q.chains[1]); left != 4-int(want) {
			t.Fatalf("%d messages are left, want %d", left, 4-want)
		}
		if item := q.take(&q.chains[1]); item.Seq != want+1 {
			t.Fatalf("place %d has message %d", want, item.Seq)
		}
	}
	if q.left(&q.chains[1]) != 0 || len(q.came) != 0 {
		t.Fatal("a chain that is used up has messages left")
	}
}

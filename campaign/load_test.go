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

// TestAgendaGivesInOrder holds the heap against sorting.
func TestAgendaGivesInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a agenda
		var all []entry
		for i := range rapid.IntRange(0, 200).Draw(t, "n") {
			e := entry{key: int64(rapid.IntRange(0, 20).Draw(t, "key")), seq: uint32(i)}
			a.push(e)
			all = append(all, e)
			if rapid.IntRange(0, 3).Draw(t, "take one out") == 0 {
				least := slices.MinFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.seq, b.seq)) })
				if got := a.pop(); got != least {
					t.Fatalf("took out %v, the least is %v", got, least)
				}
				all = slices.DeleteFunc(all, func(e entry) bool { return e == least })
			}
		}
		slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.seq, b.seq)) })
		for i, want := range all {
			if got := a.pop(); got != want {
				t.Fatalf("at place %d: %v, want %v", i, got, want)
			}
		}
	})
}

// TestMessagesComeBackInOrder holds that what comes back goes before what follows it, whatever the order in which it comes back.
func TestMessagesComeBackInOrder(t *testing.T) {
	var c chain
	for _, seq := range []uint32{3, 1, 4, 2} {
		c.returned(Item{Seq: seq})
	}
	for i, item := range c.back {
		if item.Seq != uint32(i+1) {
			t.Fatalf("place %d has message %d", i, item.Seq)
		}
	}
}

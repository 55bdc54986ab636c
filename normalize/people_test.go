package normalize

import (
	"maps"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// TestPeopleRemembersWhoStandsFirst holds the set against a map, over numbers that are near each other, far apart and too long for a slot.
func TestPeopleRemembersWhoStandsFirst(t *testing.T) {
	type first struct {
		line uint32
		said int
	}
	rapid.Check(t, func(t *rapid.T) {
		var p people
		known := map[uint64]first{}
		p.expect(rapid.SampledFrom([]int{0, 1, 100_000}).Draw(t, "expected"))
		digits := rapid.OneOf(rapid.Uint64Range(1, 40), rapid.Uint64Range(5511900000000, 5511900003000), rapid.Uint64Range(1<<keyBits-2, 1<<keyBits+2))
		h := newHasher()
		says := []hashed{h.of([]byte("a")), h.of([]byte("b")), h.of(nil)}
		for line := range uint32(rapid.IntRange(0, 2000).Draw(t, "rows")) {
			d, said := digits.Draw(t, "digits"), rapid.IntRange(0, len(says)-1).Draw(t, "said")
			was, again := known[d]
			if got := p.line(d); got != was.line {
				t.Fatalf("%d stands first in line %d, want %d", d, got, was.line)
			}
			if got, want := p.put(d, line+1, says[said]), (place{was.line, again && was.said == said}); got != want {
				t.Fatalf("put %d in line %d: %+v, want %+v", d, line+1, got, want)
			}
			if !again {
				known[d] = first{line + 1, said}
			}
		}
		if p.len != len(known) {
			t.Fatalf("%d recipients, want %d", p.len, len(known))
		}
	})
}

// TestPeopleIsSmall holds the memory of a recipient, above the 64 MiB that any list may take, at every size on the way. Of a list whose size
// is known, half the rows may repeat others.
func TestPeopleIsSmall(t *testing.T) {
	const most, free, all, step = 24, 64 << 20, 5_000_000, 100_000
	for _, expected := range []int{0, all} {
		var p people
		p.expect(expected)
		for n := uint64(1); n <= all; n++ {
			p.put(5511_000000000+n*7, uint32(n), hashed{n, n})
			if n%step != 0 || n < uint64(expected/2) {
				continue
			}
			size := 0
			for _, t := range p.parts {
				size += cap(t.slots) * int(unsafe.Sizeof(slot{}))
			}
			if size > free+most*int(n) {
				t.Fatalf("%d recipients of %d expected take %d bytes, %d each", n, expected, size, size/int(n))
			}
		}
	}
}

// TestPeopleCanBeReplaced holds get, set and all against a map.
func TestPeopleCanBeReplaced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p people
		want := map[uint64]saidAt{}
		digits := rapid.OneOf(rapid.Uint64Range(1, 20), rapid.Uint64Range(1<<keyBits-2, 1<<keyBits+2))
		for range rapid.IntRange(0, 200).Draw(t, "people") {
			d := digits.Draw(t, "digits")
			at := saidAt{rapid.Uint32().Draw(t, "line"), rapid.Uint64Range(0, 1<<46-1).Draw(t, "tag")}
			was, known := p.get(d)
			if before, ok := want[d]; ok != known || was != before {
				t.Fatalf("%d: %v %v, want %v %v", d, was, known, before, ok)
			}
			p.set(d, at)
			want[d] = at
		}
		if got := maps.Collect(p.all()); !maps.Equal(got, want) || p.len != len(want) {
			t.Fatalf("%d people %v, want %v", p.len, got, want)
		}
	})
}

package campaign

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSteps holds steps in pages against a slice, through the bounds of pages.
func TestSteps(t *testing.T) {
	const page = 1 << pageBits
	for _, n := range []int{0, 1, page - 1, page, page + 1, 2*page + 5} {
		var s steps
		var want []uint64
		if n%2 == 1 {
			s.expect(n)
		}
		for i := range n {
			s.add(planned{recipient: uint64(i)})
			want = append(want, uint64(i))
		}
		hold := func(doing string) {
			t.Helper()
			var got []uint64
			for i, one := range s.all() {
				if s.at(i) != one {
					t.Fatalf("%s: step %d is not at its place", doing, i)
				}
				got = append(got, one.recipient)
			}
			if s.len() != len(want) || !slices.Equal(got, want) {
				t.Fatalf("%s of %d: %d steps, want %d", doing, n, len(got), len(want))
			}
		}
		hold("adding")
		out := func(who uint64) bool { return who%3 == 1 }
		s.drop(func(one *planned) bool { return out(one.recipient) })
		want = slices.DeleteFunc(want, out)
		hold("dropping")
		s.add(planned{recipient: 7})
		want = append(want, 7)
		hold("adding again")
		s.cut(len(want) / 2)
		want = want[:len(want)/2]
		hold("cutting")
	}
}

// TestLatest holds the table of latest steps against a map, with and without an expectation that may be wrong.
func TestLatest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l latest
		var s steps
		want := map[uint64]uint32{}
		expected := rapid.IntRange(0, 300).Draw(t, "expected")
		when := rapid.IntRange(0, 200).Draw(t, "told after")
		for i := range rapid.IntRange(0, 400).Draw(t, "steps") {
			if i == when {
				l.expect(expected)
			}
			who := rapid.Uint64Range(0, 150).Draw(t, "who")
			if got := l.find(&s, who); got != want[who] {
				t.Fatalf("the latest of %d is %d, want %d", who, got, want[who])
			}
			s.add(planned{recipient: who})
			l.set(&s)
			want[who] = uint32(s.len())
		}
		for who, at := range want {
			if got := l.find(&s, who); got != at {
				t.Fatalf("the latest of %d is %d, want %d", who, got, at)
			}
		}
	})
}

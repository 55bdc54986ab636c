package analyze

import (
	"testing"

	"pgregory.net/rapid"
)

// TestPeopleIsASet holds the table against a map.
func TestPeopleIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.OneOf(rapid.Uint64Range(0, 40), rapid.Uint64())
		var p people
		want := map[uint64]bool{}
		for _, r := range rapid.SliceOf(one).Draw(t, "added") {
			p.add(r)
			want[r] = r != 0 // 0 is nobody
		}
		delete(want, 0)
		for _, r := range rapid.SliceOf(one).Draw(t, "asked") {
			if p.has(r) != want[r] {
				t.Fatalf("has(%d) is %t", r, p.has(r))
			}
		}
		for r := range want {
			if !p.has(r) {
				t.Fatalf("%d is lost", r)
			}
		}
		if p.count != len(want) {
			t.Fatalf("%d people, want %d", p.count, len(want))
		}
	})
}

// TestTimelineOrder holds that the order of timelines is one: what sorts by it must not depend on where it began.
func TestTimelineOrder(t *testing.T) {
	one := rapid.Custom(func(t *rapid.T) fact {
		f := Fact{
			Kind: Kind(rapid.IntRange(0, 9).Draw(t, "kind")), Number: uint16(rapid.IntRange(0, 1).Draw(t, "number")),
			Recipient: rapid.Uint64Range(1, 2).Draw(t, "recipient"), Message: rapid.Uint64Range(0, 2).Draw(t, "message"),
			At: rapid.Int64Range(0, 2).Draw(t, "at"), Place: Place{rapid.IntRange(0, 1).Draw(t, "file"), rapid.IntRange(0, 3).Draw(t, "line")},
		}.pack(0)
		f.setRole(role(rapid.IntRange(0, int(incoming)).Draw(t, "role")))
		return f
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := one.Draw(t, "a"), one.Draw(t, "b"), one.Draw(t, "c")
		switch {
		case byPair(&a, &b) != -byPair(&b, &a):
			t.Fatalf("one is before the other, and behind it")
		case byPair(&a, &b) < 0 && byPair(&b, &c) < 0 && byPair(&a, &c) >= 0:
			t.Fatalf("before what is before the third, but not before it")
		case byPair(&a, &b) == 0 && a != b:
			t.Fatalf("alike in the order, and not the same")
		}
	})
}

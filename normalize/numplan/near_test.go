package numplan

import "testing"

// Brought near, the table says what it said before, and is copied once only.
func TestNear(t *testing.T) {
	before := Lookup(55, "11987654321")
	Near()
	near := table.Load()
	if near == &embedded || *near != embedded {
		t.Error("the table is not a copy")
	}
	if after := Lookup(55, "11987654321"); !after.Valid() || after != before {
		t.Errorf("%v, but %v before", after, before)
	}
	if Near(); table.Load() != near {
		t.Error("copied twice")
	}
}

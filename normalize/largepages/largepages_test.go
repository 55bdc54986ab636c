package largepages

import "testing"

// TestMakeIsMake holds that memory is as long and as empty as make's, whatever its size, and that asking changes nothing in it.
func TestMakeIsMake(t *testing.T) {
	for _, n := range []int{0, 1, 7, worthyOf/8 - 1, worthyOf / 8, worthyOf} {
		all := Make[uint64](n)
		if len(all) != n {
			t.Fatalf("%d values, want %d", len(all), n)
		}
		for i, v := range all {
			if v != 0 {
				t.Fatalf("value %d of %d is %d", i, n, v)
			}
			all[i] = uint64(i)
		}
		Around(all)
		Around(all[n/2:])
		Ahead(page)
		for i, v := range all {
			if v != uint64(i) {
				t.Fatalf("value %d of %d became %d", i, n, v)
			}
		}
	}
}

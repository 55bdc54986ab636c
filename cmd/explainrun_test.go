package cmd

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestKeepMemory holds that little may be held while little lives, and more than that when much does, with a little headroom.
func TestKeepMemory(t *testing.T) {
	t.Cleanup(func() {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
	})
	reaches := func(what string, ok func(limit int64) bool) {
		t.Helper()
		const tries = 1000 // what follows a collection is run a little after it
		for range tries {
			if ok(debug.SetMemoryLimit(-1)) {
				return
			}
			runtime.GC()
		}
		t.Errorf("%s: the limit stays %d bytes", what, debug.SetMemoryLimit(-1))
	}
	const much = 4 * logMemory
	large := make([]byte, much)
	keepMemory(0)
	reaches("much lives", func(limit int64) bool { return limit > much && limit < 2*much })
	runtime.KeepAlive(large)
	large = nil
	reaches("little lives", func(limit int64) bool { return limit < much })
}

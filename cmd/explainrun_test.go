package cmd

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// TestKeepHeap holds that the collector leaves a small heap alone, and a large one little headroom.
func TestKeepHeap(t *testing.T) {
	t.Cleanup(func() { debug.SetGCPercent(100) })
	percent := func() int {
		p := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(p)
		return int(p[0].Value.Uint64())
	}
	reaches := func(what string, ok func(int) bool) {
		t.Helper()
		const tries = 1000 // what follows a collection is run a little after it
		for range tries {
			if ok(percent()) {
				return
			}
			runtime.GC()
		}
		t.Errorf("%s: the headroom stays %d %%", what, percent())
	}
	large := make([]byte, 4*logHeap)
	keepHeap(0)
	reaches("much lives", func(p int) bool { return p == logGC })
	runtime.KeepAlive(large)
	large = nil
	reaches("little lives", func(p int) bool { return p > logGC })
}

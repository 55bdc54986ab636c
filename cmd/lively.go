package cmd

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// What a send takes so that messages leave at their instants.
const (
	sendHeap  = 16 << 20 // bytes of garbage that are let lie: a collection holds up what is due
	leastHeap = 4 << 20  // what the runtime takes a smaller heap for
	sendProcs = 4        // goroutines that may run at once: on fewer, what is due waits for one that writes the journal; the system shares the cores better
)

// lively sets the runtime up for a send, once what it keeps in memory is there.
func lively() {
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), sendProcs))
	runtime.GC() // what the plan left behind
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(max(planGC, 100*sendHeap/max(int(live[0].Value.Uint64()), leastHeap)))
}

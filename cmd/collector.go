package cmd

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// planGC is the garbage collector's headroom while a list is read: a large list lives long, and double its size is not ours to take.
const planGC = 30

// noTextGC is the same where no texts are kept: what lives is half as much, and there is nothing in it to look at.
const noTextGC = 100

// What may be held while logs are analysed: a few megabytes are not worth a collection; above, there is little headroom, since what is kept of a large log
// lives to the end, and double its size is not ours to take.
const (
	logMemory = 48 << 20 // bytes that are not collected
	logSpare  = 8 << 20  // above what lives and a quarter of it
)

// keepMemory sets how much may be held by what lives, now and after each collection.
func keepMemory(int) {
	lives := int64(liveHeap())
	debug.SetGCPercent(-1) // the limit alone decides
	debug.SetMemoryLimit(max(logMemory, lives+lives/4+logSpare))
	runtime.AddCleanup(new([64]byte), keepMemory, 0) // nobody needs it: the next collection will find out
}

// What a send takes so that messages leave at their instants.
const (
	sendHeap  = 16 << 20 // bytes of garbage that are let lie: a collection holds up what is due
	leastHeap = 4 << 20  // what the runtime takes a smaller heap for
	sendProcs = 4        // goroutines that may run at once: on fewer, what is due waits for one that writes the journal; the system shares the cores better
)

// tuneForSend sets the runtime up for a send, once what it keeps in memory is there.
func tuneForSend() {
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), sendProcs))
	runtime.GC() // what the plan left behind
	debug.SetGCPercent(max(planGC, 100*sendHeap/max(liveHeap(), leastHeap)))
}

// liveHeap is how many bytes the last collection found in use.
func liveHeap() int {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int(live[0].Value.Uint64())
}

package analyze

import (
	"sync"
	"sync/atomic"
)

// desk is where one goroutine judges pairs and tells their stories, one pair after the other: what is laid out for a pair is overwritten by the next one.
//
// A storm has very many pairs, and what each needs for a moment would be most of the memory. The zero value is ready.
type desk struct {
	verdicts []verdict
	sent     []*fact // of the pair that was judged last
	lost     []*fact
	marked   []bool
	messages map[uint64]bool
	stories  []story
	victims  []told
	scene    scene
	kin      []int32
	group    [][2]int32
}

// lay is a slice of n that is laid out anew. What it holds is what was left there.
func lay[T any](from *[]T, n int) []T {
	if cap(*from) < n {
		*from = make([]T, n+n/4)
	}
	return (*from)[:n]
}

// clean is a slice of n zero values that is laid out anew.
func clean[T any](from *[]T, n int) []T {
	all := lay(from, n)
	clear(all)
	return all
}

// inTurn does work for each of n things on two goroutines, each with a desk of its own, which take them as they come: what they make must not depend on
// the order.
func inTurn(n int, work func(d *desk, i int)) {
	const workers, atOnce = 2, 16
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			var d desk
			for from := int(next.Add(atOnce)) - atOnce; from < n; from = int(next.Add(atOnce)) - atOnce {
				for i := from; i < min(n, from+atOnce); i++ {
					work(&d, i)
				}
			}
		})
	}
	wg.Wait()
}

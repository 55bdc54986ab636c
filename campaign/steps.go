package campaign

import (
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/wactl/wactl/normalize/largepages"
)

// steps is a plan's messages in file order. They stand in pages, so that none is copied while a list of unknown length is read. The zero value is
// empty.
type steps struct {
	pages [][]planned // all are full but the last
	n     int
}

// pageBits is how many of a place's bits tell where in its page a step stands: a page takes 8 MiB.
const pageBits = 17

func (s *steps) len() int { return s.n }

func (s *steps) at(i int) *planned { return &s.pages[i>>pageBits][i&(1<<pageBits-1)] }

// expect makes room for the first page where so many steps fill it; most lists are short.
func (s *steps) expect(steps int) {
	if s.n == 0 && steps >= 1<<pageBits {
		s.pages = [][]planned{largepages.Make[planned](1 << pageBits)[:0]}
	}
}

func (s *steps) add(one planned) {
	switch {
	case s.n == 0 && len(s.pages) > 0: // as was expected
	case s.n == 0:
		s.pages = [][]planned{nil}
	case s.n&(1<<pageBits-1) == 0:
		s.pages = append(s.pages, largepages.Make[planned](1 << pageBits)[:0])
	}
	last := &s.pages[len(s.pages)-1]
	*last = append(*last, one)
	s.n++
}

// all yields the steps by their places.
func (s *steps) all() iter.Seq2[int, *planned] {
	return func(yield func(int, *planned) bool) {
		for i := range s.n {
			if !yield(i, s.at(i)) {
				return
			}
		}
	}
}

// beside shows each page, with its number, to all processors at once.
func (s *steps) beside(look func(i int, page []planned)) {
	var next atomic.Int32
	each(min(runtime.GOMAXPROCS(0), len(s.pages)), func(int) {
		for i := int(next.Add(1)) - 1; i < len(s.pages); i = int(next.Add(1)) - 1 {
			look(i, s.pages[i])
		}
	})
}

// drop takes out the steps of which out is true; it is asked once for each, in their order.
func (s *steps) drop(out func(*planned) bool) {
	kept := 0
	for _, one := range s.all() {
		if !out(one) {
			*s.at(kept) = *one
			kept++
		}
	}
	s.cut(kept)
}

// cut keeps the first n steps.
func (s *steps) cut(n int) {
	s.n = n
	s.pages = s.pages[:(n+1<<pageBits-1)>>pageBits]
	if rest := n & (1<<pageBits - 1); rest > 0 {
		s.pages[len(s.pages)-1] = s.pages[len(s.pages)-1][:rest]
	}
}

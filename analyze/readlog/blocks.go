package readlog

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/s2"
)

// leastBlock is how many bytes of a text are matched at once, and up to twice as many: little enough to stay near the processor. A block is read until
// it has the least; so a pipe, which hands out little at a time, is not waited for.
const leastBlock = 128 << 10

// block is a piece of a text, of whole lines unless one is longer than it, with what its quick lines show.
type block struct {
	shown
	seq   int
	base  int64 // offset of text in the source's text
	at    int   // line of its first byte; 0: not known before its turn comes
	text  []byte
	room  []byte
	runs  []run
	marks []int32 // offsets of each markLines-th line, as long as all lines are quick
	known int     // templates that it was matched with
	sound bool    // all its lines were quick before, so that those that nobody wants need no look
	err   error   // why nothing comes behind it; io.EOF at the end

	acts   []act
	packed []byte // text in a smaller form, to be kept
}

// markLines is how many lines lie between two marks.
const markLines = 64

// run is neighbouring lines of a block that are all quick. Lines count from the block's first, from 0.
type run struct {
	from, to    int // offsets
	line, lines int
}

// feeder gives the blocks of a text in their order.
type feeder interface{ fill(b *block) }

// streamFeed cuts what a reader gives into blocks.
type streamFeed struct {
	src   io.Reader
	least int    // bytes of a block
	carry []byte // the beginning of a line whose end is in the next block
	base  int64
}

func (f *streamFeed) fill(b *block) {
	if b.room == nil {
		b.room = make([]byte, 2*f.least)
	}
	n := copy(b.room, f.carry)
	for idle := 0; n < max(f.least, len(f.carry)+1) && b.err == nil; idle++ {
		got, err := f.src.Read(b.room[n:])
		if n, b.err = n+got, err; got > 0 {
			idle = 0
		}
		if idle > 100 { // a reader that gives nothing and no error is given up
			b.err = io.ErrNoProgress
		}
	}
	whole := n
	if b.err == nil {
		if end := bytes.LastIndexByte(b.room[:n], '\n') + 1; end > 0 {
			whole = end
		}
	}
	b.text, b.base = b.room[:whole], f.base
	f.carry = append(f.carry[:0], b.room[whole:n]...)
	f.base += int64(whole)
}

// pipeline matches the blocks of a text on both cores, and gives them in their order.
//
// The first one is matched by whoever asks for it: most sources are no larger, and the templates of larger ones are learned from it.
type pipeline struct {
	feed   feeder
	known  *templates
	events bool                                // make events, else facts
	want   func(line int) (next int, any bool) // the next line that is wanted, from the given one on; nil: all are
	heat   heat                                // of the reader
	pack   bool                                // make the smaller form of each block too
	ahead  bool                                // one goroutine does nothing but fill blocks: it takes longer than all else

	mu    sync.Mutex // of feed, taken and ended
	taken int
	ended bool

	free, done chan *block
	filled     chan *block // ahead of those who match them; nil: who matches a block fills it, and has it near
	quit       chan struct{}
	workers    sync.WaitGroup
	waiting    map[int]*block // matched before their turn
	given      int
}

// The workers, and the blocks that they and the reader have between them: few, so that the room that is filled next is still near the processor.
const (
	matchers   = 2
	blocksHeld = 4
)

// next is the next block, nil behind the last. The one before it goes back and must not be used any more.
func (p *pipeline) next(last *block) *block {
	switch {
	case last == nil && p.given == 0:
		p.given++
		b := &block{}
		p.take(b)
		p.match(b, &p.heat)
		return b
	case last == nil || last.err != nil:
		return nil
	case p.done == nil:
		p.start()
	}
	p.free <- last
	for p.waiting[p.given] == nil {
		b := <-p.done
		p.waiting[b.seq] = b
	}
	b := p.waiting[p.given]
	delete(p.waiting, p.given)
	p.given++
	return b
}

func (p *pipeline) start() {
	p.free, p.done, p.quit = make(chan *block, blocksHeld), make(chan *block, blocksHeld), make(chan struct{})
	p.waiting = map[int]*block{}
	for range blocksHeld - 1 { // and the one that is given back
		p.free <- &block{}
	}
	if p.ahead {
		p.filled = make(chan *block, blocksHeld)
		p.workers.Go(p.fillAhead)
	}
	for range matchers {
		p.workers.Go(p.work)
	}
}

// work matches blocks until there are no more, or nobody wants them.
func (p *pipeline) work() {
	var h heat
	get := p.fetch
	if p.filled != nil {
		get = func() *block { return <-p.filled }
	}
	for b := get(); b != nil; b = get() {
		p.match(b, &h)
		p.done <- b
	}
}

// fetch fills a block that is free; nil: there are no more, or nobody wants them.
func (p *pipeline) fetch() *block {
	select {
	case b := <-p.free:
		if p.take(b) {
			return b
		}
	case <-p.quit:
	}
	return nil
}

// fillAhead fills blocks as long as some are free.
func (p *pipeline) fillAhead() {
	defer close(p.filled)
	for b := p.fetch(); b != nil; b = p.fetch() {
		p.filled <- b // there is room for all
	}
}

// take reads the next block; false: there is none.
func (p *pipeline) take(b *block) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return false
	}
	b.seq, b.at, b.sound, b.err = p.taken, 0, false, nil
	p.taken++
	p.feed.fill(b)
	p.ended = b.err != nil
	return true
}

// match finds the quick lines of a block, and packs it.
func (p *pipeline) match(b *block, h *heat) {
	p.matchFrom(b, 0, 0, h)
	if p.pack {
		b.packed = s2.Encode(b.packed[:cap(b.packed)], b.text)
	}
}

// close waits for the workers. Blocks that were given must not be used any more.
func (p *pipeline) close() {
	if p.quit != nil {
		close(p.quit)
	}
	p.workers.Wait()
}

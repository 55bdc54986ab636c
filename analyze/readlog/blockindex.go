package readlog

import (
	"bytes"
	"cmp"
	"context"
	"io"

	"github.com/klauspost/compress/s2"
)

// blockIndex says where the blocks of a text are and which of them hold nothing but quick lines, so that a later pass reads only what it needs.
type blockIndex struct {
	blocks []indexed
	marks  []int32 // of all blocks, one behind the other
	lines  int
	whole  bool   // the text was read to its end
	spool  *spool // where the blocks lie in their smaller form; nil: the source has them as they are
}

// indexed is one block of a text.
type indexed struct {
	base  int64
	line  int // of its first byte
	lines int
	size  int32
	slow  bool // the cutter looked at some of it
	marks int  // index of its first mark
	at    int64
	kept  int // bytes in the spool
}

// add takes the next block. A spool that cannot hold it is an error.
func (x *blockIndex) add(b *block, slow bool) error {
	e := indexed{base: b.base, line: x.lines + 1, size: int32(len(b.text)), slow: slow, marks: len(x.marks)}
	if slow {
		e.lines = bytes.Count(b.text, []byte{'\n'})
	} else {
		for _, r := range b.runs {
			e.lines += r.lines
		}
		x.marks = append(x.marks, b.marks...)
	}
	if x.spool != nil {
		e.at, e.kept = x.spool.size, len(b.packed)
		if err := x.spool.add(b.packed); err != nil {
			return err
		}
	}
	x.lines += e.lines
	x.blocks = append(x.blocks, e)
	return nil
}

// mark is the offset of a group of lines in a block; behind the last group, the block's end.
func (x *blockIndex) mark(e *indexed, group int) int32 {
	if group*markLines >= e.lines {
		return e.size
	}
	return x.marks[e.marks+group]
}

// planFeed gives the blocks of a text that was read before, and of those with quick lines only what is wanted.
type planFeed struct {
	ctx   context.Context
	index *blockIndex
	src   io.ReaderAt                // the text; not used where a spool has it
	want  func(line int) (int, bool) // nil: everything
	told  func(int64)
	size  int64 // of the source, as it is counted to those who are told
	next  int   // index of the block
	from  int   // line from which on it is not given yet
	kept  []byte
}

func (f *planFeed) fill(b *block) {
	for ; f.next < len(f.index.blocks); f.passed() {
		e := &f.index.blocks[f.next]
		from, to, line := int32(0), e.size, e.line
		if !e.slow && f.want != nil {
			next, more := f.want(max(e.line, f.from))
			if !more || next >= e.line+e.lines {
				continue
			}
			if f.index.spool == nil {
				first, last := f.groups(e, next)
				from, to, line = f.index.mark(e, first), f.index.mark(e, last), e.line+first*markLines
				f.from = e.line + last*markLines
			}
		}
		if b.err = cmp.Or(f.ctx.Err(), f.read(b, e, from, to)); b.err != nil {
			return
		}
		b.base, b.at, b.sound = e.base+int64(from), line, !e.slow
		if to == e.size {
			f.passed()
		}
		return
	}
	b.text, b.err = b.room[:0], io.EOF
}

// passed goes on to the next block.
func (f *planFeed) passed() {
	f.next++
	f.from = 0
	if n := int64(len(f.index.blocks)); f.told != nil {
		f.told(f.size*int64(f.next)/n - f.size*int64(f.next-1)/n)
	}
}

// groups are the first neighbouring groups of lines of a block in which one is wanted, the next being the first of them.
func (f *planFeed) groups(e *indexed, next int) (first, last int) {
	first = (next - e.line) / markLines
	for last = first + 1; last*markLines < e.lines; last++ {
		if next, more := f.want(e.line + last*markLines); !more || next >= e.line+(last+1)*markLines {
			break
		}
	}
	return first, last
}

// read fetches a piece of a block.
func (f *planFeed) read(b *block, e *indexed, from, to int32) (err error) {
	need := int(to - from)
	if f.index.spool != nil {
		need = int(e.size)
	}
	if len(b.room) < need {
		b.room = make([]byte, need+need/4)
	}
	if f.index.spool == nil {
		b.text = b.room[:need]
		_, err = f.src.ReadAt(b.text, e.base+int64(from))
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	if f.kept, err = f.index.spool.read(f.kept, e.at, e.kept); err != nil {
		return err
	}
	b.text, err = s2.Decode(b.room, f.kept)
	return err
}

// nextWanted is what a pass wants of its source, line by line; nil: everything.
func (p *pass) nextWanted() func(line int) (int, bool) {
	next := p.want.Next
	if next == nil {
		return nil
	}
	return func(line int) (int, bool) {
		at, ok := next(p.place(line))
		return at.Line, ok && at.File == p.file
	}
}

// quickly reads a text that may hold quick lines. A first pass keeps where its blocks are, and the blocks themselves if they cannot be had again.
func (p *pass) quickly(src io.Reader, unpacked bool) error {
	r := newBlockReader(p, &streamFeed{src: src, least: p.block})
	defer r.close()
	r.ahead = unpacked
	if r.index = p.index; r.index != nil && (unpacked || p.stream != nil) {
		r.index.spool, r.indexErr = p.keep()
		if r.pack = r.indexErr == nil; r.pack && p.stream != nil {
			p.stream.forget()
		}
	}
	c := cutter{pass: p, w: newWindow(r), quick: r}
	err := c.run()
	if p.stopped && p.stream != nil {
		r.skipRest()
	}
	if r.index != nil {
		r.index.whole = r.indexed()
	}
	if p.stream != nil && p.stream.gone && r.indexErr != nil {
		return keepError(p.source.Path, r.indexErr)
	}
	return err
}

// again reads what an earlier pass read, as far as it is wanted. Size is that of the source.
func (p *pass) again(ctx context.Context, x *blockIndex, src io.ReaderAt, size int64) error {
	r := newBlockReader(p, &planFeed{ctx: ctx, index: x, src: src, want: p.nextWanted(), told: p.options.Progress, size: size})
	defer r.close()
	c := cutter{pass: p, w: newWindow(r), quick: r}
	err := c.run()
	p.flushPending()
	return err
}

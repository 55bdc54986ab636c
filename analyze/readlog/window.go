package readlog

import (
	"bytes"
	"io"
)

// windowStep is how many bytes are read at once.
const windowStep = 64 << 10

// window is the part of a source that is held: from what is not yet taken, to what was read ahead of it.
type window struct {
	src  io.Reader
	buf  []byte // what was read and not yet taken
	room []byte // what buf lies in
	base int64  // offset of buf in the source
	line int    // line of the first byte of buf, from 1
	last byte   // the byte that was taken last
	err  error  // why nothing more comes; io.EOF at the end
}

func newWindow(src io.Reader) *window { return &window{src: src, line: 1} }

// more reads on behind what is held; false: there is nothing more.
func (w *window) more() bool {
	if w.err != nil {
		return false
	}
	w.makeRoom()
	n, held := 0, len(w.buf)
	w.buf = w.buf[:held+windowStep]
	for range 100 { // a reader that gives nothing and no error is given up
		n, w.err = w.src.Read(w.buf[held : held+windowStep])
		if n > 0 || w.err != nil {
			break
		}
	}
	if n == 0 && w.err == nil {
		w.err = io.ErrNoProgress
	}
	w.buf = w.buf[:held+n]
	return n > 0
}

// makeRoom sees to it that a step fits behind what is held. It moves at most half of the room, so that a long record is not moved over and over.
func (w *window) makeRoom() {
	if cap(w.buf)-len(w.buf) >= windowStep {
		return
	}
	if len(w.room) == 0 || 2*(len(w.buf)+windowStep) > len(w.room) {
		w.room = make([]byte, 2*len(w.buf)+2*windowStep)
	}
	w.buf = w.room[:copy(w.room, w.buf)] // copy allows overlap
}

// drop takes n bytes.
func (w *window) drop(n int) {
	w.line += bytes.Count(w.buf[:n], []byte{'\n'})
	w.base += int64(n)
	if n > 0 {
		w.last = w.buf[n-1]
	}
	w.buf = w.buf[n:]
}

// pass takes n bytes that are whole lines, of which only the first may be held.
func (w *window) pass(n, lines int) {
	w.line += lines
	w.base += int64(n)
	w.last = '\n'
	w.buf = w.buf[min(n, len(w.buf)):]
}

// lineEnd is the length of the first line with its ending, and whether it has one. A line over limit has none.
func (w *window) lineEnd(limit int) (n int, ended bool) {
	for seen := 0; ; {
		if i := bytes.IndexByte(w.buf[seen:], '\n'); i >= 0 {
			return seen + i + 1, true
		}
		seen = len(w.buf)
		if seen >= limit || !w.more() {
			return seen, false
		}
	}
}

// dropLine takes the rest of a line that is too long to be held.
func (w *window) dropLine() {
	for {
		if i := bytes.IndexByte(w.buf, '\n'); i >= 0 {
			w.drop(i + 1)
			return
		}
		w.drop(len(w.buf))
		if !w.more() {
			return
		}
	}
}

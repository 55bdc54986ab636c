package readlog

// heat is the pieces of lines that were matched lately, as they stood there: neighbouring lines differ in little more than ids and times, and to
// compare is much faster than to look up. It belongs to one goroutine and to one state of the templates.
type heat struct {
	known int
	from  map[*node]*ways
}

// ways are a few pieces that can follow on one node.
type ways struct {
	pieces [waysKept]piece
	latest int // the one that fitted last
	next   int // the one that is given up next
}

const (
	waysKept = 8
	waysMask = waysKept - 1
)

// piece is text between two values that differ from line to line.
type piece struct {
	text []byte
	acts []act
	stop *node // the hole of the next such value; nil: the line ends
	then *ways // behind it
}

// at makes the heat that of a state of the templates.
func (h *heat) at(known int) {
	if h.known != known || h.from == nil {
		h.known, h.from = known, map[*node]*ways{}
	}
}

// start is what can follow on a node; nil where nothing is remembered.
func (h *heat) start(n *node) *ways {
	if h == nil {
		return nil
	}
	w := h.from[n]
	if w == nil {
		w = &ways{}
		h.from[n] = w
	}
	return w
}

// find is the piece that a text begins with, or nil.
func (w *ways) find(text []byte) *piece {
	if w == nil {
		return nil
	}
	for i := range waysKept {
		at := (w.latest + i) & waysMask
		p := &w.pieces[at]
		if n := len(p.text); n > 0 && n < len(text) && string(text[:n]) == string(p.text) {
			w.latest = at
			return p
		}
	}
	return nil
}

// keep remembers a piece in place of an older one.
func (h *heat) keep(w *ways, text []byte, acts []act, stop *node) *piece {
	if w == nil {
		return nil
	}
	p := &w.pieces[w.next]
	w.latest, w.next = w.next, (w.next+1)&waysMask
	p.text, p.acts, p.stop, p.then = append(p.text[:0], text...), append(p.acts[:0], acts...), stop, nil
	if stop != nil {
		p.then = h.start(stop)
	}
	return p
}

package readlog

// heat is the pieces of lines that were matched lately, as they stood there: neighbouring lines differ in little more than ids and times, and to
// compare is much faster than to look up. It belongs to one goroutine and to one state of the templates.
type heat struct {
	known int
	from  map[*node]*ways
	first *ways      // that a line can begin with
	block int        // how many blocks were begun; numbers are counted anew in each
	sent  latestSent // of the block that is matched
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

	// Nearly every line is of one status: a piece that opens its lists and names the number, pieces that do nothing, and one that ends it all.
	opens  bool
	number span  // in text, where it opens
	block  int   // that the next is about
	index  int   // of the number in the block
	ends   *leaf // the status; nil: it does not, or other things beside
}

// opening says whether acts do nothing but open lists and name the number.
func opening(acts []act) (number span, ok bool) {
	for _, a := range acts {
		switch {
		case a.do == doFill && a.slot == slotNumber && !ok:
			number, ok = span{a.from, a.to}, true
		case a.do != doList:
			return number, false
		}
	}
	return number, ok
}

// ending is the status that acts end together with its change and the line; nil where they do something else, or where the contact matters.
func ending(acts []act) (status *leaf) {
	changes := 0
	for _, a := range acts {
		switch {
		case a.do == doClose:
		case a.do != doEnd:
			return nil
		case a.leaf.kind == leafEvent && status == nil && a.leaf.fills(slotPhone) && !a.leaf.fills(slotUser):
			status = a.leaf
		case a.leaf.kind == leafChange && status != nil && !a.leaf.fills(slotContact) && !a.leaf.fills(slotContactUser):
			changes++
		default:
			return nil
		}
	}
	if changes != 1 {
		return nil
	}
	return status
}

// at makes the heat that of a state of the templates, whose lines begin at a root.
func (h *heat) at(known int, root *node) {
	if h.known != known || h.from == nil {
		h.known, h.from = known, map[*node]*ways{}
		h.first = h.start(root)
	}
	h.block++
}

// line is what a line can begin with; nil where nothing is remembered.
func (h *heat) line() *ways {
	if h == nil {
		return nil
	}
	return h.first
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
	p.block, p.ends = 0, nil
	p.number, p.opens = opening(acts)
	if p.opens = p.opens && w == h.first; stop != nil {
		p.then = h.start(stop)
	} else {
		p.ends = ending(acts)
	}
	return p
}

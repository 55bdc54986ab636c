package readlog

import (
	"bytes"

	"github.com/wactl/wactl/analyze"
)

// matcher matches lines of one block, which belongs to one goroutine at a time.
type matcher struct {
	text    []byte
	events  bool  // make events, with their details; else facts
	heat    *heat // what was matched lately; nil: every part is looked up
	slots   [slotCount]span
	time    int64
	phone   uint64
	frames  [maxLists]frame // of the lists that are open
	depth   int
	acts    []act // of the piece that is being looked up
	names   lastNames
	lineNow int32 // that is matched, from the block's first
	out     *shown
}

// maxLists is how deep lists of any length lie in each other: entries, changes, statuses.
const maxLists = 3

// frame is a list whose elements are being matched.
type frame struct {
	list  *node
	first int // index of the first event of its current element
}

// act is what a piece of text means besides its bytes.
type act struct {
	do       doing
	node     *node // whose list begins
	leaf     *leaf // that ends
	slot     slot  // that is filled
	from, to int32 // with these bytes of the piece
}

type doing uint8

const (
	doFill doing = iota
	doList
	doNext // element of a list
	doEnd
	doClose // a list
)

// shown is what the quick lines of a block show.
type shown struct {
	facts   []quickFact
	events  []analyze.Event
	numbers [][]byte // of business, in the order in which the block names them
	users   quickUsers
}

// line matches the line that begins at an offset. It gives the offset behind its ending, or -1.
func (m *matcher) line(root *node, at int) int {
	m.depth = 0
	var opened *piece // its acts are put off: hardly any line needs them
	start := at
	ways := m.heat.line()
	for n := root; ; {
		piece := ways.find(m.text[at:])
		switch {
		case piece != nil && len(piece.acts) == 0:
		case piece != nil && piece.opens && at == start && !m.events:
			opened = piece
		case piece != nil && piece.ends != nil && opened != nil:
			if !m.status(piece.ends, opened, start) {
				return -1
			}
		case opened != nil && !m.replay(opened.acts, start), piece != nil && !m.replay(piece.acts, at):
			return -1
		default:
			opened = nil
		}
		if piece == nil {
			stop, end := m.walk(n, at)
			if end < 0 {
				return -1
			}
			piece = m.heat.keep(ways, m.text[at:end], m.acts, stop)
			at, n = end, stop
		} else {
			at, n = at+len(piece.text), piece.stop
		}
		if n == nil {
			return m.lineEnd(at)
		}
		end := m.fill(n.hole, at)
		if end < 0 {
			return -1
		}
		m.slots[n.slot] = span{int32(at), int32(end)}
		at, ways = end, nil
		if piece != nil {
			ways = piece.then
		}
	}
}

func (m *matcher) lineEnd(at int) int {
	if at < len(m.text) && m.text[at] == '\r' {
		at++
	}
	if at >= len(m.text) || m.text[at] != '\n' {
		return -1
	}
	return at + 1
}

// walk looks up what follows on a node, up to where the next value stands that differs from line to line, or to the end of the line: then the stop
// is nil. A negative offset says that nothing matches.
func (m *matcher) walk(n *node, at int) (stop *node, end int) {
	start := at
	m.acts = m.acts[:0]
	for n = m.choose(n, at); n != nil; n = m.choose(n, at) {
		if len(m.text)-at <= len(n.lit) || string(m.text[at:at+len(n.lit)]) != n.lit {
			return nil, -1
		}
		at += len(n.lit)
		switch {
		case n.stop:
			return n, at
		case n.hole != noHole:
			end := m.fill(n.hole, at)
			if end < 0 {
				return nil, -1
			}
			if n.slot != slotNone && (m.events || n.slot < slotTexts) {
				m.do(act{do: doFill, slot: n.slot, from: int32(at - start), to: int32(end - start)}, start)
			}
			at = end
		case n.list != nil:
			m.do(act{do: doList, node: n}, start)
			n, at = n.list, m.blanks(at)
		}
		for n != nil && n.leaf != nil {
			if m.depth == 0 {
				return nil, at
			}
			if n, at = m.element(n, at, start); at < 0 {
				return nil, -1
			}
		}
	}
	return nil, -1
}

// element ends an element of a list. It gives the node behind which it goes on: the list's tree for another element, or the list itself.
func (m *matcher) element(n *node, at, start int) (*node, int) {
	if n.leaf.kind != leafOther && !m.do(act{do: doEnd, leaf: n.leaf}, start) {
		return nil, -1
	}
	at = m.blanks(at)
	if at >= len(m.text) {
		return nil, -1
	}
	list := m.frames[m.depth-1].list
	switch m.text[at] {
	case ',':
		m.do(act{do: doNext}, start)
		return list.list, m.blanks(at + 1)
	case ']':
		m.do(act{do: doClose}, start)
		return list, at + 1
	}
	return nil, -1
}

// choose is the way on from a node that can match what stands at an offset.
func (m *matcher) choose(n *node, at int) *node {
	switch {
	case len(n.next) == 1:
		return n.next[0]
	case at >= len(m.text):
		return nil
	}
	return n.choose(m.text[at])
}

// do does an act and remembers it.
func (m *matcher) do(a act, start int) bool {
	m.acts = append(m.acts, a)
	return m.replay(m.acts[len(m.acts)-1:], start)
}

// replay does the acts of a piece that begins at an offset.
func (m *matcher) replay(acts []act, start int) bool {
	for i := range acts {
		switch a := &acts[i]; a.do {
		case doFill:
			m.slots[a.slot] = span{int32(start) + a.from, int32(start) + a.to}
		case doList:
			m.frames[m.depth] = frame{a.node, m.count()}
			m.depth++
		case doNext:
			m.frames[m.depth-1].first = m.count()
		case doEnd:
			if !m.ended(a.leaf, m.frames[m.depth-1].first) {
				return false
			}
		case doClose:
			m.depth--
		}
	}
	return true
}

// count is how many facts or events there are.
func (m *matcher) count() int { return len(m.out.facts) + len(m.out.events) }

func (m *matcher) blanks(at int) int {
	for at < len(m.text) && (m.text[at] == ' ' || m.text[at] == '\t' || m.text[at] == '\r') {
		at++
	}
	return at
}

func (m *matcher) piece(s slot) []byte { return m.text[m.slots[s].from:m.slots[s].to] }

// newlineAt is the offset behind the line that begins at an offset.
func newlineAt(text []byte, at int) int {
	i := bytes.IndexByte(text[at:], '\n')
	if i < 0 {
		return len(text)
	}
	return at + i + 1
}

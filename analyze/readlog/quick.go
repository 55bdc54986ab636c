package readlog

import (
	"sync"

	"github.com/wactl/wactl/analyze"
)

// templates are the forms of whole webhook lines that the careful decoder has read before.
//
// A line is quick if it equals one of them but for the values in its holes. Its events are then known without decoding it: the few kinds of hole
// admit only values that cannot change what the rest of the line means. What equals no template is decoded, and may become one.
type templates struct {
	mu    sync.RWMutex
	root  node
	count int // of leaves; the forms of a log are few, and a log whose forms are many gains nothing
	tries int // lines that no template could be made of
}

// The bounds of what is learned, so that strange logs cost neither memory nor time.
const (
	maxTemplates = 2000
	maxTries     = 500
	maxNodes     = 200 // parts of one line
)

// hole is what may stand where lines of one form differ.
type hole uint8

const (
	noHole     hole = iota
	holeText        // the inside of a JSON string, of which the first pass needs nothing
	holeNumber      // a JSON number, as little needed
	holeDigits      // a business number's id: digits, the first of them no 0
	holePhone       // 7 to 15 digits, the first of them no 0
	holeTime        // 10 digits: a second between 2001 and 2099
	holeID          // a message id, beginning with a letter: nothing that is trimmed, masked or escaped
	holeUser        // a user's id that is no phone number, with no mark that means something in a recipient
)

// slot is where the value of a hole is kept while its line is matched.
type slot uint8

const (
	slotNone    slot = iota // nobody asks
	slotNumber              // of a change
	slotContact             // wa_id of a change's only contact
	slotContactUser
	slotID // of a status or message; the others of one follow
	slotTime
	slotPhone
	slotUser
	slotTexts      // the first of the texts that only details need
	slotCount = 40 // more texts make no template
)

// span is a piece of a block.
type span struct{ from, to int32 }

// node is a piece of text that all lines below it share, then one hole or list, then the ways to go on.
type node struct {
	lit  string
	hole hole
	slot slot
	stop bool  // the hole's values differ from line to line; those of others tend to stay
	list *node // the elements of a list, as a tree of their own; its closing bracket is taken with it
	next []*node
	leaf *leaf // what ends here
}

// leaf is the end of a line, of an element of a list, or of a change.
type leaf struct {
	kind    leafKind
	has     uint16        // which of the first slots are filled
	proto   analyze.Event // an event with all that the holes do not give
	details []detailOf    // and what they give beyond ids and times
}

type leafKind uint8

const (
	leafOther leafKind = iota // an entry, or the whole line
	leafChange
	leafEvent
)

// detailOf says which field of an event a text is.
type detailOf struct {
	field int // index in textFields
	slot  slot
}

func (l *leaf) fills(s slot) bool { return l.has&(1<<s) != 0 }

// alike says whether two nodes have the same hole or list behind their text.
func (n *node) alike(o *node) bool {
	return n.hole == o.hole && n.slot == o.slot && (n.list == nil) == (o.list == nil)
}

// bare says whether nothing stands between a node's text and the ways to go on.
func (n *node) bare() bool { return n.hole == noHole && n.list == nil && n.leaf == nil }

// choose is the way on that can match a byte: the text that begins with it, else what begins with a hole.
func (n *node) choose(b byte) (way *node) {
	for _, c := range n.next {
		if c.lit == "" {
			way = c
		} else if c.lit[0] == b {
			return c
		}
	}
	return way
}

// add makes the tree match a row of parts too, which ends in a leaf. What is there already stays as it is.
func (n *node) add(parts []*node, end *leaf) {
	if len(parts) == 0 {
		n.close(end)
		return
	}
	p := *parts[0]
	c := n.choose(firstByte(p.lit))
	if c == nil || p.lit == "" && (c.lit != "" || !c.alike(&p)) || p.lit != "" && c.lit == "" {
		n.begin(p, parts, end)
		return
	}
	k := commonPrefix(c.lit, p.lit)
	if k < len(c.lit) {
		c.split(k)
	}
	if p.lit = p.lit[k:]; p.lit == "" && (c.alike(&p) || p.bare()) {
		c.mergeList(p.list)
		c.add(parts[1:], end)
		return
	}
	if !c.bare() {
		c.split(k)
	}
	c.add(append([]*node{&p}, parts[1:]...), end)
}

// close makes a leaf end here. The first one stays: its way was the same.
func (n *node) close(end *leaf) {
	if n.leaf == nil && len(n.next) == 0 {
		n.leaf = end
	}
}

// begin starts a way of its own.
func (n *node) begin(p node, parts []*node, end *leaf) {
	p.next, p.leaf = nil, nil
	n.next = append(n.next, &p)
	p.add(parts[1:], end)
}

// split cuts a node's text in two, so that another way can leave in between.
func (n *node) split(k int) {
	rest := *n
	rest.lit = n.lit[k:]
	*n = node{lit: n.lit[:k], next: []*node{&rest}}
}

// mergeList adds the elements of another list to this node's own.
func (n *node) mergeList(from *node) {
	if from == nil || n.list == from {
		return
	}
	from.walk(nil, n.list.add)
}

// walk gives every way through a tree.
func (n *node) walk(before []*node, give func(parts []*node, end *leaf)) {
	if n.leaf != nil {
		give(before, n.leaf)
	}
	for _, c := range n.next {
		part := &node{lit: c.lit, hole: c.hole, slot: c.slot, stop: c.stop, list: c.list}
		c.walk(append(before[:len(before):len(before)], part), give)
	}
}

func firstByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

package readlog

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// former makes a template of a line that is known to be sound JSON.
type former struct {
	text   []byte
	at     int
	from   int     // where the text began that is not in a part yet
	parts  []*node // of the tree that is being made
	has    uint16  // slots that the current change and element fill
	texts  slot    // the next free slot for a text
	inside bool    // of an element that is an event
	holes  []madeHole
	ends   []*leaf // of events, in their order
	open   int     // how deep the brackets are
	lists  int     // of events, in the current change
	failed bool
}

// madeHole is one hole of the line that a template is made of.
type madeHole struct {
	span
	hole  hole
	slot  slot
	event int // index of the event that it belongs to
}

// formOf makes a template of a line; not ok when it is too unlike what templates can say.
func formOf(text []byte) (f *former, root *node, ok bool) {
	f = &former{text: text, texts: slotTexts}
	root = &node{}
	f.value(webhookForm)
	if f.failed || f.at != len(text) || len(f.ends) == 0 {
		return f, nil, false
	}
	f.finish(root, &leaf{})
	return f, root, !f.failed
}

// finish ends a way through a tree here.
func (f *former) finish(tree *node, end *leaf) {
	f.parts = append(f.parts, &node{lit: string(f.text[f.from:f.at])})
	if len(f.parts) > maxNodes {
		f.failed = true
	}
	tree.add(f.parts, end)
}

func (f *former) fail() { f.failed = true }

func (f *former) peek() byte {
	if f.at < len(f.text) {
		return f.text[f.at]
	}
	return 0
}

func (f *former) blanks() {
	for b := f.peek(); b == ' ' || b == '\t' || b == '\r'; b = f.peek() {
		f.at++
	}
}

// value takes one value of a form.
func (f *former) value(form *form) {
	const deepest = 40
	if f.blanks(); form == nil || f.open > deepest {
		f.fail()
	}
	if f.failed {
		return
	}
	f.open++
	switch b := f.peek(); {
	case b == '{':
		f.object(form)
	case b == '[' && form.elements != nil:
		f.elements(form.elements)
	case b == '[':
		f.array(form)
	case form.hole == noHole && form.rest != form:
		f.fail() // a single value where an object or a list is wanted
	case b == '"':
		f.stringValue(form)
	default:
		f.scalar(form)
	}
	f.open--
}

// object takes an object. One with a key that stands in it twice, or that is written with escapes, makes no template.
func (f *former) object(form *form) {
	seen := map[string]bool{}
	if form.hole != noHole && form.rest != form || form.elements != nil {
		f.fail()
	}
	f.at++
	for f.blanks(); f.peek() != '}' && !f.failed; f.blanks() {
		end := textEnd(f.text, f.at+1)
		if f.peek() != '"' || end < 0 {
			f.fail()
			return
		}
		key := string(f.text[f.at+1 : end])
		if seen[key] || strings.ContainsFunc(key, func(r rune) bool { return r == '\\' || r >= utf8.RuneSelf }) {
			f.fail()
			return
		}
		seen[key] = true
		f.at = end + 1
		f.blanks()
		f.at++ // the colon
		f.value(form.of(key))
		f.comma()
	}
	f.at++
}

// array takes a list that belongs to the template in its length. Of contacts it may have one: several are told apart by what they hold.
func (f *former) array(form *form) {
	f.at++
	n := 0
	for f.blanks(); f.peek() != ']' && !f.failed; f.blanks() {
		f.value(form.rest)
		f.comma()
		n++
	}
	if form == contactsForm && n > 1 {
		f.fail()
	}
	f.at++
}

func (f *former) comma() {
	if f.blanks(); f.peek() == ',' {
		f.at++
		return
	}
	if b := f.peek(); b != ']' && b != '}' {
		f.fail()
	}
}

// elements takes a list whose elements are a tree of their own. An empty one belongs to the template as it is.
func (f *former) elements(form *form) {
	f.at++
	if f.blanks(); f.peek() == ']' {
		f.at++
		return
	}
	if form.end == leafEvent {
		f.lists++
	}
	outer, list := f.parts, &node{lit: string(f.text[f.from:f.at]), list: &node{}}
	for f.blanks(); f.peek() != ']' && !f.failed; f.blanks() {
		f.parts, f.from = nil, f.at
		f.element(form, list.list)
		f.comma()
	}
	f.at++
	f.parts, f.from = append(outer, list), f.at
}

// element takes one element and ends it.
func (f *former) element(form *form, tree *node) {
	if f.peek() != '{' {
		f.fail()
		return
	}
	outer := f.has
	switch form.end {
	case leafEvent:
		f.event(form, tree)
		f.has = outer
		return
	case leafChange:
		f.has, f.lists = 0, 0
	}
	before := len(f.ends)
	f.value(form)
	if form.end == leafChange && (f.has&(1<<slotNumber) == 0 || f.lists != 1) || len(f.ends) == before {
		f.fail() // events of an unknown number, or of two lists, whose order is not that of the line
	}
	f.finish(tree, &leaf{kind: form.end, has: f.has})
}

// event takes one status or message.
func (f *former) event(form *form, tree *node) {
	const needed = 1<<slotID | 1<<slotTime
	end := &leaf{kind: leafEvent}
	f.has, f.texts, f.inside = 0, slotTexts, true
	f.ends = append(f.ends, end)
	f.value(form)
	f.inside = false
	if end.has = f.has; f.has&needed != needed {
		f.fail()
	}
	f.finish(tree, end)
}

// stringValue takes a string: as it is, or as a hole.
func (f *former) stringValue(form *form) {
	f.at++
	end := textEnd(f.text, f.at)
	if end < 0 {
		f.fail()
		return
	}
	if form.hole != noHole {
		f.cut(form.hole, form.slot, end)
	}
	f.at = end + 1
}

// scalar takes a number, true, false or null. Only ids may be numbers where they are known; the words belong to the template.
func (f *former) scalar(form *form) {
	end := f.at
	for end < len(f.text) && bytes.IndexByte([]byte(" \t\r,}]"), f.text[end]) < 0 {
		end++
	}
	number := numberEnd(f.text, f.at) == end
	switch {
	case form.hole == holeText && number:
		f.cut(holeNumber, form.slot, end)
	case form.hole == holeTime, form.hole == holeDigits, form.hole == holePhone:
		f.cut(form.hole, form.slot, end)
	case form.hole == holeID, form.hole == holeUser:
		f.fail()
	}
	f.at = end
}

// cut ends a part with a hole that reaches to an offset.
func (f *former) cut(h hole, s slot, end int) {
	m := matcher{text: f.text}
	if m.fill(h, f.at) != end {
		f.fail()
		return
	}
	event := -1
	switch {
	case s != slotNone:
		if f.has&(1<<s) != 0 {
			f.fail()
		}
		f.has |= 1 << s
	case f.inside:
		if s = f.texts; f.texts < slotCount {
			f.texts++
		}
		if s == slotCount {
			f.fail()
			return
		}
	}
	if f.inside {
		event = len(f.ends) - 1
	}
	const long = 20 // a text of that length is an id or a sentence
	stop := h != holeDigits && s != slotNone && s < slotTexts || h == holeText && end-f.at >= long
	f.parts = append(f.parts, &node{lit: string(f.text[f.from:f.at]), hole: h, slot: s, stop: stop})
	f.holes = append(f.holes, madeHole{span{int32(f.at), int32(end)}, h, s, event})
	f.from = end
}

package readlog

import (
	"slices"
	"strconv"
)

// maxFlatted is how many values are taken out of one flattened text: places may name each other over and over.
const maxFlatted = 1 << 20

// unflatted puts together a value that was flattened to a list, as n8n keeps executions in its database: texts, objects and lists stand in the list
// once, and where they belong stands their place in it. False: the list is an ordinary one.
func unflatted(list []any) (any, bool) {
	root := obj(list[0])
	isText := func(v any) bool { _, ok := v.(string); return ok }
	if len(root) == 0 || !slices.ContainsFunc(list, isText) {
		return nil, false
	}
	for _, v := range root {
		if text, isText := v.(string); isText && !isPlaceIn(list, text) {
			return nil, false
		}
	}
	f := flatted{list: list, open: make([]bool, len(list))}
	v, ok := f.at(0)
	return v, ok && f.places > 0
}

func isPlaceIn(list []any, text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n > 0 && n < len(list) && strconv.Itoa(n) == text
}

type flatted struct {
	list   []any
	open   []bool // places that are being read, so that no value holds itself
	depth  int
	taken  int
	places int // references that were followed
}

// at is the value at a place, with what it refers to.
func (f *flatted) at(i int) (any, bool) {
	if f.taken++; f.open[i] || f.taken > maxFlatted || f.depth > maxLiteralDepth {
		return nil, false
	}
	f.open[i] = true
	f.depth++
	defer func() { f.open[i] = false; f.depth-- }()
	switch v := f.list[i].(type) {
	case object:
		whole := make(object, len(v))
		for key, e := range v {
			inner, ok := f.member(e)
			if !ok {
				return nil, false
			}
			whole[key] = inner
		}
		return whole, true
	case []any:
		whole := make([]any, len(v))
		for k, e := range v {
			inner, ok := f.member(e)
			if !ok {
				return nil, false
			}
			whole[k] = inner
		}
		return whole, true
	}
	return f.list[i], true
}

// member is what stands in an object or list: a text is a place, anything else itself.
func (f *flatted) member(v any) (any, bool) {
	text, isText := v.(string)
	if !isText {
		return v, true
	}
	if !isPlaceIn(f.list, text) {
		return nil, false
	}
	f.places++
	n, _ := strconv.Atoi(text)
	return f.at(n)
}

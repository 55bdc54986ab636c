//go:build numplangen

package main

import (
	"fmt"
	"regexp/syntax"
	"slices"
)

// way is one of the texts that a prefix pattern matches: a set of digits at each place. Ways are tried in order, as the pattern's.
type way struct {
	digits []uint16 // bits of the digits that may stand at each place
	atEnd  bool     // only where nothing follows
	group  int      // number of the last group that took part, 0 for none
	from   int      // where that group begins and ends
	to     int
}

// cut is what a prefix that matched takes off: so many digits, of which the last group may be kept.
type cut struct{ length, from, to int }

// noGroup is where the last group begins and ends when it took no part.
const noGroup = 255

// buildPrefix is the start state of an automaton that finds which way of the pattern a number starts with.
func buildPrefix(expr string, rs *rows) (uint16, error) {
	if expr == "" {
		return 0, nil
	}
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0, err
	}
	ways, err := expand(re, []way{{}})
	if err != nil {
		return 0, err
	}
	m := &prefixMaker{groups: re.MaxCap(), rows: rs, known: map[string]uint16{}}
	return m.state(ways, 0)
}

// expand continues each way with everything that the expression matches, the preferred continuation first.
func expand(re *syntax.Regexp, before []way) (all []way, err error) {
	for _, w := range before {
		some, err := w.expand(re)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func (w way) expand(re *syntax.Regexp) ([]way, error) {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return []way{w}, nil
	case syntax.OpEndText, syntax.OpEndLine:
		w.atEnd = true
		return []way{w}, nil
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			w = w.with(1 << (c - '0'))
		}
		return []way{w}, nil
	case syntax.OpCharClass:
		return []way{w.with(digitsOf(re.Rune))}, nil
	case syntax.OpConcat:
		all := []way{w}
		for _, sub := range re.Sub {
			var err error
			if all, err = expand(sub, all); err != nil {
				return nil, err
			}
		}
		return all, nil
	case syntax.OpCapture:
		all, err := w.expand(re.Sub[0])
		for i := range all {
			all[i].group, all[i].from, all[i].to = re.Cap, len(w.digits), len(all[i].digits)
		}
		return all, err
	}
	return w.choose(re)
}

// choose expands what may be left out, repeated or chosen.
func (w way) choose(re *syntax.Regexp) (all []way, err error) {
	switch {
	case re.Op == syntax.OpAlternate:
		for _, sub := range re.Sub {
			some, err := w.expand(sub)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		return all, nil
	case re.Op == syntax.OpQuest && re.Flags&syntax.NonGreedy == 0:
		all, err = w.expand(re.Sub[0])
		return append(all, w), err
	case re.Op == syntax.OpRepeat && re.Max >= 0 && re.Flags&syntax.NonGreedy == 0:
		for n := re.Max; n >= re.Min; n-- {
			some := []way{w}
			for range n {
				if some, err = expand(re.Sub[0], some); err != nil {
					return nil, err
				}
			}
			all = append(all, some...)
		}
		return all, nil
	}
	return nil, fmt.Errorf("the prefix pattern has %s, which is not read", re)
}

// with is the way with one more place; it never shares memory with another one.
func (w way) with(digits uint16) way {
	w.digits = append(slices.Clone(w.digits), digits)
	return w
}

func digitsOf(ranges []rune) (bits uint16) {
	for i := 0; i < len(ranges); i += 2 {
		for c := max(ranges[i], '0'); c <= min(ranges[i+1], '9'); c++ {
			bits |= 1 << (c - '0')
		}
	}
	return bits
}

// prefixMaker builds the states of one prefix pattern.
type prefixMaker struct {
	groups int
	rows   *rows
	known  map[string]uint16
}

// state makes the state of the ways that still fit after so many digits. What matched cuts off all that is less preferred.
func (m *prefixMaker) state(ways []way, depth int) (uint16, error) {
	var r row
	var rest []way
	for _, w := range ways {
		if len(w.digits) > depth {
			rest = append(rest, w)
			continue
		}
		if r.ended == 0 {
			r.ended = m.rows.cut(m.cut(w))
		}
		if !w.atEnd {
			r.label = m.rows.cut(m.cut(w))
			break
		}
	}
	key := fmt.Sprint(ways, depth)
	if id, ok := m.known[key]; ok {
		return id, nil
	}
	for d := range 10 {
		fits := slices.DeleteFunc(slices.Clone(rest), func(w way) bool { return w.digits[depth]&(1<<d) == 0 })
		if len(fits) == 0 {
			continue
		}
		next, err := m.state(fits, depth+1)
		if err != nil {
			return 0, err
		}
		r.next[d] = next
	}
	id, err := m.rows.add(r)
	m.known[key] = id
	return id, err
}

func (m *prefixMaker) cut(w way) cut {
	if m.groups == 0 || w.group != m.groups {
		return cut{len(w.digits), noGroup, noGroup}
	}
	return cut{len(w.digits), w.from, w.to}
}

//go:build numplangen

package main

import (
	"fmt"
	"regexp/syntax"
	"slices"
)

// thread is one place in one pattern that the digits so far may have led to.
type thread struct{ pattern, at int }

// sticks is the place of a thread whose pattern matched the beginning, which nothing behind it can change.
const sticks = -1

// maker builds the states of the numbers behind one code.
type maker struct {
	code     *code
	patterns []*pattern
	rows     *rows
	known    map[string]uint16
}

// deepest is more digits than any pattern takes: a pattern without an end would make the automaton infinite.
const deepest = 24

// compile builds the automata of a code and of its plans.
func (c *code) compile(rs *rows) (err error) {
	var all []*pattern
	for i, p := range c.plans {
		some, err := p.patterns(i, len(c.plans) == 1)
		if err != nil {
			return err
		}
		all = append(all, some...)
		if err := p.compile(rs); err != nil {
			return fmt.Errorf("%s: %w", p.region, err)
		}
	}
	c.start, err = build(c, all, rs)
	return err
}

// compile builds the automata that only the plan has: short codes and prefixes.
func (p *plan) compile(rs *rows) (err error) {
	services, err := p.servicePatterns()
	if err != nil {
		return err
	}
	if p.services, err = build(&code{}, services, rs); err != nil {
		return err
	}
	if p.idd, err = buildPrefix(p.meta.GetInternationalPrefix(), rs); err != nil {
		return err
	}
	p.prefix, err = buildPrefix(p.meta.GetNationalPrefixForParsing(), rs)
	return err
}

// build is the start state of an automaton for the patterns; without any it is the state that matches nothing.
func build(c *code, all []*pattern, rs *rows) (uint16, error) {
	m := &maker{code: c, patterns: all, rows: rs, known: map[string]uint16{}}
	var start []thread
	for i, p := range all {
		start = m.follow(start, thread{i, p.prog.Start})
	}
	return m.state(start, 0)
}

// follow adds a thread and all that it leads to without a digit.
func (m *maker) follow(to []thread, t thread) []thread {
	if slices.Contains(to, t) {
		return to
	}
	p := m.patterns[t.pattern]
	inst := p.prog.Inst[t.at]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return m.follow(m.follow(to, thread{t.pattern, int(inst.Out)}), thread{t.pattern, int(inst.Arg)})
	case syntax.InstCapture, syntax.InstNop:
		return m.follow(to, thread{t.pattern, int(inst.Out)})
	case syntax.InstMatch:
		if p.sticky {
			t.at = sticks
		}
		if !slices.Contains(to, t) {
			to = append(to, t)
		}
		return to
	case syntax.InstFail:
		return to
	case syntax.InstEmptyWidth:
		panic("a pattern with an anchor")
	}
	return append(to, t)
}

// step is the set of threads after one more digit.
func (m *maker) step(from []thread, digit rune) (to []thread) {
	for _, t := range from {
		if t.at == sticks {
			to = append(to, t)
			continue
		}
		inst := m.patterns[t.pattern].prog.Inst[t.at]
		if inst.Op != syntax.InstMatch && inst.MatchRune(digit) {
			to = m.follow(to, thread{t.pattern, int(inst.Out)})
		}
	}
	return to
}

// state makes the state of a set of threads, its successors first. Equal states are one, wherever they stand.
func (m *maker) state(set []thread, depth int) (uint16, error) {
	if depth > deepest {
		return 0, fmt.Errorf("a pattern takes more than %d digits", deepest)
	}
	set = slices.Clone(set)
	slices.SortFunc(set, func(a, b thread) int { return (a.pattern-b.pattern)<<20 + a.at - b.at })
	settled := !slices.ContainsFunc(set, func(t thread) bool { return t.at != sticks })
	key := fmt.Sprint(set, depth)
	if settled {
		key = fmt.Sprint(set)
	}
	if id, ok := m.known[key]; ok {
		return id, nil
	}
	r := row{label: m.rows.label(labelOf(m.code, m.matched(set, depth)))}
	if settled {
		id, err := m.rows.sink(r)
		m.known[key] = id
		return id, err
	}
	for d := range 10 {
		next, err := m.state(m.step(set, '0'+rune(d)), depth+1)
		if err != nil {
			return 0, err
		}
		r.next[d] = next
	}
	id, err := m.rows.add(r)
	m.known[key] = id
	return id, err
}

// matched says which patterns match a number that ends here, as pairs of plan and slot.
func (m *maker) matched(set []thread, depth int) map[[2]int]bool {
	all := map[[2]int]bool{}
	for _, t := range set {
		p := m.patterns[t.pattern]
		ends := t.at == sticks || p.prog.Inst[t.at].Op == syntax.InstMatch
		if !ends || p.sizes != 0 && p.sizes&(1<<depth) == 0 {
			continue
		}
		all[[2]int{p.plan, int(p.slot)}] = true
		if p.slot == slotGeneral && p.possible(m.code, depth) {
			all[[2]int{p.plan, int(slotGeneralSized)}] = true
		}
	}
	return all
}

// possible says whether a number of the plan may have the length.
func (p *pattern) possible(c *code, depth int) bool {
	sizes, _ := lengths(c.plans[p.plan].meta.GetGeneralDesc())
	return sizes&(1<<depth) != 0
}

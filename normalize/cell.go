package normalize

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// written is a phone cell whose every character is understood.
type written struct {
	digits string
	plus   bool
	id     bool      // the digits are a WhatsApp id
	groups groups    // the runs of digits between separators
	paren  bool      // whether the first group stands in parentheses
	notes  []Finding // how it was written, the main one first
	cell   string    // what the digits were taken from
}

// groups are runs of digits: how many, and the lengths of the first ones, up to 255. Cells with more of them hold no number.
type groups struct {
	n     int
	sizes [mostDigits]uint8
}

// mostDigits is how many digits a cell of several numbers may have.
const mostDigits = 45

// add counts one digit, of the same group as the last one or of the next.
func (g *groups) add(same bool) {
	if !same {
		g.n++
	}
	if g.n <= len(g.sizes) && g.sizes[g.n-1] < math.MaxUint8 {
		g.sizes[g.n-1]++
	}
}

// text is a phone cell on its way to digits: what is left of it, and what was noticed.
type text struct {
	s      string
	region string
	plus   bool // the digits carry their country code although no + stands before them
	id     bool
	notes  []Finding
}

func (t *text) note(f Finding) { t.notes = append(t.notes, f) }

// refusal is a cell that is no number, with what may have been meant.
type refusal struct {
	Finding
	suggest []string
}

func (r refusal) number() Number { return refused(r.Finding, r.suggest...) }

func refuse(f Finding, suggest ...string) *refusal { return &refusal{f, suggest} }

// maxGroupStart is how many digits may stand before a "(": country code and trunk. What comes later in parentheses is a remark.
const maxGroupStart = 5

// longest is how many bytes a phone cell may have: a link with a prepared message is the longest that is read.
const longest = 4096

// spell takes a phone cell to its digits, or says why it cannot.
func spell(cell, region string) (written, *refusal) {
	cell = strings.Trim(cell, " ")
	if len(cell) > longest {
		return written{}, refuse(Found("not-a-phone-number", short(cell[:longest])))
	}
	if w, ok := scan(cell); ok {
		return w, nil
	}
	t := &text{s: cell, region: region}
	if r := t.take(); r != nil {
		return written{}, r
	}
	w, _ := scan(t.s)
	if w.digits == "" {
		return written{}, refuse(Found("not-a-phone-number", short(cell)))
	}
	w.plus, w.id, w.notes = w.plus || t.plus, t.id, t.notes
	return w, nil
}

// scan reads a cell of digits, spaces and + - ( ) . alone. Not ok: it has other characters, or they are not in the order of one number.
func scan(cell string) (w written, ok bool) {
	w, ok = written{cell: cell}, true
	b := make([]byte, 0, 20)
	last, open := byte(0), 0
	for i := range len(cell) {
		c := cell[i]
		switch {
		case isDigit(c):
			b = append(b, c)
			w.groups.add(isDigit(last))
		case c == '+':
			ok = ok && len(b) == 0 && !w.plus
			w.plus = true
		case c == '(':
			ok = ok && open == 0 && len(b) <= maxGroupStart
			open++
		case c == ')':
			ok = ok && open == 1 && isDigit(last)
			open--
			w.paren = w.paren || w.groups.n == 1
		case c == '-', c == ' ':
			ok = ok && (len(b) > 0 || c == ' ')
		default:
			ok = false
		}
		last = c
	}
	w.digits = string(b)
	return w, ok && open == 0 && len(b) > 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// readable says whether a cell has only characters that numbers are written with.
func readable(cell string) bool {
	return strings.Trim(cell, "0123456789+-(). ") == "" || strings.IndexFunc(cell, func(c rune) bool { return !strings.ContainsRune("0123456789+-(). ", c) }) < 0
}

// pattern is a regular expression that is compiled when it is first asked for: most runs need few of them.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// shape is a writing of readable characters that is not one phone number, and how to name it.
type shape struct {
	rule string
	is   func(cell string) bool
}

// shapes are looked for in cells of readable characters; the first that matches counts. They are no patterns, since every cell that is not plain
// is held against them.
var shapes = []shape{
	{"not-a-phone-number", signsAlone},
	{"masked-number", func(cell string) bool { return strings.Contains(cell, "..") }},
	{"multiple-numbers", numberBehind},
}

// signsAlone says whether a cell has no digits, starts with a sign that none starts with, or has one behind its +.
func signsAlone(cell string) bool {
	const opening = " ("
	if strings.IndexFunc(cell, isDigitRune) < 0 || startsWithAny(strings.TrimLeft(cell, opening), ").-") {
		return true
	}
	for rest := cell; ; {
		i := strings.IndexByte(rest, '+')
		if i < 0 {
			return false
		}
		if rest = rest[i+1:]; startsWithAny(strings.TrimLeft(rest, opening), "-).+") {
			return true
		}
	}
}

func isDigitRune(c rune) bool { return '0' <= c && c <= '9' }

func startsWithAny(s, chars string) bool { return s != "" && strings.IndexByte(chars, s[0]) >= 0 }

// numberBehind says whether another number begins behind digits: with a +, or with a parenthesis that comes too late for an area code.
func numberBehind(cell string) bool {
	digits := 0
	for i := range len(cell) {
		switch c := cell[i]; {
		case isDigit(c):
			digits++
		case c == '+' && digits > 0, c == '(' && digits > maxGroupStart:
			return true
		}
	}
	return false
}

// badShape refuses what is not written like one phone number although its characters are right.
func badShape(t *text) *refusal {
	if !readable(t.s) {
		return refuse(Found("not-a-phone-number", short(t.s)))
	}
	for _, s := range shapes {
		if !s.is(t.s) {
			continue
		}
		if s.rule == "not-a-phone-number" {
			return refuse(Found("not-a-phone-number", short(t.s)))
		}
		return refuse(Found(s.rule), pieces(t.s, t.region)...)
	}
	return nil
}

// short quotes a cell for a message, cut to 40 characters.
func short(cell string) string {
	const most = 40
	if r := []rune(cell); len(r) > most {
		cell = string(r[:most]) + "…"
	}
	return strconv.Quote(cell)
}

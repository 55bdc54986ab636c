package readlog

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// joined reads a quoted text, and its further parts where it is long: Node joins them with +, Python's pprint writes them one below the other.
func (l *literal) joined() (any, bool) {
	text, ok := l.quoted()
	if !ok {
		return nil, false
	}
	for {
		mark := l.i
		l.space()
		below := strings.IndexByte(l.s[mark:l.i], '\n') >= 0 && l.peek() != '`'
		if !l.has("+") && (!below || l.peek() != '\'' && l.peek() != '"') {
			l.i = mark
			return text, true
		}
		l.space()
		more, ok := l.quoted()
		if !ok {
			return nil, false
		}
		text += more
	}
}

// quoted reads a text in quotes of any kind, with the escapes of any dialect.
func (l *literal) quoted() (string, bool) {
	quote := l.peek()
	if quote != '"' && quote != '\'' && quote != '`' {
		return "", false
	}
	if quote == '\'' {
		l.saw(dialectPython)
	}
	l.i++
	start := l.i
	for l.i < len(l.s) && l.s[l.i] != quote && l.s[l.i] != '\\' {
		l.i++
	}
	if l.peek() == quote && l.i < len(l.s) {
		l.i++
		return l.s[start : l.i-1], true // mostly nothing is escaped
	}
	out := []byte(l.s[start:l.i])
	for l.i < len(l.s) {
		c := l.s[l.i]
		l.i++
		switch {
		case c == quote:
			return string(out), true
		case c != '\\':
			out = append(out, c)
		case l.i < len(l.s):
			out = l.escape(out)
		}
	}
	return "", false
}

// escapes are the letters behind a backslash that stand for a control character.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v', 'a': '\a', 'e': 0x1b, '0': 0}

// escape reads what follows a backslash: a letter, a code of two, four or eight hex digits, or the character itself.
func (l *literal) escape(out []byte) []byte {
	c := l.s[l.i]
	l.i++
	switch c {
	case 'x':
		if n, ok := l.hex(2); ok {
			if l.dialect == dialectJSON {
				return append(out, byte(n)) // nginx writes bytes so
			}
			return utf8.AppendRune(out, rune(n))
		}
	case 'u':
		if n, ok := l.hex(4); ok {
			return utf8.AppendRune(out, l.surrogate(rune(n)))
		}
	case 'U':
		if n, ok := l.hex(8); ok {
			return utf8.AppendRune(out, rune(n))
		}
	default:
		if e, ok := escapes[c]; ok {
			return append(out, e)
		}
	}
	return append(out, c)
}

// hex reads n hex digits.
func (l *literal) hex(n int) (uint32, bool) {
	if l.i+n > len(l.s) {
		return 0, false
	}
	v, err := strconv.ParseUint(l.s[l.i:l.i+n], 16, 32)
	if err != nil {
		return 0, false
	}
	l.i += n
	return uint32(v), true
}

// surrogate joins the two halves in which JSON writes characters beyond the first plane.
func (l *literal) surrogate(first rune) rune {
	mark := l.i
	if !utf16.IsSurrogate(first) || !l.has(`\u`) {
		return first
	}
	second, ok := l.hex(4)
	if r := utf16.DecodeRune(first, rune(second)); ok && r != utf8.RuneError {
		return r
	}
	l.i = mark
	return utf8.RuneError
}

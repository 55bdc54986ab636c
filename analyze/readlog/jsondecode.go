package readlog

import (
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxPlainDepth bounds the nesting that the plain decoder follows, and with it the stack; encoding/json reads what is deeper.
const maxPlainDepth = 200

// jsonText decodes JSON as encoding/json does with UseNumber, only faster: values are pieces of the text, and names are kept once for all records.
//
// It need not read everything: what it is not sure of it leaves to encoding/json.
type jsonText struct {
	s      string
	i      int
	unsure bool // the value is too strange to be read here; it may be sound or not
}

// decodePlain decodes exactly one value. Unsure: ask encoding/json.
func decodePlain(s string) (v any, ok, unsure bool) {
	t := jsonText{s: s}
	v, ok = t.value(0)
	if ok {
		t.space()
		ok = t.i == len(s)
	}
	return v, ok, t.unsure
}

// jsonAt reads the strict JSON value that s starts with.
func jsonAt(s string) (any, int, bool) {
	t := jsonText{s: s}
	if v, ok := t.value(0); ok || !t.unsure {
		return v, t.i, ok
	}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, 0, false
	}
	return v, int(d.InputOffset()), true
}

func (t *jsonText) space() {
	for t.i < len(t.s) {
		switch t.s[t.i] {
		case ' ', '\n', '\t', '\r':
			t.i++
		default:
			return
		}
	}
}

// value reads the value that stands here, with blanks before it.
func (t *jsonText) value(depth int) (any, bool) {
	t.space()
	if t.i >= len(t.s) {
		return nil, false
	}
	switch c := t.s[t.i]; c {
	case '{':
		return t.object(depth + 1)
	case '[':
		return t.list(depth + 1)
	case '"':
		return t.text()
	case 't':
		return true, t.word("true")
	case 'f':
		return false, t.word("false")
	case 'n':
		return nil, t.word("null")
	}
	return t.number()
}

func (t *jsonText) word(w string) bool {
	ok := strings.HasPrefix(t.s[t.i:], w)
	t.i += len(w)
	return ok
}

// next passes over blanks and gives the byte behind them, and steps over it; 0 at the end.
func (t *jsonText) next() byte {
	t.space()
	if t.i >= len(t.s) {
		return 0
	}
	t.i++
	return t.s[t.i-1]
}

func (t *jsonText) object(depth int) (any, bool) {
	t.i++
	o := make(object)
	if t.space(); t.i < len(t.s) && t.s[t.i] == '}' {
		t.i++
		return o, true
	}
	if t.unsure = t.unsure || depth > maxPlainDepth; t.unsure {
		return nil, false
	}
	for {
		if t.next() != '"' {
			return nil, false
		}
		t.i--
		name, ok := t.name()
		if !ok || t.next() != ':' {
			return nil, false
		}
		v, ok := t.value(depth)
		if !ok {
			return nil, false
		}
		o[name] = v // the last one of a name counts
		switch t.next() {
		case ',':
		case '}':
			return o, true
		default:
			return nil, false
		}
	}
}

func (t *jsonText) list(depth int) (any, bool) {
	t.i++
	l := []any{}
	if t.space(); t.i < len(t.s) && t.s[t.i] == ']' {
		t.i++
		return l, true
	}
	if t.unsure = t.unsure || depth > maxPlainDepth; t.unsure {
		return nil, false
	}
	for {
		v, ok := t.value(depth)
		if !ok {
			return nil, false
		}
		l = append(l, v)
		switch t.next() {
		case ',':
		case ']':
			return l, true
		default:
			return nil, false
		}
	}
}

// name is a member's name. Known names are not copied.
func (t *jsonText) name() (string, bool) {
	s, ok := t.quoted()
	if k := knownKey(s); k != nil {
		return k.name, ok
	}
	return s, ok
}

func (t *jsonText) text() (any, bool) {
	s, ok := t.quoted()
	return s, ok
}

// quoted reads a string: a piece of the text if nothing in it is escaped.
func (t *jsonText) quoted() (string, bool) {
	t.i++
	start, wide := t.i, false
	for ; t.i < len(t.s); t.i++ {
		switch c := t.s[t.i]; {
		case c == '"':
			s := t.s[start:t.i]
			t.i++
			return s, t.sound(s, wide)
		case c == '\\':
			return t.escaped(start)
		case c < ' ':
			return "", false
		case c >= utf8.RuneSelf:
			wide = true
		}
	}
	return "", false
}

// sound says whether a string is UTF-8; what encoding/json makes of another is its own matter.
func (t *jsonText) sound(s string, wide bool) bool {
	t.unsure = t.unsure || wide && !utf8.ValidString(s)
	return !t.unsure
}

// jsonEscapes are the letters that stand for another byte behind a backslash.
var jsonEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped reads on at the first backslash of a string.
func (t *jsonText) escaped(start int) (string, bool) {
	out := append(make([]byte, 0, t.i-start+64), t.s[start:t.i]...)
	for t.i < len(t.s) {
		switch c := t.s[t.i]; {
		case c == '"':
			t.i++
			return string(out), t.sound(string(out), true)
		case c < ' ':
			return "", false
		case c != '\\':
			end := t.i + 1
			for end < len(t.s) && t.s[end] != '"' && t.s[end] != '\\' && t.s[end] >= ' ' {
				end++
			}
			out = append(out, t.s[t.i:end]...)
			t.i = end
		default:
			var ok bool
			if out, ok = t.escape(out); !ok {
				return "", false
			}
		}
	}
	return "", false
}

// escape reads what stands behind a backslash.
func (t *jsonText) escape(out []byte) ([]byte, bool) {
	if t.i+1 >= len(t.s) {
		return nil, false
	}
	c := t.s[t.i+1]
	if c != 'u' {
		t.i += 2
		return append(out, jsonEscapes[c]), jsonEscapes[c] != 0
	}
	r := hexRune(t.s[t.i:])
	if r < 0 {
		return nil, false
	}
	t.i += 6
	if utf16.IsSurrogate(r) {
		if whole := utf16.DecodeRune(r, hexRune(t.s[t.i:])); whole != utf8.RuneError {
			t.i += 6
			return utf8.AppendRune(out, whole), true
		}
		r = utf8.RuneError
	}
	return utf8.AppendRune(out, r), true
}

// hexRune is the four digits of \u1234 at the start of s, -1 if there is no such thing.
func hexRune(s string) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range []byte(s[2:6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// number reads a number and keeps its digits.
func (t *jsonText) number() (any, bool) {
	start := t.i
	if t.s[t.i] == '-' {
		t.i++
	}
	if t.i < len(t.s) && t.s[t.i] == '0' {
		t.i++
	} else if !t.digits() {
		return nil, false
	}
	if t.i < len(t.s) && t.s[t.i] == '.' {
		t.i++
		if !t.digits() {
			return nil, false
		}
	}
	if t.i < len(t.s) && t.s[t.i]|0x20 == 'e' {
		t.i++
		if t.i < len(t.s) && (t.s[t.i] == '+' || t.s[t.i] == '-') {
			t.i++
		}
		if !t.digits() {
			return nil, false
		}
	}
	return json.Number(t.s[start:t.i]), true
}

func (t *jsonText) digits() bool {
	n := digits(t.s[t.i:])
	t.i += n
	return n > 0
}

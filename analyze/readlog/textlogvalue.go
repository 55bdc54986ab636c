package readlog

import (
	"encoding/json"
	"strconv"
	"strings"
)

// dialect is whose way of printing values a literal was written in.
type dialect uint8

const (
	dialectJSON dialect = iota
	dialectPython
	dialectRuby
	dialectInspect // Node's util.inspect
)

// maxLiteralDepth bounds how deep literals nest, and with it the stack.
const maxLiteralDepth = 200

// literalAt reads the value that s starts with, in whatever dialect, and says how many bytes it takes.
//
// cut says that s ended inside the value. What was left out, such as [Object], reads as nil.
func literalAt(s string) (v any, n int, d dialect, ok, cut bool) {
	if v, n, ok := jsonAt(s); ok {
		return v, n, dialectJSON, true, false
	}
	l := &literal{s: s}
	v, ok = l.value(0)
	return v, l.i, l.dialect, ok, !ok && l.i >= len(s)
}

// literal reads one printed value. Python, Ruby and Node print much the same, so one reader knows all their marks.
type literal struct {
	s       string
	i       int
	dialect dialect
}

// saw remembers a mark of a dialect. The first one that decides stays.
func (l *literal) saw(d dialect) {
	if l.dialect == dialectJSON {
		l.dialect = d
	}
}

// peek is the byte here, 0 at the end.
func (l *literal) peek() byte {
	if l.i < len(l.s) {
		return l.s[l.i]
	}
	return 0
}

// space passes over blanks and line ends.
func (l *literal) space() {
	for l.i < len(l.s) && strings.IndexByte(" \t\r\n", l.s[l.i]) >= 0 {
		l.i++
	}
}

// has passes over text if it stands here.
func (l *literal) has(text string) bool {
	if !strings.HasPrefix(l.s[l.i:], text) {
		return false
	}
	l.i += len(text)
	return true
}

// value reads one value of any kind.
func (l *literal) value(depth int) (any, bool) {
	l.space()
	if depth > maxLiteralDepth || l.i >= len(l.s) {
		return nil, false
	}
	switch c := l.s[l.i]; {
	case c == '{':
		return l.object(depth)
	case c == '[':
		mark := l.i
		if v, ok := l.inspected(depth); ok || l.i != mark { // what was begun as such a mark is no list
			return v, ok
		}
		return l.list(depth, ']')
	case c == '(':
		l.saw(dialectPython)
		return l.list(depth, ')')
	case c == '"', c == '\'', c == '`':
		return l.joined()
	case c == '<', c == '#':
		return l.angle(depth)
	case c == ':':
		l.saw(dialectRuby)
		l.i++
		return l.bare(depth)
	}
	return l.bare(depth)
}

// object reads what stands in braces: members, or the elements of a set, which have no names and are passed over.
func (l *literal) object(depth int) (any, bool) {
	l.i++
	m := map[string]any{}
	for {
		l.space()
		switch {
		case l.has("}"):
			return m, true
		case l.has(","), l.has("..."):
			continue
		case l.i >= len(l.s):
			return nil, false
		}
		if l.moreItems() {
			continue
		}
		key, ok := l.key(depth)
		if !ok {
			return nil, false
		}
		l.space()
		if l.has("=>") {
			l.saw(l.arrowDialect())
		} else if !l.has(":") {
			if c := l.peek(); c == ',' || c == '}' {
				continue
			}
			return nil, false
		}
		v, ok := l.value(depth + 1)
		if !ok {
			return nil, false
		}
		m[key] = v
	}
}

// arrowDialect says who prints arrows: Ruby does in hashes, Node only in maps, whose name was seen before.
func (l *literal) arrowDialect() dialect {
	if l.dialect == dialectInspect {
		return dialectInspect
	}
	return dialectRuby
}

// moreItems passes over the words that stand for elements left out, as in "... 3 more items".
func (l *literal) moreItems() bool {
	n := digits(l.s[l.i:])
	rest := l.s[l.i+n:]
	if n == 0 || !strings.HasPrefix(rest, " more item") {
		return false
	}
	l.i += n + len(" more item")
	l.has("s")
	return true
}

// key reads a member's name, quoted or bare.
func (l *literal) key(depth int) (string, bool) {
	switch c := l.peek(); {
	case c == '"', c == '\'', c == '`':
		return l.quoted()
	case c == '[':
		end := strings.IndexByte(l.s[l.i:], ']')
		if end < 0 {
			return "", false
		}
		name := l.s[l.i+1 : l.i+end]
		l.i += end + 1
		return name, true
	case c == ':':
		l.i++
		l.saw(dialectRuby)
	}
	start := l.i
	for l.i < len(l.s) && isNameByte(l.s[l.i]) {
		l.i++
	}
	if start == l.i {
		return "", false
	}
	if isNumber := strings.Trim(l.s[start:l.i], "0123456789.-") == ""; l.peek() == ':' && !isNumber { // Python prints numbers as keys
		l.saw(dialectInspect)
	}
	return l.s[start:l.i], true
}

// isNameByte says whether a byte can stand in a bare name.
func isNameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '-' || c == '.' || c == '@' || c >= 0x80
}

// list reads elements up to a closing bracket.
func (l *literal) list(depth int, end byte) (any, bool) {
	l.i++
	out := []any{}
	for {
		l.space()
		switch {
		case l.peek() == end && l.i < len(l.s):
			l.i++
			return out, true
		case l.has(","), l.has("..."):
			continue
		case l.i >= len(l.s):
			return nil, false
		}
		if l.moreItems() {
			continue
		}
		v, ok := l.value(depth + 1)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
}

// inspectMarks begin what Node prints in brackets instead of a value.
var inspectMarks = []string{"Object", "Array", "Circular", "Function", "AsyncFunction", "class", "Getter", "Setter", "Symbol", "Date", "Error", "Map", "Set"}

// inspected reads [Object], [Function: x] or [Object: null prototype] {…}.
func (l *literal) inspected(depth int) (any, bool) {
	for _, m := range inspectMarks {
		if !strings.HasPrefix(l.s[l.i+1:], m) {
			continue
		}
		end := strings.IndexByte(l.s[l.i:], ']')
		if end < 0 || strings.ContainsAny(l.s[l.i:l.i+end], "\n'\"{") {
			return nil, false
		}
		l.i += end + 1
		l.saw(dialectInspect)
		if l.has(" {") {
			l.i--
			return l.object(depth + 1)
		}
		return nil, true
	}
	return nil, false
}

// angle reads <ref *1> before a value, and what stands for one: <Buffer 7b>, <Response [400]>, #<Object:0x1>.
func (l *literal) angle(depth int) (any, bool) {
	start := l.i
	l.has("#")
	end := strings.IndexByte(l.s[l.i:], '>')
	if l.peek() != '<' || end < 0 {
		return nil, false
	}
	ref := strings.HasPrefix(l.s[l.i:], "<ref ")
	l.i += end + 1
	if ref {
		l.saw(dialectInspect)
		return l.value(depth + 1)
	}
	return l.s[start:l.i], true
}

// words are names that stand for a value, and the dialect they give away.
var words = map[string]struct {
	value   any
	dialect dialect
}{
	"null": {nil, dialectJSON}, "true": {true, dialectJSON}, "false": {false, dialectJSON},
	"None": {nil, dialectPython}, "True": {true, dialectPython}, "False": {false, dialectPython},
	"nil": {nil, dialectRuby}, "undefined": {nil, dialectInspect}, "NaN": {nil, dialectJSON}, "nan": {nil, dialectPython}, "Infinity": {nil, dialectJSON}, "inf": {nil, dialectPython},
}

// bare reads a number, a word, a date, or a value behind the name of its class.
func (l *literal) bare(depth int) (any, bool) {
	start := l.i
	for l.i < len(l.s) && (isNameByte(l.s[l.i]) || l.s[l.i] == '+') {
		l.i++
	}
	word := l.s[start:l.i]
	switch c := l.peek(); {
	case word == "" && c != '/':
		return nil, false
	case (c == '\'' || c == '"') && len(word) <= 2:
		l.saw(dialectPython) // b'…' and u'…'
		return l.quoted()
	case c == '(':
		return l.call(depth, word)
	}
	if w, ok := words[word]; ok {
		l.saw(w.dialect)
		return w.value, true
	}
	if number := strings.TrimRight(word, "nL"); isJSONNumber(number) && l.peek() != ':' {
		return json.Number(number), true
	}
	return l.named(depth, start)
}

// isJSONNumber says whether a text is a number as JSON writes it.
func isJSONNumber(s string) bool {
	return s != "" && (s[0] == '-' || '0' <= s[0] && s[0] <= '9') && json.Valid([]byte(s))
}

// call reads Decimal('1.2'), datetime.datetime(2026, 11, 19) or Map(2) {…}: a lone argument, or what stands behind the brackets.
func (l *literal) call(depth int, name string) (any, bool) {
	args, ok := l.list(depth+1, ')')
	if !ok {
		return nil, false
	}
	list := args.([]any)
	if c := strings.TrimLeft(l.s[l.i:], " "); strings.HasPrefix(c, "{") || strings.HasPrefix(c, "[") {
		l.saw(dialectInspect)
		return l.value(depth + 1)
	}
	l.saw(dialectPython)
	if strings.HasSuffix(name, "datetime") && len(list) >= 5 {
		return pythonTime(list), true
	}
	if len(list) == 1 {
		return list[0], true
	}
	return name, true
}

// pythonTime writes the arguments of a printed datetime as a time without its zone.
func pythonTime(args []any) string {
	var n [7]int
	count := 0
	for _, a := range args {
		number, ok := a.(json.Number)
		if !ok || count == len(n) {
			break
		}
		n[count], _ = strconv.Atoi(string(number))
		count++
	}
	two := func(n int) string { return strconv.Itoa(100 + n%100)[1:] }
	text := strconv.Itoa(n[0]) + "-" + two(n[1]) + "-" + two(n[2]) + " " + two(n[3]) + ":" + two(n[4]) + ":" + two(n[5])
	if count == 7 && n[6] >= 0 && n[6] < 1e6 {
		text += "." + strconv.Itoa(1e6 + n[6])[1:]
	}
	return text
}

// named reads to the end of an element that has no quotes: a date, a path, or a class with its object behind it.
func (l *literal) named(depth, start int) (any, bool) {
	l.i = start
	for l.i < len(l.s) && strings.IndexByte(",}]\n", l.s[l.i]) < 0 {
		if l.s[l.i] == '{' {
			l.saw(dialectInspect)
			return l.object(depth + 1)
		}
		if l.s[l.i] == '[' && l.i > start {
			if end := strings.IndexByte(l.s[l.i:], ']'); end > 0 {
				l.i += end
			}
		}
		l.i++
	}
	if l.i >= len(l.s) {
		return nil, false
	}
	if l.peek() == '\n' && l.stack() {
		return l.object(depth + 1)
	}
	return strings.TrimSpace(l.s[start:l.i]), true
}

// stack passes over the lines of a call stack behind an error's name, up to the brace that opens the error's members.
func (l *literal) stack() bool {
	for i := l.i; i < len(l.s); {
		end := strings.IndexByte(l.s[i+1:], '\n')
		line := l.s[i+1:]
		if end >= 0 {
			line = l.s[i+1 : i+1+end]
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "at ") {
			return false
		}
		if strings.HasSuffix(line, " {") {
			l.i = i + len(line)
			l.saw(dialectInspect)
			return true
		}
		if end < 0 {
			return false
		}
		i += 1 + end
	}
	return false
}

package readlog

import (
	"net/url"
	"regexp"
	"strings"
)

// body is what the message of a line of text is made of.
type body struct {
	words   strings.Builder // what is neither a value nor a pair
	pairs   map[string]any  // key=value, also request and response bodies by their label
	values  []any           // objects, and lists of objects, without a label that says more
	dialect dialect
	request httpLine
	agent   string // the client that a web server names in quotes
	cut     bool   // the text ends inside a value
	posted  bool   // its pairs are those of a posted form, whose provider names the source
}

// httpLine is a request line, as web servers and proxies log it.
type httpLine struct {
	method, url string
	status      string // the number that follows it; empty: none
}

// maxLiterals is how many openings of a value are tried in one text; a line full of brackets is noise.
const maxLiterals = 64

// bodyOf takes a message apart.
func bodyOf(text string) *body {
	text = restored(text)
	b := &body{pairs: map[string]any{}}
	if strings.Contains(text, "\n    ") {
		b.below(text)
	}
	s := bodyScan{body: b, s: text}
	for s.i < len(s.s) && !b.cut {
		s.step()
	}
	s.endLong()
	return b
}

// pairBelow is a pair on a line of its own below a message, as pino-pretty prints them.
var pairBelow = regexp.MustCompile(`(?m)^ {4}([A-Za-z_]\w*): (?:"([^"\n]*)"|([\w.:+-]+))$`)

// below keeps the pairs that stand below a message.
func (b *body) below(text string) {
	for _, m := range pairBelow.FindAllStringSubmatch(text, maxLiterals) {
		b.pairs[m[1]] = m[2] + m[3]
	}
}

// bodyScan walks over a message.
type bodyScan struct {
	*body
	s     string
	i     int
	tries int
	label string          // the last word, which may name the value that follows it
	long  string          // the pair whose value may go on: its words have no quotes around them
	more  strings.Builder // that value so far
}

// step takes the next piece: a value, a quoted text, a pair or a word.
func (b *bodyScan) step() {
	switch c := b.s[b.i]; {
	case strings.IndexByte(" \t\r\n,;", c) >= 0:
		b.say(string(c))
		b.i++
	case c == '{', c == '[' && b.listOfValues():
		b.value("")
	case c == '"':
		b.quoted("")
	default:
		if key := pairKey(b.s[b.i:]); key != "" {
			b.i += len(key) + 1
			b.pair(key)
			return
		}
		b.word()
	}
}

// say keeps a piece as words.
func (b *bodyScan) say(text string) {
	if b.long != "" && strings.TrimSpace(text) != "" {
		b.more.WriteString(" " + text)
		return
	}
	b.words.WriteString(text)
}

// endLong ends a value of several words.
func (b *bodyScan) endLong() {
	if b.long != "" {
		b.pairs[b.long] = b.more.String()
		b.long = ""
		b.more.Reset()
	}
}

// listOfValues says whether a bracket opens a list that may hold objects, and no word such as [INFO].
func (b *bodyScan) listOfValues() bool {
	next := strings.TrimLeft(b.s[b.i+1:], " \t\r\n")
	return next != "" && (next[0] == '{' || next[0] == '[')
}

// value takes an object or list, under a key or, without one, under the label before it.
func (b *bodyScan) value(key string) {
	b.tries++
	if b.tries > maxLiterals {
		b.i, b.cut = len(b.s), false
		return
	}
	v, n, d, ok, cut := literalAt(b.s[b.i:])
	if !ok || !holdsObject(v) {
		if cut && looksLikeObject(b.s[b.i:]) {
			b.cut = true
			return
		}
		b.say(b.s[b.i : b.i+1])
		b.i++
		return
	}
	b.i += n
	b.endLong()
	if b.body.dialect == dialectJSON {
		b.body.dialect = d
	}
	b.keep(key, v)
}

// keep files a value where its key or label says; one without either is the record itself.
func (b *bodyScan) keep(key string, v any) {
	if key == "" {
		key = sides[strings.ToLower(strings.Trim(b.label, ":=-> "))]
	}
	if key == "" {
		b.values = append(b.values, v)
		return
	}
	if _, taken := b.pairs[key]; !taken {
		b.pairs[key] = v
	}
}

// sides are the labels of a body that say which side of an exchange it is.
var sides = map[string]string{
	"req": "request", "request": "request", "sent": "request", "req_body": "request", "request_body": "request",
	"res": "response", "resp": "response", "response": "response", "resp_body": "response", "response_body": "response", "answer": "response", "reply": "response", "returned": "response",
}

// holdsObject says whether a value holds a member with a name, so that it can be a record.
func holdsObject(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		for _, e := range v {
			if holdsObject(e) {
				return true
			}
		}
	}
	return false
}

// looksLikeObject says whether a text that is no whole value was one before it was cut: a first name is there.
func looksLikeObject(s string) bool {
	s = strings.TrimLeft(s, "{[ \t\r\n")
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return false
	}
	l := literal{s: s}
	if _, ok := l.quoted(); !ok {
		return len(s) < 200
	}
	l.space()
	return l.has(":") || l.has("=>")
}

// quoted takes a text in quotes. It may hold an object, or be a request line; else it is the value of a pair, or words.
func (b *bodyScan) quoted(key string) {
	l := literal{s: b.s[b.i:]}
	text, ok := l.quoted()
	if !ok {
		b.say(b.s[b.i : b.i+1])
		b.i++
		return
	}
	whole := b.s[b.i : b.i+l.i]
	b.i += l.i
	b.endLong()
	if t := strings.TrimSpace(text); len(t) > 2 && (t[0] == '{' || t[0] == '[') {
		if v, _, d, ok, _ := literalAt(t); ok && holdsObject(v) {
			b.body.dialect = max(b.body.dialect, d)
			b.keep(key, v)
			return
		}
	}
	if key != "" {
		b.pairs[key] = text
	}
	if b.requestLine(text) || key != "" {
		return
	}
	if b.body.request.url != "" && agentText.MatchString(text) {
		b.body.agent = text
		return
	}
	b.say(whole)
}

// requestLine keeps a request line and the status behind it.
func (b *bodyScan) requestLine(text string) bool {
	method, rest, ok := strings.Cut(text, " ")
	address, version, versioned := strings.Cut(rest, " ")
	if !ok || !methods[method] || b.body.request.method != "" || versioned && !strings.HasPrefix(version, "HTTP/") {
		return false
	}
	b.body.request = httpLine{method: method, url: address}
	rest = strings.TrimLeft(b.s[b.i:], " \t\",")
	if n := digits(rest); n == 3 {
		b.body.request.status = rest[:n]
	}
	return true
}

var methods = map[string]bool{"GET": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true, "HEAD": true, "OPTIONS": true}

// pairKey is the key that s starts with, if = and a value follow it at once.
func pairKey(s string) string {
	n := 0
	for n < len(s) && isNameByte(s[n]) {
		n++
	}
	if n == 0 || n+1 >= len(s) || s[n] != '=' || s[n+1] == '=' || s[n+1] == '>' {
		return ""
	}
	return s[:n]
}

// wordy are keys whose value is a sentence or a time, and goes on over spaces even without quotes.
var wordy = map[string]bool{"msg": true, "message": true, "error": true, "err": true, "reason": true, "detail": true, "details": true, "error_message": true, "title": true, "text": true}

// pair takes the value behind key= .
func (b *bodyScan) pair(key string) {
	b.endLong()
	b.label = key
	if b.i >= len(b.s) {
		return
	}
	switch c := b.s[b.i]; {
	case c == '"':
		b.quoted(key)
		return
	case c == '\'':
		l := literal{s: b.s[b.i:]}
		if text, ok := l.quoted(); ok {
			b.i += l.i
			b.pairs[key] = text
			return
		}
	case c == '{', c == '[' && b.listOfValues():
		at := b.i
		if b.value(key); b.i > at+1 || b.cut {
			return
		}
		b.i = at
	}
	end := b.valueEnd()
	if b.query(key, b.s[b.i:end]) {
		b.i = end
		return
	}
	b.pairs[key] = strings.TrimRight(b.s[b.i:end], ",;:")
	b.i = end
	if wordy[strings.ToLower(key)] {
		b.long = key
		b.more.WriteString(b.pairs[key].(string))
	}
}

// query keeps the pairs of a posted form, as in MessageSid=SM1&MessageStatus=sent&To=whatsapp%3A%2B12025550111.
func (b *bodyScan) query(key, value string) bool {
	const least = 3 // pairs; a link has few
	if strings.Count(value, "&") < least-1 || strings.Count(value, "=") < least-1 || !tellsForm(key+"="+value) {
		return false
	}
	form, err := url.ParseQuery(key + "=" + value)
	if err != nil {
		return false
	}
	b.posted = true
	for k, v := range form {
		b.pairs[k] = v[0]
	}
	return true
}

// tellsForm says whether a posted form is about a message.
func tellsForm(form string) bool {
	return strings.Contains(form, "MessageSid=") || strings.Contains(form, "To=") && strings.Contains(form, "Status=")
}

// valueEnd is where a value without quotes ends: at a space, but not inside a time that has one.
func (b *bodyScan) valueEnd() int {
	rest := b.s[b.i:]
	n := strings.IndexAny(rest, " \t\r\n")
	if n < 0 {
		return len(b.s)
	}
	if n >= 8 && digits(rest) <= 4 {
		if _, wide, ok := (&clock{}).prefix(rest); ok && wide > n {
			n = wide
		}
	}
	return b.i + n
}

// word takes one word, and what it says if it is a label such as "to:" with a number or an id behind it.
func (b *bodyScan) word() {
	n := strings.IndexAny(b.s[b.i:], " \t\r\n\"{=,;")
	if n <= 0 {
		n = 1
		if n = strings.IndexAny(b.s[b.i+1:], " \t\r\n\"{,;") + 1; n == 0 {
			n = len(b.s) - b.i
		}
	}
	if n > len(b.s)-b.i {
		n = len(b.s) - b.i
	}
	word := b.s[b.i : b.i+n]
	b.i += n
	word = strings.Trim(word, "`")
	inHeader := strings.HasSuffix(b.label, ":") // content-length: 217
	b.label = word
	switch {
	case methods[word] && b.bareRequest(word), b.messagesPath(word):
	case b.body.request.url != "" && b.body.request.status == "" && len(word) == 3 && digits(word) == 3 && !inHeader:
		b.body.request.status = word
	default:
		b.say(word)
	}
}

// messagesPath keeps the path of the messages endpoint where no method stands before it: nothing but a POST goes there.
func (b *bodyScan) messagesPath(word string) bool {
	if b.body.request.url != "" || !graphPath.MatchString(word) {
		return false
	}
	b.body.request = httpLine{method: "POST", url: word}
	return true
}

// agentText is how clients name themselves.
var agentText = regexp.MustCompile(`^[\w .-]+/v?\d`)

// bareRequest keeps a request line without quotes: POST https://… 400
func (b *bodyScan) bareRequest(method string) bool {
	address, _, _ := strings.Cut(strings.TrimLeft(b.s[b.i:], " "), " ")
	if !strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "http") {
		return false
	}
	b.i = strings.Index(b.s[b.i:], address) + b.i + len(address)
	if !b.requestLine(method + " " + strings.TrimRight(address, "`,;:\")")) {
		return true
	}
	rest := strings.TrimLeft(b.s[b.i:], " ->=:")
	if after, ok := strings.CutPrefix(rest, "HTTP/1.1"); ok {
		rest = strings.TrimLeft(after, " ->=:\"")
	}
	if n := digits(rest); n == 3 {
		b.body.request.status = rest[:n]
	}
	return true
}

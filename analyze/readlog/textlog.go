package readlog

import (
	"regexp"
	"slices"
	"strings"
)

// The bounds of one record of several lines. Past them the next line begins a record of its own.
const (
	maxEntryLines = 5000
	maxEntryBytes = 4 << 20
	maxWaiting    = 4 << 20 // bytes of records that wait until the order of day and month is known
)

// textLog turns lines of text into records: it joins the lines of one record, takes its head off and reads what its body shows.
//
// The steps stand in files of their own: textloghead.go (time, level, names), textlogbody.go (values, pairs, requests), textlogform.go (whose
// log it is), textlogsay.go (plain sentences).
type textLog struct {
	*pass
	joining
	parked  []joining // records of other hosts that are not at their end, where lines of several are mixed
	failing *failing  // nil: no failure was told of
	rails   bool
	waiting []entry // records whose dates may be day first or month first
	held    int     // bytes of them
	votes   orderVotes
}

// joining is a record whose lines are being joined. The zero value has none.
type joining struct {
	first    record   // with the first line
	lines    []string // empty: none is open
	bytes    int
	depth    int    // braces that its lines opened and did not close
	prefix   string // what stands before its value, if that goes on over lines which may each have the like
	exchange bool   // it is a recording proxy's: its bodies stand behind blank lines, all indented
}

// maxParked is how many hosts may be in the middle of a record at once.
const maxParked = 16

// turnTo goes on with the record of another host, and keeps the one that it leaves in the middle.
func (t *textLog) turnTo(host string) {
	if len(t.lines) > 0 && t.depth > 0 && len(t.parked) < maxParked {
		t.parked = append(t.parked, t.joining)
	} else {
		t.flush()
	}
	t.joining = joining{}
	if i := slices.IndexFunc(t.parked, func(j joining) bool { return j.first.host == host }); i >= 0 {
		t.joining = t.parked[i]
		t.parked = slices.Delete(t.parked, i, i+1)
	}
}

// entry is the text of one record, of one or several lines.
type entry struct {
	record
	lines int
}

// newTextLog makes the reader of a source's lines of text.
func newTextLog(p *pass) *textLog { return &textLog{pass: p} }

// line takes one line. It is joined to the record before it, or ends that record and begins another.
func (t *textLog) line(r record) bool {
	r.text = stripColours(r.text)
	if name, after, ok := programOf(r.text); ok {
		r.host, r.text = cmpOr(r.host, name), after
	}
	if (len(t.lines) > 0 || len(t.parked) > 0) && r.host != t.first.host {
		t.turnTo(r.host)
	}
	if rest, ok := t.below(r); ok {
		r.text = rest
	}
	if t.joins(r) {
		t.add(r.text)
		return !t.stopped
	}
	t.flush()
	if strings.TrimSpace(r.text) == "" {
		return !t.stopped
	}
	t.first, t.prefix = r, ""
	if last := strings.TrimRight(r.text, " "); strings.HasSuffix(last, "{") || strings.HasSuffix(last, "[") {
		_, rest := t.clock.headOf(r.text)
		t.prefix = r.text[:len(r.text)-len(rest)]
	}
	t.exchange = strings.Contains(r.text, " http") && proxyLine.MatchString(r.text)
	t.add(r.text)
	return !t.stopped
}

// below takes the prefix off a line of a value that a container, a service or a viewer logged line by line, each with a time and a name of its own.
func (t *textLog) below(r record) (string, bool) {
	if t.prefix == "" || len(t.lines) == 0 || t.depth <= 0 || r.host != t.first.host {
		return "", false
	}
	rest, ok := afterLike(r.text, t.prefix)
	if rest != "" && strings.IndexByte("}])", rest[0]) < 0 {
		rest = " " + rest // it may not be indented any more
	}
	return rest, ok
}

// afterLike is what stands behind a beginning of s that is like prefix in all but its digits.
func afterLike(s, prefix string) (string, bool) {
	i := 0
	for k := 0; k < len(prefix); {
		n := digits(prefix[k:])
		if n == 0 {
			if i >= len(s) || s[i] != prefix[k] {
				return "", false
			}
			i, k = i+1, k+1
			continue
		}
		m := digits(s[i:])
		if m == 0 {
			return "", false
		}
		i, k = i+m, k+n
	}
	return s[i:], true
}

// end takes what is still open. It is called once, behind the last line.
func (t *textLog) end() bool {
	t.flush()
	for _, j := range t.parked {
		t.joining = j
		t.flush()
	}
	t.parked = nil
	t.settle(t.votes.guess())
	for _, n := range t.clock.notes() {
		t.note(n)
	}
	return !t.stopped
}

// proxyLine is the first line of a call that a recording proxy prints: where it came from, method and address, and nothing behind them.
var proxyLine = regexp.MustCompile(`^[^"{]*\d: (?:POST|GET|PUT|DELETE|PATCH) https?://\S+(?: HTTP/[\d.]+)?$`)

// open says whether a record is open that an indented line belongs to, even one that looks like JSON of its own.
func (t *textLog) open() bool { return len(t.lines) > 0 && (t.depth > 0 || t.exchange) }

// awaitsBody says whether the open record announces an answer that stands on the lines below it, mostly cut short, as Guzzle's exceptions do.
func (t *textLog) awaitsBody() bool {
	return len(t.lines) == 1 && strings.HasSuffix(strings.TrimRight(t.lines[0], " "), "response:")
}

// add joins a line to the open record.
func (t *textLog) add(line string) {
	t.lines = append(t.lines, line)
	t.bytes += len(line) + 1
	t.depth += strings.Count(line, "{") + strings.Count(line, "[") + strings.Count(line, "(") -
		strings.Count(line, "}") - strings.Count(line, "]") - strings.Count(line, ")")
}

// joins says whether a line goes on with the open record: it is indented, or closes what was opened, or lies in open brackets without a time.
func (t *textLog) joins(r record) bool {
	if len(t.lines) == 0 || len(t.lines) >= maxEntryLines || t.bytes > maxEntryBytes || r.host != t.first.host {
		return false
	}
	line := r.text
	if strings.TrimSpace(line) == "" {
		return t.depth > 0 || t.exchange
	}
	switch line[0] {
	case ' ', '\t':
		return !isRailsLine(line)
	case '{':
		return t.awaitsBody()
	case '}', ']', ')':
		return t.depth > 0 || len(t.lines) > 1
	case '(', '[':
		last := strings.TrimRight(t.lines[len(t.lines)-1], " ")
		return strings.HasSuffix(last, "Array") || strings.HasSuffix(last, " Object") // print_r opens its bracket on a line of its own
	}
	return false
}

// flush reads the open record.
func (t *textLog) flush() {
	if len(t.lines) == 0 {
		return
	}
	e := entry{record: t.first, lines: len(t.lines)}
	if len(t.lines) > 1 {
		e.text = strings.Join(t.lines, "\n")
	}
	t.lines, t.bytes, t.depth = t.lines[:0], 0, 0
	if t.unwanted(e.place.Line) {
		return
	}
	if t.clock.order != orderUnknown {
		t.read(e)
		return
	}
	t.wait(e)
}

// wait reads a record at once unless its date can be read in two ways: such records are kept until one of them shows the order.
func (t *textLog) wait(e entry) {
	open := t.votes.add(dateIn(e.text))
	if order := t.votes.order; order != orderUnknown {
		t.settle(order)
		t.read(e)
		return
	}
	if !open && len(t.waiting) == 0 {
		t.read(e)
		return
	}
	t.waiting = append(t.waiting, e)
	if t.held += len(e.text); t.held > maxWaiting {
		t.settle(t.votes.guess())
	}
}

// settle reads the records that waited, now that the order of their dates is known or guessed.
func (t *textLog) settle(order dateOrder) {
	if guessed := t.votes.order == orderUnknown; !guessed || len(t.waiting) > 0 {
		t.clock.decide(order, guessed)
	}
	waiting := t.waiting
	t.waiting, t.held = nil, 0
	for _, e := range waiting {
		t.read(e)
	}
}

// stripColours takes terminal escapes out of a line: consoles write levels in colour.
func stripColours(s string) string {
	i := strings.IndexByte(s, 0x1b)
	if i < 0 {
		return s
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		s = s[i+1:]
		if strings.HasPrefix(s, "[") {
			end := strings.IndexFunc(s[1:], func(r rune) bool { return r != ';' && (r < '0' || r > '9') })
			if end < 0 {
				return b.String()
			}
			s = s[end+2:]
		}
		i = strings.IndexByte(s, 0x1b)
	}
	b.WriteString(s)
	return b.String()
}

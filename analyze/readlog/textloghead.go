package readlog

import (
	"strings"
)

// head is what stands before the message of a line of text.
type head struct {
	at    stamp
	level string // in lower case; empty: none was found
	names []string
	host  string
	tail  bool // it begins like aws logs tail: time, stream
}

// levels are the words for how bad a line is, in lower case.
var levels = map[string]bool{
	"trace": true, "debug": true, "info": true, "notice": true, "log": true, "warn": true, "warning": true, "error": true, "err": true, "fatal": true, "critical": true, "crit": true,
	"panic": true, "alert": true, "emerg": true, "inf": true, "wrn": true, "dbg": true, "silly": true, "verbose": true, "http": true, "i": true, "e": true, "w": true, "d": true, "f": true,
}

// maxHead is how far into a line a time may stand, in bytes: container names and streams come before it.
const maxHead = 240

// headOf takes the head off a line: times, levels, and the names between them, as long as each piece looks like one.
//
// The innermost time wins, since it is the program's own; but a time with a zone wins over one without.
func (c *clock) headOf(line string) (h head, rest string) {
	rest = line
	for first := true; len(line)-len(rest) < maxHead; first = false {
		trimmed := strings.TrimLeft(rest, " \t|:-")
		if n, ok := c.headTime(trimmed, &h, first || h.at.at.IsZero()); ok {
			rest = trimmed[n:]
			continue
		}
		if n := levelPrefix(trimmed); n > 0 { // INFO:2026-11-18 10:00:00,123:name: as Python's logging may be told to write
			h.level = strings.ToLower(trimmed[:n-1])
			rest = trimmed[n:]
			continue
		}
		word, n := headWord(trimmed)
		if inBrackets := n > len(word); n == 0 || !h.takeWord(word, trimmed[n:], inBrackets) {
			rest = trimmed
			break
		}
		rest = trimmed[n:]
	}
	return h, strings.TrimLeft(rest, " \t|:-")
}

// levelPrefix is the length of a level and a colon with a digit right behind it; 0: s begins otherwise.
func levelPrefix(s string) int {
	i := strings.IndexByte(s[:min(len(s), 12)], ':')
	if i <= 0 || i+1 >= len(s) || s[i+1] < '0' || s[i+1] > '9' || !levels[strings.ToLower(s[:i])] {
		return 0
	}
	return i + 1
}

// headTime reads a time at the start, also in brackets. Counts since 1970 are believed only where no time was before.
func (c *clock) headTime(s string, h *head, counts bool) (int, bool) {
	open := 0
	for open < len(s) && (s[open] == '[' || s[open] == '(' || s[open] == '"') {
		open++
	}
	if open > 1 || open >= len(s) {
		return 0, false
	}
	if n := digits(s[open:]); n > 8 && (!counts || n > 19) {
		return 0, false
	}
	st, n, ok := c.prefix(s[open:])
	if !ok || st.until > 2*3600e9 {
		return 0, false
	}
	n += open
	if n < len(s) && strings.IndexByte(" \t])|,;:\"'-", s[n]) < 0 {
		return 0, false
	}
	for n < len(s) && strings.IndexByte("]),;:\"", s[n]) >= 0 {
		n++
	}
	h.at = better(h.at, st)
	return n, true
}

// better is the time to believe of two that stand before one message, the outer one first.
func better(outer, inner stamp) stamp {
	if inner.at.IsZero() || !outer.at.IsZero() && inner.naive && !outer.naive {
		return outer
	}
	return inner
}

// headWord is the first piece of s: what stands in brackets, or up to a space.
func headWord(s string) (word string, n int) {
	if s == "" {
		return "", 0
	}
	if end := strings.IndexByte("[(<", s[0]); end >= 0 {
		n = strings.IndexByte(s, "])>"[end]) + 1
		if n <= 1 || n > 100 {
			return "", 0
		}
		for n < len(s) && strings.IndexByte("]:", s[n]) >= 0 {
			n++ // [$LATEST]0123
		}
		return s[1:strings.LastIndexByte(s[:n], "])>"[end])], n
	}
	n = strings.IndexAny(s, " \t")
	if n < 0 {
		n = len(s)
	}
	return s[:n], n
}

// takeWord says whether a word belongs to the head, and keeps what it says. What it is followed by matters: the last word is the message.
func (h *head) takeWord(word, after string, inBrackets bool) bool {
	bare := strings.TrimRight(strings.TrimSpace(word), ":,-")
	if bare == "" || strings.TrimSpace(after) == "" && h.level != "" {
		return bare == ""
	}
	level := strings.ToLower(bare) // which may be of another length where bare is no sound UTF-8
	if dot := strings.LastIndexByte(bare, '.'); dot > 0 && levels[strings.ToLower(bare[dot+1:])] {
		h.names = append(h.names, bare[:dot]) // Laravel's production.ERROR
		level = strings.ToLower(bare[dot+1:])
	}
	switch {
	case levels[level] && (len(level) > 1 || len(bare) == 1 && bare == strings.ToUpper(bare)):
		h.level = level
		return true
	case strings.ContainsAny(word, "={}\"'@") || strings.HasPrefix(bare, "wamid.") || strings.HasPrefix(bare, "+") || isPhoneText(bare):
		return false
	case strings.Contains(bare, "://"), strings.HasPrefix(bare, "/"):
		return false
	case !isHeadName(word, bare) && (!inBrackets || strings.Contains(bare, " ")):
		return false
	}
	h.names = append(h.names, bare)
	return true
}

// isHeadName says whether a word names a program, stream, process or thread, and is no word of a sentence.
func isHeadName(word, bare string) bool {
	switch {
	case strings.HasSuffix(word, "]:"), strings.HasSuffix(word, ":") && strings.ContainsAny(bare, "[0123456789./"):
		return true // app[123]:  worker.go:150:
	case strings.ContainsAny(bare, "/[]$"):
		return true // a stream
	case strings.Count(bare, "-") >= 2 && strings.ContainsAny(bare, "0123456789"):
		return true // a request id
	case strings.Count(bare, ".") >= 1 && !strings.HasSuffix(bare, "."):
		return true // a logger
	case strings.Trim(bare, "0123456789") == "" && len(bare) <= 7:
		return true // a process id
	}
	return bare == "stdout" || bare == "stderr" || bare == "F" || bare == "P"
}

// isPhoneText says whether a word is a phone number or a chat id made of one.
func isPhoneText(s string) bool {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "+"), "@")
	s = strings.TrimSuffix(s, ",")
	return len(s) >= 8 && len(s) <= 15 && strings.Trim(s, "0123456789") == ""
}

// programOf takes off the name that docker compose and pm2 put before each line of a program: web_1  | text.
func programOf(line string) (name, rest string, ok bool) {
	const longest = 60
	head := line[:min(len(line), longest)]
	i := strings.Index(head, " |")
	if name = strings.TrimSpace(head[:max(i, 0)]); name == "" || strings.ContainsAny(name, " ={\"") || levels[strings.ToLower(name)] {
		return "", line, false
	}
	if rest = line[i+len(" |"):]; rest != "" && rest[0] != ' ' {
		return "", line, false
	}
	if _, _, isTime := (&clock{}).prefix(name); isTime {
		return "", line, false
	}
	return name, strings.TrimPrefix(rest, " "), true
}

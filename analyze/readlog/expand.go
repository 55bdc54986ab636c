package readlog

import (
	"regexp"
	"slices"
	"strings"
)

// expand reads what strings of a record hold: JSON in JSON, a request or an answer as it went over the wire, words before JSON.
// What changes is copied, so that the record stays as it was.
func expand(v any, depth int) any {
	if depth > maxLayers {
		return v
	}
	switch v := v.(type) {
	case object:
		if !holdsText(v, depth) {
			return v
		}
		whole := make(object, len(v))
		for key, e := range v {
			if isWritten(key) && depth > 0 {
				whole[key] = e
				continue
			}
			whole[key] = expand(e, depth+1)
		}
		return whole
	case []any:
		if !holdsText(v, depth) {
			return v
		}
		whole := make([]any, len(v))
		for i, e := range v {
			whole[i] = expand(e, depth+1)
		}
		return whole
	case string:
		return expandText(v, depth)
	}
	return v
}

// holdsText says whether anywhere in v is a text that may hold more than words.
func holdsText(v any, depth int) bool {
	if depth > maxLayers {
		return false
	}
	switch v := v.(type) {
	case object:
		for key, e := range v {
			if (depth == 0 || !isWritten(key)) && holdsText(e, depth+1) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if holdsText(e, depth+1) {
				return true
			}
		}
	case string:
		return mayHold(v)
	}
	return false
}

// mayHold says whether a text may hold a value, or a request or an answer.
func mayHold(s string) bool {
	return len(s) >= 2 && (strings.IndexByte(s, '{') >= 0 || strings.IndexByte(s, '[') >= 0 || strings.HasPrefix(s, "HTTP/") || looksBase64(s))
}

// base64Heads is how base64 begins of what is worth decoding: a JSON object, a list of them, a request and an answer as they went over the wire.
var base64Heads = []string{"eyJ", "eyA", "ewo", "ew0K", "W3s", "UE9TVC", "R0VUI", "SFRUUC"}

// looksBase64 says whether a text is a value in base64 by how it begins, as queues and tunnels keep bodies.
func looksBase64(s string) bool {
	const least = 40 // bytes; a record is longer
	return len(s) >= least && slices.ContainsFunc(base64Heads, func(head string) bool { return strings.HasPrefix(s, head) })
}

func expandText(s string, depth int) any {
	if !mayHold(s) {
		return s
	}
	if looksBase64(s) && depth < maxLayers {
		if plain, _ := decoded(s, true).(string); plain != s {
			return expandText(plain, depth+1)
		}
	}
	trimmed := strings.TrimSpace(s)
	if trimmed[0] == '{' || trimmed[0] == '[' || trimmed[0] == '"' {
		if v, err := decodeText(trimmed); err == nil {
			return expand(v, depth+1)
		}
		return s
	}
	if o := exchange(s, depth); o != nil {
		return o
	}
	if i := strings.Index(s, `{"`); i >= 0 {
		if v, n, ok := jsonAt(s[i:]); ok && strings.TrimSpace(s[i+n:]) == "" {
			return object{"message": strings.TrimSpace(s[:i]), "payload": expand(v, depth+1)}
		}
	}
	return s
}

var (
	requestLine = regexp.MustCompile(`^(GET|POST|PUT|DELETE|PATCH) (\S+) HTTP/`)
	answerLine  = regexp.MustCompile(`^HTTP/[\d.]+ (\d{3})`)
	agentHeader = regexp.MustCompile(`(?im)^User-Agent:\s*(.+?)\r?$`)
)

// exchange is a request or an answer as it went over the wire: what is before the first blank line, and the body behind it. Nil: neither.
func exchange(s string, depth int) object {
	o := object{}
	if m := requestLine.FindStringSubmatch(s); m != nil {
		o["method"], o["url"] = m[1], m[2]
	} else if m := answerLine.FindStringSubmatch(s); m != nil {
		o["status_code"] = m[1]
	} else {
		return nil
	}
	head, body, ok := strings.Cut(s, "\r\n\r\n")
	if !ok {
		head, body, _ = strings.Cut(s, "\n\n")
	}
	if m := agentHeader.FindStringSubmatch(head); m != nil {
		o["user_agent"] = m[1]
	}
	if body = strings.TrimSpace(body); body != "" {
		o["body"] = expand(body, depth+1)
	}
	return o
}

package readlog

import (
	"html"
	"net/url"
	"strings"
)

// restored is a line of text whose JSON was escaped on its way, as it was before: by a web server, by a page that it was copied from, or as a form's value.
func restored(text string) string {
	switch {
	case strings.Contains(text, `{\x22`) && !strings.Contains(text, `"{\x22`):
		return hexQuotes(text)
	case strings.Contains(text, "{&quot;") || strings.Contains(text, "{&#34;"):
		return html.UnescapeString(text)
	case strings.Contains(text, "%7B%22"):
		return unpercented(text)
	}
	return text
}

// unpercented decodes the words of a text that hold JSON as the value of a form.
func unpercented(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		at := strings.Index(w, "%7B%22")
		if at < 0 {
			continue
		}
		value, rest, more := strings.Cut(w[at:], "&")
		if plain, err := url.QueryUnescape(value); err == nil {
			words[i] = w[:at] + plain
			if more {
				words[i] += " " + rest
			}
		}
	}
	return strings.Join(words, " ")
}

// hexQuotes writes \x22 and its like as the bytes they stand for; nginx escapes the bodies it logs so.
func hexQuotes(s string) string {
	out := make([]byte, 0, len(s))
	l := literal{s: s}
	for l.i < len(s) {
		if l.has(`\x`) {
			if n, ok := l.hex(2); ok {
				out = append(out, byte(n))
				continue
			}
			out = append(out, `\x`...)
			continue
		}
		out = append(out, s[l.i])
		l.i++
	}
	return string(out)
}

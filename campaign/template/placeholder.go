package template

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// piece is a stretch of text: literal, or the name between "{{" and "}}".
type piece struct {
	literal string
	name    string // not empty for a placeholder
}

// pieces cuts text at its placeholders. White space around a name is not part of it.
func pieces(text string) ([]piece, error) {
	var out []piece
	for rest := text; rest != ""; {
		before, after, open := strings.Cut(rest, "{{")
		if before != "" {
			out = append(out, piece{literal: before})
		}
		if !open {
			break
		}
		at := utf8.RuneCountInString(text[:len(text)-len(after)-len("{{")]) + 1
		name, next, closed := strings.Cut(after, "}}")
		name = strings.TrimSpace(name)
		switch {
		case !closed:
			return nil, fmt.Errorf("character %d: {{ without }}", at)
		case name == "":
			return nil, fmt.Errorf("character %d: a placeholder without a name", at)
		case strings.ContainsAny(name, "{}\r\n"):
			return nil, fmt.Errorf("character %d: %s is no placeholder name", at, shown(name))
		}
		out = append(out, piece{name: name})
		rest = next
	}
	return out, nil
}

// hasPlaceholder tells whether v holds something that looks like a placeholder nobody filled.
func hasPlaceholder(v string) bool {
	_, after, open := strings.Cut(v, "{{")
	return open && strings.Contains(after, "}}")
}

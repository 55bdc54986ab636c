package readlog

import (
	"regexp"
	"strings"
)

// maxLayers is how many layers may lie around a record; more is no log that anybody wrote.
const maxLayers = 16

// layers takes records out of what their way wrapped around them.
type layers struct{ *pass }

// layer is one kind of wrapping. Its open gives what is inside, false if o is something else.
type layer struct {
	format string // name of the source that has it outermost; empty: the inside names it
	open   func(p *pass, r record, o object) ([]record, bool)
}

// unwrap takes layer after layer off a record, and hands what is inside to the recognisers.
func (l layers) unwrap(r record, depth int) {
	if l.stopped {
		return
	}
	if depth > maxLayers {
		l.skip(r.place.Line, notWhatsApp)
		return
	}
	switch v := r.value.(type) {
	case nil:
		l.nothing(r, depth)
	case string:
		r.value, r.text = nil, v
		l.text(r, depth+1)
	case []any:
		l.elements(r, v, depth)
	case object:
		l.object(r, v, depth)
	default:
		l.skip(r.place.Line, notWhatsApp)
	}
}

func (l layers) nothing(r record, depth int) {
	if r.text == "" {
		l.skip(r.place.Line, notWhatsApp)
		return
	}
	l.text(r, depth)
}

func (l layers) elements(r record, list []any, depth int) {
	if len(list) == 0 {
		l.skip(r.place.Line, notWhatsApp)
		return
	}
	if v, ok := unflatted(list); ok {
		r.value = v
		l.unwrap(r, depth+1)
		return
	}
	for _, v := range list {
		e := r
		e.value, e.place.Line = v, lineOf(v, r.place.Line)
		l.unwrap(e, depth+1)
	}
}

func (l layers) object(r record, o object, depth int) {
	if l.strict(r, o) {
		return
	}
	for _, layer := range wrappings {
		inner, ok := layer.open(l.pass, r, o)
		if !ok {
			continue
		}
		for _, e := range inner {
			if e.format == "" {
				e.format = layer.format
			}
			l.unwrap(e, depth+1)
		}
		return
	}
	if !l.platformLine(r, o) {
		l.loose(r, o, depth)
	}
}

// criLine is how a container runtime writes a line: time, stream, whether the line goes on, text.
var criLine = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([PF])(?: (.*))?$`)

// criParts is the parts of a container runtime's line, nil if it is none.
func criParts(s string) []string {
	if len(s) < len("2006-01-02T15:04:05Z") || s[4] != '-' || s[10] != 'T' || !strings.Contains(s[:min(len(s), 48)], " std") {
		return nil
	}
	return criLine.FindStringSubmatch(s)
}

// text takes a line of text: a container's line, JSON, or anything else. Text that a layer held may have several lines.
func (p *pass) text(r record, depth int) {
	r.text = strings.TrimRight(r.text, "\r\n")
	if m := criParts(r.text); m != nil && depth <= maxLayers {
		p.criText(r, m, depth)
		return
	}
	trimmed := strings.Trim(r.text, junk)
	if depth > 0 && trimmed == "" {
		p.skip(r.place.Line, notJSON)
		return
	}
	if inside := depth == 0 && (p.texts.open() && strings.HasPrefix(r.text, " ") || p.texts.awaitsBody()); !inside && (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) {
		if v, err := decodeText(trimmed); err == nil {
			r.value, r.text = v, ""
			layers{p}.unwrap(r, depth+1)
			return
		}
		if depth > 0 && endsEarly(trimmed) {
			p.skip(r.place.Line, truncated)
			return
		}
	}
	for line := range strings.SplitSeq(r.text, "\n") {
		one := r
		one.text = strings.TrimRight(line, "\r")
		p.texts.line(one)
	}
}

// endsEarly says whether s is the beginning of JSON.
func endsEarly(s string) bool {
	var scan jsonScan
	for i := range len(s) {
		if scan.step(s[i]) != goesOn {
			return false
		}
	}
	return looksCut([]byte(s))
}

// timed sets when and where the record was written, where a layer says so.
func (p *pass) timed(r record, when any, host string) record {
	if st, ok := p.instant(when); ok {
		r.logged = st
	}
	if host != "" {
		r.host = host
	}
	return r
}

// within is what a layer held, with the place where it stands if it is known.
func (r record) within(v any) record {
	r.value, r.text, r.place.Line = v, "", lineOf(v, r.place.Line)
	return r
}

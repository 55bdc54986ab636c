package template

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// rendering is one row on its way to a message.
type rendering struct {
	content *Content
	cell    func(column int) string
	region  string
	faults  []Fault
	held    bool // an error was found
}

// Render fills one row in. cell gives the row's fields by index into the header, from 0, and "" past its end; region is the recipient's
// country, such as "BR", or empty. With an error among the faults the row is held back and the Message is empty; warnings leave it whole.
func (c *Content) Render(cell func(column int) string, region string) (m Message, faults []Fault) {
	faults = c.RenderInto(&m, cell, region)
	return m, faults
}

// RenderInto is Render into the memory of an earlier message, which is gone then.
func (c *Content) RenderInto(m *Message, cell func(column int) string, region string) []Fault {
	r := rendering{content: c, cell: cell, region: region}
	if r.message(m); r.held {
		*m = Message{}
	}
	return r.faults
}

// message picks the row's kind of content and renders it.
func (r *rendering) message(m *Message) {
	body, buttons := m.Body[:0], m.Buttons[:0]
	*m = Message{}
	kind := r.pick(r.content.kinds, contentMissing)
	if kind == nil {
		return
	}
	m.Type = kind.typ
	switch {
	case kind.typ == TypeTemplate:
		m.Template = r.value(kind)
		m.Language = r.language()
		m.Header = r.header()
		m.Body = r.body(body)
		m.Buttons = r.buttons(buttons)
		r.extra()
	case kind.typ == TypeText && kind.column < 0:
		m.Text = r.text(kind)
	case kind.typ == TypeText:
		m.Text = r.value(kind)
	default:
		m.Media = medium(r.value(kind))
	}
	if r.content.caption != nil {
		m.Caption = r.caption(m.Media != nil)
	}
}

// pick finds the one slot that this row fills. A single one is taken as it is: its own value tells what is missing.
func (r *rendering) pick(slots []slot, none rule) *slot {
	if len(slots) == 1 {
		return &slots[0]
	}
	var found *slot
	for i := range slots {
		s := &slots[i]
		switch {
		case s.column < 0 || blank(r.cell(s.column)):
		case found != nil:
			r.fault(s, verdict{contentConflict, found.key + " is filled too; fill one of them"})
			return nil
		default:
			found = s
		}
	}
	if found != nil {
		return found
	}
	if at := slices.IndexFunc(slots, func(s slot) bool { return s.hasFixed }); at >= 0 {
		return &slots[at]
	}
	if len(slots) > 0 {
		r.fault(&slots[0], verdict{rule: none})
	}
	return nil
}

// value is what a slot gives for this row, fit to send; empty with a fault, or where nothing is fine.
func (r *rendering) value(s *slot) string {
	if s.column < 0 {
		return s.fixed // judged once, when it was bound
	}
	raw := r.cell(s.column)
	if s.hasFixed || s.optional {
		if blank(raw) {
			return s.fixed
		}
	}
	flag := ""
	if s.byFlag {
		flag = "param"
	}
	v, found := r.content.fit(s, flag, raw)
	if found.rule != fine {
		r.fault(s, found)
	}
	if found.rule == mediaUnsupported && r.content.fileSize != nil && s.form.bytes > 0 {
		r.weigh(s, strings.TrimSpace(raw))
	}
	return v
}

// weigh judges the size of a medium that is a local file. Who uploads it first, as the fault before says, needs to know.
func (r *rendering) weigh(s *slot, path string) {
	if size, ok := r.content.fileSize(path); ok && size > s.form.bytes {
		r.fault(s, verdict{mediaTooLarge, tooLarge(size, s.form.bytes)})
	}
}

// fault notes what was found, once for each value: a placeholder may stand in a text twice.
func (r *rendering) fault(s *slot, found verdict) {
	if slices.ContainsFunc(r.faults, func(f Fault) bool { return f.Key == s.key && f.Rule == rules[found.rule].name }) {
		return
	}
	f := Fault{Rule: rules[found.rule].name, Severity: rules[found.rule].severity, Key: s.key, Message: found.text()}
	if s.column >= 0 {
		f.Column, f.Header = s.column+1, s.title
	}
	r.held = r.held || found.bad()
	r.faults = append(r.faults, f)
}

func (r *rendering) language() string {
	s := &r.content.language
	if r.content.country == nil {
		return r.value(s)
	}
	if code, ok := r.content.country[r.region]; ok {
		return code
	}
	if !s.hasFixed {
		covered := strings.Join(slices.Sorted(maps.Keys(r.content.country)), ", ")
		r.fault(s, verdict{paramMissing, fmt.Sprintf("no language for country %s: --set language covers %s; --language gives the one for all others", shown(r.region), covered)})
	}
	return s.fixed
}

func (r *rendering) header() *Header {
	if len(r.content.header) == 0 {
		return nil
	}
	s := r.pick(r.content.header, mediaMissing)
	if s == nil {
		return nil
	}
	h := &Header{Type: s.typ, Name: s.name}
	if s.typ == TypeText {
		h.Text = r.value(s)
		return h
	}
	h.Media = medium(r.value(s))
	if s.typ == TypeDocument && h.Media != nil && r.content.filename != nil {
		h.Media.Filename = r.value(r.content.filename)
	}
	return h
}

// medium is a link or an id as shapeMedia left it, or a file as fit did; nil for nothing.
func medium(v string) *Media {
	if v == "" {
		return nil
	}
	if file, ok := strings.CutPrefix(v, fileMark); ok {
		sum, path, _ := strings.Cut(file, ":")
		return &Media{Path: path, Sum: sum}
	}
	if id, ok := strings.CutPrefix(v, "id:"); ok {
		return &Media{ID: id}
	}
	return &Media{Link: v}
}

func (r *rendering) body(out []Parameter) []Parameter {
	slots := r.content.body
	if len(slots) == 0 {
		return nil
	}
	out = slices.Grow(out, len(slots))
	size := 0
	for i := range slots {
		out = append(out, Parameter{Name: slots[i].name, Text: r.value(&slots[i])})
		size += slots[i].times * len(out[i].Text)
	}
	if size > r.content.bodyRoom { // bytes are never fewer than code points, and cheaper to count
		r.measure(out)
	}
	return out
}

// measure counts the body's code points and blames the longest value when they are too many.
func (r *rendering) measure(body []Parameter) {
	size, longest, at := 0, -1, 0
	for i, p := range body {
		n := utf8.RuneCountInString(p.Text) * r.content.body[i].times
		size += n
		if n > longest {
			longest, at = n, i
		}
	}
	if room := r.content.bodyRoom; size > room {
		r.fault(&r.content.body[at], verdict{paramTooLong, fmt.Sprintf("the body's values have %d characters together; there is room for %d, and this value is the longest", size, max(room, 0))})
	}
}

func (r *rendering) buttons(out []Button) []Button {
	slots := r.content.buttons
	if len(slots) == 0 {
		return nil
	}
	out = slices.Grow(out, len(slots))
	for i := range slots {
		if v := r.value(&slots[i]); v != "" {
			out = append(out, Button{Index: slots[i].index, SubType: slots[i].subType, Text: v})
		}
	}
	return out
}

// extra warns about values that the template file has no place for.
func (r *rendering) extra() {
	for i := range r.content.extra {
		if s := &r.content.extra[i]; !blank(r.cell(s.column)) {
			r.fault(s, verdict{rule: paramExtra})
		}
	}
}

// text is --text with its placeholders filled.
func (r *rendering) text(kind *slot) string {
	var space [256]byte
	out := space[:0]
	for i := range r.content.pieces {
		p := &r.content.pieces[i]
		if p.slot == nil {
			out = append(out, p.literal...)
		} else {
			out = append(out, r.value(p.slot)...)
		}
	}
	text := string(out)
	switch {
	case r.held:
	case blank(text):
		r.fault(kind, verdict{rule: paramEmpty})
	case len(text) > maxText:
		if n := utf8.RuneCountInString(text); n > maxText {
			r.fault(kind, verdict{textTooLong, fmt.Sprintf("%d characters; at most %d are allowed", n, maxText)})
		}
	}
	return text
}

// caption is the row's caption; one without a medium would be lost in silence.
func (r *rendering) caption(withMedia bool) string {
	s := r.content.caption
	v := r.value(s)
	if v != "" && !withMedia && !r.held {
		r.fault(s, verdict{mediaMissing, "a caption without image, video or document"})
	}
	return v
}

package template

import (
	"fmt"
	"strconv"
	"strings"
)

// Seen is what a person sees of a message, as text of several lines. T is the message's template; nil where it is not known, and then only the
// values can be shown.
func (m Message) Seen(t *Template) string {
	if m.Type == TypeText {
		return m.Text
	}
	var lines []string
	add := func(line string) {
		if line != "" {
			lines = append(lines, line)
		}
	}
	if m.Type != TypeTemplate {
		add(m.Media.seen(m.Type))
		add(m.Caption)
		return strings.Join(lines, "\n")
	}
	if t == nil || t.Name != m.Template || t.Language != m.Language {
		add(fmt.Sprintf("[template %s, %s; its text is in its JSON only]", m.Template, m.Language))
		t = &Template{}
	}
	add(m.Header.seen(t))
	add(m.bodySeen(t))
	for i, b := range t.Buttons {
		add(m.buttonSeen(i, b))
	}
	return strings.Join(lines, "\n")
}

func (m *Media) seen(kind string) string {
	if m == nil {
		return ""
	}
	what := m.Link
	if m.ID != "" {
		what = "id " + m.ID
	}
	if m.Filename != "" {
		what = m.Filename + ", " + what
	}
	return "[" + kind + ": " + what + "]"
}

func (h *Header) seen(t *Template) string {
	switch {
	case h == nil:
		return t.HeaderText
	case h.Type != TypeText:
		return h.Media.seen(h.Type)
	case t.HeaderText == "":
		return "header: " + h.Text
	}
	return filled(t.HeaderText, func(string) (string, bool) { return h.Text, true })
}

func (m Message) bodySeen(t *Template) string {
	value := func(name string) (string, bool) {
		for i, p := range m.Body {
			if p.Name == name || p.Name == "" && strconv.Itoa(i+1) == name {
				return p.Text, true
			}
		}
		return "", false
	}
	if t.Body != "" {
		return filled(t.Body, value)
	}
	var lines []string
	for i, p := range m.Body {
		name := p.Name
		if name == "" {
			name = strconv.Itoa(i + 1)
		}
		lines = append(lines, "body "+name+": "+p.Text)
	}
	return strings.Join(lines, "\n")
}

func (m Message) buttonSeen(index int, b TemplateButton) string {
	value := ""
	for _, v := range m.Buttons {
		if v.Index == index {
			value = v.Text
		}
	}
	switch {
	case b.URL != "":
		return "[" + b.Text + ": " + filled(b.URL, func(string) (string, bool) { return value, value != "" }) + "]"
	case b.SubType == "copy_code":
		return "[" + b.Text + ": " + value + "]"
	}
	return "[" + b.Text + "]"
}

// filled is a text with its placeholders filled; one without a value stays.
func filled(text string, value func(name string) (string, bool)) string {
	parts, err := pieces(text)
	if err != nil {
		return text
	}
	var b strings.Builder
	for _, p := range parts {
		if p.name == "" {
			b.WriteString(p.literal)
		} else if v, ok := value(p.name); ok {
			b.WriteString(v)
		} else {
			b.WriteString("{{" + p.name + "}}")
		}
	}
	return b.String()
}

package template

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// AppendJSON appends what encoding/json makes of the message, byte for byte. What most messages have takes no detour through reflection.
func (m Message) AppendJSON(b []byte) ([]byte, error) {
	if m.Header != nil || m.Media != nil || len(m.Buttons) > 0 || !m.plain() {
		text, err := json.Marshal(m)
		return append(b, text...), err
	}
	b = appendField(append(b, '{'), "type", m.Type, true)
	b = appendField(b, "name", m.Template, false)
	b = appendField(b, "lang", m.Language, false)
	for i, p := range m.Body {
		if i == 0 {
			b = append(b, `,"body":[{`...)
		} else {
			b = append(b, `},{`...)
		}
		b = appendField(appendField(b, "name", p.Name, false), "text", p.Text, true)
	}
	if len(m.Body) > 0 {
		b = append(b, `}]`...)
	}
	b = appendField(b, "text", m.Text, false)
	return append(appendField(b, "cap", m.Caption, false), '}'), nil
}

// appendField appends a field, behind a comma where it is not the first; an empty one only where always.
func appendField(b []byte, key, value string, always bool) []byte {
	if value == "" && !always {
		return b
	}
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(append(append(b, '"'), key...), `":"`...)
	return append(append(b, value...), '"')
}

// plain says that JSON shows all texts as they are.
func (m *Message) plain() bool {
	for _, p := range m.Body {
		if !plainText(p.Name) || !plainText(p.Text) {
			return false
		}
	}
	return plainText(m.Type) && plainText(m.Template) && plainText(m.Language) && plainText(m.Text) && plainText(m.Caption)
}

// plainText says that JSON shows a text as it is: encoding/json escapes control characters, quotes, what HTML knows, and two line ends.
func plainText(s string) bool {
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || c == 0x7f:
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return ascii || utf8.ValidString(s) && !strings.ContainsAny(s, "\u2028\u2029")
}

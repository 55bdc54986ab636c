package template

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// TestAppendJSON holds the short way to what encoding/json writes.
func TestAppendJSON(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "", "Oi João", "a\"b", "<b>", "\u2028", "\xff", "\x7f", "tab\there", "emoji 🎉", `\`}))
	rapid.Check(t, func(t *rapid.T) {
		m := Message{Type: texts.Draw(t, "type"), Template: texts.Draw(t, "template"), Language: texts.Draw(t, "language"), Text: texts.Draw(t, "text"),
			Caption: texts.Draw(t, "caption")}
		for range rapid.IntRange(0, 3).Draw(t, "parameters") {
			m.Body = append(m.Body, Parameter{Name: texts.Draw(t, "name"), Text: texts.Draw(t, "value")})
		}
		if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
			m.Buttons = []Button{{Index: 1, SubType: "url", Text: texts.Draw(t, "button")}}
		}
		want, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.AppendJSON([]byte("{"))
		if err != nil || string(got) != "{"+string(want) {
			t.Fatalf("%s, %v; want %s", got, err, want)
		}
	})
}

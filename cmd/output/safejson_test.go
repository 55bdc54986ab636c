package output

import (
	"encoding/json"
	"testing"
)

func TestSafeJSON(t *testing.T) {
	for in, want := range map[string]string{
		"plain":             `"plain"`,
		"a\u009b31m":        `"a\u009b31m"`,
		"a\u202eb\u200dc":   "\"a\\u202eb\u200dc\"",
		"tag\U000e0041":     `"tag\udb40\udc41"`,
		"del\x7f":           `"del\u007f"`,
		"São Paulo \u4f60!": `"São Paulo 你!"`,
	} {
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		got := SafeJSON(string(text))
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil || back != in || got != want {
			t.Errorf("%q: got %s, read back %q, %v; want %s", in, got, back, err, want)
		}
	}
}

package wire

import (
	"encoding/json"
	"strconv"
	"testing"
)

func TestCodeReadsNumbersAndStrings(t *testing.T) {
	for in, want := range map[string]Code{`131056`: 131056, `"131056"`: 131056, `0`: 0, `"0"`: 0} {
		var got Code
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", in, got, err, want)
		}
	}
}

func TestCodeRefusesTheRest(t *testing.T) {
	for _, in := range []string{`"TOO_MANY_REQUESTS"`, `1.5`, `{}`, `[131056]`, `true`, `""`, `99999999999999999999`} {
		got := Code(7)
		if err := json.Unmarshal([]byte(in), &got); err == nil {
			t.Errorf("%s: read as %d, want an error", in, got)
		}
	}
}

// TestCodeIsWrittenAsANumber because that is how the platform writes it in an answer.
func TestCodeIsWrittenAsANumber(t *testing.T) {
	got, err := json.Marshal(Code(131056))
	if err != nil || string(got) != "131056" {
		t.Errorf("%s, %v", got, err)
	}
}

func FuzzCode(f *testing.F) {
	for _, s := range []string{`131056`, `"131056"`, `"x"`, `null`, `1e9`, `-4`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var c Code
		if json.Unmarshal(b, &c) != nil {
			return
		}
		var again Code
		if err := json.Unmarshal([]byte(strconv.Itoa(int(c))), &again); err != nil || again != c {
			t.Errorf("%s reads as %d, which reads as %d, %v", b, c, again, err)
		}
	})
}

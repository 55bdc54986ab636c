package output

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSafe(t *testing.T) {
	for in, want := range map[string]string{
		"plain text":           "plain text",
		"Olá, 你好 👩‍💻":          "Olá, 你好 👩‍💻",
		"a\x1b[31mb":           `a\x1b[31mb`,
		"line\r\nnext\ttab":    `line\r\nnext\ttab`,
		"bell\a del\x7f":       `bell\x07 del\x7f`,
		"csi \u009b31m":        `csi \u009b31m`,
		"turned \u202e round":  `turned \u202e round`,
		"lines\u2028split":     `lines\u2028split`,
		"soft\u00adhyphen":     `soft\u00adhyphen`,
		"bad \xff utf-8":       `bad \xff utf-8`,
		"replacement \ufffd !": "replacement \ufffd !",
	} {
		if got := Safe(in); got != want {
			t.Errorf("Safe(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzSafe(f *testing.F) {
	f.Add("a\x1b]0;title\x07b")
	f.Add("\xff\u202e\u200d")
	f.Fuzz(func(t *testing.T, text string) {
		got := Safe(text)
		if !utf8.ValidString(got) {
			t.Errorf("Safe(%q) = %q is not UTF-8", text, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && !strings.ContainsRune(joiners, r) {
				t.Errorf("Safe(%q) = %q lets %U through", text, got, r)
			}
		}
		if again := Safe(got); again != got {
			t.Errorf("Safe(%q) changes what is safe to %q", got, again)
		}
	})
}

func TestMask(t *testing.T) {
	for in, want := range map[string]string{
		"to +5511987654321 now":          "to +5511*****4321 now",
		"5511987654321":                  "5511*****4321",
		"(11) 98765-4321":                "(11) 9****-*321",
		"+55 (11) 98765-4321, +1234567":  "+55 (11) *****-4321, +1*****7",
		"row 12 of 12,000":               "row 12 of 12,000",
		"at 2026-10-28T14:04:01.000Z":    "at 2026-10-28T14:04:01.000Z",
		"at 2026-10-28 14:04:01 UTC":     "at 2026-10-28 14:04:01 UTC",
		"131056: wait 6 s":               "131056: wait 6 s",
		"id wamid.HBgLMTY1MDM4Nzk0Mzk=":  "id wamid.****",
		"2 min 38 s":                     "2 min 38 s",
		"5511987654321 5511987654322":    "5511********* *********4322",
		"5511987654321-1600000000@g.us":  "5511*********-******0000@g.us",
		"HBgNNTUxMTk4NzY1NDMyMRUCABEYEg": "wamid.****",
		"gBEGkYiEB1VXAglK1ZEqA1YKPrU=":   "wamid.****",
		"gBEG is no id, HBgN neither":    "gBEG is no id, HBgN neither",
		"http://127.0.0.1:8025":          "http://127.0.0.1:8025",
		"1234567890123456789":            "1234567890123456789",
		"":                               "",
	} {
		if got := Mask(in); got != want {
			t.Errorf("Mask(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMaskPhone(t *testing.T) {
	for in, want := range map[string]string{
		"+5511987654321":   "+5511*****4321",
		"+551187654321":    "+5511****4321",
		"+1234567890":      "+123****890",
		"+12345678":        "+12****78",
		"+1234567":         "+1*****7",
		"1234":             "****",
		"":                 "",
		"+447911123456789": "+4479*******6789",
	} {
		if got := MaskPhone(in); got != want {
			t.Errorf("MaskPhone(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestMaskHidesEveryNumber: whatever stands around a number and however it is written, its middle never comes through.
func TestMaskHidesEveryNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[1-9][0-9]{9,14}`).Draw(t, "digits")
		prefix := rapid.SampledFrom([]string{"", "+", "to ", "tel:+", "\"", "wa.me/"}).Draw(t, "prefix")
		got := Mask(prefix + digits + rapid.SampledFrom([]string{"", ",", " is wrong", "\""}).Draw(t, "suffix"))
		if keep := 4; strings.Contains(got, digits[keep:len(digits)-keep]) && len(digits) > 3*keep {
			t.Errorf("%q shows the middle of %s", got, digits)
		}
		if strings.Count(got, "*") < 4 {
			t.Errorf("%q hides less than 4 digits of %s", got, digits)
		}
	})
}

func TestMaskStringsLeavesNumbers(t *testing.T) {
	const in = `{"version":1,"messages":12000000,"recipient":"+5511987654321","id":"wamid.AAAA","text":"say \"+5511987654321\"","at":"2026-10-28T14:04:01.000Z"}`
	const want = `{"version":1,"messages":12000000,"recipient":"+5511*****4321","id":"wamid.****","text":"say \"+5511*****4321\"","at":"2026-10-28T14:04:01.000Z"}`
	if got := maskStrings(in); got != want {
		t.Errorf("maskStrings:\n got %s\nwant %s", got, want)
	}
}

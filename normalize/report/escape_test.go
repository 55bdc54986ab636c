package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/normalize"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 🌻": "plain é 🌻", "a\nb\tc\r": `a\nb\tc\r`, "\x1b[31m": `\x1b[31m`, "\u202e": `\u202e`, "\xff": `\xff`, "\uFFFD": "\uFFFD",
		"\U000e0041": `\U000e0041`, "👩\u200d🚀": "👩\u200d🚀", "\u0085": `\u0085`,
	} {
		if got := visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestMasked(t *testing.T) {
	for _, tt := range []struct{ in, text, cell string }{
		{"+5511987654321", "+5511*****4321", "+5511*****4321"},
		{"same as line 12 (+55 11 98765-4321)", "same as line 12 (+55 11 *****-4321)", "same as line 12 (+55 ** *****-4321)"},
		{"٠٥١٢٣٤٥٦٧٨", "٠٥١****٦٧٨", "٠٥١****٦٧٨"},
		{"2O1-555-O127", "2O1-555-O127", "2O1-***-O*27"}, // letters part it: certain only in a cell
		{"12 of 40 columns", "12 of 40 columns", "12 of 40 columns"},
		{"11\u20119612\u20113456", "11\u20119***\u2011*456", "11\u20119***\u2011*456"},
		{"wamid.HBgNNTUxMTk4NzY1NDMyMQ==", "wamid.****", "wamid.****"},
		{"120363000000000000@g.us", "1203**********0000@g.us", "1203**********0000@g.us"},
	} {
		if got := Masked(tt.in); got != tt.text {
			t.Errorf("text %q: %q, want %q", tt.in, got, tt.text)
		}
		if got := maskedCell(tt.in); got != tt.cell {
			t.Errorf("cell %q: %q, want %q", tt.in, got, tt.cell)
		}
	}
}

// numberWriting draws a number in some writing, with its digits.
func numberWriting(t *rapid.T) (cell, digits string) {
	digits = rapid.StringMatching(`[1-9][0-9]{8,18}`).Draw(t, "digits")
	separators := []string{"", "", "", " ", "-", ".", "\u00a0", "\u202a", "\u2011", " (", ") "}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 {
			b.WriteString(rapid.SampledFrom(separators).Draw(t, "separator"))
		}
		b.WriteRune(d)
	}
	return "+" + b.String(), digits
}

// However a number is written, a face made for another system shows neither it nor so much that it could be told.
func TestFacesHideNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell, digits := numberWriting(t)
		p := Problem{Path: "list.csv", Line: 2, Column: 1, Char: 1, Header: cell, Rule: "duplicate", Severity: normalize.Warning, Value: cell,
			Message: "same as line 3 (+" + digits + "), " + cell, Recipient: "+" + digits, Fix: &normalize.Repair{Line: 2, Char: 1, Old: cell, New: "+" + digits}}
		r := Report{Problems: All(p), Summary: Summary{Warnings: 1, ByRule: map[string]int{"duplicate": 1}}, Files: []File{{Path: "list.csv", PhoneColumn: cell}}}
		for _, f := range faces {
			for _, numbers := range []Numbers{ByFace, Hidden, Shown} {
				var b strings.Builder
				if err := Write(&b, f.name, r, Options{Numbers: numbers}); err != nil {
					t.Fatal(err)
				}
				shown := strings.Contains(onlyDigits(b.String()), digits)
				hides := numbers == Hidden || numbers == ByFace && f.hides
				if hides == shown {
					t.Errorf("%s with numbers %d: shown %v\n%s", f.name, numbers, shown, b.String())
				}
			}
		}
	})
}

// onlyDigits is the digits of a text whose \u escapes are left out.
func onlyDigits(text string) string {
	for _, escape := range []string{`\u202a`, `\u2011`, `\u00a0`} {
		text = strings.ReplaceAll(text, escape, "")
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

func FuzzEscapes(f *testing.F) {
	for _, h := range hostile {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if v := visible(text); visible(v) != v || !utf8.ValidString(v) {
			t.Errorf("%q becomes %q, and that %q", text, v, visible(v))
		}
		var line bytes.Buffer
		w := bufio.NewWriter(&line)
		err := errors.Join(newJSONWriter(w).put(text), w.Flush())
		var back string
		if err != nil || json.Unmarshal(line.Bytes(), &back) != nil || back != strings.ToValidUTF8(back, "") {
			t.Fatalf("%q becomes %q: %v", text, line.Bytes(), err)
		}
		if utf8.ValidString(text) && back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
		if m := Masked(Masked(text)); len([]rune(m)) > len([]rune(text))+len("wamid.****") {
			t.Errorf("%q grows to %q", text, m)
		}
	})
}

func FuzzFaces(f *testing.F) {
	for _, h := range hostile {
		if len(h) < 100 {
			f.Add(h, "too-short", "error")
		}
	}
	f.Fuzz(func(t *testing.T, cell, rule, severity string) {
		p := Problem{Path: cell, Line: 1, Column: 1, Char: 1, Header: cell, Rule: rule, Severity: normalize.Severity(severity), Value: cell, Message: cell,
			Fix: &normalize.Repair{Line: 1, Char: 1, Old: cell, New: cell}}
		for _, numbers := range []Numbers{ByFace, Shown, Hidden} {
			for _, format := range Formats() {
				checkSafe(t, format, written(t, format, reportOf(nil, All(p)), Options{Numbers: numbers}))
			}
		}
	})
}

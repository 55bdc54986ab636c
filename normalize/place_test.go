package normalize

import (
	"strings"
	"testing"
)

func TestByteIn(t *testing.T) {
	for _, tt := range []struct {
		text       string
		char, want int
	}{{"", 1, 0}, {"abc", 0, 0}, {"abc", 1, 1}, {"abc", 3, 3}, {"abc", 4, 4}, {"abc", 5, 0}, {"é🙂x", 2, 3}, {"é🙂x", 3, 7}, {"a\xffb", 3, 3}} {
		if got := byteIn(tt.text, tt.char); got != tt.want {
			t.Errorf("byteIn(%q, %d) = %d, want %d", tt.text, tt.char, got, tt.want)
		}
	}
}

// A finding's place in bytes leads to the very text, whatever stands before it in its own cell and in others.
func TestBytesOfFindings(t *testing.T) {
	const list = "phone,náme,name\n+5511961234567,é ção \"x\" y,b\nç123,\"é\n"
	l, err := Open("a.csv", strings.NewReader(list), Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Split(list, "\n")
	seen := 0
	for row, err := range l.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range row.Findings {
			if f.Char == 0 {
				continue
			}
			seen++
			if at := row.Byte(f.Char) - 1; string([]rune(text[row.Line-1])[f.Char-1:]) != text[row.Line-1][at:] {
				t.Errorf("%s: character %d, byte %d", f.Rule, f.Char, at+1)
			}
		}
	}
	for _, f := range l.Notes() {
		if f.Char > 0 && f.Line == l.HeaderLine {
			seen++
			if at := l.HeaderByte(f.Char) - 1; text[0][at:] != "name" {
				t.Errorf("%s: byte %d", f.Rule, at+1)
			}
		}
	}
	if seen < 3 {
		t.Errorf("only %d findings have a place", seen)
	}
}

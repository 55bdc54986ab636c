package readlog

import (
	"bytes"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestHolesAgainstBytes holds the holes that are scanned eight bytes at a time against scans byte by byte.
func TestHolesAgainstBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alphabet := rapid.SampledFrom([]string{"ab\"\\*", "aZ0+/= \x00\x1f\x20\x21\x7f\x80\xff\"\\*", "a"}).Draw(t, "alphabet")
		b := []byte("a")
		for range rapid.IntRange(0, 40).Draw(t, "length") {
			b = append(b, alphabet[rapid.IntRange(0, len(alphabet)-1).Draw(t, "byte")])
		}
		want := 0
		for want < len(b) && b[want] > ' ' && b[want] < 0x80 && bytes.IndexByte([]byte("\"\\*"), b[want]) < 0 {
			want++
		}
		if got := idEnd(b, 0); got != want {
			t.Fatalf("id %q ends at %d, want %d", b, got, want)
		}
		if got := textEnd(b, 0); got != slowTextEnd(b) {
			t.Fatalf("text %q ends at %d, want %d", b, got, slowTextEnd(b))
		}
	})
}

// TestDigitsAgainstBytes holds numbers and times that are read eight digits at a time against a reading digit by digit.
func TestDigitsAgainstBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		odd := rapid.SampledFrom([]byte{'/', ':', 0, 0xff, 0x80, 'a', ' ', '0'}).Draw(t, "odd")
		b := []byte(strconv.FormatUint(rapid.Uint64Range(0, 99_999_999_999_999_999).Draw(t, "digits"), 10))
		if at := rapid.IntRange(0, 2*len(b)).Draw(t, "at"); at < len(b) {
			b[at] = odd
		}
		b = append(b, rapid.SampledFrom([]string{"", "\"", "\",\"x\":1", ":"}).Draw(t, "rest")...)
		width := 0
		for width < len(b) && b[width]-'0' <= 9 {
			width++
		}
		n, _ := strconv.ParseUint(string(b[:width]), 10, 64)
		m := matcher{text: b}
		want := width
		if width < 7 || width > 15 || b[0] == '0' {
			want = -1
		}
		if got := m.fillDigits(holePhone, 0); got != want || want > 0 && m.phone != n {
			t.Fatalf("phone %q ends at %d as %d, want %d", b, got, m.phone, want)
		}
		want = 10
		if width != 10 || len(b) == 10 || n < 1e9 || n >= latest {
			want = -1
		}
		if got := m.fillTime(0); got != want || want > 0 && m.time != int64(n) {
			t.Fatalf("time %q ends at %d as %d, want %d", b, got, m.time, want)
		}
	})
}

// slowTextEnd is where the quote is that ends a JSON string, -1 where there is none or the string is unsound.
func slowTextEnd(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '"':
			return i
		case b[i] < ' ':
			return -1
		case b[i] == '\\':
			n := escapeLength(b[i:])
			if n == 0 {
				return -1
			}
			i += n - 1
		}
	}
	return -1
}

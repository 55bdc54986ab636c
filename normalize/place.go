package normalize

import "unicode/utf8"

// Byte is where a character of the row's first line stands, in bytes of UTF-8, both from 1; 0 where it is not known.
func (r Row) Byte(char int) int { return byteIn(r.rec.Raw(), char) }

// HeaderByte is where a character of the header's line stands, in bytes of UTF-8, both from 1; 0 where it is not known.
func (l *List) HeaderByte(char int) int { return byteIn(l.head.Raw(), char) }

// byteIn is the byte at which a character of a text begins, from 1; just behind the text stands one more.
func byteIn(text string, char int) int {
	at := 0
	for n := 1; n < char; n++ {
		if at >= len(text) {
			return 0
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	if char < 1 || text == "" {
		return 0
	}
	return at + 1
}

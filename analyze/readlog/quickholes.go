package readlog

import (
	"encoding/binary"
	"math/bits"
)

// fill matches one hole at an offset. It gives the offset behind it, or -1.
func (m *matcher) fill(h hole, at int) int {
	switch h {
	case holeText:
		return textEnd(m.text, at)
	case holeID:
		return wordEnd(m.text, at, inID)
	case holeUser:
		return wordEnd(m.text, at, inUser)
	case holeTime:
		return m.fillTime(at)
	case holeNumber:
		return numberEnd(m.text, at)
	case holePhone, holeDigits:
		return m.fillDigits(h, at)
	}
	return -1
}

// fillDigits reads digits, the first of them no 0. A phone number has 7 to 15 of them.
func (m *matcher) fillDigits(h hole, at int) int {
	const leastPhone, most = 7, 15
	n, end := uint64(0), at
	for ; end < len(m.text); end++ {
		d := m.text[end] - '0'
		if d > 9 {
			break
		}
		n = n*10 + uint64(d)
	}
	width := end - at
	if width == 0 || m.text[at] == '0' || h == holePhone && (width < leastPhone || width > most) {
		return -1
	}
	m.phone = n
	return end
}

// fillTime reads ten digits that are a second which the clock believes.
func (m *matcher) fillTime(at int) int {
	const width = 10
	if len(m.text)-at <= width {
		return -1
	}
	n := int64(0)
	for _, c := range m.text[at : at+width] {
		d := c - '0'
		if d > 9 {
			return -1
		}
		n = n*10 + int64(d)
	}
	if d := m.text[at+width] - '0'; d <= 9 || n < 1e9 || n >= latest {
		return -1
	}
	m.time = n
	return at + width
}

// The bytes of ids, one bit for each kind.
const (
	inID   = 1 << iota // of messages
	inUser             // of users
	letter
)

var wordBytes = func() (t [256]uint8) {
	for c := range t {
		switch b := byte(c); {
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			t[c] = inID | inUser | letter
		case b >= '0' && b <= '9', b == '.', b == '_', b == '-':
			t[c] = inID | inUser
		case b == '+', b == '/', b == '=':
			t[c] = inID
		}
	}
	return t
}()

// wordEnd is the end of an id that begins with a letter.
func wordEnd(b []byte, at int, kind uint8) int {
	if at >= len(b) || wordBytes[b[at]]&letter == 0 {
		return -1
	}
	for at < len(b) && wordBytes[b[at]]&kind != 0 {
		at++
	}
	return at
}

// textEnd is the end of what stands in a JSON string, where its closing quote is; -1 where it is none.
func textEnd(b []byte, at int) int {
	for {
		for len(b)-at >= 8 {
			stops := textStops(binary.LittleEndian.Uint64(b[at:]))
			if stops != 0 {
				at += bits.TrailingZeros64(stops) / 8
				break
			}
			at += 8
		}
		if at >= len(b) {
			return -1
		}
		switch c := b[at]; {
		case c == '"':
			return at
		case c == '\\':
			n := escapeLength(b[at:])
			if n == 0 {
				return -1
			}
			at += n
		case c < ' ':
			return -1
		default:
			at++
		}
	}
}

// textStops has the top bit of each byte set at which a text may end: quotes, backslashes and control characters. The lowest is right.
func textStops(w uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, back := w^(ones*'"'), w^(ones*'\\')
	control := (w - ones*' ') &^ w
	return (control | (quote-ones)&^quote | (back-ones)&^back) & tops
}

// escapeLength is the length of the escape that b begins with, 0 if it is none.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) >= 6 && isHex(b[2]) && isHex(b[3]) && isHex(b[4]) && isHex(b[5]) {
			return 6
		}
	}
	return 0
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// numberEnd is the end of a JSON number, -1 where there is none.
func numberEnd(b []byte, at int) int {
	if at < len(b) && b[at] == '-' {
		at++
	}
	first := at
	if at = digitsEnd(b, at); at == first || b[first] == '0' && at > first+1 {
		return -1
	}
	if at < len(b) && b[at] == '.' {
		point := at + 1
		if at = digitsEnd(b, point); at == point {
			return -1
		}
	}
	if at < len(b) && b[at]|0x20 == 'e' {
		at++
		if at < len(b) && (b[at] == '+' || b[at] == '-') {
			at++
		}
		power := at
		if at = digitsEnd(b, power); at == power {
			return -1
		}
	}
	return at
}

func digitsEnd(b []byte, at int) int {
	for at < len(b) && b[at]-'0' <= 9 {
		at++
	}
	return at
}

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
		return idEnd(m.text, at)
	case holeUser:
		return userEnd(m.text, at)
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
	if len(m.text)-at >= 8 {
		if eight, ok := eightDigits(binary.LittleEndian.Uint64(m.text[at:])); ok {
			n, end = eight, at+8
		}
	}
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
	text := m.text[at : at+width+1]
	eight, ok := eightDigits(binary.LittleEndian.Uint64(text))
	tens, ones := text[8]-'0', text[9]-'0'
	n := int64(eight)*100 + int64(tens)*10 + int64(ones)
	if !ok || tens > 9 || ones > 9 || text[width]-'0' <= 9 || n < 1e9 || n >= latest {
		return -1
	}
	m.time = n
	return at + width
}

// eightDigits reads eight bytes, the first of them the lowest, as a number; not ok where one is no digit.
func eightDigits(w uint64) (n uint64, ok bool) {
	const highs, zeros, six = 0xf0f0f0f0f0f0f0f0, 0x3030303030303030, 0x0606060606060606
	ok = w&highs|(w+six)&highs>>4 == zeros|zeros>>4
	w -= zeros
	w = w*10 + w>>8
	const pairs = 0x000000ff000000ff
	w = (w&pairs*(100+1000000<<32) + w>>16&pairs*(1+10000<<32)) >> 32
	return w & 0xffffffff, ok
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// userEnd is the end of a user's id that begins with a letter.
func userEnd(b []byte, at int) int {
	if at >= len(b) || !isLetter(b[at]) {
		return -1
	}
	for at < len(b) && (isLetter(b[at]) || b[at]-'0' <= 9 || b[at] == '.' || b[at] == '_' || b[at] == '-') {
		at++
	}
	return at
}

// idEnd is the end of a message id that begins with a letter: visible ASCII, but for what ends a text and the star of a mask.
func idEnd(b []byte, at int) int {
	if at >= len(b) || !isLetter(b[at]) {
		return -1
	}
	for ; len(b)-at >= 8; at += 8 {
		w := binary.LittleEndian.Uint64(b[at:])
		if !mayStopID(w) {
			continue
		}
		if stops := idStops(w); stops != 0 {
			return at + bits.TrailingZeros64(stops)/8
		}
	}
	for at < len(b) && b[at] > ' ' && b[at] < 0x80 && b[at] != '"' && b[at] != '\\' && b[at] != '*' {
		at++
	}
	return at
}

// mayStopID says whether one of the bytes lies outside of what nearly all ids consist of: no other is a stop for idStops. It asks less than half as much.
func mayStopID(w uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	back := w ^ (ones * '\\')
	return ((w-ones*'+')|w|(back-ones)&^back)&tops != 0
}

// idStops has the top bit of each byte set at which an id may end. The lowest is right.
func idStops(w uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, back, star := w^(ones*'"'), w^(ones*'\\'), w^(ones*'*')
	return ((w-ones*'!')&^w | w | (quote-ones)&^quote | (back-ones)&^back | (star-ones)&^star) & tops
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

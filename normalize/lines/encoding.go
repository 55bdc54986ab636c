package lines

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	utf16 "golang.org/x/text/encoding/unicode"
)

// The names of the encodings that are read. Workbook stands for XLSX, whose text is UTF-8 inside.
const (
	UTF8        = "utf-8"
	UTF8BOM     = "utf-8-bom"
	Windows1252 = "windows-1252"
	MacRoman    = "mac-roman"
	Workbook    = "xlsx"
)

const bom = "\xef\xbb\xbf"

// wide is UTF-16 in one byte order. Its names are those of the encoding with and without a byte order mark.
type wide struct {
	mark, marked, bare string
	decoder            encoding.Encoding
}

var wides = []wide{
	{"\xff\xfe", "utf-16le-bom", "utf-16le", utf16.UTF16(utf16.LittleEndian, utf16.IgnoreBOM)},
	{"\xfe\xff", "utf-16be-bom", "utf-16be", utf16.UTF16(utf16.BigEndian, utf16.IgnoreBOM)},
}

// widen decodes UTF-16, with a mark or recognised by its NUL bytes. The name is empty for other text.
func widen(sample []byte, src io.Reader) (text io.Reader, name string, guessed bool) {
	for _, w := range wides {
		if bytes.HasPrefix(sample, []byte(w.mark)) {
			_, _ = io.CopyN(io.Discard, src, int64(len(w.mark))) // they are in the sample, so they are there
			return w.decoder.NewDecoder().Reader(src), w.marked, false
		}
	}
	if order := nulOrder(sample); order >= 0 {
		return wides[order].decoder.NewDecoder().Reader(src), wides[order].bare, true
	}
	return src, "", false
}

// nulOrder tells UTF-16 by where its NUL bytes stand: the index of its byte order in wides, or -1.
//
// Digits, delimiters and line endings have one even where all letters are Arabic or Chinese.
func nulOrder(sample []byte) int {
	var nuls [2]int
	for i, c := range sample {
		if c == 0 {
			nuls[i%2]++
		}
	}
	units := len(sample) / 2
	switch low, high := nuls[0], nuls[1]; {
	case units < 4:
	case high*5 >= units*2 && low*8 <= high:
		return 0
	case low*5 >= units*2 && high*8 <= low:
		return 1
	}
	return -1
}

// eightBit are the encodings that are guessed for text that is not UTF-8. The first wins a tie.
var eightBit = []struct {
	name string
	set  *charmap.Charmap
}{{Windows1252, charmap.Windows1252}, {MacRoman, charmap.Macintosh}}

// guess is the encoding in eightBit under which the text looks most like words.
func guess(text []byte) int {
	best, bestScore := 0, 0
	for i, e := range eightBit {
		if score := wordScore(text, e.set); i == 0 || score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// wordScore counts what speaks for an encoding: letters inside words; and against it: signs and capitals inside words, capitals alone, undefined bytes.
func wordScore(text []byte, set *charmap.Charmap) (score int) {
	for i, c := range text {
		if c < utf8.RuneSelf {
			continue
		}
		r := set.DecodeByte(c)
		before, after := neighbour(text, i-1), neighbour(text, i+1)
		switch {
		case r == utf8.RuneError || unicode.IsControl(r):
			score -= 3
		case unicode.IsUpper(r) && (unicode.IsLower(before) || !unicode.IsLetter(before) && !unicode.IsLetter(after)):
			score -= 2
		case unicode.IsLetter(r):
			score++
		case r != '’' && unicode.IsLetter(before) && unicode.IsLetter(after):
			score -= 3
		}
	}
	return score
}

// neighbour is the ASCII character at the offset, or a blank.
func neighbour(text []byte, i int) rune {
	if i < 0 || i >= len(text) || text[i] >= utf8.RuneSelf {
		return ' '
	}
	return rune(text[i])
}

// mostlyUTF8 says whether text has more characters of several bytes than bytes that belong to none.
func mostlyUTF8(text []byte) bool {
	good, bad := 0, 0
	for len(text) > 0 {
		c, n := utf8.DecodeRune(text)
		switch {
		case c == utf8.RuneError && n <= 1:
			bad++
		case n > 1:
			good++
		}
		text = text[n:]
	}
	return good > bad
}

// validEnd is how far b is certainly UTF-8: up to the first character that is not ASCII and not of two bytes, as most others are, or len(b).
// It reads eight bytes at once; utf8.Valid does so only up to the first byte of all that is not ASCII.
func validEnd(b []byte) int {
	const high = 0x8080808080808080
	at := 0
	for {
		for at+8 <= len(b) {
			if word := binary.LittleEndian.Uint64(b[at:]) & high; word != 0 {
				at += bits.TrailingZeros64(word) / 8
				break
			}
			at += 8
		}
		for at < len(b) && b[at] < utf8.RuneSelf {
			at++
		}
		if at+1 >= len(b) || b[at] < 0xC2 || b[at] > 0xDF || b[at+1]&0xC0 != 0x80 {
			return at
		}
		at += 2
	}
}

// invalidAt is the offset of the first byte that is not UTF-8, or -1. Where more text follows, a character cut off at the end is none.
func invalidAt(b []byte, last bool) int {
	for i := validEnd(b); i < len(b); i += validEnd(b[i:]) {
		c, n := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && n <= 1 {
			if !last && !utf8.FullRune(b[i:]) {
				return -1
			}
			return i
		}
		i += n
	}
	return -1
}

package lines

import "math/bits"

// Fields are short, so records are looked through eight bytes at a time right here: a call for each field costs more than its bytes.
const (
	wordSize = 8
	eachByte = 0x0101010101010101 // times a byte: that byte eight times
	lowBits  = 0x7F7F7F7F7F7F7F7F
)

// word is the eight bytes at an offset, the first one lowest.
func word(s string, at int) uint64 {
	s = s[at : at+wordSize]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// zeros has the highest bit of each byte that is zero, and no other.
func zeros(w uint64) uint64 { return ^((w&lowBits + lowBits) | w | lowBits) }

// split cuts a record without quotes at its delimiters.
func split(out []string, raw string, delim byte) []string {
	start, at, each := 0, 0, uint64(delim)*eachByte
	for ; at+wordSize <= len(raw); at += wordSize {
		for hits := zeros(word(raw, at) ^ each); hits != 0; hits &= hits - 1 {
			end := at + bits.TrailingZeros64(hits)/wordSize
			out, start = append(out, raw[start:end]), end+1
		}
	}
	for ; at < len(raw); at++ {
		if raw[at] == delim {
			out, start = append(out, raw[start:at]), at+1
		}
	}
	return append(out, raw[start:])
}

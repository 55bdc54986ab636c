package numplan

import (
	_ "embed"
	"strings"
	"sync/atomic"
)

// embedded is the table as it stands in the program's file.
//
//go:embed table.bin
var embedded string

// table is the one that is read: embedded, or its copy.
var table atomic.Pointer[string]

func init() { table.Store(&embedded) }

// Near copies the table into memory of the program's own: it is quicker to look things up there. Worth it before many thousands of numbers.
func Near() {
	if table.Load() == &embedded {
		copied := strings.Clone(embedded)
		table.Store(&copied)
	}
}

// text is what digits may stand in.
type text interface{ ~string | ~[]byte }

// label is what a state says about a number that ends there; the package comment has its bits.
type label uint64

func (l label) region() int       { return int(l & 0xFF) }
func (l label) kind() Kind        { return Kind(l >> 8) }
func (l label) service() bool     { return l&(1<<16) != 0 }
func (l label) viable(n int) bool { return l>>32&(1<<n) != 0 }

// code is a country calling code: where its automaton starts, and which plans are its own, the main one first.
type code struct {
	digits uint16 // the code itself
	start  uint16
	first  uint8
	count  uint8
}

// Entry is what the plans say about a number. The zero value is a number of no region.
type Entry struct {
	Region string // ISO code, "001" for a country code of no region; of invalid numbers too where their first digits tell
	Kind   Kind   // NoKind for a number that does not exist
}

// Valid says whether the number exists.
func (e Entry) Valid() bool { return e.Kind != NoKind }

// Lookup finds a national significant number behind its country code. It is the library's IsValidNumber, GetNumberType and GetRegionCodeForNumber.
func Lookup[T text](number int, nsn T) Entry {
	c := codeOf(number)
	return c.entry(labels[ended(c.start, nsn)])
}

// entry turns a label into the words of its region.
func (c *code) entry(l label) Entry {
	r := l.region()
	if c.count == 1 {
		r = 1 // all numbers of the code are of the region
	}
	if r == 0 {
		return Entry{}
	}
	return Entry{Region: plans[int(c.first)+r-1].region, Kind: l.kind()}
}

// codeOf is the entry of a country code; that of unknown ones has no plans and starts where nothing matches.
func codeOf(number int) *code {
	if uint(number) >= uint(len(codeAt)) {
		return &codes[0]
	}
	return &codes[codeAt[number]]
}

// SplitCode finds the country code that digits start with and how many digits it has; 0 where they start with none.
func SplitCode[T text](digits T) (number, length int) {
	for i := range min(3, len(digits)) {
		d := int(digits[i]) - '0'
		if uint(d) > 9 {
			return 0, 0
		}
		if number = number*10 + d; number == 0 {
			return 0, 0 // no code starts with 0
		}
		if codeAt[number] != 0 {
			return number, i + 1
		}
	}
	return 0, 0
}

// A state's number times unit is where it stands. Behind the ten digits it has two more numbers.
const (
	unit    = 8
	labelAt = 20
	endedAt = 22
)

// ended is the label of the state that digits lead to, 0 for anything but digits.
func ended[T text](start uint16, digits T) uint16 {
	t, s := *table.Load(), int(start)
	for i := range len(digits) {
		d := int(digits[i]) - '0'
		if uint(d) > 9 {
			return 0
		}
		s = int(word(t, s*unit+2*d))
	}
	return word(t, s*unit+labelAt)
}

// found is the index of the cut that a prefix at the start of the digits makes; 0 for none.
func found(start uint16, digits []byte) (cut uint16) {
	t, s := *table.Load(), int(start)
	for i := range digits {
		if w := word(t, s*unit+labelAt); w != 0 {
			cut = w
		}
		if s = int(word(t, s*unit+2*int(digits[i]-'0'))); s == 0 {
			return cut
		}
	}
	if w := word(t, s*unit+endedAt); w != 0 {
		cut = w
	}
	return cut
}

// word is the number of 16 bits at a place of the table.
func word(t string, at int) uint16 { return uint16(t[at]) | uint16(t[at+1])<<8 }

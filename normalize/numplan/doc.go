// Package numplan knows the numbering plans of all countries: whether digits are a number, of which region and kind, and if not, why.
//
// Start at Lookup, which takes a country code and the digits behind it, and at Read, which takes digits as people dial them. Both
// give what the phonenumbers library gives for the same digits; they need no allocation and some 15 to 60 ns. What belongs to a
// region as a whole stands in regions.go.
//
// The tables are made of the library's own metadata by the command in gen, which `go generate` runs; the library itself is only
// needed there and in tests. A test fails when the tables are of another version than the library in go.mod.
//
// # The table
//
// table.bin holds the states of one digit automaton, 24 bytes each: twelve numbers of 16 bits, low byte first. The first ten are
// the states that the digits 0 to 9 lead to, each as its offset in the table divided by 8. State 0 matches nothing and leads to itself. All patterns of all regions of a country
// code (its general one, those of ten kinds, leading digits, possible lengths) are one part of it, which starts at code.start; equal
// states are one in the whole table. The eleventh number is the label of a number that ends in the state, an index into labels:
//
//	bits 0-7    the region, from 1, in the order of the code's plans; 0 where none claims the number
//	bits 8-15   the Kind, 0 for a number that does not exist
//	bit 16      a short code (only in the parts that start at plan.short)
//	bits 32-63  the plans whose general pattern matches, whatever the length
//
// The parts that start at plan.prefix and plan.idd find a national prefix or an international one at the start of the digits. There
// the eleventh number says what was found so far and the twelfth what is found if no digit follows, as an index into cuts: how many
// digits the prefix has, and which of them are kept (255: none). The last find on the way counts, as in the library's patterns.
package numplan

//go:generate go run -tags numplangen ./gen

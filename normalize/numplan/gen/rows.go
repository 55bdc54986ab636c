//go:build numplangen

package main

import (
	"encoding/binary"
	"errors"
	"slices"
)

// row is a state, known by where it stands in the table: where each digit leads, what a number that ends here is, and for prefixes what matches only at the end.
type row struct {
	next         [10]uint16
	label, ended uint16
}

// rows are all states of all automata, equal ones once. State 0 matches nothing and is never left.
type rows struct {
	all    []row
	known  map[row]uint16
	sinks  map[uint16]uint16 // by label
	labels []label
	cuts   []cut
}

func newRows() *rows {
	return &rows{all: []row{{}}, known: map[row]uint16{{}: 0}, sinks: map[uint16]uint16{0: 0}, labels: []label{{}}, cuts: []cut{{}}}
}

func (rs *rows) count() int { return len(rs.all) }

// add is the number of a state.
func (rs *rows) add(r row) (uint16, error) {
	if id, ok := rs.known[r]; ok {
		return id, nil
	}
	if len(rs.all)*stateUnits > 0xFFFF {
		return 0, errors.New("too many states for 16 bits")
	}
	id := rs.free()
	rs.all = append(rs.all, r)
	rs.known[r] = id
	return id, nil
}

// stateUnits is the length of a state in units of 8 bytes: a state's number is where it stands, so that a step needs no multiplication.
const stateUnits = 3

// free is the number of the next state.
func (rs *rows) free() uint16 { return uint16(len(rs.all) * stateUnits) }

// sink is a state that no digit leaves.
func (rs *rows) sink(r row) (uint16, error) {
	if id, ok := rs.sinks[r.label]; ok {
		return id, nil
	}
	id := rs.free()
	for d := range r.next {
		r.next[d] = id
	}
	rs.sinks[r.label] = id
	return rs.add(r)
}

func (rs *rows) label(l label) uint16 { return place(&rs.labels, l) }
func (rs *rows) cut(c cut) uint16     { return place(&rs.cuts, c) }

// place is the index of a value in a table without equal values; it is put there where it is new.
func place[T comparable](table *[]T, v T) uint16 {
	if i := slices.Index(*table, v); i >= 0 {
		return uint16(i)
	}
	*table = append(*table, v)
	return uint16(len(*table) - 1)
}

// bytes are the states in the order of their numbers, 12 numbers of 16 bits each, low byte first.
func (rs *rows) bytes() []byte {
	var b []byte
	for _, r := range rs.all {
		for _, n := range r.next {
			b = binary.LittleEndian.AppendUint16(b, n)
		}
		b = binary.LittleEndian.AppendUint16(b, r.label)
		b = binary.LittleEndian.AppendUint16(b, r.ended)
	}
	return b
}

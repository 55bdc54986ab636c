package readlog

import (
	"math"

	"github.com/wactl/wactl/analyze"
)

// latestSent is where the sent statuses of a block are among its facts, by their messages, as far as they were not overwritten by others.
type latestSent [1 << 10]int32

func (s *latestSent) of(message uint64) *int32 { return &s[message>>1%uint64(len(s))] } // the lowest bit says something else

// fold makes the facts of one line, from the given one on, part of what they follow: a sent status of the same run, whose facts begin at the oldest.
//
// Nearly every message is delivered and read, which hardly ever says more than that; so a message is one fact from here on and not three.
func (f *shown) fold(sent *latestSent, oldest, first int) {
	kept := f.facts[:first]
	for i := first; i < len(f.facts); i++ {
		one := &f.facts[i]
		at := sent.of(one.message)
		if before := int(*at); before >= oldest && before < len(kept) && kept[before].follow(one) {
			continue
		}
		if one.kind == analyze.Sent {
			*at = int32(len(kept))
		}
		kept = append(kept, *one)
	}
	f.facts = kept
}

// follow takes another status of a message into a sent one, if it says nothing but when and where it came.
func (f *quickFact) follow(o *quickFact) bool {
	var later *analyze.Later
	switch o.kind {
	case analyze.Delivered:
		later = &f.delivered
	case analyze.Read:
		later = &f.read
	default:
		return false
	}
	switch {
	case f.kind != analyze.Sent || f.message != o.message || f.recipient != o.recipient || f.number != o.number || f.code != o.code || later.Lines != 0,
		f.user|o.user != 0 || f.waID|o.waID != 0,
		o.at < f.at || o.at-f.at > math.MaxUint16 || o.line <= f.line || o.line-f.line > math.MaxUint16:
		return false
	}
	*later = analyze.Later{Seconds: uint16(o.at - f.at), Lines: uint16(o.line - f.line)}
	return true
}

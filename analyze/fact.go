package analyze

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Fact is an event reduced to what the arithmetic needs. Ids come from the [Ledger] that the fact is added to; zero ids are unknown.
type Fact struct {
	Kind      Kind
	Naive     bool
	Number    uint16        // from Ledger.Number
	Recipient uint64        // from Ledger.Recipient
	Message   uint64        // from Ledger.Message
	At        int64         // milliseconds since the Unix epoch; 0: unknown
	Until     time.Duration // resolution of At
	Code      int
	Place     Place
	Delivered Later // the status of that kind which followed a Sent
	Read      Later
}

// Later says that a status like a fact, but for kind, time and line, came behind it in its source. The zero value says that none did.
type Later struct {
	Seconds uint16 // after the fact's time
	Lines   uint16 // behind the fact's line; 0: there is no such status
}

// fact is a Fact in 40 bytes without a pointer: a log of a gigabyte has millions of them.
type fact struct {
	message uint64
	who     uint64 // recipient, and above it the index of the code
	when    int64  // milliseconds, and below them the file, so that the order of times is the order of numbers
	line    uint32
	number  uint16
	bits    uint16 // kind 4, resolution 3, naive 1, role 3, fresh 1, followed 2, nameless 1
	later   [2]Later
}

// The parts of a fact's words.
const (
	whoBits   = 50
	whoMask   = 1<<whoBits - 1
	fileBits  = 20
	fileMask  = 1<<fileBits - 1
	maxCodes  = 1<<(64-whoBits) - 1
	maxMillis = 1<<(63-fileBits) - 1
	kindMask  = 15
	resShift  = 4
	resMask   = 7
	naiveBit  = 1 << 7
	roleShift = 8
	roleMask  = 7
	freshBit  = 1 << 11
	laterBit  = 1 << 12 // of the first kind in laterKinds; that of the second is the next
	laterBits = 3 * laterBit
	idlessBit = 1 << 14
)

// laterKinds are the statuses that a fact may stand for beside its own: nearly every message has them, and they hardly ever say anything.
var laterKinds = [2]Kind{Delivered, Read}

// answered is a kind of our own: the answer to a request that the log shows in a record before it.
const answered = Echo + 1

// role is what a fact is in the timeline of its pair, once all facts of its message are known.
type role uint8

const (
	aside     role = iota // says again, or more of, what another fact stands for
	placed                // an accepted send whose time is known
	uncertain             // a request whose fate is unknown: it may have cost quota
	unplaced              // an accepted send whose time is not known, only that it was before this
	failing               // refused by the pair limit
	reported              // when the status said that a request of an earlier time had failed
	incoming              // the user wrote
)

// resolutions are the grains of time that a fact can have, from the finest.
var resolutions = [...]time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, time.Minute, time.Hour, 24 * time.Hour}

func (f Fact) pack(code int) fact {
	if f.At <= 0 || f.At > maxMillis {
		f.At = 0
	}
	res := 0
	for res < len(resolutions)-1 && resolutions[res] < f.Until {
		res++
	}
	bits := uint16(f.Kind)&kindMask | uint16(res)<<resShift
	if f.Naive {
		bits |= naiveBit
	}
	later := [2]Later{f.Delivered, f.Read}
	for i, l := range later {
		if l.Lines != 0 {
			bits |= laterBit << i
		}
	}
	return fact{
		message: f.Message, number: f.Number, bits: bits, later: later,
		who:  f.Recipient&whoMask | uint64(code)<<whoBits,
		when: f.At<<fileBits | int64(min(max(f.Place.File, 0), fileMask)),
		line: uint32(min(max(f.Place.Line, 0), math.MaxUint32)),
	}
}

func (f *fact) kind() Kind            { return Kind(f.bits & kindMask) }
func (f *fact) role() role            { return role(f.bits >> roleShift & roleMask) }
func (f *fact) at() int64             { return f.when >> fileBits }
func (f *fact) file() int             { return int(f.when & fileMask) }
func (f *fact) place() Place          { return Place{File: f.file(), Line: int(f.line)} }
func (f *fact) recipient() uint64     { return f.who & whoMask }
func (f *fact) code() int             { return int(f.who >> whoBits) }
func (f *fact) naive() bool           { return f.bits&naiveBit != 0 }
func (f *fact) fresh() bool           { return f.bits&freshBit != 0 }
func (f *fact) nameless() bool        { return f.bits&idlessBit != 0 }
func (f *fact) grain() time.Duration  { return resolutions[f.bits>>resShift&resMask] }
func (f *fact) setRole(r role)        { f.bits = f.bits&^(roleMask<<roleShift) | uint16(r)<<roleShift }
func (f *fact) setAt(ms int64)        { f.when = ms<<fileBits | f.when&fileMask }
func (f *fact) setRecipient(r uint64) { f.who = f.who&^whoMask | r }
func (f *fact) setCode(i int)         { f.who = f.who&whoMask | uint64(i)<<whoBits }

// standsForOthers says whether a fact can stand for statuses that came after it: its message, time and line must be known, and theirs fit.
func (f *fact) standsForOthers() bool {
	return f.kind() == Sent && f.message != 0 && f.at() != 0 && f.at() < maxMillis-math.MaxUint16*1000 && f.line != 0 && f.line < math.MaxUint32-math.MaxUint16
}

// alone is a fact without the statuses that it stands for.
func (f *fact) alone() fact {
	one := *f
	one.bits, one.later = one.bits&^laterBits, [2]Later{}
	return one
}

// apart appends a fact and the statuses that it stands for, each as a fact of its own.
func (f *fact) apart(to []fact) []fact {
	one := f.alone()
	to = append(to, one)
	for i, l := range f.later {
		if f.bits&(laterBit<<i) != 0 {
			status := one
			status.bits = status.bits&^kindMask | uint16(laterKinds[i])
			if f.at() != 0 { // what is after an unknown time is unknown too
				status.setAt(min(f.at()+int64(l.Seconds)*1000, maxMillis))
			}
			if f.line != 0 {
				status.line = uint32(min(uint64(f.line)+uint64(l.Lines), math.MaxUint32))
			}
			to = append(to, status)
		}
	}
	return to
}

// host says whether the sender's own machine gave the fact its time; the platform gave the others theirs.
func (f *fact) host() bool {
	k := f.kind()
	return k == Attempt || k == Accepted || k == Refused || k == answered
}

// pairHash says in which list a fact of a pair is kept.
func pairHash(f *fact) uint64 { return mix(f.recipient(), uint64(f.number)) }

// byMessage brings the facts of a message together, in an order that does not depend on who read them first.
func byMessage(a, b *fact) int {
	if a.message != b.message {
		return cmp.Compare(a.message, b.message)
	}
	return bySequence(a, b)
}

// byPair is the order of timelines. What was refused stands behind all else of the same instant: a refusal charges nothing.
func byPair(a, b *fact) int {
	if a.number != b.number {
		return cmp.Compare(a.number, b.number)
	}
	if c := cmp.Compare(a.recipient(), b.recipient()); c != 0 {
		return c
	}
	if c := cmp.Compare(a.at(), b.at()); c != 0 {
		return c
	}
	if refused := a.role() == failing; refused != (b.role() == failing) {
		if refused {
			return 1
		}
		return -1
	}
	return bySequence(a, b)
}

// bySequence is the order of facts beside their keys. Only facts that say the same are equal in it, so that it does not matter in which order they were added.
func bySequence(a, b *fact) int {
	if a.when != b.when {
		return cmp.Compare(a.when, b.when)
	}
	if c := cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.message, b.message), cmp.Compare(a.bits, b.bits), cmp.Compare(a.who, b.who), cmp.Compare(a.number, b.number)); c != 0 {
		return c
	}
	return slices.CompareFunc(a.later[:], b.later[:], func(a, b Later) int {
		return cmp.Or(cmp.Compare(a.Lines, b.Lines), cmp.Compare(a.Seconds, b.Seconds))
	})
}

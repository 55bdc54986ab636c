package emulator

import (
	"math"
	"slices"
)

const (
	second = int64(1000)               // in milliseconds
	day    = 24 * int64(3600) * second // in milliseconds
)

// sliding is the list of accepted messages in the last second of one number, oldest first.
type sliding []int64

// passed is the list without what lies a second or more before t.
func (s sliding) passed(t int64) sliding {
	i := slices.IndexFunc(s, func(at int64) bool { return at > t-second })
	if i < 0 {
		return s[:0]
	}
	return s[i:]
}

// audience is the recipients of the moving day, each with its last accepted message.
type audience struct {
	last     map[string]int64
	quietFor int64 // nobody leaves the audience before this instant, so looking is useless
}

// full says whether t has no room for recipient beside the others of the last 24 hours.
func (a *audience) full(recipient string, t int64, tier int) bool {
	if _, ok := a.last[recipient]; ok {
		return false // in already; or leaving at this very instant, which makes room
	}
	if len(a.last) >= tier {
		a.forget(t)
	}
	return len(a.last) >= tier
}

// forget drops everybody whose last message is 24 hours old.
func (a *audience) forget(t int64) {
	if t < a.quietFor {
		return
	}
	a.quietFor = math.MaxInt64
	for who, at := range a.last {
		if at <= t-day {
			delete(a.last, who)
			continue
		}
		a.quietFor = min(a.quietFor, at+day)
	}
}

// add counts an accepted message to recipient at t.
func (a *audience) add(recipient string, t int64) {
	a.last[recipient] = t
	a.quietFor = min(a.quietFor, t+day)
}

package readlog

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"
)

// keyName is what is known of the name of a member, so that it is worked out once and not for each record.
type keyName struct {
	name, bare string // as it is written, and without what styles put into it
	rank       rank
	ranked     bool // the name has a meaning, whose rank it is
	code       int  // place among the names of codes; -1: none
	written    bool // what people wrote stands there
	mentions   keyWay
	sign       int // place in signs
	isSign     bool
}

// keyWay is what a name on the way to a value makes of the value.
type keyWay uint8

const (
	wayError      keyWay = 1 << iota // an error's
	wayContext                       // of the message that is answered
	wayComponents                    // of a template
)

// The bounds of what is kept of names. A log has a few dozen; one that makes names of numbers gets no room.
const (
	maxKeyNames = 4096
	maxKeyLen   = 64
)

// keyNames is only ever replaced as a whole, so that it is read without a lock.
var (
	keyNames   atomic.Pointer[map[string]*keyName]
	keyNamesMu sync.Mutex
)

// knownKey is what is known of a name, nil if it is too strange to be kept.
func knownKey(name string) *keyName {
	known := keyNames.Load()
	if known != nil {
		if k := (*known)[name]; k != nil {
			return k
		}
		if len(*known) >= maxKeyNames {
			return nil
		}
	}
	if len(name) > maxKeyLen {
		return nil
	}
	return learnKey(strings.Clone(name))
}

// learnKey adds a name.
func learnKey(name string) *keyName {
	keyNamesMu.Lock()
	defer keyNamesMu.Unlock()
	more := map[string]*keyName{}
	if known := keyNames.Load(); known != nil {
		more = maps.Clone(*known)
	}
	k := newKeyName(name)
	more[name] = k
	keyNames.Store(&more)
	return k
}

// keyOf is what a name means.
func keyOf(name string) *keyName {
	if k := knownKey(name); k != nil {
		return k
	}
	return newKeyName(name)
}

func newKeyName(name string) *keyName {
	k := &keyName{name: name, bare: bareOf(name)}
	k.rank, k.ranked = rankOf[k.bare]
	k.code = codeRank(k.bare)
	k.sign, k.isSign = signOf[name]
	switch k.bare {
	case "text", "caption":
		k.written = true
	case "components":
		k.written, k.mentions = true, wayComponents
	case "context", "inbound", "replyto":
		k.mentions = wayContext
	}
	if isErrorWay(k.bare) {
		k.mentions |= wayError
	}
	return k
}

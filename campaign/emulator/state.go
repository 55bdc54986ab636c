package emulator

import "crypto/sha256"

// pairKey names one pair: a business number and the recipient as the platform reads it.
type pairKey struct{ number, recipient string }

func (m message) pair() pairKey { return pairKey{m.number, m.recipient} }

// messageKey is a hash of a number and a message's callback data. Hashes keep a long run small: the memory of messages only grows.
type messageKey [16]byte

// key is the message as the ledger knows it over its attempts.
func (m message) key() messageKey {
	sum := sha256.Sum256([]byte(m.number + "\x00" + m.callback))
	return messageKey(sum[:16])
}

// past is what is remembered of one message over its attempts.
type past struct {
	attempts, accepted uint32
	failsAt            int64 // when the accepted one fails after all, by a status; 0: it does not
}

// state is everything that a reset forgets.
type state struct {
	accepted      int
	acceptedTwice int
	refused       map[string]int
	arrivals      uint64
	latest        int64 // no verdict is earlier than the one before it
	sweepAt       int64
	messages      map[messageKey]past
	pairs         map[pairKey]burst
	seconds       map[string]sliding // by number
	holds         map[string]int64   // by number: until when
	audience      audience
	calls         []int64           // instants of readings in the last hour
	uploads       map[string]upload // by media id
}

func newState() state {
	return state{
		refused:  map[string]int{},
		messages: map[messageKey]past{},
		pairs:    map[pairKey]burst{},
		seconds:  map[string]sliding{},
		holds:    map[string]int64{},
		audience: audience{last: map[string]int64{}},
		uploads:  map[string]upload{},
	}
}

// sweep drops, once an emulated 10 seconds, what no verdict can ask for any more. It keeps a long run small.
func (s *state) sweep(t int64, rule pairRule) {
	if t < s.sweepAt {
		return
	}
	s.sweepAt = t + 10*second
	for k, b := range s.pairs {
		if rule.clear(b, t) {
			delete(s.pairs, k)
		}
	}
	for number, list := range s.seconds {
		if len(list.passed(t)) == 0 {
			delete(s.seconds, number)
		}
	}
	for number, until := range s.holds {
		if until <= t {
			delete(s.holds, number)
		}
	}
	s.audience.forget(t)
}

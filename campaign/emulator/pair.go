package emulator

import "time"

// Meta's text: up to 45 messages in a 6-second span are taken on credit.
const (
	burstLimit  = 45
	burstWindow = 6 * second
)

// pairRule is Meta's pair limit in one of its readings. Times are Unix milliseconds.
type pairRule struct {
	model    string
	interval int64
}

// burst is the accepted messages of one pair since it was last clear: when the first came and how many there are.
type burst struct {
	start int64
	count int64
}

func newPairRule(model string, interval time.Duration) pairRule {
	ms := (interval + time.Millisecond - 1) / time.Millisecond // up: a pair never costs less than asked
	return pairRule{model, int64(ms)}
}

// clearAt is Meta's worked example: a burst of n is silenced for n intervals, counted from its start.
func (p pairRule) clearAt(b burst) int64 { return b.start + b.count*p.interval }

func (p pairRule) clear(b burst, t int64) bool { return b.count == 0 || t >= p.clearAt(b) }

// allows says whether the pair takes one more message at t.
func (p pairRule) allows(b burst, t int64) bool {
	switch {
	case p.clear(b, t):
		return true
	case p.model == Strict:
		return t < b.start+burstWindow && b.count < burstLimit
	case p.model == Bucket45:
		return p.clearAt(b)-t <= (burstLimit-1)*p.interval
	}
	return false
}

// add counts a message accepted at t; on a clear pair it starts a new burst.
func (p pairRule) add(b burst, t int64) burst {
	if p.clear(b, t) {
		return burst{start: t, count: 1}
	}
	return burst{start: b.start, count: b.count + 1}
}

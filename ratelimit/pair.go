package ratelimit

import "time"

// Reading is one way to read the published text of the pair limit, which is prose and leaves room.
type Reading string

// The readings. No reading refuses what Spaced allows.
const (
	Strict   Reading = "strict"   // credit only inside the burst's first 6 s, then nothing until the debt is drained: fits Meta's example
	Bucket45 Reading = "bucket45" // a standing credit of 45 messages
	Spaced   Reading = "spaced"   // no credit at all: one message per interval
)

// Pair is the limit on messages from one business number to one recipient (error 131056).
type Pair struct {
	Reading  Reading
	Interval time.Duration // what one message costs; published: 6 s
	Burst    int           // most messages on credit; published: 45
	Bubbles  int           // under Spaced: messages that may go in one burst before the pair is held; 0 and 1 mean none
}

// PublishedPair is the pair limit with the published figures under the given reading.
func PublishedPair(r Reading) Pair {
	return Pair{Reading: r, Interval: PairInterval, Burst: PairBurst}
}

// PairState is what is known of one pair. The zero value is a pair that was never written to.
type PairState struct {
	ClearAt Instant // the debt is drained from this instant on
	Start   Instant // first send since the pair was last clear
	Count   int     // sends since then
}

// Debt is how long the pair still has to be silent at t; 0 when it is clear.
func (s PairState) Debt(t Instant) time.Duration { return max(0, s.ClearAt.Sub(t)) }

// Earliest is the first instant from t on at which the pair allows one more message.
func (p Pair) Earliest(s PairState, t Instant) Instant {
	if t >= s.ClearAt {
		return t
	}
	switch p.Reading {
	case Strict:
		if s.Count < p.Burst && t < s.Start.Add(PairBurstWindow) {
			return max(t, s.Start)
		}
	case Spaced:
		if s.Count < p.Bubbles && t < s.Start.Add(bubbleSpan) {
			return max(t, s.Start)
		}
	case Bucket45:
		credit := time.Duration(p.Burst-1) * p.Interval
		return max(t, s.ClearAt.Add(-credit))
	}
	return s.ClearAt
}

// Single says that a pair's next message never goes before the answer to the one before: no burst of several leaves.
func (p Pair) Single() bool { return p.Reading == Spaced && p.Bubbles <= 1 }

// bubbleSpan is how long a burst of our own may take to leave. Credit is given for twice as long: the rest is for what jitter on the way adds.
const bubbleSpan = PairBurstWindow / 2

// Charge is the state after a message that the platform accepted at t.
func (p Pair) Charge(s PairState, t Instant) PairState {
	if t >= s.ClearAt {
		return PairState{ClearAt: t.Add(p.Interval), Start: t, Count: 1}
	}
	s.ClearAt = s.ClearAt.Add(p.Interval)
	s.Count++
	return s
}

// Answered is the state when the answer to the pair's last message came at t.
//
// The platform counts arrivals, and a message arrives some time before its answer. The debt of the burst is therefore counted from the
// answer: counted from the departure, jitter on the way makes the next message early.
func (p Pair) Answered(s PairState, t Instant) PairState {
	s.ClearAt = max(s.ClearAt, t.Add(time.Duration(max(s.Count, 1))*p.Interval))
	return s
}

package ratelimit

import (
	"fmt"
	"time"
)

// Pace is a rate in messages per 1,000 seconds, so that a fraction of a message per second is a whole number.
type Pace int64

// PerSecond is the pace of n messages a second.
func PerSecond(n int) Pace { return Pace(n) * 1000 }

// Gap is the time between two messages at this pace, rounded up so that the pace is never exceeded.
func (p Pace) Gap() time.Duration {
	return time.Duration((int64(1000*time.Second) + int64(p) - 1) / int64(p))
}

// String is the pace in messages per second, such as "76/s".
func (p Pace) String() string {
	if p%1000 == 0 {
		return fmt.Sprintf("%d/s", p/1000)
	}
	return fmt.Sprintf("%.3g/s", float64(p)/1000)
}

// DefaultPace is 95 % of a level less what is kept free for inbound messages, which count too; at least one message per second.
//
// A pace equal to the level cannot go unrefused, since messages bunch on their way: measured 45 refusals in 20,000 at 1,000/s, none at 950/s.
func DefaultPace(level, reserveInbound int) Pace {
	return max(Pace(level)*950-PerSecond(reserveInbound), PerSecond(1))
}

// Throughput is the limit on messages per second of one business number (error 130429): evenly spaced, and after a stall never faster.
type Throughput struct {
	Level int  // messages in any second that the platform allows: 80, 1,000 or 20
	Pace  Pace // what is asked; as given, even above the level
}

// Slack is how late a message may leave while the ones behind it keep their instants: what timers and schedulers need, not what stalls need.
//
// A second that begins with a late message holds at most the slack's share more. The slack is half of what the pace leaves free below the
// level, since the other half is for messages that bunch on their way; but a pace far below the level leaves seconds free, and what was late by
// seconds would leave in one burst.
func (l Throughput) Slack() time.Duration {
	gap := l.Pace.Gap()
	free := time.Duration(l.Level)*gap - time.Second // by this much do Level messages at this pace outlast a second
	return min(max(free, 0)/2, mostSlack)
}

// mostSlack is longer than what timers, collectors and disks take, and too short for a person to see a burst.
const mostSlack = 50 * time.Millisecond

// ThroughputState is what is known of one number. The zero value is a number that never sent.
type ThroughputState struct {
	Next     Instant // first free instant at the present pace
	Slowed   Pace    // present pace after refusals, 0 when it was never slowed
	HalvedAt Instant // when a refusal last halved it
	RaiseAt  Instant // when it next gains 5 % of the level
}

// Earliest is the first instant from t on at which the number may send.
func (l Throughput) Earliest(s ThroughputState, t Instant) Instant { return max(s.Next, t) }

// Due is the instant at which a message that was ready then should have left, when that is no more than the slack before t. It may still
// leave at t and count for that instant, so that waking late costs no rhythm.
func (l Throughput) Due(s ThroughputState, t Instant) (Instant, bool) {
	return s.Next, s.Next < t && t.Sub(s.Next) <= l.Slack()
}

// Charge is the state after a message whose instant was t.
func (l Throughput) Charge(s ThroughputState, t Instant) ThroughputState {
	s = l.raised(s, t)
	s.Next = max(s.Next, t.Add(l.At(s).Gap()))
	return s
}

// At is the pace that holds in this state.
func (l Throughput) At(s ThroughputState) Pace {
	if s.Slowed != 0 && s.Slowed < l.Pace {
		return s.Slowed
	}
	return l.Pace
}

// Refused is the state after 130429 came at now for a message that left at left. Messages that left before the last halving change nothing:
// one flight of refusals halves the pace once.
func (l Throughput) Refused(s ThroughputState, left, now Instant) ThroughputState {
	s = l.raised(s, now)
	if s.HalvedAt != 0 && left <= s.HalvedAt {
		return s
	}
	s.Slowed = max(l.At(s)/2, min(PerSecond(1), l.Pace))
	s.HalvedAt = now
	s.RaiseAt = now.Add(raiseEvery)
	s.Next = max(s.Next, now.Add(max(s.Slowed.Gap(), restAfter)))
	return s
}

// restAfter is how long nothing leaves after a halving: the second that was too full for the platform has to pass, or what leaves is refused for
// it too and halves the pace again.
const restAfter = time.Second

// raised gives back 5 % of the level for every 10 s that passed without a refusal.
func (l Throughput) raised(s ThroughputState, now Instant) ThroughputState {
	for s.Slowed != 0 && now >= s.RaiseAt {
		s.Slowed += PerSecond(l.Level) / 20
		s.RaiseAt = s.RaiseAt.Add(raiseEvery)
		if s.Slowed >= l.Pace {
			s.Slowed = 0
		}
	}
	return s
}

package ratelimit

import (
	"math"
	"time"
)

// Instant is a point in time as nanoseconds since the Unix epoch. The zero Instant is the epoch and stands for "long ago".
//
// It is eight bytes, has no time zone and no monotonic reading: whoever owns a clock turns it into Instants that never go back.
type Instant int64

// Never is an Instant that does not come: what a limit answers when no wait helps.
const Never = Instant(math.MaxInt64)

// At is t as an Instant.
func At(t time.Time) Instant { return Instant(t.UnixNano()) }

// Time is the Instant in UTC.
func (t Instant) Time() time.Time { return time.Unix(0, int64(t)).UTC() }

// Add is the Instant d later; Never stays Never.
func (t Instant) Add(d time.Duration) Instant {
	if t == Never {
		return Never
	}
	return t + Instant(d)
}

// Sub is the duration from u to t.
func (t Instant) Sub(u Instant) time.Duration { return time.Duration(t - u) }

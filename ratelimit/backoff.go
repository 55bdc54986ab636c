package ratelimit

import "time"

// PairRetry is the wait before a message goes again to a pair whose debt somebody else made: 4^X seconds, X = failures-1, as Meta
// prescribes. It stays at 4^5 (17 min), which outlives the longest published debt (270 s) several times.
func PairRetry(failures int) time.Duration {
	return time.Second << (2 * uint(min(max(failures-1, 0), 5)))
}

// Transient is the wait after the nth failure in a row of the platform or of the way to it: 1, 2, 4, 8 … s, at most 60 s, with full jitter.
//
// random is any 64 bits; the same bits give the same wait.
func Transient(failures int, random uint64) time.Duration {
	ceiling := min(time.Second<<uint(min(max(failures-1, 0), 6)), 60*time.Second)
	return time.Duration(random % uint64(ceiling+1))
}

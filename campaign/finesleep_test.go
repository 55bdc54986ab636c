package campaign

import (
	"testing"
	"time"
)

// A fine sleep ends at its time or later, never before, and may be taken again and again.
func TestFineSleepIsNeverShort(t *testing.T) {
	sleep, done := fineSleep()
	defer done()
	for _, d := range []time.Duration{-time.Hour, 0, 1, 300 * time.Microsecond, time.Millisecond, 2*time.Millisecond + 1} {
		begun := time.Now()
		if sleep(d); time.Since(begun) < d {
			t.Errorf("slept %v of %v", time.Since(begun), d)
		}
	}
}

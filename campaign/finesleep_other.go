//go:build !linux

package campaign

import "time"

// fineSleep is time.Sleep, where the system offers nothing finer to a program without C.
func fineSleep() func(time.Duration) { return time.Sleep }

//go:build !linux

package campaign

import "time"

// fineSleep is time.Sleep, where the system offers nothing finer to a program without C.
func fineSleep() (sleep func(time.Duration), done func()) { return time.Sleep, func() {} }

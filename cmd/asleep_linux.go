package cmd

import (
	"time"

	"golang.org/x/sys/unix"
)

// asleep is how long the machine has slept since it was started: one of its clocks goes on meanwhile, the other does not.
func asleep() time.Duration {
	var all, awake unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &all) != nil || unix.ClockGettime(unix.CLOCK_MONOTONIC, &awake) != nil {
		return 0
	}
	return time.Duration(all.Nano() - awake.Nano())
}

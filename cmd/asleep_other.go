//go:build !linux

package cmd

import "time"

// asleep is nil where nobody tells how long the machine has slept; then a jump of the wall clock is taken for sleep.
var asleep func() time.Duration

package campaign

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// fineSleep is a sleep for one goroutine that wakes some 0.05 ms after its time, where time.Sleep may take 1 ms: the runtime's own timers wait in whole
// milliseconds when nothing else is to be done. Call done after the last sleep.
//
// A timer of the system wakes whichever thread waits for the network, and what the goroutine sets going runs on that one at once. A thread of its own
// that slept would wake as early, but hand its work to another that has to be woken too.
func fineSleep() (sleep func(time.Duration), done func()) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return time.Sleep, func() {}
	}
	timer := os.NewFile(uintptr(fd), "timer")
	var expired [8]byte // how often it has, which is once
	sleep = func(d time.Duration) {
		if d <= 0 {
			return // zero would disarm it
		}
		err := unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}, nil)
		until := time.Now().Add(d)
		if err == nil {
			_, err = timer.Read(expired[:])
		}
		if err != nil {
			time.Sleep(time.Until(until))
		}
	}
	return sleep, func() { timer.Close() }
}

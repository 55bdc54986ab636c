package campaign

import (
	"runtime"
	"syscall"
	"time"
)

// fineSleep is a sleep for one goroutine, which keeps its thread from then on: it wakes some 0.1 ms after its time, where time.Sleep may take 1 ms.
//
// The runtime's timers wait in whole milliseconds when nothing else is to be done. The thread is given up when its goroutine ends.
func fineSleep() func(time.Duration) {
	own := false
	return func(d time.Duration) {
		until := time.Now().Add(d)
		if !own {
			own = true
			ownThread()
		}
		if d > coarse {
			time.Sleep(d - coarse)
		}
		for rest := time.Until(until); rest > 0; rest = time.Until(until) { // a signal to the thread cuts a sleep short
			ts := syscall.NsecToTimespec(int64(rest))
			_ = syscall.Nanosleep(&ts, nil)
		}
	}
}

// coarse is how long before its time the runtime's own sleep must end.
const coarse = 5 * time.Millisecond

// ownThread ties the goroutine to its thread and asks the system to wake that thread as exactly as it can; the usual slack is 0.05 ms.
func ownThread() {
	const setTimerSlack = 29 // PR_SET_TIMERSLACK
	runtime.LockOSThread()
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1, 0)
}

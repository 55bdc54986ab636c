package cmd

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interrupts is a context that the first signal cancels with errInterrupted as its cause. A second signal calls leave.
// The returned function ends the watch and waits for it.
func interrupts(parent context.Context, first func(os.Signal), leave func(code int)) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	arrived := make(chan os.Signal, 2)
	watched := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // under nohup the terminal may go away
		watched = append(watched, syscall.SIGHUP)
	}
	signal.Notify(arrived, watched...)

	over := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-over:
			return
		case s := <-arrived:
			cancel(fmt.Errorf("%w (%s)", errInterrupted, s))
			first(s)
		}
		select {
		case <-over:
		case <-arrived:
			leave(exitStopped)
		}
	})
	return ctx, func() {
		signal.Stop(arrived)
		close(over)
		watch.Wait()
		cancel(nil)
	}
}

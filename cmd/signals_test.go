package cmd

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
)

func TestInterruptsFirstCancelsSecondLeaves(t *testing.T) {
	told := make(chan os.Signal, 1)
	left := make(chan int, 1)
	ctx, stop := interrupts(t.Context(), func(s os.Signal) { told <- s }, func(code int) { left <- code })
	defer stop()

	kill(t, syscall.SIGTERM)
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), errInterrupted) {
		t.Errorf("cause %v", context.Cause(ctx))
	}
	if s := <-told; s != syscall.SIGTERM {
		t.Errorf("told %v", s)
	}
	select {
	case code := <-left:
		t.Fatalf("left with %d after the first signal", code)
	default:
	}
	kill(t, syscall.SIGHUP)
	if code := <-left; code != exitStopped {
		t.Errorf("left with %d, want %d", code, exitStopped)
	}
}

func TestInterruptsStopEndsTheWatch(t *testing.T) {
	ctx, stop := interrupts(t.Context(), func(os.Signal) { t.Error("told") }, func(int) { t.Error("left") })
	stop() // returns only when the goroutine is gone
	if errors.Is(context.Cause(ctx), errInterrupted) {
		t.Error("stop counts as an interrupt")
	}
}

func kill(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		t.Fatal(err)
	}
}

package cloudapi

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A request ends at its time; where the machine stood still over that time, its answer gets a moment to be read.
func TestPatient(t *testing.T) {
	for name, c := range map[string]struct{ late, want time.Duration }{
		"in time":              {0, 0},
		"a busy machine":       {time.Second, 0},
		"a machine that slept": {time.Minute, wakeGrace},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				ctx, cancel := patient(t.Context(), began.Add(-c.late))
				defer cancel()
				<-ctx.Done()
				if took := time.Since(began); took != c.want {
					t.Errorf("ended after %v, want %v", took, c.want)
				}
				if cause := context.Cause(ctx); !errors.Is(cause, errTimeout) {
					t.Errorf("the cause is %v", cause)
				}
			})
		})
	}
}

// A request that is over leaves nothing behind that waits.
func TestPatientIsCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, late := range []time.Duration{-time.Minute, time.Minute} {
			ctx, cancel := patient(t.Context(), time.Now().Add(-late))
			synctest.Wait()
			cancel()
			if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
				t.Errorf("the cause is %v", cause)
			}
		}
	})
}

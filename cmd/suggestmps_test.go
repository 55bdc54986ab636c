package cmd

import (
	"testing"
	"time"

	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// TestTaken counts what a number took in the second before it refused.
func TestTaken(t *testing.T) {
	const start = ratelimit.Instant(1e18)
	var steady []journal.Departure // 80 a second asked, 40 taken: every second one is refused
	for i := range 400 {
		d := journal.Departure{Left: start.Add(time.Duration(i) * 12500 * time.Microsecond), Class: outcome.Accepted}
		if i%2 == 1 {
			d.Class = outcome.NumberSlow
		}
		steady = append(steady, d)
	}
	early := []journal.Departure{{Left: start, Class: outcome.Accepted}, {Left: start.Add(time.Millisecond), Class: outcome.NumberSlow}}
	for name, tc := range map[string]struct {
		sent []journal.Departure
		want int
	}{"nothing": {nil, 0}, "steady": {steady, 40}, "at the start": {early, 1}} {
		if got, _ := taken(tc.sent); got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
}

func TestLower(t *testing.T) {
	for _, tc := range []struct {
		pace, asked ratelimit.Pace
		want        int
	}{{38_000, 76_000, 38}, {38_950, 76_000, 38}, {76_000, 76_000, 0}, {90_000, 76_000, 0}, {200, 76_000, 1}, {200, 1_000, 0}} {
		if got := lower(tc.pace, tc.asked, "why"); got.mps != tc.want || (got.why == "") != (tc.want == 0) {
			t.Errorf("lower(%v, %v) = %+v, want %d", tc.pace, tc.asked, got, tc.want)
		}
	}
}

package ratelimit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// late is a sender on a clock that wakes late: a message counts for the instant that was due, unless it is later than the slack.
func late(l Throughput, s ThroughputState, now Instant, by time.Duration) (left Instant, after ThroughputState) {
	at, due := l.Due(s, now)
	if !due {
		at = l.Earliest(s, now)
	}
	left = max(at, now).Add(by)
	if left.Sub(at) > l.Slack() {
		at = left
	}
	return left, l.Charge(s, at)
}

// TestNoSecondHoldsMore lets a sender run on a clock that wakes late and stalls, and counts every sliding second of its departures.
func TestNoSecondHoldsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.SampledFrom([]int{20, 80, 1000}).Draw(t, "level")
		l := Throughput{Level: level, Pace: DefaultPace(level, 0)}
		if rapid.Bool().Draw(t, "pace at the level") {
			l.Pace = PerSecond(level)
		}
		var s ThroughputState
		now := 1000 * second
		var sent []Instant
		for range 3 * level {
			now, s = late(l, s, now, lateness(t))
			if len(sent) > 0 && now.Sub(sent[len(sent)-1]) < l.Pace.Gap()-l.Slack() {
				t.Fatalf("caught up: %v after the message before", now.Sub(sent[len(sent)-1]))
			}
			sent = append(sent, now)
		}
		first := 0
		for i, at := range sent {
			for at.Sub(sent[first]) >= time.Second {
				first++
			}
			if n := i - first + 1; n > level {
				t.Fatalf("%d messages within a second, level %d", n, level)
			}
		}
	})
}

// lateness is mostly what timers do, now and then a pause of the scheduler, rarely a suspended machine.
func lateness(t *rapid.T) time.Duration {
	switch rapid.IntRange(0, 199).Draw(t, "kind") {
	case 0:
		return time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "suspended"))
	case 1, 2, 3, 4, 5:
		return time.Duration(rapid.Int64Range(0, int64(50*time.Millisecond)).Draw(t, "paused"))
	}
	return time.Duration(rapid.Int64Range(0, int64(time.Millisecond)).Draw(t, "timer"))
}

// TestStallIsNotCaughtUp holds that a pace far below the level begins anew after a stall, and lets at most what the slack is worth follow at once.
func TestStallIsNotCaughtUp(t *testing.T) {
	for _, l := range []Throughput{{80, PerSecond(1)}, {80, PerSecond(10)}, {80, PerSecond(40)}, {1000, PerSecond(100)}} {
		for _, stall := range []time.Duration{200 * time.Millisecond, 3 * time.Second, time.Minute} {
			s := l.Charge(ThroughputState{}, 1000*second)
			now := (1000 * second).Add(stall)
			atOnce, left := 0, now
			for ; left == now; atOnce++ {
				left, s = late(l, s, now, 0)
			}
			if most := 2 + int(mostSlack/l.Pace.Gap()); atOnce > most {
				t.Errorf("%v of %d: %d at once after %v, wanted at most %d", l.Pace, l.Level, atOnce, stall, most)
			}
		}
	}
}

// TestPaceIsKept holds that ordinary lateness of timers costs nothing.
func TestPaceIsKept(t *testing.T) {
	for _, level := range []int{20, 80, 1000} {
		l := Throughput{Level: level, Pace: DefaultPace(level, 0)}
		var s ThroughputState
		start := 1000 * second
		now := start
		for now.Sub(start) < 30*time.Second {
			now, s = late(l, s, now, 900*time.Microsecond)
		}
		sent := 30 * int(l.Pace) / 1000
		if took := now.Sub(start); took > 30*time.Second+2*l.Pace.Gap() {
			t.Errorf("level %d: %d messages took %v", level, sent, took)
		}
	}
}

func TestDefaultPace(t *testing.T) {
	for _, tc := range []struct {
		level, reserve int
		want           string
	}{{80, 0, "76/s"}, {1000, 0, "950/s"}, {20, 0, "19/s"}, {80, 16, "60/s"}, {20, 40, "1/s"}} {
		if got := DefaultPace(tc.level, tc.reserve).String(); got != tc.want {
			t.Errorf("level %d with %d reserved: pace %s, want %s", tc.level, tc.reserve, got, tc.want)
		}
	}
}

func TestSlowDown(t *testing.T) {
	l := Throughput{Level: 80, Pace: PerSecond(76)}
	t0 := 1000 * second
	s := l.Charge(ThroughputState{}, t0)
	s = l.Refused(s, t0, t0.Add(100*time.Millisecond))
	if got := l.At(s); got != PerSecond(38) {
		t.Fatalf("after a refusal the pace is %v, want half", got)
	}
	s = l.Refused(s, t0.Add(50*time.Millisecond), t0.Add(150*time.Millisecond))
	if got := l.At(s); got != PerSecond(38) {
		t.Fatalf("a second refusal of the same flight makes it %v, want one halving a flight", got)
	}
	s = l.Refused(s, t0.Add(200*time.Millisecond), t0.Add(300*time.Millisecond))
	if got := l.At(s); got != PerSecond(19) {
		t.Fatalf("a refusal of a later flight makes it %v, want 19/s", got)
	}
	s = l.Charge(s, t0.Add(10*time.Second+301*time.Millisecond))
	if got := l.At(s); got != PerSecond(23) {
		t.Fatalf("ten seconds later the pace is %v, want 5%% of the level more", got)
	}
	s = l.Charge(s, t0.Add(10*time.Minute))
	if got := l.At(s); got != PerSecond(76) {
		t.Fatalf("in the end the pace is %v, want all of it", got)
	}
}

// TestSlowDownKeepsGoing holds that no storm of refusals stops a number for good.
func TestSlowDownKeepsGoing(t *testing.T) {
	l := Throughput{Level: 20, Pace: PerSecond(19)}
	s, now := ThroughputState{}, 1000*second
	for range 100 {
		now = l.Earliest(s, now)
		s = l.Charge(s, now)
		s = l.Refused(s, now, now.Add(time.Millisecond))
	}
	if got := l.At(s); got != PerSecond(1) {
		t.Errorf("after a storm the pace is %v, want 1/s", got)
	}
}

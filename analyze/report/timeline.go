package report

import (
	"time"
)

// timeline is what one incident did to its pair, on one axis of time.
type timeline struct {
	start, end time.Time
	sends      []time.Time // accepted ones, in order
	refused    []time.Time // in order
	open       time.Time   // from when on the pair is open again; zero: not known
	interval   time.Duration
}

// shortest is the least that an axis spans: one instant alone has no length.
const shortest = 6 * time.Second

// fitted is the timeline with an axis that holds all of it.
func (t timeline) fitted() timeline {
	for _, at := range append(append([]time.Time{t.open}, t.sends...), t.refused...) {
		if at.IsZero() {
			continue
		}
		if t.start.IsZero() || at.Before(t.start) {
			t.start = at
		}
		if at.After(t.end) {
			t.end = at
		}
	}
	if t.end.Sub(t.start) < shortest {
		t.end = t.start.Add(shortest)
	}
	return t
}

// column is what happened within one part of the axis.
type column struct {
	sends, refused int
	debt           time.Duration // the silence owed, at its highest
	open           bool          // the pair opens again in here
}

// columns cuts the axis into n parts of one length.
func (t timeline) columns(n int) []column {
	parts := make([]column, n)
	for _, at := range t.refused {
		parts[t.column(at, n)].refused++
	}
	if !t.open.IsZero() {
		parts[t.column(t.open, n)].open = true
	}
	var clear time.Time
	next := 0
	for i := range parts {
		begin := t.instant(i, n)
		parts[i].debt = max(0, clear.Sub(begin))
		for ; next < len(t.sends) && t.column(t.sends[next], n) <= i; next++ {
			clear = charged(clear, t.sends[next], t.interval)
			parts[i].sends++
			parts[i].debt = max(parts[i].debt, clear.Sub(t.sends[next]))
		}
	}
	return parts
}

// charged is when the pair is clear again after one more accepted send.
func charged(clear, at time.Time, interval time.Duration) time.Time {
	if clear.Before(at) {
		clear = at
	}
	return clear.Add(interval)
}

// highest is the longest silence that was owed at any instant.
func (t timeline) highest() (debt time.Duration) {
	var clear time.Time
	for _, at := range t.sends {
		clear = charged(clear, at, t.interval)
		debt = max(debt, clear.Sub(at))
	}
	return debt
}

// column is the part of n that at falls into.
func (t timeline) column(at time.Time, n int) int {
	share := float64(at.Sub(t.start)) / float64(t.end.Sub(t.start))
	return max(0, min(n-1, int(share*float64(n))))
}

// instant is where part i of n begins.
func (t timeline) instant(i, n int) time.Time {
	return t.start.Add(time.Duration(float64(t.end.Sub(t.start)) * float64(i) / float64(n)))
}

// steps are the distances that marks on an axis may have, so that they stand on round times.
var steps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 28 * 24 * time.Hour, 365 * 24 * time.Hour,
}

// marks are round local times on the axis, at most n of them.
func (t timeline) marks(n int, zone *time.Location) (all []time.Time) {
	span := t.end.Sub(t.start)
	step := steps[len(steps)-1]
	for _, s := range steps {
		if span/s <= time.Duration(n-1) {
			step = s
			break
		}
	}
	_, offset := t.start.In(zone).Zone()
	local := time.Duration(offset) * time.Second
	at := t.start.Add(local).Truncate(step).Add(-local)
	for ; !at.After(t.end) && len(all) < n; at = at.Add(step) {
		if !at.Before(t.start) {
			all = append(all, at)
		}
	}
	return all
}

package campaign

import (
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// hold is a number that stands still for a while and is then probed with one message. The zero value holds nothing.
type hold struct {
	until    ratelimit.Instant // nothing departs before
	since    ratelimit.Instant // when it last began: what departed earlier does not count against it
	failures int               // in a row, the first included; 0 when nothing is held
}

// probing says that one message at a time goes until one is taken.
func (h *hold) probing() bool { return h.failures > 0 }

// again begins or prolongs the hold after a refusal at now of a message that left at left; wait is asked with the failures so far.
// It reports false for a message of a flight that left before the hold began.
func (h *hold) again(left, now ratelimit.Instant, wait func(failures int) time.Duration) bool {
	if h.failures > 0 && left <= h.since {
		return false
	}
	h.failures++
	h.since = now
	h.until = now.Add(wait(h.failures))
	return true
}

// over ends the hold: a message was answered in the ordinary way. One that left before the hold began proves nothing.
func (h *hold) over(left ratelimit.Instant) {
	if left > h.since {
		*h = hold{}
	}
}

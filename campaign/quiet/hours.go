package quiet

import (
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// Limit names the quiet hours among the limits that a departure may wait for.
const Limit ratelimit.Limit = "quiet-hours"

// Hours is a part of every day in which nobody is written to, by the clocks of where the recipient may be. The zero value is no quiet.
type Hours struct {
	From, To time.Duration // clock times as time since midnight; From after To spans midnight, From equal to To is never
}

// None says that there are no quiet hours.
func (h Hours) None() bool { return h.From == h.To }

// mostQuiet is how long a search for a moment outside of the quiet hours goes on: what no day brings, no later one does, but for clock changes.
const mostQuiet = 72 * time.Hour

// Earliest is the first instant from t on that lies outside of the quiet hours in every one of the zones; Never when no day has one.
func (h Hours) Earliest(zones []*time.Location, t ratelimit.Instant) ratelimit.Instant {
	if h.None() {
		return t
	}
	from := t
	for moved := true; moved; {
		moved = false
		for _, zone := range zones {
			if end := h.ends(zone, t); end > t {
				t, moved = end, true
			}
		}
		if t.Sub(from) > mostQuiet {
			return ratelimit.Never
		}
	}
	return t
}

// Closes is the first instant after t at which the quiet hours begin in one of the zones; Never without quiet hours.
//
// Where the clock jumps over the beginning, they begin with the jump, which this does not see: ask [Hours.Earliest] again every quarter of an
// hour, the grid on which clocks are changed.
func (h Hours) Closes(zones []*time.Location, t ratelimit.Instant) ratelimit.Instant {
	first := ratelimit.Never
	if h.None() {
		return first
	}
	for _, zone := range zones {
		for day := range 3 {
			if at := clock(zone, t, day, h.From); at > t {
				first = min(first, at)
				break
			}
		}
	}
	return first
}

// ends is when the quiet hours in which t lies are over, and t outside of them.
func (h Hours) ends(zone *time.Location, t ratelimit.Instant) ratelimit.Instant {
	if !h.at(zone, t) {
		return t
	}
	for day := range 2 {
		end := clock(zone, t, day, h.To)
		if offset(zone, end) != offset(zone, t) {
			break
		}
		if end > t && !h.at(zone, end) {
			return end
		}
	}
	const minute = ratelimit.Instant(time.Minute)
	for h.at(zone, t) { // the clock is changed before: the end comes another time than it seems, and may come twice or not at all
		t += minute - t%minute
	}
	return t
}

// at says whether t lies in the quiet hours of a zone.
func (h Hours) at(zone *time.Location, t ratelimit.Instant) bool {
	local := t.Time().In(zone)
	hour, minute, second := local.Clock()
	now := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second + time.Duration(local.Nanosecond())
	if h.From < h.To {
		return h.From <= now && now < h.To
	}
	return h.From <= now || now < h.To
}

// clock is when a zone's clock shows so much since midnight, some days after that of t; of two such instants the first.
func clock(zone *time.Location, t ratelimit.Instant, days int, show time.Duration) ratelimit.Instant {
	year, month, day := t.Time().In(zone).Date()
	at := ratelimit.At(time.Date(year, month, day+days, 0, 0, int(show/time.Second), int(show%time.Second), zone))
	back := offset(zone, at.Add(-3*time.Hour)) - offset(zone, at)
	if earlier := at.Add(-back); back > 0 && offset(zone, earlier)-offset(zone, at) == back { // clocks went back, and showed it before that
		return earlier
	}
	return at
}

// offset is how far a zone's clock is ahead of UTC.
func offset(zone *time.Location, t ratelimit.Instant) time.Duration {
	_, seconds := t.Time().In(zone).Zone()
	return time.Duration(seconds) * time.Second
}

package campaign

import (
	"cmp"
	"slices"
	"time"

	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// clocks knows by whose clocks the quiet hours of each recipient go. Without quiet hours there is one kind of recipient, who may always be
// written to.
type clocks struct {
	hours quiet.Hours
	kinds []clock
	known []uint16          // kinds by area; 0 where none is known yet
	from  ratelimit.Instant // the kinds are as they were looked at for the time from here
	until ratelimit.Instant // to here
	looks int               // how often they were looked at
	civil time.Duration     // by how much the clocks on people's walls are ahead of the time that is asked for
}

// clock is a kind of recipient: the time zones in which they may be.
type clock struct {
	zones  []*time.Location
	opens  ratelimit.Instant // first instant that suits them, from the last look on
	closes ratelimit.Instant // and when it no longer suits
}

func newClocks(h quiet.Hours) *clocks {
	c := &clocks{hours: h, kinds: []clock{{}}, until: ratelimit.Never, looks: 1}
	if !h.None() {
		c.kinds[0].zones = []*time.Location{time.UTC}
		c.until = 0
	}
	return c
}

// kind is the kind of a recipient. Whose zone no plan tells goes by UTC; where several zones leave no hour of the day, their middle one counts.
func (c *clocks) kind(recipient uint64, at ratelimit.Instant) uint16 {
	if c.hours.None() {
		return 0
	}
	area := quiet.AreaOf(recipient)
	if int(area) < len(c.known) && c.known[area] != 0 {
		return c.known[area]
	}
	zones := area.Zones()
	if len(zones) == 0 {
		return 0
	}
	if c.hours.Earliest(zones, at) == ratelimit.Never {
		zones = middle(zones, at)
	}
	c.known = append(c.known, make([]uint16, max(int(area)+1-len(c.known), 0))...)
	c.known[area] = uint16(len(c.kinds))
	c.kinds = append(c.kinds, clock{zones: zones})
	c.from, c.until = 0, 0
	return c.known[area]
}

// middle is the zone in the middle of several, by what their clocks show.
func middle(zones []*time.Location, at ratelimit.Instant) []*time.Location {
	offset := func(z *time.Location) int {
		_, o := at.Time().In(z).Zone()
		return o
	}
	sorted := slices.SortedStableFunc(slices.Values(zones), func(a, b *time.Location) int { return cmp.Compare(offset(a), offset(b)) })
	return sorted[len(sorted)/2 : len(sorted)/2+1]
}

// earliest is the first instant from t on at which a kind of recipient may be written to.
func (c *clocks) earliest(kind uint16, t ratelimit.Instant) ratelimit.Instant {
	if c.hours.None() || t == ratelimit.Never {
		return t
	}
	return c.seen(c.hours.Earliest(c.kinds[kind].zones, t.Add(c.civil)))
}

// seen is an instant of the clocks on people's walls as one of the time that is asked for.
func (c *clocks) seen(t ratelimit.Instant) ratelimit.Instant {
	if t == ratelimit.Never {
		return t
	}
	return t.Add(-c.civil)
}

// set is told that the clocks on people's walls have jumped.
func (c *clocks) set(civil time.Duration) {
	c.civil = civil
	if !c.hours.None() {
		c.from, c.until = 0, 0
	}
}

// grid is how often the kinds are looked at anew: clocks are changed at full quarters of an hour.
const grid = ratelimit.Instant(15 * time.Minute)

// look brings opens and closes up to date for t.
func (c *clocks) look(t ratelimit.Instant) {
	if c.from <= t && t < c.until {
		return
	}
	c.looks++
	shown := t.Add(c.civil)
	c.from, c.until = t, c.seen(shown-shown%grid+grid)
	for i := range c.kinds {
		k := &c.kinds[i]
		k.opens = c.seen(c.hours.Earliest(k.zones, shown))
		if k.opens > t {
			c.until = min(c.until, k.opens)
			continue
		}
		k.closes = c.seen(c.hours.Closes(k.zones, shown))
		c.until = min(c.until, k.closes)
	}
}

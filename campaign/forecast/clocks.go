package forecast

import (
	"slices"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// clocks is when people may be written to whose clocks all show the same. They may be in several zones, as long as these agree.
type clocks struct {
	quiet quiet.Hours
	zones [][]*time.Location // where some of them may be
	opens ratelimit.Instant  // as of the last look, people may be written to from here
	until ratelimit.Instant  // to here
}

// grid is how often the clocks are looked at anew: they are changed at full quarters of an hour.
const grid = ratelimit.Instant(15 * time.Minute)

// earliest is the first instant from t on at which people may be written to; Never where they are no longer alike. It is asked in order of time.
func (c *clocks) earliest(t ratelimit.Instant) ratelimit.Instant {
	if c == nil || c.opens <= t && t < c.until {
		return t
	}
	var closes ratelimit.Instant
	for i, zones := range c.zones {
		opens := c.quiet.Earliest(zones, t)
		if opens == ratelimit.Never {
			return ratelimit.Never // the loop knows what counts then
		}
		ends := c.quiet.Closes(zones, opens)
		if i > 0 && (opens != c.opens || ends != closes) {
			return ratelimit.Never
		}
		c.opens, closes = opens, ends
	}
	c.until = min(closes, c.opens-c.opens%grid+grid)
	return c.opens
}

// zones lists the zones of all people, as they are told by their numbers, each once.
func (s *shape) zones(load *campaign.Load) (all [][]*time.Location) {
	for _, area := range s.areas(load) {
		zones := area.Zones()
		if len(zones) == 0 {
			zones = everywhere
		}
		if !slices.ContainsFunc(all, func(known []*time.Location) bool { return slices.Equal(known, zones) }) {
			all = append(all, zones)
		}
	}
	return all
}

// areas lists the areas of all people, each once; it looks once.
func (s *shape) areas(load *campaign.Load) []quiet.Area {
	s.looked.Do(func() {
		var seen []bool
		items := load.Items()
		for i := range items {
			area := quiet.AreaOf(items[i].Recipient)
			if int(area) >= len(seen) {
				seen = append(seen, make([]bool, int(area)+1-len(seen))...)
			}
			if !seen[area] {
				seen[area] = true
				s.where = append(s.where, area)
			}
		}
	})
	return s.where
}

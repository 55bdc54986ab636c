package campaign

import (
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// longWait is how long nothing must leave before somebody is told why; shorter waits are the pace itself.
const longWait = time.Minute

// tellWait tells of a long wait that begins, once for each instant that is waited for.
func (w *live) tellWait(until ratelimit.Instant) {
	now := w.now()
	if w.Waits == nil || until == ratelimit.Never || until == w.told || until.Sub(now) < longWait {
		return
	}
	w.told = until
	w.Waits(until, w.forRoom(now, until))
}

// forRoom says whether it is the messaging limit of some number that makes everything wait until then.
func (w *live) forRoom(now, until ratelimit.Instant) bool {
	for _, l := range w.numbers {
		if m := l.Policy.Messaging; m != nil {
			if room := m.Room(now); room > now && room != ratelimit.Never && until.Sub(room) < longWait {
				return true
			}
		}
	}
	return false
}

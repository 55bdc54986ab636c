package campaign

import (
	"context"
	"errors"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// News is what a running send is told from outside: orders, and what else happened to its number and its people. The zero value is no news.
type News struct {
	Pause *bool          // hold departures, or go on; nil: no word
	Pace  ratelimit.Pace // ordered by a person; 0: no word
	Level int            // the number's throughput is now this, messages a second; 0: no word
	Tier  *int           // the messaging limit is now this, 0 unlimited; nil: no word
	Stop  *Stopped       // going on would do harm

	Again []Item                         // pending again: the platform took them and failed them later
	Spent map[uint64][]ratelimit.Instant // by recipient, when others sent from the number: the pair's quota is spent by it too
	Wrote []ratelimit.Message            // who wrote, and until when their service windows are open
	Left  map[uint64]bool                // recipients who opted out: true of marketing alone, false of everything

	Inbound     int           // messages that people wrote to the number
	InboundOver time.Duration // within so long until now
}

// control is where a running send hears of orders. Items are what the send began with.
type control interface {
	News(ctx context.Context, items []Item) (News, error)
}

// listenEvery is how often a running send asks for news.
const listenEvery = 250 * time.Millisecond

// follow asks for news until the context ends and tells each that says something. A state that cannot be read for a while is asked again: what
// must not be missed, a send also meets when it writes.
func follow(ctx context.Context, c control, items []Item, tell func(News)) {
	tick := time.NewTicker(listenEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		n, err := c.News(ctx, items)
		if err == nil {
			tell(n)
		} else if errors.Is(err, context.Canceled) {
			return
		}
	}
}

// paceBeside is the pace that leaves room for what people write: the asked one, or less where both together would exceed 95 % of the level.
func paceBeside(asked ratelimit.Pace, level, inbound int, over time.Duration) ratelimit.Pace {
	if inbound == 0 || over <= 0 {
		return asked
	}
	const second = int64(time.Second)
	coming := ratelimit.Pace((int64(inbound)*second*1000 + int64(over) - 1) / int64(over))
	room := ratelimit.DefaultPace(level, 0) - coming
	return max(min(asked, room), min(asked, ratelimit.PerSecond(1)))
}

// Limits brings a policy up to date with what the news say of the number. Asked is the pace that was asked for; the result is what it is from now
// on.
func (n News) Limits(p *ratelimit.Policy, asked ratelimit.Pace, now ratelimit.Instant) ratelimit.Pace {
	if n.Level > 0 && n.Level != p.Throughput.Level {
		if asked == ratelimit.DefaultPace(p.Throughput.Level, 0) {
			asked = ratelimit.DefaultPace(n.Level, 0) // nobody asked for another one
		}
		p.Throughput.Level = n.Level
	}
	if n.Pace > 0 {
		asked = n.Pace
	}
	p.Throughput.Pace = paceBeside(asked, p.Throughput.Level, n.Inbound, n.InboundOver)
	for recipient, sent := range n.Spent { // each pair for itself, so the order does not matter
		for _, at := range sent {
			p.Remember(recipient, min(at, now))
		}
	}
	return asked
}

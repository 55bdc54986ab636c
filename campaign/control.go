package campaign

import (
	"context"
	"slices"
	"time"

	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// News is what a running send is told from outside: orders, and what else happened to its numbers and its people. The zero value is no news.
type News struct {
	Pause   *bool             // hold departures, or go on; nil: no word
	PauseAt ratelimit.Instant // when that was ordered; 0 unknown
	Pace    *ratelimit.Pace   // of each number, ordered by a person; 0: the one that it was started with; nil: no word
	Stop    *Stopped          // going on would do harm

	Again   []Item          // pending again: the platform took them and failed them later
	Left    map[uint64]bool // recipients who opted out: true of marketing alone, false of everything
	Numbers []NumberNews    // of each number, in the order of the sender's; nil: no word

	civil *time.Duration // by how much the wall clock is now ahead of the sender's own
}

// NumberNews is what happened to one business number. The zero value is no news.
type NumberNews struct {
	Portfolio   string                         // whose messaging limit it shares
	Level       int                            // the throughput is now this, messages a second; 0: no word
	Tier        *int                           // the messaging limit of the portfolio is now this, 0 unlimited; nil: no word
	People      map[uint64]ratelimit.Instant   // beside a Tier: who counts for the portfolio at present, and who was written to when last
	Spent       map[uint64][]ratelimit.Instant // by recipient, when others sent from the number: the pair's quota is spent by it too
	Wrote       []ratelimit.Message            // who wrote, and until when their service windows are open
	Inbound     int                            // messages that people wrote to the number
	InboundOver time.Duration                  // within so long until now; 0: no word
}

// control is where a running send hears of orders, and where it takes people off the campaign. Items are what the send began with.
type control interface {
	News(ctx context.Context, items []Item) (News, error)
	// Withdraw takes pending steps off the campaign for the reason that a rule of lists names, and says how many.
	Withdraw(ctx context.Context, seqs []int, rule string) (int, error)
}

// listenEvery is how often a running send asks for news.
const listenEvery = 250 * time.Millisecond

// follow asks for news until the context ends and tells each. A state that cannot be read for a while is asked again: what must not be missed, a
// send also meets when it writes.
func follow(ctx context.Context, c control, items []Item, tell func(News)) {
	tick := time.NewTicker(listenEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if n, err := c.News(ctx, items); err == nil {
			tell(n)
		}
	}
}

// news is news as an event of the loop.
func (w *live) news(n News, items []Item) *event {
	if w.roster == nil && n.namesPeople() {
		w.roster = newRoster(items)
	}
	return &event{news: &n, roster: w.roster}
}

// follow begins to ask for news beside the loop.
func (w *live) follow(items []Item) {
	if w.Control == nil {
		return
	}
	ctx, deaf := context.WithCancel(w.ctx)
	w.deaf = deaf
	w.work.Go(func() {
		follow(ctx, w.Control, items, func(n News) {
			select {
			case w.events <- *w.news(n, items):
			case <-ctx.Done():
			}
		})
	})
}

// withdraw lets the committer take steps off the campaign, behind the results that put them where they are.
func (w *live) withdraw(seqs []uint32) {
	if len(seqs) == 0 {
		return
	}
	w.mu.Lock()
	w.off = append(w.off, seqs...)
	w.mu.Unlock()
	w.nudge()
}

// takeOff takes steps off the campaign whose people have left.
func (w *live) takeOff(off []uint32) error {
	if len(off) == 0 {
		return nil
	}
	seqs := make([]int, len(off))
	for i, seq := range off {
		seqs[i] = int(seq)
	}
	_, err := w.Control.Withdraw(w.ctx, seqs, normalize.Suppressed)
	return err
}

func (w *live) heard(changed News, withdrawn int) {
	if w.Heard != nil && (withdrawn > 0 || !changed.nothing()) {
		w.Heard(changed, withdrawn)
	}
}

// nothing says that no order and no limit is in the news.
func (n News) nothing() bool {
	return n.Pause == nil && n.Pace == nil && n.Stop == nil && !slices.ContainsFunc(n.Numbers, func(one NumberNews) bool { return one.Level != 0 || one.Tier != nil })
}

// namesPeople says whether somebody is named whose messages have to be found.
func (n News) namesPeople() bool {
	if len(n.Again)+len(n.Left) > 0 {
		return true
	}
	for _, one := range n.Numbers {
		if len(one.Spent)+len(one.Wrote) > 0 {
			return true
		}
	}
	return false
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

// asking is the pace that a number is asked for, and what takes away from it.
type asking struct {
	started ratelimit.Pace // that of the start
	fixed   bool           // it was asked for: a new level brings no other
	ordered ratelimit.Pace // by a person since; 0: none
	inbound int
	over    time.Duration
}

// hear takes news over. Where nobody asked for a pace, a new level brings a new one, which leaves as much free as before.
func (a *asking) hear(n NumberNews, ordered *ratelimit.Pace, t ratelimit.Throughput) ratelimit.Throughput {
	if n.Level > 0 && n.Level != t.Level {
		if !a.fixed {
			free := ratelimit.DefaultPace(t.Level, 0) - a.started
			a.started = max(ratelimit.DefaultPace(n.Level, 0)-free, ratelimit.PerSecond(1))
		}
		t.Level = n.Level
	}
	if ordered != nil {
		a.ordered = *ordered
	}
	if n.InboundOver > 0 {
		a.inbound, a.over = n.Inbound, n.InboundOver
	}
	t.Pace = paceBeside(a.asked(), t.Level, a.inbound, a.over)
	return t
}

// asked is the pace that somebody asked for last.
func (a *asking) asked() ratelimit.Pace {
	if a.ordered > 0 {
		return a.ordered
	}
	return a.started
}

package campaign

import (
	"time"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// Limits is what a send is paced by. The zero value of Tier is a messaging limit that is unlimited or unknown, and not enforced.
type Limits struct {
	Number ratelimit.Throughput
	Pair   ratelimit.Pair
	Tier   int                     // distinct recipients in a moving 24 h
	Used   int                     // of them already used at the start, by people who are not on the list
	Before func(*ratelimit.Policy) // adds what was sent before the start; nil: nothing
}

// Policy is the limits joined, with a history that ends at start.
func (l Limits) Policy(start ratelimit.Instant) *ratelimit.Policy {
	var m *ratelimit.Messaging
	if l.Tier > 0 {
		m = ratelimit.NewMessaging(l.Tier, ratelimit.MessagingWindow)
		for i := range l.Used {
			m.Charge(^uint64(i), start) // no phone number has such digits
		}
	}
	p := ratelimit.NewPolicy(l.Number, l.Pair, m)
	if l.Before != nil {
		l.Before(p)
	}
	return p
}

// Forecast is what a send would do.
type Forecast struct {
	Start    ratelimit.Instant
	First    ratelimit.Instant // first departure
	Last     ratelimit.Instant // last departure
	Finish   ratelimit.Instant // last answer
	Lower    time.Duration     // no order of the messages could finish sooner
	Binding  ratelimit.Limit   // the limit that sets the lower bound
	PairAdds time.Duration     // how much sooner it would finish without the pair limit
	TierAdds time.Duration     // how much sooner without the messaging limit
	Windows  []Window          // the days of the messaging limit
}

// Window is a stretch of 24 hours with the recipients that take their slot of the messaging limit in it.
type Window struct {
	Opens      ratelimit.Instant
	Recipients int
}

// Duration is from the start to the last answer.
func (f Forecast) Duration() time.Duration { return f.Finish.Sub(f.Start) }

// NewForecast turns the sender's loop on a virtual clock: every request is accepted and answered after a constant latency.
func NewForecast(items []Item, l Limits, start ratelimit.Instant, latency time.Duration) Forecast {
	f := Forecast{Start: start, First: start, Last: start, Finish: start}
	if len(items) == 0 {
		return f
	}
	v := run(items, l, start, latency, nil)
	f.First, f.Last, f.Finish, f.Windows = v.first, v.last, v.clock, v.windows
	chain, people := shape(items, start)
	if chain > 1 || l.Before != nil {
		free := l
		free.Pair = ratelimit.Pair{Reading: ratelimit.Spaced}
		f.PairAdds = f.Finish.Sub(run(items, free, start, latency, nil).clock)
	}
	if l.Tier > 0 && people+l.Used > l.Tier {
		free := l
		free.Tier = 0
		f.TierAdds = f.Finish.Sub(run(items, free, start, latency, nil).clock)
	}
	f.Lower, f.Binding = lowerBound(l, len(items), chain, people, latency)
	return f
}

// Departures gives every departure of the send that NewForecast sums up, in order.
func Departures(items []Item, l Limits, start ratelimit.Instant, latency time.Duration, seen func(i Item, at ratelimit.Instant)) {
	run(items, l, start, latency, seen)
}

// shape is the most messages to one recipient, and the recipients that count for the messaging limit: those whose service window is not open
// at the start.
func shape(items []Item, start ratelimit.Instant) (chain, people int) {
	each := make(map[uint64]int, len(items))
	for _, i := range items {
		each[i.Recipient]++
		chain = max(chain, each[i.Recipient])
		if each[i.Recipient] == 1 && i.OpenUntil <= start {
			people++
		}
	}
	return chain, people
}

// lowerBound is the time that the strictest limit alone would take.
func lowerBound(l Limits, messages, chain, people int, latency time.Duration) (time.Duration, ratelimit.Limit) {
	bound, by := time.Duration(messages-1)*l.Number.Pace.Gap()+latency, ratelimit.LimitThroughput
	if d := time.Duration(chain-1)*(l.Pair.Interval+latency) + latency; d > bound {
		bound, by = d, ratelimit.LimitPair
	}
	if free := max(l.Tier-l.Used, 0); l.Tier > 0 && people > free {
		days := (people - free + l.Tier - 1) / l.Tier
		if d := time.Duration(days)*ratelimit.MessagingWindow + latency; d > bound {
			bound, by = d, ratelimit.LimitMessaging
		}
	}
	return bound, by
}

func run(items []Item, l Limits, start ratelimit.Instant, latency time.Duration, seen func(Item, ratelimit.Instant)) *virtual {
	q := newQueue(items, l.Policy(start), MostInFlight(l.Number.Pace), WaitOnTierLimit)
	v := &virtual{queue: q, clock: start, latency: latency, seen: seen, limited: l.Tier > 0}
	pace(v, &settler{queue: q})
	return v
}

// virtual is the dry-run's world, in which time is a variable.
type virtual struct {
	queue   *queue
	clock   ratelimit.Instant
	latency time.Duration
	flight  []arrival // in order of departure, which at a constant latency is the order of arrival
	seen    func(Item, ratelimit.Instant)
	limited bool

	first, last ratelimit.Instant
	windows     []Window
}

func (v *virtual) now() ratelimit.Instant { return v.clock }

func (v *virtual) wait(until ratelimit.Instant) (event, bool) {
	if len(v.flight) > 0 && v.flight[0].At <= until {
		a := v.flight[0]
		v.flight = v.flight[1:]
		v.clock = max(v.clock, a.At)
		return event{arrival: a}, true
	}
	v.clock = max(v.clock, until)
	return event{}, false
}

func (v *virtual) depart(i Item, at ratelimit.Instant) {
	if v.seen != nil {
		v.seen(i, at)
	}
	if len(v.windows) == 0 {
		v.first = at
	}
	v.last = at
	v.count(i, at)
	v.flight = append(v.flight, arrival{Seq: i.Seq, Left: at, At: at.Add(v.latency), Answer: Answer{Class: outcome.Accepted}})
}

// count sums up the windows: with a messaging limit the next one opens 24 hours after the one before.
func (v *virtual) count(i Item, at ratelimit.Instant) {
	n := len(v.windows)
	if n == 0 || v.limited && at.Sub(v.windows[n-1].Opens) >= ratelimit.MessagingWindow {
		v.windows = append(v.windows, Window{Opens: at})
		n++
	}
	if v.limited && v.queue.flight[i.Seq].charge.NewRecipient() {
		v.windows[n-1].Recipients++
	}
}

func (v *virtual) record([]Result) {}

package forecast

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// Forecast is what a send would do. The numbers are those of the messages that leave before the deadline.
type Forecast struct {
	Start    ratelimit.Instant
	First    ratelimit.Instant // first departure; the start when nothing departs
	Last     ratelimit.Instant // last departure
	Finish   ratelimit.Instant // last answer
	Messages int               // that leave
	Missed   []uint32          // steps that would leave after the deadline only, in file order
	Whole    time.Duration     // from the start to the last answer of all messages, if there were no deadline

	Lower     time.Duration   // no order of the messages could finish all of them sooner
	Binding   ratelimit.Limit // the limit that sets the lower bound
	PairAdds  time.Duration   // how much sooner all would be answered without the pair limit
	TierAdds  time.Duration   // the same without the messaging limit
	QuietAdds time.Duration   // the same without quiet hours

	Windows []Window // the days of the messaging limit
	Series  Series   // the messages over time
	Shares  []int    // messages that leave from each number
}

// Window is a stretch of 24 hours with the recipients that take their slot of the messaging limit in it.
type Window struct {
	Opens      ratelimit.Instant
	Recipients int
}

// Duration is from the start to the last answer.
func (f Forecast) Duration() time.Duration { return f.Finish.Sub(f.Start) }

// New forecasts a send that begins at start: every request is accepted and answered after a constant latency.
func New(load *campaign.Load, l campaign.Limits, start ratelimit.Instant, latency time.Duration) (f Forecast) {
	start = max(start, l.Start)
	f = Forecast{Start: start, First: start, Last: start, Finish: start, Shares: make([]int, len(l.All()))}
	if len(load.Items()) == 0 {
		return f
	}
	s := shapeOf(load, len(l.All()))
	var beside sync.WaitGroup
	beside.Go(func() { f.run(load, l, latency, s) })
	b := lowerBound(load, l, start, latency, s)
	lesser := f.lesser(l, s)
	if b.takes > b.throughput { // some limit adds something for certain: what each does is found out meanwhile
		for i := range lesser {
			beside.Go(func() {
				lesser[i].count(load, start, latency, s)
				lesser[i].run(load, start, latency)
			})
		}
	}
	beside.Wait()
	f.Lower, f.Binding = b.takes, b.by
	f.adds(load, l, latency, b, s, lesser)
	return f
}

// run sums up all departures: those of crowds where nobody's name matters, else those of the loop.
func (f *Forecast) run(load *campaign.Load, l campaign.Limits, latency time.Duration, s *shape) {
	if f.count(load, l, latency, s) {
		return
	}
	sum := newSummary(f)
	if l.Deadline != 0 {
		sum.left = make(map[uint32]struct{})
	}
	l.Rehearse(load, f.Start, latency, sum.add)
	sum.done(latency)
	if f.Messages == len(load.Items()) {
		return
	}
	for _, item := range load.Items() {
		if _, left := sum.left[item.Seq]; !left {
			f.Missed = append(f.Missed, item.Seq)
		}
	}
}

// count sums up the departures of crowds, and says whether that is the send: it is not where names matter, as they do for what misses a deadline.
func (f *Forecast) count(load *campaign.Load, l campaign.Limits, latency time.Duration, s *shape) bool {
	one := *f
	one.Shares = slices.Clone(f.Shares)
	sum := newSummary(&one)
	all := crowdsOf(load, l, f.Start, latency, s)
	if len(all) == 0 || !all.departures(sum.add) || l.Deadline != 0 && one.Last > l.Deadline {
		return false
	}
	sum.done(latency)
	*f = one
	return true
}

// summary counts the departures of one run.
type summary struct {
	*Forecast
	series *series
	left   map[uint32]struct{} // steps that departed, where some may not; else nil
}

func newSummary(f *Forecast) *summary { return &summary{Forecast: f, series: newSeries(f.Start)} }

// done is told that no departure follows.
func (s *summary) done(latency time.Duration) {
	if s.Messages > 0 {
		s.Finish = s.Last.Add(latency)
	}
	s.Series = s.series.done()
}

func (s *summary) add(d campaign.Departure) {
	if s.Messages == 0 {
		s.First = d.At
		s.Windows = []Window{{Opens: d.At}}
	}
	s.Messages++
	s.Last = max(s.Last, d.At)
	s.Shares[d.Number]++
	s.series.add(d.At)
	if d.Slot {
		s.slot(d.At)
	}
	if s.left != nil {
		s.left[d.Seq] = struct{}{}
	}
}

// slot counts somebody who takes a slot. The first window opens with the first of them, or with the first message where nobody does; the next
// ones 24 hours after the one before, or later.
func (s *summary) slot(at ratelimit.Instant) {
	last := &s.Windows[len(s.Windows)-1]
	switch {
	case at.Sub(last.Opens) >= ratelimit.MessagingWindow && last.Recipients > 0:
		s.Windows = append(s.Windows, Window{Opens: at})
		last = &s.Windows[len(s.Windows)-1]
	case last.Recipients == 0:
		last.Opens = at
	}
	last.Recipients++
}

// Compare forecasts the same messages under several limits, on all processors; the results stand in the limits' order and are those of [New].
func Compare(load *campaign.Load, limits []campaign.Limits, start ratelimit.Instant, latency time.Duration) []Forecast {
	all := make([]Forecast, len(limits))
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	var work sync.WaitGroup
	for i, l := range limits {
		work.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			all[i] = New(load, l, start, latency)
		})
	}
	work.Wait()
	return all
}

// statuses is how many status webhooks one message brings: sent, delivered, read. Source: Meta's throughput page, read 2026-11-30.
const statuses = 3

// Webhooks is the load that a webhook's server has to take: three statuses for each message that leaves, and what people write.
func Webhooks(l campaign.Limits, inbound ratelimit.Pace) ratelimit.Pace {
	return statuses*l.Pace() + inbound
}

package forecast

import (
	"runtime"
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
	var beside sync.WaitGroup
	beside.Go(func() { f.run(load, l, latency) })
	b := lowerBound(load, l, start, latency)
	lesser := f.lesser(load, l)
	if b.takes > b.throughput { // some limit adds something for certain: what each does is found out meanwhile
		for i := range lesser {
			beside.Go(func() { lesser[i].run(load, start, latency, b) })
		}
	}
	beside.Wait()
	f.Lower, f.Binding = b.takes, b.by
	f.adds(load, l, latency, b, lesser)
	return f
}

// run lets the loop run and sums it up.
func (f *Forecast) run(load *campaign.Load, l campaign.Limits, latency time.Duration) {
	s := summary{Forecast: f, series: newSeries(f.Start)}
	if l.Deadline != 0 {
		s.left = make(map[uint32]struct{})
	}
	l.Rehearse(load, f.Start, latency, s.add)
	if f.Messages > 0 {
		f.Finish = f.Last.Add(latency)
	}
	f.Series = s.series.done()
	if f.Messages == len(load.Items()) {
		return
	}
	for _, item := range load.Items() {
		if _, left := s.left[item.Seq]; !left {
			f.Missed = append(f.Missed, item.Seq)
		}
	}
}

// summary counts the departures of one run.
type summary struct {
	*Forecast
	series *series
	left   map[uint32]struct{} // steps that departed, where some may not; else nil
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

package forecast

import (
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// Series is how the messages spread over time, to draw a timeline of: equal stretches of a minute, an hour or a day from the start.
type Series struct {
	From   ratelimit.Instant
	Width  time.Duration // of one stretch
	Counts []int         // messages that leave in each; it ends with the last one that leaves
}

// series counts in minutes, and turns to hours and days when there are too many.
type series struct {
	Series
	next ratelimit.Instant // end of the present stretch
}

const mostStretches = 2880 // two days of minutes; a third of a year of hours

func newSeries(from ratelimit.Instant) *series {
	return &series{Series: Series{From: from, Width: time.Minute, Counts: []int{0}}, next: from.Add(time.Minute)}
}

// add counts a departure; those of several numbers may come out of order by a little.
func (s *series) add(at ratelimit.Instant) {
	for at >= s.next {
		if len(s.Counts) == mostStretches && s.Width < 24*time.Hour {
			s.widen()
			continue
		}
		s.Counts = append(s.Counts, 0)
		s.next = s.next.Add(s.Width)
	}
	s.Counts[len(s.Counts)-1]++
}

// widen joins stretches: 60 minutes to an hour, 24 hours to a day.
func (s *series) widen() {
	n := 60
	if s.Width == time.Hour {
		n = 24
	}
	s.Width *= time.Duration(n)
	wide := make([]int, (len(s.Counts)+n-1)/n)
	for i, count := range s.Counts {
		wide[i/n] += count
	}
	s.Counts = wide
	s.next = s.From.Add(time.Duration(len(wide)) * s.Width)
}

func (s *series) done() Series { return s.Series }

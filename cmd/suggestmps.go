package cmd

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// suggestion is a pace for the next run, and what of this one it is made of. The zero value says that nothing was learned.
type suggestion struct {
	mps int
	why string
}

// suggest looks at what the platform refused of this run, and at how many messages came in meanwhile: they count to the number's throughput too.
// A pace is for each number, so of several numbers the one that needs the lowest decides.
func (s *sending) suggest(ctx context.Context) (least suggestion, err error) {
	for i := range s.lines {
		one, err := s.suggestFor(ctx, &s.lines[i])
		if err != nil {
			return suggestion{}, err
		}
		if len(s.lines) > 1 {
			one.why = "number " + s.lines[i].ID + ": " + one.why
		}
		if one.mps > 0 && (least.mps == 0 || one.mps < least.mps) {
			least = one
		}
	}
	return least, nil
}

func (s *sending) suggestFor(ctx context.Context, l *line) (suggestion, error) {
	asked, first, last := l.Throughput.Pace, s.tally.first, s.tally.last
	if first == 0 {
		return suggestion{}, nil
	}
	if s.tally.slowed > 0 {
		sent, err := s.store.PairLedger(ctx, l.target, first.Add(-time.Second))
		if err != nil {
			return suggestion{}, err
		}
		if took, times := taken(sent); took > 0 {
			why := fmt.Sprintf("the platform refused %s with 130429 and took about %s in the second before", plural(times, "message", "messages"), output.Count(took))
			return lower(ratelimit.DefaultPace(took, 0), asked, why), nil
		}
	}
	peak, err := s.store.InboundPeak(ctx, l.target, first, last)
	if err != nil || peak == 0 {
		return suggestion{}, err
	}
	why := fmt.Sprintf("up to %s a second came in, which count to the level of %s", plural(peak, "message", "messages"), output.Count(l.Throughput.Level))
	return lower(ratelimit.DefaultPace(l.Throughput.Level, peak), asked, why), nil
}

// lower is a pace in whole messages a second where it is below the one that was asked for. A higher one was not tried, so it is not known.
func lower(pace, asked ratelimit.Pace, why string) suggestion {
	if mps := max(int(pace/1000), 1); ratelimit.PerSecond(mps) < asked {
		return suggestion{mps, why}
	}
	return suggestion{}
}

// taken is how many messages the number took in the second before a refusal for its throughput, as the median of all such seconds, and how often
// it was refused; 0 where it was not.
func taken(sent []journal.Departure) (median, times int) {
	slices.SortStableFunc(sent, func(a, b journal.Departure) int { return int(min(max(a.Left-b.Left, -1), 1)) })
	var seconds []ratelimit.Instant // departures of the last one that were taken
	var took []int
	for _, d := range sent {
		if d.Left == 0 {
			continue
		}
		for len(seconds) > 0 && d.Left.Sub(seconds[0]) >= time.Second {
			seconds = seconds[1:]
		}
		switch {
		case d.Class == outcome.NumberSlow:
			took = append(took, len(seconds))
		case counts(d):
			seconds = append(seconds, d.Left)
		}
	}
	if len(took) == 0 {
		return 0, 0
	}
	slices.Sort(took)
	return took[len(took)/2], len(took)
}

// showSuggestion tells it in a line.
func (s *sending) showSuggestion(better suggestion) {
	if better.mps > 0 {
		s.out.Line("next time --mps %d: %s", better.mps, better.why)
	}
}

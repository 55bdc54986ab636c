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
func (s *sending) suggest(ctx context.Context) (suggestion, error) {
	asked, first, last := s.limits.Number.Pace, s.tally.first, s.tally.last
	if first == 0 {
		return suggestion{}, nil
	}
	if s.tally.slowed > 0 {
		sent, err := s.store.PairLedger(ctx, s.target, first.Add(-time.Second))
		if err != nil {
			return suggestion{}, err
		}
		if took := taken(sent); took > 0 {
			why := fmt.Sprintf("the platform refused %s with 130429 and took about %s in the second before", plural(s.tally.slowed, "message", "messages"), output.Count(took))
			return lower(ratelimit.DefaultPace(took, 0), asked, why), nil
		}
	}
	peak, err := s.store.InboundPeak(ctx, s.target, first, last)
	if err != nil || peak == 0 {
		return suggestion{}, err
	}
	why := fmt.Sprintf("up to %s a second came in, which count to the level of %s", plural(peak, "message", "messages"), output.Count(s.limits.Number.Level))
	return lower(ratelimit.DefaultPace(s.limits.Number.Level, peak), asked, why), nil
}

// lower is a pace in whole messages a second where it is below the one that was asked for. A higher one was not tried, so it is not known.
func lower(pace, asked ratelimit.Pace, why string) suggestion {
	if mps := max(int(pace/1000), 1); ratelimit.PerSecond(mps) < asked {
		return suggestion{mps, why}
	}
	return suggestion{}
}

// taken is how many messages the number took in the second before a refusal for its throughput, as the median of all such seconds; 0 where
// nothing was refused.
func taken(sent []journal.Departure) int {
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
		return 0
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// showSuggestion tells it in a line.
func (s *sending) showSuggestion(better suggestion) {
	if better.mps > 0 {
		s.out.Line("next time --mps %d: %s", better.mps, better.why)
	}
}

package cmd

import (
	"context"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// usualAnswer is how long the platform takes to answer on an ordinary day, with some air.
const usualAnswer = 250 * time.Millisecond

// warm opens the connections that the first messages will want, where the provider can. The pool grows by itself when answers take longer.
func (s *sending) warm(ctx context.Context, messages int) {
	paces := map[campaign.Provider]ratelimit.Pace{} // numbers with one token share their connections
	for _, l := range s.lines {
		paces[l.provider] += l.Throughput.Pace
	}
	var all sync.WaitGroup
	for provider, pace := range paces {
		if w, ok := provider.(interface{ Warm(context.Context, int) }); ok {
			all.Go(func() { w.Warm(ctx, min(messages, connections(pace))) })
		}
	}
	all.Wait()
}

// connections is how many requests are under way at a pace, at least one.
func connections(p ratelimit.Pace) int {
	return int(p*ratelimit.Pace(usualAnswer.Milliseconds())/1_000_000) + 1
}

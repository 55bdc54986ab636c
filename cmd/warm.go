package cmd

import (
	"context"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// usualAnswer is how long the platform takes to answer on an ordinary day, with some air.
const usualAnswer = 250 * time.Millisecond

// warm opens the connections that the first messages will want, where the provider can. The pool grows by itself when answers take longer.
func (s *sending) warm(ctx context.Context, messages int) {
	if w, ok := s.provider.(interface{ Warm(context.Context, int) }); ok {
		w.Warm(ctx, min(messages, connections(s.limits.Number.Pace)))
	}
}

// connections is how many requests are under way at a pace, at least one.
func connections(p ratelimit.Pace) int {
	return int(p*ratelimit.Pace(usualAnswer.Milliseconds())/1_000_000) + 1
}

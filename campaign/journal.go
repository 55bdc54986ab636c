package campaign

import (
	"context"

	"github.com/wactl/wactl/ratelimit"
)

// State is where a step stands. Every step of a campaign is in exactly one.
type State string

// The states of a step. Delivery and reading are facts about a sent step, not states of their own.
const (
	Pending   State = "pending"   // to be sent
	Sent      State = "sent"      // accepted by the platform
	Held      State = "held"      // accepted, kept back by the platform
	Failed    State = "failed"    // refused for good
	Uncertain State = "uncertain" // asked, and no answer came
)

// Intent says that a step's request is about to leave. It is durable before the request is.
type Intent struct {
	Seq     int
	Attempt int               // from 1
	At      ratelimit.Instant // the planned departure
}

// Result closes an intent: what the answer was and where the step stands now.
type Result struct {
	Seq     int
	Attempt int
	Left    ratelimit.Instant // actual departure
	At      ratelimit.Instant // when the answer came
	State   State             // where the step stands now: Pending again after a refusal that is retried
	Answer  Answer
}

// Journal is the durable story of the campaign that is being sent.
type Journal interface {
	// Commit writes results and intents in one transaction and returns when both are on disk. After an error nothing of it is written.
	Commit(ctx context.Context, intents []Intent, results []Result) error
	// Steps returns the steps with these sequence numbers, in their order, with their messages.
	Steps(ctx context.Context, seqs []int) ([]Step, error)
}

package webhook

import (
	"context"
	"sync"

	"github.com/wactl/wactl/campaign/feedback"
)

// mostTogether is how many news are written in one transaction. A sender beside it waits for the disk that long.
const mostTogether = 600

// gatherer writes the news of many webhooks together: one fsync for all that came while the last one was under way.
type gatherer struct {
	write1 func(context.Context, feedback.Batch) (map[string]int, error)
	jobs   chan job
	work   sync.WaitGroup
}

type job struct {
	batch feedback.Batch
	done  chan<- written
}

// written is how the writing of a job's batch went. What was new is told to one of those that were written together.
type written struct {
	news map[string]int
	err  error
}

func newGatherer(write func(context.Context, feedback.Batch) (map[string]int, error)) *gatherer {
	g := &gatherer{write1: write, jobs: make(chan job, 256)}
	g.work.Go(g.run)
	return g
}

// write returns when the batch is on disk. When the context ends before that, the batch may still be written.
func (g *gatherer) write(ctx context.Context, b feedback.Batch) (map[string]int, error) {
	done := make(chan written, 1)
	select {
	case g.jobs <- job{b, done}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case w := <-done:
		return w.news, w.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (g *gatherer) run() {
	for j := range g.jobs {
		together := []job{j}
		all, size := j.batch, len(j.batch.Statuses)
		for more := true; more && size < mostTogether; {
			select {
			case next, open := <-g.jobs:
				if more = open; open {
					together = append(together, next)
					all.Add(next.batch)
					size += len(next.batch.Statuses)
				}
			default:
				more = false
			}
		}
		g.writeAll(all, together)
	}
}

// writeAll writes a gathered batch in parts and tells everybody how it went.
func (g *gatherer) writeAll(all feedback.Batch, together []job) {
	total := map[string]int{}
	var failed error
	statuses := all.Statuses
	for failed == nil {
		n := min(len(statuses), mostTogether)
		all.Statuses, statuses = statuses[:n], statuses[n:]
		news, err := g.write1(context.Background(), all)
		for name, n := range news {
			total[name] += n
		}
		failed = err
		if all = (feedback.Batch{}); len(statuses) == 0 {
			break
		}
	}
	for _, j := range together {
		j.done <- written{total, failed}
		total = nil
	}
}

func (g *gatherer) close() {
	close(g.jobs)
	g.work.Wait()
}

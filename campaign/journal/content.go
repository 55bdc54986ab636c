package journal

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// eraseAfter is how long the content of a message is kept that the platform has taken: within that time nearly every late failure comes, and the
// message can go again without its file.
const eraseAfter = time.Minute

// taken is a message whose content is to be erased.
type taken struct {
	step int64
	at   ratelimit.Instant // of the answer
}

// group is what one commit brings beside its rows; it counts only when the commit did.
type group struct {
	words  bool              // the state has words about messages, so an answer may not be the last
	latest ratelimit.Instant // answer of the group
	taken  []taken
	erased int     // of the run's taken, from the front
	back   []int64 // steps whose answer was good, and which earlier words put back to pending
}

// group begins a commit.
func (r *Run) group(ctx context.Context, q *session) (g group, err error) {
	if g.words = r.words; !g.words {
		err = q.one(ctx, "SELECT EXISTS (SELECT 1 FROM statuses)", nil, &g.words)
	}
	return g, err
}

// done takes over what a commit brought.
func (r *Run) done(g group) {
	r.words = g.words
	r.taken = append(r.taken[g.erased:], g.taken...)
	r.heard.put(g.back)
}

// eraseOld erases the content of messages that were taken a while before the group's latest answer, in a transaction that writes anyway.
func (r *Run) eraseOld(ctx context.Context, q *session, g *group) error {
	for _, t := range r.taken {
		if g.latest.Sub(t.at) <= eraseAfter {
			break
		}
		_, err := q.exec(ctx, "DELETE FROM messages WHERE step = ?1 AND EXISTS (SELECT 1 FROM steps WHERE step = ?1 AND state NOT IN ('pending', 'uncertain'))",
			t.step)
		if err != nil {
			return err
		}
		g.erased++
	}
	return nil
}

// eraseLeft erases all that is left of messages that have their end: at the end of a run, and after one that was killed.
func (r *Run) eraseLeft(ctx context.Context, q *session) error {
	if r.keep {
		return nil
	}
	first, last := r.c.span()
	_, err := q.exec(ctx, `DELETE FROM messages WHERE step BETWEEN ?1 AND ?2
		AND EXISTS (SELECT 1 FROM steps s WHERE s.step = messages.step AND s.state NOT IN ('pending', 'uncertain'))`, first, last)
	return err
}

// Refill gives pending steps their content back that was erased when the platform took them: it failed them later. Steps are those of the file.
func (r *Run) Refill(ctx context.Context, steps iter.Seq2[Planned, error]) error {
	missing := map[string]int64{}
	first, last := r.c.span()
	err := r.s.read(ctx, fmt.Sprintf("campaign %q: look for erased content", r.c.Name), func(ctx context.Context, q *session) error {
		return q.each(ctx, `SELECT id, step FROM steps WHERE step BETWEEN ? AND ? AND state = 'pending' AND listed = 1
			AND step NOT IN (SELECT step FROM messages)`, []any{first, last}, func(scan func(...any) error) error {
			var id string
			var step int64
			err := scan(&id, &step)
			missing[id] = step
			return err
		})
	})
	if err != nil || len(missing) == 0 {
		return err
	}
	return r.write(ctx, "give content back", func(ctx context.Context, q *session) error {
		w := newWriter(q, r.c)
		for p, err := range steps {
			step, wanted := missing[p.ID]
			if err != nil || !wanted {
				if err != nil {
					return err
				}
				continue
			}
			row, err := w.stored(ctx, p)
			if err == nil {
				_, err = q.exec(ctx, "INSERT OR REPLACE INTO messages (step, message) VALUES (?, ?)", step, row.message)
			}
			if err != nil {
				return fmt.Errorf("line %d: step %s: %w", p.Line, p.ID, err)
			}
		}
		return nil
	})
}

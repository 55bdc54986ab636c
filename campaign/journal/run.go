package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"

	sqlite3 "modernc.org/sqlite/lib"
)

// Run is the writing side of a campaign that is being sent. It is a [campaign.Journal], and writes nothing once its lease is lost.
type Run struct {
	s     *Store
	l     *Lease
	c     Campaign
	keep  bool
	taken []taken // whose content is still there, in order; touched by whoever commits
	words bool    // whether the state has any word about a message

	heard heard // what the sender was told
}

var _ campaign.Journal = (*Run)(nil)

// Run begins, or goes on with, the claimed campaign. With keepContent the messages of final steps stay in the state.
func (l *Lease) Run(ctx context.Context, c Campaign, keepContent bool) (*Run, error) {
	if c.Target != l.claim.Target || c.Name != l.claim.Campaign {
		return nil, fmt.Errorf("campaign %q is not the one that was claimed, %q", c.Name, l.claim.Campaign)
	}
	r := &Run{s: l.s, l: l, c: c, keep: keepContent}
	l.s.mark.open(l.s.path)
	err := r.write(ctx, "start", func(ctx context.Context, q *session) error {
		n, err := q.exec(ctx, `UPDATE campaigns SET status = 'running', started_at = coalesce(started_at, ?), finished_at = NULL, stopped = NULL,
			machine = ?, host = ?, keep_content = ? WHERE campaign = ?`, ratelimit.At(time.Now()), l.p.Machine, l.p.Host, keepContent, c.row)
		if err == nil && n == 0 {
			return ErrUnknown
		}
		if err != nil {
			return err
		}
		return r.listen(ctx, q)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// write is Store.write for the holder of the lease only.
func (r *Run) write(ctx context.Context, op string, f func(context.Context, *session) error) error {
	return r.s.write(ctx, fmt.Sprintf("campaign %q: %s", r.c.Name, op), func(ctx context.Context, q *session) error {
		if err := r.l.held(ctx, q); err != nil {
			return err
		}
		return f(ctx, q)
	})
}

// Commit writes results, then intents, in one transaction. An intent needs a pending step without an open attempt: [ErrNotPending].
func (r *Run) Commit(ctx context.Context, intents []campaign.Intent, results []campaign.Result) error {
	var g group
	err := r.write(ctx, "write", func(ctx context.Context, q *session) (err error) {
		if g, err = r.group(ctx, q); err != nil {
			return err
		}
		for _, res := range results {
			if err := r.settle(ctx, q, res, &g); err != nil {
				return fmt.Errorf("answer of message %d, attempt %d: %w", res.Seq, res.Attempt, err)
			}
		}
		for _, in := range intents {
			if err := r.intend(ctx, q, in); err != nil {
				return fmt.Errorf("message %d, attempt %d: %w", in.Seq, in.Attempt, err)
			}
		}
		return r.eraseOld(ctx, q, &g)
	})
	if err == nil {
		r.done(g)
		if n := len(intents); n > 0 {
			r.s.mark.write(r.c.key(intents[n-1].Seq), intents[n-1].Attempt)
		}
	}
	return err
}

// intend opens an attempt. The state is asked once more here, so that no mistake above can send a message a second time.
func (r *Run) intend(ctx context.Context, q *session, in campaign.Intent) error {
	n, err := q.exec(ctx, `INSERT INTO attempts (step, attempt, intended_at)
		SELECT step, ?2, ?3 FROM steps WHERE step = ?1 AND state = 'pending' AND listed = 1`, r.c.key(in.Seq), in.Attempt, in.At)
	if err == nil && n == 0 || result(err) == sqlite3.SQLITE_CONSTRAINT {
		return errors.Join(ErrNotPending, err)
	}
	return err
}

// settle closes an attempt and moves its step.
func (r *Run) settle(ctx context.Context, q *session, res campaign.Result, g *group) error {
	a, key := res.Answer, r.c.key(res.Seq)
	n, err := q.exec(ctx, `UPDATE attempts SET left_at = ?, answered_at = ?, class = ?, state = ?, code = ?, http_status = ?, message_id = ?, wa_id = ?,
		user_id = ?, message_status = ?, details = ? WHERE step = ? AND attempt = ? AND class IS NULL`,
		orNull(res.Left), orNull(res.At), string(a.Class), string(res.State), a.Code, a.HTTPStatus, orNull(a.MessageID), orNull(a.WaID),
		orNull(a.UserID), orNull(a.MessageStatus), orNull(a.Details), key, res.Attempt)
	if err != nil {
		return err
	}
	if n == 0 {
		if err := takeBack(ctx, q, res, key); err != nil {
			return err
		}
	}
	var notBefore ratelimit.Instant
	if res.State == campaign.Pending && a.RetryAfter > 0 {
		notBefore = res.At.Add(a.RetryAfter)
	}
	tries := 0
	if a.Class == outcome.RetryFew {
		tries = 1
	}
	_, err = q.exec(ctx, "UPDATE steps SET state = ?, attempts = ?, tries = tries + ?, not_before = ?, code = ? WHERE step = ?",
		string(res.State), res.Attempt, tries, orNull(notBefore), a.Code, key)
	if err != nil {
		return err
	}
	return r.after(ctx, q, res, key, g)
}

// takeBack returns a step that failed, because its request was wrong, to pending: several in a row say that all of them are wrong alike.
func takeBack(ctx context.Context, q *session, res campaign.Result, key int64) error {
	if res.State != campaign.Pending || res.Answer.Class != outcome.RequestWrong {
		return ErrNoIntent
	}
	n, err := q.exec(ctx, "UPDATE attempts SET state = ? WHERE step = ? AND attempt = ? AND class = ? AND state = 'failed'",
		string(res.State), key, res.Attempt, string(res.Answer.Class))
	if err == nil && n == 0 {
		err = ErrNoIntent
	}
	return err
}

// after does what an answer brings with it: words that came before it are heard now, the content of what is final goes, and what the code says of
// the person is remembered.
func (r *Run) after(ctx context.Context, q *session, res campaign.Result, key int64, g *group) error {
	if err := rest(ctx, q, key, res.Answer.Code, res.At); err != nil {
		return err
	}
	state := res.State
	if g.words {
		if err := adopt(ctx, q, key, res.Answer.MessageID); err != nil {
			return err
		}
		to, err := resettle(ctx, q, key)
		if err != nil {
			return err
		}
		if to == campaign.Pending {
			g.back = append(g.back, key)
		}
		state = cmp.Or(to, state)
	}
	g.latest = max(g.latest, res.At)
	switch {
	case r.keep || unsettled(state):
		return nil
	case state != campaign.Failed:
		g.taken = append(g.taken, taken{key, res.At})
		return nil
	}
	_, err := q.exec(ctx, "DELETE FROM messages WHERE step = ?", key)
	return err
}

// Steps reads the steps at these positions, in this order, with their messages. It is an error when content was erased already.
func (r *Run) Steps(ctx context.Context, seqs []int) ([]campaign.Step, error) {
	steps := make([]campaign.Step, 0, len(seqs))
	err := r.s.read(ctx, fmt.Sprintf("campaign %q: read messages", r.c.Name), func(ctx context.Context, q *session) error {
		for _, seq := range seqs {
			step, err := oneStep(ctx, q, r.c.key(seq))
			if err != nil {
				return fmt.Errorf("message %d: %w", seq, err)
			}
			steps = append(steps, step)
		}
		return nil
	})
	return steps, err
}

// Recover makes every attempt without an answer uncertain. Call it before the first intent: what is open then is a dead run's.
func (r *Run) Recover(ctx context.Context) (uncertain int, err error) {
	first, last := r.c.span()
	err = r.write(ctx, "recover", func(ctx context.Context, q *session) error {
		n, err := q.exec(ctx, `UPDATE steps SET state = 'uncertain', attempts = open.attempt
			FROM (SELECT step, attempt FROM attempts WHERE class IS NULL AND step BETWEEN ? AND ?) AS open WHERE steps.step = open.step`, first, last)
		if err != nil {
			return err
		}
		uncertain = int(n)
		open, err := q.keys(ctx, "SELECT step FROM attempts WHERE class IS NULL AND step BETWEEN ? AND ? ORDER BY step", first, last)
		if err != nil {
			return err
		}
		_, err = q.exec(ctx, "UPDATE attempts SET class = ?1, state = ?1 WHERE class IS NULL AND step BETWEEN ?2 AND ?3",
			string(outcome.Uncertain), first, last)
		if err != nil {
			return err
		}
		for _, step := range open { // statuses may have come while nobody was there
			to, err := resettle(ctx, q, step)
			if err != nil {
				return err
			}
			if to != "" {
				uncertain--
			}
		}
		return r.eraseLeft(ctx, q)
	})
	return uncertain, err
}

// ResendUncertain makes uncertain steps that the file still has pending again, and says how many. Their people may get the message twice.
func (r *Run) ResendUncertain(ctx context.Context) (pending int, err error) {
	first, last := r.c.span()
	err = r.write(ctx, "send uncertain again", func(ctx context.Context, q *session) error {
		n, err := q.exec(ctx, `UPDATE steps SET state = 'pending', not_before = NULL
			WHERE step BETWEEN ? AND ? AND state = 'uncertain' AND listed = 1 AND coalesce(phone, bsuid) IS NOT NULL`, first, last)
		pending = int(n)
		return err
	})
	return pending, err
}

// Finish ends the run: finished when nothing is pending, otherwise stopped, with the reason as JSON (nil: none given).
func (r *Run) Finish(ctx context.Context, reason json.RawMessage) (Status, error) {
	status := StatusFinished
	first, last := r.c.span()
	err := r.write(ctx, "finish", func(ctx context.Context, q *session) error {
		var pending bool
		err := q.one(ctx, "SELECT EXISTS (SELECT 1 FROM steps WHERE step BETWEEN ? AND ? AND state = 'pending' AND listed = 1)",
			[]any{first, last}, &pending)
		if err != nil {
			return err
		}
		if pending {
			status = StatusStopped
		}
		_, err = q.exec(ctx, "UPDATE campaigns SET status = ?, finished_at = ?, stopped = ? WHERE campaign = ?",
			string(status), ratelimit.At(time.Now()), orNull(string(reason)), r.c.row)
		if err != nil {
			return err
		}
		return r.eraseLeft(ctx, q)
	})
	return status, err
}

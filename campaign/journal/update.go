package journal

import (
	"context"
	"fmt"
	"iter"

	"github.com/wactl/wactl/campaign"
)

// Update makes the campaign follow its file, in one transaction; c carries the new hashes, skipped counts, region and options.
//
// New messages get positions at the end. Pending and uncertain ones are rendered anew and keep id and position. Those that are final
// stay as they are; only the record of what the file says follows. Pending ones that are gone from the file are withdrawn: they count
// for nothing, until the file has them again.
func (r *Run) Update(ctx context.Context, c Campaign, steps iter.Seq2[Planned, error]) (d Drift, err error) {
	c.row = r.c.row
	err = r.write(ctx, "update", func(ctx context.Context, q *session) error {
		u, err := newUpdate(ctx, q, c, r.keep)
		if err != nil {
			return err
		}
		for p, err := range steps {
			if err != nil {
				return err
			}
			if err := u.take(ctx, p); err != nil {
				return fmt.Errorf("line %d: step %s: %w", p.Line, p.ID, err)
			}
		}
		if err := u.w.flush(ctx); err != nil {
			return err
		}
		if err := u.dropGone(ctx); err != nil {
			return err
		}
		d = u.drift
		return u.describe(ctx)
	})
	return d, err
}

// update is one Update under way.
type update struct {
	q     *session
	c     Campaign
	m     *matcher
	w     *writer
	next  int // position for the next new message
	keep  bool
	drift Drift
}

func newUpdate(ctx context.Context, q *session, c Campaign, keep bool) (*update, error) {
	m, err := newMatcher(ctx, q, c)
	if err != nil {
		return nil, err
	}
	return &update{q: q, c: c, m: m, w: newWriter(q, c), next: int(m.last + 1 - m.first), keep: keep}, nil
}

// take brings one message of the file into the state.
func (u *update) take(ctx context.Context, p Planned) error {
	row, err := u.w.stored(ctx, p)
	if err != nil {
		return err
	}
	old, err := u.m.find(ctx, p)
	if err != nil {
		return err
	}
	u.drift.add(old, row.content)
	switch {
	case old.step == 0:
		u.next++
		return u.w.insert(ctx, row, u.next-1)
	case old.listed && old.content == row.content && old.line == p.Line && old.inbound == p.LastInbound:
		return nil
	}
	return u.follow(ctx, old, row)
}

// follow writes what the file now says of a step; its message only where it may still go out.
func (u *update) follow(ctx context.Context, old kept, row planned) error {
	_, err := u.q.exec(ctx, `UPDATE steps SET content = ?, line = ?, listed = 1, last_inbound_at = ?,
			number = CASE WHEN ?4 THEN ?5 ELSE number END, category = CASE WHEN ?4 THEN ?6 ELSE category END WHERE step = ?7`,
		row.content, row.Line, orNull(row.LastInbound), unsettled(old.state), row.number, orNull(row.Category), old.step)
	if err != nil || !unsettled(old.state) {
		return err
	}
	_, err = u.q.exec(ctx, "INSERT OR REPLACE INTO messages (step, message) VALUES (?, ?)", old.step, row.message)
	return err
}

// unsettled says whether a step in this state may still be sent, now or after somebody asks for it.
func unsettled(s campaign.State) bool { return s == campaign.Pending || s == campaign.Uncertain }

// dropGone takes those that the file no longer has off the list.
func (u *update) dropGone(ctx context.Context) error {
	for old, err := range u.m.unseen(ctx) {
		if err != nil {
			return err
		}
		u.drift.Gone++
		if _, err := u.q.exec(ctx, "UPDATE steps SET listed = 0 WHERE step = ?", old.step); err != nil {
			return err
		}
		if old.state != campaign.Pending || u.keep {
			continue
		}
		if _, err := u.q.exec(ctx, "DELETE FROM messages WHERE step = ?", old.step); err != nil {
			return err
		}
	}
	return nil
}

// describe writes the campaign's row anew.
func (u *update) describe(ctx context.Context) error { return recount(ctx, u.q, u.c) }

func recount(ctx context.Context, q *session, c Campaign) error {
	first, last := c.span()
	var steps int
	err := q.one(ctx, "SELECT count(*) FROM steps WHERE step BETWEEN ? AND ? AND "+counts, []any{first, last}, &steps)
	if err != nil {
		return err
	}
	return describe(ctx, q, c, steps)
}

// Skip writes anew which rows of the file get no message, by rule.
func (r *Run) Skip(ctx context.Context, c Campaign) error {
	c.row = r.c.row
	return r.write(ctx, "count the rows left out", func(ctx context.Context, q *session) error { return recount(ctx, q, c) })
}

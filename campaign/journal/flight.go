package journal

import (
	"context"
	"database/sql"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// isOpen is true for a step s whose request left, or was about to, and has no answer yet. The step itself stays pending until then.
const isOpen = "(s.state = 'pending' AND EXISTS (SELECT 1 FROM attempts o WHERE o.step = s.step AND o.class IS NULL))"

// fate is what a reader has to take open requests for: uncertain, since their sender is gone; empty, while it may still hear the answer. A
// process counts when nothing of its own is on its way any more.
func (s *Store) fate(ctx context.Context, q *session, c Campaign) (campaign.State, error) {
	k := Claim{Target: c.Target, Campaign: c.Name}.keys()[0]
	var h Process
	var beat ratelimit.Instant
	err := q.one(ctx, "SELECT pid, started, space, host, machine, boot, beat_at FROM leases WHERE kind = ? AND key = ?",
		[]any{k.kind, k.key}, &h.PID, &h.Started, &h.Space, &h.Host, &h.Machine, &h.Boot, &beat)
	if err != nil {
		return campaign.Uncertain, ignore(err, sql.ErrNoRows)
	}
	if p := ThisProcess(); h == p || p.judge(h, ratelimit.At(time.Now()).Sub(beat)) == dead {
		return campaign.Uncertain, nil
	}
	return "", nil
}

// flight moves what is open and will not be answered from pending to uncertain.
func (n *Counts) flight(ctx context.Context, q *session, c Campaign, fate campaign.State) error {
	if fate == "" {
		return nil
	}
	first, last := c.span()
	var open int
	err := q.one(ctx, "SELECT count(*) FROM attempts JOIN steps s USING (step) WHERE class IS NULL AND s.step BETWEEN ? AND ? AND s.state = 'pending' AND s.listed = 1",
		[]any{first, last}, &open)
	n.Pending, n.Uncertain = n.Pending-open, n.Uncertain+open
	return err
}

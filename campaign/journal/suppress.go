package journal

import (
	"context"
	"iter"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// Suppress puts numbers, as digits, on the state's list for every business number and every kind of message. It is how many were not
// on it before.
func (s *Store) Suppress(ctx context.Context, phones iter.Seq[uint64], source, reason string, at ratelimit.Instant) (added int, err error) {
	err = s.write(ctx, "add opt-outs", func(ctx context.Context, q *session) error {
		added = 0
		for phone := range phones {
			n, err := q.exec(ctx, "INSERT OR IGNORE INTO suppressions (phone, scope, source, reason, at) VALUES (?, 'all', ?, ?, ?)", phone, source, reason, at)
			if err != nil {
				return err
			}
			added += int(n)
		}
		return nil
	})
	return added, err
}

// OptOuts tells every entry of the state's list in the order in which people came onto it: who, for which scope ("all" or "marketing"),
// from which source ("answer", "inbound", "file" or "command"), why, since when and until when (0: for good). Entries that are over are left out.
func (s *Store) OptOuts(ctx context.Context, now ratelimit.Instant, tell func(r campaign.Recipient, scope, source, reason string, at, until ratelimit.Instant)) error {
	const query = `SELECT coalesce(phone, 0), coalesce(bsuid, ''), scope, source, reason, at, coalesce(until_at, 0) FROM suppressions
		WHERE coalesce(until_at > ?1, 1) ORDER BY suppression`
	return s.read(ctx, "read opt-outs", func(ctx context.Context, q *session) error {
		return q.each(ctx, query, []any{now}, func(scan func(...any) error) error {
			var phone uint64
			var r campaign.Recipient
			var scope, source, reason string
			var at, until ratelimit.Instant
			if err := scan(&phone, &r.BSUID, &scope, &source, &reason, &at, &until); err != nil {
				return err
			}
			if phone != 0 {
				r.Phone = phoneText(phone)
			}
			tell(r, scope, source, reason, at, until)
			return nil
		})
	})
}

package journal

import (
	"context"
	"iter"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// History is what left the portfolio of campaign c's number from one instant to another, the last one included, in order of departure.
//
// Messages that others sent, as echoes and lists tell, are in it as accepted.
func (s *Store) History(ctx context.Context, c Campaign, from, to ratelimit.Instant) iter.Seq2[Departure, error] {
	const query = `WITH own AS (SELECT number FROM numbers WHERE provider = ?1 AND base_url = ?2 AND number_id = ?3),
		portfolio AS (SELECT o.number FROM numbers o WHERE o.provider = ?1 AND o.base_url = ?2 AND o.portfolio IS
			(SELECT portfolio FROM numbers WHERE number IN own))
		SELECT coalesce(s.phone, 0), coalesce(s.bsuid, ''), coalesce(a.left_at, a.intended_at) AS at, coalesce(a.answered_at, 0), coalesce(a.class, ''),
				coalesce(a.code, 0), s.step >> 32 = ?4, s.number IN own,
				coalesce(s.last_inbound_at + ?5 > a.intended_at, 0) OR EXISTS (SELECT 1 FROM inbound i WHERE i.phone = s.phone AND i.at <= a.intended_at
					AND i.at + ?5 > a.intended_at AND i.number_id = (SELECT number_id FROM numbers WHERE number = s.number))
			FROM attempts a INDEXED BY attempts_recent CROSS JOIN steps s USING (step) WHERE a.intended_at BETWEEN ?6 AND ?7 AND s.number IN portfolio
		UNION ALL SELECT phone, '', at, at, ?8, 0, 0, number IN own, 0 FROM sightings WHERE number IN portfolio AND at BETWEEN ?6 AND ?7
		ORDER BY at`
	args := []any{c.Target.Provider, c.Target.BaseURL, c.Target.NumberID, c.row, serviceWindow, from, to, string(outcome.Accepted)}
	return func(yield func(Departure, error) bool) {
		err := s.read(ctx, "read what was sent", func(ctx context.Context, q *session) error {
			return q.each(ctx, query, args, func(scan func(...any) error) error {
				var p Departure
				var bsuid string
				err := scan(&p.Recipient, &bsuid, &p.Left, &p.Answered, &p.Class, &p.Code, &p.Own, &p.Number, &p.Free)
				p.Recipient = pair(p.Recipient, bsuid)
				return yieldRow(yield, p, err)
			})
		})
		yieldError(yield, err)
	}
}

// InboundPeak is the most messages that number n received in one second of the clock, from one instant to another; 0 where none is known of.
func (s *Store) InboundPeak(ctx context.Context, n Target, from, to ratelimit.Instant) (peak int, err error) {
	err = s.read(ctx, "read who wrote", func(ctx context.Context, q *session) error {
		return q.one(ctx, `SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM inbound WHERE number_id = ? AND at BETWEEN ? AND ?
			GROUP BY at / 1000000000)`, []any{n.NumberID, from, to}, &peak)
	})
	return peak, err
}

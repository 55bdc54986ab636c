package journal

import (
	"context"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// Departure is one request that left, or may have left, a business number, whatever the campaign.
type Departure struct {
	Recipient uint64            // see [campaign.Recipient.Pair]
	Intended  ratelimit.Instant // planned departure
	Left      ratelimit.Instant // actual departure, 0 unknown
	Answered  ratelimit.Instant // 0 when no answer came
	Class     outcome.Class     // what the answer meant; empty while none came

	// The rest is known to History alone.
	Code   int  // the platform's, 0 without one
	Own    bool // of the campaign that was asked about
	Number bool // from the campaign's number
	Free   bool // inside the recipient's service window: no slot of the messaging limit
}

// Contact is a person who took a slot of the messaging limit, and when last.
type Contact struct {
	Recipient uint64
	At        ratelimit.Instant
}

// PairLedger is every departure from number n planned since then, in order, from all campaigns: what its pair and pace limits start with.
//
// Messages that others sent from n are in it as accepted.
func (s *Store) PairLedger(ctx context.Context, n Target, since ratelimit.Instant) (list []Departure, err error) {
	const query = `WITH own AS (SELECT number FROM numbers WHERE provider = ?1 AND base_url = ?2 AND number_id = ?3)
		SELECT coalesce(s.phone, 0), coalesce(s.bsuid, ''), a.intended_at AS at, coalesce(a.left_at, 0), coalesce(a.answered_at, 0), coalesce(a.class, '')
			FROM attempts a INDEXED BY attempts_recent CROSS JOIN steps s USING (step) WHERE a.intended_at >= ?4 AND s.number IN own
		UNION ALL SELECT phone, '', at, at, at, ?5 FROM sightings WHERE number IN own AND at >= ?4
		ORDER BY at`
	err = s.read(ctx, "read the pair ledger", func(ctx context.Context, q *session) error {
		return q.each(ctx, query, []any{n.Provider, n.BaseURL, n.NumberID, since, string(outcome.Accepted)}, func(scan func(...any) error) error {
			var d Departure
			var bsuid string
			err := scan(&d.Recipient, &bsuid, &d.Intended, &d.Left, &d.Answered, &d.Class)
			d.Recipient = pair(d.Recipient, bsuid)
			list = append(list, d)
			return err
		})
	})
	return list, err
}

// MessagingLedger is everybody whom the portfolio of number n wrote to since then outside their service window, each once.
//
// Accepted, held and uncertain messages count, and those without an answer yet. Numbers without a known portfolio share one.
func (s *Store) MessagingLedger(ctx context.Context, n Target, since ratelimit.Instant) (list []Contact, err error) {
	const query = `WITH portfolio AS (SELECT o.number FROM numbers o WHERE o.provider = ?1 AND o.base_url = ?2 AND o.portfolio IS
				(SELECT portfolio FROM numbers WHERE provider = ?1 AND base_url = ?2 AND number_id = ?3)),
		wrote AS (SELECT coalesce(s.phone, 0) AS phone, coalesce(s.bsuid, '') AS bsuid, coalesce(a.left_at, a.intended_at) AS at
				FROM attempts a INDEXED BY attempts_recent CROSS JOIN steps s USING (step)
				WHERE a.intended_at >= ?4 AND s.number IN portfolio AND (a.class IS NULL OR a.class IN (?5, ?6, ?7))
				AND (s.last_inbound_at IS NULL OR s.last_inbound_at + ?8 <= a.intended_at)
				AND NOT EXISTS (SELECT 1 FROM inbound i WHERE i.phone = s.phone AND i.at <= a.intended_at AND i.at + ?8 > a.intended_at
					AND i.number_id = (SELECT number_id FROM numbers WHERE number = s.number))
			UNION ALL SELECT phone, '', at FROM sightings WHERE number IN portfolio AND at >= ?4)
		SELECT phone, bsuid, max(at) FROM wrote GROUP BY phone, bsuid ORDER BY max(at)`
	args := []any{n.Provider, n.BaseURL, n.NumberID, since, string(outcome.Accepted), string(outcome.Held), string(outcome.Uncertain), serviceWindow}
	err = s.read(ctx, "read the messaging ledger", func(ctx context.Context, q *session) error {
		return q.each(ctx, query, args, func(scan func(...any) error) error {
			var c Contact
			var bsuid string
			err := scan(&c.Recipient, &bsuid, &c.At)
			c.Recipient = pair(c.Recipient, bsuid)
			list = append(list, c)
			return err
		})
	})
	return list, err
}

// Counting is who counts for the messaging limit of n's portfolio at the given instant, and when each was written to last.
func (s *Store) Counting(ctx context.Context, n Target, at ratelimit.Instant) (map[uint64]ratelimit.Instant, error) {
	list, err := s.MessagingLedger(ctx, n, at.Add(-ratelimit.MessagingWindow))
	people := make(map[uint64]ratelimit.Instant, len(list))
	for _, c := range list {
		people[c.Recipient] = max(people[c.Recipient], c.At)
	}
	return people, err
}

// Windows is whose service windows with number n are open at the given instant, by what webhooks told, and until when.
func (s *Store) Windows(ctx context.Context, n Target, at ratelimit.Instant) (until map[uint64]ratelimit.Instant, err error) {
	until = map[uint64]ratelimit.Instant{}
	err = s.read(ctx, "read who wrote", func(ctx context.Context, q *session) error {
		return q.each(ctx, "SELECT coalesce(phone, 0), coalesce(bsuid, ''), max(at) FROM inbound WHERE number_id = ? AND at > ? AND at <= ? GROUP BY phone, bsuid",
			[]any{n.NumberID, at - serviceWindow, at}, func(scan func(...any) error) error {
				var phone uint64
				var bsuid string
				var wrote ratelimit.Instant
				err := scan(&phone, &bsuid, &wrote)
				who := pair(phone, bsuid)
				until[who] = max(until[who], wrote+serviceWindow)
				return err
			})
	})
	return until, err
}

// SetPortfolio says which portfolio number n belongs to; it then shares that portfolio's messaging limit.
func (s *Store) SetPortfolio(ctx context.Context, n Target, portfolio string) error {
	return s.write(ctx, "set portfolio", func(ctx context.Context, q *session) error {
		row, err := number(ctx, q, n)
		if err == nil {
			_, err = q.exec(ctx, "UPDATE numbers SET portfolio = ? WHERE number = ?", orNull(portfolio), row)
		}
		return err
	})
}

// Suppressed is everybody to whom number n must not send at the given instant. Marketing adds those who stopped marketing messages.
func (s *Store) Suppressed(ctx context.Context, n Target, marketing bool, at ratelimit.Instant) (list []campaign.Recipient, err error) {
	const query = `SELECT coalesce(phone, 0), coalesce(bsuid, '') FROM suppressions LEFT JOIN numbers USING (number)
		WHERE (number IS NULL OR provider = ?1 AND base_url = ?2) AND (scope = 'all' OR ?3) AND coalesce(until_at > ?4, 1) ORDER BY suppression`
	err = s.read(ctx, "read suppressions", func(ctx context.Context, q *session) error {
		return q.each(ctx, query, []any{n.Provider, n.BaseURL, marketing, at}, func(scan func(...any) error) error {
			var phone uint64
			var r campaign.Recipient
			err := scan(&phone, &r.BSUID)
			if phone != 0 {
				r.Phone = phoneText(phone)
			}
			list = append(list, r)
			return err
		})
	})
	return list, err
}

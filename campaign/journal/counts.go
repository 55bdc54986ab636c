package journal

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/ratelimit"
)

// counts is true for the steps that a campaign consists of: all but the withdrawn.
const counts = "(listed = 1 OR state <> 'pending')"

// Waiting is a pending step as the pacing loop needs it, in 32 bytes.
type Waiting struct {
	Recipient uint64            // see [campaign.Recipient.Pair]
	NotBefore ratelimit.Instant // 0 when nothing was said
	OpenUntil ratelimit.Instant // end of the recipient's service window, 0 unknown
	Seq       uint32
	Attempts  uint16 // number of the last attempt
	Tries     uint16 // attempts that count as failures
}

// serviceWindow is how long free text is allowed, and the messaging limit does not count, after a person wrote (24 hours).
const serviceWindow = ratelimit.Instant(24 * 3600 * 1e9)

// Pending is what is still to be sent, in order of position. Call it after [Run.Recover].
func (s *Store) Pending(ctx context.Context, c Campaign) (list []Waiting, err error) {
	first, last := c.span()
	const where = "FROM steps WHERE step BETWEEN ? AND ? AND state = 'pending' AND listed = 1"
	err = s.read(ctx, fmt.Sprintf("campaign %q: read what is pending", c.Name), func(ctx context.Context, q *session) error {
		var n int
		if err := q.one(ctx, "SELECT count(*) "+where, []any{first, last}, &n); err != nil {
			return err
		}
		list = make([]Waiting, 0, n)
		return q.each(ctx, "SELECT step, attempts, tries, coalesce(not_before, 0), coalesce(last_inbound_at, 0), coalesce(phone, 0), coalesce(bsuid, '') "+
			where+" ORDER BY step", []any{first, last}, func(scan func(...any) error) error {
			var w Waiting
			var step int64
			var inbound ratelimit.Instant
			var bsuid string
			if err := scan(&step, &w.Attempts, &w.Tries, &w.NotBefore, &inbound, &w.Recipient, &bsuid); err != nil {
				return err
			}
			w.Seq, w.Recipient = uint32(step-first), pair(w.Recipient, bsuid)
			if inbound != 0 {
				w.OpenUntil = inbound + serviceWindow
			}
			list = append(list, w)
			return nil
		})
	})
	return list, err
}

// Forgotten is how many messages of c were to people who have been erased since: nobody can tell any more who they are.
func (s *Store) Forgotten(ctx context.Context, c Campaign) (n int, err error) {
	first, last := c.span()
	err = s.read(ctx, fmt.Sprintf("campaign %q: count who was forgotten", c.Name), func(ctx context.Context, q *session) error {
		return q.one(ctx, "SELECT count(*) FROM steps WHERE step BETWEEN ? AND ? AND phone IS NULL AND bsuid IS NULL", []any{first, last}, &n)
	})
	return n, err
}

// pair is the recipient of a row as the limits know it.
func pair(phone uint64, bsuid string) uint64 {
	if phone != 0 {
		return phone
	}
	return campaign.Recipient{BSUID: bsuid}.Pair()
}

// Counts is how far a campaign is: Sent + Held + Failed + Skipped + Uncertain + Pending = Messages.
type Counts struct {
	Messages  int
	Sent      int
	Held      int
	Failed    int
	Skipped   int
	Uncertain int
	Pending   int
	Delivered *int        // of Sent, confirmed by webhooks; nil until the campaign's first status
	Read      *int        // likewise
	ByCode    map[int]int // failed messages by platform code, 0 where there was none
	Refused   map[int]int // refusals after which a message went back to pending, by code
	FirstLeft ratelimit.Instant
	LastLeft  ratelimit.Instant // first and last departure, 0 before the first
}

// Counts counts the whole campaign so far, at one moment.
func (s *Store) Counts(ctx context.Context, c Campaign) (n Counts, err error) {
	n.ByCode, n.Refused = map[int]int{}, map[int]int{}
	err = s.read(ctx, fmt.Sprintf("campaign %q: count", c.Name), func(ctx context.Context, q *session) error {
		c, err := find(ctx, q, c.Target, c.Name)
		if err != nil {
			return ignoreAs(err, sql.ErrNoRows, ErrUnknown)
		}
		n.Messages, n.Skipped = c.Messages, c.skipped()
		for _, count := range []func(context.Context, *session, Campaign) error{n.states, n.attempts, n.statuses} {
			if err := count(ctx, q, c); err != nil {
				return err
			}
		}
		fate, err := s.fate(ctx, q, c)
		if err != nil {
			return err
		}
		return n.flight(ctx, q, c, fate)
	})
	return n, err
}

func (n *Counts) states(ctx context.Context, q *session, c Campaign) error {
	first, last := c.span()
	field := map[campaign.State]*int{campaign.Sent: &n.Sent, campaign.Held: &n.Held, campaign.Failed: &n.Failed,
		campaign.Uncertain: &n.Uncertain, campaign.Pending: &n.Pending}
	return q.each(ctx, "SELECT state, CASE state WHEN 'failed' THEN code ELSE 0 END AS final, count(*) FROM steps WHERE step BETWEEN ? AND ? AND "+
		counts+" GROUP BY state, final", []any{first, last}, func(scan func(...any) error) error {
		var state campaign.State
		var code, steps int
		if err := scan(&state, &code, &steps); err != nil {
			return err
		}
		*field[state] += steps
		if state == campaign.Failed {
			n.ByCode[code] += steps
		}
		return nil
	})
}

func (n *Counts) attempts(ctx context.Context, q *session, c Campaign) error {
	first, last := c.span()
	err := q.one(ctx, "SELECT coalesce(min(left_at), 0), coalesce(max(left_at), 0) FROM attempts WHERE step BETWEEN ? AND ?",
		[]any{first, last}, &n.FirstLeft, &n.LastLeft)
	if err != nil {
		return err
	}
	// Without a status no answer came, so nobody refused anything.
	err = q.each(ctx, "SELECT code, count(*) FROM attempts WHERE step BETWEEN ? AND ? AND state = 'pending' AND http_status > 0 GROUP BY code",
		[]any{first, last}, func(scan func(...any) error) error {
			var code, attempts int
			err := scan(&code, &attempts)
			n.Refused[code] = attempts
			return err
		})
	if err != nil {
		return err
	}
	return n.refusedLater(ctx, q, c)
}

// refusedLater adds refusals that came as a status after the platform had taken the message.
func (n *Counts) refusedLater(ctx context.Context, q *session, c Campaign) error {
	first, last := c.span()
	return q.each(ctx, "SELECT code, count(*) FROM statuses WHERE step BETWEEN ? AND ? AND status = 'failed' GROUP BY code", []any{first, last},
		func(scan func(...any) error) error {
			var code, messages int
			err := scan(&code, &messages)
			if feedback.AfterFailure(campaign.Sent, code) == campaign.Pending {
				n.Refused[code] += messages
			}
			return err
		})
}

func (n *Counts) statuses(ctx context.Context, q *session, c Campaign) error {
	first, last := c.span()
	var seen, delivered, read int
	// Who has read a message has got it, even when the word of delivery was lost.
	err := q.one(ctx, `SELECT (SELECT EXISTS (SELECT 1 FROM statuses WHERE step BETWEEN ?1 AND ?2)),
		count(DISTINCT s.step), count(DISTINCT CASE s.status WHEN 'read' THEN s.step END)
		FROM statuses s JOIN steps USING (step) WHERE s.step BETWEEN ?1 AND ?2 AND s.status IN ('delivered', 'read') AND state = 'sent'`,
		[]any{first, last}, &seen, &delivered, &read)
	if err == nil && seen != 0 {
		n.Delivered, n.Read = &delivered, &read
	}
	return err
}

// ignoreAs is err, or instead when it is known.
func ignoreAs(err, known, instead error) error {
	if ignore(err, known) == nil {
		return instead
	}
	return err
}

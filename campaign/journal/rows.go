package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// Filter says which rows of a campaign are wanted. The zero value wants all.
type Filter struct {
	State campaign.State // empty: any
	Code  int            // last platform code; 0: any
}

// Row is a step with its last attempt, as reports and exports need it.
type Row struct {
	campaign.Step // Message is empty once it was erased
	HasMessage    bool
	State         campaign.State
	Code          int // platform code of the last answer
	Attempts      int
	Class         outcome.Class // of the last answer, empty without one
	HTTPStatus    int
	MessageID     string
	Details       string
	Left          ratelimit.Instant // departure of the last attempt; the instants are 0 when unknown
	Answered      ratelimit.Instant
	Delivered     ratelimit.Instant
	Read          ratelimit.Instant
}

const stepColumns = `s.step, s.id, coalesce(s.phone, 0), coalesce(s.bsuid, ''), s.ordinal, s.line, n.number_id, m.message `

// scanStep reads stepColumns, and with them more.
func scanStep(scan func(...any) error, step *campaign.Step, more ...any) (hasMessage bool, err error) {
	var key int64
	var phone uint64
	var message sql.Null[[]byte]
	dest := append([]any{&key, &step.ID, &phone, &step.Recipient.BSUID, &step.Ordinal, &step.Line, &step.NumberID, &message}, more...)
	if err := scan(dest...); err != nil {
		return false, err
	}
	step.Seq = int(key & (1<<seqBits - 1))
	if phone != 0 {
		step.Recipient.Phone = phoneText(phone)
	}
	if !message.Valid {
		return false, nil
	}
	if err := json.Unmarshal(message.V, &step.Message); err != nil {
		return true, fmt.Errorf("step %s: %w: message: %w", step.ID, ErrDamaged, err)
	}
	return true, nil
}

// phoneText is a stored phone as E.164.
func phoneText(digits uint64) string { return "+" + strconv.FormatUint(digits, 10) }

// oneStep reads one step that may still go, with its message.
func oneStep(ctx context.Context, q *session, key int64) (step campaign.Step, err error) {
	hasMessage, err := scanStep(func(dest ...any) error {
		return q.one(ctx, "SELECT "+stepColumns+"FROM steps s JOIN numbers n USING (number) LEFT JOIN messages m USING (step) WHERE s.step = ? AND s.state IN ('pending', 'uncertain')",
			[]any{key}, dest...)
	}, &step)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return step, fmt.Errorf("%w: the campaign has no such message, or it has its end", ErrNotPending)
	case err == nil && !hasMessage:
		return step, fmt.Errorf("%w: its content was erased", ErrNotPending)
	}
	return step, err
}

// Rows yields the steps that f wants, in order of position; withdrawn ones are left out. Those on their way to the platform are nobody's
// pending: who exports them would send them twice.
func (s *Store) Rows(ctx context.Context, c Campaign, f Filter) iter.Seq2[Row, error] {
	first, last := c.span()
	const query = "SELECT " + stepColumns + `, CASE WHEN ?5 <> '' AND ` + isOpen + ` THEN ?5 ELSE s.state END, s.code, s.attempts, coalesce(a.class, ''), coalesce(a.http_status, 0), coalesce(a.message_id, ''),
			coalesce(a.details, ''), coalesce(a.left_at, 0), coalesce(a.answered_at, 0),
			coalesce((SELECT min(at) FROM statuses t WHERE t.step = s.step AND t.status = 'delivered'), 0),
			coalesce((SELECT min(at) FROM statuses t WHERE t.step = s.step AND t.status = 'read'), 0)
		FROM steps s JOIN numbers n USING (number) LEFT JOIN messages m USING (step) LEFT JOIN attempts a ON a.step = s.step AND a.attempt = s.attempts
		WHERE s.step BETWEEN ?1 AND ?2 AND (s.listed = 1 OR s.state <> 'pending') AND (?3 = '' OR CASE WHEN ` + isOpen + ` THEN ?5 ELSE s.state END = ?3) AND (?4 = 0 OR s.code = ?4) ORDER BY s.step`
	return func(yield func(Row, error) bool) {
		err := s.read(ctx, fmt.Sprintf("campaign %q: read rows", c.Name), func(ctx context.Context, q *session) error {
			fate, err := s.fate(ctx, q, c)
			if err != nil {
				return err
			}
			return q.each(ctx, query, []any{first, last, string(f.State), f.Code, string(fate)}, func(scan func(...any) error) (err error) {
				var r Row
				r.HasMessage, err = scanStep(scan, &r.Step, &r.State, &r.Code, &r.Attempts, &r.Class, &r.HTTPStatus, &r.MessageID,
					&r.Details, &r.Left, &r.Answered, &r.Delivered, &r.Read)
				return yieldRow(yield, r, err)
			})
		})
		yieldError(yield, err)
	}
}

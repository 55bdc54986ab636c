package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/ratelimit"
)

// statuses writes words about messages down, and then looks once at each step that they are about.
func (in *ingest) statuses(ctx context.Context, b feedback.Batch) error {
	var steps []int64
	seen := map[int64]bool{}
	for _, s := range b.Statuses {
		step, changed, err := in.status(ctx, s)
		if err != nil {
			return err
		}
		if changed && step != 0 && !seen[step] {
			seen[step] = true
			steps = append(steps, step)
		}
	}
	for _, step := range steps {
		to, err := resettle(ctx, in.q, step)
		if err != nil {
			return err
		}
		if to != "" {
			in.moved[string(to)]++
		}
	}
	return nil
}

// status writes one word down. It says which step it is about, 0 for none that is known, and whether it may change where that stands.
//
// Of one word that came with different instants or codes the earliest is kept, so that the order in which they came does not matter.
func (in *ingest) status(ctx context.Context, s feedback.Status) (step int64, changed bool, err error) {
	if s.MessageID == "" || s.Kind == "" {
		return 0, false, nil
	}
	if step, err = stepOf(ctx, in.q, s.Step, s.MessageID); err != nil {
		return 0, false, err
	}
	raw := "{}"
	if s.Details != "" {
		text, _ := json.Marshal(map[string]string{"details": s.Details}) // a map of texts always marshals
		raw = string(text)
	}
	at := in.orNow(s.At)
	n, err := in.q.exec(ctx, "INSERT OR IGNORE INTO statuses (step, message_id, status, at, code, raw, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
		key(step), s.MessageID, s.Kind, at, s.Code, raw, in.now)
	if err != nil {
		return 0, false, err
	}
	in.once(n)
	if n > 0 && step == 0 {
		in.moved[feedback.CountOrphan]++
	}
	if n == 0 {
		if n, err = in.earlier(ctx, s, at, step, raw); err != nil {
			return 0, false, err
		}
	}
	if n > 0 && step != 0 && s.Code != 0 {
		err = rest(ctx, in.q, step, s.Code, at)
	}
	return step, n > 0, err
}

// earlier lets the earliest telling of a word stand, of equally early ones that with the highest code; and joins an orphan with its step.
func (in *ingest) earlier(ctx context.Context, s feedback.Status, at ratelimit.Instant, step int64, raw string) (int64, error) {
	return in.q.exec(ctx, `UPDATE statuses SET step = coalesce(step, ?5),
			code = CASE WHEN ?3 < at OR ?3 = at AND ?4 > code THEN ?4 ELSE code END,
			raw = CASE WHEN ?3 < at OR ?3 = at AND ?4 > code THEN ?6 ELSE raw END, at = min(at, ?3)
		WHERE message_id = ?1 AND status = ?2 AND (?3 < at OR ?3 = at AND ?4 > code OR step IS NULL AND ?5 IS NOT NULL)`,
		s.MessageID, s.Kind, at, s.Code, key(step), raw)
}

// key is a step for the database, NULL for none.
func key(step int64) any {
	if step == 0 {
		return nil
	}
	return step
}

// stepOf is the step with this id, or else the one that an earlier word about the message was about; 0 when nothing tells. Such a status is an
// orphan, until [Store.Join] finds who sent it: an index of message ids would cost every message of a send more than it is worth.
func stepOf(ctx context.Context, q *session, id, messageID string) (step int64, err error) {
	if isStepID(id) {
		err = q.one(ctx, "SELECT step FROM step_ids WHERE id = ?", []any{id}, &step)
		if !errors.Is(err, sql.ErrNoRows) {
			return step, err
		}
	}
	err = q.one(ctx, "SELECT step FROM statuses WHERE message_id = ? AND step IS NOT NULL LIMIT 1", []any{messageID}, &step)
	return step, ignore(err, sql.ErrNoRows)
}

// Join looks for the senders of orphans by the ids that the platform gave their messages, and counts by state the steps that it moved. It reads
// all attempts once, so whoever feeds news in calls it at the end and now and then.
func (s *Store) Join(ctx context.Context) (moved map[string]int, err error) {
	type pair struct {
		step int64
		id   string
	}
	var found []pair
	err = s.read(ctx, "look for the senders of orphans", func(ctx context.Context, q *session) error {
		return q.each(ctx, `SELECT DISTINCT a.step, a.message_id FROM attempts a WHERE EXISTS (SELECT 1 FROM statuses WHERE step IS NULL)
			AND a.message_id IN (SELECT message_id FROM statuses WHERE step IS NULL) ORDER BY a.step`, nil, func(scan func(...any) error) error {
			var p pair
			err := scan(&p.step, &p.id)
			found = append(found, p)
			return err
		})
	})
	moved = map[string]int{}
	if err != nil || len(found) == 0 {
		return moved, err
	}
	err = s.write(ctx, "join orphans with their senders", func(ctx context.Context, q *session) error {
		clear(moved)
		for _, p := range found {
			if err := adopt(ctx, q, p.step, p.id); err != nil {
				return err
			}
			to, err := resettle(ctx, q, p.step)
			if err != nil {
				return err
			}
			if to != "" {
				moved[string(to)]++
			}
		}
		return nil
	})
	return moved, err
}

// adopt joins the orphans of a message with the step that turned out to have sent it.
func adopt(ctx context.Context, q *session, step int64, messageID string) error {
	if messageID == "" {
		return nil
	}
	n, err := q.exec(ctx, "UPDATE statuses SET step = ? WHERE message_id = ? AND step IS NULL", step, messageID)
	if err != nil || n == 0 {
		return err
	}
	var codes []int
	var ats []ratelimit.Instant
	err = q.each(ctx, "SELECT code, at FROM statuses WHERE message_id = ? AND code <> 0", []any{messageID}, func(scan func(...any) error) error {
		var code int
		var at ratelimit.Instant
		err := scan(&code, &at)
		codes, ats = append(codes, code), append(ats, at)
		return err
	})
	for i, code := range codes {
		err = errors.Join(err, rest(ctx, q, step, code, ats[i]))
	}
	return err
}

// resettle moves a step to where all that is known of it puts it, and says where that is; empty when it did not move. A step whose request is on
// its way stays: its answer will ask again.
func resettle(ctx context.Context, q *session, step int64) (to campaign.State, err error) {
	attempts, open, err := attemptsOf(ctx, q, step)
	if err != nil || open {
		return "", err
	}
	words, err := wordsAbout(ctx, q, step)
	if err != nil {
		return "", err
	}
	v := feedback.Settle(attempts, words)
	if v.State == "" {
		return "", nil
	}
	var was campaign.State
	var code int
	if err := q.one(ctx, "SELECT state, code FROM steps WHERE step = ? AND coalesce(phone, bsuid) IS NOT NULL", []any{step}, &was, &code); err != nil {
		return "", ignore(err, sql.ErrNoRows)
	}
	if was == v.State && code == v.Code {
		return "", nil
	}
	if _, err := q.exec(ctx, "UPDATE steps SET state = ?, code = ?, not_before = NULL WHERE step = ?", string(v.State), v.Code, step); err != nil {
		return "", err
	}
	if was == v.State {
		return "", nil
	}
	return v.State, aftermath(ctx, q, step, v.State)
}

// aftermath keeps campaign and content in step with a state that came after the send. What runs looks after its content itself.
func aftermath(ctx context.Context, q *session, step int64, to campaign.State) error {
	if to == campaign.Pending {
		_, err := q.exec(ctx, "UPDATE campaigns SET status = 'stopped' WHERE campaign = ? AND status = 'finished'", step>>seqBits)
		return err
	}
	_, err := q.exec(ctx, `DELETE FROM messages WHERE step = ?1
		AND EXISTS (SELECT 1 FROM campaigns WHERE campaign = ?2 AND status <> 'running' AND keep_content = 0)`, step, step>>seqBits)
	return err
}

// attemptsOf is a step's attempts in order, and whether the last has no answer yet.
func attemptsOf(ctx context.Context, q *session, step int64) (list []feedback.Attempt, open bool, err error) {
	err = q.each(ctx, "SELECT class IS NULL, coalesce(state, ''), coalesce(message_id, '') FROM attempts WHERE step = ? ORDER BY attempt", []any{step},
		func(scan func(...any) error) error {
			var a feedback.Attempt
			var unanswered bool
			err := scan(&unanswered, &a.State, &a.MessageID)
			open = open || unanswered
			list = append(list, a)
			return err
		})
	return list, open, err
}

func wordsAbout(ctx context.Context, q *session, step int64) (list []feedback.Word, err error) {
	err = q.each(ctx, "SELECT message_id, status, code FROM statuses WHERE step = ?", []any{step}, func(scan func(...any) error) error {
		var w feedback.Word
		err := scan(&w.MessageID, &w.Kind, &w.Code)
		list = append(list, w)
		return err
	})
	return list, err
}

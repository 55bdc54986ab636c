package journal

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
)

// resettle moves a step to where all that is known of it puts it, and says where that is; empty when it did not move. A step whose request is on
// its way stays: its answer will ask again.
func resettle(ctx context.Context, q *session, step int64) (to campaign.State, err error) {
	all, err := dossiers(ctx, q, []int64{step})
	if err != nil {
		return "", err
	}
	return all[step].settle(ctx, q, step)
}

// resettleAll is resettle for many steps, and counts by state those that moved.
func resettleAll(ctx context.Context, q *session, steps []int64) (moved map[string]int, err error) {
	moved = map[string]int{}
	for some := range slices.Chunk(steps, dossiersAtOnce) {
		all, err := dossiers(ctx, q, some)
		if err != nil {
			return moved, err
		}
		for _, step := range some {
			to, err := all[step].settle(ctx, q, step)
			if err != nil {
				return moved, err
			}
			if to != "" {
				moved[string(to)]++
			}
		}
	}
	return moved, nil
}

// dossier is all that decides where a step stands, and where it stood. Nil is that of a step that does not move.
type dossier struct {
	attempts []feedback.Attempt
	open     bool // a request is on its way
	words    []feedback.Word
	state    campaign.State
	code     int
}

// settle moves the step to where what is known of it puts it.
func (d *dossier) settle(ctx context.Context, q *session, step int64) (to campaign.State, err error) {
	if d == nil || d.open {
		return "", nil
	}
	v := feedback.Settle(d.attempts, d.words)
	if v.State == "" || d.state == v.State && d.code == v.Code {
		return "", nil
	}
	if _, err := q.exec(ctx, "UPDATE steps SET state = ?, code = ?, not_before = NULL WHERE step = ?", string(v.State), v.Code, step); err != nil {
		return "", err
	}
	if d.state == v.State {
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

// dossiersAtOnce is how many steps are looked at with one statement for each table.
const dossiersAtOnce = 512

// ofSteps is a row of one of the steps of a JSON list.
const ofSteps = "step IN (SELECT value FROM json_each(?))"

// mayMove are steps that words can move. One that was sent, with no failure told, stays there whatever else is told of it, and those are nearly all
// whom webhooks are about: to read no more of them halves the work.
const mayMove = `SELECT step, state, code FROM steps s WHERE ` + ofSteps + ` AND coalesce(phone, bsuid) IS NOT NULL
	AND (state <> 'sent' OR code <> 0 OR EXISTS (SELECT 1 FROM statuses w WHERE w.step = s.step AND w.status = 'failed'))`

// dossiers reads what decides about those of some steps that can move: where each stands, its attempts in order, and the words about it.
func dossiers(ctx context.Context, q *session, steps []int64) (map[int64]*dossier, error) {
	all := map[int64]*dossier{}
	var movable []int64
	err := eachOf(ctx, q, mayMove, steps, func(scan func(...any) error) error {
		var step int64
		var d dossier
		err := scan(&step, &d.state, &d.code)
		all[step], movable = &d, append(movable, step)
		return err
	})
	if err != nil || len(movable) == 0 {
		return all, err
	}
	err = eachOf(ctx, q, "SELECT step, class IS NULL, coalesce(state, ''), coalesce(message_id, '') FROM attempts WHERE "+ofSteps+" ORDER BY step, attempt", movable,
		func(scan func(...any) error) error {
			var step int64
			var a feedback.Attempt
			var unanswered bool
			err := scan(&step, &unanswered, &a.State, &a.MessageID)
			if d := all[step]; err == nil {
				d.open, d.attempts = d.open || unanswered, append(d.attempts, a)
			}
			return err
		})
	if err != nil {
		return nil, err
	}
	return all, eachOf(ctx, q, "SELECT step, message_id, status, code FROM statuses WHERE "+ofSteps, movable, func(scan func(...any) error) error {
		var step int64
		var w feedback.Word
		err := scan(&step, &w.MessageID, &w.Kind, &w.Code)
		if d := all[step]; err == nil {
			d.words = append(d.words, w)
		}
		return err
	})
}

// eachOf reads every row that query has of some steps.
func eachOf(ctx context.Context, q *session, query string, steps []int64, row func(scan func(...any) error) error) error {
	list, err := json.Marshal(steps)
	if err != nil {
		return err
	}
	return q.each(ctx, query, []any{string(list)}, row)
}

package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/ratelimit"
)

// statuses writes words about messages down, and then looks once at each step that they are about.
func (in *ingest) statuses(ctx context.Context, b feedback.Batch) error {
	var steps []int64
	seen := map[int64]bool{}
	said := slices.DeleteFunc(slices.Clone(b.Statuses), func(s feedback.Status) bool { return s.MessageID == "" || s.Kind == "" })
	for some := range slices.Chunk(said, batchRows) {
		changed, err := in.some(ctx, some)
		if err != nil {
			return err
		}
		for _, step := range changed {
			if !seen[step] {
				seen[step] = true
				steps = append(steps, step)
			}
		}
	}
	moved, err := resettleAll(ctx, in.q, steps)
	for state, n := range moved {
		in.moved[state] += n
	}
	return err
}

// insertStatuses is how words are written, many rows with one statement.
const (
	insertStatuses = "INSERT OR IGNORE INTO statuses (step, message_id, status, at, code, raw, seen_at) VALUES "
	statusRow      = "(?, ?, ?, ?, ?, ?, ?)"
)

// some writes at most a batch of words down, with as few statements as that takes: a statement a word costs several times as much. It is the steps
// whose standing the words may change.
func (in *ingest) some(ctx context.Context, list []feedback.Status) (changed []int64, err error) {
	steps, err := stepsOf(ctx, in.q, list)
	if err != nil {
		return nil, err
	}
	raws := make([]string, len(list))
	rows := newBatch(insertStatuses, statusRow, 7)
	for i, s := range list {
		raws[i] = rawOf(s)
		rows.args = append(rows.args, key(steps[i]), s.MessageID, s.Kind, in.orNow(s.At), s.Code, raws[i], in.now)
	}
	fresh, err := in.insert(ctx, rows, list)
	if err != nil {
		return nil, err
	}
	for i, s := range list {
		told, err := in.told(ctx, s, steps[i], raws[i], fresh)
		if err != nil {
			return nil, err
		}
		if told && steps[i] != 0 {
			changed = append(changed, steps[i])
		}
	}
	return changed, nil
}

// rawOf is what of a status is kept as JSON.
func rawOf(s feedback.Status) string {
	if s.Details == "" {
		return "{}"
	}
	text, _ := json.Marshal(map[string]string{"details": s.Details}) // a map of texts always marshals
	return string(text)
}

// word is what makes a status one of its own: the same word about the same message is kept once.
type word struct{ message, kind string }

// insert writes rows of words and is those that were not known.
func (in *ingest) insert(ctx context.Context, rows *batch, list []feedback.Status) (fresh map[word]bool, err error) {
	var last int64
	if err := in.q.one(ctx, "SELECT coalesce(max(status_row), 0) FROM statuses", nil, &last); err != nil {
		return nil, err
	}
	n, err := in.q.exec(ctx, rows.text(len(list)), rows.args...)
	if err != nil || n == 0 {
		return nil, err
	}
	fresh = make(map[word]bool, n)
	if int(n) == len(list) {
		for _, s := range list {
			fresh[word{s.MessageID, s.Kind}] = true
		}
		return fresh, nil
	}
	return fresh, in.q.each(ctx, "SELECT message_id, status FROM statuses WHERE status_row > ?", []any{last}, func(scan func(...any) error) error {
		var w word
		err := scan(&w.message, &w.kind)
		fresh[w] = true
		return err
	})
}

// told finishes one word that was offered to the table, and says whether it changed anything there. The first of a fresh word takes it from fresh.
//
// Of one word that came with different instants or codes the earliest is kept, so that the order in which they came does not matter.
func (in *ingest) told(ctx context.Context, s feedback.Status, step int64, raw string, fresh map[word]bool) (bool, error) {
	w, at := word{s.MessageID, s.Kind}, in.orNow(s.At)
	var isNew int64
	if fresh[w] {
		isNew = 1
		delete(fresh, w)
	}
	if in.once(isNew); isNew > 0 {
		if step == 0 {
			in.moved[feedback.CountOrphan]++
		}
	} else if n, err := in.earlier(ctx, s, at, step, raw); err != nil || n == 0 {
		return false, err
	}
	if step != 0 && s.Code != 0 {
		return true, rest(ctx, in.q, step, s.Code, at)
	}
	return true, nil
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

// stepsOf are the steps that words are about, 0 where nothing tells: the step with the word's id, or else the one that an earlier word about the
// message was about. A status without one is an orphan, until [Store.Join] finds who sent it: an index of message ids would cost every message of
// a send more than it is worth.
func stepsOf(ctx context.Context, q *session, list []feedback.Status) ([]int64, error) {
	var ids, messages []string
	for _, s := range list {
		if isStepID(s.Step) {
			ids = append(ids, s.Step)
		}
	}
	byID, err := q.lookUp(ctx, "SELECT id, step FROM step_ids WHERE id IN (SELECT value FROM json_each(?))", ids)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if byID[s.Step] == 0 {
			messages = append(messages, s.MessageID)
		}
	}
	byMessage, err := q.lookUp(ctx, `SELECT message_id, min(step) FROM statuses WHERE step IS NOT NULL AND message_id IN (SELECT value FROM json_each(?))
		GROUP BY message_id`, messages)
	if err != nil {
		return nil, err
	}
	steps := make([]int64, len(list))
	for i, s := range list {
		if steps[i] = cmp.Or(byID[s.Step], byMessage[s.MessageID]); byMessage[s.MessageID] == 0 {
			byMessage[s.MessageID] = steps[i]
		}
	}
	return steps, nil
}

// lookUp asks for many names at once: query takes a JSON list of them, and has the whole number of each that has one.
func (q *session) lookUp(ctx context.Context, query string, names []string) (found map[string]int64, err error) {
	found = make(map[string]int64, len(names))
	if len(names) == 0 {
		return found, nil
	}
	text, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	return found, q.each(ctx, query, []any{string(text)}, func(scan func(...any) error) error {
		var name string
		var n int64
		err := scan(&name, &n)
		found[name] = n
		return err
	})
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

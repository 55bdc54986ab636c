package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// erase runs f in one transaction while nobody sends with this state, and then gives the room back: what f deleted is in the file no more.
func (s *Store) erase(ctx context.Context, op string, f func(context.Context, *session) error) error {
	err := s.write(ctx, op, func(ctx context.Context, q *session) error {
		if err := idle(ctx, q); err != nil {
			return err
		}
		if err := forgetMark(s.path); err != nil { // what it names may be erased
			return err
		}
		// Without it the bytes of deleted rows stay in the file until others take their place.
		if _, err := q.conn.ExecContext(ctx, "PRAGMA secure_delete = ON"); err != nil {
			return err
		}
		return f(ctx, q)
	})
	if err != nil {
		return err
	}
	return s.shrink(ctx, op)
}

// shrink writes the file anew without its free pages, where content that was erased long ago may still stand, and empties the log.
func (s *Store) shrink(ctx context.Context, op string) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return stateError(s.path, op, context.Cause(ctx))
	}
	_, err := s.writer.conn.ExecContext(ctx, "VACUUM")
	<-s.turn
	if err != nil {
		return stateError(s.path, op+": it is done, but the file could not be made smaller", err)
	}
	return s.settleLog(ctx)
}

// idle is an [InUseError] while a process may be sending with this state: what is erased under it would come back, or go out twice.
func idle(ctx context.Context, q *session) error {
	me, now := ThisProcess(), ratelimit.At(time.Now())
	var used error
	err := q.each(ctx, "SELECT key, pid, started, space, host, machine, boot, since, beat_at FROM leases WHERE kind = 'number' ORDER BY key", nil,
		func(scan func(...any) error) error {
			var key string
			var h Process
			var since, beat ratelimit.Instant
			if err := scan(&key, &h.PID, &h.Started, &h.Space, &h.Host, &h.Machine, &h.Boot, &since, &beat); err != nil {
				return err
			}
			is, quiet := me.judge(h, now.Sub(beat)), now.Sub(beat) > silence
			if used == nil && (is == alive || is == foreign && !quiet) {
				used = &InUseError{What: "number " + key[strings.LastIndexByte(key, ' ')+1:], Holder: h, Since: since.Time()}
			}
			return nil
		})
	if err != nil {
		return err
	}
	return used
}

// Purge erases every campaign that was finished before an instant, and what else is older: orphaned words, sightings, inbound messages, orders,
// opt-outs that are over. It yields those campaigns, and counts erased rows by table.
//
// Campaigns that are not finished stay, and so do opt-outs. Before must lie a day or more back: the limits are counted from what is younger.
func (s *Store) Purge(ctx context.Context, before ratelimit.Instant) (gone []Campaign, rows map[string]int, err error) {
	err = s.erase(ctx, "purge", func(ctx context.Context, q *session) error {
		gone, rows = nil, map[string]int{}
		err := q.each(ctx, campaignColumns+"WHERE c.status = 'finished' AND c.finished_at < ? ORDER BY c.campaign", []any{before},
			func(scan func(...any) error) error {
				c, err := scanCampaign(scan)
				gone = append(gone, c)
				return err
			})
		if err != nil {
			return err
		}
		if err := purgeCampaigns(ctx, q, gone, rows); err != nil {
			return err
		}
		return purgeOld(ctx, q, before, rows)
	})
	return gone, rows, err
}

// purgeCampaigns erases campaigns with all that belongs to their messages.
func purgeCampaigns(ctx context.Context, q *session, list []Campaign, rows map[string]int) error {
	keys := make([]int64, len(list))
	for i, c := range list {
		keys[i] = c.row
		first, last := c.span()
		for _, table := range []string{"statuses", "attempts", "messages", "steps"} {
			n, err := q.exec(ctx, "DELETE FROM "+table+" WHERE step BETWEEN ? AND ?", first, last)
			if err != nil {
				return err
			}
			rows[table] += int(n)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	text, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	for _, query := range []string{
		"DELETE FROM step_ids WHERE step >> 32 IN (SELECT value FROM json_each(?))", // its only index is by id, so all of them at once
		"DELETE FROM controls WHERE campaign IN (SELECT value FROM json_each(?))",
		"DELETE FROM campaigns WHERE campaign IN (SELECT value FROM json_each(?))",
	} {
		if _, err := q.exec(ctx, query, string(text)); err != nil {
			return err
		}
	}
	return nil
}

// purges are the rows that belong to no campaign, and when they are old.
var purges = []struct{ table, old string }{
	{"statuses", "step IS NULL AND seen_at < ?"},
	{"sightings", "at < ?"},
	{"inbound", "at < ?"},
	{"orders", "at < ?"},
	{"suppressions", "until_at < ?"},
	{"media", "uploaded_at < min(?, unixepoch('now', '-30 days') * 1000000000)"}, // the platform keeps it for 30 days
}

func purgeOld(ctx context.Context, q *session, before ratelimit.Instant, rows map[string]int) error {
	for _, p := range purges {
		n, err := q.exec(ctx, "DELETE FROM "+p.table+" WHERE "+p.old, before)
		if err != nil {
			return err
		}
		rows[p.table] += int(n)
	}
	return nil
}

// Forget erases one person, by the digits of the canonical number, and counts by name what was there: campaigns, messages, withdrawn, kept,
// statuses, sightings, inbound, opted_out. Theirs says of a message's id whether it carries the person's number.
//
// What stays of a message is that there was one, when, and with which answer. Its id stays only in a campaign that is not finished, so that it
// does not go out again; pending ones are withdrawn whole. An opt-out stays without its reason.
func (s *Store) Forget(ctx context.Context, phone uint64, theirs func(messageID string) bool) (found map[string]int, err error) {
	err = s.erase(ctx, "forget a person", func(ctx context.Context, q *session) error {
		f := &forgetting{q: q, phone: phone, theirs: theirs, found: map[string]int{}, campaigns: map[int64]bool{}}
		found = f.found
		for _, part := range []func(context.Context) error{f.identify, f.steps, f.orphans, f.elsewhere, f.optOuts, f.recount} {
			if err := part(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

// forgetting is one Forget under way.
type forgetting struct {
	q         *session
	phone     uint64
	bsuids    string // ids of the same person, a JSON list
	theirs    func(messageID string) bool
	found     map[string]int
	campaigns map[int64]bool // that had messages of the person
}

// ofPerson is a row of theirs, in a table with phone and bsuid.
const ofPerson = "(phone = ?1 OR bsuid IN (SELECT value FROM json_each(?2)))"

// identify finds the platform's own ids of the person.
func (f *forgetting) identify(ctx context.Context) error {
	return f.q.one(ctx, `SELECT json_group_array(id) FROM (SELECT bsuid AS id FROM steps WHERE phone = ?1 AND bsuid <> ''
		UNION SELECT user_id FROM attempts JOIN steps USING (step) WHERE phone = ?1 AND user_id <> ''
		UNION SELECT bsuid FROM inbound WHERE phone = ?1 AND bsuid <> '')`, []any{f.phone}, &f.bsuids)
}

// forgotten is one of the person's messages.
type forgotten struct {
	step     int64
	state    campaign.State
	finished bool // its campaign is
	open     bool // a request that left before a run was killed has no answer
}

// steps erases the person's messages, also those that an earlier Forget left an id of.
func (f *forgetting) steps(ctx context.Context) error {
	keys, err := f.q.keys(ctx, "SELECT step FROM steps WHERE "+ofPerson+" ORDER BY step", f.phone, f.bsuids)
	if err != nil {
		return err
	}
	left, err := f.leftIDs(ctx)
	if err != nil {
		return err
	}
	for _, key := range append(keys, left...) {
		m := forgotten{step: key}
		err := f.q.one(ctx, `SELECT state, status = 'finished', EXISTS (SELECT 1 FROM attempts a WHERE a.step = s.step AND class IS NULL)
			FROM steps s JOIN campaigns c ON c.campaign = s.step >> 32 WHERE s.step = ?`, []any{key}, &m.state, &m.finished, &m.open)
		if err == nil {
			err = f.message(ctx, m)
		}
		if err != nil {
			return err
		}
		f.campaigns[key>>seqBits] = true
	}
	f.found["campaigns"] = len(f.campaigns)
	return nil
}

// leftIDs are messages of the person that are known by their id alone: their campaign was not finished when the person was forgotten.
func (f *forgetting) leftIDs(ctx context.Context) (keys []int64, err error) {
	var ids []string
	err = f.q.each(ctx, `SELECT uid, (SELECT max(ordinal) FROM steps WHERE step BETWEEN campaign << 32 AND (campaign + 1 << 32) - 1 AND phone IS NULL AND bsuid IS NULL)
		FROM campaigns WHERE status = 'finished' ORDER BY campaign`, nil, func(scan func(...any) error) error {
		var uid []byte
		var last *int
		err := scan(&uid, &last)
		if err == nil && last != nil && len(uid) == 16 {
			for ordinal := range *last + 1 {
				ids = append(ids, campaign.StepID([16]byte(uid), phoneText(f.phone), ordinal))
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		more, err := f.q.keys(ctx, "SELECT step FROM step_ids JOIN steps USING (step) WHERE step_ids.id = ? AND phone IS NULL AND bsuid IS NULL", id)
		if err != nil {
			return nil, err
		}
		keys = append(keys, more...)
	}
	return keys, nil
}

// message erases one message. Which statements do it depends on whether it may go out again.
func (f *forgetting) message(ctx context.Context, m forgotten) error {
	f.found["messages"]++
	statements := forgetContent
	switch {
	case m.state == campaign.Pending && !m.open:
		f.found["withdrawn"]++
		statements = forgetPending
	case m.finished:
		statements = append(statements[:len(statements):len(statements)], forgetIDs...)
	default:
		f.found["kept"]++
	}
	for _, query := range statements {
		n, err := f.q.exec(ctx, query, m.step)
		if err != nil {
			return fmt.Errorf("message %d: %w", m.step, err)
		}
		if strings.Contains(query, "statuses") {
			f.found["statuses"] += int(n)
		}
	}
	return nil
}

// forgetPending erases a message that did not go out.
var forgetPending = []string{
	"DELETE FROM statuses WHERE step = ?",
	"DELETE FROM attempts WHERE step = ?",
	"DELETE FROM messages WHERE step = ?",
	"DELETE FROM step_ids WHERE step = ?",
	"DELETE FROM steps WHERE step = ?",
}

// forgetContent takes the person out of a message that went out, or may have: what has no answer is uncertain from now on. Ids of messages carry
// the number, so they go too; each word keeps a name of its own.
var forgetContent = []string{
	"DELETE FROM messages WHERE step = ?",
	`UPDATE steps SET state = 'uncertain', attempts = (SELECT max(attempt) FROM attempts WHERE step = ?1)
		WHERE step = ?1 AND EXISTS (SELECT 1 FROM attempts WHERE step = ?1 AND class IS NULL)`,
	"UPDATE attempts SET class = '" + string(outcome.Uncertain) + "', state = 'uncertain' WHERE step = ? AND class IS NULL",
	"UPDATE steps SET phone = NULL, bsuid = NULL, last_inbound_at = NULL WHERE step = ?",
	"UPDATE attempts SET message_id = NULL, wa_id = NULL, user_id = NULL, details = NULL WHERE step = ?",
	"UPDATE statuses SET message_id = 'forgotten ' || status_row, raw = '{}' WHERE step = ?",
}

// forgetIDs takes the last that leads from a person to a message: its id.
var forgetIDs = []string{
	"DELETE FROM step_ids WHERE step = ?",
	"UPDATE steps SET id = '', content = 0, listed = 0 WHERE step = ?",
}

// orphans erases words about messages to the person that this state did not send.
func (f *forgetting) orphans(ctx context.Context) error {
	var rows []int64
	err := f.q.each(ctx, "SELECT status_row, message_id FROM statuses WHERE step IS NULL", nil, func(scan func(...any) error) error {
		var row int64
		var id string
		err := scan(&row, &id)
		if err == nil && f.theirs(id) {
			rows = append(rows, row)
		}
		return err
	})
	for _, row := range rows {
		if err == nil {
			_, err = f.q.exec(ctx, "DELETE FROM statuses WHERE status_row = ?", row)
		}
	}
	f.found["statuses"] += len(rows)
	return err
}

// elsewhere erases what no campaign knows of: messages that the person wrote, and that others sent. A campaign's reason to stop may name them.
func (f *forgetting) elsewhere(ctx context.Context) error {
	for _, d := range []struct {
		name, query string
		args        []any
	}{
		{"inbound", "DELETE FROM inbound WHERE " + ofPerson, []any{f.phone, f.bsuids}},
		{"sightings", "DELETE FROM sightings WHERE phone = ?", []any{f.phone}},
		{"reasons", "UPDATE campaigns SET stopped = NULL WHERE instr(stopped, ?)", []any{phoneText(f.phone)[1:]}},
	} {
		n, err := f.q.exec(ctx, d.query, d.args...)
		if err != nil {
			return err
		}
		f.found[d.name] += int(n)
	}
	return nil
}

// optOuts keeps who must not be written to, but not why.
func (f *forgetting) optOuts(ctx context.Context) error {
	now := ratelimit.At(time.Now())
	if _, err := f.q.exec(ctx, "DELETE FROM suppressions WHERE until_at <= ?3 AND "+ofPerson, f.phone, f.bsuids, now); err != nil {
		return err
	}
	n, err := f.q.exec(ctx, "UPDATE suppressions SET reason = '' WHERE "+ofPerson, f.phone, f.bsuids)
	f.found["opted_out"] += int(n)
	return err
}

// recount counts the campaigns anew that lost a message.
func (f *forgetting) recount(ctx context.Context) error {
	var list []Campaign
	err := f.q.each(ctx, campaignColumns+"ORDER BY c.campaign", nil, func(scan func(...any) error) error {
		c, err := scanCampaign(scan)
		if err == nil && f.campaigns[c.row] {
			list = append(list, c)
		}
		return err
	})
	for _, c := range list {
		if err == nil {
			err = recount(ctx, f.q, c)
		}
	}
	return err
}

// Holds counts the people of a campaign, and the messages whose content is still there.
func (s *Store) Holds(ctx context.Context, c Campaign) (people, contents int, err error) {
	first, last := c.span()
	err = s.read(ctx, fmt.Sprintf("campaign %q: count people", c.Name), func(ctx context.Context, q *session) error {
		return q.one(ctx, `SELECT (SELECT count(DISTINCT coalesce(phone, bsuid)) FROM steps WHERE step BETWEEN ?1 AND ?2),
			(SELECT count(*) FROM messages WHERE step BETWEEN ?1 AND ?2)`, []any{first, last}, &people, &contents)
	})
	return people, contents, err
}

// HoldsBeside counts what belongs to no campaign: opt-outs, messages that people wrote, messages that others sent, and words about unknown messages.
func (s *Store) HoldsBeside(ctx context.Context) (optOuts, inbound, sightings, orphans int, err error) {
	err = s.read(ctx, "count what belongs to no campaign", func(ctx context.Context, q *session) error {
		return q.one(ctx, `SELECT (SELECT count(*) FROM suppressions WHERE coalesce(until_at > ?, 1)), (SELECT count(*) FROM inbound),
			(SELECT count(*) FROM sightings), (SELECT count(*) FROM statuses WHERE step IS NULL)`,
			[]any{ratelimit.At(time.Now())}, &optOuts, &inbound, &sightings, &orphans)
	})
	return optOuts, inbound, sightings, orphans, err
}

package journal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/ratelimit"
)

// ingest is one batch of news on its way into the state.
type ingest struct {
	q     *session
	home  Target // of numbers that the state does not know yet
	now   ratelimit.Instant
	moved map[string]int // by what came of it
}

// inboundFor is how long a message that somebody wrote is remembered: a webhook may come again for seven days.
const inboundFor = 8 * 24 * time.Hour

// Ingest writes news down in one transaction and moves the steps that they settle. The result counts by name what was not known before: see
// [feedback.CountNew]; a state's name stands for the steps that came into it. What is known already changes nothing.
//
// A number that the state does not know is taken to be one of home's provider and base URL.
func (s *Store) Ingest(ctx context.Context, b feedback.Batch, home Target, now ratelimit.Instant) (map[string]int, error) {
	in := &ingest{home: home, now: now}
	err := s.write(ctx, "write down what came back", func(ctx context.Context, q *session) error {
		in.q, in.moved = q, map[string]int{}
		for _, part := range []func(context.Context, feedback.Batch) error{in.numbers, in.statuses, in.inbound, in.echoes, in.optOuts, in.orders} {
			if err := part(ctx, b); err != nil {
				return err
			}
		}
		return nil
	})
	return in.moved, err
}

// once counts a row that was not known.
func (in *ingest) once(n int64) { in.moved[feedback.CountNew] += int(n) }

// orNow is an instant, or now when nothing told it.
func (in *ingest) orNow(t ratelimit.Instant) ratelimit.Instant {
	if t == 0 {
		return in.now
	}
	return t
}

func (in *ingest) numbers(ctx context.Context, b feedback.Batch) error {
	for _, n := range b.Numbers {
		_, err := in.q.exec(ctx, `UPDATE numbers SET account = coalesce(?2, account), display = coalesce(?3, display)
			WHERE number_id = ?1 AND (account IS NOT coalesce(?2, account) OR display IS NOT coalesce(?3, display))`, n.ID, orNull(n.Account), orNull(n.Display))
		if err != nil {
			return err
		}
	}
	return nil
}

func (in *ingest) inbound(ctx context.Context, b feedback.Batch) error {
	for _, m := range b.Inbound {
		phone, err := phoneDigits(m.Person)
		if err != nil {
			continue // without a person nothing opens, and nothing can be sent to nobody
		}
		n, err := in.q.exec(ctx, "INSERT OR IGNORE INTO inbound (message_id, number_id, phone, bsuid, at) VALUES (?, ?, ?, ?, ?)",
			m.MessageID, m.NumberID, phone, orNull(m.Person.BSUID), min(in.orNow(m.At), in.now))
		if err != nil {
			return err
		}
		in.once(n)
	}
	if len(b.Inbound) == 0 {
		return nil
	}
	_, err := in.q.exec(ctx, "DELETE FROM inbound WHERE at < ?", in.now.Add(-inboundFor))
	return err
}

// known makes the row of a sending number where the state has none.
func (in *ingest) known(ctx context.Context, numberID string) error {
	var known bool
	err := in.q.one(ctx, "SELECT EXISTS (SELECT 1 FROM numbers WHERE number_id = ?)", []any{numberID}, &known)
	if err == nil && !known {
		_, err = number(ctx, in.q, Target{in.home.Provider, in.home.BaseURL, numberID})
	}
	return err
}

func (in *ingest) echoes(ctx context.Context, b feedback.Batch) error {
	for _, e := range b.Echoes {
		if e.Phone == 0 || e.NumberID == "" {
			continue
		}
		if err := in.known(ctx, e.NumberID); err != nil {
			return err
		}
		// The platform tells whole seconds. Two messages within one are two, and the same message told twice is one.
		at := min(in.orNow(e.At), in.now)
		at -= at % ratelimit.Instant(time.Second)
		n, err := in.q.exec(ctx, "INSERT OR IGNORE INTO sightings (number, phone, at, source) SELECT number, ?, ?, 'echo' FROM numbers WHERE number_id = ?",
			e.Phone, at+withinSecond(e.MessageID), e.NumberID)
		if err != nil {
			return err
		}
		in.once(min(n, 1))
	}
	return nil
}

// withinSecond is a message's own place within a second.
func withinSecond(messageID string) ratelimit.Instant {
	h := uint64(14695981039346656037)
	for _, c := range []byte(messageID) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return ratelimit.Instant(h % uint64(time.Second))
}

func (in *ingest) orders(ctx context.Context, b feedback.Batch) error {
	for _, o := range b.Orders {
		n, err := in.q.exec(ctx, `INSERT OR IGNORE INTO orders (kind, account, number_id, display, template, language, value, code, reason, at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, string(o.Kind), orNull(o.Account), orNull(o.NumberID), orNull(o.Display), orNull(o.Template),
			orNull(o.Language), o.Value, o.Code, o.Reason, in.orNow(o.At))
		if err != nil {
			return err
		}
		in.once(n)
	}
	return nil
}

func (in *ingest) optOuts(ctx context.Context, b feedback.Batch) error {
	for _, o := range b.OptOuts {
		if _, err := phoneDigits(o.Person); err != nil {
			continue
		}
		if o.NumberID != "" {
			if err := in.known(ctx, o.NumberID); err != nil {
				return err
			}
		}
		n, err := in.optOut(ctx, o)
		if err != nil {
			return fmt.Errorf("opt-out: %w", err)
		}
		in.once(min(n, 1))
	}
	return nil
}

// optOut writes one opt-out, or its end. Of two the later one counts, whichever came first; of two at the same time the one that is more careful.
func (in *ingest) optOut(ctx context.Context, o feedback.OptOut) (int64, error) {
	phone, _ := phoneDigits(o.Person)
	at, bsuid := in.orNow(o.At), orNull(o.Person.BSUID)
	if phone.Valid {
		bsuid = nil // one person, one row
	}
	var until any
	if o.Resumed {
		until = at
	}
	const head = "INSERT INTO suppressions (phone, bsuid, number, scope, source, reason, at, until_at) "
	// What the user put on the list stays.
	const newer = " ON CONFLICT (" + onePerson + ") DO UPDATE SET suppression = " + latest + `, at = excluded.at, until_at = excluded.until_at, reason = excluded.reason
		WHERE (suppressions.source = 'inbound' OR suppressions.source = 'answer' AND suppressions.number IS NOT NULL)
		AND (excluded.at > suppressions.at OR excluded.at = suppressions.at AND excluded.until_at IS NULL AND suppressions.until_at IS NOT NULL)`
	if o.NumberID == "" {
		return in.q.exec(ctx, head+"VALUES (?, ?, NULL, ?, 'inbound', ?, ?, ?)"+newer, phone, bsuid, string(o.Scope), o.Reason, at, until)
	}
	return in.q.exec(ctx, head+"SELECT ?, ?, number, ?, 'inbound', ?, ?, ? FROM numbers WHERE number_id = ?"+newer, phone, bsuid, string(o.Scope),
		o.Reason, at, until, o.NumberID)
}

// onePerson is what the index of suppressions is made of.
const onePerson = "coalesce(phone, 0), coalesce(bsuid, ''), coalesce(number, 0), scope"

// latest is the place of an entry that was changed: behind all others, so that whoever listens hears of it.
const latest = "(SELECT max(suppression) + 1 FROM suppressions)"

// rest keeps what a code says of a step's person for other campaigns: that marketing was stopped, or is to rest for a while.
func rest(ctx context.Context, q *session, step int64, code int, at ratelimit.Instant) error {
	if feedback.StoppedMarketing(code) {
		_, err := q.exec(ctx, `INSERT INTO suppressions (phone, bsuid, number, scope, source, reason, at)
			SELECT phone, CASE WHEN phone IS NULL THEN bsuid END, number, 'marketing', 'answer', ?2, ?3 FROM steps WHERE step = ?1 AND coalesce(phone, bsuid) IS NOT NULL
			ON CONFLICT (`+onePerson+`) DO UPDATE SET suppression = `+latest+`, at = excluded.at, until_at = NULL, source = excluded.source, reason = excluded.reason
			WHERE suppressions.until_at <= excluded.at`, step, fmt.Sprint(code), at)
		return err
	}
	d := feedback.RestFor(code)
	if d == 0 {
		return nil
	}
	// For every number, since the platform counts what all businesses send to this person.
	_, err := q.exec(ctx, `INSERT INTO suppressions (phone, bsuid, scope, source, reason, at, until_at)
		SELECT phone, CASE WHEN phone IS NULL THEN bsuid END, 'marketing', 'answer', ?2, ?3, ?4 FROM steps WHERE step = ?1 AND coalesce(phone, bsuid) IS NOT NULL
		ON CONFLICT (`+onePerson+`) DO UPDATE SET suppression = `+latest+`, at = max(at, excluded.at), until_at = max(until_at, excluded.until_at)
		WHERE suppressions.until_at IS NOT NULL`, step, fmt.Sprint(code), at, at.Add(d))
	return err
}

// isStepID says whether a text can be the id of one of our steps.
func isStepID(s string) bool {
	return len(s) == 26 && strings.Trim(s, "0123456789abcdefghjkmnpqrstvwxyz") == ""
}

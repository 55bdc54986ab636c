package journal

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// What refuses a lease. Match with errors.Is; the error itself is an [InUseError].
var (
	ErrInUse        = errors.New("in use by another process")
	ErrOtherMachine = errors.New("held by another machine") // is ErrInUse too
)

// Claim is what a sender wants to hold alone: its campaign and its business numbers, all of them or nothing.
type Claim struct {
	Target   Target   // of the campaign; also the first number
	Campaign string   // name
	Numbers  []string // further business phone number ids with the target's provider and base URL
	TakeOver bool     // take what another machine holds; a living process on this machine is never robbed
}

// InUseError says who holds what was claimed. It matches [ErrInUse], and [ErrOtherMachine] when that is the reason.
type InUseError struct {
	What         string // `campaign "x"` or "number 1065…"
	Holder       Process
	Since        time.Time // zero when only known that it ran there
	OtherMachine bool
}

func (e *InUseError) Error() string {
	if e.OtherMachine {
		return fmt.Sprintf("%s was last run on another machine, %s, and has not finished there", e.What, cmp.Or(e.Holder.Host, e.Holder.Machine))
	}
	return fmt.Sprintf("%s is in use by process %d on %s since %s", e.What, e.Holder.PID, e.Holder.Host, e.Since.Local().Format("2006-01-02 15:04:05 MST"))
}

// Hint says what to do next.
func (e *InUseError) Hint() string {
	if e.OtherMachine {
		return "if nothing runs there any more, go on here with --take-over"
	}
	return "wait until it has ended, or end it; it leaves everything in order"
}

// Is matches ErrInUse and ErrOtherMachine.
func (e *InUseError) Is(target error) bool {
	return target == ErrInUse || e.OtherMachine && target == ErrOtherMachine
}

// Lease is the right to send: nobody else holds its campaign or its numbers. Its owner calls Beat every few seconds and Release at the end.
type Lease struct {
	s     *Store
	p     Process
	claim Claim
	keys  []leaseKey
	token string
}

type leaseKey struct{ kind, key, what string }

// keys are the rows that the claim takes, in an order that depends on nothing but the claim.
func (c Claim) keys() []leaseKey {
	at := c.Target.Provider + " " + c.Target.BaseURL + " "
	keys := []leaseKey{{"campaign", at + c.Target.NumberID + " " + c.Campaign, fmt.Sprintf("campaign %q", c.Campaign)}}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(append([]string{c.Target.NumberID}, c.Numbers...)))) {
		keys = append(keys, leaseKey{"number", at + id, "number " + id})
	}
	return keys
}

// Acquire takes all that claim names for p, or answers with an [InUseError] and takes nothing. Leases of dead processes are taken silently.
//
// The campaign need not exist yet: claim it, then look for it, then create it, and no second process can come between.
func (s *Store) Acquire(ctx context.Context, p Process, claim Claim) (*Lease, error) {
	l := &Lease{s: s, p: p, claim: claim, keys: claim.keys(), token: rand.Text()}
	err := s.write(ctx, "take the lease", func(ctx context.Context, q *session) error {
		if err := s.checkMark(ctx, q); err != nil {
			return err
		}
		if err := l.refuseCopy(ctx, q); err != nil {
			return err
		}
		for _, k := range l.keys {
			if err := l.take(ctx, q, k); err != nil {
				return err
			}
		}
		_, err := q.exec(ctx, `UPDATE campaigns SET machine = ?, host = ? WHERE name = ?
			AND target = (SELECT target FROM targets WHERE provider = ? AND base_url = ? AND number_id = ?)`,
			p.Machine, p.Host, claim.Campaign, claim.Target.Provider, claim.Target.BaseURL, claim.Target.NumberID)
		return err
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// refuseCopy refuses a state that was copied here while its campaign had not ended elsewhere: it would be sent twice.
func (l *Lease) refuseCopy(ctx context.Context, q *session) error {
	c, err := find(ctx, q, l.claim.Target, l.claim.Campaign)
	if errors.Is(err, sql.ErrNoRows) || err != nil {
		return ignore(err, sql.ErrNoRows)
	}
	if c.Status == StatusFinished || c.Machine == "" || c.Machine == l.p.Machine || l.claim.TakeOver {
		return nil
	}
	return &InUseError{What: l.keys[0].what, Holder: Process{Host: c.Host, Machine: c.Machine}, OtherMachine: true}
}

// take writes one row, unless somebody holds it.
func (l *Lease) take(ctx context.Context, q *session, k leaseKey) error {
	now := ratelimit.At(time.Now())
	h, since, beat, err := q.holder(ctx, k)
	if err == nil {
		is := l.p.judge(h, now.Sub(beat))
		if is == alive || is == foreign && !l.claim.TakeOver {
			return &InUseError{What: k.what, Holder: h, Since: since.Time(), OtherMachine: is == foreign}
		}
	} else if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	_, err = q.exec(ctx, `INSERT OR REPLACE INTO leases (kind, key, token, pid, started, space, host, machine, boot, since, beat_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		k.kind, k.key, l.token, l.p.PID, l.p.Started, l.p.Space, l.p.Host, l.p.Machine, l.p.Boot, now, now)
	return err
}

// Held says whether somebody may be sending a campaign now, seen from p: a process that lives here, or one on another machine, where nobody can look
// from here. It only looks, and takes nothing.
func (s *Store) Held(ctx context.Context, p Process, c Campaign) (held bool, err error) {
	k := Claim{Target: c.Target, Campaign: c.Name}.keys()[0]
	err = s.read(ctx, "look for the sender", func(ctx context.Context, q *session) error {
		h, _, beat, err := q.holder(ctx, k)
		if errors.Is(err, sql.ErrNoRows) {
			held = c.Machine != "" && c.Machine != p.Machine // a copy: it may go on where it came from
			return nil
		}
		held = err == nil && p.judge(h, ratelimit.At(time.Now()).Sub(beat)) != dead
		return err
	})
	return held, err
}

// holder is the row of a lease.
func (q *session) holder(ctx context.Context, k leaseKey) (h Process, since, beat ratelimit.Instant, err error) {
	err = q.one(ctx, "SELECT pid, started, space, host, machine, boot, since, beat_at FROM leases WHERE kind = ? AND key = ?",
		[]any{k.kind, k.key}, &h.PID, &h.Started, &h.Space, &h.Host, &h.Machine, &h.Boot, &since, &beat)
	return h, since, beat, err
}

// Beat tells others that the holder lives; it is for systems where they cannot look. [ErrLeaseLost] when the lease was taken away.
func (l *Lease) Beat(ctx context.Context) error {
	return l.s.write(ctx, "renew the lease", func(ctx context.Context, q *session) error {
		n, err := q.exec(ctx, "UPDATE leases SET beat_at = ? WHERE token = ?", ratelimit.At(time.Now()), l.token)
		if err == nil && int(n) != len(l.keys) {
			return ErrLeaseLost
		}
		return err
	})
}

// Release gives everything back. A lease that was lost is nothing to release.
func (l *Lease) Release(ctx context.Context) error {
	return l.s.write(ctx, "release the lease", func(ctx context.Context, q *session) error {
		_, err := q.exec(ctx, "DELETE FROM leases WHERE token = ?", l.token)
		return err
	})
}

// held is an error unless every row of the lease still bears its token.
func (l *Lease) held(ctx context.Context, q *session) error {
	var n int
	err := q.one(ctx, "SELECT count(*) FROM leases WHERE token = ?", []any{l.token}, &n)
	if err == nil && n != len(l.keys) {
		return ErrLeaseLost
	}
	return err
}

// ignore is err, or nil when it is known.
func ignore(err, known error) error {
	if errors.Is(err, known) {
		return nil
	}
	return err
}

package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// Target is where a campaign goes. Each target has its own campaigns and its own ledgers.
type Target struct {
	Provider string // "cloud", "sandbox", …
	BaseURL  string
	NumberID string // the business phone number's id
}

// Status is where a whole campaign stands.
type Status string

// The statuses of a campaign.
const (
	StatusPlanned  Status = "planned"  // nothing asked yet
	StatusRunning  Status = "running"  // being sent, or its sender was killed: [Store.Held] tells
	StatusStopped  Status = "stopped"  // ended with messages still pending
	StatusFinished Status = "finished" // nothing is pending any more
)

// Campaign is one row of the state: what was planned, and how far it is. (Target, Name) is its identity.
type Campaign struct {
	Target      Target
	Name        string
	UID         [16]byte // random, made by [NewUID] before the steps are: their ids contain it
	ListHash    string
	ContentHash string
	MappingHash string
	Skipped     map[string]int // rows left out, by rule
	Region      string
	Options     json.RawMessage // what the sender wants to remember; nil is null

	Messages int // steps that count plus skipped rows; set by Create and Update
	Status   Status
	Created  ratelimit.Instant
	Started  ratelimit.Instant // first run, 0 before
	Ended    ratelimit.Instant // last stop or end, 0 before
	Stopped  json.RawMessage   // why it stopped, nil while it did not
	Machine  string            // id of the machine that last held it
	Host     string

	row int64
}

// Planned is a step with what the journal keeps beside it.
type Planned = campaign.Planned

// NewUID is a random uid for a new campaign.
func NewUID() (uid [16]byte) {
	rand.Read(uid[:])
	return uid
}

// seqBits is how many bits of a step's key are its position; the rest is its campaign.
const seqBits = 32

// span is the first and last key of the campaign's steps.
func (c Campaign) span() (first, last int64) {
	return c.row << seqBits, (c.row+1)<<seqBits - 1
}

func (c Campaign) key(seq int) int64 { return c.row<<seqBits | int64(seq) }

// skipped is how many rows were left out.
func (c Campaign) skipped() (n int) {
	for _, rows := range c.Skipped {
		n += rows
	}
	return n
}

const campaignColumns = `SELECT c.campaign, c.uid, t.provider, t.base_url, t.number_id, c.name, c.created_at, c.list_hash, c.content_hash,
	c.mapping_hash, c.skipped, c.messages, c.status, coalesce(c.started_at, 0), coalesce(c.finished_at, 0), c.stopped, c.machine, c.host,
	c.region, c.options FROM campaigns c JOIN targets t USING (target) `

func scanCampaign(scan func(...any) error) (c Campaign, err error) {
	var uid, skipped, options []byte
	var stopped sql.Null[[]byte]
	err = scan(&c.row, &uid, &c.Target.Provider, &c.Target.BaseURL, &c.Target.NumberID, &c.Name, &c.Created, &c.ListHash, &c.ContentHash,
		&c.MappingHash, &skipped, &c.Messages, &c.Status, &c.Started, &c.Ended, &stopped, &c.Machine, &c.Host, &c.Region, &options)
	if err != nil {
		return c, err
	}
	if copy(c.UID[:], uid) != len(c.UID) {
		return c, fmt.Errorf("campaign %q: %w: its uid has %d bytes", c.Name, ErrDamaged, len(uid))
	}
	c.Stopped, c.Options = stopped.V, options
	if err := json.Unmarshal(skipped, &c.Skipped); err != nil {
		return c, fmt.Errorf("campaign %q: %w: skipped: %w", c.Name, ErrDamaged, err)
	}
	return c, nil
}

// find is the campaign (t, name), with sql.ErrNoRows where there is none.
func find(ctx context.Context, q *session, t Target, name string) (c Campaign, err error) {
	args := []any{t.Provider, t.BaseURL, t.NumberID, name}
	rows := 0
	err = q.each(ctx, campaignColumns+"WHERE t.provider = ? AND t.base_url = ? AND t.number_id = ? AND c.name = ?", args,
		func(scan func(...any) error) (err error) {
			rows++
			c, err = scanCampaign(scan)
			return err
		})
	if err == nil && rows == 0 {
		err = sql.ErrNoRows
	}
	return c, err
}

// Find is the campaign with this target and name; false when there is none.
func (s *Store) Find(ctx context.Context, t Target, name string) (c Campaign, found bool, err error) {
	err = s.read(ctx, "find campaign", func(ctx context.Context, q *session) (err error) {
		c, err = find(ctx, q, t, name)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return c, false, nil
	}
	return c, err == nil, err
}

// List yields every campaign, oldest first.
func (s *Store) List(ctx context.Context) iter.Seq2[Campaign, error] {
	return func(yield func(Campaign, error) bool) {
		err := s.read(ctx, "list campaigns", func(ctx context.Context, q *session) error {
			return q.each(ctx, campaignColumns+"ORDER BY c.campaign", nil, func(scan func(...any) error) error {
				c, err := scanCampaign(scan)
				return yieldRow(yield, c, err)
			})
		})
		yieldError(yield, err)
	}
}

// Create writes c and all its steps in one transaction; their Seq must count up from 0. When (Target, Name) is there: [ErrExists].
func (s *Store) Create(ctx context.Context, c Campaign, steps iter.Seq2[Planned, error]) (Campaign, error) {
	var made Campaign
	err := s.write(ctx, fmt.Sprintf("create campaign %q", c.Name), func(ctx context.Context, q *session) error {
		if _, err := find(ctx, q, c.Target, c.Name); !errors.Is(err, sql.ErrNoRows) {
			return errors.Join(err, ErrExists)
		}
		if err := insertCampaign(ctx, q, &c); err != nil {
			return err
		}
		n, err := load(ctx, q, c, steps)
		if err != nil {
			return err
		}
		if err := describe(ctx, q, c, n); err != nil {
			return err
		}
		made, err = find(ctx, q, c.Target, c.Name)
		return err
	})
	if err != nil {
		return made, err
	}
	return made, s.settleLog(ctx)
}

// settleLog brings the whole log into the file. A large campaign leaves a large log, and the first messages would wait for the disk meanwhile.
func (s *Store) settleLog(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	_, err := s.writer.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return stateError(s.path, "bring the log into the file", err)
}

func insertCampaign(ctx context.Context, q *session, c *Campaign) error {
	var target int64
	err := q.one(ctx, `INSERT INTO targets (provider, base_url, number_id) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET number_id = excluded.number_id RETURNING target`,
		[]any{c.Target.Provider, c.Target.BaseURL, c.Target.NumberID}, &target)
	if err != nil {
		return err
	}
	return q.one(ctx, `INSERT INTO campaigns (uid, target, name, created_at, status, machine, host,
			list_hash, content_hash, mapping_hash, skipped, messages, region, options)
		VALUES (?, ?, ?, ?, 'planned', ?, ?, '', '', '', '{}', 0, '', 'null') RETURNING campaign`,
		[]any{c.UID[:], target, c.Name, ratelimit.At(time.Now()), c.Machine, c.Host}, &c.row)
}

// describe writes what c says of its file; steps is how many of them count.
func describe(ctx context.Context, q *session, c Campaign, steps int) error {
	skipped, err := json.Marshal(c.Skipped)
	if err != nil {
		return err
	}
	if c.Options == nil {
		c.Options = json.RawMessage("null")
	}
	_, err = q.exec(ctx, `UPDATE campaigns SET list_hash = ?, content_hash = ?, mapping_hash = ?, skipped = ?, messages = ?, region = ?, options = ?
		WHERE campaign = ?`, c.ListHash, c.ContentHash, c.MappingHash, string(skipped), steps+c.skipped(), c.Region, string(c.Options), c.row)
	return err
}

// errEnough ends a reading whose reader wants no more.
var errEnough = errors.New("enough")

// yieldRow hands one row on; errEnough when no more are wanted.
func yieldRow[T any](yield func(T, error) bool, v T, err error) error {
	if err == nil && !yield(v, nil) {
		return errEnough
	}
	return err
}

// yieldError ends a sequence with err, if there is one.
func yieldError[T any](yield func(T, error) bool, err error) {
	if err != nil && !errors.Is(err, errEnough) {
		var none T
		yield(none, err)
	}
}

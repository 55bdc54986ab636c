package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// Drift counts how a file differs from the campaign that was made of it: messages by what happened to them.
type Drift struct {
	New     int // in the file only
	Changed int // other text or sending number than before, whatever their state
	Gone    int // in the state only
	Same    int
}

// Any says whether anything differs.
func (d Drift) Any() bool { return d.New+d.Changed+d.Gone > 0 }

// Compare counts how steps differ from what c holds. Both are read once, in step; memory is one bit a message.
func (s *Store) Compare(ctx context.Context, c Campaign, steps iter.Seq2[Planned, error]) (d Drift, err error) {
	err = s.read(ctx, fmt.Sprintf("compare campaign %q", c.Name), func(ctx context.Context, q *session) error {
		m, err := newMatcher(ctx, q, c)
		if err != nil {
			return err
		}
		for p, err := range steps {
			if err != nil {
				return err
			}
			message, err := json.Marshal(p.Message)
			if err != nil {
				return err
			}
			old, err := m.find(ctx, p)
			if err != nil {
				return err
			}
			d.add(old, contentHash(p.NumberID, message))
		}
		d.Gone = m.listed - d.Changed - d.Same
		return nil
	})
	return d, err
}

// add counts one message of the file; old is what the state has of it.
func (d *Drift) add(old kept, content int64) {
	switch {
	case !old.listed:
		d.New++
	case old.content != content:
		d.Changed++
	default:
		d.Same++
	}
}

// kept is a step as the state has it; listed is false when the state does not have it, or had it taken off the list.
type kept struct {
	step    int64 // 0 when the state does not have it
	id      string
	content int64
	line    int
	inbound ratelimit.Instant
	state   campaign.State
	listed  bool
}

const keptColumns = "SELECT step, id, content, line, coalesce(last_inbound_at, 0), state, listed FROM steps "

func (k *kept) scan(scan func(...any) error) error {
	return scan(&k.step, &k.id, &k.content, &k.line, &k.inbound, &k.state, &k.listed)
}

// matcher finds the stored step for each message of a file. As long as both have the same order it reads ahead; elsewhere it looks up by id.
type matcher struct {
	q      *session
	first  int64 // first and last step of the campaign; what is added meanwhile comes later
	last   int64
	next   int64  // key from which to read ahead
	ahead  []kept // read and not yet matched, in order
	size   int    // rows to read ahead, from 1 after a jump up to readAhead
	listed int    // steps that the state has on its list
	seen   []uint64
	buffer []kept
}

const readAhead = 512

func newMatcher(ctx context.Context, q *session, c Campaign) (*matcher, error) {
	m := &matcher{q: q, size: readAhead}
	m.first, m.last = c.span()
	m.next = m.first
	err := q.one(ctx, "SELECT coalesce(sum(listed), 0), coalesce(max(step), ?1 - 1) FROM steps WHERE step BETWEEN ?1 AND ?2",
		[]any{m.first, m.last}, &m.listed, &m.last)
	m.seen = make([]uint64, (m.last-m.first)/64+1)
	return m, err
}

// find is what the state has of p. A message that comes twice is an error: it would be counted, and sent, twice.
func (m *matcher) find(ctx context.Context, p Planned) (kept, error) {
	k, err := m.head(ctx)
	if err != nil {
		return k, err
	}
	if k.id == p.ID {
		m.ahead = m.ahead[1:]
	} else if k, err = m.lookUp(ctx, p.ID); err != nil || k.step == 0 {
		return k, err
	}
	bit := k.step - m.first
	if m.seen[bit/64]&(1<<(bit%64)) != 0 {
		return k, fmt.Errorf("line %d: step %s comes twice", p.Line, p.ID)
	}
	m.seen[bit/64] |= 1 << (bit % 64)
	return k, nil
}

// head is the next listed step in order, without an id at the end.
func (m *matcher) head(ctx context.Context) (kept, error) {
	if len(m.ahead) > 0 {
		return m.ahead[0], nil
	}
	if m.next > m.last {
		return kept{}, nil
	}
	m.buffer = m.buffer[:0]
	err := m.q.each(ctx, keptColumns+"WHERE step BETWEEN ? AND ? AND listed = 1 ORDER BY step LIMIT ?", []any{m.next, m.last, m.size},
		func(scan func(...any) error) error {
			var k kept
			err := k.scan(scan)
			m.buffer = append(m.buffer, k)
			return err
		})
	m.ahead, m.next = m.buffer, m.last+1
	if err != nil || len(m.ahead) == 0 {
		return kept{}, err
	}
	m.next = m.ahead[len(m.ahead)-1].step + 1
	m.size = min(2*m.size, readAhead)
	return m.ahead[0], nil
}

// lookUp finds a step by its id and goes on reading behind it.
func (m *matcher) lookUp(ctx context.Context, id string) (k kept, err error) {
	err = k.scan(func(dest ...any) error {
		return m.q.one(ctx, keptColumns+"WHERE step = (SELECT step FROM step_ids WHERE id = ?) AND step BETWEEN ? AND ?", []any{id, m.first, m.last}, dest...)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return kept{}, nil
	}
	m.ahead, m.next, m.size = nil, k.step+1, 1
	return k, err
}

// unseen yields the keys of the listed steps that no message of the file matched.
func (m *matcher) unseen(ctx context.Context) iter.Seq2[kept, error] {
	return func(yield func(kept, error) bool) {
		m.ahead, m.next, m.size = nil, m.first, readAhead
		for {
			k, err := m.head(ctx)
			if err != nil || k.step == 0 {
				yieldError(yield, err)
				return
			}
			m.ahead = m.ahead[1:]
			bit := k.step - m.first
			if m.seen[bit/64]&(1<<(bit%64)) == 0 && !yield(k, nil) {
				return
			}
		}
	}
}

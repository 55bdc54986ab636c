package journal

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// planned is a Planned as it is stored.
type planned struct {
	Planned
	message string // JSON
	content int64  // hash of number and message
	number  int64  // row in numbers
	phone   sql.Null[int64]
}

// writer turns steps into rows. Rows wait in batches until flush.
type writer struct {
	q        *session
	c        Campaign
	numbers  map[string]int64 // by number id
	steps    *batch
	messages *batch
	ids      *batch
	unsorted []stepID // not in ids yet
}

// stepID is where a step with this id is.
type stepID struct {
	id  string
	key int64
}

// sortAtOnce is how many ids are sorted before they go in: with many, neighbours go to the same page. They take about 15 MB.
const sortAtOnce = 1 << 18

func newWriter(q *session, c Campaign) *writer {
	// OR FAIL: SQLite copies every page for a statement that may be undone alone; here the whole transaction goes.
	return &writer{q: q, c: c, numbers: map[string]int64{},
		steps: newBatch(`INSERT OR FAIL INTO steps (step, id, number, category, phone, bsuid, ordinal, line, content, last_inbound_at) VALUES `,
			"(?,?,?,?,?,?,?,?,?,?)", 10),
		messages: newBatch("INSERT OR FAIL INTO messages (step, message) VALUES ", "(?,?)", 2),
		ids:      newBatch("INSERT OR FAIL INTO step_ids (id, step) VALUES ", "(?,?)", 2)}
}

// stored works out what of p is stored.
func (w *writer) stored(ctx context.Context, p Planned) (planned, error) {
	r := planned{Planned: p}
	text, err := json.Marshal(p.Message)
	if err != nil {
		return r, err
	}
	r.message, r.content = string(text), contentHash(p.NumberID, text)
	if r.phone, err = phoneDigits(p.Recipient); err != nil {
		return r, err
	}
	r.number, err = w.number(ctx, p.NumberID)
	return r, err
}

// contentHash is the first 8 bytes of the SHA-256 of the sending number and the message: what --update compares.
func contentHash(numberID string, message []byte) int64 {
	h := sha256.New()
	h.Write([]byte(numberID))
	h.Write([]byte{0})
	h.Write(message)
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}

// phoneDigits is the phone as it is stored; a recipient needs a phone or a BSUID.
func phoneDigits(r campaign.Recipient) (sql.Null[int64], error) {
	if r.Phone == "" && r.BSUID != "" {
		return sql.Null[int64]{}, nil
	}
	digits, plus := strings.CutPrefix(r.Phone, "+")
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || !plus || len(digits) > 15 || digits[0] == '0' {
		return sql.Null[int64]{}, fmt.Errorf("recipient %q is no E.164 number", r.Phone)
	}
	return sql.Null[int64]{V: int64(n), Valid: true}, nil
}

func (w *writer) number(ctx context.Context, id string) (int64, error) {
	if n, ok := w.numbers[id]; ok {
		return n, nil
	}
	n, err := number(ctx, w.q, Target{w.c.Target.Provider, w.c.Target.BaseURL, id})
	w.numbers[id] = n
	return n, err
}

// number is the row of a sending number, made when missing.
func number(ctx context.Context, q *session, t Target) (n int64, err error) {
	err = q.one(ctx, `INSERT INTO numbers (provider, base_url, number_id) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET number_id = excluded.number_id RETURNING number`, []any{t.Provider, t.BaseURL, t.NumberID}, &n)
	return n, err
}

// insert adds p as the step at position seq.
func (w *writer) insert(ctx context.Context, p planned, seq int) error {
	key := w.c.key(seq)
	err := w.steps.add(ctx, w.q, key, p.ID, p.number, orNull(p.Category), p.phone, orNull(p.Recipient.BSUID), p.Ordinal, p.Line, p.content,
		orNull(p.LastInbound))
	if err != nil {
		return err
	}
	if err := w.messages.add(ctx, w.q, key, p.message); err != nil {
		return err
	}
	if w.unsorted = append(w.unsorted, stepID{p.ID, key}); len(w.unsorted) < sortAtOnce {
		return nil
	}
	return w.sortIDs(ctx)
}

// sortIDs writes the ids that were collected. An id that is there already is an error: its message would be sent twice.
func (w *writer) sortIDs(ctx context.Context) error {
	slices.SortFunc(w.unsorted, func(a, b stepID) int { return strings.Compare(a.id, b.id) })
	for _, s := range w.unsorted {
		if err := w.ids.add(ctx, w.q, s.id, s.key); err != nil {
			return err
		}
	}
	w.unsorted = w.unsorted[:0]
	return w.ids.flush(ctx, w.q)
}

// flush writes all that insert has kept back.
func (w *writer) flush(ctx context.Context) error {
	if err := w.steps.flush(ctx, w.q); err != nil {
		return err
	}
	if err := w.messages.flush(ctx, w.q); err != nil {
		return err
	}
	return w.sortIDs(ctx)
}

// load inserts all steps and returns how many they were.
func load(ctx context.Context, q *session, c Campaign, steps iter.Seq2[Planned, error]) (n int, err error) {
	w := newWriter(q, c)
	for p, err := range steps {
		if err != nil {
			return n, err
		}
		if p.Seq != n {
			return n, fmt.Errorf("line %d: step %s has position %d, expected %d", p.Line, p.ID, p.Seq, n)
		}
		row, err := w.stored(ctx, p)
		if err == nil {
			err = w.insert(ctx, row, n)
		}
		if err != nil {
			return n, fmt.Errorf("line %d: step %s: %w", p.Line, p.ID, err)
		}
		n++
	}
	return n, w.flush(ctx)
}

// orNull is v, or NULL for the zero value: what is unknown.
func orNull[T string | ratelimit.Instant](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

package journal

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// heard is how far a run has listened: the last row of each kind that its sender was told of.
type heard struct {
	status, control, order, suppression, inbound int64
	begun                                        ratelimit.Instant
	spent                                        map[echo]bool

	mu    sync.Mutex
	mine  []int64       // steps that the run's own commits put back
	again map[int64]int // step → attempts it had when it was handed back last
}

// echo is a message that others sent, as the sender was told of it.
type echo struct {
	recipient uint64
	at        ratelimit.Instant
}

// put keeps steps for the next [Run.News].
func (h *heard) put(steps []int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mine = append(h.mine, steps...)
}

// listen begins to listen: what is there already is no news to this run, except what [Store.Pending] and the ledgers tell it.
func (r *Run) listen(ctx context.Context, q *session) error {
	h := &r.heard
	h.again, h.spent = map[int64]int{}, map[echo]bool{}
	h.begun = ratelimit.At(time.Now())
	err := q.one(ctx, `SELECT (SELECT coalesce(max(status_row), 0) FROM statuses), (SELECT coalesce(max(control), 0) FROM controls),
		(SELECT coalesce(max(order_row), 0) FROM orders), (SELECT coalesce(max(suppression), 0) FROM suppressions),
		(SELECT coalesce(max(inbound_row), 0) FROM inbound)`, nil, &h.status, &h.control, &h.order, &h.suppression, &h.inbound)
	if err != nil {
		return err
	}
	var known campaign.News
	return r.spent(ctx, q, &known)
}

// News is what others wrote into the state since it was last asked, as far as this campaign is concerned. One goroutine asks, every 250 ms.
//
// Items are the steps that the sender was given when it began, in order of position: those are handed out again only after another attempt.
func (r *Run) News(ctx context.Context, items []campaign.Item) (n campaign.News, err error) {
	err = r.s.read(ctx, fmt.Sprintf("campaign %q: read orders", r.c.Name), func(ctx context.Context, q *session) error {
		n = campaign.News{}
		for _, part := range []func(context.Context, *session, *campaign.News) error{r.controls, r.orders, r.wrote, r.spent, r.left} {
			if err := part(ctx, q, &n); err != nil {
				return err
			}
		}
		return r.again(ctx, q, items, &n)
	})
	return n, err
}

// Control writes an order to whoever is sending c: kind "pause" with 1 or 0, or "rate" with messages a second. A send that begins later does not
// hear it.
func (s *Store) Control(ctx context.Context, c Campaign, kind string, value float64) error {
	return s.write(ctx, fmt.Sprintf("campaign %q: order", c.Name), func(ctx context.Context, q *session) error {
		_, err := q.exec(ctx, "INSERT INTO controls (campaign, kind, value, at) VALUES (?, ?, ?, ?)", c.row, kind, value, ratelimit.At(time.Now()))
		return err
	})
}

// controls reads what was ordered for this campaign by name; the newest of a kind holds.
func (r *Run) controls(ctx context.Context, q *session, n *campaign.News) error {
	h := &r.heard
	return q.each(ctx, "SELECT control, kind, coalesce(value, 0) FROM controls WHERE campaign = ? AND control > ? ORDER BY control", []any{r.c.row, h.control},
		func(scan func(...any) error) error {
			var kind string
			var value float64
			if err := scan(&h.control, &kind, &value); err != nil {
				return err
			}
			switch kind {
			case "pause":
				n.Pause = new(value != 0)
			case "rate":
				n.Pace = ratelimit.Pace(value * 1000)
			}
			return nil
		})
}

// oldOrders is how old an order may be that a send still obeys: a webhook may be repeated for a week.
const oldOrders = ratelimit.Instant(time.Hour)

// orders reads what the platform orders to the numbers and templates of this campaign.
func (r *Run) orders(ctx context.Context, q *session, n *campaign.News) error {
	const query = `SELECT order_row, kind, value, code, reason, coalesce(template, ''), coalesce(language, '') FROM orders o
		WHERE order_row > ?1 AND at >= ?2 AND EXISTS (SELECT 1 FROM numbers
			WHERE number IN (SELECT number FROM steps WHERE step = (SELECT min(step) FROM steps WHERE step BETWEEN ?3 AND ?4) UNION SELECT n.number FROM numbers n
				WHERE n.provider = ?5 AND n.base_url = ?6 AND n.number_id = ?7)
			AND (o.number_id IS NULL OR o.number_id = numbers.number_id) AND (o.account IS NULL OR numbers.account IS NULL OR o.account = numbers.account)
			AND (o.display IS NULL OR numbers.display IS NULL OR o.display = numbers.display))
		ORDER BY order_row`
	first, last := r.c.span()
	t := r.c.Target
	var stops []templateStop
	err := q.each(ctx, query, []any{r.heard.order, r.heard.begun - oldOrders, first, last, t.Provider, t.BaseURL, t.NumberID}, func(scan func(...any) error) error {
		var kind feedback.OrderKind
		var value, code int
		var s templateStop
		if err := scan(&r.heard.order, &kind, &value, &code, &s.why, &s.template, &s.language); err != nil {
			return err
		}
		switch s.code = code; kind {
		case feedback.OrderStop:
			stops = append(stops, s)
		case feedback.OrderLevel:
			n.Level = value
		case feedback.OrderTier:
			n.Tier = new(value)
		}
		return nil
	})
	for _, s := range stops {
		if err == nil && n.Stop == nil {
			n.Stop, err = r.stop(ctx, q, s)
		}
	}
	return err
}

// templateStop is an order to stop, of those who use a template, or of all where that is empty.
type templateStop struct {
	code                    int
	why, template, language string
}

// stop is the reason to stop, nil where no message that is still to go uses the template.
func (r *Run) stop(ctx context.Context, q *session, s templateStop) (*campaign.Stopped, error) {
	first, last := r.c.span()
	if s.template != "" {
		var used bool
		err := q.one(ctx, `SELECT EXISTS (SELECT 1 FROM messages JOIN steps USING (step) WHERE step BETWEEN ?1 AND ?2 AND state = 'pending'
			AND instr(message, ?3) > 0 AND (?4 = '' OR instr(message, ?4) > 0))`, []any{first, last, quoted(s.template), quotedOr(s.language)}, &used)
		if err != nil || !used {
			return nil, err
		}
	}
	return &campaign.Stopped{Code: s.code, Why: s.why, Harm: true, Resume: outcome.ForCode(s.code).Advice}, nil
}

// quoted is a text as it stands in a message's JSON.
func quoted(s string) string { return `"` + s + `"` }

func quotedOr(s string) string {
	if s == "" {
		return ""
	}
	return quoted(s)
}

// inboundOver is over how long the messages that people write are counted.
const inboundOver = 10 * time.Second

// wrote reads who wrote: each opens a service window, and counts to the throughput.
func (r *Run) wrote(ctx context.Context, q *session, n *campaign.News) error {
	h := &r.heard
	err := q.each(ctx, "SELECT inbound_row, coalesce(phone, 0), coalesce(bsuid, ''), at FROM inbound WHERE number_id = ? AND inbound_row > ? ORDER BY inbound_row",
		[]any{r.c.Target.NumberID, h.inbound}, func(scan func(...any) error) error {
			var phone uint64
			var bsuid string
			var at ratelimit.Instant
			err := scan(&h.inbound, &phone, &bsuid, &at)
			n.Wrote = append(n.Wrote, ratelimit.Message{Recipient: pair(phone, bsuid), OpenUntil: at + serviceWindow})
			return err
		})
	if err != nil {
		return err
	}
	n.InboundOver = inboundOver
	return q.one(ctx, "SELECT count(*) FROM inbound WHERE number_id = ? AND at > ?",
		[]any{r.c.Target.NumberID, ratelimit.At(time.Now()).Add(-inboundOver)}, &n.Inbound)
}

// spentFor is how far back echoes are looked for: a webhook may come late, and an older one binds nobody any more.
const spentFor = 10 * time.Minute

// spent reads what others sent from the number, each once.
func (r *Run) spent(ctx context.Context, q *session, n *campaign.News) error {
	t := r.c.Target
	n.Spent = map[uint64][]ratelimit.Instant{}
	return q.each(ctx, `SELECT phone, at FROM sightings WHERE number = (SELECT number FROM numbers WHERE provider = ? AND base_url = ? AND number_id = ?)
		AND at >= ? ORDER BY at, phone`, []any{t.Provider, t.BaseURL, t.NumberID, ratelimit.At(time.Now()).Add(-spentFor)}, func(scan func(...any) error) error {
		var e echo
		err := scan(&e.recipient, &e.at)
		if !r.heard.spent[e] {
			r.heard.spent[e] = true
			n.Spent[e.recipient] = append(n.Spent[e.recipient], e.at)
		}
		return err
	})
}

// left reads who opted out, by their own word, by an answer or by the user's.
func (r *Run) left(ctx context.Context, q *session, n *campaign.News) error {
	t := r.c.Target
	n.Left = map[uint64]bool{}
	return q.each(ctx, `SELECT suppression, coalesce(phone, 0), coalesce(bsuid, ''), scope FROM suppressions LEFT JOIN numbers USING (number)
		WHERE suppression > ? AND (number IS NULL OR provider = ? AND base_url = ?) AND coalesce(until_at > ?, 1) ORDER BY suppression`,
		[]any{r.heard.suppression, t.Provider, t.BaseURL, ratelimit.At(time.Now())}, func(scan func(...any) error) error {
			var phone uint64
			var bsuid, scope string
			err := scan(&r.heard.suppression, &phone, &bsuid, &scope)
			who := pair(phone, bsuid)
			earlier, known := n.Left[who]
			n.Left[who] = scope == string(feedback.Marketing) && (earlier || !known)
			return err
		})
}

// Withdraw takes pending steps off the campaign whose people opted out meanwhile; they count as rows left out by that rule. It says how many.
func (r *Run) Withdraw(ctx context.Context, seqs []int, rule string) (withdrawn int, err error) {
	err = r.write(ctx, "withdraw", func(ctx context.Context, q *session) error {
		withdrawn = 0
		for _, seq := range seqs {
			n, err := q.exec(ctx, `UPDATE steps SET listed = 0 WHERE step = ?1 AND state = 'pending' AND listed = 1
				AND NOT EXISTS (SELECT 1 FROM attempts WHERE step = ?1 AND class IS NULL)`, r.c.key(seq))
			if err == nil && n > 0 && !r.keep {
				_, err = q.exec(ctx, "DELETE FROM messages WHERE step = ?", r.c.key(seq))
			}
			if err != nil {
				return err
			}
			withdrawn += int(n)
		}
		c, err := find(ctx, q, r.c.Target, r.c.Name)
		if err != nil || withdrawn == 0 {
			return err
		}
		if c.Skipped == nil {
			c.Skipped = map[string]int{}
		}
		c.Skipped[rule] += withdrawn
		return recount(ctx, q, c)
	})
	return withdrawn, err
}

// again reads which steps are to go once more: the platform took them and failed them later.
func (r *Run) again(ctx context.Context, q *session, items []campaign.Item, n *campaign.News) error {
	first, last := r.c.span()
	h := &r.heard
	h.mu.Lock()
	steps := h.mine
	h.mine = nil
	h.mu.Unlock()
	err := q.each(ctx, "SELECT status_row, step FROM statuses WHERE status_row > ? AND status = 'failed' AND step BETWEEN ? AND ? ORDER BY status_row",
		[]any{h.status, first, last}, func(scan func(...any) error) error {
			var step int64
			err := scan(&h.status, &step)
			steps = append(steps, step)
			return err
		})
	slices.Sort(steps)
	for _, step := range slices.Compact(steps) {
		item, ok, goes := r.item(ctx, q, step)
		if goes != nil {
			return goes
		}
		if ok && h.again[step] < int(item.Attempts) && !queued(items, item) {
			h.again[step] = int(item.Attempts)
			n.Again = append(n.Again, item)
		}
	}
	return err
}

// queued says whether the sender has had this step in its queue since its last attempt.
func queued(items []campaign.Item, item campaign.Item) bool {
	i, found := slices.BinarySearchFunc(items, item, func(a, b campaign.Item) int { return int(int64(a.Seq) - int64(b.Seq)) })
	return found && items[i].Attempts == item.Attempts
}

// item is a pending step as the pacing loop takes it; not ok for one that is on its way, is not pending, or has no content any more.
func (r *Run) item(ctx context.Context, q *session, step int64) (item campaign.Item, ok bool, err error) {
	first, _ := r.c.span()
	err = q.each(ctx, `SELECT attempts, tries, coalesce(last_inbound_at, 0), coalesce(phone, 0), coalesce(bsuid, '') FROM steps
		WHERE step = ?1 AND state = 'pending' AND listed = 1 AND EXISTS (SELECT 1 FROM messages WHERE step = ?1)
		AND NOT EXISTS (SELECT 1 FROM attempts WHERE step = ?1 AND class IS NULL)`, []any{step}, func(scan func(...any) error) error {
		var attempts, tries int
		var inbound ratelimit.Instant
		var phone uint64
		var bsuid string
		err := scan(&attempts, &tries, &inbound, &phone, &bsuid)
		item.Seq, item.Recipient = uint32(step-first), pair(phone, bsuid)
		item.Attempts, item.Tries = uint16(attempts), uint8(min(tries, 255))
		if inbound != 0 {
			item.OpenUntil = inbound + serviceWindow
		}
		ok = true
		return err
	})
	return item, ok, err
}

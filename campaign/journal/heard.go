package journal

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/ratelimit"
)

// heard is how far a run has listened: the last row of each kind that its sender was told of.
type heard struct {
	numbers                             []string // that send, in the order in which the sender counts them
	status, order, suppression, inbound int64
	begun                               ratelimit.Instant
	afresh                              bool // the next sender has not heard who opted out and who wrote
	spent                               map[echo]bool

	mu    sync.Mutex
	mine  []int64       // steps that the run's own commits put back
	again map[int64]int // step → attempts it had when it was handed back last
}

// echo is a message that others sent, as the sender was told of it.
type echo struct {
	number    int
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
	h.again, h.spent, h.afresh = map[int64]int{}, map[echo]bool{}, true
	h.begun = ratelimit.At(time.Now())
	h.numbers = nil
	for _, id := range append([]string{r.c.Target.NumberID}, r.l.claim.Numbers...) {
		if slices.Contains(h.numbers, id) {
			continue
		}
		h.numbers = append(h.numbers, id)
		if _, err := number(ctx, q, r.target(len(h.numbers)-1)); err != nil {
			return err
		}
	}
	err := q.one(ctx, `SELECT (SELECT coalesce(max(status_row), 0) FROM statuses), (SELECT coalesce(max(order_row), 0) FROM orders)`, nil, &h.status, &h.order)
	if err != nil {
		return err
	}
	return r.spent(ctx, q, make([]campaign.NumberNews, len(h.numbers)))
}

// target is the number with this place among those that send.
func (r *Run) target(i int) Target {
	return Target{r.c.Target.Provider, r.c.Target.BaseURL, r.heard.numbers[i]}
}

// Afresh lets the next [Run.News] tell who opted out and who wrote before, for a sender that begins later in the same run.
func (r *Run) Afresh() { r.heard.afresh = true }

// News is what others wrote into the state since it was last asked, as far as this campaign is concerned. One goroutine asks, every 250 ms.
// What a person ordered is told each time, by whoever it was ordered and whenever.
//
// Items are the steps that the sender was given when it began, in order of position: those are handed out again only after another attempt.
func (r *Run) News(ctx context.Context, items []campaign.Item) (n campaign.News, err error) {
	op := fmt.Sprintf("campaign %q: read orders", r.c.Name)
	err = r.s.read(ctx, op, func(ctx context.Context, q *session) error {
		n = campaign.News{Numbers: make([]campaign.NumberNews, len(r.heard.numbers))}
		if r.heard.afresh {
			r.heard.suppression = 0
		}
		if err := ordered(ctx, q, r.c, &n); err != nil {
			return err
		}
		if err := r.orders(ctx, q, &n); err != nil {
			return err
		}
		for _, part := range []func(context.Context, *session, []campaign.NumberNews) error{r.portfolios, r.wrote, r.spent} {
			if err := part(ctx, q, n.Numbers); err != nil {
				return err
			}
		}
		if err := r.left(ctx, q, &n); err != nil {
			return err
		}
		return r.again(ctx, q, items, &n)
	})
	for i := range n.Numbers {
		if one := &n.Numbers[i]; err == nil && one.Tier != nil && *one.Tier > 0 {
			one.People, err = r.s.Counting(ctx, r.target(i), ratelimit.At(time.Now()))
		}
	}
	r.heard.afresh = r.heard.afresh && err != nil
	return n, err
}

// inboundOver is over how long the messages that people write are counted.
const inboundOver = 10 * time.Second

// portfolios reads whose messaging limit each number shares.
func (r *Run) portfolios(ctx context.Context, q *session, all []campaign.NumberNews) error {
	return r.numbered(ctx, q, "SELECT coalesce(portfolio, '') FROM numbers WHERE provider = ? AND base_url = ? AND number_id = ?",
		func(i int, scan func(...any) error) error { return scan(&all[i].Portfolio) })
}

// numbered asks once for each number, by its target and what else the query takes.
func (r *Run) numbered(ctx context.Context, q *session, query string, row func(i int, scan func(...any) error) error, more ...any) error {
	for i := range r.heard.numbers {
		t := r.target(i)
		err := q.each(ctx, query, append([]any{t.Provider, t.BaseURL, t.NumberID}, more...), func(scan func(...any) error) error { return row(i, scan) })
		if err != nil {
			return err
		}
	}
	return nil
}

// wrote reads who wrote: each opens a service window, and counts to the throughput. The first time, all whose windows are open are told.
func (r *Run) wrote(ctx context.Context, q *session, all []campaign.NumberNews) error {
	h, now := &r.heard, ratelimit.At(time.Now())
	tell := func(i int, phone uint64, bsuid string, at ratelimit.Instant) {
		all[i].Wrote = append(all[i].Wrote, ratelimit.Message{Recipient: pair(phone, bsuid), OpenUntil: at + serviceWindow})
	}
	if h.afresh {
		if err := q.one(ctx, "SELECT coalesce(max(inbound_row), 0) FROM inbound", nil, &h.inbound); err != nil {
			return err
		}
		for i, id := range h.numbers {
			err := q.each(ctx, "SELECT coalesce(phone, 0), coalesce(bsuid, ''), max(at) FROM inbound WHERE number_id = ? AND at > ? GROUP BY phone, bsuid ORDER BY max(at)",
				[]any{id, now - serviceWindow}, func(scan func(...any) error) error {
					var phone uint64
					var bsuid string
					var at ratelimit.Instant
					err := scan(&phone, &bsuid, &at)
					tell(i, phone, bsuid, at)
					return err
				})
			if err != nil {
				return err
			}
		}
	}
	err := q.each(ctx, "SELECT inbound_row, number_id, coalesce(phone, 0), coalesce(bsuid, ''), at FROM inbound NOT INDEXED WHERE inbound_row > ? ORDER BY inbound_row",
		[]any{h.inbound}, func(scan func(...any) error) error {
			var id, bsuid string
			var phone uint64
			var at ratelimit.Instant
			err := scan(&h.inbound, &id, &phone, &bsuid, &at)
			if i := slices.Index(h.numbers, id); i >= 0 {
				tell(i, phone, bsuid, at)
			}
			return err
		})
	for i, id := range h.numbers {
		if err == nil {
			all[i].InboundOver = inboundOver
			err = q.one(ctx, "SELECT count(*) FROM inbound WHERE number_id = ? AND at > ?", []any{id, now.Add(-inboundOver)}, &all[i].Inbound)
		}
	}
	return err
}

// spentFor is how far back echoes are looked for: a webhook may come late, and an older one binds nobody any more.
const spentFor = 10 * time.Minute

// spent reads what others sent from the numbers, each once.
func (r *Run) spent(ctx context.Context, q *session, all []campaign.NumberNews) error {
	const query = `SELECT phone, at FROM sightings WHERE number = (SELECT number FROM numbers WHERE provider = ? AND base_url = ? AND number_id = ?)
		AND at >= ? ORDER BY at, phone`
	return r.numbered(ctx, q, query, func(i int, scan func(...any) error) error {
		e := echo{number: i}
		err := scan(&e.recipient, &e.at)
		if !r.heard.spent[e] {
			r.heard.spent[e] = true
			if all[i].Spent == nil {
				all[i].Spent = map[uint64][]ratelimit.Instant{}
			}
			all[i].Spent[e.recipient] = append(all[i].Spent[e.recipient], e.at)
		}
		return err
	}, ratelimit.At(time.Now()).Add(-spentFor))
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
	err = q.each(ctx, `SELECT attempts, tries, coalesce(last_inbound_at, 0), coalesce(phone, 0), coalesce(bsuid, ''), number_id FROM steps JOIN numbers USING (number)
		WHERE step = ?1 AND state = 'pending' AND listed = 1 AND EXISTS (SELECT 1 FROM messages WHERE step = ?1)
		AND NOT EXISTS (SELECT 1 FROM attempts WHERE step = ?1 AND class IS NULL)`, []any{step}, func(scan func(...any) error) error {
		var attempts, tries int
		var inbound ratelimit.Instant
		var phone uint64
		var bsuid, number string
		err := scan(&attempts, &tries, &inbound, &phone, &bsuid, &number)
		i := slices.Index(r.heard.numbers, number)
		item.Number = uint16(max(i, 0))
		item.Seq, item.Recipient = uint32(step-first), pair(phone, bsuid)
		item.Attempts, item.Tries = uint16(attempts), uint8(min(tries, 255))
		if inbound != 0 {
			item.OpenUntil = inbound + serviceWindow
		}
		ok = i >= 0 // a number that does not send now sends it later
		return err
	})
	return item, ok, err
}

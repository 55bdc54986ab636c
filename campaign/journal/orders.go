package journal

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// The kinds of orders that a person gives.
const (
	orderPause = "pause" // 1: hold departures; 0: go on
	orderRate  = "rate"  // messages a second of each number
)

// Pause orders whoever is sending c, or sends it later, to hold all departures, or to go on. It holds until the next such order.
func (s *Store) Pause(ctx context.Context, c Campaign, on bool) error {
	value := 0.0
	if on {
		value = 1
	}
	return s.order(ctx, c, orderPause, value)
}

// Rate orders a pace of each number to whoever is sending c, or sends it later; 0: the one that the send is started with.
func (s *Store) Rate(ctx context.Context, c Campaign, p ratelimit.Pace) error {
	return s.order(ctx, c, orderRate, float64(p)/1000)
}

func (s *Store) order(ctx context.Context, c Campaign, kind string, value float64) error {
	return s.write(ctx, fmt.Sprintf("campaign %q: order", c.Name), func(ctx context.Context, q *session) error {
		_, err := q.exec(ctx, "INSERT INTO controls (campaign, kind, value, at) VALUES (?, ?, ?, ?)", c.row, kind, value, ratelimit.At(time.Now()))
		return err
	})
}

// Ordered is what people ordered for a campaign and did not take back: a pause, and a pace.
func (s *Store) Ordered(ctx context.Context, c Campaign) (n campaign.News, err error) {
	err = s.read(ctx, fmt.Sprintf("campaign %q: read orders", c.Name), func(ctx context.Context, q *session) error { return ordered(ctx, q, c, &n) })
	return n, err
}

// ordered reads the newest order of each kind.
func ordered(ctx context.Context, q *session, c Campaign, n *campaign.News) error {
	return q.each(ctx, "SELECT kind, coalesce(value, 0), at FROM controls WHERE control IN (SELECT max(control) FROM controls WHERE campaign = ? GROUP BY kind)",
		[]any{c.row}, func(scan func(...any) error) error {
			var kind string
			var value float64
			var at ratelimit.Instant
			if err := scan(&kind, &value, &at); err != nil {
				return err
			}
			switch kind {
			case orderPause:
				n.Pause, n.PauseAt = new(value != 0), at
			case orderRate:
				n.Pace = new(ratelimit.Pace(math.Round(value * 1000)))
			}
			return nil
		})
}

// oldOrders is how old an order may be that a send still obeys: a webhook may be repeated for a week.
const oldOrders = ratelimit.Instant(time.Hour)

// orders reads what the platform orders to the numbers and templates of this campaign.
func (r *Run) orders(ctx context.Context, q *session, n *campaign.News) error {
	const query = `SELECT order_row, kind, value, code, reason, coalesce(template, ''), coalesce(language, ''), n.number_id FROM orders o JOIN numbers n
			ON n.provider = ?3 AND n.base_url = ?4 AND (o.number_id IS NULL OR o.number_id = n.number_id)
			AND (o.account IS NULL OR n.account IS NULL OR o.account = n.account) AND (o.display IS NULL OR n.display IS NULL OR o.display = n.display)
		WHERE order_row > ?1 AND at >= ?2 ORDER BY order_row, n.number`
	t := r.c.Target
	var stops []templateStop
	err := q.each(ctx, query, []any{r.heard.order, r.heard.begun - oldOrders, t.Provider, t.BaseURL}, func(scan func(...any) error) error {
		var kind feedback.OrderKind
		var value, code int
		var number string
		var s templateStop
		if err := scan(&r.heard.order, &kind, &value, &code, &s.why, &s.template, &s.language, &number); err != nil {
			return err
		}
		i := slices.Index(r.heard.numbers, number)
		if i < 0 {
			return nil
		}
		switch s.code = code; kind {
		case feedback.OrderStop:
			stops = append(stops, s)
		case feedback.OrderLevel:
			n.Numbers[i].Level = value
		case feedback.OrderTier:
			n.Numbers[i].Tier = new(value)
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

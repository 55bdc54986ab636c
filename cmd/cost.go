package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cost"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// costJSON is what a campaign costs by the prices of a file. Amounts are decimal numbers as text, so that no reader rounds them.
type costJSON struct {
	Currency  *string           `json:"currency"` // null: the file has several, or no message has a price
	Total     *string           `json:"total"`    // of what has a price
	Complete  bool              `json:"complete"` // everything has its price
	Priced    int               `json:"priced"`
	Free      int               `json:"free"`
	NotPriced int               `json:"not_priced"`
	Totals    []totalJSON       `json:"totals"` // by currency
	Markets   []marketJSON      `json:"markets"`
	Ignored   []ignoredRateJSON `json:"ignored_rates"`
	Notes     []string          `json:"notes"`
}

type totalJSON struct {
	Currency string `json:"currency"`
	Messages int    `json:"messages"`
	Amount   string `json:"amount"`
}

type marketJSON struct {
	Market   string  `json:"market"`
	Category *string `json:"category"` // null: not known
	Messages int     `json:"messages"`
	Free     int     `json:"free"`
	Price    *string `json:"price"` // null: not priced
	Currency *string `json:"currency"`
	Amount   *string `json:"amount"`
}

type ignoredRateJSON struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// departures shows when each message leaves, by the forecast that is shown.
func (d *dryRun) departures(watch func(at ratelimit.Instant, seq uint32)) {
	d.limits.Rehearse(d.load, d.forecast.Start, d.flags.latency, func(left campaign.Departure) { watch(left.At, left.Seq) })
}

// priced is what a bill is made of.
type priced struct {
	rates    *cost.Rates
	category string // of the template; empty: not known
	plan     *planned
	load     *campaign.Load
	limits   campaign.Limits
	start    ratelimit.Instant
	latency  time.Duration
}

// cost is the bill of what the forecast sends; nil without prices.
func (d *dryRun) cost() (*costJSON, error) {
	if d.flags.rates == "" {
		return nil, nil
	}
	rates, err := d.readRates(d.flags.rates)
	if err != nil {
		return nil, err
	}
	return priced{rates, d.flags.categoryOf(d.plan), d.plan, d.load, d.limits, d.forecast.Start, d.flags.latency}.cost(), nil
}

// cost is the bill of all messages, each at the price of the day on which it leaves.
func (p priced) cost() *costJSON {
	bill, service, items := cost.NewBill(p.rates), p.plan.service(), p.load.Items()
	p.limits.Rehearse(p.load, p.start, p.latency, func(left campaign.Departure) {
		at, _ := slices.BinarySearchFunc(items, left.Seq, func(i campaign.Item, seq uint32) int { return cmp.Compare(i.Seq, seq) })
		m := cost.Message{Recipient: items[at].Recipient, Category: p.category, At: left.At.Time(), Open: items[at].OpenUntil > left.At}
		if int(left.Seq) < len(service) && service[left.Seq] {
			m.Category = cost.Service
		}
		bill.Add(m)
	})
	c := newCost(bill)
	for _, i := range p.rates.Ignored {
		c.Ignored = append(c.Ignored, ignoredRateJSON(i))
	}
	return c
}

// service says of each message, by its place, whether it has no template.
func (p *planned) service() []bool {
	free := make([]bool, 0, p.Messages())
	p.Each(func(_ uint32, _ uint64, _ [16]byte, _ string, has bool) bool {
		free = append(free, has)
		return true
	})
	return free
}

func (a *app) readRates(path string) (*cost.Rates, error) {
	var in io.Reader = a.out.In
	if path != stdio {
		file, err := os.Open(path)
		if err != nil {
			return nil, unusable("name a file with the columns market, category, price, currency", "rates: %w", err)
		}
		defer file.Close()
		in = file
	}
	rates, err := cost.ReadRates(in)
	if e, ok := errors.AsType[*cost.RatesError](err); ok {
		return nil, &Fail{Exit: exitUnusable, Err: fmt.Errorf("rates %s: %w", path, err), Hint: e.Hint()}
	}
	if err != nil {
		return nil, unusable("name a file with the columns market, category, price, currency", "rates %s: %w", path, err)
	}
	return rates, nil
}

func newCost(bill *cost.Bill) *costJSON {
	c := &costJSON{Totals: []totalJSON{}, Markets: []marketJSON{}, Ignored: []ignoredRateJSON{}, Notes: bill.Notes()}
	if c.Notes == nil {
		c.Notes = []string{}
	}
	for _, l := range bill.Lines() {
		m := marketJSON{Market: l.Market, Category: known(l.Category), Messages: l.Messages, Free: l.Free}
		c.Free += l.Free
		if l.Price == nil {
			c.NotPriced += l.Charged()
		} else {
			c.Priced += l.Charged()
			m.Price, m.Currency, m.Amount = new(l.Price.String()), &l.Price.Currency, new(l.Price.Times(l.Charged()))
		}
		c.Markets = append(c.Markets, m)
	}
	for _, t := range bill.Totals() {
		c.Totals = append(c.Totals, totalJSON(t))
	}
	if len(c.Totals) == 1 {
		c.Currency, c.Total = &c.Totals[0].Currency, &c.Totals[0].Amount
	}
	c.Complete = c.NotPriced == 0
	return c
}

// notPriced stands for an amount that nobody knows.
const notPriced = "not priced"

// showCost writes the bill: a total for each currency, a table, and what may change it.
func (d *dryRun) showCost(c *costJSON) {
	if c == nil {
		return
	}
	out := d.out
	out.Line("")
	for _, t := range c.totals() {
		out.Heading("%s", t)
	}
	if !c.Complete {
		out.Line("%s", c.gap())
	}
	var rows [][]string
	for _, m := range c.Markets {
		row := []string{m.Market, "unknown", output.Count(m.Messages), output.Count(m.Free), notPriced, notPriced}
		if m.Category != nil {
			row[1] = *m.Category
		}
		if m.Price != nil {
			row[4], row[5] = *m.Price+" "+*m.Currency, *m.Amount+" "+*m.Currency
		} else if m.Free == m.Messages {
			row[4], row[5] = "-", "-"
		}
		rows = append(rows, row)
	}
	out.Table([]string{"market", "category", "messages", "free", "price", "amount"}, rows)
	for _, n := range c.Notes {
		d.paragraph("- "+n, "  ")
	}
}

// totals are the sums in words, one for each currency.
func (c *costJSON) totals() (words []string) {
	for _, t := range c.Totals {
		of := ""
		if !c.Complete {
			of = " for what has a price"
		}
		words = append(words, fmt.Sprintf("costs at most %s %s%s", t.Amount, t.Currency, of))
	}
	return words
}

// gap says how much is not priced, and what would have to be told.
func (c *costJSON) gap() string {
	why := "the file has no price for their market and category"
	if slices.ContainsFunc(c.Markets, func(m marketJSON) bool { return m.Category == nil }) {
		why = "the template's category is not known; --template-file or --category tells it"
	}
	return plural(c.NotPriced, "message is", "messages are") + " not priced: " + why
}

package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// history is what was sent before a forecast begins: told by flags, and found in the state for the numbers that are named.
type history struct {
	targets []journal.Target
	store   *journal.Store // nil without a number, or without a state

	count    int // people of whom only the number is told
	people   []journal.Contact
	inState  bool
	optedOut func(category string) (*normalize.Suppressions, error)
}

// openHistory reads --already-messaged and opens the state for reading. Nothing is written, and a state that does not exist is none.
func (f *dryRunFlags) openHistory(ctx context.Context, a *app, numbers []campaign.Number) (h *history, err error) {
	if h, err = f.told(a, f.already); err != nil {
		return nil, err
	}
	for _, n := range numbers {
		h.targets = append(h.targets, journal.Target{Provider: f.provider.value, BaseURL: strings.TrimRight(f.baseURL, "/"), NumberID: n.ID})
	}
	if len(h.targets) == 0 {
		return h, nil
	}
	path, err := statePath(f.state, h.targets[0])
	if err != nil {
		return nil, err
	}
	if h.store, err = journal.Open(ctx, path, journal.Options{ReadOnly: true}); errors.Is(err, journal.ErrMissing) {
		return h, nil
	}
	h.inState = err == nil
	return h, err
}

func (h *history) close() {
	if h.store != nil {
		h.store.Close()
	}
}

// told reads --already-messaged: how many people, or a list of them.
func (f *campaignFlags) told(a *app, already string) (h *history, err error) {
	h = &history{}
	if already == "" {
		return h, nil
	}
	if n, err := strconv.Atoi(already); err == nil {
		if h.count = n; n < 0 {
			return nil, unusable("give 0 or more, or a list of the people", "--already-messaged %d is negative", n)
		}
		return h, nil
	}
	var in io.Reader = a.out.In
	if already != stdio {
		file, err := os.Open(already)
		if err != nil {
			return nil, unusable("give a number of people, or a list of them", "--already-messaged: %w", err)
		}
		defer file.Close()
		in = file
	}
	list, err := normalize.Open(already, in, normalize.Options{Region: f.region})
	if err != nil {
		return nil, fmt.Errorf("--already-messaged: %w", listError(err))
	}
	defer list.Close()
	return h, h.read(list)
}

// notSent are the words of an outcome file for rows of which nothing has arrived.
var notSent = []string{"failed", "skipped", "pending"}

// read adds the people of a list. A column sent_at says when they were written to, else they count from the forecast's start; with a column
// status, as in the file of send --report, those count that were or may have been sent.
func (h *history) read(list *normalize.List) error {
	sentAt, hasTime := list.Column("sent_at")
	status, hasStatus := list.Column("status")
	for row, err := range list.Rows() {
		if err != nil {
			return listError(err)
		}
		cell := func(column int, has bool) string {
			if !has || column >= len(row.Fields) {
				return ""
			}
			return strings.TrimSpace(row.Fields[column])
		}
		if row.Number.Digits == 0 || slices.Contains(notSent, cell(status, hasStatus)) {
			continue
		}
		who := journal.Contact{Recipient: row.Number.Digits}
		if text := cell(sentAt, hasTime); text != "" {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return unusable("write it like 2026-12-01T09:00:00Z", "%s: line %d: sent_at %q is no time with a zone", list.Path, row.Line, text)
			}
			who.At = ratelimit.At(at)
		}
		h.people = append(h.people, who)
	}
	return nil
}

// optOuts are the people of the state who opted out; nil without a state.
func (h *history) optOuts(ctx context.Context, text string) func(category string) (*normalize.Suppressions, error) {
	if h.store == nil {
		return nil
	}
	return func(category string) (*normalize.Suppressions, error) {
		return optedOut(ctx, h.store, h.targets[0], text, category)
	}
}

// sends is the number that wrote to each person before; nil where that is not known.
func (h *history) sends(ctx context.Context) (func(uint64) string, error) {
	if h.store == nil || len(h.targets) < 2 {
		return nil, nil
	}
	by, err := h.store.PairNumbers(ctx, h.targets[0], journal.Campaign{})
	return func(recipient uint64) string { return by[recipient] }, err
}

// into adds the history to the limits that begin at start. Used counts the people of whom only the number is known.
func (h *history) into(ctx context.Context, l *campaign.Limits, start ratelimit.Instant) error {
	l.Used = h.count
	befores := make([]func(*ratelimit.Policy), max(len(h.targets), 1))
	for i := range befores {
		sent, people, err := h.ledger(ctx, i, start)
		if err != nil {
			return err
		}
		people = h.with(people, start)
		if len(sent)+len(people) > 0 {
			befores[i] = func(p *ratelimit.Policy) { remember(p, sent, people, start) }
		}
	}
	l.Before = befores[0]
	for i := range l.Numbers {
		l.Numbers[i].Before = befores[i]
	}
	return nil
}

// with are people of a ledger and those who were told, by when they were written to: at start, where nobody says when.
func (h *history) with(people []journal.Contact, start ratelimit.Instant) []journal.Contact {
	for _, who := range h.people {
		if who.At == 0 {
			who.At = start
		}
		people = append(people, who)
	}
	slices.SortStableFunc(people, func(a, b journal.Contact) int { return cmp.Compare(a.At, b.At) })
	return people
}

// ledger is what the state has of a number and of its portfolio.
func (h *history) ledger(ctx context.Context, i int, start ratelimit.Instant) (sent []journal.Departure, people []journal.Contact, err error) {
	if h.store == nil {
		return nil, nil, nil
	}
	if sent, err = h.store.PairLedger(ctx, h.targets[i], start.Add(-ledgerFor)); err != nil {
		return nil, nil, err
	}
	people, err = h.store.MessagingLedger(ctx, h.targets[i], start.Add(-ratelimit.MessagingWindow))
	return sent, people, err
}

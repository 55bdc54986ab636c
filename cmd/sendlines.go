package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// lineUp finds out which numbers send, and under which of them the campaign is known. The first is the campaign's own.
func (s *sending) lineUp(ctx context.Context) error {
	f := s.flags
	named, err := f.senders(s.app, s.command, numberWords{f.number, f.numberID, f.portfolio})
	if err != nil {
		return err
	}
	unnamed := namedNumber{Number: campaign.Number{Portfolio: f.portfolio, Throughput: s.limits.Number}, mps: f.mps, coexistence: f.coexistence}
	if s.lines, err = f.lines(s.app, s.command, named, unnamed); err != nil {
		return err
	}
	s.target = s.lines[0].target
	s.typed = s.ids()
	if err := s.comeHome(ctx); err != nil || len(s.lines) == 1 {
		return err
	}
	for _, l := range s.lines {
		s.limits.Numbers = append(s.limits.Numbers, l.Number)
	}
	f.numbers = s.limits.Numbers
	return nil
}

// comeHome puts the number first under which the campaign is known: named in another order, the numbers still send the same campaign. Some of its
// numbers alone do not, and would send everything anew: that is refused.
func (s *sending) comeHome(ctx context.Context) error {
	path, err := statePath(s.flags.state, s.target)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	store, err := journal.Open(ctx, path, journal.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	for i, l := range s.lines {
		c, found, err := store.Find(ctx, l.target, s.name)
		if err != nil {
			return err
		}
		if found {
			s.lines = slices.Concat(s.lines[i:i+1], s.lines[:i], s.lines[i+1:])
			s.target = l.target
			return s.knowPairs(ctx, store, c)
		}
	}
	for _, l := range s.lines {
		other, shared, err := store.SharedWith(ctx, l.target, s.name)
		if err != nil {
			return err
		}
		if shared {
			return unusable("name all of its numbers, "+other+" too, or give it another name with --campaign: its people would get everything again",
				"number %s sends a part of campaign %q, which is known under number %s", l.ID, s.name, other)
		}
	}
	return s.knowPairs(ctx, store, journal.Campaign{})
}

// knowPairs learns which of several numbers writes to whom: a pair stays on its number.
func (s *sending) knowPairs(ctx context.Context, store *journal.Store, c journal.Campaign) error {
	if len(s.lines) == 1 {
		return nil
	}
	by, err := store.PairNumbers(ctx, s.target, c)
	s.flags.sends = func(recipient uint64) string { return by[recipient] }
	return err
}

// throughputs lets do change what each number is paced by.
func (s *sending) throughputs(do func(l *line, t ratelimit.Throughput) ratelimit.Throughput) {
	for i := range s.lines {
		l := &s.lines[i]
		l.Throughput = do(l, l.Throughput)
		if len(s.limits.Numbers) > 0 {
			s.limits.Numbers[i].Throughput = l.Throughput
		} else {
			s.limits.Number = l.Throughput
		}
	}
}

// ids are the numbers' ids, as they were named.
func (s *sending) ids() []string {
	ids := make([]string, len(s.lines))
	for i, l := range s.lines {
		ids[i] = l.ID
	}
	return ids
}

// claim is what this run holds alone.
func (s *sending) claim() journal.Claim {
	return journal.Claim{Target: s.target, Campaign: s.name, Numbers: s.ids()[1:], TakeOver: s.flags.takeOver}
}

// assign finds out which of several numbers sends each step.
func (s *sending) assign(ctx context.Context) error {
	if len(s.lines) == 1 {
		return nil
	}
	if !s.found {
		s.by = make([]uint16, s.plan.Messages())
		for _, item := range s.plan.Items() {
			s.by[item.Seq] = item.Number
		}
		return nil
	}
	numbers, err := s.store.PendingNumbers(ctx, s.campaign)
	if err != nil {
		return err
	}
	last := uint32(0)
	for seq := range numbers {
		last = max(last, seq)
	}
	s.by = make([]uint16, last+1)
	for seq, id := range numbers {
		i := slices.IndexFunc(s.lines, func(l line) bool { return l.ID == id })
		if i < 0 {
			return unusable("name that number too, or run it with --update to give its messages to others",
				"campaign %q has messages that number %s is to send", s.name, id)
		}
		s.by[seq] = uint16(i)
	}
	return nil
}

// senderOf is the place among the numbers of the one that sends a step.
func (s *sending) senderOf(seq uint32) uint16 {
	if int(seq) < len(s.by) {
		return s.by[seq]
	}
	return 0
}

// where says where the campaign goes, for people.
func (s *sending) where() string {
	if len(s.lines) < 2 || s.flags.sandbox {
		return name(s.target)
	}
	return strings.Replace(name(s.target), "number "+s.target.NumberID, "numbers "+strings.Join(s.ids(), ", "), 1)
}

// recall gives the limits the history that the state has of each number and of its portfolio.
func (s *sending) recall(ctx context.Context) error {
	now := ratelimit.At(time.Now())
	s.slots, s.limits.Used = 0, s.before.count
	counted := map[string]bool{}
	for i, l := range s.lines {
		if l.Portfolio != "" {
			if err := s.store.SetPortfolio(ctx, l.target, l.Portfolio); err != nil {
				return err
			}
		}
		sent, err := s.store.PairLedger(ctx, l.target, now.Add(-ledgerFor))
		if err != nil {
			return err
		}
		var people []journal.Contact
		if s.tierOf(i) > 0 {
			if people, err = s.store.MessagingLedger(ctx, l.target, now.Add(-ratelimit.MessagingWindow)); err != nil {
				return err
			}
			people = s.before.with(people, now)
		}
		if !counted[l.Portfolio] {
			counted[l.Portfolio] = true
			s.slots += distinct(people) + s.before.count
		}
		before := func(p *ratelimit.Policy) { remember(p, sent, people, now) }
		if len(s.limits.Numbers) > 0 {
			s.limits.Numbers[i].Before = before
		} else {
			s.limits.Before = before
		}
	}
	return nil
}

// distinct is how many people were written to.
func distinct(people []journal.Contact) int {
	seen := make(map[uint64]struct{}, len(people))
	for _, who := range people {
		seen[who.Recipient] = struct{}{}
	}
	return len(seen)
}

// tierOf is the messaging limit of a number's portfolio, 0 for none that is known.
func (s *sending) tierOf(i int) int {
	if len(s.limits.Numbers) > 0 {
		return cmp.Or(s.limits.Numbers[i].Tier, s.limits.Tier)
	}
	return s.limits.Tier
}

// openWindows opens the service windows of people who wrote, by what webhooks told, where the list does not know of them.
func (s *sending) openWindows(ctx context.Context) error {
	for n, l := range s.lines {
		until, err := s.store.Windows(ctx, l.target, ratelimit.At(time.Now()))
		if err != nil {
			return err
		}
		for i := range s.pending {
			if w := &s.pending[i]; s.senderOf(w.Seq) == uint16(n) {
				w.OpenUntil = max(w.OpenUntil, until[w.Recipient])
			}
		}
	}
	return nil
}

// showNumbers tells what each of several numbers sends.
func (s *sending) showNumbers() {
	if len(s.lines) < 2 {
		return
	}
	messages := make([]int, len(s.lines))
	for _, w := range s.pending {
		messages[s.senderOf(w.Seq)]++
	}
	for i, l := range s.lines {
		s.out.Note("%s sends %s at %s", cmp.Or(l.Name, "number "+l.ID), plural(messages[i], "message", "messages"), l.Throughput.Pace)
	}
}

// fromWhom names the numbers in a question, few of them by their ids.
func (s *sending) fromWhom() string {
	switch n := len(s.lines); {
	case n == 1:
		return "number " + s.target.NumberID
	case n <= 3:
		return "numbers " + strings.Join(s.ids(), ", ")
	default:
		return fmt.Sprintf("%s numbers", output.Count(n))
	}
}

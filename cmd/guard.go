package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// guardFlags let a send begin small: with some people, with a few messages, or with a test number.
type guardFlags struct {
	only   []string
	canary int
	testTo string
	rows   int

	people map[uint64]bool // of only
	tester uint64          // of testTo; 0 without one
}

func (f *guardFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringSliceVar(&f.only, "only", nil, "send to these `NUMBER,…` of the list only; the others stay pending")
	flags.IntVar(&f.canary, "canary", 0, "send `N` messages, then hold and ask; with --yes go on if none of them failed or is uncertain")
	flags.StringVar(&f.testTo, "test-to", "", "send the list's first messages to this `NUMBER` instead; nothing is marked in the campaign")
	flags.IntVar(&f.rows, "rows", 1, "with --test-to: how many messages (`N`)")
}

// read makes numbers of what was typed, and refuses what cannot be meant together; given says whether a flag was set by anybody.
func (f *guardFlags) read(s *sendFlags, given func(flag string) bool) (err error) {
	f.people = map[uint64]bool{}
	for _, text := range f.only {
		n, err := onePhone(text, s.region)
		if err != nil {
			return fmt.Errorf("--only: %w", err)
		}
		f.people[n] = true
	}
	switch {
	case s.most == 0 && given("max"):
		return unusable("look at the plan with wactl dry-run, or leave --max out to send all", "--max 0 would send nothing")
	case f.canary == 0 && given("canary"):
		return unusable("give how many messages go first, or leave it out", "--canary 0 would hold before nothing")
	case f.canary < 0 || f.rows < 1:
		return unusable("give a whole number from 1", "--canary and --rows count messages")
	case len(f.only) > 0 && s.resendUncertain:
		return unusable("send again what is uncertain in a run of its own", "--resend-uncertain is for all people of a campaign, --only is not")
	case f.testTo == "" && given("rows"):
		return unusable("add --test-to NUMBER", "--rows says how many messages a test takes")
	case f.testTo == "":
		return nil
	case len(f.only) > 0 || f.canary > 0 || s.most > 0 || s.update || s.resendUncertain:
		return unusable("run the test without them", "--test-to marks nothing in the campaign: --only, --canary, --max, --update and --resend-uncertain are about it")
	}
	if f.tester, err = onePhone(f.testTo, s.region); err != nil {
		return fmt.Errorf("--test-to: %w", err)
	}
	return nil
}

// redirect makes a campaign of its own of the first messages, to the test number alone. Each test is another one, so that it can be repeated.
func (s *sending) redirect(now time.Time) error {
	f := &s.flags.guardFlags
	if f.tester == 0 || s.plan.Messages() == 0 {
		return nil
	}
	if where, out := s.plan.options.Suppressed.Find(normalize.Number{Digits: f.tester}); out {
		return unusable("take another number for the test", "--test-to %s: %s", e164(f.tester), normalize.Found(normalize.Suppressed, where).Message)
	}
	s.plan.Redirect(f.tester, f.rows)
	s.name += " test " + now.UTC().Format("2006-01-02T15:04:05.000Z")
	return nil
}

func e164(digits uint64) string { return "+" + strconv.FormatUint(digits, 10) }

// onlyKnown refuses people whom no message of the list is for: a number that was mistyped would else send nothing, and seem well.
func (s *sending) onlyKnown() error {
	if len(s.flags.people) == 0 {
		return nil
	}
	missing := map[uint64]bool{}
	for who := range s.flags.people {
		missing[who] = true
	}
	for _, item := range s.plan.Items() {
		delete(missing, item.Recipient)
	}
	var first uint64 // the least, whatever the order of the map
	for who := range missing {
		if first == 0 || who < first {
			first = who
		}
	}
	if first != 0 {
		return unusable("see `wactl lint` for the rows that are left out, and check the number", "--only: no message of the list goes to %s", e164(first))
	}
	return nil
}

// narrow leaves of what is pending what this run is to send.
func (s *sending) narrow() {
	if len(s.flags.people) > 0 {
		s.pending = slices.DeleteFunc(s.pending, func(w journal.Waiting) bool { return !s.flags.people[w.Recipient] })
	}
	if most := s.flags.most; most > 0 && len(s.pending) > most {
		s.pending = s.pending[:most]
	}
}

// part says that this run was to send a part of the campaign only.
func (f *sendFlags) part() bool { return f.most > 0 || len(f.people) > 0 }

// stages sends all items, or a few first and the rest when somebody says so.
func (s *sending) stages(ctx context.Context, items []campaign.Item) *campaign.Stopped {
	n := s.flags.canary
	if n == 0 || n >= len(items) {
		return s.stage(ctx, items, false)
	}
	before, err := s.store.Counts(ctx, s.campaign)
	if err != nil {
		return &campaign.Stopped{Why: err.Error(), Err: err, Resume: "mend it, then run the same command again"}
	}
	if stop := s.stage(ctx, items[:n], true); stop != nil {
		return stop
	}
	if stop := s.hold(ctx, before, items[n:]); stop != nil {
		return stop
	}
	return s.stage(ctx, items[n:], false)
}

// stage sends items. The limits are made anew for each stage, from what the state knows by then.
func (s *sending) stage(ctx context.Context, items []campaign.Item, part bool) *campaign.Stopped {
	sender, err := s.sender(ctx, part)
	if err != nil {
		return &campaign.Stopped{Why: err.Error(), Err: err, Resume: "mend it, then run the same command again"}
	}
	return s.deliver(ctx, sender, items)
}

// hold says whether to go on after the canary: nil, or why not.
func (s *sending) hold(ctx context.Context, before journal.Counts, rest []campaign.Item) *campaign.Stopped {
	after, err := s.store.Counts(ctx, s.campaign)
	if err != nil {
		return &campaign.Stopped{Why: err.Error(), Err: err, Resume: "mend it, then run the same command again"}
	}
	failed, uncertain := max(after.Failed-before.Failed, 0), max(after.Uncertain-before.Uncertain, 0)
	canary := fmt.Sprintf("canary: %s sent, %s failed, %s uncertain", output.Count(max(after.Sent+after.Held-before.Sent-before.Held, 0)),
		output.Count(failed), output.Count(uncertain))
	switch {
	case s.flags.yes && failed+uncertain == 0:
		s.out.Note("%s; going on with %s", canary, plural(len(rest), "message", "messages"))
		return nil
	case s.flags.yes:
		return &campaign.Stopped{Why: canary, Resume: "look at them with `wactl status --failed` and `--uncertain`, then run the same command again: it goes on behind them"}
	case !s.out.InTTY:
		return &campaign.Stopped{Why: canary + "; there is no terminal to ask whether to go on",
			Resume: "look at what arrived, then run the same command again without --canary, or with --yes; nobody gets anything twice"}
	}
	s.out.Note("%s; %s to %s left", canary, plural(len(rest), "message", "messages"), persons(peopleOf(rest)))
	err = s.out.ConfirmCount(ctx, "Go on with the rest?", peopleOf(rest))
	if err == nil {
		return nil
	}
	why := err.Error()
	if context.Cause(ctx) != nil && !errors.Is(err, output.ErrDeclined) {
		why = "interrupted"
	}
	return &campaign.Stopped{Why: canary + "; " + why, Resume: "run the same command again to go on, without --canary if the first messages were well"}
}

// peopleOf is how many persons items go to.
func peopleOf(items []campaign.Item) int {
	seen := make(map[uint64]struct{}, len(items))
	for _, item := range items {
		seen[item.Recipient] = struct{}{}
	}
	return len(seen)
}

// waits tells until when nothing leaves, and why.
func (s *sending) waits(until ratelimit.Instant, tier bool) {
	s.tally.wait(until)
	why := "nothing may leave now"
	if tier {
		why = "the messaging limit is used up"
	}
	s.out.Note("%s: waiting until %s; Ctrl-C ends it, and the same command goes on", why, s.out.Time(until.Time()))
}

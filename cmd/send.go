package cmd

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// sendFlags are the flags of send alone.
type sendFlags struct {
	campaignFlags
	targetFlags
	guardFlags
	toldFlags
	format *choice
	onTier *choice

	name            string
	most, stopAfter int
	yes, update     bool
	resendUncertain bool
	allowSkipped    bool
	takeOver        bool
	force           bool
	keepContent     bool
	report, log     string
	planFile        string
}

func newSend(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "send CAMPAIGN",
		Short: "Send a campaign: paced, resumable, never twice to the same person",
		Long: "Sends the messages of a campaign file, paced so that no limit is exceeded. It shows the plan and\n" +
			"asks before the first message. Run the same command again to go on after a stop: whoever was\n" +
			"written to gets nothing more. `wactl help campaign` tells what the file may hold, `wactl help sending`\n" +
			"how to steer a send that runs, and how several numbers share one.",
		Example: "  wactl send list.csv --text 'Oi {{nome}}!' --region BR --sandbox\n" +
			"  wactl send list.csv --template welcome --language pt_BR --param body.1=nome \\\n" +
			"      --region BR --phone-number-id 106540352242922",
		GroupID: groupCampaign,
		Args:    oneArg("a campaign file"),
	}
	f := &sendFlags{}
	f.campaignFlags.add(c)
	f.targetFlags.add(c)
	f.add(c)
	f.format = formatFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := f.prepare(a, c, args[0])
		if err != nil {
			return err
		}
		defer s.close()
		if err := s.open(c.Context()); err != nil {
			return err
		}
		if err := s.confirm(c.Context()); err != nil {
			return err
		}
		return s.run(c.Context())
	}
	return c
}

func (f *sendFlags) add(c *cobra.Command) {
	f.guardFlags.add(c)
	f.toldFlags.add(c)
	flags := c.Flags()
	flags.StringVar(&f.name, "campaign", "", "`NAME` of the campaign (default the file's name)")
	f.onTier = choiceFlag(c, "on-tier-limit", "when the messaging limit is used up", "stop", campaign.WaitOnTierLimit)
	flags.IntVar(&f.most, "max", 0, "send at most `N` messages now (default all)")
	flags.IntVar(&f.stopAfter, "stop-after", 20, "stop after `N` failures in a row")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	flags.BoolVar(&f.update, "update", false, "the list or the content changed on purpose: add new recipients, render pending messages anew")
	flags.BoolVar(&f.resendUncertain, "resend-uncertain", false, "send messages again whose answer never came; their people may get them twice")
	flags.BoolVar(&f.allowSkipped, "allow-skipped", false, "go on although over 20 % of the rows are left out")
	flags.BoolVar(&f.takeOver, "take-over", false, "go on with a campaign that another machine left")
	flags.BoolVar(&f.force, "force", false, "go on although preflight says stop; not with a refused token")
	flags.BoolVar(&f.keepContent, "keep-content", false, "keep the text of sent messages in the state")
	flags.StringVar(&f.report, "report", "", "write what became of every row to `FILE` (CSV)")
	flags.StringVar(&f.planFile, "plan", "", "send only what the plan in `FILE` approved; dry-run --plan makes one")
	flags.StringVar(&f.log, "log", "", "write each request and answer to `FILE` (one JSON object a line)")
}

// campaignName is the name asked for, or the file's.
func (f *sendFlags) campaignName(path string) (string, error) {
	if f.name != "" {
		return f.name, nil
	}
	if path == "-" {
		return "", unusable("give --campaign NAME: it is what a second run resumes", "a campaign from stdin has no name")
	}
	return filepath.Base(path), nil
}

// prepare reads flags and campaign file; nothing is opened for writing yet.
func (f *sendFlags) prepare(a *app, c *cobra.Command, path string) (*sending, error) {
	s := &sending{app: a, flags: f, command: c}
	var err error
	if s.name, err = f.campaignName(path); err != nil {
		return nil, err
	}
	if err := f.check(path); err != nil {
		return nil, err
	}
	given := func(flag string) bool { return a.origins.of(c.Flags().Lookup(flag)).level != fromDefault }
	if err := f.read(f, given); err != nil {
		return nil, err
	}
	if s.limits, _, err = f.limits(); err != nil {
		return nil, err
	}
	if err := s.lineUp(c.Context()); err != nil {
		return nil, err
	}
	if err := stdinOnce(slices.Concat(f.suppress, f.tokenFiles(s.app, s.command, s.lines), []string{path, f.planFile, f.already, f.rates})...); err != nil {
		return nil, err
	}
	if s.limits.Pair.Interval < ratelimit.PairInterval && !local(s.target) {
		return nil, unusable("leave it out: the platform holds each pair for 6s a message, and refuses what comes earlier (131056)",
			"--pair-interval %s is for the sandbox and for emulators on this machine only", s.limits.Pair.Interval)
	}
	f.optOuts = func(category string) (*normalize.Suppressions, error) {
		return f.known(c.Context(), s.target, category)
	}
	start, err := f.when.begins()
	if err != nil {
		return nil, err
	}
	if s.plan, err = f.plan(c.Context(), a, path, s.target.NumberID, start); err != nil {
		return nil, err
	}
	if err := s.asApproved(path); err != nil {
		return nil, err
	}
	if err := s.readTold(); err != nil {
		return nil, err
	}
	if err := errors.Join(s.redirect(time.Now()), s.onlyKnown()); err != nil {
		return nil, err
	}
	if err := s.enough(); err != nil {
		return nil, err
	}
	return s, f.connectAll(s.app, s.command, s.lines, s.limits, s.plan.Open)
}

// readTold reads what the flags tell beside list and state.
func (s *sending) readTold() (err error) {
	if s.flags.rates != "" {
		if s.rates, err = s.readRates(s.flags.rates); err != nil {
			return err
		}
	}
	s.before, err = s.flags.told(s.app, s.flags.already)
	return err
}

// check refuses flags that cannot be meant.
func (f *sendFlags) check(path string) error {
	switch {
	case f.most < 0 || f.stopAfter < 0:
		return unusable("give a whole number from 0", "--max and --stop-after count messages")
	case f.latency < 0:
		return unusable("give 0s or more", "--latency %s is negative", f.latency)
	case samePlace(path, f.report):
		return unusable("name another file with --report", "--report would overwrite the campaign file %s", path)
	case samePlace(path, f.log):
		return unusable("name another file with --log", "--log would write into the campaign file %s", path)
	case samePlace(f.report, f.log):
		return unusable("name another file with --log", "--report would overwrite the log %s", f.log)
	}
	return nil
}

// enough refuses a campaign without messages, and one that leaves out more than a fifth of its rows.
func (s *sending) enough() error {
	left := s.plan.Rows - s.plan.Messages()
	switch {
	case s.plan.Rows == 0:
		return unusable("a row below the header names a recipient", "the list has a header and no rows")
	case s.plan.Messages() == 0:
		s.showLeftOut()
		return unusable("see what is wrong with each row above", "no row of the list can be sent to")
	case !s.flags.allowSkipped && left*5 > s.plan.Rows:
		s.showLeftOut()
		return unusable("mend the list, or go on without them with --allow-skipped", "%s of %s rows are left out: over 20 %%", output.Count(left), output.Count(s.plan.Rows))
	}
	return nil
}

// confirm shows the plan and asks, where real people would be written to.
func (s *sending) confirm(ctx context.Context) error {
	if len(s.pending) == 0 {
		return nil
	}
	ask := !s.flags.yes && !s.flags.sandbox
	if ask && !s.out.InTTY {
		s.showPlan() // nobody can answer: what the platform would say can wait
		return output.ErrNoTerminal
	}
	if err := s.preflight(ctx); err != nil {
		return err
	}
	s.showPlan()
	s.showWarnings()
	if !ask {
		return nil
	}
	return s.out.ConfirmCount(ctx, question(s.target, s.fromWhom()), people(s.pending))
}

// question asks whether to send. It is short, so that it stands on one line, but names a host that is not the provider's own.
func question(t journal.Target, sender string) string {
	p, from := providerOf(t.Provider), "Send from "+sender
	if p.path != "" {
		from += " through " + p.title
	}
	if p.ownHost(t.BaseURL) {
		return from + "?"
	}
	host := t.BaseURL
	if u, err := url.Parse(t.BaseURL); err == nil {
		host = u.Host
	}
	if local(t) {
		return from + " to " + host + "?"
	}
	return from + " to " + host + ", which is not " + p.whose() + " own host?"
}

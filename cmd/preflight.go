package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/ratelimit"
)

// preflightRun is one run of preflight, with a campaign or without.
type preflightRun struct {
	*app
	campaignFlags
	targetFlags
	command *cobra.Command
	format  *choice
}

func newPreflight(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "preflight [CAMPAIGN]",
		Short: "Check token, number, template, media, payment and health before a send",
		Long: "Asks the platform about the number, and with a campaign file about its templates and media, and says\n" +
			"of each whether it is ok, a warning, a stop or unknown, and what to do. send does the same before its\n" +
			"first message, and does not start where something says stop. Nothing is sent.\n\n" +
			"Several numbers, --phone-number-id ID,ID or --number NAME,NAME, are looked at one after the other, and the\n" +
			"worst of them decides about the exit code. Their JSON is {version, verdict, numbers}: numbers has for each\n" +
			"what there is for one alone.",
		Example: "  wactl preflight --phone-number-id 106540352242922\n" +
			"  wactl preflight list.csv --template welcome --language pt_BR --param body.1=nome \\\n" +
			"      --region BR --phone-number-id 106540352242922",
		GroupID: groupCampaign,
		Args:    atMostOne,
	}
	f := &preflightRun{app: a, command: c}
	f.campaignFlags.add(c)
	f.targetFlags.add(c)
	f.format = formatFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error { return f.run(c.Context(), args) }
	return c
}

// run reads, judges and tells.
func (f *preflightRun) run(ctx context.Context, args []string) error {
	limits, lines, err := f.lineUp()
	if err != nil {
		return err
	}
	var plan *planned
	if len(args) > 0 {
		if err := f.readOnce(args[0], lines); err != nil {
			return err
		}
		if plan, err = f.plan(ctx, f.app, args[0], lines[0].ID, time.Now()); err != nil {
			return err
		}
		defer plan.attached.close()
	}
	if err := f.connectAll(f.app, f.command, lines, limits, 0); err != nil {
		return err
	}
	reports := make([]preflightReport, len(lines))
	for i, l := range lines {
		if reports[i], err = f.report(ctx, l, limits, plan); err != nil {
			return err
		}
	}
	worst := worstOf(reports)
	if err := f.show(f.format, published(reports, worst), func() { f.showReports(reports, worst) }); err != nil {
		return err
	}
	if worst == preflight.Stop {
		return ended(exitHarm)
	}
	return nil
}

// lineUp finds out which numbers are looked at, with the limits that a send from them would keep.
func (f *preflightRun) lineUp() (campaign.Limits, []line, error) {
	limits, _, err := f.limits()
	if err != nil {
		return limits, nil, err
	}
	named, err := f.senders(f.app, f.command, numberWords{f.number, f.numberID, f.portfolio})
	if err != nil {
		return limits, nil, err
	}
	unnamed := namedNumber{Number: campaign.Number{Portfolio: f.portfolio, Throughput: limits.Number}, mps: f.mps, coexistence: f.coexistence}
	lines, err := f.lines(f.app, f.command, named, unnamed)
	if len(lines) > 1 {
		for _, l := range lines {
			limits.Numbers = append(limits.Numbers, l.Number)
		}
		f.numbers = limits.Numbers
	}
	return limits, lines, err
}

// report is what preflight finds of one number.
func (f *preflightRun) report(ctx context.Context, l line, limits campaign.Limits, plan *planned) (preflightReport, error) {
	x, err := examine(ctx, l.reader, l.target, plan)
	if err != nil {
		return preflightReport{}, err
	}
	limits.Number = l.Throughput
	x.Asked = f.askedOf(l, limits)
	return newPreflightReport(l, x, f.adopt(l, limits, x.Number)), nil
}

// readOnce refuses to read stdin for campaign, opt-outs and token together.
func (f *preflightRun) readOnce(path string, lines []line) error {
	return stdinOnce(slices.Concat(f.suppress, f.tokenFiles(f.app, f.command, lines), []string{path})...)
}

// examine makes every reading that preflight judges; plan is nil without a campaign.
func examine(ctx context.Context, r *reader, target journal.Target, plan *planned) (x preflight.Readings, err error) {
	var c contents
	if plan != nil {
		if c, err = plan.content(); err != nil {
			return x, err
		}
	}
	if x, err = r.read(ctx, target.NumberID, c.uses); err != nil || plan == nil {
		return x, err
	}
	x.Campaign, x.Uses, x.Links = true, c.uses, c.links
	x.People, x.American = plan.Recipients, plan.Countries["US"]
	return x, plan.attached.lookAt(ctx, x.Links)
}

// askedOf is what was asked for one number, to be held against what it may do.
func (f *campaignFlags) askedOf(l line, limits campaign.Limits) preflight.Asked {
	a := preflight.Asked{Tier: limits.Tier, TierGiven: f.tier != ""}
	if l.mps != "" {
		a.Pace = l.Throughput.Pace
	}
	return a
}

// adopt takes the limits that the platform tells of a number for those that nothing says else about.
func (f *campaignFlags) adopt(l line, limits campaign.Limits, n preflight.Number) campaign.Limits {
	limits.Number = f.adoptPace(l.Throughput, l.mps, l.coexistence, n)
	if people, known := n.Tier(); known && f.tier == "" {
		limits.Tier = people
	}
	return limits
}

// adoptPace takes the level that the platform tells of a number, unless it is said to be used in the Business app, and its pace where none is asked.
func (f *campaignFlags) adoptPace(t ratelimit.Throughput, mps string, coexistence bool, n preflight.Number) ratelimit.Throughput {
	if level := n.MPS(); level > 0 && !coexistence {
		if t.Level = level; mps == "" {
			t.Pace = ratelimit.DefaultPace(level, f.reserve)
		}
	}
	return t
}

// preflight is the first thing of a send: it reads, takes the limits over, and keeps the send from starting where a check says stop.
func (s *sending) preflight(ctx context.Context) error {
	readings, err := s.examineAll(ctx)
	if err != nil {
		return err
	}
	for i, x := range readings {
		if err := s.stillApproved(s.lines[i].Throughput.Pace, x.Number); err != nil {
			return err
		}
	}
	s.checks = judgeAll(s.ids(), readings)
	s.adoptAll(readings)
	for _, c := range s.checks {
		if c.Verdict == preflight.Stop && (!s.flags.force || c.Check == checkToken) {
			return s.refuse(ctx, c)
		}
	}
	return s.recall(ctx)
}

// checkToken is the one check whose stop nobody can overrule: nothing can be sent.
const checkToken = "token"

// refuse ends a send before its first message, with the result that it would have had.
func (s *sending) refuse(ctx context.Context, c preflight.Check) error {
	s.showChecks(preflight.Stop)
	stop := &campaign.Stopped{Code: c.Code, Why: subject(c.Check, c.Item) + ": " + c.Detail, Resume: cmp.Or(c.Advice, "see `wactl preflight`"), Harm: true}
	n := journal.Counts{Messages: s.plan.Rows, Pending: s.plan.Messages(), Skipped: s.plan.Rows - s.plan.Messages()}
	if s.found {
		var err error
		if n, err = s.store.Counts(ctx, s.campaign); err != nil {
			return errors.Join(err, stopped(stop))
		}
	} else {
		s.campaign.Skipped = s.plan.Skipped
	}
	r := newSendReport(s.campaign, n)
	r.Stopped = stopReport(stop)
	if err := s.show(s.flags.format, r, func() {}); err != nil {
		return err
	}
	return stopped(stop)
}

// showChecks tells what preflight found of one kind.
func (s *sending) showChecks(v preflight.Verdict) {
	for _, c := range s.checks {
		if c.Verdict != v {
			continue
		}
		s.out.Warn("preflight: %s: %s", subject(c.Check, c.Item), c.Detail)
		if c.Advice != "" {
			s.out.Hint("%s", c.Advice)
		}
	}
}

// showWarnings tells, with the plan, what preflight warns of, and what nobody knows before real people are written to.
func (s *sending) showWarnings() {
	if s.flags.force {
		s.showChecks(preflight.Stop)
	}
	s.showChecks(preflight.Warning)
	if s.flags.sandbox {
		return
	}
	seen := map[string]bool{}
	for _, c := range s.checks {
		if c.Verdict == preflight.Unknown && !seen[c.Detail] {
			seen[c.Detail] = true
			s.out.Note("preflight: %s is not known: %s", subject(c.Check, c.Item), c.Detail)
		}
	}
}

// subject is a check with its item in one word or two.
func subject(check, item string) string {
	if item == "" {
		return check
	}
	return check + " " + item
}

// preflightReport is the result of `wactl preflight`, as published.
type preflightReport struct {
	Version int               `json:"version"`
	Target  string            `json:"target"`
	Verdict preflight.Verdict `json:"verdict"`
	Checks  []preflightCheck  `json:"checks"`
	Number  *numberJSON       `json:"number"` // null: it was not read
	Pace    float64           `json:"pace_mps"`
	Tier    *int              `json:"tier"` // what a send would keep; null: unlimited or unknown
	of      line
}

// preflightCheck is one check as published.
type preflightCheck struct {
	Check  string            `json:"check"`
	Item   *string           `json:"item"` // null: the whole of it
	Status preflight.Verdict `json:"status"`
	Code   *int              `json:"code"`
	Detail string            `json:"detail"`
	Advice *string           `json:"advice"`
}

func newPreflightReport(l line, x preflight.Readings, limits campaign.Limits) preflightReport {
	checks := preflight.Judge(x)
	r := preflightReport{Version: 1, Target: key(l.target), Verdict: preflight.Worst(checks), Checks: []preflightCheck{},
		Pace: float64(limits.Number.Pace) / 1000, Tier: known(limits.Tier), of: l}
	for _, c := range checks {
		r.Checks = append(r.Checks, preflightCheck{c.Check, known(c.Item), c.Verdict, known(c.Code), c.Detail, known(c.Advice)})
	}
	if x.NumberErr == nil {
		r.Number = new(newNumberJSON(x.Number))
	}
	return r
}

// preflightReports is the result of `wactl preflight` about several numbers, as published.
type preflightReports struct {
	Version int               `json:"version"`
	Verdict preflight.Verdict `json:"verdict"` // the worst of all
	Numbers []preflightReport `json:"numbers"`
}

// published is one report as it is, and several as a list.
func published(reports []preflightReport, worst preflight.Verdict) any {
	if len(reports) == 1 {
		return reports[0]
	}
	return preflightReports{1, worst, reports}
}

// worstOf is the gravest verdict of several reports.
func worstOf(reports []preflightReport) preflight.Verdict {
	all := make([]preflight.Check, len(reports))
	for i, r := range reports {
		all[i].Verdict = r.Verdict
	}
	return preflight.Worst(all)
}

// showReports tells of one number after the other, and of several the worst at the end.
func (f *preflightRun) showReports(reports []preflightReport, worst preflight.Verdict) {
	for i, r := range reports {
		if i > 0 {
			f.out.Line("")
		}
		f.showPreflight(r)
	}
	if len(reports) > 1 {
		f.out.Line("")
		f.out.Heading("All %d numbers: %s", len(reports), worst)
	}
}

func (f *preflightRun) showPreflight(r preflightReport) {
	place := name(r.of.target)
	if r.of.target.Provider == providerSandbox && r.of.target.NumberID != sandboxNumber {
		place = "number " + r.of.ID + " in " + place
	}
	f.out.Heading("Preflight of %s: %s", place, r.Verdict)
	var rows [][]string
	for _, c := range r.Checks {
		rows = append(rows, []string{string(c.Status), subject(c.Check, value(c.Item)), c.Detail})
	}
	f.out.Table([]string{"", "check", ""}, rows)
	for _, c := range r.Checks {
		if c.Status != preflight.OK && c.Advice != nil {
			f.out.Line("%s: %s", subject(c.Check, value(c.Item)), *c.Advice)
		}
	}
	tier := "no messaging limit is enforced"
	if r.Tier != nil {
		tier = fmt.Sprintf("at most %s in 24 hours", persons(*r.Tier))
	}
	f.out.Line("a send would go at %g messages per second, %s", r.Pace, tier)
}

// value is what a pointer leads to, or nothing.
func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

package cmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/forecast"
	"github.com/wactl/wactl/ratelimit"
)

// dryRunFlags are the flags of dry-run: those of a campaign, and what is known of numbers, of people and of prices.
type dryRunFlags struct {
	campaignFlags
	numberID, number, portfolio string
	provider                    *choice
	baseURL, state              string

	toldFlags

	latency  time.Duration
	planFile string
	preview  int
}

func newDryRun(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "dry-run CAMPAIGN",
		Short: "Show what a send would do: who gets what, how long it takes, what it costs, what is wrong",
		Long: "Turns the sender's own loop on a virtual clock: every request is accepted and answered after\n" +
			"--latency. Nothing is sent, and nothing is written but the plan that --plan asks for.\n" +
			"`wactl help dry-run` tells how to read it.",
		Example: "  wactl dry-run list.csv --text 'Oi {{nome}}!' --region BR\n" +
			"  wactl dry-run list.csv --template welcome --language pt_BR --param body.1=nome \\\n" +
			"      --region BR --tier 2000,10000 --mps 76,950 --rates rates.csv --plan plan.json",
		GroupID: groupCampaign,
		Args:    oneArg("a campaign file"),
	}
	var f dryRunFlags
	f.campaignFlags.add(c)
	f.add(c)
	format := formatFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		d, err := f.rehearse(a, c, args[0])
		if err != nil {
			return err
		}
		r, err := d.report()
		if err != nil {
			return err
		}
		if err := d.writePlan(); err != nil {
			return err
		}
		if err := a.show(format, r, func() { d.show(r) }); err != nil {
			return err
		}
		d.warn(r)
		return ended(r.exit())
	}
	return c
}

func (f *dryRunFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.Lookup("mps").Usage = "pace in messages per second (`N`), used as given (default 95 % of the number's level: 76); N,M,… compares"
	flags.Lookup("tier").Usage = "messaging limit, `250|2000|10000|100000|unlimited` people in 24 hours (default unknown: counted, not enforced); a list compares"
	severalFlag(c, &f.number, "number", "the number of a [numbers.`NAME`] table of the settings file; NAME,NAME,… share the messages")
	severalFlag(c, &f.numberID, "phone-number-id", "`ID` of the business phone number that sends; ID,ID,… share the messages")
	flags.StringVar(&f.portfolio, "portfolio", "", "`NAME` of the portfolio whose messaging limit the number shares with others")
	f.provider = choiceFlag(c, "provider", "whose API it is", "cloud")
	flags.StringVar(&f.baseURL, "base-url", cloudapi.DefaultBaseURL, "`URL` of the API, to find what was sent through it; it is not called")
	addStateFlag(c, &f.state)
	f.toldFlags.add(c)
	flags.DurationVar(&f.latency, "latency", 0, "how long an answer takes")
	flags.IntVar(&f.preview, "preview", 0, "show the first `N` messages: the exact JSON, and what a person sees")
	flags.StringVar(&f.planFile, "plan", "", "write the plan to `FILE`, for others to approve; send --plan FILE refuses anything else")
}

// dryRun is one dry-run: what it was asked with, and what came out.
type dryRun struct {
	*app
	flags    *dryRunFlags
	path     string
	limits   campaign.Limits // of the forecast that is shown
	numbers  []campaign.Number
	known    bool // the level of every number was told
	inState  bool // earlier sends were looked up
	start    time.Time
	plan     *planned
	load     *campaign.Load
	forecast forecast.Forecast
	whatIfs  []whatIf
}

// whatIf is one of several paces and messaging limits to compare.
type whatIf struct {
	mps, tier string // as asked; empty: the default
	limits    campaign.Limits
	forecast  forecast.Forecast
}

// rehearse reads everything and lets the sender's loop run.
func (f *dryRunFlags) rehearse(a *app, c *cobra.Command, path string) (*dryRun, error) {
	if f.latency < 0 || f.preview < 0 {
		return nil, unusable("give 0 or more", "--latency and --preview are not negative")
	}
	if f.planFile == stdio || samePlace(path, f.planFile) {
		return nil, unusable("name another file with --plan", "--plan %s is taken already", f.planFile)
	}
	d := &dryRun{app: a, flags: f, path: path}
	var err error
	if d.start, err = f.when.begins(); err != nil {
		return nil, err
	}
	if err := d.scenarios(c); err != nil {
		return nil, err
	}
	if err := d.read(c.Context()); err != nil {
		return nil, err
	}
	d.run()
	return d, nil
}

// scenarios are the limits of every pace and messaging limit that was asked for; the first is the one that is shown.
func (d *dryRun) scenarios(c *cobra.Command) error {
	for _, mps := range orDefault(listed(d.flags.mps)) {
		for _, tier := range orDefault(listed(d.flags.tier)) {
			one := *d.flags
			one.mps, one.tier = mps, tier
			l, known, err := one.limits()
			if err != nil {
				return err
			}
			named, err := one.senders(d.app, c, numberWords{one.number, one.numberID, one.portfolio})
			if err != nil {
				return err
			}
			numbers, told := numbersOf(named)
			switch len(numbers) {
			case 0:
			case 1:
				l.Number = numbers[0].Throughput
			default:
				l.Numbers, known = numbers, told
			}
			if len(d.whatIfs) == 0 {
				d.limits, d.known, d.numbers = l, known, numbers
			}
			d.whatIfs = append(d.whatIfs, whatIf{mps: mps, tier: tier, limits: l})
		}
	}
	return nil
}

func orDefault(list []string) []string {
	if len(list) == 0 {
		return []string{""}
	}
	return list
}

// read reads what was sent before, and the campaign.
func (d *dryRun) read(ctx context.Context) error {
	f := *d.flags
	f.mps, f.tier = d.whatIfs[0].mps, d.whatIfs[0].tier
	h, err := f.openHistory(ctx, d.app, d.numbers)
	if err != nil {
		return err
	}
	defer h.close()
	d.inState, f.optOuts, f.numbers = h.inState, h.optOuts(ctx, f.text), d.limits.Numbers
	f.noText, f.noHash = f.preview == 0, f.planFile == ""
	if f.sends, err = h.sends(ctx); err != nil {
		return err
	}
	numberID := ""
	if len(d.numbers) == 1 {
		numberID = d.numbers[0].ID
	}
	if d.plan, err = f.plan(ctx, d.app, d.path, numberID, d.start); err != nil {
		return err
	}
	for i := range d.whatIfs {
		if err := h.into(ctx, &d.whatIfs[i].limits, ratelimit.At(d.start)); err != nil {
			return err
		}
	}
	d.limits = d.whatIfs[0].limits
	return nil
}

// run forecasts every scenario.
func (d *dryRun) run() {
	all := make([]campaign.Limits, len(d.whatIfs))
	for i, w := range d.whatIfs {
		all[i] = w.limits
	}
	d.load = campaign.NewLoad(d.plan.Items())
	for i, f := range forecast.Compare(d.load, all, ratelimit.At(d.start), d.flags.latency) {
		d.whatIfs[i].forecast = f
	}
	d.forecast = d.whatIfs[0].forecast
}

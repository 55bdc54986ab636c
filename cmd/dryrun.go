package cmd

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/forecast"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

func newDryRun(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "dry-run CAMPAIGN",
		Short: "Show what a send would do: who gets what, how long it takes, which limit decides",
		Long: "Turns the sender's own loop on a virtual clock: every request is accepted and answered after\n" +
			"--latency. Nothing is sent and nothing is written.",
		Example: "  wactl dry-run list.csv --text 'Oi {{nome}}!' --region BR\n" +
			"  wactl dry-run list.csv --template welcome --language pt_BR --param body.1=nome \\\n" +
			"      --region BR --tier 2000 --format json",
		GroupID: groupCampaign,
		Args:    oneArg("a campaign file"),
	}
	var f campaignFlags
	f.add(c)
	latency := c.Flags().Duration("latency", 0, "how long an answer takes")
	start := c.Flags().String("start", "", "`TIME` of the first message, RFC 3339 (default now)")
	already := c.Flags().Int("already-messaged", 0, "`N` people of the messaging limit are used at the start")
	format := formatFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		d := dryRun{app: a, latency: *latency}
		var err error
		if d.limits, d.known, err = f.limits(); err != nil {
			return err
		}
		d.tierKnown, d.coexistence = f.tier != "", f.coexistence
		if d.start, err = startTime(*start); err != nil {
			return err
		}
		if d.latency < 0 || *already < 0 {
			return unusable("give 0 or more", "--latency and --already-messaged are not negative")
		}
		d.limits.Used = *already
		if d.plan, err = f.plan(c.Context(), a, args[0], "", d.start); err != nil {
			return err
		}
		d.forecast = forecast.New(campaign.NewLoad(d.plan.Items()), d.limits, ratelimit.At(d.start), d.latency)
		r := d.report()
		if err := a.show(format, r, func() { d.showForecast(r) }); err != nil {
			return err
		}
		return ended(r.exit())
	}
	return c
}

func startTime(text string) (time.Time, error) {
	if text == "" {
		return time.Now(), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, unusable("write it like 2026-12-01T09:00:00-03:00", "--start %q is no time with a zone", text)
	}
	return t, nil
}

// dryRun is one dry-run: what it was asked with, and what came out.
type dryRun struct {
	*app
	limits      campaign.Limits
	known       bool // the number's level was told
	tierKnown   bool
	coexistence bool
	latency     time.Duration
	start       time.Time
	plan        *planned
	forecast    forecast.Forecast
}

// dryRunReport is the result of `wactl dry-run`, as published.
type dryRunReport struct {
	Version       int            `json:"version"`
	Messages      int            `json:"messages"`
	ToSend        int            `json:"to_send"`
	Recipients    int            `json:"recipients"`
	Countries     map[string]int `json:"countries"`
	Skipped       int            `json:"skipped"`
	SkippedByRule map[string]int `json:"skipped_by_rule"`
	StartsAt      string         `json:"starts_at"`
	FinishesAt    string         `json:"finishes_at"`
	Duration      float64        `json:"duration_s"`
	LowerBound    float64        `json:"lower_bound_s"`
	Binding       string         `json:"binding_limit"`
	Limits        []any          `json:"limits"`
	Windows       []windowJSON   `json:"windows"`
	Webhooks      webhooksJSON   `json:"webhooks"`
	Cost          *struct{}      `json:"cost"` // null: no prices are known
	Checklist     []check        `json:"checklist"`
	Notes         []noteJSON     `json:"notes"` // on the list as a whole
}

type pairJSON struct {
	Limit    ratelimit.Limit `json:"limit"`
	Interval float64         `json:"interval_s"`
	Burst    int             `json:"burst"`
	Adds     float64         `json:"adds_s"`
}

type throughputJSON struct {
	Limit ratelimit.Limit `json:"limit"`
	MPS   float64         `json:"mps"`
	Adds  float64         `json:"adds_s"`
}

type messagingJSON struct {
	Limit      ratelimit.Limit `json:"limit"`
	Recipients *int            `json:"recipients"` // null: unlimited or unknown
	Used       int             `json:"used_at_start"`
	Adds       float64         `json:"adds_s"`
}

type windowJSON struct {
	OpensAt    string `json:"opens_at"`
	Recipients int    `json:"recipients"`
}

type webhooksJSON struct {
	Status  float64  `json:"status_rps"`
	Inbound *float64 `json:"inbound_rps"` // null: unknown
}

// statusesPerMessage is how many status webhooks one message brings: sent, delivered, read. Source: Meta's throughput page.
const statusesPerMessage = 3

func (d dryRun) report() dryRunReport {
	f, mps := d.forecast, float64(d.limits.Number.Pace)/1000
	r := dryRunReport{Version: 1, Messages: d.plan.Rows, ToSend: d.plan.Messages(), Recipients: d.plan.Recipients, Countries: d.plan.Countries,
		Skipped: d.plan.Rows - d.plan.Messages(), SkippedByRule: d.plan.Skipped,
		StartsAt: output.Stamp(f.Start.Time()), FinishesAt: output.Stamp(f.Finish.Time()),
		Duration: output.Seconds(f.Duration()), LowerBound: output.Seconds(f.Lower), Binding: string(cmp.Or(f.Binding, ratelimit.LimitThroughput)),
		Limits: []any{
			pairJSON{ratelimit.LimitPair, output.Seconds(d.limits.Pair.Interval), d.limits.Pair.Burst, output.Seconds(f.PairAdds)},
			throughputJSON{ratelimit.LimitThroughput, mps, 0},
			messagingJSON{ratelimit.LimitMessaging, known(d.limits.Tier), d.limits.Used, output.Seconds(f.TierAdds)},
		},
		Windows: []windowJSON{}, Webhooks: webhooksJSON{Status: statusesPerMessage * mps}, Checklist: d.checklist(), Notes: notesJSON(d.plan.list)}
	for _, w := range f.Windows {
		if d.limits.Tier == 0 {
			w.Recipients = d.plan.Recipients
		}
		r.Windows = append(r.Windows, windowJSON{output.Stamp(w.Opens.Time()), w.Recipients})
	}
	return r
}

func (r dryRunReport) exit() int {
	for _, c := range r.Checklist {
		if c.OK != nil && !*c.OK {
			return exitProblems
		}
	}
	return exitDone
}

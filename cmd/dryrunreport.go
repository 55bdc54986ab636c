package cmd

import (
	"cmp"
	"fmt"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/forecast"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

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
	Cost          *costJSON      `json:"cost"` // null: no prices are known
	Checklist     []check        `json:"checklist"`
	Deadline      *string        `json:"deadline"` // null: none
	Missed        int            `json:"missed"`   // would leave after the deadline only
	Numbers       []senderJSON   `json:"numbers"`  // those that are named
	Timeline      timelineJSON   `json:"timeline"`
	WhatIfs       []whatIfJSON   `json:"what_ifs"`
	Preview       []previewJSON  `json:"preview"`
	Assumptions   []string       `json:"assumptions"`
	Notes         []noteJSON     `json:"notes"` // on the list as a whole
}

type pairJSON struct {
	Limit    ratelimit.Limit `json:"limit"`
	Interval float64         `json:"interval_s"`
	Burst    int             `json:"burst"`
	Adds     float64         `json:"adds_s"`
	Bubbles  int             `json:"bubbles"`
}

type throughputJSON struct {
	Limit ratelimit.Limit `json:"limit"`
	MPS   float64         `json:"mps"`
	Adds  float64         `json:"adds_s"`
}

type messagingJSON struct {
	Limit      ratelimit.Limit `json:"limit"`
	Recipients *int            `json:"recipients"` // of each portfolio; null: unlimited or unknown
	Used       int             `json:"used_at_start"`
	Adds       float64         `json:"adds_s"`
	Portfolios int             `json:"portfolios"`
}

type quietJSON struct {
	Limit ratelimit.Limit `json:"limit"`
	From  string          `json:"from"`
	To    string          `json:"to"`
	Adds  float64         `json:"adds_s"`
}

type windowJSON struct {
	OpensAt    string `json:"opens_at"`
	Recipients int    `json:"recipients"`
}

type webhooksJSON struct {
	Status  float64  `json:"status_rps"`
	Inbound *float64 `json:"inbound_rps"` // null: unknown
}

type senderJSON struct {
	ID        string  `json:"phone_number_id"`
	Name      *string `json:"name"`
	Portfolio *string `json:"portfolio"` // null: the one that numbers without a portfolio share
	MPS       float64 `json:"mps"`
	Level     int     `json:"level"`
	Messages  int     `json:"messages"`
}

// timelineJSON is the messages over time, in equal stretches; those without any are left out.
type timelineJSON struct {
	Width     float64       `json:"width_s"`
	Stretches []stretchJSON `json:"stretches"`
}

type stretchJSON struct {
	From     string `json:"from"`
	Messages int    `json:"messages"`
}

type whatIfJSON struct {
	MPS        float64 `json:"mps"`
	Tier       *int    `json:"tier"` // null: unlimited or unknown
	FinishesAt string  `json:"finishes_at"`
	Duration   float64 `json:"duration_s"`
	Binding    string  `json:"binding_limit"`
	Windows    int     `json:"windows"`
	Missed     int     `json:"missed"`
}

// report puts the forecast into its published form.
func (d *dryRun) report() (r dryRunReport, err error) {
	f := d.forecast
	r = dryRunReport{Version: 1, Messages: d.plan.Rows, ToSend: f.Messages, Recipients: d.plan.Recipients, Countries: d.plan.Countries,
		Skipped: d.plan.Rows - d.plan.Messages(), SkippedByRule: d.plan.Skipped,
		StartsAt: output.Stamp(f.Start.Time()), FinishesAt: output.Stamp(f.Finish.Time()),
		Duration: output.Seconds(f.Duration()), LowerBound: output.Seconds(f.Lower), Binding: binds(f),
		Limits: d.limitsJSON(), Windows: d.windows(), Webhooks: webhooksJSON{Status: rate(forecast.Webhooks(d.limits, 0))},
		Deadline: stampOrNull(d.limits.Deadline), Missed: len(f.Missed), Numbers: d.numbersJSON(),
		Timeline: newTimeline(f.Series), WhatIfs: d.whatIfsJSON(), Assumptions: d.assumptions(), Notes: notesJSON(d.plan.list)}
	if d.flags.reserve > 0 {
		r.Webhooks.Inbound = new(float64(d.flags.reserve))
	}
	if r.Cost, err = d.cost(); err != nil {
		return r, err
	}
	r.Checklist = d.checklist()
	r.Preview, err = d.previews()
	return r, err
}

func newTimeline(s forecast.Series) timelineJSON {
	t := timelineJSON{output.Seconds(s.Width), []stretchJSON{}}
	for i, n := range s.Counts {
		if n > 0 {
			t.Stretches = append(t.Stretches, stretchJSON{output.Stamp(s.From.Add(time.Duration(i) * s.Width).Time()), n})
		}
	}
	return t
}

// rate is a pace in messages per second.
func rate(p ratelimit.Pace) float64 { return float64(p) / 1000 }

// binds names the limit that sets the time; with nothing to send it is the pace, as ever.
func binds(f forecast.Forecast) string { return string(cmp.Or(f.Binding, ratelimit.LimitThroughput)) }

func stampOrNull(t ratelimit.Instant) *string {
	if t == 0 {
		return nil
	}
	return new(output.Stamp(t.Time()))
}

func (d *dryRun) limitsJSON() []any {
	f, l := d.forecast, d.limits
	all := []any{
		pairJSON{ratelimit.LimitPair, output.Seconds(l.Pair.Interval), l.Pair.Burst, output.Seconds(f.PairAdds), l.Pair.Bubbles},
		throughputJSON{ratelimit.LimitThroughput, rate(l.Pace()), 0},
		messagingJSON{ratelimit.LimitMessaging, known(l.Tier), d.used(), output.Seconds(f.TierAdds), len(portfolios(l))},
	}
	if !l.Quiet.None() {
		all = append(all, quietJSON{quiet.Limit, clockText(l.Quiet.From), clockText(l.Quiet.To), output.Seconds(f.QuietAdds)})
	}
	return all
}

// clockText is a time of the day, such as "21:00".
func clockText(sinceMidnight time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(sinceMidnight.Hours()), int(sinceMidnight.Minutes())%60)
}

// portfolios are those of the numbers, each once.
func portfolios(l campaign.Limits) map[string]bool {
	all := map[string]bool{}
	for _, n := range l.All() {
		all[n.Portfolio] = true
	}
	return all
}

// used is how many people count for the messaging limits when the send begins, of all portfolios together.
func (d *dryRun) used() (used int) {
	l := d.limits
	l.Tier = cmp.Or(l.Tier, 1) // so that people are counted although no limit is told
	seen := map[*ratelimit.Messaging]bool{}
	for _, p := range l.Policies(d.forecast.Start) {
		if !seen[p.Messaging] {
			seen[p.Messaging] = true
			used += p.Messaging.Used(d.forecast.Start)
		}
	}
	return used
}

func (d *dryRun) windows() []windowJSON {
	all := []windowJSON{}
	for _, w := range d.forecast.Windows {
		if d.limits.Tier == 0 {
			w.Recipients = d.plan.Recipients
		}
		all = append(all, windowJSON{output.Stamp(w.Opens.Time()), w.Recipients})
	}
	return all
}

func (d *dryRun) numbersJSON() []senderJSON {
	all := []senderJSON{}
	for i, n := range d.numbers {
		t := d.limits.All()[i].Throughput
		all = append(all, senderJSON{n.ID, known(n.Name), known(n.Portfolio), rate(t.Pace), t.Level, d.forecast.Shares[i]})
	}
	return all
}

func (d *dryRun) whatIfsJSON() []whatIfJSON {
	all := []whatIfJSON{}
	if len(d.whatIfs) == 1 {
		return all
	}
	for _, w := range d.whatIfs {
		f := w.forecast
		all = append(all, whatIfJSON{rate(w.limits.Pace()), known(w.limits.Tier), output.Stamp(f.Finish.Time()), output.Seconds(f.Duration()), binds(f),
			len(f.Windows), len(f.Missed)})
	}
	return all
}

// assumptions are what the finish time rests on.
func (d *dryRun) assumptions() []string {
	all := []string{"answers take " + answersIn(d.flags.latency), "nothing is refused, and nobody else uses the number"}
	switch {
	case d.inState:
		all = append(all, "earlier sends are those of the state")
	case d.flags.already == "":
		all = append(all, "nobody was written to in the last 24 hours")
	default:
		all = append(all, "earlier sends are those of --already-messaged")
	}
	if d.limits.Tier > 0 {
		all = append(all, "when the messaging limit is used up the send waits, as with --on-tier-limit wait")
	}
	if !d.limits.Quiet.None() {
		all = append(all, "people are where their area code says")
	}
	if d.limits.Pair.Bubbles > 1 {
		all = append(all, fmt.Sprintf("the platform gives credit for %d messages to one person at once, as it publishes", d.limits.Pair.Bubbles))
	}
	return all
}

func (r dryRunReport) exit() int {
	for _, c := range r.Checklist {
		if c.OK != nil && !*c.OK {
			return exitProblems
		}
	}
	return exitDone
}

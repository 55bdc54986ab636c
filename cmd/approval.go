package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/approval"
	"github.com/wactl/wactl/campaign/forecast"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// anyNumber stands in a plan for the number that sends, where it was made without one.
const anyNumber = "any"

// approvalOf is a campaign as others approve it: what would be sent, to whom, how fast. The forecast is added by whoever made one.
func (f *campaignFlags) approvalOf(path string, p *planned, l campaign.Limits, ids []string) approval.Plan {
	plan := approval.Plan{Campaign: output.Mask(filepath.Base(path)),
		List: approval.List{Hash: p.hashes.list, Rows: p.Rows, Messages: p.Messages(), Recipients: p.Recipients, Countries: p.Countries,
			Skipped: p.Skipped},
		Content: approval.Content{Mapping: p.hashes.mapping, Parts: f.parts(p)},
		Limits:  f.limitsInWords(l, ids)}
	return approval.New(plan, func(yield func(approval.Message) bool) {
		p.Each(func(_ uint32, recipient uint64, content [16]byte, number string, _ bool) bool {
			return yield(approval.Message{Recipient: recipient, Content: content, Number: number})
		})
	})
}

// parts are what the messages are made of, for reviewers: the text too, but no number that may stand in it.
func (f *campaignFlags) parts(p *planned) []string {
	parts := strings.Split(content(p.uses), ", ")
	for _, flag := range []struct{ name, value string }{{"template", f.template}, {"language", f.language}, {"text", f.text}} {
		if flag.value != "" {
			parts = append(parts, flag.name+": "+output.Mask(flag.value))
		}
	}
	return parts
}

func (f *campaignFlags) limitsInWords(l campaign.Limits, ids []string) map[string]string {
	words := map[string]string{
		"mps":         strings.TrimSuffix(l.Pace().String(), "/s"),
		"tier":        cmp.Or(f.tier, "unknown"),
		"bubbles":     fmt.Sprint(l.Pair.Bubbles),
		"pair":        fmt.Sprintf("1 message in %v", l.Pair.Interval),
		"quiet-hours": "none", "start": "none", "deadline": "none",
		"numbers": cmp.Or(strings.Join(ids, ","), anyNumber),
	}
	if !l.Quiet.None() {
		words["quiet-hours"] = clockText(l.Quiet.From) + "-" + clockText(l.Quiet.To)
	}
	for name, at := range map[string]ratelimit.Instant{"start": l.Start, "deadline": l.Deadline} {
		if at != 0 {
			words[name] = output.Stamp(at.Time())
		}
	}
	return words
}

// writePlan writes the plan that --plan asks for.
func (d *dryRun) writePlan() error {
	if d.flags.planFile == "" {
		return nil
	}
	ids := make([]string, len(d.numbers))
	for i, n := range d.numbers {
		ids[i] = n.ID
	}
	shown := *d.flags
	shown.mps, shown.tier = d.whatIfs[0].mps, d.whatIfs[0].tier
	p := shown.approvalOf(d.path, d.plan, d.limits, ids)
	f := d.forecast
	p.Forecast = approval.Forecast{Duration: output.Seconds(f.Duration()), Latency: output.Seconds(d.flags.latency), Binding: binds(f), Windows: len(f.Windows)}
	if d.limits.Start != 0 {
		p.Forecast.StartsAt, p.Forecast.FinishesAt = stampOrNull(f.Start), stampOrNull(f.Finish)
	}
	if err := d.writeFile(d.flags.planFile, p.Write); err != nil {
		return err
	}
	d.out.Note("the plan is in %s; send --plan %s sends this and nothing else", d.flags.planFile, d.flags.planFile)
	return nil
}

// readApproval reads the plan that --plan names.
func (a *app) readApproval(path string) (approval.Plan, error) {
	var in io.Reader = a.out.In
	if path != stdio {
		file, err := os.Open(path)
		if err != nil {
			return approval.Plan{}, unusable("make it with wactl dry-run --plan FILE", "plan: %w", err)
		}
		defer file.Close()
		in = file
	}
	p, err := approval.Read(in)
	if err != nil {
		return p, unusable("make it with wactl dry-run --plan FILE", "plan %s: %w", path, err)
	}
	return p, nil
}

// asApproved refuses to send anything but what --plan approved. Without --plan everything is.
func (s *sending) asApproved(path string) error {
	if s.flags.planFile == "" {
		return nil
	}
	approved, err := s.readApproval(s.flags.planFile)
	if err != nil {
		return err
	}
	now := s.flags.approvalOf(path, s.plan, s.limits, s.typed)
	if s.flags.sandbox || approved.Limits["numbers"] == anyNumber { // a rehearsal; or whichever number was meant
		now.Limits["numbers"] = approved.Limits["numbers"]
	}
	drifts := approved.Drift(now)
	if len(drifts) == 0 {
		s.approved = &approved
		return nil
	}
	var says []error
	for _, d := range drifts {
		says = append(says, fmt.Errorf("%s: %s", d.Part, d.Says))
	}
	hint := "undo the change, or have a new plan approved: wactl dry-run --plan " + s.flags.planFile
	if rule := normalize.Suppressed; approved.List.Hash == now.List.Hash && now.List.Skipped[rule] > approved.List.Skipped[rule] {
		hint += "; people have opted out since"
	}
	return unusable(hint, "it is not what plan %s approved, so nothing is sent\n%w", s.flags.planFile, errors.Join(says...))
}

// stillApproved refuses to go on with an approved plan where the platform tells limits that the plan does not keep.
func (s *sending) stillApproved(pace ratelimit.Pace, n preflight.Number) error {
	if s.approved == nil {
		return nil
	}
	const hint = "have a plan approved with these limits: wactl dry-run --mps and --tier say them"
	if mps := n.MPS(); mps > 0 && pace > ratelimit.PerSecond(mps) {
		return unusable(hint, "plan %s approved %s, and the number may send %d/s", s.flags.planFile, pace, mps)
	}
	people, known := n.Tier()
	below := s.limits.Tier > 0 && people < s.limits.Tier || s.limits.Tier == 0 && people < s.plan.Recipients
	if known && people > 0 && below {
		return unusable(hint, "plan %s was approved with the messaging limit %s, and the number's is %s in 24 hours",
			s.flags.planFile, s.approved.Limits["tier"], persons(people))
	}
	return nil
}

// forecastJSON is a plan's forecast beside what became of it.
type forecastJSON struct {
	Approved   float64  `json:"approved_duration_s"` // of the whole campaign, as the plan has it
	Messages   int      `json:"messages"`            // that this run set out to send
	Duration   float64  `json:"duration_s"`          // foreseen for them
	Actual     *float64 `json:"actual_s"`            // null: nothing was sent
	Difference *float64 `json:"difference_s"`        // actual less foreseen; null also where the run stopped early
}

// foresee forecasts what this run sets out to send, at the latency that the plan assumed.
func (s *sending) foresee(items []campaign.Item) {
	if s.approved == nil {
		return
	}
	latency := time.Duration(s.approved.Forecast.Latency * float64(time.Second))
	f := forecast.New(campaign.NewLoad(items), s.limits, ratelimit.At(time.Now()), latency)
	s.foreseen = &forecastJSON{Approved: s.approved.Forecast.Duration, Messages: f.Messages, Duration: output.Seconds(f.Duration())}
}

// actually adds what became of the forecast to it.
func (s *sending) actually(took *float64, stopped bool) *forecastJSON {
	f := s.foreseen
	if f == nil || took == nil {
		return f
	}
	if f.Actual = took; !stopped {
		f.Difference = new(output.Seconds(time.Duration((*took - f.Duration) * float64(time.Second))))
	}
	return f
}

// showForecast holds forecast and actual against each other, for people.
func (s *sending) showForecast(f *forecastJSON) {
	if f == nil || f.Actual == nil {
		return
	}
	text := fmt.Sprintf("the forecast for %s was %.1f s, and it took %.1f s", plural(f.Messages, "message", "messages"), f.Duration, *f.Actual)
	switch {
	case f.Difference == nil:
		text += " until it stopped"
	case f.Duration > 0:
		text += fmt.Sprintf(": %+.1f %%", 100**f.Difference/f.Duration)
	}
	s.out.Line("%s; the plan's, for the whole campaign, was %.1f s", text, f.Approved)
}

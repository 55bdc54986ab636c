package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	reports "github.com/wactl/wactl/campaign/report"

	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// show writes the forecast for people: the answer first, then what it rests on.
func (d *dryRun) show(r dryRunReport) {
	out := d.out
	out.Heading("%s to %s%s", plural(r.ToSend, "message", "messages"), persons(r.Recipients), countries(r.Countries))
	d.showFinish(r)
	out.Line("%s", d.decides(r))
	d.paragraph("content: "+content(d.plan.uses), "  ")
	d.paragraph("assuming that "+strings.Join(r.Assumptions, "; "), "  ")
	out.Line("")
	d.showLimits(r)
	d.showCountries(r)
	d.showNumbers(r)
	d.showWindows(r)
	d.showWhatIfs(r)
	d.showTimeline()
	d.showCost(r.Cost)
	d.showChecklist(r)
	d.showPreviews(r.Preview)
	d.app.showNotes(d.plan.list)
	d.app.showOddRows(d.plan.Plan)
	d.app.showLeftOut(d.plan.Plan, "mend them and run it again")
}

// showChecklist writes the checks, and below them who says that they matter.
func (d *dryRun) showChecklist(r dryRunReport) {
	var rows [][]string
	var sources []string
	from := map[string][]string{}
	for _, c := range r.Checklist {
		rows = append(rows, []string{mark(c.OK), c.Check, c.Detail})
		if from[c.Source] == nil {
			sources = append(sources, c.Source)
		}
		from[c.Source] = append(from[c.Source], c.Check)
	}
	d.out.Line("")
	d.out.Table([]string{"", "check", ""}, rows)
	d.out.Line("")
	for _, s := range sources {
		d.paragraph(fmt.Sprintf("source of %s: %s", strings.Join(from[s], ", "), s), "  ")
	}
}

func (d *dryRun) showFinish(r dryRunReport) {
	f, out := d.forecast, d.out
	d.paragraph(fmt.Sprintf("finishes %s, %s after the start at %s", out.Time(f.Finish.Time()), output.Duration(f.Duration()), out.Time(f.Start.Time())), "  ")
	if r.Missed > 0 {
		out.Line("%s not leave before the deadline at %s; all would take %s", plural(r.Missed, "message does", "messages do"),
			out.Time(d.limits.Deadline.Time()), output.Duration(f.Whole))
	}
}

// paragraph writes running text, on a terminal broken at spaces; further lines are indented.
func (a *app) paragraph(text, indent string) {
	if a.out.Width == 0 {
		a.out.Line("%s", text)
		return
	}
	for i, line := range fold(text, a.out.Width-len(indent)) {
		if i > 0 {
			line = indent + line
		}
		a.out.Line("%s", line)
	}
}

// warn says, in every format, what was probably not meant.
func (d *dryRun) warn(r dryRunReport) {
	for _, n := range d.limits.All() {
		d.warnSlow(n.Throughput.Pace)
	}
	if r.Cost == nil {
		return
	}
	for _, i := range r.Cost.Ignored {
		d.out.Warn("%s: line %d: %s, so the row prices nothing", d.flags.rates, i.Line, i.Why)
	}
}

// warnSlow warns of a number's pace that looks like the figure of a pair.
func (a *app) warnSlow(p ratelimit.Pace) {
	if p < ratelimit.PerSecond(1) {
		a.out.Warn("%s", slowNumber(p))
	}
}

func (d *dryRun) showLimits(r dryRunReport) {
	f := d.forecast
	rows := [][]string{
		{"pair", d.pair(), adds(f.PairAdds), binding(r, ratelimit.LimitPair)},
		{"throughput", d.limits.Pace().String(), "-", binding(r, ratelimit.LimitThroughput)},
		{"messaging", d.tier(), adds(f.TierAdds), binding(r, ratelimit.LimitMessaging)},
	}
	if q := d.limits.Quiet; !q.None() {
		rows = append(rows, []string{string(quiet.Limit), fmt.Sprintf("nothing from %s to %s of the recipient", clockText(q.From), clockText(q.To)),
			adds(f.QuietAdds), binding(r, quiet.Limit)})
	}
	d.out.Table([]string{"limit", "allows", "adds", ""}, rows)
}

func (d *dryRun) pair() string {
	p := d.limits.Pair
	if p.Bubbles > 1 {
		return fmt.Sprintf("%d messages at once to one person, then %.0f s for each", p.Bubbles, p.Interval.Seconds())
	}
	return fmt.Sprintf("1 message every %g s to one person", p.Interval.Seconds())
}

// fewCountries stand in the heading; more have a table.
const fewCountries = 6

func (d *dryRun) showCountries(r dryRunReport) {
	if len(r.Countries) <= fewCountries {
		return
	}
	var rows [][]string
	for name, n := range r.Countries {
		rows = append(rows, []string{name, output.Count(n)})
	}
	slices.SortFunc(rows, func(a, b []string) int {
		return cmp.Or(r.Countries[b[0]]-r.Countries[a[0]], cmp.Compare(a[0], b[0]))
	})
	d.out.Line("")
	d.out.Table([]string{"country", "people"}, rows)
}

func (d *dryRun) showNumbers(r dryRunReport) {
	if len(r.Numbers) < 2 {
		return
	}
	var rows [][]string
	for i, n := range r.Numbers {
		title, portfolio := n.ID, "shared"
		if n.Name != nil {
			title = *n.Name
		}
		if n.Portfolio != nil {
			portfolio = *n.Portfolio
		}
		rows = append(rows, []string{title, portfolio, d.limits.Numbers[i].Throughput.Pace.String(), output.Count(n.Messages)})
	}
	d.out.Line("")
	d.out.Table([]string{"number", "portfolio", "pace", "messages"}, rows)
}

// mostWindows is how many windows are listed one by one; JSON has them all.
const mostWindows = 10

func (d *dryRun) showWindows(r dryRunReport) {
	if len(r.Windows) < 2 || d.limits.Tier == 0 {
		return
	}
	var rows [][]string
	for i, w := range d.forecast.Windows {
		if i == mostWindows {
			rows = append(rows, []string{fmt.Sprintf("and %s more", output.Count(len(r.Windows)-i)), "-"})
			break
		}
		rows = append(rows, []string{d.out.Time(w.Opens.Time()), output.Count(w.Recipients)})
	}
	d.out.Line("")
	d.out.Table([]string{"window opens", "new people"}, rows)
}

func (d *dryRun) showWhatIfs(r dryRunReport) {
	if len(r.WhatIfs) == 0 {
		return
	}
	var rows [][]string
	for i, w := range d.whatIfs {
		tier := cmp.Or(w.tier, "unknown")
		rows = append(rows, []string{w.limits.Pace().String(), tier, output.Duration(w.forecast.Duration()), d.out.Time(w.forecast.Finish.Time()),
			r.WhatIfs[i].Binding, output.Count(len(w.forecast.Windows))})
	}
	d.out.Line("")
	d.out.Table([]string{"what if", "messaging", "takes", "finishes", "decides", "windows"}, rows)
}

// plainWidth is how wide a drawing is where there is no terminal.
const plainWidth = 80

// showTimeline draws the messages over time, with what happens when.
func (d *dryRun) showTimeline() {
	s := d.forecast.Series
	t := reports.Timeline{From: s.From.Time().In(d.out.Zone), Width: s.Width, Counts: s.Counts, Marks: d.marks()}
	width := d.out.Width
	if width == 0 {
		width = plainWidth
	}
	drawn := t.Draw(min(width, widestDrawing), !d.out.OutTTY)
	if len(drawn) == 0 {
		return
	}
	d.out.Line("")
	for _, line := range drawn {
		d.out.Line("%s", line)
	}
}

// widestDrawing is more than a drawing gains by.
const widestDrawing = 160

// marks are the windows of the messaging limit, the deadline, and the quiet hours of those who are most.
func (d *dryRun) marks() (marks []reports.Mark) {
	f := d.forecast
	if d.limits.Tier > 0 && len(f.Windows) > 1 {
		for _, w := range f.Windows {
			marks = append(marks, reports.Mark{At: w.Opens.Time(), Sign: 'w', Says: "a window of the messaging limit opens"})
		}
	}
	zones, zone := d.mostlyIn()
	if !d.limits.Quiet.None() && len(zones) > 0 {
		end := f.Series.From.Add(time.Duration(len(f.Series.Counts)) * f.Series.Width)
		for t := f.Series.From; t < end; {
			opens := d.limits.Quiet.Earliest(zones, t)
			if opens == ratelimit.Never {
				break
			}
			if opens > t {
				marks = append(marks, reports.Mark{At: t.Time(), To: opens.Time(), Sign: 'q', Says: "quiet hours in " + zone + ", where most people are"})
			}
			t = d.limits.Quiet.Closes(zones, opens)
		}
	}
	return marks
}

// mostlyIn are the zones in which most of the people may be, and the name of one of them.
func (d *dryRun) mostlyIn() (zones []*time.Location, name string) {
	if d.limits.Quiet.None() {
		return nil, ""
	}
	count := map[string]int{}
	for _, item := range d.load.Items() {
		z := quiet.Zones(item.Recipient)
		if len(z) == 0 {
			continue
		}
		key := z[0].String()
		count[key]++
		if n := count[key]; n > count[name] || n == count[name] && key < name {
			zones, name = z, key
		}
	}
	return zones, name
}

// decides names the limit that sets the time, in words.
func (d *dryRun) decides(r dryRunReport) string {
	words := map[string]string{
		string(ratelimit.LimitPair):       "one person gets several messages, and those are spaced",
		string(ratelimit.LimitThroughput): "the number's pace is " + d.limits.Pace().String(),
		string(ratelimit.LimitMessaging):  fmt.Sprintf("%s may be written to in 24 hours", persons(d.limits.Tier)),
		string(quiet.Limit):               "nobody is written to in their quiet hours",
	}
	if len(d.limits.Numbers) > 1 {
		words[string(ratelimit.LimitThroughput)] = fmt.Sprintf("the pace of %d numbers together is %s", len(d.limits.Numbers), d.limits.Pace())
	}
	if r.ToSend == 0 {
		return "nothing is sent, so no limit decides"
	}
	return fmt.Sprintf("the %s limit decides: %s", r.Binding, words[r.Binding])
}

func answersIn(d time.Duration) string {
	if d == 0 {
		return "no time"
	}
	return output.Duration(d)
}

func adds(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return output.Duration(d)
}

func binding(r dryRunReport, l ratelimit.Limit) string {
	if r.Binding == string(l) && r.ToSend > 0 {
		return "decides"
	}
	return ""
}

func (d *dryRun) tier() string {
	switch {
	case d.limits.Tier > 0 && len(portfolios(d.limits)) > 1:
		return fmt.Sprintf("%s people of each portfolio in 24 hours", output.Count(d.limits.Tier))
	case d.limits.Tier > 0:
		return output.Count(d.limits.Tier) + " people in 24 hours"
	case d.whatIfs[0].tier != "":
		return "unlimited"
	}
	return "unknown, not enforced"
}

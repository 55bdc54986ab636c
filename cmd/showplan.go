package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/forecast"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// showPlan tells, before anything leaves, what would leave. It goes to stderr: the result alone is on stdout.
func (s *sending) showPlan() {
	limits := s.ordered()
	load, now := campaign.NewLoad(s.items()), ratelimit.At(time.Now())
	f := forecast.New(load, limits, now, 0)
	s.expected = f.Duration()
	s.out.Note("campaign %s goes to %s", s.name, s.where())
	s.out.Note("%s", s.whom())
	s.out.Note("content: %s", content(s.plan.uses))
	s.showNumbers()
	s.out.Note("pace %s, takes %s, until about %s", limits.Pace(), roughly(f.Duration()), s.out.Time(f.Finish.Time()))
	if s.rates != nil {
		s.showPrice(priced{s.rates, s.flags.categoryOf(s.plan), s.plan, load, limits, f.Start, 0}.cost())
	}
	if len(f.Windows) > 1 || f.First.Sub(f.Start) >= time.Minute {
		s.out.Note("messaging limit: %s of %s people in 24 hours are used; %s", output.Count(s.slots), output.Count(s.limits.Tier), s.whenUsedUp())
	}
	if f.Start > ratelimit.At(time.Now()) {
		s.out.Note("nothing leaves before %s", s.out.Time(f.Start.Time()))
	}
	if missed := len(f.Missed); missed > 0 {
		s.out.Warn("%s not leave before the deadline at %s", plural(missed, "message does", "messages do"), s.out.Time(s.limits.Deadline.Time()))
	}
	s.warnSlow(limits.Pace())
	if n := s.plan.Unsure; n > 0 {
		s.out.Note("%s only people who wrote within 24 hours; a column last_inbound_at would tell",
			plural(n, "message of the list has no template and reaches", "messages of the list have no template and reach"))
	}
	if lost := s.lost(); lost != "" {
		s.out.Note("messages whose answer never comes will stay uncertain: %s", lost)
	}
	s.showOddRows(s.plan.Plan)
	s.showLeftOut()
}

// showPrice tells what this run costs.
func (s *sending) showPrice(c *costJSON) {
	for _, t := range c.totals() {
		s.out.Note("%s", t)
	}
	if !c.Complete {
		s.out.Note("%s", c.gap())
	}
}

// lost is why messages without an answer stay uncertain for good, empty where webhooks settle them.
func (s *sending) lost() string { return providerOf(s.flags.provider.value).lost }

// whenUsedUp says what happens once nobody new fits into the messaging limit.
func (s *sending) whenUsedUp() string {
	if s.flags.onTier.value == campaign.WaitOnTierLimit {
		return "when it is full, this run waits"
	}
	return "when it is full, this run stops, and the same command goes on a day later"
}

// whom tells how many messages go to how many people now, and what that is of the whole.
func (s *sending) whom() string {
	now, who := len(s.pending), people(s.pending)
	text := plural(now, "message", "messages") + " to " + persons(who)
	if who == s.plan.Recipients {
		text += countries(s.plan.Countries)
	}
	switch {
	case s.flags.tester != 0:
		text = fmt.Sprintf("a test: %s of the list to %s; nothing is marked in the campaign", plural(now, "message", "messages"), e164(s.flags.tester))
	case len(s.flags.people) > 0:
		text += fmt.Sprintf(", of %s in the campaign", output.Count(s.plan.Messages()))
	case !s.found && now < s.plan.Messages():
		text += fmt.Sprintf(", the first of %s", output.Count(s.plan.Messages()))
	case s.found && s.drift.Any():
		text += fmt.Sprintf(", resuming with %s new, %s changed, %s gone", output.Count(s.drift.New), output.Count(s.drift.Changed), output.Count(s.drift.Gone))
	case s.found:
		text += fmt.Sprintf(", resuming: the campaign has %s", output.Count(s.plan.Messages()))
	}
	return text
}

// plural is a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return output.Count(n) + " " + many
}

func persons(n int) string { return plural(n, "person", "people") }

// roughly is a duration that is a guess, so without tenths of a second.
func roughly(d time.Duration) string {
	if d < time.Second {
		return "less than a second"
	}
	if d < 10*time.Second {
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return output.Duration(d)
}

func countries(by map[string]int) string {
	if len(by) == 0 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		if by[a] != by[b] {
			return by[b] - by[a]
		}
		return strings.Compare(a, b)
	})
	const most = 6
	shown := make([]string, 0, most+1)
	for i, n := range names {
		if i == most {
			shown = append(shown, fmt.Sprintf("%d more", len(names)-most))
			break
		}
		shown = append(shown, n+" "+output.Count(by[n]))
	}
	return " (" + strings.Join(shown, ", ") + ")"
}

// content lists what the messages are made of, and the column of each part.
func content(uses []template.Use) string {
	parts := make([]string, len(uses))
	for i, u := range uses {
		switch {
		case u.Column != "":
			parts[i] = fmt.Sprintf("%s from column %q", u.Key, u.Column)
		case u.From == template.FromSet, u.From == template.FromDefault:
			parts[i] = fmt.Sprintf("%s from --%s", u.Key, u.From)
		case u.From == template.FromFlag && u.Key != "template": // --template or --template-file
			parts[i] = u.Key + " from --" + u.Key
		default:
			parts[i] = u.Key + " from a flag"
		}
	}
	return strings.Join(parts, ", ")
}

// mostShown is how many left-out rows are listed one by one.
const mostShown = 20

// showOddRows says what may be wrong with messages that go all the same.
func (a *app) showOddRows(p *campaign.Plan) {
	if len(p.Warnings) > 0 {
		a.out.Note("these go all the same, with a warning: %s", counted(p.Warnings))
	}
}

// showLeftOut says what is odd about the list as a whole, and which rows get no message and why.
func (s *sending) showLeftOut() {
	s.app.showNotes(s.plan.list)
	s.app.showLeftOut(s.plan.Plan, "--report FILE lists them all")
}

// showNotes warns of what may be wrong with a list as a whole. What is mere information stays in lint's report.
func (a *app) showNotes(l *normalize.List) {
	notes := slices.DeleteFunc(l.Notes(), func(f normalize.Finding) bool { return f.Severity == normalize.Info })
	for _, f := range notes[:min(len(notes), mostShown)] {
		where := l.Path
		if f.Line > 0 {
			where += ":" + strconv.Itoa(f.Line)
		}
		a.out.Warn("%s: %s: %s", where, f.Rule, f.Message)
	}
	if rest := len(notes) - mostShown; rest > 0 {
		a.out.Note("and %s more; wactl lint lists them all", output.Count(rest))
	}
}

// noteJSON is what may be worth knowing about a list as a whole, as published.
type noteJSON struct {
	Line     *int               `json:"line"` // null: the whole list
	Rule     string             `json:"rule"`
	Severity normalize.Severity `json:"severity"`
	Message  string             `json:"message"`
}

// notesJSON are all notes on a list, information too.
func notesJSON(l *normalize.List) []noteJSON {
	all := []noteJSON{}
	for _, f := range l.Notes() {
		all = append(all, noteJSON{known(f.Line), f.Rule, f.Severity, f.Message})
	}
	return all
}

func (a *app) showLeftOut(p *campaign.Plan, more string) {
	if len(p.LeftOut) == 0 {
		return
	}
	a.out.Warn("%s of %s left out: %s", output.Count(len(p.LeftOut)), plural(p.Rows, "row is", "rows are"), counted(p.Skipped))
	for _, l := range p.LeftOut[:min(len(p.LeftOut), mostShown)] {
		a.out.Note("line %d: %s: %s", l.Line, l.Rule, a.why(l))
	}
	if rest := len(p.LeftOut) - mostShown; rest > 0 {
		a.out.Note("and %s more; %s", output.Count(rest), more)
	}
}

// why is the reason for people, after the cell that it is about unless the words hold the cell already.
func (a *app) why(l campaign.LeftOut) string {
	cell, why := clip(l.Value), l.Why()
	if a.out.Options.Mask {
		// The cell is masked before it is quoted: an escape between its digits would hide the number from Mask.
		why = output.Mask(strings.ReplaceAll(why, strconv.Quote(cell), "the cell"))
		cell = output.MaskPhone(cell)
	}
	if quoted := strconv.Quote(cell); cell != "" && !strings.Contains(why, quoted) {
		return quoted + ": " + why
	}
	return why
}

// mostOfCell is how many characters of a cell are worth showing.
const mostOfCell = 40

func clip(cell string) string {
	if runes := []rune(cell); len(runes) > mostOfCell {
		return string(runes[:mostOfCell]) + "…"
	}
	return cell
}

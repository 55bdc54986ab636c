package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// view is all that the template shows, in words.
type view struct {
	Campaign, Target string
	Headline, Second string
	Stopped          string
	Facts            []fact
	Charts           []chart
	NoCharts         string
	PairText         string
	Forecast         []fact
	Parts            []part
	Failed, Refused  []codeRow
	Skipped          []fact
	Uncertain        string
	UncertainRows    []uncertainRow
	MoreUncertain    string
	Notes            []string
	Written          string
}

type fact struct{ Name, Text string }

// part is one outcome: its share of the bar, and what it means.
type part struct {
	Name, Class, Count, Share, Means string
}

type codeRow struct{ Code, Count, Meaning, Advice, Slower string }

type uncertainRow struct{ Line, Recipient, At string }

// viewOf puts what is known without looking at the course into words.
func viewOf(p Page) *view {
	n := p.Totals
	v := &view{Campaign: p.Campaign, Target: p.Target, Written: moment(p, p.Written)}
	v.Headline = fmt.Sprintf("%s of %s", count(n.Sent+n.Held), plural(n.Messages, "message was accepted", "messages were accepted"))
	v.Second = status(p)
	if p.Stopped != "" {
		v.Stopped = p.Stopped + sentence(p.Resume)
	}
	v.Facts = []fact{{"messages", count(n.Messages)}, {"sent", count(n.Sent)}, {"delivered", orUnknown(n.Delivered)}, {"read", orUnknown(n.Read)},
		{"failed", count(n.Failed)}, {"uncertain", count(n.Uncertain)}, {"pending", count(n.Pending)}}
	v.Parts = parts(n)
	v.Failed, v.Refused = codeRows(n.FailedBy), codeRows(n.Refused)
	for _, rule := range byCount(n.SkippedBy, cmp.Compare) {
		v.Skipped = append(v.Skipped, fact{rule, count(n.SkippedBy[rule])})
	}
	v.uncertain(p)
	v.NoCharts = "Nothing has left yet, so there is no course to show."
	v.Forecast = []fact{{"Forecast", "None was kept with this campaign, so nothing can be compared."}}
	if n.Delivered == nil && n.Sent > 0 {
		v.Notes = append(v.Notes, "No webhook has told what became of the accepted messages. wactl listen receives them, wactl status --ingest reads them from a file.")
	}
	return v
}

// statusWords say where a whole campaign stands.
var statusWords = map[string]string{
	"planned":  "Nothing was asked of the platform yet.",
	"running":  "It is being sent.",
	"stopped":  "It stopped before its end; the same command goes on.",
	"finished": "It is finished.",
}

func status(p Page) string {
	text := cmp.Or(statusWords[p.Status], p.Status)
	if p.First != 0 {
		text += fmt.Sprintf(" The first message left at %s, the last at %s.", moment(p, p.First.Time()), moment(p, p.Last.Time()))
	}
	return text
}

// parts are the outcomes that there are, in the order of the bar.
func parts(n Totals) (all []part) {
	for _, x := range []struct {
		name, class string
		n           int
		means       string
	}{
		{"sent", "sent", n.Sent, "accepted by the platform"},
		{"held", "held", n.Held, "accepted, and kept back by the platform for a quality assessment"},
		{"failed", "failed", n.Failed, "refused for good; by code below"},
		{"uncertain", "uncertain", n.Uncertain, "asked, and no answer came"},
		{"pending", "pending", n.Pending, "still to be sent"},
		{"skipped", "skipped", n.Skipped, "rows of the file that get no message"},
	} {
		if x.n > 0 {
			all = append(all, part{x.name, x.class, count(x.n), strconv.FormatFloat(100*float64(x.n)/float64(n.Messages), 'f', 3, 64), x.means})
		}
	}
	return all
}

func codeRows(by map[int]int) (rows []codeRow) {
	for _, code := range byCount(by, cmp.Compare) {
		row := codeRow{Code: strconv.Itoa(code), Count: count(by[code]), Slower: "no"}
		if code == 0 {
			row.Code, row.Meaning = "none", "the answer carried no code"
		} else {
			e := outcome.ForCode(code)
			row.Meaning, row.Advice = e.Title+". "+e.Means, e.Advice
			if e.Slower {
				row.Slower = "yes"
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// uncertain explains what has no answer.
func (v *view) uncertain(p Page) {
	n := p.Totals.Uncertain
	if n == 0 {
		return
	}
	v.Uncertain = fmt.Sprintf("For %s no answer came: the connection broke, the answer was cut or not the platform's, or the sender was killed while it waited. "+
		"The platform may have taken the message or not, and nothing in this state can tell. It is not sent again unless somebody asks for it with "+
		"--resend-uncertain, since people may then get it twice. A status webhook that carries the message's id settles it.", plural(n, "message", "messages"))
	for _, r := range p.Uncertain {
		v.UncertainRows = append(v.UncertainRows, uncertainRow{strconv.Itoa(r.Line), r.Recipient, moment(p, r.SentAt)})
	}
	if more := n - len(p.Uncertain); more > 0 && len(p.Uncertain) > 0 {
		v.MoreUncertain = count(more)
	}
}

// charts puts the course of the campaign into drawings.
func (v *view) charts(p Page, c *course) {
	v.NoCharts = ""
	marks := c.marks(p.Zone)
	v.Charts = append(v.Charts, c.paceChart(p, marks), c.peopleChart(p, marks))
	v.PairText = "Nobody got two messages within a minute, so the pair limit was never near."
	if c.pairs > 0 {
		if f, drawn := c.pairChart(marks); drawn {
			v.Charts, v.PairText = append(v.Charts, f), ""
		} else {
			v.PairText = f.Text
		}
	}
	v.forecast(p, c)
	if p.Plan == nil {
		v.Notes = append(v.Notes, "What the number was allowed was not kept with this campaign, so no limit is drawn.")
	}
}

// forecast holds what was expected against what came.
func (v *view) forecast(p Page, c *course) {
	v.Forecast = nil
	if p.Plan == nil || p.Plan.Messages == 0 {
		v.Forecast = append(v.Forecast, fact{"Forecast", "None was kept with this campaign, so nothing can be compared."})
	} else {
		v.Forecast = append(v.Forecast, fact{"Forecast", fmt.Sprintf("%s for %s", lasting(p.Plan.Forecast), plural(p.Plan.Messages, "message", "messages"))})
	}
	v.Forecast = append(v.Forecast, fact{"Actual", fmt.Sprintf("%s for %s", lasting(c.active), plural(c.departures, "request", "requests"))})
	if whole := c.end.Sub(c.start); whole-c.active >= pausedFor {
		v.Forecast = append(v.Forecast, fact{"Pauses", fmt.Sprintf("%s in which nothing left for over a minute are not counted", lasting(whole-c.active))})
	}
	if c.departures > 1 && c.active > 0 {
		mean := float64(c.departures-1) / c.active.Seconds()
		v.Forecast = append(v.Forecast, fact{"Mean pace", fmt.Sprintf("%.1f requests a second", mean)})
	}
	if p.Plan != nil && p.Plan.Messages > 0 && p.Plan.Messages != c.departures {
		v.Forecast = append(v.Forecast, fact{"Differs by", "messages that were refused and tried again, or that are not sent yet"})
	}
}

func (c *course) paceChart(p Page, marks []mark) chart {
	s := series{steps: true}
	for _, col := range c.columns {
		s.values = append(s.values, float64(col.peak))
	}
	f := chart{Key: "pace", Title: "Pace: messages in the busiest second", Bottom: "0", Marks: marks}
	f.Text = fmt.Sprintf("At most %s left the number in any second. ", plural(c.peak, "message", "messages"))
	if p.Plan != nil && p.Plan.Level > 0 {
		s.limit, f.LimitLabel = float64(p.Plan.Level), fmt.Sprintf("level %s a second", count(p.Plan.Level))
		f.Text += fmt.Sprintf("The number may send %s: a head-room of %s. The pace asked for was %s. ", count(p.Plan.Level), count(max(p.Plan.Level-c.peak, 0)), p.Plan.Pace)
	}
	refused := 0
	for _, col := range c.columns {
		refused += col.refused
	}
	if refused > 0 {
		f.RefusedLabel, f.Refused = "refused", c.refusals()
		f.Text += fmt.Sprintf("%s refused or did not get through; marks below show when.", plural(refused, "request was", "requests were"))
	} else {
		f.Text += "Nothing was refused."
	}
	f.Top = count(int(s.draw(&f)))
	return f
}

func (c *course) peopleChart(p Page, marks []mark) chart {
	s := series{}
	for _, col := range c.columns {
		s.values, s.known = append(s.values, float64(col.people)), append(s.known, col.known)
	}
	f := chart{Key: "people", Title: "People written to in 24 hours", Bottom: "0", Marks: marks}
	f.Text = fmt.Sprintf("At most %s held a slot of the portfolio's messaging limit at a time, those of other campaigns in this state counted, those inside their service window not. ",
		plural(c.people, "person", "people"))
	if p.Plan != nil && p.Plan.Tier > 0 {
		s.limit, f.LimitLabel = float64(p.Plan.Tier), fmt.Sprintf("limit %s people", count(p.Plan.Tier))
		f.Text += fmt.Sprintf("The limit was %s: a head-room of %s.", count(p.Plan.Tier), count(max(p.Plan.Tier-c.people, 0)))
	} else {
		f.Text += "The limit was unlimited or not known, so none is drawn."
	}
	f.Top = count(int(s.draw(&f)))
	return f
}

// mostSpare is where the scale of the pairs ends: a pair that was clear for so long is far from its limit.
const mostSpare = 30 * time.Second

// pairChart is not drawn where no pair was ever clear: the text says it all.
func (c *course) pairChart(marks []mark) (f chart, drawn bool) {
	s := series{steps: true}
	for _, col := range c.columns {
		drawn = drawn || col.pairs > 0 && col.spare > 0
		s.values = append(s.values, max(min(col.spare, mostSpare), 0).Seconds())
		s.known = append(s.known, col.pairs > 0)
	}
	f = chart{Key: "pairs", Title: "Pairs: for how long one was clear before its next message", Bottom: "0 s", Marks: marks}
	f.Text = fmt.Sprintf("%s to somebody who had got one less than a minute before. ", plural(c.pairs, "message went", "messages went"))
	if c.spare >= 0 {
		f.Text += fmt.Sprintf("The pair had been clear for %s at least, counting %s a message from departure to departure.", lasting(c.spare), lasting(ratelimit.PairInterval))
	} else {
		f.Text += fmt.Sprintf("The closest left %s before its pair was clear, counting %s a message: a burst that the platform allows on credit.", lasting(-c.spare), lasting(ratelimit.PairInterval))
	}
	f.Top = fmt.Sprintf("%.0f s", s.draw(&f))
	return f, drawn
}

// byCount lists keys, those with the largest counts first.
func byCount[K comparable](by map[K]int, compare func(a, b K) int) []K {
	keys := make([]K, 0, len(by))
	for k := range by {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b K) int { return cmp.Or(by[b]-by[a], compare(a, b)) })
	return keys
}

package cmd

import (
	"fmt"
	"time"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// check is one line of the checklist of a large send. OK is nil where nobody here can know.
type check struct {
	Check  string `json:"check"`
	OK     *bool  `json:"ok"`
	Detail string `json:"detail"`
}

var (
	yes = new(true)
	no  = new(false)
)

// checklist is what to look at before a large send. What only the account or the receiving server can tell is unknown.
func (d dryRun) checklist() []check {
	return []check{
		d.throughputKnown(),
		d.coexistenceKnown(),
		d.rowsUsable(),
		d.deduplicated(),
		d.serviceWindow(),
		d.fits24h(),
		{"webhook-capacity", nil, fmt.Sprintf("the webhook's server has to take %.0f statuses per second beside inbound messages, half of them answered within 250 ms",
			statusesPerMessage*float64(d.limits.Number.Pace)/1000)},
		d.mediaByID(),
		{"codes-logged", nil, "log every answer and status with its time, number, recipient and code: send --log FILE does"},
	}
}

func (d dryRun) throughputKnown() check {
	if d.known {
		return check{"throughput-known", yes, fmt.Sprintf("pace %s for a level of %d", d.limits.Number.Pace, d.limits.Number.Level)}
	}
	return check{"throughput-known", nil, fmt.Sprintf("the number's level is not told; %s suits the default level of 80: --mps or --coexistence tells it", d.limits.Number.Pace)}
}

func (d dryRun) coexistenceKnown() check {
	if d.coexistence {
		return check{"coexistence", yes, "counted with 20 messages per second, the level of a number that the Business app uses too"}
	}
	return check{"coexistence", nil, "if the Business app uses the number too, its level is 20: --coexistence"}
}

// rowsUsable is unknown where many rows are left out: whether that is meant is said with send --allow-skipped.
func (d dryRun) rowsUsable() check {
	left := d.plan.Rows - d.plan.Messages()
	detail := fmt.Sprintf("%s of %s left out", output.Count(left), plural(d.plan.Rows, "row is", "rows are"))
	switch {
	case d.plan.Messages() == 0:
		return check{"rows-usable", no, "no row of the list can be sent to"}
	case left*5 > d.plan.Rows:
		return check{"rows-usable", nil, detail + ", over 20 %: send goes on with --allow-skipped only"}
	}
	return check{"rows-usable", yes, detail}
}

func (d dryRun) serviceWindow() check {
	if n := d.plan.Unsure; n > 0 {
		return check{"service-window", nil, fmt.Sprintf("%s without a template: the recipients must have written within 24 hours; a column last_inbound_at tells",
			plural(n, "message", "messages"))}
	}
	return check{"service-window", yes, "nobody gets a message without a template outside of the 24 hours after writing"}
}

func (d dryRun) deduplicated() check {
	if n := d.plan.Skipped[normalize.Duplicate] + d.plan.Skipped[normalize.DuplicateConflict]; n > 0 {
		return check{"deduplicated", yes, plural(n, "duplicate row is", "duplicate rows are") + " left out"}
	}
	return check{"deduplicated", yes, "nobody gets the same message twice"}
}

func (d dryRun) fits24h() check {
	people, tier := d.plan.Recipients+d.limits.Used, d.limits.Tier
	if tier > 0 {
		people = min(d.limits.Used, tier) // and of the list those who take a slot: not who wrote within 24 hours
		for _, w := range d.forecast.Windows {
			people += w.Recipients
		}
	}
	switch {
	case !d.tierKnown:
		return check{"fits-24h", nil, persons(people) + "; the messaging limit is not told: --tier tells it"}
	case tier == 0:
		return check{"fits-24h", yes, "the messaging limit is unlimited"}
	case people > tier:
		return check{"fits-24h", no, fmt.Sprintf("%s people need %s windows of 24 hours at %s each", output.Count(people), output.Count((people+tier-1)/tier), output.Count(tier))}
	}
	return check{"fits-24h", yes, fmt.Sprintf("%s of %s people", output.Count(people), output.Count(tier))}
}

func (d dryRun) mediaByID() check {
	if d.plan.Links == 0 {
		return check{"media-by-id", yes, "no media by link"}
	}
	return check{"media-by-id", no, fmt.Sprintf("%s messages carry media by link, which the platform fetches again and again: upload once and send id:MEDIA_ID",
		output.Count(d.plan.Links))}
}

// marks are how a check's outcome is written for people.
func mark(ok *bool) string {
	switch {
	case ok == nil:
		return "?"
	case *ok:
		return "ok"
	}
	return "no"
}

func (d dryRun) showForecast(r dryRunReport) {
	f, out := d.forecast, d.out
	out.Heading("%s to %s%s", plural(r.ToSend, "message", "messages"), persons(r.Recipients), countries(r.Countries))
	out.Line("finishes %s, %s after the start at %s", out.Time(f.Finish.Time()), output.Duration(f.Duration()), out.Time(d.start))
	out.Line("%s", d.decides(r))
	out.Line("content: %s", content(d.plan.uses))
	out.Line("assuming that answers take %s and that nobody else uses the number", answersIn(d.latency))
	out.Line("")
	rows := [][]string{
		{"pair", fmt.Sprintf("1 message every %.0f s to one person", d.limits.Pair.Interval.Seconds()), adds(f.PairAdds), binding(r, ratelimit.LimitPair)},
		{"throughput", d.limits.Number.Pace.String(), "-", binding(r, ratelimit.LimitThroughput)},
		{"messaging", d.tier(), adds(f.TierAdds), binding(r, ratelimit.LimitMessaging)},
	}
	out.Table([]string{"limit", "allows", "adds", ""}, rows)
	if len(r.Windows) > 1 {
		out.Line("")
		var windows [][]string
		for i, w := range f.Windows {
			if i == mostWindows {
				windows = append(windows, []string{fmt.Sprintf("and %s more", output.Count(len(f.Windows)-i)), "-"})
				break
			}
			windows = append(windows, []string{out.Time(w.Opens.Time()), output.Count(w.Recipients)})
		}
		out.Table([]string{"window opens", "new people"}, windows)
	}
	out.Line("")
	var checks [][]string
	for _, c := range r.Checklist {
		checks = append(checks, []string{mark(c.OK), c.Check, c.Detail})
	}
	out.Table([]string{"", "check", ""}, checks)
	d.app.showNotes(d.plan.list)
	d.app.showOddRows(d.plan.Plan)
	d.app.showLeftOut(d.plan.Plan, "mend them and run it again")
}

// mostWindows is how many windows are listed one by one; JSON has them all.
const mostWindows = 10

// decides names the limit that sets the time, in words.
func (d dryRun) decides(r dryRunReport) string {
	words := map[string]string{
		string(ratelimit.LimitPair):       "one person gets several messages, and those are spaced",
		string(ratelimit.LimitThroughput): "the number's pace is " + d.limits.Number.Pace.String(),
		string(ratelimit.LimitMessaging):  fmt.Sprintf("%s may be written to in 24 hours", persons(d.limits.Tier)),
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

func (d dryRun) tier() string {
	switch {
	case d.limits.Tier > 0:
		return output.Count(d.limits.Tier) + " people in 24 hours"
	case d.tierKnown:
		return "unlimited"
	}
	return "unknown, not enforced"
}

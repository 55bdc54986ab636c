package cmd

import (
	"fmt"

	"github.com/wactl/wactl/campaign/forecast"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// check is one line of the checklist of a large send. OK is nil where nobody here can know.
type check struct {
	Check  string `json:"check"`
	OK     *bool  `json:"ok"`
	Detail string `json:"detail"`
	Source string `json:"source"` // who says that it matters
}

var (
	yes = new(true)
	no  = new(false)
)

// The pages that checks rest on, beside those of the published limits.
const (
	sourceList    = "the list"
	sourceFlags   = "the flags"
	sourceOwn     = "wactl"
	sourceMessage = "Meta, developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages, read 2026-11-30"
)

// checks are what to look at before a large send, each with its source. What only the account or the receiving server can tell is unknown.
var checks = []struct {
	name, source string
	judge        func(d *dryRun) (ok *bool, detail string)
}{
	{"throughput-known", figure("throughput"), (*dryRun).throughputKnown},
	{"coexistence", figure("throughput, coexistence"), (*dryRun).coexistenceKnown},
	{"number-pace", figure("pair rate"), (*dryRun).numberPace},
	{"inbound-room", figure("throughput"), (*dryRun).inboundRoom},
	{"rows-usable", sourceList, (*dryRun).rowsUsable},
	{"deduplicated", sourceList, (*dryRun).deduplicated},
	{"opt-outs", sourceFlags, (*dryRun).optOutsKnown},
	{"template-checked", sourceFlags, (*dryRun).templateChecked},
	{"service-window", sourceMessage, (*dryRun).serviceWindow},
	{"us-marketing", figure("marketing per user"), (*dryRun).usMarketing},
	{"marketing-per-user", figure("marketing per user"), (*dryRun).marketingPerUser},
	{"fits-24h", figure("messaging limit"), (*dryRun).fits24h},
	{"fits-deadline", sourceFlags, (*dryRun).fitsDeadline},
	{"webhook-capacity", figure("throughput"), (*dryRun).webhookCapacity},
	{"media-by-id", figure("throughput"), (*dryRun).mediaByID},
	{"codes-logged", sourceOwn, func(*dryRun) (*bool, string) {
		return nil, "log every answer and status with its time, number, recipient and code: send --log FILE does"
	}},
}

// figure is where a published limit stands, and when it was read.
func figure(name string) string {
	for _, f := range ratelimit.Published {
		if f.Name == name {
			return f.Source + ", read " + f.Read
		}
	}
	panic("no published figure is called " + name) // no command starts then, so no test passes
}

func (d *dryRun) checklist() []check {
	all := make([]check, len(checks))
	for i, c := range checks {
		ok, detail := c.judge(d)
		all[i] = check{c.name, ok, detail, c.source}
	}
	return all
}

func (d *dryRun) throughputKnown() (*bool, string) {
	pace, level := d.limits.Pace(), 0
	for _, n := range d.limits.All() {
		level += n.Throughput.Level
	}
	if d.known {
		return yes, fmt.Sprintf("pace %s for a level of %d", pace, level)
	}
	return nil, fmt.Sprintf("the number's level is not told; %s suits the default level of %d: --mps or --coexistence tells it", pace, level)
}

func (d *dryRun) coexistenceKnown() (*bool, string) {
	shared := 0
	for _, n := range d.limits.All() {
		if n.Throughput.Level == ratelimit.LevelCoexist {
			shared++
		}
	}
	switch {
	case shared > 0 && len(d.limits.Numbers) > 0:
		return yes, fmt.Sprintf("%d of %d numbers counted with 20 messages per second, the level of a number that the Business app uses too", shared, len(d.limits.Numbers))
	case shared > 0:
		return yes, "counted with 20 messages per second, the level of a number that the Business app uses too"
	}
	return nil, "if the Business app uses the number too, its level is 20: --coexistence"
}

// numberPace warns of a number that is paced like a pair: the pair's figure is no ceiling of an account.
func (d *dryRun) numberPace() (*bool, string) {
	for _, n := range d.limits.All() {
		if n.Throughput.Pace < ratelimit.PerSecond(1) {
			return nil, slowNumber(n.Throughput.Pace)
		}
	}
	return yes, "no number is paced as if the figure of one pair held for all"
}

// slowNumber says what a pace below one message a second may have been taken from.
func slowNumber(p ratelimit.Pace) string {
	return fmt.Sprintf("%s is %s messages an hour for the whole number; 600 an hour (1 in 6 s) is what one person may get, and no ceiling of a number or account: a number may send %d/s",
		p, output.Count(int(p)*3600/1000), ratelimit.LevelDefault)
}

func (d *dryRun) inboundRoom() (*bool, string) {
	free := ratelimit.Pace(0)
	for _, n := range d.limits.All() {
		free += max(ratelimit.PerSecond(n.Throughput.Level)-n.Throughput.Pace, 0)
	}
	if d.flags.reserve > 0 {
		return yes, fmt.Sprintf("%s are left for messages that come in, %d/s of them by --reserve-inbound", free, d.flags.reserve)
	}
	return nil, fmt.Sprintf("messages that come in count too, and %s are left for them: --reserve-inbound leaves more", free)
}

// rowsUsable is unknown where many rows are left out: whether that is meant is said with send --allow-skipped.
func (d *dryRun) rowsUsable() (*bool, string) {
	left := d.plan.Rows - d.plan.Messages()
	detail := fmt.Sprintf("%s of %s left out", output.Count(left), plural(d.plan.Rows, "row is", "rows are"))
	switch {
	case d.plan.Messages() == 0:
		return no, "no row of the list can be sent to"
	case left*5 > d.plan.Rows:
		return nil, detail + ", over 20 %: send goes on with --allow-skipped only"
	}
	return yes, detail
}

func (d *dryRun) deduplicated() (*bool, string) {
	if n := d.plan.Skipped[normalize.Duplicate] + d.plan.Skipped[normalize.DuplicateConflict]; n > 0 {
		return yes, plural(n, "duplicate row is", "duplicate rows are") + " left out"
	}
	return yes, "nobody gets the same message twice"
}

func (d *dryRun) optOutsKnown() (*bool, string) {
	if len(d.flags.suppress) > 0 || d.inState || len(d.plan.list.Columns(normalize.RoleConsent)) > 0 {
		return yes, plural(d.plan.Skipped[normalize.Suppressed]+d.plan.Skipped["opted-out"], "row is", "rows are") + " left out for opt-outs"
	}
	return nil, "no opt-outs are told: --suppress FILE, a consent column, or the state of --phone-number-id"
}

func (d *dryRun) templateChecked() (*bool, string) {
	switch {
	case d.flags.templateFile != "":
		return yes, "the parameters were held against the template's JSON"
	case d.templates() == 0:
		return yes, "no message has a template"
	}
	return nil, "whether the parameters fit the template is not known: --template-file tells, and its category"
}

// templates is how many messages have a template.
func (d *dryRun) templates() int { return d.plan.Messages() - d.plan.Free }

func (d *dryRun) serviceWindow() (*bool, string) {
	if n := d.lapsed(); n > 0 {
		return no, fmt.Sprintf("%s would leave after the recipient's 24 hours are over, and fail with 131047",
			plural(n, "message without a template", "messages without a template"))
	}
	if n := d.plan.Unsure; n > 0 {
		return nil, fmt.Sprintf("%s without a template: who has not written within 24 hours cannot get it (131047); a column last_inbound_at tells",
			plural(n, "message", "messages"))
	}
	return yes, "nobody gets a message without a template outside of the 24 hours after writing"
}

// lapsed is how many messages without a template leave after their recipient's window has closed.
func (d *dryRun) lapsed() (n int) {
	if d.plan.Open == 0 {
		return 0
	}
	free, items := d.plan.service(), d.load.Items()
	d.departures(func(at ratelimit.Instant, seq uint32) {
		if open := items[seq].OpenUntil; free[seq] && open != 0 && at >= open {
			n++
		}
	})
	return n
}

func (d *dryRun) usMarketing() (*bool, string) {
	us := d.plan.Countries["US"]
	switch barred := d.plan.Warnings["us-marketing"]; {
	case barred > 0:
		return no, fmt.Sprintf("%s of a marketing template to numbers of the United States, where none is delivered", plural(barred, "message", "messages"))
	case us == 0 || d.templates() == 0 || d.flags.categoryOf(d.plan) != "" && d.flags.categoryOf(d.plan) != "marketing":
		return yes, "no marketing template goes to a number of the United States"
	case d.flags.categoryOf(d.plan) == "marketing":
		return no, fmt.Sprintf("a marketing template goes to %s with numbers of the United States, where none is delivered", persons(us))
	}
	return nil, fmt.Sprintf("%s with numbers of the United States get no marketing template; the category is not told: --template-file", persons(us))
}

func (d *dryRun) marketingPerUser() (*bool, string) {
	if d.templates() == 0 || d.flags.categoryOf(d.plan) != "" && d.flags.categoryOf(d.plan) != "marketing" {
		return yes, "no marketing template, so no limit per person"
	}
	return nil, "WhatsApp keeps marketing from people who got much of it from anybody (131049): no pace cures that; wait at least 24 hours before trying again"
}

func (d *dryRun) fits24h() (*bool, string) {
	tier, groups := d.limits.Tier, len(portfolios(d.limits))
	if d.whatIfs[0].tier == "" {
		return nil, persons(d.plan.Recipients+d.used()) + "; the messaging limit is not told: --tier tells it"
	}
	if tier == 0 {
		return yes, "the messaging limit is unlimited"
	}
	people := min(d.used(), tier*groups) // and of the list those who take a slot: not who wrote within 24 hours, nor who has one
	for _, w := range d.forecast.Windows {
		people += w.Recipients
	}
	room := tier * groups
	switch {
	case people > room:
		return no, fmt.Sprintf("%s people need %s windows of 24 hours at %s each", output.Count(people), output.Count((people+room-1)/room), output.Count(room))
	case d.forecast.TierAdds > 0:
		return no, fmt.Sprintf("%s people fit into the limits of %d portfolios together, but not into each", output.Count(people), groups)
	}
	return yes, fmt.Sprintf("%s of %s people", output.Count(people), output.Count(room))
}

func (d *dryRun) fitsDeadline() (*bool, string) {
	switch missed := len(d.forecast.Missed); {
	case d.limits.Deadline == 0:
		return yes, "there is no deadline"
	case missed > 0:
		return no, fmt.Sprintf("%s not leave before %s; all of them would take %s", plural(missed, "message does", "messages do"),
			d.out.Time(d.limits.Deadline.Time()), output.Duration(d.forecast.Whole))
	}
	return yes, "everything leaves before " + d.out.Time(d.limits.Deadline.Time())
}

func (d *dryRun) webhookCapacity() (*bool, string) {
	inbound := "what people write"
	if d.flags.reserve > 0 {
		inbound = fmt.Sprintf("%d inbound messages", d.flags.reserve)
	}
	return nil, fmt.Sprintf("the webhook's server has to take %.5g statuses per second and %s, half of them answered within 250 ms and under 1 %% later than 1 s",
		rate(forecast.Webhooks(d.limits, 0)), inbound)
}

func (d *dryRun) mediaByID() (*bool, string) {
	if d.plan.Links == 0 {
		return yes, "no media by link"
	}
	return no, fmt.Sprintf("%s media by link, which the platform fetches again and again: upload once and send id:MEDIA_ID",
		plural(d.plan.Links, "message carries", "messages carry"))
}

// mark is how a check's outcome is written for people.
func mark(ok *bool) string {
	switch {
	case ok == nil:
		return "?"
	case *ok:
		return "ok"
	}
	return "no"
}

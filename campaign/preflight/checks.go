package preflight

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/ratelimit"
)

// Verdict is what a check found.
type Verdict string

// The verdicts. Only Stop keeps a send from starting; Unknown never does.
const (
	OK      Verdict = "ok"
	Warning Verdict = "warning"
	Stop    Verdict = "stop"
	Unknown Verdict = "unknown"
)

// Check is one thing that was looked at, what was found, and what to do about it.
type Check struct {
	Check   string // "token", "number", "template", "media", "payment" or "health"
	Item    string // what of it, such as "quality"; empty for the whole
	Verdict Verdict
	Code    int // the platform's code, 0 without one
	Detail  string
	Advice  string // empty where nothing is to be done
}

// finding is a Check without its place in the table.
type finding struct {
	item    string // where the table has no item of its own
	verdict Verdict
	code    int
	detail  string
	advice  string
}

// The groups of checks, in the order in which they are told.
const (
	aboutToken    = "token"
	aboutNumber   = "number"
	aboutTemplate = "template"
	aboutMedia    = "media"
	aboutPayment  = "payment"
	aboutHealth   = "health"
)

// checks is every check, one row each. A row whose reading is missing is skipped but for the first of its group, which says so.
var checks = []struct {
	check, item string
	judge       func(Readings) []finding
}{
	{aboutToken, "", token},
	{aboutNumber, "", unreadNumber},
	{aboutNumber, "status", ofNumber(func(n Number) finding { return judge(statuses, n.Status) })},
	{aboutNumber, "quality", ofNumber(func(n Number) finding { return judge(qualities, n.Quality) })},
	{aboutNumber, "throughput", ifRead(throughput)},
	{aboutNumber, "coexistence", ofNumber(coexistence)},
	{aboutNumber, "messaging-limit", ifRead(messagingLimit)},
	{aboutNumber, "account-mode", ofNumber(func(n Number) finding { return judge(modes, n.Mode) })},
	{aboutNumber, "display-name", ofNumber(func(n Number) finding { return judge(nameStatuses, n.NameStatus) })},
	{aboutTemplate, "", templates},
	{aboutMedia, "", media},
	{aboutPayment, "", payment},
	{aboutHealth, "", health},
}

// Judge takes readings through all checks. Every group is told at least once, in a fixed order.
func Judge(r Readings) []Check {
	var all []Check
	for _, row := range checks {
		for _, f := range row.judge(r) {
			all = append(all, Check{Check: row.check, Item: cmp.Or(f.item, row.item), Verdict: f.verdict, Code: f.code, Detail: f.detail, Advice: f.advice})
		}
	}
	return all
}

// Worst is the gravest verdict of all: stop before warning before unknown before ok. None is ok.
func Worst(all []Check) Verdict {
	for _, v := range []Verdict{Stop, Warning, Unknown} {
		if slices.ContainsFunc(all, func(c Check) bool { return c.Verdict == v }) {
			return v
		}
	}
	return OK
}

// unread is the finding for a reading that is not there. It never stops a send: an older API or a narrower permission is no fault of the number.
func unread(err error) finding {
	f := finding{verdict: Unknown, detail: err.Error()}
	if r, ok := errors.AsType[*Refusal](err); ok {
		f.code, f.advice = r.Code, r.Hint()
	}
	return f
}

// token judges the access token by whether any reading got through.
func token(r Readings) []finding {
	failed := 0
	for _, err := range []error{r.NumberErr, r.TemplatesErr} {
		refused, ok := errors.AsType[*Refusal](err)
		if ok && refused.BadToken() {
			return []finding{{verdict: Stop, code: refused.Code, detail: "the platform refused the access token: " + cmp.Or(refused.Details, refused.Title, "no reason given"), advice: refused.Hint()}}
		}
		if err != nil {
			failed++
		}
	}
	if r.NumberErr == nil || failed == 1 && r.TemplatesErr == nil && len(r.Templates) > 0 {
		return []finding{{verdict: OK, detail: "accepted by the platform"}}
	}
	return []finding{{verdict: Unknown, detail: "no reading got through that would show it"}}
}

func unreadNumber(r Readings) []finding {
	if r.NumberErr == nil {
		return nil
	}
	return []finding{unread(r.NumberErr)}
}

// ifRead is a check that needs the number's reading.
func ifRead(judge func(Readings) finding) func(Readings) []finding {
	return func(r Readings) []finding {
		if r.NumberErr != nil {
			return nil
		}
		return []finding{judge(r)}
	}
}

func ofNumber(judge func(Number) finding) func(Readings) []finding {
	return ifRead(func(r Readings) finding { return judge(r.Number) })
}

func throughput(r Readings) finding {
	mps := r.Number.MPS()
	if mps == 0 {
		return finding{verdict: Unknown, detail: fmt.Sprintf("the platform says %s; %d messages per second are assumed", shownOr(r.Number.Level, "nothing"), ratelimit.LevelDefault),
			advice: "look at the number's throughput in WhatsApp Manager, and give --mps where it is more"}
	}
	f := finding{verdict: OK, detail: fmt.Sprintf("%s messages per second", count(mps))}
	if asked := r.Asked.Pace; asked > ratelimit.PerSecond(mps) {
		f.verdict, f.advice = Warning, "leave --mps out: the pace then fits the level"
		f.detail += fmt.Sprintf(", and --mps asks for %s: what is over it is refused (130429)", asked)
	}
	return f
}

func coexistence(n Number) finding {
	yes, known := n.Coexists()
	switch {
	case !known:
		return finding{verdict: Unknown, detail: "the platform did not tell", advice: "say --coexistence if the number is used in the Business app too"}
	case yes:
		return finding{verdict: OK, detail: fmt.Sprintf("used in the Business app too: %d messages per second, and what is typed there counts", ratelimit.LevelCoexist)}
	}
	return finding{verdict: OK, detail: "not used in the Business app"}
}

func messagingLimit(r Readings) finding {
	people, known := r.Number.Tier()
	switch {
	case !known:
		return finding{verdict: Unknown, detail: "the platform says " + shownOr(r.Number.Limit, "nothing"), advice: "look at the limit in WhatsApp Manager and give it with --tier"}
	case people == 0:
		return finding{verdict: OK, detail: "unlimited"}
	}
	f := finding{verdict: OK, detail: fmt.Sprintf("%s people in 24 hours", count(people))}
	switch a := r.Asked; {
	case a.TierGiven && (a.Tier == 0 || a.Tier > people):
		f.verdict, f.advice = Warning, "leave --tier out: the platform's limit is then kept"
		f.detail += ", and --tier allows more: the rest is refused"
	case r.People > people:
		f.verdict, f.advice = Warning, "it goes on a day later with the same command, or by itself with --on-tier-limit wait"
		f.detail += fmt.Sprintf(", and the campaign has %s: they do not fit into one day", count(r.People))
	}
	return f
}

// payment looks for codes that say that nobody pays. Only the health tells.
func payment(r Readings) []finding {
	if r.NumberErr != nil || r.Number.Health == nil {
		return []finding{{verdict: Unknown, detail: "only the number's health tells, and it was not read"}}
	}
	for _, e := range r.Number.Health.Entities {
		for _, fault := range e.Faults {
			if slices.Contains(paymentCodes, fault.Code) {
				return []finding{{verdict: Stop, code: fault.Code, detail: cmp.Or(fault.Description, "the platform reports a payment problem"),
					advice: cmp.Or(fault.Solution, "mend the payment method in the business settings")}}
			}
		}
	}
	return []finding{{verdict: OK, detail: "the health names no problem with payment"}}
}

// health tells every entity that cannot send freely. What payment has told is not told again.
func health(r Readings) []finding {
	if r.NumberErr != nil || r.Number.Health == nil {
		return []finding{{verdict: Unknown, detail: "it was not read"}}
	}
	h := *r.Number.Health
	var all []finding
	explained := false
	for _, e := range h.Entities {
		f := judge(sending, e.CanSend)
		if f.verdict == OK {
			continue
		}
		explained = true
		f.item = strings.ToLower(strings.ReplaceAll(e.Type, "_", "-"))
		for _, info := range e.Info {
			f.detail += ": " + info
		}
		if f, other := f.with(e.Faults); other {
			all = append(all, f)
		}
	}
	switch {
	case !explained:
		return []finding{judge(sending, h.CanSend)}
	case len(all) == 0:
		return []finding{{verdict: OK, detail: "nothing but the payment stands in the way"}}
	}
	return all
}

// with adds the reasons of an entity; other is false when payment is the only one.
func (f finding) with(faults []Fault) (_ finding, other bool) {
	for _, fault := range faults {
		if slices.Contains(paymentCodes, fault.Code) {
			continue
		}
		other = true
		f.code = cmp.Or(f.code, fault.Code)
		f.detail += fmt.Sprintf(": %s (%d)", fault.Description, fault.Code)
		if fault.Solution != "" {
			f.advice = fault.Solution
		}
	}
	return f, other || len(faults) == 0
}

// shown is a stranger's word for a message: quoted and cut.
func shown(word string) string {
	const most = 60
	if runes := []rune(word); len(runes) > most {
		return strconv.Quote(string(runes[:most])) + "…"
	}
	return strconv.Quote(word)
}

func shownOr(word, none string) string {
	if word == "" {
		return none
	}
	return shown(word)
}

// count is a whole number with commas between its thousands, so that a limit is read right at a glance.
func count(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

package webhook

import (
	"slices"
	"strconv"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/wire"
	"github.com/wactl/wactl/ratelimit"
)

// Canonical is the one number, as digits, of a person whom the platform knows by these digits; 0 when they are no number.
type Canonical func(waID string) uint64

// Translate is what a webhook tells, as news for the journal.
func Translate(w wire.Webhook, canonical Canonical) feedback.Batch {
	var b feedback.Batch
	for _, c := range w.Changes {
		t := translator{&b, c, canonical}
		t.number()
		t.statuses()
		t.inbound()
		t.echoes()
		t.preferences()
		t.codes()
		b.Orders = append(b.Orders, orders(c)...)
	}
	return b
}

// translator adds one change to a batch.
type translator struct {
	to        *feedback.Batch
	from      wire.Change
	canonical Canonical
}

// e164 is digits as the journal knows a person.
func e164(digits uint64) string { return "+" + strconv.FormatUint(digits, 10) }

// instant is a time as an Instant, 0 for none.
func instant(t time.Time) ratelimit.Instant {
	if t.IsZero() {
		return 0
	}
	return ratelimit.At(t)
}

func (t translator) number() {
	if t.from.NumberID != "" && (t.from.Account != "" || t.from.Display != "") {
		n := feedback.Number{ID: t.from.NumberID, Account: t.from.Account, Display: t.from.Display}
		if len(t.to.Numbers) == 0 || t.to.Numbers[len(t.to.Numbers)-1] != n {
			t.to.Numbers = append(t.to.Numbers, n)
		}
	}
}

func (t translator) statuses() {
	t.to.Statuses = slices.Grow(t.to.Statuses, len(t.from.Statuses))
	for _, s := range t.from.Statuses {
		code := int(s.Code)
		if s.Kind != "failed" {
			code = 0
		}
		details := s.Details
		if details == "" {
			details = s.Title
		}
		t.to.Statuses = append(t.to.Statuses, feedback.Status{Step: s.Callback, MessageID: s.MessageID, Kind: s.Kind, At: instant(s.At), Code: code,
			NumberID: t.from.NumberID, Details: details})
		t.stop(code, instant(s.At))
	}
}

// stop orders all sends of the number to stop where a code says that going on would do harm. What is about a template stops those who use it, by
// its own news: a message does not say which it was.
func (t translator) stop(code int, at ratelimit.Instant) {
	e := outcome.ForCode(code)
	if code == 0 || e.Class != outcome.Stop || e.Scope == outcome.ScopeTemplate {
		return
	}
	same := func(o feedback.Order) bool { return o.NumberID == t.from.NumberID && o.Code == code }
	if slices.ContainsFunc(t.to.Orders, same) {
		return // a full batch may fail for one reason
	}
	t.to.Orders = append(t.to.Orders, feedback.Order{Kind: feedback.OrderStop, NumberID: t.from.NumberID, Code: code, Reason: e.Why, At: at})
}

// codes are errors of the number as a whole.
func (t translator) codes() {
	for _, code := range t.from.Codes {
		t.stop(int(code), instant(t.from.At))
	}
}

// person is whom two ids of the platform mean.
func (t translator) person(waID, userID string) campaign.Recipient {
	r := campaign.Recipient{BSUID: userID}
	if n := t.canonical(waID); n != 0 {
		r.Phone = e164(n)
	}
	return r
}

func (t translator) inbound() {
	for _, m := range t.from.Inbound {
		who := t.person(m.WaID, m.UserID)
		t.to.Inbound = append(t.to.Inbound, feedback.Inbound{MessageID: m.MessageID, NumberID: t.from.NumberID, Person: who, At: instant(m.At)})
		for _, text := range m.Texts {
			if word, ok := OptsOut(text); ok {
				t.to.OptOuts = append(t.to.OptOuts, feedback.OptOut{Person: who, Scope: feedback.Everything, Reason: "wrote " + word, At: instant(m.At)})
				break
			}
		}
	}
}

func (t translator) echoes() {
	for _, e := range t.from.Echoes {
		t.to.Echoes = append(t.to.Echoes, feedback.Echo{MessageID: e.MessageID, NumberID: t.from.NumberID, Phone: t.canonical(e.WaID), At: instant(e.At)})
	}
}

func (t translator) preferences() {
	for _, p := range t.from.Preferences {
		reason := "stopped marketing messages"
		if !p.Stopped {
			reason = "resumed marketing messages"
		}
		t.to.OptOuts = append(t.to.OptOuts, feedback.OptOut{Person: t.person(p.WaID, p.UserID), NumberID: t.from.NumberID, Scope: feedback.Marketing,
			Resumed: !p.Stopped, Reason: reason, At: instant(p.At)})
	}
}

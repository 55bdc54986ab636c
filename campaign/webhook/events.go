package webhook

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/wire"
)

// event is one of the platform's news that a running send must act on.
type event struct {
	field string
	names []string // of the event; none: any
	when  func(wire.Update) bool
	code  int // the platform's code that messages would get
	why   string
}

// events is the table of news that stop those who are concerned. What is not in it changes nothing.
var events = []event{
	{"message_template_status_update", []string{"PAUSED"}, nil, 132015, "the template was paused by the platform"},
	{"message_template_status_update", []string{"DISABLED"}, nil, 132016, "the template was disabled by the platform"},
	{"message_template_status_update", []string{"REJECTED", "DELETED", "PENDING_DELETION", "ARCHIVED", "LOCKED"}, nil, 132001, "the template can no longer be used"},
	{"account_update", []string{"ACCOUNT_DELETED"}, nil, 131031, "the account was deleted"},
	{"account_update", []string{"DISABLED_UPDATE", "ACCOUNT_VIOLATION", "ACCOUNT_RESTRICTION"}, banned, 131031, "the account is being disabled by the platform"},
	{"account_update", []string{"ACCOUNT_RESTRICTION"}, restricted, 368, "the platform restricts what the account may send"},
	{"account_update", []string{"PARTNER_REMOVED", "ACCOUNT_OFFBOARDED"}, nil, 10, "the account is no longer shared with this app"},
	{"phone_number_quality_update", []string{"BANNED", "RESTRICTED"}, nil, 131048, "the platform restricts the number"},
}

// banned says that an account's messages stop, now or on a day that is fixed.
func banned(u wire.Update) bool {
	return slices.Contains([]string{"DISABLE", "DISABLED", "SCHEDULE_FOR_DISABLE"}, strings.ToUpper(u.BanState))
}

// restricted says that an account may not begin conversations, which is what a campaign does.
func restricted(u wire.Update) bool {
	return slices.ContainsFunc(u.Restrictions, func(r string) bool { return strings.Contains(strings.ToUpper(r), "INITIATED_MESSAGING") })
}

func (e event) fits(c wire.Change) bool {
	if e.field != c.Field || !slices.Contains(e.names, strings.ToUpper(c.Update.Event)) {
		return false
	}
	return e.when == nil || e.when(c.Update)
}

// upgraded is the throughput of a number after the only upgrade that there is, in messages a second.
const upgraded = 1000

// orders is what a change asks of running sends.
func orders(c wire.Change) (list []feedback.Order) {
	order := feedback.Order{Account: c.Account, NumberID: c.NumberID, Display: c.Update.Display, Template: c.Update.Template,
		Language: c.Update.Language, At: instant(c.At)}
	for _, e := range events {
		if e.fits(c) {
			o := order
			o.Kind, o.Code, o.Reason = feedback.OrderStop, e.code, reason(e.why, c.Update)
			list = append(list, o)
			break
		}
	}
	if c.Field == "phone_number_quality_update" && c.Update.Event == "THROUGHPUT_UPGRADE" {
		o := order
		o.Kind, o.Value, o.Reason = feedback.OrderLevel, upgraded, "the number's throughput was raised"
		list = append(list, o)
	}
	if n, ok := tier(c.Update.Limit); ok && (c.Field == "phone_number_quality_update" || c.Field == "business_capability_update") {
		o := order
		o.Kind, o.Value, o.Reason = feedback.OrderTier, n, "the messaging limit was changed"
		list = append(list, o)
	}
	return list
}

// reason says why, with the platform's own words behind it.
func reason(why string, u wire.Update) string {
	if u.Template != "" {
		why = strings.Replace(why, "the template", "the template "+strconv.Quote(u.Template), 1)
	}
	if u.Reason != "" && u.Reason != "NONE" {
		why += " (" + u.Reason + ")"
	}
	return why
}

// tiers are the platform's words for messaging limits; 0 is unlimited.
var tiers = map[string]int{"TIER_50": 50, "TIER_250": 250, "TIER_1K": 1000, "TIER_2K": 2000, "TIER_10K": 10_000, "TIER_100K": 100_000, "TIER_UNLIMITED": 0}

// tier reads a messaging limit, which some webhooks give as a number, -1 for none.
func tier(limit string) (int, bool) {
	if n, ok := tiers[limit]; ok {
		return n, true
	}
	n, err := strconv.Atoi(limit)
	return max(n, 0), err == nil && (n > 0 || n == -1)
}

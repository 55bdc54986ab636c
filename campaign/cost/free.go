package cost

import (
	"slices"
	"time"
)

// The categories of messages. Service is every message without a template.
const (
	Marketing      = "marketing"
	Utility        = "utility"
	Authentication = "authentication"
	Service        = "service"
)

const (
	pricingPage = "Meta, developers.facebook.com/documentation/business-messaging/whatsapp/pricing, read 2026-11-30"
	vendors     = "vendors (ChakraHQ, YCloud, charles, Patagon, Make), read 2026-11-30; Meta's own page was not seen"
)

// FreeRule is one kind of message that is free between two days. The days begin at midnight UTC; the platform counts in the account's time zone.
type FreeRule struct {
	Category    string
	From, Until time.Time // first day, and first day on which it is over
	InWindow    bool      // only within 24 hours of the recipient's last message
	Says        string
	Source      string
}

// FreeRules lists what is free, as far as a list tells. What is not here is charged; a row ends when the platform says so.
var FreeRules = []FreeRule{
	{Service, time.Date(2024, 11, 1, 0, 0, 0, 0, time.UTC), october2026, false, "messages without a template were free until the end of September 2026", pricingPage},
	{Utility, time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC), october2026, true,
		"utility templates within 24 hours of the recipient's last message were free until the end of September 2026", pricingPage},
}

// Caveat is what changes a bill and cannot be known from a list.
type Caveat struct {
	Categories []string // that it concerns
	From       time.Time
	Says       string
	Source     string
}

// Caveats lists what no forecast of a bill can count in, by the day from which it holds.
var Caveats = []Caveat{
	{[]string{Marketing, Utility, Authentication, Service}, time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC),
		"only what is delivered is charged, so this is the most that it can be", pricingPage},
	{[]string{Marketing, Utility, Authentication, Service}, time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC),
		"everything is free for 72 hours after an answer to somebody who came by an ad or a Page's button; the list does not tell who did", pricingPage},
	{[]string{Utility, Authentication}, time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC), "the portfolio's volume of the month may lower the price", pricingPage},
	{[]string{Authentication}, time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC),
		"a business based elsewhere may pay authentication-international rates in EG, IN, ID, MY, NG, PK, SA, ZA, AE and more", pricingPage},
	{[]string{Service}, october2026, "1,000 free service messages a month for each number are reported; they are not taken off, since how many are used is not known", vendors},
	{[]string{Service}, october2026, "without a payment method further service messages are accepted and not delivered", vendors},
}

// free is the rule that makes a message free; nil for one that is charged.
func free(m Message) *FreeRule {
	for i, f := range FreeRules {
		if f.Category == m.Category && !m.At.Before(f.From) && m.At.Before(f.Until) && (m.Open || !f.InWindow) {
			return &FreeRules[i]
		}
	}
	return nil
}

// concerns says whether a caveat holds for a message.
func (c Caveat) concerns(m Message) bool {
	return slices.Contains(c.Categories, m.Category) && !m.At.Before(c.From)
}

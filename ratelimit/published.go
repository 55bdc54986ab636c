package ratelimit

import "time"

// The figures that the code counts with. Where each comes from, and who says otherwise, stands in [Published].
const (
	PairInterval    = 6 * time.Second  // what one message to a recipient costs
	PairBurst       = 45               // most messages to one recipient on credit
	PairBurstWindow = 6 * time.Second  // the span in which credit is given
	LevelDefault    = 80               // messages per second of a business number
	LevelUpgraded   = 1000             // after Meta's automatic upgrade
	LevelCoexist    = 20               // a number that the Business app uses too
	MessagingWindow = 24 * time.Hour   // the moving window of the messaging limit
	raiseEvery      = 10 * time.Second // our own: how often a slowed number gains 5 % of its level
	HoldFor         = 60 * time.Second // how long a number in maintenance is left alone
	HoldProbes      = 10               // our own: probes of a held number before giving up
)

// Tiers are the messaging limits that a portfolio can have below "unlimited", in distinct recipients per moving 24 hours.
var Tiers = []int{250, 2000, 10000, 100000}

// Figure is one published number with its origin.
type Figure struct {
	Name     string // what it limits
	Value    string
	Unit     string
	Scope    string // what is counted together
	Code     int    // the error when it is exceeded, 0 when none is named
	Source   string
	Read     string // the day we read it, YYYY-MM-DD
	Disputed string // who says otherwise and what, empty when nobody does
}

const (
	aboutPlatform  = "Meta, developers.facebook.com/documentation/business-messaging/whatsapp/about-the-platform"
	throughputPage = "Meta, developers.facebook.com/documentation/business-messaging/whatsapp/throughput"
	messagingPage  = "Meta, developers.facebook.com/documentation/business-messaging/whatsapp/messaging-limits"
	perUserPage    = "Meta, developers.facebook.com/documentation/business-messaging/whatsapp/templates/marketing-templates/per-user-limits"
	pairScope      = "business number and recipient"
	numberScope    = "business number, inbound and outbound together"
	portfolioScope = "business portfolio, all its numbers together"
	readNovember   = "2026-11-30"
)

// Published lists every figure about the platform's limits that wactl knows, in the order people ask for them.
var Published = []Figure{
	{"pair rate", "1", "message in 6 s", pairScope, 131056, aboutPlatform, readNovember,
		"Vectalk's article of 2026-10-28 says that none is published and waits 30 s"},
	{"pair burst", "45", "messages in 6 s, on credit", pairScope, 131056, aboutPlatform, readNovember,
		"whether the 46th is refused at once, or whether the credit stands at all times, is not published: readings strict and bucket45"},
	{"silence after a burst", "6 × messages", "seconds", pairScope, 131056, aboutPlatform, readNovember,
		"Meta's only example is 20 messages, about 2 minutes; whether it counts from the burst's first or last message is not published"},
	{"retry after 131056", "4^X, X = 0, 1, 2 …", "seconds", pairScope, 131056, aboutPlatform, readNovember,
		"Vectalk's article of 2026-10-28 waits 30 s"},
	{"throughput", "80", "messages per second", numberScope, 130429, throughputPage, readNovember, ""},
	{"throughput, upgraded", "1,000", "messages per second", numberScope, 130429, throughputPage, readNovember, ""},
	{"throughput, coexistence", "20", "messages per second", numberScope, 130429, throughputPage, readNovember,
		"an old npm package says 5"},
	{"upgrade in progress", "60", "seconds at most", "business number", 131057, throughputPage, readNovember, ""},
	{"messaging limit", "250, 2,000, 10,000, 100,000 or unlimited", "distinct recipients in a moving 24 h, outside service windows", portfolioScope, 0,
		messagingPage, readNovember, "no page names the error code; 131048 is the nearest text"},
	{"service window", "24", "hours after the recipient's last message", pairScope, 131047, messagingPage, readNovember, ""},
	{"marketing per user", "unpublished", "", "recipient, all businesses together", 131049, perUserPage, readNovember,
		"no pace cures it: wait at least 24 h"},
}

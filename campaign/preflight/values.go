package preflight

import "cmp"

// says is what one of the platform's values means for a send.
type says struct {
	verdict Verdict
	means   string
	advice  string
}

const (
	lookAtNumber   = "look at the number in WhatsApp Manager"
	lookAtTemplate = "look at the template in WhatsApp Manager"
)

// statuses of a number. It must be CONNECTED to send.
var statuses = map[string]says{
	"CONNECTED":    {OK, "connected", ""},
	"FLAGGED":      {Warning, "flagged: many people blocked or reported its messages", "send to people who expect the message only"},
	"PENDING":      {Stop, "not registered yet", "register the number, then run again"},
	"UNVERIFIED":   {Stop, "not verified", "verify and register the number in WhatsApp Manager"},
	"DISCONNECTED": {Stop, "not connected to the API", "register the number, then run again"},
	"DELETED":      {Stop, "deleted", "check --phone-number-id"},
	"MIGRATED":     {Stop, "moved to another account", "check --phone-number-id: a moved number has a new id"},
	"BANNED":       {Stop, "banned for breaking the platform's policy", lookAtNumber + " and appeal"},
	"RESTRICTED":   {Stop, "restricted", lookAtNumber + "; go on when the restriction is lifted"},
	"RATE_LIMITED": {Stop, "it has used up its messaging limit", "wait until the last 24 hours have passed"},
}

var qualities = map[string]says{
	"GREEN":   {OK, "high", ""},
	"YELLOW":  {Warning, "medium: some people blocked or reported its messages", "send to people who expect the message only"},
	"RED":     {Stop, "low: many people blocked or reported its messages", "look at consent and content; more of the same gets the number restricted (131048)"},
	"NA":      {OK, "not rated yet", ""},
	"UNKNOWN": {OK, "not rated yet", ""},
}

var modes = map[string]says{
	"LIVE":    {OK, "live", ""},
	"SANDBOX": {Warning, "a test number: it reaches at most five people, who must be on its list", "send from a live number, or add the people in the app's dashboard"},
}

var nameStatuses = map[string]says{
	"APPROVED":                 {OK, "approved", ""},
	"AVAILABLE_WITHOUT_REVIEW": {OK, "usable without review", ""},
	"DECLINED":                 {Warning, "declined", "correct the display name in WhatsApp Manager"},
	"EXPIRED":                  {Warning, "its approval has expired", "ask for a new review in WhatsApp Manager"},
	"PENDING_REVIEW":           {Warning, "in review", "a number from the platform itself cannot send before (131037)"},
	"NONE":                     {Warning, "there is none", "give the number a display name in WhatsApp Manager"},
}

var templateStatuses = map[string]says{
	"APPROVED":         {OK, "approved", ""},
	"REINSTATED":       {OK, "approved again", ""},
	"FLAGGED":          {Warning, "flagged: it will be paused if people go on blocking it", "look at whom it is sent to"},
	"PAUSED":           {Stop, "paused for its quality", "wait until the pause is over, or change the template"},
	"DISABLED":         {Stop, "disabled", "make a new template"},
	"PENDING":          {Stop, "not approved yet", "wait for the approval"},
	"REJECTED":         {Stop, "rejected", "change the template and hand it in again"},
	"IN_APPEAL":        {Stop, "rejected, and the appeal is not decided", "wait for the decision"},
	"ARCHIVED":         {Stop, "archived", "take it out of the archive in WhatsApp Manager"},
	"DELETED":          {Stop, "deleted", "check --template"},
	"PENDING_DELETION": {Stop, "being deleted", "check --template"},
	"LOCKED":           {Stop, "locked", lookAtTemplate},
	"LIMIT_EXCEEDED":   {Stop, "over the account's number of templates", "delete templates that nobody uses"},
}

var templateQualities = map[string]says{
	"GREEN":   {OK, "high", ""},
	"YELLOW":  {Warning, "medium: it may be paused if people go on blocking it", "look at whom it is sent to"},
	"RED":     {Warning, "low: it is likely to be paused", "change the template, or send to people who expect it only"},
	"UNKNOWN": {OK, "not rated yet", ""},
	"NA":      {OK, "not rated yet", ""},
}

// sending is what the health of an entity means.
var sending = map[string]says{
	"AVAILABLE": {OK, "can send", ""},
	"LIMITED":   {Warning, "can send with limits", "see its health in WhatsApp Manager"},
	"BLOCKED":   {Stop, "cannot send", "see its health in WhatsApp Manager"},
}

// paymentCodes are the codes that say that nobody pays for the messages.
var paymentCodes = []int{131042, 131044, 141006}

// judge is a finding about one of the platform's values; what the table lacks nobody judges.
func judge(table map[string]says, value string) finding {
	if value == "" {
		return finding{verdict: Unknown, detail: "the platform did not tell"}
	}
	s, known := table[value]
	if !known {
		return finding{verdict: Unknown, detail: "the platform says " + shown(value) + ", which is not known here", advice: "look it up in the platform's documentation"}
	}
	return finding{verdict: cmp.Or(s.verdict, Unknown), detail: s.means + " (" + value + ")", advice: s.advice}
}

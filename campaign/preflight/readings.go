package preflight

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/ratelimit"
)

// Number is what the platform says about a business phone number, in its own words. An empty field was not told.
type Number struct {
	ID          string
	Display     string // the phone number as people write it
	Name        string // the verified name
	Status      string // "CONNECTED", "BANNED", …
	Quality     string // "GREEN", "YELLOW", "RED", "UNKNOWN"
	Level       string // throughput level: "STANDARD", "HIGH"
	Limit       string // messaging limit: "TIER_250" … "TIER_UNLIMITED"
	Mode        string // "LIVE" or "SANDBOX"
	NameStatus  string // review of the display name
	Platform    string // "CLOUD_API", "ON_PREMISE", "NOT_APPLICABLE"
	BusinessApp *bool  // the number is used in the Business app; nil: not told
	Health      *Health
}

// Health is whether messages may be sent, as a whole and for each part that takes part in sending.
type Health struct {
	CanSend  string // "AVAILABLE", "LIMITED" or "BLOCKED": the worst of the entities
	Entities []Entity
}

// Entity is one part that takes part in sending: number, account, business, app or template.
type Entity struct {
	Type    string // "PHONE_NUMBER", "WABA", "BUSINESS", "APP", "MESSAGE_TEMPLATE"
	ID      string
	CanSend string
	Info    []string // why it is limited
	Faults  []Fault  // why it is blocked
}

// Fault is one reason why an entity is blocked, with what the platform says to do. Code is of the family 141000 mostly.
type Fault struct {
	Code                  int
	Description, Solution string
}

// Account is the id of the WhatsApp Business account that the number belongs to, from its health; empty when not told.
func (n Number) Account() string {
	if n.Health == nil {
		return ""
	}
	at := slices.IndexFunc(n.Health.Entities, func(e Entity) bool { return e.Type == "WABA" })
	if at < 0 {
		return ""
	}
	return n.Health.Entities[at].ID
}

// Coexists says whether the Business app uses the number too, and whether the platform told so.
func (n Number) Coexists() (yes, known bool) {
	switch {
	case n.BusinessApp == nil:
		return false, false
	case !*n.BusinessApp:
		return false, true
	}
	return n.Platform == "CLOUD_API", n.Platform != ""
}

// levels are the platform's words for messages per second. Only STANDARD is its own sample; HIGH is what others report.
var levels = map[string]int{"STANDARD": ratelimit.LevelDefault, "HIGH": ratelimit.LevelUpgraded}

// MPS is the messages per second that the platform allows the number, inbound ones counted; 0 when it is not told.
func (n Number) MPS() int {
	if yes, _ := n.Coexists(); yes {
		return ratelimit.LevelCoexist
	}
	return levels[n.Level]
}

// Tier is the messaging limit in people per moving 24 hours, 0 for unlimited; known is false when it is not told.
func (n Number) Tier() (people int, known bool) { return tier(n.Limit) }

// tier reads "TIER_250", "TIER_1K", "TIER_100K", "TIER_UNLIMITED"; the deprecated steps are read too.
func tier(word string) (people int, known bool) {
	steps, ok := strings.CutPrefix(word, "TIER_")
	if !ok {
		return 0, false
	}
	if steps == "UNLIMITED" {
		return 0, true
	}
	factor := 1
	if thousands, found := strings.CutSuffix(steps, "K"); found {
		steps, factor = thousands, 1000
	}
	n, err := strconv.Atoi(steps)
	if err != nil || n <= 0 || n > 1_000_000 {
		return 0, false
	}
	return n * factor, true
}

// Template is one template in one language as the platform has it, with what a campaign's own copy may not know.
type Template struct {
	template.Template
	ID       string
	Raw      json.RawMessage // as the API returned it
	Quality  string          // "GREEN", "YELLOW", "RED", "UNKNOWN"; empty when not told
	Rejected string          // why it was rejected
	Correct  string          // the category that the platform will move it to, empty for none
	Samples  []string        // links of its sample media, which the platform cannot fetch itself
	Fault    error           // why its components cannot be read; the other fields hold all the same
}

// Use is one template in one language that the campaign sends, with the first message that does.
type Use struct {
	Message  template.Message // its Template and Language name the template
	Line     int              // of the campaign file
	Messages int
	Category string // that the plan was made with, empty unknown
}

// Link is one medium of the campaign: an https link, or a local file. Place is where a message carries it, see template.Places.
type Link struct {
	URL      string
	Local    bool
	Place    string
	Line     int // of the first message that carries it
	Messages int
	File     *template.File // what it holds, nil when nobody looked
	Err      error          // why it could not be fetched
}

// Asked is what the send asks for with flags, to be held against what the number may do. Zero fields ask for nothing.
type Asked struct {
	Pace      ratelimit.Pace
	Tier      int // people in 24 hours; 0 with TierGiven is unlimited
	TierGiven bool
}

// Readings are all that was read. What was not read has an error, or is left at zero where nothing asked for it.
type Readings struct {
	Number       Number
	NumberErr    error
	Templates    []Template // in every language, of all templates that Uses name
	TemplatesErr error
	Campaign     bool // a campaign was named: Uses, Links and the counts are of it
	Uses         []Use
	Links        []Link
	People       int // distinct recipients
	American     int // of them with a number of the United States
	Asked        Asked
}

// Refusal is why a reading is not there: the platform refused it, or it could not be reached.
type Refusal struct {
	What        string // what was read: "number 123"
	Code        int
	HasCode     bool // 0 is a code too
	Missing     bool // there is no such object, or not for this token
	HTTPStatus  int  // 0 when no answer came
	Title       string
	Details     string
	Wait        time.Duration // how long the platform asks to leave it alone, 0 not told
	Unreachable bool          // no answer came at all
}

// Error is what was read and why it is not there.
func (r *Refusal) Error() string {
	text := "read " + r.What + ": "
	switch {
	case r.HasCode:
		text += fmt.Sprintf("refused with code %d", r.Code)
	case r.HTTPStatus != 0:
		text += fmt.Sprintf("HTTP status %d", r.HTTPStatus)
	default:
		text += "no answer"
	}
	for _, more := range []string{r.Title, r.Details} {
		if more != "" {
			text += ": " + more
		}
	}
	return text
}

// Hint is what a person can do about it.
func (r *Refusal) Hint() string {
	switch {
	case r.Wait > 0:
		return "run it again after " + r.Wait.Round(time.Second).String()
	case r.Missing:
		return "check the id; the token needs whatsapp_business_management for the account that owns it"
	case r.HasCode:
		return outcome.ForCode(r.Code).Advice
	case r.Unreachable:
		return "look at the network and at --base-url"
	case r.HTTPStatus >= 500:
		return "the server is at fault; run it again later"
	case r.HTTPStatus/100 == 3:
		return "it points to another address, which is not followed; if that is the right one, name it with --base-url"
	}
	return "what answers there does not speak as the platform does; look at --base-url"
}

// BadToken says that the access token itself was refused, so that no other call can do better.
func (r *Refusal) BadToken() bool {
	return r.HasCode && outcome.ForCode(r.Code).Scope == outcome.ScopeToken
}

package feedback

import (
	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// Batch is news to be written down together. The zero value is no news.
type Batch struct {
	Numbers  []Number
	Statuses []Status
	Inbound  []Inbound
	Echoes   []Echo
	OptOuts  []OptOut
	Orders   []Order
}

// What is counted by name when a batch is written down, beside steps by the state that they came into.
const (
	CountNew    = "new"    // statuses, echoes, messages and orders that were not known
	CountOrphan = "orphan" // of them statuses about messages that the state does not know, or not yet
)

// Empty says that there is nothing to write down.
func (b *Batch) Empty() bool {
	return len(b.Numbers)+len(b.Statuses)+len(b.Inbound)+len(b.Echoes)+len(b.OptOuts)+len(b.Orders) == 0
}

// Add appends the news of another batch.
func (b *Batch) Add(more Batch) {
	b.Numbers = append(b.Numbers, more.Numbers...)
	b.Statuses = append(b.Statuses, more.Statuses...)
	b.Inbound = append(b.Inbound, more.Inbound...)
	b.Echoes = append(b.Echoes, more.Echoes...)
	b.OptOuts = append(b.OptOuts, more.OptOuts...)
	b.Orders = append(b.Orders, more.Orders...)
}

// Number is what a webhook tells in passing: which account a business number belongs to, and how it is dialled. Empty is unknown.
type Number struct {
	ID      string // business phone number id
	Account string
	Display string // digits
}

// Status is one word about a message. The same word for the same message is kept once, however often it comes.
type Status struct {
	Step      string // the step's id, which the platform hands back; empty when it does not
	MessageID string
	Kind      string            // "sent", "delivered", "read", "failed", or another word of the platform
	At        ratelimit.Instant // by the platform's clock; 0 unknown
	Code      int               // of "failed", 0 without one
	NumberID  string
	Details   string // the platform's explanation, may be empty
}

// Inbound says that a person wrote to a business number. It opens a service window, and counts to the number's throughput.
type Inbound struct {
	MessageID string
	NumberID  string
	Person    campaign.Recipient
	At        ratelimit.Instant
}

// Echo is a message that somebody sent to a person from the Business app: the pair's quota is spent by it too.
type Echo struct {
	MessageID string
	NumberID  string
	Phone     uint64 // digits of the E.164 number
	At        ratelimit.Instant
}

// Scope is which messages an opt-out is about.
type Scope string

// The scopes, as the list of opt-outs keeps them.
const (
	Everything Scope = "all"
	Marketing  Scope = "marketing"
)

// OptOut says that a person wants no more messages, or with Resumed that marketing messages are welcome again.
type OptOut struct {
	Person   campaign.Recipient
	NumberID string // of a marketing opt-out: from whose account; empty: from any
	Scope    Scope
	Resumed  bool
	Reason   string
	At       ratelimit.Instant
}

// OrderKind is what an order asks a running send to do.
type OrderKind string

// The orders that news from the platform gives.
const (
	OrderStop  OrderKind = "stop"  // going on would do harm
	OrderLevel OrderKind = "level" // the number's throughput is now Value messages a second
	OrderTier  OrderKind = "tier"  // the messaging limit is now Value recipients in 24 hours; 0 is unlimited
)

// Order is to every running send that it concerns: all that fit the fields that are set, and those of which that is not known.
type Order struct {
	Kind     OrderKind
	Account  string
	NumberID string
	Display  string // business number, digits
	Template string
	Language string // of Template; empty: any
	Value    int
	Code     int // the platform's code that a message would get, 0 without one
	Reason   string
	At       ratelimit.Instant // when it came about; 0 unknown
}

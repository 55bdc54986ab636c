package campaign

import (
	"context"
	"time"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/template"
)

// Recipient is one person. Phone is E.164 with "+"; BSUID is the platform's business-scoped user id. At least one is set.
type Recipient struct {
	Phone string
	BSUID string
}

// Step is one message to one recipient. It stays the same step when its text is corrected before it was sent.
type Step struct {
	Seq       int    // position in the campaign, from 0, in file order
	ID        string // 26 characters, no phone number in it; sent as biz_opaque_callback_data
	Recipient Recipient
	Ordinal   int    // which of this recipient's messages, from 0
	Line      int    // physical line of the campaign file, from 1
	NumberID  string // the business phone number's id
	Message   template.Message
}

// Answer is what came back for one request, already judged.
type Answer struct {
	Class         outcome.Class
	Code          int    // platform error code, 0 without one
	Title         string // the platform's short text for Code
	Details       string // the platform's or the transport's explanation, safe to show
	MessageID     string // wamid, set when accepted
	WaID          string // the recipient as the platform knows it, digits
	UserID        string // business-scoped user id, when told
	MessageStatus string // "accepted", "held_for_quality_assessment", … or empty
	HTTPStatus    int    // 0 when no answer came
	RetryAfter    time.Duration
	BytesWritten  bool // whether any byte of the request left this machine
}

// Provider sends one message and judges the answer. Every implementation passes the suite in providertest.
//
// Send never panics and never returns an error beside the Answer: what went wrong is in the Answer's Class.
type Provider interface {
	Send(ctx context.Context, s Step) Answer
}

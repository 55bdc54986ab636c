package wire

import "encoding/json"

// Request is the body of POST /{phone-number-id}/messages.
type Request struct {
	MessagingProduct string    `json:"messaging_product"` // always "whatsapp"
	RecipientType    string    `json:"recipient_type,omitempty"`
	To               string    `json:"to,omitempty"`        // phone number, sent with "+"
	Recipient        string    `json:"recipient,omitempty"` // business-scoped user id
	Type             string    `json:"type"`
	Template         *Template `json:"template,omitempty"`
	Text             *Text     `json:"text,omitempty"`
	Image            *Media    `json:"image,omitempty"`
	Video            *Media    `json:"video,omitempty"`
	Document         *Media    `json:"document,omitempty"`
	CallbackData     string    `json:"biz_opaque_callback_data,omitempty"` // up to 512 characters, comes back in statuses
}

// Template is the template object of a Request.
type Template struct {
	Name       string      `json:"name"`
	Language   Language    `json:"language"`
	Components []Component `json:"components,omitempty"`
}

// Language wraps a template's language code.
type Language struct {
	Code string `json:"code"`
}

// Component is one part of a template that takes values: header, body or button.
type Component struct {
	Type       string      `json:"type"`
	SubType    string      `json:"sub_type,omitempty"` // buttons: "url", "quick_reply", "copy_code"
	Index      *int        `json:"index,omitempty"`    // buttons: position among all buttons, from 0
	Parameters []Parameter `json:"parameters,omitempty"`
}

// Parameter is one value of a Component.
type Parameter struct {
	Type       string `json:"type"`
	Name       string `json:"parameter_name,omitempty"`
	Text       string `json:"text,omitempty"`
	Payload    string `json:"payload,omitempty"`
	CouponCode string `json:"coupon_code,omitempty"`
	Image      *Media `json:"image,omitempty"`
	Video      *Media `json:"video,omitempty"`
	Document   *Media `json:"document,omitempty"`
}

// Text is the text object of a Request.
type Text struct {
	Body       string `json:"body"`
	PreviewURL bool   `json:"preview_url,omitempty"`
}

// Media is an image, video or document object: exactly one of ID and Link.
type Media struct {
	ID       string `json:"id,omitempty"`
	Link     string `json:"link,omitempty"`
	Caption  string `json:"caption,omitempty"`
	Filename string `json:"filename,omitempty"`
}

// Response is the body of an accepted message.
type Response struct {
	MessagingProduct string    `json:"messaging_product"`
	Contacts         []Contact `json:"contacts"`
	Messages         []Sent    `json:"messages"`
}

// Contact echoes the recipient: Input as it was sent, WaID as the platform knows it (absent when sent by user id).
type Contact struct {
	Input  string `json:"input,omitempty"`
	WaID   string `json:"wa_id,omitempty"`
	UserID string `json:"user_id,omitempty"`
}

// Sent names an accepted message. Status is "accepted", "held_for_quality_assessment", "paused" or absent.
type Sent struct {
	ID     string `json:"id"`
	Status string `json:"message_status,omitempty"`
}

// ErrorBody is the body of a refusal.
type ErrorBody struct {
	Error *Error `json:"error"`
}

// Error is the platform's error object. Only Code decides; texts and HTTP status vary.
type Error struct {
	Message   string          `json:"message"`
	Type      string          `json:"type,omitempty"`
	Code      Code            `json:"code"`
	Data      json.RawMessage `json:"error_data,omitempty"` // an object, or a plain string in some answers
	Subcode   int             `json:"error_subcode,omitempty"`
	Transient *bool           `json:"is_transient,omitempty"`
	TraceID   string          `json:"fbtrace_id,omitempty"`
}

// ErrorData is the usual form of Error.Data.
type ErrorData struct {
	MessagingProduct string `json:"messaging_product,omitempty"`
	Details          string `json:"details,omitempty"`
}

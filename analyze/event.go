package analyze

import "time"

// Kind says what an event of a log shows about one message.
type Kind uint8

// The kinds of event.
const (
	Other     Kind = iota // an error without a message, or a status that says nothing of sending (deleted, warning)
	Attempt               // a request whose answer the log does not show: timed out, cut, or logged before the answer
	Accepted              // the API took the message (200, mostly with an id) and nothing is known of its later fate
	Refused               // the API answered the request with an error code
	Sent                  // a status: the platform sent the message on
	Delivered             // a status: it arrived; when it was sent is not known from this
	Read                  // a status: it was read; when it was sent is not known from this
	Failed                // a status: it failed with Code, though the API may have answered 200
	Inbound               // the user wrote to the business
	Echo                  // the business wrote from the WhatsApp Business app (coexistence)
)

// Place is where in the sources a record starts.
type Place struct {
	File int // index of the source in the order they are read
	Line int // physical line, sheet row or, in one long JSON text, the line where the record starts; from 1
}

// Event is one thing that a log shows about one message, in the log's own spelling.
//
// A reader makes no guess: what the record does not show is the zero value. Who is who, what counts once and whose clock is right is decided later.
type Event struct {
	Kind  Kind
	At    time.Time     // when it happened, by the record's best clock (the platform's own timestamp before any prefix); zero: unknown
	Until time.Duration // resolution of At: 1 s for the platform's statuses, 1 ms for most loggers; zero counts as 1 ms
	Naive bool          // At was written without a zone and read as the zone that the options give (UTC if none)

	Logged time.Time // when the log wrote the record down, where that differs from At; zero: unknown

	Number    string // business phone number id; or what stands for it: display number's digits, inbox, app, connection
	Recipient string // digits, +digits, JID, hash or other id of the user, as logged
	UserID    string // business-scoped user id (BSUID), if the record shows one beside or in place of Recipient
	WaID      string // the platform's own spelling of Recipient, if the record shows both
	MessageID string // wamid or the provider's id
	Request   string // key that the sender gave one request (step, request id), where its Attempt and its answer are two records; empty: none
	Code      int    // error code as logged; 0: none
	Reason    string // error text, for people and for providers that have no code

	Place  Place
	Detail Detail
}

// Detail is what only patterns and people need; it is read for the pairs that failed.
type Detail struct {
	Client   string // user agent, client address or system that sent
	Campaign string // campaign, broadcast or list
	Row      string // row or position in that list
	Job      string // job, task or idempotency key that the sender gave this message
	Attempt  int    // which try of the job the log says this is; 0: not said
	Part     int    // which part of one message this is, from 1, where a long one was cut; 0: not said
	Template string // template name
	Category string // template category: authentication, marketing, utility
	Text     string // the message's text, or a media caption
	Trigger  string // what made the sender send, as logged: login, resend_click
	InReply  string // wamid of the inbound message that this answers
	Host     string // machine or stream that wrote the record
}

package outcome

import "time"

// Bare is an answer that carries no error code, or the lack of any answer, reduced to what decides.
type Bare struct {
	HTTPStatus    int    // 0 when no answer came
	BytesWritten  bool   // whether any byte of the request left this machine
	MessageID     bool   // the body names an accepted message
	MessageStatus string // what the body says about that message, often empty
	Refused       bool   // the body names an accepted message and an error at once
	Cut           bool   // the body ended early
	HTML          bool   // the body is a web page
	TimedOut      bool   // our own time limit ended the wait
}

// Verdict is what an answer without a code means.
type Verdict struct {
	Class  Class
	Why    string        // what happened, as a clause
	Advice string        // what a person can do, as a sentence; empty when it went well
	Tries  int           // RetryFew only: attempts in all before the message has failed
	Wait   time.Duration // NumberHold only: how long to pause when the answer names no time
}

// WithoutCode says what b means: the first row of the table that fits.
func WithoutCode(b Bare) Verdict {
	for _, r := range bare {
		if r.when(b) {
			return r.Verdict
		}
	}
	return lastResort
}

type bareRow struct {
	when func(Bare) bool
	Verdict
}

const (
	notResent = "It may have arrived, so it is not sent again by itself; its delivery status settles it."
	theAPI    = "Check --base-url: this does not look like the API."
)

// bare is the table of answers without a code, in order: the first row that fits decides.
//
// Only three rows ask for another try or a pause; they are those where the platform cannot have taken the message.
var bare = []bareRow{
	{func(b Bare) bool { return b.MessageID && b.Refused }, Verdict{
		Class: Uncertain, Why: "the answer names an accepted message and an error at once", Advice: notResent}},
	{func(b Bare) bool { return b.MessageID && b.ok() && keptBack(b.MessageStatus) }, Verdict{
		Class: Held, Why: "accepted, and kept back by the platform until it has seen how people react"}},
	{func(b Bare) bool { return b.MessageID && b.ok() }, Verdict{
		Class: Accepted, Why: "accepted"}},
	{func(b Bare) bool { return b.MessageID }, Verdict{
		Class: Uncertain, Why: "the answer names an accepted message under an HTTP status that refuses it", Advice: notResent}},
	{func(b Bare) bool { return b.HTTPStatus == 429 }, Verdict{
		Class: NumberHold, Wait: time.Minute, Why: "too many requests, says a server that gives no platform code",
		Advice: "Lower --mps if it comes again."}},
	{func(b Bare) bool { return b.HTTPStatus == 0 && !b.BytesWritten }, Verdict{
		Class: RetryFew, Tries: 3, Why: "no connection could be made, and nothing was sent",
		Advice: "Check the network, the proxy and --base-url."}},
	{func(b Bare) bool { return b.HTTPStatus == 0 && b.TimedOut }, Verdict{
		Class: Uncertain, Why: "no answer came in time", Advice: notResent}},
	{func(b Bare) bool { return b.HTTPStatus == 0 }, Verdict{
		Class: Uncertain, Why: "the connection broke before an answer came", Advice: notResent}},
	{func(b Bare) bool { return b.Cut }, Verdict{
		Class: Uncertain, Why: "the answer was cut short", Advice: notResent}},
	{func(b Bare) bool { return b.HTTPStatus >= 500 }, Verdict{
		Class: Uncertain, Why: "the server failed without saying whether it took the message", Advice: notResent}},
	{func(b Bare) bool { return b.ok() && b.HTML }, Verdict{
		Class: Uncertain, Why: "the answer is a web page and not the API's", Advice: theAPI}},
	{func(b Bare) bool { return b.ok() }, Verdict{
		Class: Uncertain, Why: "the answer says success and names no message", Advice: notResent}},
	{func(b Bare) bool { return b.HTTPStatus >= 400 }, Verdict{
		Class: RequestWrong, Why: "refused without a platform code", Advice: "Check --base-url, --api-version and the phone number id."}},
	{func(b Bare) bool { return b.HTTPStatus >= 300 }, Verdict{
		Class: RequestWrong, Why: "the server points to another address, which is not followed", Advice: theAPI}},
}

// lastResort answers what no row foresees, such as a final status below 200: nobody knows what such a server did.
var lastResort = Verdict{Class: Uncertain, Why: "the answer is none that the API gives", Advice: notResent}

func (b Bare) ok() bool { return b.HTTPStatus >= 200 && b.HTTPStatus < 300 }

// keptBack tells the two words that the platform uses for a message it took and does not deliver yet.
func keptBack(messageStatus string) bool {
	return messageStatus == "held_for_quality_assessment" || messageStatus == "paused"
}

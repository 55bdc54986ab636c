package readlog

import (
	"strings"
	"time"

	"github.com/wactl/wactl/analyze"
)

const platform = "whatsapp_business_account"

// statusKinds are the platform's words, and those that providers add to them. Any other word says nothing of sending.
var statusKinds = map[string]analyze.Kind{
	"accepted": analyze.Accepted, "enqueued": analyze.Accepted, "queued": analyze.Accepted,
	"sent": analyze.Sent, "delivered": analyze.Delivered, "read": analyze.Read, "played": analyze.Read,
	"failed": analyze.Failed, "undelivered": analyze.Failed, "error": analyze.Failed,
}

// isWebhook says whether o is what the platform posts, whole.
func isWebhook(o object) bool {
	_, ok := o["entry"].([]any)
	return ok && str(o["object"]) == platform
}

// isChange says whether o is one element of a webhook's changes.
func isChange(o object) bool { return has(o, "field") && isChangeValue(obj(o["value"])) }

// isChangeValue says whether o is what stands in a change, without anything around it. An API answer has messages too, but no metadata.
func isChangeValue(o object) bool {
	if !hasAny(o, "statuses", "messages", "message_echoes", "errors") {
		return false
	}
	if has(obj(o["metadata"]), "phone_number_id") || has(obj(o["metadata"]), "display_phone_number") {
		return true
	}
	return isStatus(obj(at(o["statuses"], "0")))
}

// isStatus says whether o is one element of statuses.
func isStatus(o object) bool {
	if !has(o, "id", "status") || !hasAny(o, "recipient_id", "recipient_user_id") {
		return false
	}
	_, known := statusKinds[str(o["status"])]
	return known
}

// webhookEvents is every event of a webhook, with its batches in their order.
func (p *pass) webhookEvents(payload object) (events []analyze.Event) {
	for entry := range objects(payload["entry"]) {
		for change := range objects(entry["changes"]) {
			events = append(events, p.changeEvents(obj(change["value"]))...)
		}
	}
	return events
}

// changeEvents is every event of one change's value: what was sent, what came, what the business wrote from its app, what went wrong.
func (p *pass) changeEvents(value object) (events []analyze.Event) {
	number := first(obj(value["metadata"]), "phone_number_id", "display_phone_number")
	contacts := value["contacts"]
	for s := range objects(value["statuses"]) {
		events = append(events, p.status(s, contacts))
	}
	for m := range objects(value["messages"]) {
		events = append(events, p.message(m, contacts))
	}
	for m := range objects(value["message_echoes"]) {
		events = append(events, p.echo(m))
	}
	for e := range objects(value["errors"]) {
		events = append(events, analyze.Event{Kind: analyze.Other, Code: codeOf(e), Reason: reasonOf(e)})
	}
	for i := range events {
		events[i].Number = number
	}
	return events
}

// platformTime is the platform's own instant, in whole seconds; a provider may write milliseconds.
func (p *pass) platformTime(e *analyze.Event, v any) {
	st, ok := p.clock.read(v)
	if !ok {
		return
	}
	e.At, e.Until, e.Naive = st.at, st.until, st.naive
	if e.Until == 0 {
		e.Until = time.Second
	}
}

func (p *pass) status(s object, contacts any) analyze.Event {
	e := analyze.Event{
		Kind:      statusKinds[strings.ToLower(str(s["status"]))],
		Recipient: str(s["recipient_id"]),
		UserID:    str(s["recipient_user_id"]),
		MessageID: first(s, "gs_id", "id"),
	}
	p.platformTime(&e, s["timestamp"])
	withContact(&e, contacts)
	if e.Kind == analyze.Failed || e.Kind == analyze.Other {
		e.Code, e.Reason = failureOf(s)
	}
	if p.want.Details {
		e.Detail.Category = first(obj(s["pricing"]), "category")
		e.Detail.Job = str(s["biz_opaque_callback_data"])
	}
	return e
}

// failureOf is the first error of a status that has a code, or the pair limit's where it stands behind another one. A status says in errors, error
// or in itself what went wrong.
func failureOf(s object) (code int, reason string) {
	for _, v := range append(list(s["errors"]), s["errors"], s["error"]) {
		e := obj(v)
		switch c := codeOf(e); {
		case c == pairCode:
			return c, reasonOf(e)
		case code == 0 && (c != 0 || reason == ""):
			code, reason = c, reasonOf(e)
		}
	}
	return code, reason
}

// codeOf is an error object's code, or else the one that its words name. The status of an answer is no code of the platform: what is named beside it wins.
func codeOf(e object) int {
	code, ok := integer(e["code"])
	if ok && code > 0 && !isHTTPFault(code) {
		return code
	}
	if sub, _ := integer(e["error_subcode"]); sub == pairCode {
		return sub
	}
	if named := codeInText(reasonOf(e)); named != 0 {
		return named
	}
	if inner := obj(e["error"]); inner != nil {
		if named := codeOf(inner); named != 0 {
			return named
		}
	}
	return max(code, 0)
}

// isHTTPFault says whether a number is the status of an answer that failed.
func isHTTPFault(code int) bool { return code >= 400 && code < 600 }

// reasonOf is what an error object says: the first words that name a code, or else the first words.
func reasonOf(e object) (reason string) {
	for _, words := range [...]string{first(e, "message"), first(e, "title"), first(obj(e["error_data"]), "details"), first(e, "details", "description", "reason", "error_data")} {
		if reason == "" || codeInText(reason) == 0 && codeInText(words) != 0 {
			reason = words
		}
	}
	if inner := obj(e["error"]); reason == "" && inner != nil {
		return reasonOf(inner)
	}
	return reason
}

// withContact adds what the one contact beside a status says of its recipient.
func withContact(e *analyze.Event, contacts any) {
	for c := range objects(contacts) {
		id, user := str(c["wa_id"]), str(c["user_id"])
		if len(list(contacts)) > 1 && (id == "" || id != e.Recipient) {
			continue
		}
		if e.UserID == "" {
			e.UserID = user
		}
		switch {
		case e.Recipient == "":
			e.Recipient = id
		case id != e.Recipient:
			e.WaID = id
		}
	}
}

func (p *pass) message(m object, contacts any) analyze.Event {
	e := analyze.Event{Kind: analyze.Inbound, Recipient: str(m["from"]), UserID: str(m["from_user_id"]), MessageID: str(m["id"])}
	if str(m["type"]) == "system" {
		e.Kind = analyze.Other // the platform's note that a user changed the number
	}
	p.platformTime(&e, m["timestamp"])
	withContact(&e, contacts)
	p.content(&e, m)
	return e
}

func (p *pass) echo(m object) analyze.Event {
	e := analyze.Event{Kind: analyze.Echo, Recipient: str(m["to"]), UserID: str(m["to_user_id"]), MessageID: str(m["id"])}
	p.platformTime(&e, m["timestamp"])
	p.content(&e, m)
	return e
}

// content fills what a message says, for patterns and people.
func (p *pass) content(e *analyze.Event, m object) {
	if !p.want.Details {
		return
	}
	e.Detail.Text = contentText(m)
	e.Detail.Template = first(obj(m["template"]), "name")
	e.Detail.InReply = first(obj(m["context"]), "message_id", "id")
}

// contentText is the text or caption of a message in the platform's form.
func contentText(m object) string {
	if s := first(obj(m["text"]), "body"); s != "" {
		return s
	}
	for _, kind := range []string{"image", "video", "document"} {
		if s := first(obj(m[kind]), "caption"); s != "" {
			return s
		}
	}
	if s := first(obj(at(m["interactive"], "body")), "text"); s != "" {
		return s
	}
	return str(m["text"])
}

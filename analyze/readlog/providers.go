package readlog

import (
	"strings"

	"github.com/wactl/wactl/analyze"
)

// isGupshupV3 says whether o is the platform's webhook as Gupshup passes it on, with its own ids added.
func isGupshupV3(o object) bool { return isWebhook(o) && has(o, "gs_app_id") }

// isGupshup says whether o is Gupshup's own event.
func isGupshup(o object) bool {
	return has(o, "app", "type") && obj(o["payload"]) != nil && hasAny(o, "version", "timestamp")
}

// gupshup reads an event whose outer time counts milliseconds and whose inner one seconds. The app's name stands for the number, which is nowhere.
func (p *pass) gupshup(o object) []analyze.Event {
	body := obj(o["payload"])
	inner := obj(body["payload"])
	e := analyze.Event{Number: str(o["app"]), MessageID: first(body, "gsId", "id")}
	when := inner["ts"]
	if when == nil {
		when = o["timestamp"]
	}
	if st, ok := p.clock.read(when); ok {
		e.At, e.Until = st.at, st.until
	}
	switch str(o["type"]) {
	case "message-event":
		e.Kind = statusKinds[strings.ToLower(str(body["type"]))]
		e.Recipient = str(body["destination"])
		if e.Kind == analyze.Failed {
			e.Code, e.Reason = codeOf(inner), reasonOf(inner)
		}
	case "message":
		e.Kind, e.Recipient = analyze.Inbound, str(body["source"])
		e.Detail.Text = first(inner, "text", "caption")
	default:
		return nil
	}
	p.note("Gupshup's events name no business number: the app's name stands for it")
	return []analyze.Event{e}
}

// isOwnLog says whether o is a line of wactl's send log.
func isOwnLog(o object) bool {
	return has(o, "at", "event", "phone_number_id", "recipient", "step", "http_status", "code")
}

// ownLog reads a line of the send log. The intent has the instant of the request, the answer what became of it: they are one event.
func (p *pass) ownLog(o object) []analyze.Event {
	e := analyze.Event{Number: str(o["phone_number_id"]), Recipient: str(o["recipient"]), MessageID: str(o["message_id"])}
	e.Detail.Job = str(o["step"])
	e.Code, _ = integer(o["code"])
	if st, ok := p.clock.read(o["at"]); ok {
		e.At, e.Until = st.at, st.until
	}
	key := "step " + e.Detail.Job
	switch str(o["event"]) {
	case "intent":
		e.Kind = analyze.Attempt
		p.pend(key, formOwnLog, e)
		return nil
	case "answer":
		p.current.logged = stamp{at: e.At}
		p.answered(key, &e)
		e.Kind = answerKind(e)
	default:
		e.Kind = statusKinds[str(o["status"])]
	}
	return []analyze.Event{e}
}

// answerKind is what an answer says: a code refuses, an id accepts, and without either nobody knows.
func answerKind(e analyze.Event) analyze.Kind {
	switch {
	case e.Code != 0:
		return analyze.Refused
	case e.MessageID != "":
		return analyze.Accepted
	}
	return analyze.Attempt
}

// isJournal says whether o is a line of the emulator's journal.
func isJournal(o object) bool {
	return has(o, "at", "phone_number_id", "refused_by", "clear_at", "answered")
}

// journal reads a line of the emulator's journal, which knows what it accepted even where the answer was cut.
func (p *pass) journal(o object) []analyze.Event {
	e := analyze.Event{Kind: analyze.Refused, Number: str(o["phone_number_id"]), Recipient: first(o, "recipient", "to"), MessageID: str(o["message_id"]), Reason: str(o["refused_by"])}
	e.Code, _ = integer(o["code"])
	if e.MessageID != "" {
		e.Kind = analyze.Accepted
	}
	if st, ok := p.clock.read(o["at"]); ok {
		e.At, e.Until = st.at, st.until
	}
	e.Detail.Job = str(o["callback_data"])
	return []analyze.Event{e}
}

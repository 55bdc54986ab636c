package wire

import (
	"encoding/json"
	"time"
)

// statusBody is an item of "statuses". Only id and status must be there.
type statusBody struct {
	ID          looseText `json:"id"`
	Status      looseText `json:"status"`
	Timestamp   instant   `json:"timestamp"`
	RecipientID looseText `json:"recipient_id"`
	UserID      looseText `json:"recipient_user_id"`
	Callback    looseText `json:"biz_opaque_callback_data"`
	Errors      []struct {
		Code    looseCode `json:"code"`
		Title   looseText `json:"title"`
		Message looseText `json:"message"`
		Data    struct {
			Details looseText `json:"details"`
		} `json:"error_data"`
	} `json:"errors"`
}

func (w *Webhook) status(raw json.RawMessage, c *Change) {
	if s, ok := plainStatus(raw); ok {
		c.Statuses = append(c.Statuses, s)
		return
	}
	w.anyStatus(raw, c)
}

// anyStatus reads a status however it is written.
func (w *Webhook) anyStatus(raw json.RawMessage, c *Change) {
	var b statusBody
	if lenient(raw, &b) != nil || b.ID == "" || b.Status == "" {
		w.Unread++
		return
	}
	s := Status{MessageID: string(b.ID), Kind: string(b.Status), At: time.Time(b.Timestamp), Callback: string(b.Callback),
		WaID: string(b.RecipientID), UserID: string(b.UserID)}
	if len(b.Errors) > 0 {
		e := b.Errors[0]
		s.Code, s.Title, s.Details = Code(e.Code), withoutCode(text(string(e.Title), string(e.Message))), string(e.Data.Details)
	}
	s.WaID, s.UserID = person(s.WaID, s.UserID)
	c.Statuses = append(c.Statuses, s)
}

// person sorts the two ids of a person: some senders put the user id where the number belongs.
func person(waID, user string) (string, string) {
	if !isWaID(digits(waID)) || digits(waID) != waID && "+"+digits(waID) != waID {
		if user == "" {
			user = waID
		}
		return "", user
	}
	return digits(waID), user
}

// inboundBody is an item of "messages".
type inboundBody struct {
	ID        looseText `json:"id"`
	From      looseText `json:"from"`
	UserID    looseText `json:"from_user_id"`
	Timestamp instant   `json:"timestamp"`
	Type      looseText `json:"type"`
	Text      struct {
		Body looseText `json:"body"`
	} `json:"text"`
	Button struct {
		Text    looseText `json:"text"`
		Payload looseText `json:"payload"`
	} `json:"button"`
	Interactive struct {
		Button choiceBody `json:"button_reply"`
		List   choiceBody `json:"list_reply"`
	} `json:"interactive"`
}

type choiceBody struct {
	ID    looseText `json:"id"`
	Title looseText `json:"title"`
}

// systemType marks news about a person, such as a changed number, which nobody wrote.
const systemType = "system"

func (w *Webhook) inbound(raw json.RawMessage, who contact, c *Change) {
	var b inboundBody
	if lenient(raw, &b) != nil || b.ID == "" {
		w.Unread++
		return
	}
	if b.Type == systemType {
		return
	}
	m := Inbound{MessageID: string(b.ID), At: time.Time(b.Timestamp)}
	m.WaID, m.UserID = person(text(string(b.From), string(who.WaID)), text(string(b.UserID), string(who.UserID)))
	for _, t := range []looseText{b.Text.Body, b.Button.Text, b.Button.Payload, b.Interactive.Button.Title, b.Interactive.Button.ID,
		b.Interactive.List.Title, b.Interactive.List.ID} {
		if t != "" {
			m.Texts = append(m.Texts, string(t))
		}
	}
	c.Inbound = append(c.Inbound, m)
}

func (w *Webhook) echo(raw json.RawMessage, c *Change) {
	var b struct {
		ID        looseText `json:"id"`
		To        looseText `json:"to"`
		Timestamp instant   `json:"timestamp"`
	}
	if lenient(raw, &b) != nil || b.ID == "" || b.To == "" {
		w.Unread++
		return
	}
	e := Echo{MessageID: string(b.ID), At: time.Time(b.Timestamp)}
	e.WaID, _ = person(string(b.To), "")
	c.Echoes = append(c.Echoes, e)
}

func (w *Webhook) preference(raw json.RawMessage, c *Change) {
	var b struct {
		WaID      looseText `json:"wa_id"`
		UserID    looseText `json:"user_id"`
		Category  looseText `json:"category"`
		Value     looseText `json:"value"`
		Timestamp instant   `json:"timestamp"`
	}
	if lenient(raw, &b) != nil || b.Value != "stop" && b.Value != "resume" {
		w.Unread++
		return
	}
	if b.Category != "" && b.Category != "marketing_messages" {
		return
	}
	p := Preference{Stopped: b.Value == "stop", At: time.Time(b.Timestamp)}
	p.WaID, p.UserID = person(string(b.WaID), string(b.UserID))
	c.Preferences = append(c.Preferences, p)
}

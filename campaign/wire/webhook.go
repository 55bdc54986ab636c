package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"
)

// Webhook is what one webhook body tells, change by change. What could not be read is counted, and spoils nothing beside it.
type Webhook struct {
	Changes []Change
	Unread  int // changes or items whose shape is none that the platform gives
}

// Change is one change of a webhook: a field of an account with its news. Fields that the webhook lacks are zero.
type Change struct {
	Account  string    // id of the WhatsApp Business account
	At       time.Time // when the platform made the notification; zero when it does not say
	Field    string    // "messages", "account_update", …; empty in exports that keep the value only
	NumberID string    // business phone number id
	Display  string    // business phone number, digits

	Statuses    []Status
	Inbound     []Inbound
	Echoes      []Echo
	Preferences []Preference
	Codes       []Code // errors of the number or account as a whole
	Update      Update // of fields that are about template, number or account
}

// Status is one step of a message's way: Kind is "sent", "delivered", "read", "failed", "played" or a word that is not known yet.
type Status struct {
	MessageID string
	Kind      string
	At        time.Time // when the webhook was made, whole seconds; zero when it does not say
	Callback  string    // biz_opaque_callback_data of the request
	WaID      string    // digits; absent when the person is known by UserID alone
	UserID    string
	Code      Code // of "failed", 0 without one
	Title     string
	Details   string
}

// Inbound is a message that a person wrote to a business number.
type Inbound struct {
	MessageID string
	WaID      string // digits; may be absent
	UserID    string
	At        time.Time
	Texts     []string // what the person wrote, or the words of the button that was pressed
}

// Echo is a message that somebody sent to a person from the Business app on the same number.
type Echo struct {
	MessageID string
	WaID      string // digits
	At        time.Time
}

// Preference says that a person stopped or resumed marketing messages.
type Preference struct {
	WaID    string
	UserID  string
	Stopped bool
	At      time.Time
}

// Update is news about a template, a number or an account, in the platform's own words.
type Update struct {
	Event        string
	Template     string
	Language     string
	Display      string   // the number that it is about, digits
	Limit        string   // "TIER_…" or a number: the messaging limit
	BanState     string   // of an account
	Restrictions []string // of an account
	Reason       string
}

// deepest is how many wrappers an export may have put around a webhook.
const deepest = 6

// ParseWebhook reads a webhook body, or what an export made of one: the changes, the values, or a list of them. It is an error only when the
// body is no JSON or holds nothing of a webhook.
func ParseWebhook(body []byte) (Webhook, error) {
	var w Webhook
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if !w.whole(body) {
		if !json.Valid(body) {
			return w, errors.New("it is no JSON, or was cut off")
		}
		w.read(body, Change{}, deepest)
	}
	if len(w.Changes) == 0 && w.Unread == 0 {
		return w, errors.New("it is JSON, but nothing of a webhook is in it")
	}
	return w, nil
}

// wholeBody is a webhook as the platform posts it. What would be read in another way stands in it to be noticed.
type wholeBody struct {
	Entry []struct {
		Entry   json.RawMessage `json:"entry"`
		ID      looseText       `json:"id"`
		Time    instant         `json:"time"`
		Changes []struct {
			Entry   json.RawMessage `json:"entry"`
			Changes json.RawMessage `json:"changes"`
			Field   looseText       `json:"field"`
			Value   *valueBody      `json:"value"`
		} `json:"changes"`
	} `json:"entry"`
}

// whole reads a body that is in all its layers as the platform posts it, at once: layer by layer, a large one is scanned ten times over. False:
// it is not, and nothing was read.
func (w *Webhook) whole(body []byte) bool {
	var b wholeBody
	if json.Unmarshal(body, &b) != nil || len(b.Entry) == 0 {
		return false
	}
	for _, e := range b.Entry {
		for _, c := range e.Changes {
			if c.Entry != nil || c.Changes != nil || c.Value == nil {
				return false
			}
		}
		if e.Entry != nil || e.Changes == nil {
			return false
		}
	}
	for _, e := range b.Entry {
		for _, c := range e.Changes {
			w.told(*c.Value, Change{Account: string(e.ID), At: time.Time(e.Time), Field: string(c.Field)})
		}
	}
	return true
}

// envelope has the keys by which each layer of a webhook is known. Raw parts are read one by one, so that a bad one spoils no other.
type envelope struct {
	Entry   []json.RawMessage `json:"entry"`
	Changes []json.RawMessage `json:"changes"`
	Value   json.RawMessage   `json:"value"`
	ID      looseText         `json:"id"`
	Time    instant           `json:"time"`
	Field   looseText         `json:"field"`

	// What exports and queues wrap a webhook in.
	Body    json.RawMessage `json:"body"`
	Payload json.RawMessage `json:"payload"`
	Webhook json.RawMessage `json:"webhook"`
	Data    json.RawMessage `json:"data"`
}

// read looks for changes in one layer; c is what the layers around it said.
func (w *Webhook) read(raw json.RawMessage, c Change, depth int) {
	raw = bytes.TrimSpace(raw)
	switch {
	case depth == 0 || len(raw) == 0:
		return
	case raw[0] == '[':
		w.each(raw, c, depth)
		return
	case raw[0] == '"':
		var inner string
		if json.Unmarshal(raw, &inner) == nil && json.Valid([]byte(inner)) {
			w.read(json.RawMessage(inner), c, depth-1)
		}
		return
	case raw[0] != '{':
		return
	}
	var e envelope
	if lenient(raw, &e) != nil {
		w.Unread++
		return
	}
	w.layer(raw, e, c, depth-1)
}

func (w *Webhook) each(raw json.RawMessage, c Change, depth int) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return
	}
	for _, item := range list {
		w.read(item, c, depth-1)
	}
}

// layer goes one layer further in, or reads the value when this is it.
func (w *Webhook) layer(raw json.RawMessage, e envelope, c Change, depth int) {
	switch {
	case e.Entry != nil:
		for _, entry := range e.Entry {
			w.read(entry, c, depth)
		}
	case e.Changes != nil:
		c.Account, c.At = string(e.ID), time.Time(e.Time)
		for _, change := range e.Changes {
			w.read(change, c, depth)
		}
	case e.Value != nil:
		c.Field = string(e.Field)
		w.value(e.Value, c)
	default:
		for _, wrapped := range []json.RawMessage{e.Body, e.Payload, e.Webhook, e.Data} {
			if wrapped != nil {
				w.read(wrapped, c, depth)
				return
			}
		}
		w.value(raw, c)
	}
}

// lenient fills v as far as the types fit: where one field has another type than the platform's, the others are read all the same.
func lenient(raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil
	}
	return err
}

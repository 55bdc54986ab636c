package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// looseText is a text that some senders write as a number.
type looseText string

// UnmarshalJSON takes a string or a number; anything else is as good as absent.
func (t *looseText) UnmarshalJSON(b []byte) error {
	if isPlain(b) {
		*t = looseText(bytes.TrimSpace(b[1 : len(b)-1]))
		return nil
	}
	var s string
	switch err := json.Unmarshal(b, &s); {
	case err == nil:
		*t = looseText(strings.TrimSpace(s))
	case len(b) > 0 && (b[0] == '-' || b[0] >= '0' && b[0] <= '9'):
		*t = looseText(b)
	}
	return nil
}

// isPlain says whether a value is a string that says itself, byte for byte, as nearly all of a webhook's are: decoding them would be most of the work.
func isPlain(b []byte) bool {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return false
	}
	for _, c := range b[1 : len(b)-1] {
		if c < ' ' || c > '~' || c == '\\' || c == '"' {
			return false
		}
	}
	return true
}

// instant is Unix seconds as a string or a number; some fields have milliseconds, and some a date.
type instant time.Time

// mostSeconds is later than any date in seconds and earlier than any in milliseconds since 1973.
const mostSeconds = 100_000_000_000

// UnmarshalJSON leaves the zero time where it cannot tell.
func (i *instant) UnmarshalJSON(b []byte) error {
	var s looseText
	_ = s.UnmarshalJSON(b)
	n, err := strconv.ParseInt(string(s), 10, 64)
	switch {
	case err != nil:
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05-0700"} {
			if at, err := time.Parse(layout, string(s)); err == nil {
				*i = instant(at.UTC())
			}
		}
	case n > 0 && n < mostSeconds:
		*i = instant(time.Unix(n, 0).UTC())
	case n >= mostSeconds && n < mostSeconds*1000:
		*i = instant(time.UnixMilli(n).UTC())
	}
	return nil
}

// looseCode is a Code that is 0 where it cannot be read.
type looseCode Code

// UnmarshalJSON never fails: an error without a readable code is still an error.
func (c *looseCode) UnmarshalJSON(b []byte) error {
	var code Code
	if code.UnmarshalJSON(b) == nil && code > 0 {
		*c = looseCode(code)
	}
	return nil
}

// valueBody is a change's value in any of the fields that are read.
type valueBody struct {
	Metadata struct {
		NumberID looseText `json:"phone_number_id"`
		Display  looseText `json:"display_phone_number"`
	} `json:"metadata"`
	Contacts    []json.RawMessage `json:"contacts"`
	Statuses    []json.RawMessage `json:"statuses"`
	Messages    []json.RawMessage `json:"messages"`
	Echoes      []json.RawMessage `json:"message_echoes"`
	Preferences []json.RawMessage `json:"user_preferences"`
	Errors      []json.RawMessage `json:"errors"`
	updateBody
}

// updateBody is the value of the fields about template, number and account.
type updateBody struct {
	Event    looseText `json:"event"`
	Template looseText `json:"message_template_name"`
	Language looseText `json:"message_template_language"`
	Reason   looseText `json:"reason"`
	Display  looseText `json:"display_phone_number"`
	Limit    looseText `json:"max_daily_conversations_per_business"`
	OldLimit looseText `json:"current_limit"`
	Ban      struct {
		State bans `json:"waba_ban_state"`
	} `json:"ban_info"`
	Restrictions []struct {
		Type looseText `json:"restriction_type"`
	} `json:"restriction_info"`
}

// bans is a state, or in some of the platform's samples a list that holds it.
type bans string

// UnmarshalJSON takes the last of a list.
func (s *bans) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil && len(list) > 0 {
		*s = bans(list[len(list)-1])
		return nil
	}
	return (*looseText)(s).UnmarshalJSON(b)
}

// value reads what a change tells.
func (w *Webhook) value(raw json.RawMessage, c Change) {
	var v valueBody
	if lenient(raw, &v) != nil {
		w.Unread++
		return
	}
	w.told(v, c)
}

// told takes what a change's value tells.
func (w *Webhook) told(v valueBody, c Change) {
	c.NumberID, c.Display = string(v.Metadata.NumberID), digits(string(v.Metadata.Display))
	who := contactOf(v.Contacts)
	c.Statuses = slices.Grow(c.Statuses, len(v.Statuses))
	for _, item := range v.Statuses {
		w.status(item, &c)
	}
	for _, item := range v.Messages {
		w.inbound(item, who, &c)
	}
	for _, item := range v.Echoes {
		w.echo(item, &c)
	}
	for _, item := range v.Preferences {
		w.preference(item, &c)
	}
	for _, item := range v.Errors {
		var e struct{ Code looseCode }
		if lenient(item, &e) == nil && e.Code != 0 {
			c.Codes = append(c.Codes, Code(e.Code))
		}
	}
	c.Update = v.update()
	if c.Field != "" || c.news() {
		w.Changes = append(w.Changes, c)
	}
}

// news says whether a value without a field is one of a webhook.
func (c Change) news() bool {
	return len(c.Statuses)+len(c.Inbound)+len(c.Echoes)+len(c.Preferences)+len(c.Codes) > 0 || c.NumberID != "" || c.Update.Template != "" && c.Update.Event != ""
}

func (u updateBody) update() Update {
	out := Update{Event: string(u.Event), Template: string(u.Template), Language: string(u.Language), Display: digits(string(u.Display)),
		Limit: string(u.Limit), BanState: string(u.Ban.State), Reason: string(u.Reason)}
	if out.Limit == "" {
		out.Limit = string(u.OldLimit)
	}
	for _, r := range u.Restrictions {
		out.Restrictions = append(out.Restrictions, string(r.Type))
	}
	return out
}

// digits is a phone number's digits, whatever stands between them.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// contact is a person as a value's contacts name them.
type contact struct {
	WaID   looseText `json:"wa_id"`
	UserID looseText `json:"user_id"`
}

// contactOf is the only contact; of several nobody knows which wrote.
func contactOf(list []json.RawMessage) (c contact) {
	if len(list) == 1 {
		_ = lenient(list[0], &c)
	}
	return c
}

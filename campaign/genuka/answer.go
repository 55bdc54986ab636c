package genuka

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/wactl/wactl/campaign/wire"
)

// ParseAnswer reads an answer of Genuka WA, whatever its bytes: a message from data, a refusal from error, message and meta.code.
//
// The page does not say what data holds. The platform's own answer is looked for first, then an id under every usual name.
func ParseAnswer(status int, body []byte) wire.Answer {
	a := wire.ParseProxied(status, body)
	var said struct {
		Data json.RawMessage `json:"data"`
	}
	if a.HTML || a.Cut || json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))).Decode(&said) != nil || len(said.Data) == 0 {
		return a
	}
	inner := wire.ParseAnswer(status, said.Data)
	takeMessage(&a, inner, said.Data)
	if !a.HasCode && inner.HasCode {
		a.HasCode, a.Code, a.Title, a.Details = true, inner.Code, inner.Title, inner.Details
	}
	return a
}

// takeMessage fills what the outside of the answer left open.
func takeMessage(a *wire.Answer, inner wire.Answer, data json.RawMessage) {
	if a.MessageID == "" {
		a.MessageID, a.MessageStatus = inner.MessageID, inner.MessageStatus
	}
	if a.WaID == "" && a.UserID == "" {
		a.WaID, a.UserID = inner.WaID, inner.UserID
	}
	var v any
	if a.MessageID == "" && json.Unmarshal(data, &v) == nil {
		a.MessageID = messageID(v)
	}
}

// idNames are the names that a message's id may have, the platform's id before any other.
var idNames = []string{"wamid", "waMessageId", "wa_message_id", "whatsappMessageId", "whatsapp_message_id", "messageId", "message_id", "id"}

// places are the fields of data that may hold the message itself. Others, such as the connection, have ids too that are no message's.
var places = []string{"message", "messages", "result", "response", "data"}

// messageID is the id of the message that v tells of: one of the platform's if there is any, else whatever v calls its id.
func messageID(v any) string {
	var other string
	for _, id := range ids(v, nil) {
		if strings.HasPrefix(id, "wamid.") {
			return id
		}
		if other == "" {
			other = id
		}
	}
	return other
}

// ids is every id of a message inside v, outer ones first.
func ids(v any, found []string) []string {
	switch v := v.(type) {
	case string, float64:
		if id := word(v); id != "" {
			found = append(found, id)
		}
	case []any:
		if len(v) > 0 {
			found = ids(v[0], found)
		}
	case map[string]any:
		for _, name := range idNames {
			if id := word(v[name]); id != "" {
				found = append(found, id)
			}
		}
		for _, name := range places {
			if inner := v[name]; word(inner) == "" { // words there are for people, such as "queued"
				found = ids(inner, found)
			}
		}
	}
	return found
}

// word is a text or a whole number as text.
func word(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

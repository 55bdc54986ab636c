package genuka

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/campaign/wire"
)

func TestParseAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   wire.Answer
	}{
		"the platform's answer in data": {200, `{"data":{"contacts":[{"wa_id":"5511987654321"}],"messages":[{"id":"wamid.x","message_status":"accepted"}]}}`,
			wire.Answer{MessageID: "wamid.x", MessageStatus: "accepted", WaID: "5511987654321"}},
		"held":                          {200, `{"data":{"messages":[{"id":"wamid.x","message_status":"held_for_quality_assessment"}]}}`, wire.Answer{MessageID: "wamid.x", MessageStatus: "held_for_quality_assessment"}},
		"the platform's answer bare":    {200, `{"messages":[{"id":"wamid.x"}]}`, wire.Answer{MessageID: "wamid.x"}},
		"messageId":                     {201, `{"data":{"messageId":"wamid.x"},"error":null}`, wire.Answer{MessageID: "wamid.x"}},
		"message_id":                    {200, `{"data":{"message_id":"wamid.x"}}`, wire.Answer{MessageID: "wamid.x"}},
		"own id beside the platform's":  {200, `{"data":{"id":"cm1x","wamid":"wamid.x"}}`, wire.Answer{MessageID: "wamid.x"}},
		"own id outside, theirs inside": {200, `{"data":{"id":"cm1x","message":{"id":"wamid.x"}}}`, wire.Answer{MessageID: "wamid.x"}},
		"own id only":                   {200, `{"data":{"id":"cm1x","status":"sent"}}`, wire.Answer{MessageID: "cm1x"}},
		"a number as id":                {200, `{"data":{"id":4711}}`, wire.Answer{MessageID: "4711"}},
		"data is the id":                {200, `{"data":"wamid.x"}`, wire.Answer{MessageID: "wamid.x"}},
		"data is a list":                {200, `{"data":[{"id":"wamid.x"}]}`, wire.Answer{MessageID: "wamid.x"}},
		"with a byte order mark":        {200, "\ufeff" + `{"data":{"id":"wamid.x"}}`, wire.Answer{MessageID: "wamid.x"}},
		"words where a message may be":  {200, `{"data":{"message":"queued"}}`, wire.Answer{}},
		"id of something else":          {200, `{"data":{"connection":{"id":"c1"},"contact":{"id":"k1"}}}`, wire.Answer{}},
		"data is empty":                 {200, `{"data":{}}`, wire.Answer{}},
		"data is null":                  {200, `{"data":null}`, wire.Answer{}},
		"no data":                       {200, `{"ok":true}`, wire.Answer{}},
		"refused": {429, `{"error":"rate_limited","message":"Too many messages to this recipient","meta":{"code":131056}}`,
			wire.Answer{HasCode: true, Code: 131056, Title: "Too many messages to this recipient"}},
		"refused with data null": {400, `{"data":null,"error":"failed","message":"Undeliverable","meta":{"code":"131026"}}`,
			wire.Answer{HasCode: true, Code: 131026, Title: "Undeliverable"}},
		"refusal inside data":     {200, `{"data":{"error":{"code":131056,"message":"(#131056) pair rate limit hit"}}}`, wire.Answer{HasCode: true, Code: 131056, Title: "pair rate limit hit"}},
		"code repeats the status": {404, `{"error":"not_found","message":"No such connection","meta":{"code":404}}`, wire.Answer{Title: "No such connection"}},
		"refused without a code":  {400, `{"error":"invalid_request","message":"connectionId is required"}`, wire.Answer{Title: "connectionId is required"}},
		"key refused":             {401, `{"error":"unauthorized","message":"Invalid API key"}`, wire.Answer{HasCode: true, Title: "Invalid API key"}},
		"message and refusal at once": {200, `{"data":{"id":"wamid.x"},"error":"failed","meta":{"code":131000}}`,
			wire.Answer{MessageID: "wamid.x", HasCode: true, Code: 131000, Title: "failed"}},
		"page":     {502, `<html>`, wire.Answer{HTML: true}},
		"cut":      {200, `{"data":{"messages":[{"id":"wamid.`, wire.Answer{Cut: true}},
		"no JSON":  {500, `Internal Server Error`, wire.Answer{}},
		"nothing":  {200, ``, wire.Answer{}},
		"list":     {200, `[1]`, wire.Answer{}},
		"odd data": {200, `{"data":[[[{"id":{}}]]]}`, wire.Answer{}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ParseAnswer(c.status, []byte(c.body))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.body, diff)
			}
		})
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add(200, []byte(`{"data":{"messages":[{"id":"wamid.x"}]}}`))
	f.Add(429, []byte(`{"error":"rate_limited","meta":{"code":"131056"}}`))
	f.Add(200, []byte(`{"data":[{"data":{"message":{"messageId":1e9}}}]}`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		a := ParseAnswer(status, body)
		if diff := cmp.Diff(a, ParseAnswer(status, body)); diff != "" {
			t.Errorf("two readings differ:\n%s", diff)
		}
		if a.MessageID != "" && !json.Valid(firstValue(body)) {
			t.Errorf("id %q from no JSON", a.MessageID)
		}
	})
}

// firstValue is the JSON value that a body begins with.
func firstValue(body []byte) []byte {
	var v json.RawMessage
	d := json.NewDecoder(newReader(body))
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

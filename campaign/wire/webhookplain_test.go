package wire

import (
	"encoding/json"
	"reflect"
	"testing"
)

// platformStatus is a status as the platform writes it.
const platformStatus = `{"id":"wamid.A=","status":"delivered","timestamp":"1749854575","recipient_id":"5511987654321","biz_opaque_callback_data":"01abc",` +
	`"conversation":{"id":"c","origin":{"type":"marketing"},"list":[1,"}",{"a":"\""}]},"pricing":{"billable":true,"category":"marketing"}}`

// What the platform writes does not need the decoder; what is odd in any way gets it.
func TestPlainStatus(t *testing.T) {
	for _, tt := range []struct {
		name, raw string
		plain     bool
	}{
		{"as the platform writes it", platformStatus, true},
		{"with space", " {\n \"id\" : \"A\" ,\t\"status\" : \"sent\" , \"n\" : 1 }\r\n", true},
		{"a last number", `{"id":"A","status":"sent","n":1}`, true},
		{"failed", `{"id":"A","status":"failed","errors":[{"code":131026}]}`, false},
		{"another case of a key", `{"id":"A","status":"sent","ID":"B"}`, false},
		{"an escape in a key", `{"id":"A","status":"sent","\u0069d":"B"}`, false},
		{"an escape in a value", `{"id":"A\n","status":"sent"}`, false},
		{"an id that is a number", `{"id":7,"status":"sent"}`, false},
		{"null", `{"id":null,"status":"sent"}`, false},
		{"milliseconds", `{"id":"A","status":"sent","timestamp":"1749854575123"}`, false},
		{"a date", `{"id":"A","status":"sent","timestamp":"2026-01-02T03:04:05Z"}`, false},
		{"no id", `{"status":"sent"}`, false},
		{"nothing", `{}`, false},
		{"no object", `[]`, false},
	} {
		if _, ok := plainStatus([]byte(tt.raw)); ok != tt.plain {
			t.Errorf("%s: read without the decoder: %v", tt.name, ok)
		}
	}
}

// FuzzPlainStatus holds what is read without the decoder against the decoder.
func FuzzPlainStatus(f *testing.F) {
	for _, raw := range []string{platformStatus, `{"id":"A","id":"","status":"sent","status":"read"}`, `{"id":" A ","status":"sent","timestamp":"x","timestamp":"1"}`,
		`{"id":"A","status":"sent","recipient_id":"BR.1","recipient_user_id":"US.2"}`, `{"id":"A","status":"sent","recipient_id":"+55 11 98765-4321"}`,
		`{"id":"A","status":"sent","timestamp":"0000000001"}`, `{"id":"A","status":"sent","x":[{"y":"]"}],"z":-1e9}`} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		s, ok := plainStatus(raw)
		if !ok {
			return
		}
		var w Webhook
		var c Change
		if w.anyStatus(raw, &c); len(c.Statuses) != 1 || !reflect.DeepEqual(c.Statuses[0], s) {
			t.Errorf("plain %+v, decoded %+v", s, c.Statuses)
		}
	})
}

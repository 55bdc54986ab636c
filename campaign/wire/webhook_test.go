package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

const metadata = `"messaging_product":"whatsapp","metadata":{"display_phone_number":"15550783881","phone_number_id":"106"}`

// hook wraps the value of a field as the platform does.
func hook(field, value string) string {
	return `{"object":"whatsapp_business_account","entry":[{"id":"102","time":1739321024,"changes":[{"value":` + value + `,"field":"` + field + `"}]}]}`
}

func at(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

func change(field string, fill func(*Change)) Webhook {
	c := Change{Account: "102", At: at(1739321024), Field: field}
	if fill != nil {
		fill(&c)
	}
	return Webhook{Changes: []Change{c}}
}

func from106(fill func(*Change)) func(*Change) {
	return func(c *Change) {
		c.NumberID, c.Display = "106", "15550783881"
		fill(c)
	}
}

func TestParseWebhook(t *testing.T) {
	delivered := Status{MessageID: "wamid.A", Kind: "delivered", At: at(1749854575), WaID: "16505551234", Callback: "step1"}
	tests := []struct {
		name, body string
		want       Webhook
	}{
		{"status", hook("messages", `{`+metadata+`,"contacts":[{"profile":{"name":"S"},"wa_id":"16505551234"}],"statuses":[{"id":"wamid.A","status":"delivered",
			"timestamp":"1749854575","recipient_id":"16505551234","biz_opaque_callback_data":"step1","pricing":{"billable":true,"category":"marketing"}}]}`),
			change("messages", from106(func(c *Change) { c.Statuses = []Status{delivered} }))},
		{"failed, with a code as a text", hook("messages", `{`+metadata+`,"statuses":[{"id":"wamid.A","status":"failed","timestamp":"1749854575",
			"errors":[{"code":"132015","title":"Template is paused","message":"Template is paused","error_data":{"details":"low quality"}}]}]}`),
			change("messages", from106(func(c *Change) {
				c.Statuses = []Status{{MessageID: "wamid.A", Kind: "failed", At: at(1749854575), Code: 132015, Title: "Template is paused", Details: "low quality"}}
			}))},
		{"no phone number, but a user id", hook("messages", `{`+metadata+`,"statuses":[{"id":"wamid.A","status":"sent","timestamp":"1749854575","recipient_user_id":"US.13"},
			{"id":"wamid.B","status":"sent","timestamp":"1749854575","recipient_id":"US.14"}]}`),
			change("messages", from106(func(c *Change) {
				c.Statuses = []Status{{MessageID: "wamid.A", Kind: "sent", At: at(1749854575), UserID: "US.13"}, {MessageID: "wamid.B", Kind: "sent", At: at(1749854575), UserID: "US.14"}}
			}))},
		{"bare minimum", hook("messages", `{"statuses":[{"id":"wamid.A","status":"read"}]}`),
			change("messages", func(c *Change) { c.Statuses = []Status{{MessageID: "wamid.A", Kind: "read"}} })},
		{"one item spoilt, the others not", hook("messages", `{`+metadata+`,"statuses":[7,{"status":"sent"},{"id":"wamid.A","status":"sent","timestamp":{},"errors":"x"}]}`),
			Webhook{Unread: 2, Changes: change("messages", from106(func(c *Change) { c.Statuses = []Status{{MessageID: "wamid.A", Kind: "sent"}} })).Changes}},
		{"inbound text and button", hook("messages", `{`+metadata+`,"contacts":[{"profile":{"name":"A"},"wa_id":"5511"}],"messages":[
			{"from":"5511987654321","id":"wamid.I","timestamp":"1749854575","type":"text","text":{"body":"SAIR"}},
			{"from":"5511987654321","id":"wamid.J","timestamp":"1749854576","type":"button","button":{"text":"Parar","payload":"STOP"}},
			{"from":"5511987654321","id":"wamid.K","timestamp":"1749854577","type":"system","system":{"type":"user_changed_number"}}]}`),
			change("messages", from106(func(c *Change) {
				c.Inbound = []Inbound{{MessageID: "wamid.I", WaID: "5511987654321", At: at(1749854575), Texts: []string{"SAIR"}},
					{MessageID: "wamid.J", WaID: "5511987654321", At: at(1749854576), Texts: []string{"Parar", "STOP"}}}
			}))},
		{"inbound without a number", hook("messages", `{`+metadata+`,"contacts":[{"user_id":"BR.9"}],"messages":[{"id":"wamid.I","timestamp":"1749854575","type":"image"}]}`),
			change("messages", from106(func(c *Change) { c.Inbound = []Inbound{{MessageID: "wamid.I", UserID: "BR.9", At: at(1749854575)}} }))},
		{"echo", hook("smb_message_echoes", `{`+metadata+`,"message_echoes":[{"from":"15550783881","to":"+5511987654321","id":"wamid.E","timestamp":"1749854575","type":"text"}]}`),
			change("smb_message_echoes", from106(func(c *Change) { c.Echoes = []Echo{{MessageID: "wamid.E", WaID: "5511987654321", At: at(1749854575)}} }))},
		{"preference", hook("user_preferences", `{`+metadata+`,"user_preferences":[{"wa_id":"5511987654321","detail":"d","category":"marketing_messages","value":"stop","timestamp":1749854575},
			{"wa_id":"5511987654321","category":"other","value":"stop","timestamp":1749854575}]}`),
			change("user_preferences", from106(func(c *Change) {
				c.Preferences = []Preference{{WaID: "5511987654321", Stopped: true, At: at(1749854575)}}
			}))},
		{"number level", hook("phone_number_quality_update", `{"display_phone_number":"+1 555-078-3881","event":"THROUGHPUT_UPGRADE","current_limit":"TIER_10K","max_daily_conversations_per_business":"TIER_UNLIMITED"}`),
			change("phone_number_quality_update", func(c *Change) {
				c.Update = Update{Event: "THROUGHPUT_UPGRADE", Display: "15550783881", Limit: "TIER_UNLIMITED"}
			})},
		{"template", hook("message_template_status_update", `{"event":"PAUSED","message_template_id":12,"message_template_name":"promo","message_template_language":"pt_BR","reason":"NONE"}`),
			change("message_template_status_update", func(c *Change) {
				c.Update = Update{Event: "PAUSED", Template: "promo", Language: "pt_BR", Reason: "NONE"}
			})},
		{"account", hook("account_update", `{"event":"ACCOUNT_RESTRICTION","restriction_info":[{"restriction_type":"RESTRICTED_BIZ_INITIATED_MESSAGING","expiration":"x"}],"ban_info":{"waba_ban_state":["DISABLE"]}}`),
			change("account_update", func(c *Change) {
				c.Update = Update{Event: "ACCOUNT_RESTRICTION", BanState: "DISABLE", Restrictions: []string{"RESTRICTED_BIZ_INITIATED_MESSAGING"}}
			})},
		{"errors of the number", hook("messages", `{`+metadata+`,"errors":[{"code":130429,"title":"Rate limit hit"},{"title":"x"}]}`),
			change("messages", from106(func(c *Change) { c.Codes = []Code{130429} }))},
		{"the value alone", `{` + metadata + `,"statuses":[{"id":"wamid.A","status":"sent"}]}`,
			Webhook{Changes: []Change{{NumberID: "106", Display: "15550783881", Statuses: []Status{{MessageID: "wamid.A", Kind: "sent"}}}}}},
		{"wrapped, as a text, in a list", `[{"received":1,"body":` + quote(hook("messages", `{"statuses":[{"id":"wamid.A","status":"sent"}]}`)) + `}]`,
			change("messages", func(c *Change) { c.Statuses = []Status{{MessageID: "wamid.A", Kind: "sent"}} })},
		{"milliseconds and a byte order mark", "\xef\xbb\xbf" + hook("messages", `{"statuses":[{"id":"wamid.A","status":"sent","timestamp":1749854575123}]}`),
			change("messages", func(c *Change) {
				c.Statuses = []Status{{MessageID: "wamid.A", Kind: "sent", At: time.UnixMilli(1749854575123).UTC()}}
			})},
	}
	for _, tt := range tests {
		got, err := ParseWebhook([]byte(tt.body))
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\ngot  %+v, %v\nwant %+v", tt.name, got, err, tt.want)
		}
	}
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestNoWebhook(t *testing.T) {
	for _, body := range []string{"", "null", "7", `"x"`, "[]", "{}", `{"a":1}`, `{"entry":[]}`, `{"entry":[{"changes":[{"value":{"sta`, "<html>"} {
		if w, err := ParseWebhook([]byte(body)); err == nil {
			t.Errorf("%q: got %+v and no error", body, w)
		}
	}
}

func FuzzParseWebhook(f *testing.F) {
	f.Add([]byte(hook("messages", `{`+metadata+`,"statuses":[{"id":"wamid.A","status":"failed","errors":[{"code":"1"}]}],"messages":[{"id":"x"}]}`)))
	f.Add([]byte(`{"object":"whatsapp_business_account","entry":[{"id":"1","time":1739321024,"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"7"},"statuses":[` +
		`{"id":"wamid.A","status":"sent","timestamp":"1739321024","recipient_id":"12025550111","biz_opaque_callback_data":"a b\u00e9"}],"contacts":[{"wa_id":"12025550111"}]}}]}]}`))
	f.Add([]byte(`[[[[[[[[{"value":{"message_echoes":[{"id":1,"to":2}]}}]]]]]]]]`))
	f.Add([]byte(`{"body":"{\"payload\":{\"entry\":[{\"changes\":[{\"field\":3,\"value\":null}]}]}}"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		w, err := ParseWebhook(body)
		var layered Webhook
		if body := bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")); json.Valid(body) {
			layered.read(body, Change{}, deepest)
		}
		if !reflect.DeepEqual(layered, w) {
			t.Errorf("layer by layer %+v, at once %+v", layered, w)
		}
		if err != nil && len(w.Changes) > 0 {
			t.Errorf("an error, %v, and changes too", err)
		}
		for _, c := range w.Changes {
			for _, s := range c.Statuses {
				if s.MessageID == "" || s.Kind == "" || s.Code < 0 || strings.Trim(s.WaID, "0123456789") != "" {
					t.Errorf("status %+v", s)
				}
			}
			for _, m := range c.Inbound {
				if m.MessageID == "" {
					t.Errorf("inbound %+v", m)
				}
			}
		}
	})
}

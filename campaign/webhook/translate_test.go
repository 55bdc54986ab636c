package webhook

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/wire"
)

func TestTranslate(t *testing.T) {
	parse := func(field, value string) wire.Webhook {
		w, err := wire.ParseWebhook([]byte(`{"entry":[{"id":"102","time":1739321024,"changes":[{"value":` + value + `,"field":"` + field + `"}]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	const meta = `"metadata":{"display_phone_number":"15550783881","phone_number_id":"106"}`
	at := instant(time.Unix(1749854575, 0))
	told := instant(time.Unix(1739321024, 0))
	ana := campaign.Recipient{Phone: "+5511987654321"}
	number := []feedback.Number{{ID: "106", Account: "102", Display: "15550783881"}}
	tests := []struct {
		name, field, value string
		want               feedback.Batch
	}{
		{"failed for the account", "messages", `{` + meta + `,"statuses":[{"id":"A","status":"failed","timestamp":"1749854575","biz_opaque_callback_data":"s","errors":[{"code":131042,"title":"T"}]},
			{"id":"B","status":"failed","timestamp":"1749854575","errors":[{"code":131042}]}]}`, feedback.Batch{Numbers: number, Statuses: []feedback.Status{
			{Step: "s", MessageID: "A", Kind: "failed", At: at, Code: 131042, NumberID: "106", Details: "T"}, {MessageID: "B", Kind: "failed", At: at, Code: 131042, NumberID: "106"}},
			Orders: []feedback.Order{{Kind: feedback.OrderStop, NumberID: "106", Code: 131042, At: at,
				Reason: "the account cannot pay: no payment method, a credit line that is used up, or a currency or time zone not set"}}}},
		{"held, and its template paused", "messages", `{` + meta + `,"statuses":[{"id":"A","status":"failed","timestamp":"1749854575","errors":[{"code":132015}]}]}`,
			feedback.Batch{Numbers: number, Statuses: []feedback.Status{{MessageID: "A", Kind: "failed", At: at, Code: 132015, NumberID: "106"}}}},
		{"wrote", "messages", `{` + meta + `,"messages":[{"id":"I","from":"5511987654321","timestamp":"1749854575","text":{"body":"Oi"}}]}`,
			feedback.Batch{Numbers: number, Inbound: []feedback.Inbound{{MessageID: "I", NumberID: "106", Person: ana, At: at}}}},
		{"opted out", "messages", `{` + meta + `,"messages":[{"id":"I","from":"5511987654321","timestamp":"1749854575","text":{"body":"Sair!"}}]}`,
			feedback.Batch{Numbers: number, Inbound: []feedback.Inbound{{MessageID: "I", NumberID: "106", Person: ana, At: at}},
				OptOuts: []feedback.OptOut{{Person: ana, Scope: feedback.Everything, Reason: "wrote sair", At: at}}}},
		{"stopped marketing", "user_preferences", `{` + meta + `,"user_preferences":[{"wa_id":"5511987654321","value":"stop","timestamp":1749854575}]}`,
			feedback.Batch{Numbers: number, OptOuts: []feedback.OptOut{{Person: ana, NumberID: "106", Scope: feedback.Marketing, Reason: "stopped marketing messages", At: at}}}},
		{"echo", "smb_message_echoes", `{` + meta + `,"message_echoes":[{"id":"E","to":"5511987654321","timestamp":"1749854575"}]}`,
			feedback.Batch{Numbers: number, Echoes: []feedback.Echo{{MessageID: "E", NumberID: "106", Phone: 5511987654321, At: at}}}},
		{"template paused", "message_template_status_update", `{"event":"PAUSED","message_template_name":"promo","message_template_language":"pt_BR","reason":"quality"}`,
			feedback.Batch{Orders: []feedback.Order{{Kind: feedback.OrderStop, Account: "102", Template: "promo", Language: "pt_BR", Code: 132015, At: told,
				Reason: `the template "promo" was paused by the platform (quality)`}}}},
		{"template approved", "message_template_status_update", `{"event":"APPROVED","message_template_name":"promo"}`, feedback.Batch{}},
		{"account banned", "account_update", `{"event":"DISABLED_UPDATE","ban_info":{"waba_ban_state":"DISABLE"}}`,
			feedback.Batch{Orders: []feedback.Order{{Kind: feedback.OrderStop, Account: "102", Code: 131031, At: told, Reason: "the account is being disabled by the platform"}}}},
		{"account back", "account_update", `{"event":"DISABLED_UPDATE","ban_info":{"waba_ban_state":["REINSTATE"]}}`, feedback.Batch{}},
		{"account restricted", "account_update", `{"event":"ACCOUNT_RESTRICTION","restriction_info":[{"restriction_type":"RESTRICTED_BIZ_INITIATED_MESSAGING"}]}`,
			feedback.Batch{Orders: []feedback.Order{{Kind: feedback.OrderStop, Account: "102", Code: 368, At: told, Reason: "the platform restricts what the account may send"}}}},
		{"no more numbers may be added", "account_update", `{"event":"ACCOUNT_RESTRICTION","restriction_info":[{"restriction_type":"RESTRICTED_ADD_PHONE_NUMBER_ACTION"}]}`, feedback.Batch{}},
		{"number upgraded", "phone_number_quality_update", `{"display_phone_number":"15550783881","event":"THROUGHPUT_UPGRADE","max_daily_conversations_per_business":"TIER_UNLIMITED"}`,
			feedback.Batch{Orders: []feedback.Order{{Kind: feedback.OrderLevel, Account: "102", Display: "15550783881", Value: 1000, At: told, Reason: "the number's throughput was raised"},
				{Kind: feedback.OrderTier, Account: "102", Display: "15550783881", At: told, Reason: "the messaging limit was changed"}}}},
		{"limit as a number", "business_capability_update", `{"max_daily_conversations_per_business":2000}`,
			feedback.Batch{Orders: []feedback.Order{{Kind: feedback.OrderTier, Account: "102", Value: 2000, At: told, Reason: "the messaging limit was changed"}}}},
		{"nothing for us", "account_alerts", `{"alert_info":{}}`, feedback.Batch{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Translate(parse(tt.field, tt.value), digits)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

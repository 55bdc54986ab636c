package readlog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/analyze"
)

// TestMeaning reads single records of senders' own logs. All are at 10:00:00 unless the row says otherwise.
func TestMeaning(t *testing.T) {
	const at = `"time":"2026-11-16T10:00:00Z",`
	for name, c := range map[string]struct{ record, want string }{
		"flat":                     {`{` + at + `"pnid":"1","to":"5511987654321","status":200,"wamid":"wamid.a"}`, "accepted 1 5511987654321 wamid.a 0"},
		"code as a string":         {`{` + at + `"pnid":"1","to":"5511987654321","status":400,"error_code":"131056"}`, "refused 1 5511987654321  131056"},
		"code repeats the status":  {`{` + at + `"pnid":"1","to":"5511987654321","status":400,"code":400}`, "refused 1 5511987654321  0"},
		"code in a cause":          {`{` + at + `"phoneNumberId":"1","to":"5511987654321","err":{"message":"x","cause":{"code":131056}}}`, "refused 1 5511987654321  131056"},
		"code in an error's text":  {`{` + at + `"phoneNumberId":"1","to":"5511987654321","status":400,"error":"(#131056) pair rate limit hit"}`, "refused 1 5511987654321  131056"},
		"code in a loud sentence":  {`{` + at + `"level":"error","phone_id":"1","to":"5511987654321","message":"send failed: (#131056) pair rate limit hit"}`, "refused 1 5511987654321  131056"},
		"code in a quiet sentence": {`{` + at + `"level":"info","phone_id":"1","to":"5511987654321","message":"customer asks about 131056","status":200,"wamid":"wamid.a"}`, "accepted 1 5511987654321 wamid.a 0"},
		"code in a text":           {`{` + at + `"phone_id":"1","to":"5511987654321","text":"(#131056)","status":200,"wamid":"wamid.a"}`, "accepted 1 5511987654321 wamid.a 0"},
		"subcode":                  {`{` + at + `"phone_id":"1","to":"5511987654321","error":{"code":100,"error_subcode":131056}}`, "refused 1 5511987654321  100"},
		"meta error code wins":     {`{` + at + `"phone_id":"1","to":"5511987654321","error":{"code":15004,"meta_error_code":131056}}`, "refused 1 5511987654321  131056"},
		"status 429 without code":  {`{` + at + `"phone_id":"1","to":"5511987654321","status":429}`, "refused 1 5511987654321  0"},
		"server failed":            {`{` + at + `"phone_id":"1","to":"5511987654321","status":502}`, "attempt 1 5511987654321  0"},
		"timed out":                {`{` + at + `"phone_id":"1","to":"5511987654321","error":"ETIMEDOUT"}`, "attempt 1 5511987654321  0"},
		"no answer yet":            {`{` + at + `"phone_id":"1","to":"5511987654321","msg":"sending"}`, "attempt 1 5511987654321  0"},
		"number in the path":       {`{` + at + `"url":"https://graph.facebook.com/v24.0/77/messages?x=1","request":{"to":"+5511987654321"},"response":{"messages":[{"id":"wamid.a"}]}}`, "accepted 77 +5511987654321 wamid.a 0"},
		"another endpoint":         {`{` + at + `"url":"https://graph.facebook.com/v24.0/77/media","to":"5511987654321","phone_id":"77","status":200}`, ""},
		"looked up":                {`{` + at + `"method":"GET","url":"https://graph.facebook.com/v24.0/77/messages","status":200}`, ""},
		"read mark":                {`{` + at + `"url":"/v24.0/77/messages","body":{"messaging_product":"whatsapp","status":"read","message_id":"wamid.in"},"status":200}`, ""},
		"typing sign":              {`{` + at + `"url":"/v24.0/77/messages","body":{"messaging_product":"whatsapp","status":"read","message_id":"wamid.in","typing_indicator":{"type":"text"}},"status":200}`, ""},
		"raw exchange":             {`{` + at + `"request":"POST /v24.0/77/messages HTTP/1.1\r\nUser-Agent: x\r\n\r\n{\"to\":\"5511987654321\"}","response":"HTTP/1.1 403 Forbidden\r\n\r\n{\"error\":{\"code\":131056}}"}`, "refused 77 5511987654321  131056"},
		"recipient with marks":     {`{` + at + `"phone_id":"1","to":"+55 (11) 98765-4321","status":200}`, "accepted 1 +5511987654321  0"},
		"recipient is a JID":       {`{` + at + `"phone_id":"1","jid":"5511987654321@s.whatsapp.net","status":200}`, "accepted 1 5511987654321@s.whatsapp.net  0"},
		"recipient is an object":   {`{` + at + `"phone_id":"1","to":{"phone":"5511987654321"},"status":200}`, "accepted 1 5511987654321  0"},
		"recipient of a channel":   {`{` + at + `"from":"whatsapp:+15550783881","to":"whatsapp:+5511987654321","status":"sent"}`, "accepted +15550783881 +5511987654321  0"},
		"recipient is a user id":   {`{` + at + `"phone_id":"1","to":"BR.1A2b3C4d5E6f7G8h9I","status":200}`, "accepted 1 BR.1A2b3C4d5E6f7G8h9I  0"},
		"masked, with a hash":      {`{` + at + `"phone_id":"1","to":"55119****4321","to_hash":"9af1","status":200}`, "accepted 1 9af1  0"},
		"masked, with an id":       {`{` + at + `"phone_id":"1","to":"55119****4321","wamid":"wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjg2MEU2RUUyOThFMkZBNDQwQQA="}`, "accepted 1 5511987654321 wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjg2MEU2RUUyOThFMkZBNDQwQQA= 0"},
		"masked, nothing else":     {`{` + at + `"phone_id":"1","to":"55119****4321","status":200}`, ""},
		"mangled by a spreadsheet": {`{` + at + `"phone_id":"1","to":"5.51199E+12","status":200}`, ""},
		"inbound":                  {`{` + at + `"phone_id":"1","direction":"inbound","from":"5511987654321","id":"wamid.in"}`, "inbound 1 5511987654321 wamid.in 0"},
		"delivered":                {`{` + at + `"phone_id":"1","to":"5511987654321","status":"delivered","wamid":"wamid.a"}`, "delivered 1 5511987654321 wamid.a 0"},
		"a status that came":       {`{` + at + `"event":"status webhook","phone_id":"1","to":"5511987654321","status":"sent","wamid":"wamid.a"}`, "sent 1 5511987654321 wamid.a 0"},
		"no time":                  {`{"pnid":"1","to":"5511987654321","status":200,"wamid":"wamid.a"}`, ""},
		"a ticket":                 {`{` + at + `"note":"ticket #131056 closed","code":131056}`, ""},
		"an order":                 {`{` + at + `"order_id":131056,"phone":"+5511987654321","status":"shipped"}`, ""},
		"a login":                  {`{` + at + `"user":"+5511987654321","event":"login","status":200}`, ""},
		"a mail":                   {`{` + at + `"to":"a@b.example","from":"c@d.example","status":"sent","message_id":"<1@b>"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			events, source := eventsOf(t, []byte(c.record+"\n"), true)
			var got []string
			for _, e := range events {
				to := e.Recipient
				if to == "" {
					to = e.UserID
				}
				got = append(got, fmt.Sprintf("%s %s %s %s %d", kindNames[e.Kind], e.Number, to, e.MessageID, e.Code))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("%s(%s, skipped %v)", diff, source.Format, source.Skipped)
			}
		})
	}
}

// TestCodeInText holds which codes the words of an error name.
func TestCodeInText(t *testing.T) {
	for text, want := range map[string]int{
		"(#131056) (Business Account, Consumer Account) pair rate limit hit": 131056,
		"131056: pair rate limit hit":                                        131056,
		"graph: (#130429) Rate limit hit":                                    130429,
		"error code 131026 message undeliverable":                            131026,
		"details: too many; code: 131056":                                    131056,
		"Error 368":                                                          0,
		"(#100) Invalid parameter":                                           100,
		"Request failed with status code 400":                                0,
		"too many requests (see 131056 in the manual)":                       131056,
		"":             0,
		"call 1310567": 0,
	} {
		if got := codeInText(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestMasked holds which recipients stand for several people.
func TestMasked(t *testing.T) {
	for s, want := range map[string]bool{"12025550***": true, "+1202555XXXX": true, "12025•••111": true, "1202…": true, "4.47701E+11": true, "5511####4321": true,
		"+12025550111": false, "12025550111@s.whatsapp.net": false, "h:9af1": false, "": false, "BR.1A2b": false, "12025550111x5": false, "ab12xx": false} {
		if got := isMasked(s); got != want {
			t.Errorf("%q: %t", s, got)
		}
	}
}

// TestFormatOf holds how a source is named after its records.
func TestFormatOf(t *testing.T) {
	for want, records := range map[string]map[string]int{
		formUnknown: {}, formWebhook: {formWebhook: 3}, formMixed: {formWebhook: 3, formAPI: 1}, "docker-json-file": {"docker-json-file": 5, formAPI: 1},
		formLogfmt: {formLogfmt: 1, formText: 9}, formText: {formText: 1}, formAPI: {formAPI: 2, formPino: 2},
	} {
		if got := formatOf(records); got != want {
			t.Errorf("%v: %s, want %s", records, got, want)
		}
	}
}

// TestDetailsChangeNothingElse holds that a pass without details sees the same events.
func TestDetailsChangeNothingElse(t *testing.T) {
	seeds, err := sampleTexts()
	if err != nil || len(seeds) == 0 {
		t.Fatal(err)
	}
	for _, text := range seeds {
		bare, _ := inMemory(t, text, analyze.Want{})
		full, _ := inMemory(t, text, analyze.Want{Details: true})
		for i := range full {
			full[i].Detail = analyze.Detail{}
		}
		if diff := cmp.Diff(bare, full); diff != "" {
			t.Errorf("%.60s: %s", text, diff)
		}
	}
}

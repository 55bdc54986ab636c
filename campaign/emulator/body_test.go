package emulator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/wire"
)

// envelope is a valid message around the part that a test is about.
func envelope(kind, object string) string {
	return fmt.Sprintf(`{"messaging_product":"whatsapp","recipient_type":"individual","to":"+5511987654321","type":%q,%q:%s}`, kind, kind, object)
}

func template(components string) string {
	return envelope("template", `{"name":"oi_1","language":{"code":"pt_BR"},"components":`+components+`}`)
}

func bodyWith(parameters string) string {
	return template(`[{"type":"body","parameters":[` + parameters + `]}]`)
}

func button(fields string) string { return template(`[{"type":"button",` + fields + `}]`) }

func letters(n int) string { return strings.Repeat("é", n) }

var bodyCases = []struct {
	name, body string
	want       int
}{
	{"text", envelope("text", `{"body":"Olá"}`), 0},
	{"type is text when absent", `{"messaging_product":"whatsapp","to":"+5511987654321","text":{"body":"x"}}`, 0},
	{"image by id", envelope("image", `{"id":"1"}`), 0},
	{"document by link", envelope("document", `{"link":"https://example.com/a.pdf","caption":"x","filename":"a.pdf"}`), 0},
	{"reaction, not looked into", envelope("reaction", `{}`), 0},
	{"contacts, a list", envelope("contacts", `[]`), 0},
	{"template without components", envelope("template", `{"name":"oi","language":{"code":"en"}}`), 0},
	{"positional parameters", bodyWith(`{"type":"text","text":"a"},{"type":"text","text":"b    b"}`), 0},
	{"named parameters", bodyWith(`{"type":"text","parameter_name":"x","text":"a"},{"type":"text","parameter_name":"y","text":"b"}`), 0},
	{"currency", bodyWith(`{"type":"currency","currency":{"fallback_value":"R$ 1","code":"BRL","amount_1000":1000}}`), 0},
	{"header image", template(`[{"type":"header","parameters":[{"type":"image","image":{"id":"1"}}]}]`), 0},
	{"url button, index as text", button(`"sub_type":"url","index":"0","parameters":[{"type":"text","text":"a"}]`), 0},
	{"url button, index as number", button(`"sub_type":"URL","index":9,"parameters":[{"type":"text","text":"a"}]`), 0},
	{"copy code", button(`"sub_type":"copy_code","index":0,"parameters":[{"type":"coupon_code","coupon_code":"ABC"}]`), 0},
	{"flow button, not looked into", button(`"sub_type":"flow","index":0,"parameters":[{"type":"action"}]`), 0},
	{"carousel, not looked into", template(`[{"type":"carousel","cards":[]}]`), 0},
	{"4,096 characters", envelope("text", `{"body":"`+letters(4096)+`"}`), 0},
	{"512 characters of callback data", textBody(person, letters(512)), 0},

	{"no JSON", `{`, 100},
	{"a list", `[]`, 100},
	{"null", `null`, 100},
	{"two objects", textBody(person, "") + "{}", 100},
	{"no product", `{"to":"+5511987654321","text":{"body":"x"}}`, 100},
	{"another product", `{"messaging_product":"sms","to":"+5511987654321","text":{"body":"x"}}`, 100},
	{"keys have a case", `{"Messaging_Product":"whatsapp","to":"+5511987654321","text":{"body":"x"}}`, 100},
	{"group", `{"messaging_product":"whatsapp","recipient_type":"group","to":"+5511987654321","text":{"body":"x"}}`, 100},
	{"no recipient", `{"messaging_product":"whatsapp","text":{"body":"x"}}`, 100},
	{"empty recipient", textBody("", ""), 131009},
	{"letters in the number", textBody("+55 11 9876x4321", ""), 131009},
	{"too long a number", textBody("+5511987654321000", ""), 131009},
	{"number as a number", `{"messaging_product":"whatsapp","to":5511987654321,"text":{"body":"x"}}`, 131009},
	{"plus in the middle", textBody("55+11987654321", ""), 131009},
	{"no user id", `{"messaging_product":"whatsapp","recipient":"somebody","text":{"body":"x"}}`, 131009},
	{"unknown type", envelope("fax", `{}`), 131051},
	{"type as a number", `{"messaging_product":"whatsapp","to":"+5511987654321","type":1}`, 131051},
	{"no object of the type", `{"messaging_product":"whatsapp","to":"+5511987654321","type":"image"}`, 131008},
	{"text for an object", envelope("text", `"x"`), 100},
	{"empty text", envelope("text", `{"body":""}`), 131008},
	{"4,097 characters", envelope("text", `{"body":"`+letters(4097)+`"}`), 100},
	{"513 characters of callback data", textBody(person, letters(513)), 100},
	{"513 characters of callback data on a type not looked into", `{"messaging_product":"whatsapp","to":"+5511987654321","type":"reaction","reaction":{},"biz_opaque_callback_data":"` + letters(513) + `"}`, 100},
	{"callback data as a number", `{"messaging_product":"whatsapp","to":"+5511987654321","text":{"body":"x"},"biz_opaque_callback_data":7}`, 100},
	{"neither id nor link", envelope("image", `{}`), 131008},
	{"both id and link", envelope("image", `{"id":"1","link":"https://example.com/a.png"}`), 131009},
	{"link to a file", envelope("image", `{"link":"file:///etc/passwd"}`), 131009},
	{"caption of 1,025", envelope("video", `{"id":"1","caption":"`+letters(1025)+`"}`), 100},
	{"no template name", envelope("template", `{"language":{"code":"en"}}`), 131008},
	{"capitals in a template name", envelope("template", `{"name":"Oi","language":{"code":"en"}}`), 132001},
	{"no language", envelope("template", `{"name":"oi"}`), 131008},
	{"components no list", template(`{}`), 100},
	{"component no object", template(`["body"]`), 100},
	{"component without a type", template(`[{}]`), 131008},
	{"unknown component", template(`[{"type":"footer"}]`), 100},
	{"header without a parameter", template(`[{"type":"header"}]`), 132000},
	{"long header text", template(`[{"type":"header","parameters":[{"type":"text","text":"` + letters(61) + `"}]}]`), 132005},
	{"header image without its object", template(`[{"type":"header","parameters":[{"type":"image"}]}]`), 131008},
	{"parameter without a type", bodyWith(`{"text":"a"}`), 131008},
	{"parameter of an unknown type", bodyWith(`{"type":"fax"}`), 132012},
	{"empty parameter", bodyWith(`{"type":"text","text":""}`), 131008},
	{"newline", bodyWith(`{"type":"text","text":"a\nb"}`), 132018},
	{"tab", bodyWith(`{"type":"text","text":"a\tb"}`), 132018},
	{"five spaces", bodyWith(`{"type":"text","text":"a     b"}`), 132018},
	{"name there twice", bodyWith(`{"type":"text","parameter_name":"x","text":"a"},{"type":"text","parameter_name":"x","text":"b"}`), 100},
	{"name on one of two", bodyWith(`{"type":"text","parameter_name":"x","text":"a"},{"type":"text","text":"b"}`), 100},
	{"too much in all", bodyWith(`{"type":"text","text":"` + letters(32769) + `"}`), 132005},
	{"currency without a fallback", bodyWith(`{"type":"currency","currency":{}}`), 131008},
	{"button without sub_type", button(`"index":0`), 131008},
	{"button without index", button(`"sub_type":"url"`), 131008},
	{"eleventh button", button(`"sub_type":"url","index":10`), 131009},
	{"empty url value", button(`"sub_type":"url","index":0,"parameters":[{"type":"text"}]`), 131008},
	{"long coupon", button(`"sub_type":"copy_code","index":0,"parameters":[{"type":"coupon_code","coupon_code":"ABCDEFGHIJKLMNOP"}]`), 131009},
	{"over a mebibyte", `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, 100},
}

func TestBodies(t *testing.T) {
	for _, c := range bodyCases {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(emulator.Options{})
			if got := code(t, r.RoundTripper(), number, c.body); got != c.want {
				t.Errorf("code %d, want %d; journal %s", got, c.want, r.journal.String())
			}
			if c.want != 0 && r.Ledger().Refused["body"] != 1 {
				t.Errorf("ledger %+v", r.Ledger())
			}
		})
	}
}

// TestClientsOwnBody holds the published form, which the emulator reads, against the form that the client writes.
func TestClientsOwnBody(t *testing.T) {
	body, err := json.Marshal(wire.Request{
		MessagingProduct: "whatsapp", RecipientType: "individual", To: person, Type: "template", CallbackData: "s",
		Template: &wire.Template{Name: "oi", Language: wire.Language{Code: "pt_BR"}, Components: []wire.Component{
			{Type: "header", Parameters: []wire.Parameter{{Type: "document", Document: &wire.Media{ID: "1", Filename: "a.pdf"}}}},
			{Type: "body", Parameters: []wire.Parameter{{Type: "text", Name: "x", Text: "a"}}},
			{Type: "button", SubType: "quick_reply", Index: new(0), Parameters: []wire.Parameter{{Type: "payload", Payload: "p"}}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(emulator.Options{})
	if got := code(t, r.RoundTripper(), number, string(body)); got != 0 || r.lines(t)[0]["callback_data"] != "s" {
		t.Errorf("code %d for %s; journal %s", got, body, r.journal.String())
	}
}

func FuzzMessage(f *testing.F) {
	for _, c := range bodyCases {
		if len(c.body) < 5000 {
			f.Add(c.body)
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := newRig(emulator.Options{})
		w := httptest.NewRecorder()
		r.ServeHTTP(w, newPost(number, body))
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("answer %q", w.Body)
		}
		journal := []byte(r.journal.String())
		if bytes.Count(journal, []byte("\n")) != 1 || !json.Valid(journal) || !utf8.Valid(journal) {
			t.Errorf("journal %q", journal)
		}
		if l := r.Ledger(); l.Accepted+l.Refused["body"] != 1 {
			t.Errorf("ledger %+v", l)
		}
	})
}

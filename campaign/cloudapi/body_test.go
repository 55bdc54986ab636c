package cloudapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/campaign/wire"
)

func TestBody(t *testing.T) {
	const envelope = `{"messaging_product":"whatsapp","recipient_type":"individual","to":"+5511987654321",`
	const tag = `,"biz_opaque_callback_data":"abcdefghijklmnopqrstuvwxyz"}`
	for _, c := range []struct {
		name string
		m    template.Message
		want string
	}{
		{"text", template.Message{Type: "text", Text: "Olá <você> & cia"}, `"type":"text","text":{"body":"Olá <você> & cia"}`},
		{"image by link", template.Message{Type: "image", Media: &template.Media{Link: "https://example.com/a.jpg?x=1&y=2"}, Caption: "Hi"},
			`"type":"image","image":{"link":"https://example.com/a.jpg?x=1&y=2","caption":"Hi"}`},
		{"video by id", template.Message{Type: "video", Media: &template.Media{ID: "123"}}, `"type":"video","video":{"id":"123"}`},
		{"image has no file name", template.Message{Type: "image", Media: &template.Media{ID: "123", Filename: "a.jpg"}}, `"type":"image","image":{"id":"123"}`},
		{"document", template.Message{Type: "document", Media: &template.Media{ID: "123", Filename: "bill.pdf"}, Caption: "Bill"},
			`"type":"document","document":{"id":"123","caption":"Bill","filename":"bill.pdf"}`},
		{"template without values", template.Message{Type: "template", Template: "hello", Language: "en_US"},
			`"type":"template","template":{"name":"hello","language":{"code":"en_US"}}`},
		{"positional", template.Message{Type: "template", Template: "t", Language: "pt_BR", Body: []template.Parameter{{Text: "Ana"}, {Text: "10%"}}},
			`"type":"template","template":{"name":"t","language":{"code":"pt_BR"},"components":[` +
				`{"type":"body","parameters":[{"type":"text","text":"Ana"},{"type":"text","text":"10%"}]}]}`},
		{"named", template.Message{Type: "template", Template: "t", Language: "en", Header: &template.Header{Type: "text", Name: "city", Text: "Recife"},
			Body: []template.Parameter{{Name: "first_name", Text: "Ana"}}},
			`"type":"template","template":{"name":"t","language":{"code":"en"},"components":[` +
				`{"type":"header","parameters":[{"type":"text","parameter_name":"city","text":"Recife"}]},` +
				`{"type":"body","parameters":[{"type":"text","parameter_name":"first_name","text":"Ana"}]}]}`},
		{"header image", template.Message{Type: "template", Template: "t", Language: "en",
			Header: &template.Header{Type: "image", Media: &template.Media{Link: "https://example.com/a.png", Filename: "a.png"}}},
			`"type":"template","template":{"name":"t","language":{"code":"en"},"components":[` +
				`{"type":"header","parameters":[{"type":"image","image":{"link":"https://example.com/a.png"}}]}]}`},
		{"header video", template.Message{Type: "template", Template: "t", Language: "en",
			Header: &template.Header{Type: "video", Media: &template.Media{ID: "9"}}, Caption: "not for headers"},
			`"type":"template","template":{"name":"t","language":{"code":"en"},"components":[` +
				`{"type":"header","parameters":[{"type":"video","video":{"id":"9"}}]}]}`},
		{"header document", template.Message{Type: "template", Template: "t", Language: "en",
			Header: &template.Header{Type: "document", Media: &template.Media{ID: "9", Filename: "bill.pdf"}}},
			`"type":"template","template":{"name":"t","language":{"code":"en"},"components":[` +
				`{"type":"header","parameters":[{"type":"document","document":{"id":"9","filename":"bill.pdf"}}]}]}`},
		{"buttons", template.Message{Type: "template", Template: "t", Language: "en", Buttons: []template.Button{
			{Index: 0, SubType: "quick_reply", Text: "yes"}, {Index: 1, SubType: "url", Text: "promo?id=1"}, {Index: 3, SubType: "copy_code", Text: "SAVE10"}}},
			`"type":"template","template":{"name":"t","language":{"code":"en"},"components":[` +
				`{"type":"button","sub_type":"quick_reply","index":0,"parameters":[{"type":"payload","payload":"yes"}]},` +
				`{"type":"button","sub_type":"url","index":1,"parameters":[{"type":"text","text":"promo?id=1"}]},` +
				`{"type":"button","sub_type":"copy_code","index":3,"parameters":[{"type":"coupon_code","coupon_code":"SAVE10"}]}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := step()
			s.Message = c.m
			got, err := Body(s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(envelope+c.want+tag, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBodyAddress(t *testing.T) {
	for _, c := range []struct {
		to         campaign.Recipient
		phone, bid string
	}{
		{campaign.Recipient{Phone: "+5511987654321"}, "+5511987654321", ""},
		{campaign.Recipient{BSUID: "BR.1349"}, "", "BR.1349"},
		{campaign.Recipient{Phone: "+5511987654321", BSUID: "BR.1349"}, "+5511987654321", ""},
	} {
		s := step()
		s.Recipient = c.to
		b, err := Body(s)
		if err != nil {
			t.Fatal(err)
		}
		var got wire.Request
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		if got.To != c.phone || got.Recipient != c.bid {
			t.Errorf("%+v goes to %q, %q", c.to, got.To, got.Recipient)
		}
	}
}

func TestBodyRefuses(t *testing.T) {
	tmpl := func(m template.Message) template.Message {
		m.Type, m.Template, m.Language = "template", "t", "en"
		return m
	}
	both := &template.Media{ID: "1", Link: "https://example.com"}
	for words, m := range map[string]template.Message{
		`"" is no type of message`:              {},
		`"audio" is no type of message`:         {Type: "audio"},
		"the text is empty":                     {Type: "text"},
		"the image needs a link or an id":       {Type: "image"},
		"the video needs a link or an id":       {Type: "video", Media: &template.Media{}},
		"the document needs a link or an id":    {Type: "document", Media: both},
		"needs a name and a language":           {Type: "template", Template: "t"},
		"the header's text is empty":            tmpl(template.Message{Header: &template.Header{Type: "text"}}),
		`"location" is no type of header`:       tmpl(template.Message{Header: &template.Header{Type: "location"}}),
		"the header image needs":                tmpl(template.Message{Header: &template.Header{Type: "image"}}),
		"the header video needs":                tmpl(template.Message{Header: &template.Header{Type: "video", Media: both}}),
		"the document needs":                    tmpl(template.Message{Header: &template.Header{Type: "document"}}),
		"body parameter 2 is empty":             tmpl(template.Message{Body: []template.Parameter{{Text: "a"}, {}}}),
		"body parameter first_name is empty":    tmpl(template.Message{Body: []template.Parameter{{Name: "first_name"}}}),
		"button 1: its value is empty":          tmpl(template.Message{Buttons: []template.Button{{Index: 1, SubType: "url"}}}),
		`button 0: "flow" is no type of button`: tmpl(template.Message{Buttons: []template.Button{{SubType: "flow", Text: "x"}}}),
	} {
		s := step()
		s.Message = m
		_, err := Body(s)
		if !errors.Is(err, ErrUnsendable) || !strings.Contains(err.Error(), words) || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%q: error %v", words, err)
		}
	}
	s := step()
	s.Recipient.Phone = "5511987654321"
	if _, err := Body(s); !errors.Is(err, ErrUnsendable) || strings.Contains(err.Error(), "98765") {
		t.Errorf("a number without +: %v (and it must not show the number)", err)
	}
}

// TestBodyKeepsEveryValue draws messages and looks for each of their values in what goes out.
func TestBodyKeepsEveryValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringN(1, 40, -1)
		s := step()
		s.Message = template.Message{Type: "template", Template: "t", Language: "en", Header: &template.Header{Type: "text", Text: value.Draw(t, "header")}}
		for range rapid.IntRange(0, 4).Draw(t, "parameters") {
			s.Message.Body = append(s.Message.Body, template.Parameter{Text: value.Draw(t, "parameter")})
		}
		b, err := Body(s)
		if err != nil {
			t.Fatal(err)
		}
		var got wire.Request
		if err := json.NewDecoder(bytes.NewReader(b)).Decode(&got); err != nil || bytes.HasSuffix(b, []byte("\n")) {
			t.Fatalf("%s: %v", b, err)
		}
		if h := got.Template.Components[0].Parameters[0].Text; h != s.Message.Header.Text {
			t.Fatalf("header %q became %q", s.Message.Header.Text, h)
		}
		for i, p := range s.Message.Body {
			if w := got.Template.Components[1].Parameters[i].Text; w != p.Text {
				t.Fatalf("parameter %q became %q", p.Text, w)
			}
		}
	})
}

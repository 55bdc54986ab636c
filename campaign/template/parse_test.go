package template

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const welcomeJSON = `{"name":"welcome","language":"pt_BR","status":"APPROVED","category":"MARKETING","parameter_format":"POSITIONAL","id":"1",
 "components":[
  {"type":"HEADER","format":"IMAGE","example":{"header_handle":["https://x"]}},
  {"type":"BODY","text":"Oi {{1}}, pedido {{2}}.","example":{"body_text":[["Ana","1"]]}},
  {"type":"FOOTER","text":"Loja"},
  {"type":"BUTTONS","buttons":[
   {"type":"QUICK_REPLY","text":"Sair"},
   {"type":"URL","text":"Ver","url":"https://loja.example/{{1}}"},
   {"type":"URL","text":"Site","url":"https://loja.example"},
   {"type":"PHONE_NUMBER","text":"Ligar","phone_number":"+5511987654321"},
   {"type":"COPY_CODE","text":"Copiar"}]}]}`

func body(text string) string {
	return `{"name":"t","language":"en","components":[{"type":"BODY","text":` + strconv.Quote(text) + `}]}`
}

func TestParse(t *testing.T) {
	welcome := Template{
		Name: "welcome", Language: "pt_BR", Category: "MARKETING", Status: "APPROVED",
		Header: TypeImage, Body: "Oi {{1}}, pedido {{2}}.", BodyParams: []string{"1", "2"},
		Buttons: []TemplateButton{
			{Type: "QUICK_REPLY", Text: "Sair", SubType: "quick_reply"},
			{Type: "URL", Text: "Ver", URL: "https://loja.example/{{1}}", SubType: "url", Required: true},
			{Type: "URL", Text: "Site", URL: "https://loja.example"},
			{Type: "PHONE_NUMBER", Text: "Ligar"},
			{Type: "COPY_CODE", Text: "Copiar", SubType: "copy_code", Required: true},
		},
	}
	named := Template{
		Name: "t", Language: "en", Named: true, Header: TypeText, HeaderText: "Hi {{first_name}}", HeaderParam: "first_name",
		Body: "{{order_id}} for {{ first_name }} and {{order_id}}", BodyParams: []string{"order_id", "first_name"},
	}
	namedJSON := `{"name":"t","language":"en","components":[{"type":"header","format":"text","text":"Hi {{first_name}}"},
	  {"type":"body","text":"{{order_id}} for {{ first_name }} and {{order_id}}"}]}`
	tests := map[string]struct {
		in   string
		want Template
	}{
		"object":               {welcomeJSON, welcome},
		"answer":               {`{"data":[` + welcomeJSON + `],"paging":{"cursors":{}}}`, welcome},
		"array and mark":       {"\ufeff [" + welcomeJSON + "]", welcome},
		"named, told by text":  {namedJSON, named},
		"body alone":           {body("Hello"), Template{Name: "t", Language: "en", Body: "Hello", BodyAlone: true}},
		"numbers out of order": {body("{{2}} {{1}}"), Template{Name: "t", Language: "en", Body: "{{2}} {{1}}", BodyParams: []string{"1", "2"}, BodyAlone: true}},
		"unfillable": {
			`{"name":"t","language":"en","components":[{"type":"HEADER","format":"LOCATION"},{"type":"BODY","text":"x"},{"type":"CAROUSEL"},{"type":"BUTTONS","buttons":[{"type":"FLOW","text":"f"}]}]}`,
			Template{Name: "t", Language: "en", Header: "location", Body: "x", Buttons: []TemplateButton{{Type: "FLOW", Text: "f"}}, Unfillable: []string{"HEADER LOCATION", "CAROUSEL", "button FLOW"}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	parts := func(components string) string {
		return `{"name":"t","language":"en","components":[` + components + `]}`
	}
	tests := []struct{ name, in, want string }{
		{"nothing", "", "line 1, column 1: not JSON"},
		{"cut", "{\n \"name\": \"x\",\n", "line 2, column 14: not JSON: unexpected end"},
		{"wrong type", "{\n \"name\": 7}", "line 2"},
		{"array of numbers", "[1]", "another type is wanted"},
		{"null", "null", "name: missing"},
		{"no templates", `{"data":[]}`, "no template in it"},
		{"two templates", `[` + welcomeJSON + `,` + welcomeJSON + `]`, `2 templates fit; the file has "welcome pt_BR", "welcome pt_BR"`},
		{"the API's error", `{"error":{"message":"(#190) expired","code":190}}`, "an error of the API"},
		{"no language", `{"name":"t"}`, "language: missing"},
		{"no components", `{"name":"t","language":"en"}`, "components: missing"},
		{"odd name", `{"name":"T x","language":"en","components":[{"type":"BODY","text":"x"}]}`, `name: "T x" is no template name`},
		{"odd language", `{"name":"t","language":"pt-BR","components":[{"type":"BODY","text":"x"}]}`, `language: "pt-BR" is no language code`},
		{"odd format", `{"name":"t","language":"en","parameter_format":"X","components":[{"type":"BODY","text":"x"}]}`, "neither POSITIONAL nor NAMED"},
		{"no body", parts(`{"type":"FOOTER","text":"x"}`), "no component of type BODY"},
		{"two bodies", parts(`{"type":"BODY","text":"x"},{"type":"BODY","text":"y"}`), "components[1]: a second BODY"},
		{"two headers", parts(`{"type":"HEADER","format":"IMAGE"},{"type":"HEADER","format":"VIDEO"},{"type":"BODY","text":"x"}`), "components[1]: a second HEADER"},
		{"header without format", parts(`{"type":"HEADER"},{"type":"BODY","text":"x"}`), "components[0].format: missing"},
		{"two header values", parts(`{"type":"HEADER","format":"TEXT","text":"{{1}}{{2}}"},{"type":"BODY","text":"x"}`), "2 placeholders; a header takes one"},
		{"typeless", parts(`{"text":"x"}`), "components[0].type: missing"},
		{"typeless button", parts(`{"type":"BODY","text":"x"},{"type":"BUTTONS","buttons":[{"text":"x"}]}`), "components[1].buttons[0].type: missing"},
		{"open link", parts(`{"type":"BODY","text":"x"},{"type":"BUTTONS","buttons":[{"type":"URL","url":"https://x/{{1"}]}`), "components[1].buttons[0].url: character 11"},
		{"gap", body("{{1}} {{3}}"), "components[0].text: placeholder {{2}} is missing"},
		{"from zero", body("{{0}}"), "{{1}} is missing"},
		{"mixed", body("{{1}} {{name}}"), "{{1}} does not fit parameter_format NAMED"},
		{"bad name", body("{{first name}}"), "does not fit"},
		{"open", body("Oi {{1"), "components[0].text: character 4: {{ without }}"},
		{"nameless", body("Oi {{ }}"), "character 4: a placeholder without a name"},
		{"triple", body("{{{a}}}"), "is no placeholder name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want something with %q", err, tt.want)
			}
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Errorf("%T is no *Error", err)
			}
		})
	}
}

func TestChoose(t *testing.T) {
	all, err := ParseAll([]byte(`[` + body("a") + `,` + strings.Replace(body("b"), `"en"`, `"en_US"`, 1) + `]`))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Choose(all, "t", "en_US"); err != nil || got.Body != "b" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := Choose(all, "t", "pt_BR"); err == nil || !strings.Contains(err.Error(), `no template "t pt_BR" in the file; it has "t en", "t en_US"`) {
		t.Errorf("got %v", err)
	}
}

// Whatever parses can be bound and rendered when every value it asks for is given.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{welcomeJSON, `{"data":[` + welcomeJSON + `]}`, body("{{1}} {{2}}"), body("{{a}} x"), `[]`, `{"error":{}}`, "\xff", `{"name":"t","language":"en","components":[{"type":"BODY","text":"{{1}}"},{"type":"BUTTONS","buttons":[{"type":"OTP"}]}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tpl, err := Parse(data)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error that says nothing")
			}
			return
		}
		spec := Spec{File: &tpl, Params: map[string]string{}}
		header := []string{"value", "medium"}
		for _, p := range tpl.BodyParams {
			spec.Params["body."+p] = "value"
		}
		if tpl.HeaderParam != "" {
			spec.Params["header.text"] = "value"
		} else if slices.Contains(mediaTypes, tpl.Header) {
			spec.Params["header."+tpl.Header] = "medium"
		}
		for i, b := range tpl.Buttons {
			if b.SubType != "" && i < maxButtons {
				spec.Params["button."+strconv.Itoa(i)] = "value"
			}
		}
		c, err := NewContent(spec, header)
		if err != nil {
			if len(tpl.Unfillable) == 0 && len(tpl.Buttons) <= maxButtons {
				t.Fatalf("template %+v: %v", tpl, err)
			}
			return
		}
		m, faults := c.Render(cells("v", "https://x.example/a"), "BR")
		if len(faults) > 0 && faults[0].Rule != "param-too-long" {
			t.Fatalf("template %+v: %v", tpl, faults)
		}
		if len(faults) == 0 && len(m.Body) != len(tpl.BodyParams) {
			t.Fatalf("%d of %d values", len(m.Body), len(tpl.BodyParams))
		}
	})
}

// cells is a row for Render.
func cells(row ...string) func(int) string {
	return func(at int) string {
		if at >= len(row) {
			return ""
		}
		return row[at]
	}
}

package template

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rendered renders one row and lists its faults as "rule key column".
func rendered(t testing.TB, spec Spec, header, row []string, region string) (Message, []string) {
	t.Helper()
	c, err := NewContent(spec, header)
	if err != nil {
		t.Fatal(err)
	}
	m, faults := c.Render(cells(row...), region)
	var out []string
	for _, f := range faults {
		if f.Message == "" || f.Column > 0 && f.Header != header[f.Column-1] {
			t.Errorf("a fault without words or with a wrong column: %+v", f)
		}
		out = append(out, strings.TrimSuffix(f.Rule+" "+f.Key+" "+strings.Repeat("#", f.Column), " "))
	}
	return m, out
}

func TestRender(t *testing.T) {
	welcome := mustParse(t, welcomeJSON)
	named := mustParse(t, `{"name":"t","language":"en","components":[{"type":"HEADER","format":"TEXT","text":"Hi {{who}}"},{"type":"BODY","text":"{{b}} {{a}}"}]}`)
	code := mustParse(t, `{"name":"t","language":"en","components":[{"type":"BODY","text":"{{1}} is your code"},{"type":"BUTTONS","buttons":[{"type":"OTP","text":"Copy"}]}]}`)
	every := values{"header.image": "foto", "body.1": "nome", "body.2": "n", "button.1": "n", "button.4": "cupom"}
	mixed := []string{"template", "text", "image", "video", "document", "caption", "language"}
	tests := []struct {
		name   string
		spec   Spec
		header []string
		row    []string
		region string
		want   Message
		faults []string
	}{
		{"text", Spec{Text: "Oi {{nome}}!"}, []string{"phone", "Nome"}, []string{"1", "Ana\nBia"}, "BR", Message{Type: "text", Text: "Oi Ana\nBia!"}, nil},
		{"text, empty cell", Spec{Text: "Oi {{nome}} {{nome}}!"}, []string{"nome"}, []string{" \u200b"}, "BR", Message{}, []string{"param-empty nome #"}},
		{"text, default", Spec{Text: "Oi {{nome}}!", Defaults: values{"nome": "cliente"}}, []string{"nome"}, nil, "BR", Message{Type: "text", Text: "Oi cliente!"}, nil},
		{"text, empty is fine", Spec{Text: "Oi {{nome}}!", Defaults: values{"nome": ""}}, []string{"nome"}, nil, "BR", Message{Type: "text", Text: "Oi !"}, nil},
		{"text, nothing left", Spec{Text: "{{nome}}", Defaults: values{"nome": ""}}, []string{"nome"}, nil, "BR", Message{}, []string{"param-empty text"}},
		{"text, param and set", Spec{Text: "{{a}}{{b}}", Params: values{"a": "x"}, Set: values{"b": "B"}}, []string{"x"}, []string{"A"}, "BR", Message{Type: "text", Text: "AB"}, nil},
		{"text, warned", Spec{Text: "Oi {{nome}}"}, []string{"nome"}, []string{"{{first}}"}, "BR", Message{Type: "text", Text: "Oi {{first}}"}, []string{"param-unfilled-placeholder nome #"}},
		{"text, too long together", Spec{Text: "é{{a}}"}, []string{"a"}, []string{strings.Repeat("é", 4096)}, "BR", Message{}, []string{"text-too-long text"}},
		{"text, just fits", Spec{Text: "é{{a}}"}, []string{"a"}, []string{strings.Repeat("é", 4095)}, "BR", Message{Type: "text", Text: strings.Repeat("é", 4096)}, nil},
		{"text column", Spec{}, []string{"text"}, []string{"a\tb     c"}, "", Message{Type: "text", Text: "a\tb     c"}, nil},
		{"text column, empty", Spec{}, []string{"phone", "text"}, []string{"1"}, "", Message{}, []string{"param-empty text ##"}},
		{"text column, too long", Spec{}, []string{"text"}, []string{strings.Repeat("a", 4097)}, "", Message{}, []string{"text-too-long text #"}},
		{"text column, error value", Spec{}, []string{"text"}, []string{"#VALOR!"}, "", Message{}, []string{"param-spreadsheet-error text #"}},

		{"mixed, template", Spec{}, mixed, []string{"oi", "", "", "", "", "", "pt_BR"}, "", Message{Type: "template", Template: "oi", Language: "pt_BR"}, nil},
		{"mixed, text", Spec{}, mixed, []string{"", "Oi"}, "", Message{Type: "text", Text: "Oi"}, nil},
		{"mixed, image", Spec{}, mixed, []string{"", "", "https://x.example/olá 1.jpg", "", "", "Oi"}, "", Message{Type: "image", Media: &Media{Link: "https://x.example/ol%C3%A1%201.jpg"}, Caption: "Oi"}, nil},
		{"mixed, document by id", Spec{}, mixed, []string{"", "", "", "", "id:123"}, "", Message{Type: "document", Media: &Media{ID: "123"}}, nil},
		{"mixed, two", Spec{}, mixed, []string{"oi", "Oi"}, "", Message{}, []string{"content-conflict text ##"}},
		{"mixed, none", Spec{}, mixed, nil, "", Message{}, []string{"content-missing template #"}},
		{"mixed, lone caption", Spec{}, mixed, []string{"", "Oi", "", "", "", "Foto"}, "", Message{}, []string{"media-missing caption ######"}},
		{"mixed, no language", Spec{}, mixed, []string{"oi"}, "", Message{}, []string{"param-empty language #######"}},
		{"mixed, odd name", Spec{}, mixed, []string{"Oi Ana", "", "", "", "", "", "en-US"}, "", Message{}, []string{"template-name template #", "language-code language #######"}},
		{"image alone, missing", Spec{}, []string{"image"}, []string{" "}, "", Message{}, []string{"media-missing image #"}},
		{"long caption", Spec{}, []string{"video", "caption"}, []string{"id:1", strings.Repeat("a", 1025)}, "", Message{}, []string{"caption-too-long caption ##"}},

		{"template without values", Spec{Template: "oi", Language: "en"}, []string{"phone"}, nil, "", Message{Type: "template", Template: "oi", Language: "en"}, nil},
		{
			"all of a template", Spec{File: welcome, Params: every}, []string{"nome", "n", "foto", "cupom"}, []string{"Ana", "ação/7 8?a=b&c=%20%", "https://x.example/a.jpg", "VEM10"}, "BR",
			Message{
				Type: "template", Template: "welcome", Language: "pt_BR", Header: &Header{Type: "image", Media: &Media{Link: "https://x.example/a.jpg"}},
				Body:    []Parameter{{Text: "Ana"}, {Text: "ação/7 8?a=b&c=%20%"}},
				Buttons: []Button{{1, "url", "a%C3%A7%C3%A3o/7%208?a=b&c=%20%25"}, {4, "copy_code", "VEM10"}},
			}, nil,
		},
		{
			"all that can be wrong", Spec{File: welcome, Params: every}, []string{"nome", "n", "foto", "cupom"}, []string{"#REF!", "a\tb", "", "vem dez"}, "BR", Message{},
			[]string{"media-missing header.image ###", "param-spreadsheet-error body.1 #", "param-tab body.2 ##", "param-tab button.1 ##", "coupon-code button.4 ####"},
		},
		{
			"columns the template does not take", Spec{File: code}, []string{"body.1", "body.2", "header.text"}, []string{"123", "x", ""}, "",
			Message{Type: "template", Template: "t", Language: "en", Body: []Parameter{{Text: "123"}}, Buttons: []Button{{0, "url", "123"}}}, []string{"param-extra body.2 ##"},
		},
		{"one-time code too long", Spec{File: code}, []string{"body.1"}, []string{"1234567890123456"}, "", Message{}, []string{"param-too-long button.0 #"}},
		{
			"named", Spec{File: named, Set: values{"header.text": "Ana", "body.a": "1", "body.b": "2"}}, nil, nil, "",
			Message{Type: "template", Template: "t", Language: "en", Header: &Header{Type: "text", Name: "who", Text: "Ana"}, Body: []Parameter{{"b", "2"}, {"a", "1"}}}, nil,
		},
		{
			"named without a file", Spec{Template: "t", Language: "en"}, []string{"body.b", "body.a"}, []string{"2", "1"}, "",
			Message{Type: "template", Template: "t", Language: "en", Body: []Parameter{{"a", "1"}, {"b", "2"}}}, nil,
		},
		{
			"document header", Spec{Template: "t", Language: "en"}, []string{"header.document", "header.filename", "button.1"}, []string{"id:7", "a b.pdf", "x"}, "",
			Message{Type: "template", Template: "t", Language: "en", Header: &Header{Type: "document", Media: &Media{ID: "7", Filename: "a b.pdf"}}, Buttons: []Button{{1, "url", "x"}}}, nil,
		},
		{"one of two headers", Spec{Template: "t", Language: "en"}, []string{"header.image", "header.text"}, []string{"", "Oi"}, "", Message{Type: "template", Template: "t", Language: "en", Header: &Header{Type: "text", Text: "Oi"}}, nil},
		{"two of two headers", Spec{Template: "t", Language: "en"}, []string{"header.image", "header.text"}, []string{"id:1", "Oi"}, "", Message{}, []string{"content-conflict header.text ##"}},
		{"header too long", Spec{Template: "t", Language: "en", Params: values{"header.text": "a"}}, []string{"a"}, []string{strings.Repeat("é", 61)}, "", Message{}, []string{"param-too-long header.text #"}},
		{"header just fits", Spec{Template: "t", Language: "en", Params: values{"header.text": "a"}}, []string{"a"}, []string{strings.Repeat("é", 60)}, "", Message{Type: "template", Template: "t", Language: "en", Header: &Header{Type: "text", Text: strings.Repeat("é", 60)}}, nil},
		{"values too long together", Spec{Template: "t", Language: "en"}, []string{"body.1", "body.2"}, []string{strings.Repeat("é", 500), strings.Repeat("é", 525)}, "", Message{}, []string{"param-too-long body.2 ##"}},

		{"by country", Spec{Template: "t", Set: values{"language": "BR:pt_BR, mx:es_MX"}}, nil, nil, "MX", Message{Type: "template", Template: "t", Language: "es_MX"}, nil},
		{"by country, another", Spec{Template: "t", Set: values{"language": "BR:pt_BR"}, Language: "en"}, nil, nil, "US", Message{Type: "template", Template: "t", Language: "en"}, nil},
		{"by country, none", Spec{Template: "t", Set: values{"language": "BR:pt_BR"}}, nil, nil, "US", Message{}, []string{"param-missing language"}},
		{"language column, default", Spec{Template: "t", Defaults: values{"language": "en"}}, []string{"language"}, []string{""}, "", Message{Type: "template", Template: "t", Language: "en"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, faults := rendered(t, tt.spec, tt.header, tt.row, tt.region)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("message: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(tt.faults, faults); diff != "" {
				t.Errorf("faults: -want +got\n%s", diff)
			}
		})
	}
}

// The rows are those of a list that the platform refused, cell by cell.
func TestValues(t *testing.T) {
	tests := []struct{ name, order, want string }{
		{"Ana\nTeste", "123", "param-newline body.1 #"},
		{"Ana\rTeste", "123", "param-newline body.1 #"},
		{"Bruno     Teste", "124", "param-spaces body.1 #"},
		{"Carla\tTeste", "125", "param-tab body.1 #"},
		{"", "126", "param-empty body.1 #"},
		{"Eva", "   ", "param-empty body.2 ##"},
		{"Fabio    Teste", "127", ""},
		{"Gil", "#N/A", "param-spreadsheet-error body.2 ##"},
		{"Gil", "#n/d ", "param-spreadsheet-error body.2 ##"},
		{"Gil", "####", "param-spreadsheet-error body.2 ##"},
		{"Gil", "Err:502", "param-spreadsheet-error body.2 ##"},
		{"Gil", "#1", ""},
		{"Gil", "##", ""},
		{"Gil", "#NOVIDADE", ""},
		{"Gil", "Err:anything", ""},
		{"Olá {{first_name}}", "128", "param-unfilled-placeholder body.1 #"},
		{"Olá }} {{", "128", ""},
		{"a\xff", "128", "param-not-utf8 body.1 #"},
	}
	for _, tt := range tests {
		m, faults := rendered(t, Spec{Template: "t", Language: "pt_BR", Params: values{"body.1": "name", "body.2": "order"}}, []string{"name", "order"}, []string{tt.name, tt.order}, "BR")
		if got := strings.Join(faults, ", "); got != tt.want {
			t.Errorf("%q, %q: got %q, want %q", tt.name, tt.order, got, tt.want)
		}
		if whole := len(m.Body) == 2; whole != (tt.want == "" || strings.Contains(tt.want, "unfilled")) {
			t.Errorf("%q, %q: message %+v with faults %v", tt.name, tt.order, m, faults)
		}
	}
}

func TestMedia(t *testing.T) {
	tests := []struct{ in, want, says string }{
		{"https://x.example/a.jpg", "https://x.example/a.jpg", ""},
		{" HTTPS://x.example/a b.jpg?c=é ", "HTTPS://x.example/a%20b.jpg?c=%C3%A9", ""},
		{"id:1234", "id:1234", ""},
		{"id:", "", "no media id"},
		{"id:../x", "", "no media id"},
		{"http://x.example/a.jpg", "", "not http:"},
		{"file:///etc/passwd", "", "not file:"},
		{"/etc/passwd", "", "a local file goes out only"},
		{"foto.jpg", "", "a local file goes out only"},
		{`C:\foto.jpg`, "", "a local file goes out only"},
		{`\\server\foto.jpg`, "", "a local file goes out only"},
		{"https:///a.jpg", "", "names no host"},
		{"https://user:pass@x.example/", "", "password"},
		{"a\nb", "", "line break"},
	}
	for _, tt := range tests {
		got, found := mediaForm.judge(tt.in)
		if got != tt.want || (tt.says == "") != (found.rule == fine) || !strings.Contains(found.text(), tt.says) {
			t.Errorf("%q: got %q, %q; want %q, %q", tt.in, got, found.text(), tt.want, tt.says)
		}
		if strings.Contains(found.text(), "pass@") {
			t.Errorf("%q: a password in %q", tt.in, found.text())
		}
	}
}

func TestBodyRoom(t *testing.T) {
	alone := mustParse(t, body("x{{1}}"))
	footed := mustParse(t, `{"name":"t","language":"en","components":[{"type":"BODY","text":"x{{a}} {{a}}"},{"type":"FOOTER","text":"f"}]}`)
	tests := []struct {
		file *Template
		key  string
		fits int // longest value that fits
	}{{alone, "body.1", maxBodyAlone - 1}, {footed, "body.a", (maxBody - 2) / 2}}
	for _, tt := range tests {
		for _, n := range []int{tt.fits, tt.fits + 1} {
			_, faults := rendered(t, Spec{File: tt.file, Params: values{tt.key: "v"}}, []string{"v"}, []string{strings.Repeat("é", n)}, "")
			if (len(faults) == 0) != (n == tt.fits) {
				t.Errorf("%s with %d characters: %v", tt.key, n, faults)
			}
		}
	}
}

func TestFaultString(t *testing.T) {
	c, err := NewContent(Spec{Text: "Oi {{nome}}"}, []string{"phone", "nome"})
	if err != nil {
		t.Fatal(err)
	}
	_, faults := c.Render(cells("1", "\x1b[31m#N/A"), "BR")
	if len(faults) != 0 {
		t.Fatalf("got %v", faults)
	}
	_, faults = c.Render(cells("1", "#N/A"), "BR")
	want := `nome (column 2, "nome"): the spreadsheet's error "#N/A" instead of a value [param-spreadsheet-error]`
	if len(faults) != 1 || faults[0].String() != want {
		t.Errorf("got %v", faults)
	}
}

// TestRenderIntoAgain holds that nothing of an earlier row stays in a message whose memory is taken again.
func TestRenderIntoAgain(t *testing.T) {
	header := []string{"template", "text", "image", "caption", "language", "body.1", "body.2", "button.1"}
	rows := [][]string{
		{"oi", "", "", "", "pt_BR", "Ana", "2", "x"},
		{"", "Oi"},
		{"oi", "", "", "", "pt_BR", "Bia", "#REF!", "y"},
		{"", "", "https://x.example/a.jpg", "Foto"},
		{"oi", "", "", "", "en", "Caio", "3", "z"},
	}
	c, err := NewContent(Spec{}, header)
	if err != nil {
		t.Fatal(err)
	}
	var m Message
	for _, row := range rows {
		want, wanted := c.Render(cells(row...), "BR")
		faults := c.RenderInto(&m, cells(row...), "BR")
		if diff := cmp.Diff(want, m); diff != "" {
			t.Errorf("%v: anew (-), in earlier memory (+)\n%s", row, diff)
		}
		if diff := cmp.Diff(wanted, faults); diff != "" {
			t.Errorf("%v: faults anew (-), in earlier memory (+)\n%s", row, diff)
		}
	}
}

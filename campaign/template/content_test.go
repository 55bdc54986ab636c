package template

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustParse(t testing.TB, text string) *Template {
	t.Helper()
	tpl, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &tpl
}

type values = map[string]string

func TestUses(t *testing.T) {
	welcome := mustParse(t, welcomeJSON)
	tests := []struct {
		name    string
		spec    Spec
		header  []string
		columns bool
		want    []Use
	}{
		{
			"text", Spec{Text: "Oi {{nome}}, {{Nome}} {{cidade}}", Defaults: values{"cidade": "aqui"}}, []string{"phone", "NOME", "text"}, false,
			[]Use{{"text", "", FromFlag}, {"nome", "NOME", FromFlag}, {"Nome", "NOME", FromFlag}, {"cidade", "", FromDefault}},
		},
		{
			"flags win over columns", Spec{Template: "t", Language: "en", Params: values{"body.1": "nome"}}, []string{"nome", "body.1", "body.2", "language", "template", "text"}, true,
			[]Use{{"template", "", FromFlag}, {"language", "", FromFlag}, {"body.1", "nome", FromFlag}, {"body.2", "body.2", FromColumn}},
		},
		{
			"one value for all", Spec{Template: "t", Set: values{"language": "BR:pt_BR", "header.image": "https://x.example/a.jpg", "body.1": "a"}, Defaults: values{"language": "en"}}, []string{"phone"}, false,
			[]Use{{"template", "", FromFlag}, {"language", "", FromSet}, {"language", "", FromDefault}, {"header.image", "", FromSet}, {"body.1", "", FromSet}},
		},
		{
			"columns only", Spec{}, []string{"caption", "image", "text"}, true,
			[]Use{{"text", "text", FromColumn}, {"image", "image", FromColumn}, {"caption", "caption", FromColumn}},
		},
		{
			"template file", Spec{File: welcome, Params: values{"header.image": "foto", "body.1": "nome", "body.2": "n", "button.1": "n", "button.4": "n"}, Defaults: values{"body.1": "cliente"}}, []string{"nome", "n", "foto"}, false,
			[]Use{{"template", "", FromFlag}, {"header.image", "foto", FromFlag}, {"body.1", "nome", FromFlag}, {"body.1", "", FromDefault}, {"body.2", "n", FromFlag}, {"button.1", "n", FromFlag}, {"button.4", "n", FromFlag}},
		},
		{
			"the text flag leaves content columns alone", Spec{Text: "Oi"}, []string{"phone", "template", "body.1", "image"}, false,
			[]Use{{"text", "", FromFlag}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := NewContent(tt.spec, tt.header)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, c.Uses()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if c.HasColumns() != tt.columns {
				t.Errorf("HasColumns is %t", c.HasColumns())
			}
		})
	}
}

func TestNewContentRefuses(t *testing.T) {
	welcome := mustParse(t, welcomeJSON)
	named := mustParse(t, body("{{first_name}}"))
	flow := mustParse(t, `{"name":"t","language":"en","components":[{"type":"BODY","text":"x"},{"type":"CAROUSEL"}]}`)
	header := []string{"phone", "nome", "cidade"}
	tests := []struct {
		name       string
		spec       Spec
		header     []string
		want, hint string
	}{
		{"nothing", Spec{}, header, "nothing to send", "--template NAME"},
		{"only values", Spec{Params: values{"body.1": "nome"}}, header, "nothing to send", "--template NAME"},
		{"two kinds", Spec{Template: "t", Text: "x"}, header, "--text: a template is given too", "one of the two"},
		{"template and another file", Spec{Template: "t", File: welcome}, header, `the template file holds "welcome"`, "leave one"},
		{"file in another language", Spec{File: welcome, Language: "pt_PT"}, header, `the template file is in "pt_BR"`, "exactly"},
		{"file in another language, by set", Spec{File: welcome, Set: values{"language": "en"}}, header, `the template file is in "pt_BR"`, "exactly"},
		{"no language", Spec{Template: "t"}, header, "the template's language is not given", "--language pt_BR"},
		{"language with a hyphen", Spec{Template: "t", Language: "pt-BR"}, header, `--language language: "pt-BR" is no language code`, ""},
		{"two languages", Spec{Template: "t", Language: "en", Set: values{"language": "es"}}, header, `--language says "en"`, "one of the two"},
		{"country", Spec{Template: "t", Set: values{"language": "BRA:pt_BR"}}, header, `"BRA:pt_BR" is not COUNTRY:LANGUAGE`, "BR:pt_BR,MX:es_MX"},
		{"country without one", Spec{Template: "t", Set: values{"language": "BR:pt_BR,en"}}, header, `"en" is not COUNTRY:LANGUAGE`, ""},
		{"country twice", Spec{Template: "t", Set: values{"language": "BR:pt_BR,br:en"}}, header, "BR is given twice", ""},
		{"country's language", Spec{Template: "t", Set: values{"language": "BR:português"}}, header, "BR: \"português\" is no language code", ""},
		{"template name", Spec{Template: "Oi Ana", Language: "en"}, header, `"Oi Ana" is no template name`, ""},
		{"unknown key", Spec{Template: "t", Language: "en", Params: values{"body1": "nome"}}, header, "--param body1: unknown key", "body.N"},
		{"zero", Spec{Template: "t", Language: "en", Set: values{"body.0": "x"}}, header, "--set body.0: unknown key", "body.N"},
		{"another zero", Spec{Template: "t", Language: "en", Defaults: values{"body.01": "x"}}, header, "--default body.01: unknown key", "body.N"},
		{"text is no key", Spec{Set: values{"text": "x"}}, header, "--set text: unknown key", "keys are"},
		{"two flags", Spec{Template: "t", Language: "en", Params: values{"body.1": "nome"}, Set: values{"body.1": "x"}}, header, "--set gives the same", "one of the two"},
		{"no such column", Spec{Template: "t", Language: "en", Params: values{"body.1": "name"}}, header, `--param body.1: the file has no column "name"`, `"phone", "nome", "cidade"`},
		{"column twice", Spec{Template: "t", Language: "en", Params: values{"body.1": "nome"}}, []string{"nome", "x", "nome"}, `columns 1 and 3 are both named "nome"`, "rename"},
		{"column twice but for case", Spec{Text: "{{NOME}}"}, []string{"nome", "Nome"}, "columns 1 and 2 are both named", "rename"},
		{"content column twice", Spec{}, []string{"text", "text"}, `columns 1 and 2 are both named "text"`, "rename"},
		{"gap", Spec{Template: "t", Language: "en", Params: values{"body.2": "nome"}}, header, "body.2: body.1 is missing", "--param body.1=COLUMN"},
		{"gap in columns", Spec{Template: "t", Language: "en"}, []string{"body.1", "body.3"}, "body.3: body.2 is missing", ""},
		{"numbers and names", Spec{Template: "t", Language: "en", Set: values{"body.1": "x", "body.name": "y"}}, header, "body.1: body.name is given too", "numbered or all named"},
		{"two headers", Spec{Template: "t", Language: "en", Set: values{"header.text": "x", "header.image": "https://x.example"}}, header, "header.text: header.image is given too", "one header"},
		{"file name without document", Spec{Template: "t", Language: "en", Set: values{"header.filename": "a.pdf"}}, header, "--set header.filename: no message uses", ""},
		{"header of named parameters", Spec{Template: "t", Language: "en", Set: values{"header.text": "x", "body.name": "y"}}, header, "the header's parameter has a name too", "--template-file"},
		{"value with a newline", Spec{Template: "t", Language: "en", Set: values{"body.1": "a\nb"}}, header, "--set body.1: a line break", ""},
		{"empty value", Spec{Template: "t", Language: "en", Set: values{"body.1": " "}}, header, "--set body.1: the value is empty", ""},
		{"empty default", Spec{Template: "t", Language: "en", Params: values{"body.1": "nome"}, Defaults: values{"body.1": ""}}, header, "--default body.1: the value is empty", ""},
		{"value with a placeholder", Spec{Template: "t", Language: "en", Set: values{"body.1": "Oi {{nome}}"}}, header, "still holds a {{placeholder}}", "--param KEY=COLUMN"},
		{"local file", Spec{Template: "t", Language: "en", Set: values{"header.image": "fotos/a.jpg"}}, header, `"fotos/a.jpg" is no https:// link`, ""},
		{"template's key with text", Spec{Text: "Oi", Set: values{"body.1": "x"}}, header, "--set body.1: no message uses this value", "{{column}}"},
		{"unknown placeholder", Spec{Text: "Oi {{name}}"}, header, `--text {{name}}: the file has no column "name"`, `"nome"`},
		{"open placeholder", Spec{Text: "Oi {{nome"}, header, "--text: character 4: {{ without }}", "{{column}}"},
		{"blank text", Spec{Text: " \n"}, header, "--text: the value is empty", ""},
		{"endless text", Spec{Text: strings.Repeat("a", 4097)}, header, "4097 characters; at most 4096", ""},
		{"file wants more", Spec{File: welcome, Params: values{"body.1": "nome"}}, header, `template "welcome": no flag and no column gives header.image, body.2, button.1, button.4`, "--param header.image=COLUMN"},
		{"file takes less", Spec{File: named, Set: values{"body.first_name": "x", "body.other": "y"}}, header, `--set body.other: template "t" takes no such value`, `"body.first_name"`},
		{"number for a name", Spec{File: named, Set: values{"body.1": "x"}}, header, "no flag and no column gives body.first_name", ""},
		{"carousel", Spec{File: flow}, header, "can't be given in this version: CAROUSEL", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewContent(tt.spec, tt.header)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want something with %q", err, tt.want)
			}
			e, ok := errors.AsType[*Error](err)
			if !ok || !strings.Contains(e.Hint(), tt.hint) {
				t.Errorf("%T %v has the hint %q, want something with %q", err, err, e.Hint(), tt.hint)
			}
		})
	}
}

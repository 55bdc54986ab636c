package template

import (
	"encoding/json"
	"errors"
	"hash/maphash"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// words are short, and made of few characters, so that fields collide when a hash does not keep them apart.
func words() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.RuneFrom([]rune("ab\x00{é")), 0, 3, -1)
}

func media() *rapid.Generator[*Media] {
	return rapid.Custom(func(t *rapid.T) *Media {
		if rapid.Bool().Draw(t, "none") {
			return nil
		}
		return &Media{Link: words().Draw(t, "link"), ID: words().Draw(t, "id"), Filename: words().Draw(t, "file"),
			Path: words().Draw(t, "path"), Sum: words().Draw(t, "sum")}
	})
}

func messages() *rapid.Generator[Message] {
	return rapid.Custom(func(t *rapid.T) Message {
		m := Message{
			Type: words().Draw(t, "type"), Template: words().Draw(t, "template"), Language: words().Draw(t, "language"),
			Text: words().Draw(t, "text"), Caption: words().Draw(t, "caption"), Media: media().Draw(t, "media"),
		}
		if rapid.Bool().Draw(t, "header") {
			m.Header = &Header{Type: words().Draw(t, "type"), Name: words().Draw(t, "name"), Text: words().Draw(t, "text"), Media: media().Draw(t, "media")}
		}
		for range rapid.IntRange(0, 2).Draw(t, "body") {
			m.Body = append(m.Body, Parameter{words().Draw(t, "name"), words().Draw(t, "text")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "buttons") {
			m.Buttons = append(m.Buttons, Button{rapid.IntRange(0, 3).Draw(t, "index"), words().Draw(t, "sub"), words().Draw(t, "text")})
		}
		return m
	})
}

func TestHashTellsMessagesApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := messages().Draw(t, "a"), messages().Draw(t, "b")
		if (a.Hash() == b.Hash()) != reflect.DeepEqual(a, b) {
			t.Fatalf("%+v and %+v", a, b)
		}
	})
}

// A mark tells apart what a hash tells apart, whatever the run's seeds.
func TestMarkTellsMessagesApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seeds := [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
		a, b := messages().Draw(t, "a"), messages().Draw(t, "b")
		if (a.Mark(seeds) == b.Mark(seeds)) != (a.Hash() == b.Hash()) {
			t.Fatalf("%+v and %+v", a, b)
		}
	})
}

// What the quick look lets pass, the careful one lets pass too, and unchanged.
func TestUsualValuesAreFine(t *testing.T) {
	some := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("aZ09 \t\n{}#Err:é\u200b\x7f")), 0, 12, -1),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }))
	forms := []*form{&bodyForm, &headerForm, &textForm, &pieceForm, &captionForm, &payloadForm, &filenameForm}
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		v := some.Draw(t, "value")
		if !usual(v) {
			return
		}
		quick++
		for _, f := range forms {
			if got, found := f.carefully(v); f.limit == 0 && (got != v || found.rule != fine) {
				t.Fatalf("%q is %q, %s", v, got, found.text())
			}
			got, found := f.judge(v)
			if want, wanted := f.carefully(v); got != want || found != wanted {
				t.Fatalf("%q is %q, %s; with care %q, %s", v, got, found.text(), want, wanted.text())
			}
		}
	})
	if quick == 0 || !usual("São Paulo") || usual("Ana {{x}}") {
		t.Errorf("%d values were usual", quick)
	}
}

// Moving a character from one field to the next, or a value from one list to the other, must show.
func TestHashKeepsFieldsApart(t *testing.T) {
	all := []Message{
		{}, {Type: "ab"}, {Type: "a", Template: "b"}, {Template: "ab"}, {Text: "ab"}, {Caption: "ab"}, {Text: "a", Caption: "b"},
		{Header: &Header{}}, {Header: &Header{Text: "ab"}}, {Header: &Header{Name: "a", Text: "b"}}, {Header: &Header{Media: &Media{}}},
		{Media: &Media{}}, {Media: &Media{Link: "ab"}}, {Media: &Media{ID: "ab"}}, {Media: &Media{Link: "a", ID: "b"}}, {Media: &Media{ID: "a", Filename: "b"}},
		{Media: &Media{Path: "ab"}}, {Media: &Media{Path: "a", Sum: "b"}}, {Media: &Media{Sum: "ab"}},
		{Body: []Parameter{{}}}, {Body: []Parameter{{Text: "ab"}}}, {Body: []Parameter{{Text: "a"}, {Text: "b"}}}, {Body: []Parameter{{Name: "a", Text: "b"}}},
		{Buttons: []Button{{}}}, {Buttons: []Button{{Index: 1}}}, {Buttons: []Button{{SubType: "a", Text: "b"}}}, {Buttons: []Button{{Text: "ab"}}},
	}
	seen := map[[16]byte]Message{}
	for _, m := range all {
		if other, ok := seen[m.Hash()]; ok {
			t.Errorf("%+v and %+v", m, other)
		}
		seen[m.Hash()] = m
	}
	if (Message{Body: []Parameter{}}).Hash() != (Message{}).Hash() {
		t.Error("an empty body is another one than none")
	}
}

// A message is stored as JSON, and its hash must be the same when it comes back.
func TestHashSurvivesStorage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := messages().Draw(t, "m")
		stored, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Message
		if err := json.Unmarshal(stored, &back); err != nil || back.Hash() != m.Hash() {
			t.Fatalf("%s came back as %+v (%v)", stored, back, err)
		}
	})
}

// Every field of a message is in its hash: a new field must not be forgotten.
func TestHashKnowsEveryField(t *testing.T) {
	counts := map[reflect.Type]int{reflect.TypeFor[Message](): 9, reflect.TypeFor[Header](): 4, reflect.TypeFor[Parameter](): 2, reflect.TypeFor[Button](): 3, reflect.TypeFor[Media](): 5}
	for typ, n := range counts {
		if typ.NumField() != n {
			t.Errorf("%s has %d fields; add the new one to Hash and count it here", typ, typ.NumField())
		}
	}
}

// What a text gives is what replacing the placeholders by hand gives, whenever nothing is wrong.
func FuzzText(f *testing.F) {
	f.Add("Oi {{nome}}, {{ cidade }}", "Ana", "Rio")
	f.Add("{{nome}}{{nome}}", "{{cidade}}", "x")
	f.Add("{{{nome}}}", "", "\x00")
	f.Add("}}{{", "a", "b")
	f.Fuzz(func(t *testing.T, text, nome, cidade string) {
		c, err := NewContent(Spec{Text: text}, []string{"nome", "cidade"})
		if err != nil {
			return
		}
		m, faults := c.Render(cells(nome, cidade), "BR")
		for _, fault := range faults {
			if fault.Severity == SeverityError {
				if m.Type != "" {
					t.Fatalf("a message with %v", fault)
				}
				return
			}
		}
		want, rest := "", text
		for {
			before, after, ok := strings.Cut(rest, "{{")
			want += before
			if !ok {
				break
			}
			name, next, _ := strings.Cut(after, "}}")
			want += map[bool]string{true: nome, false: cidade}[strings.EqualFold(strings.TrimSpace(name), "nome")]
			rest = next
		}
		if m.Text != want || len([]rune(m.Text)) > maxText {
			t.Fatalf("got %q, want %q", m.Text, want)
		}
	})
}

// An escaped suffix makes a link that parses, means the same, and is not escaped twice.
func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"a b", "é", "100%", "%41", "%zz", "a?b=c&d#e", "\x00\n", "{{1}}", `"<>\^`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, v string) {
		got := escape(v)
		if escape(got) != got {
			t.Fatalf("%q becomes %q and then %q", v, got, escape(got))
		}
		if _, err := url.Parse("https://x.example/" + got); err != nil {
			t.Fatalf("%q becomes %q: %v", v, got, err)
		}
		if meant, err := url.PathUnescape(v); err == nil {
			if back, err := url.PathUnescape(got); err != nil || back != meant {
				t.Fatalf("%q becomes %q, which means %q", v, got, back)
			}
		}
	})
}

// Keys have one spelling: what is read is written the same.
func FuzzKey(f *testing.F) {
	for _, seed := range []string{"language", "header.text", "body.1", "body.name", "button.0", "body.01", "button.10", "header."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if k, ok := parseKey(s); ok && k.String() != s {
			t.Fatalf("%q is read as %q", s, k)
		}
	})
}

// Any set of keys and any header is bound or refused with words, and what is bound renders any row.
func TestBindAnything(t *testing.T) {
	names := []string{"language", "header.text", "header.image", "header.document", "header.filename", "body.1", "body.2", "body.x", "button.0", "template", "text", "image", "caption", "nome", "NOME"}
	contents := []string{"", " ", "x", "en", "id:1", "BR:en", "a\nb", "{{nome}}", "#N/A", "https://x.example"}
	bound := 0
	rapid.Check(t, func(t *rapid.T) {
		keys := func(label string, from []string) map[string]string {
			return rapid.MapOfN(rapid.SampledFrom(names[:9]), rapid.SampledFrom(from), 0, 2).Draw(t, label)
		}
		spec := Spec{
			Template: rapid.SampledFrom([]string{"", "t"}).Draw(t, "template"), Language: rapid.SampledFrom([]string{"", "en"}).Draw(t, "language"),
			Text:   rapid.SampledFrom([]string{"", "", "Oi {{nome}}"}).Draw(t, "text"),
			Params: keys("param", names), Set: keys("set", contents), Defaults: keys("default", contents),
		}
		header := rapid.SliceOfN(rapid.SampledFrom(names), 0, 6).Draw(t, "header")
		if rapid.Bool().Draw(t, "plain") { // few of the sets that chance makes can be bound
			spec.Template, spec.Text, spec.Language = "", "Oi {{nome}}", ""
			spec.Params, spec.Set, spec.Defaults, header = nil, nil, nil, []string{"nome"}
		}
		c, err := NewContent(spec, header)
		if err != nil {
			if _, ok := errors.AsType[*Error](err); !ok || err.Error() == "" {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		bound++
		row := rapid.SliceOfN(rapid.SampledFrom(contents), 0, 6).Draw(t, "row")
		m, faults := c.Render(cells(row...), "BR")
		again, more := c.Render(cells(row...), "BR")
		if !reflect.DeepEqual(m, again) || !reflect.DeepEqual(faults, more) {
			t.Fatal("two renderings of one row differ")
		}
		held := false
		for _, f := range faults {
			held = held || f.Severity == SeverityError
		}
		if held != (m.Type == "") {
			t.Fatalf("message %+v with faults %v", m, faults)
		}
	})
	if bound == 0 {
		t.Error("nothing was ever bound")
	}
}

func BenchmarkRender(b *testing.B) {
	welcome := mustParse(b, welcomeJSON)
	header := []string{"phone", "nome", "n", "foto"}
	row := cells("+5511987654321", "Ana Maria", "A-1234", "https://x.example/a.jpg")
	specs := map[string]Spec{
		"text":     {Text: "Oi {{nome}}, seu pedido {{n}} chegou!"},
		"template": {Template: "t", Language: "pt_BR", Params: values{"body.1": "nome", "body.2": "n"}},
		"file":     {File: welcome, Params: values{"header.image": "foto", "body.1": "nome", "body.2": "n", "button.1": "n"}, Set: values{"button.4": "VEM10"}},
	}
	for name, spec := range specs {
		c, err := NewContent(spec, header)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, faults := c.Render(row, "BR"); faults != nil {
					b.Fatal(faults)
				}
			}
		})
		m, _ := c.Render(row, "BR")
		b.Run(name+"/hash", func(b *testing.B) {
			for b.Loop() {
				m.Hash()
			}
		})
	}
}

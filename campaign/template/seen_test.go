package template

import "testing"

func TestSeen(t *testing.T) {
	hall := &Template{Name: "hall", Language: "en", HeaderText: "Hall {{1}}", Body: "Hi {{1}}, {{2}}!", Buttons: []TemplateButton{
		{Type: "URL", Text: "Tickets", URL: "https://example.org/{{1}}", SubType: "url"}, {Type: "COPY_CODE", Text: "Code", SubType: "copy_code"},
		{Type: "QUICK_REPLY", Text: "Stop", SubType: "quick_reply"}}}
	named := &Template{Name: "hall", Language: "en", Body: "Hi {{name}}, {{other}}"}
	body := []Parameter{{Text: "Ana"}, {Text: "see you"}}
	for _, tc := range []struct {
		name string
		m    Message
		t    *Template
		want string
	}{
		{"text", Message{Type: TypeText, Text: "Oi\nAna"}, nil, "Oi\nAna"},
		{"image", Message{Type: TypeImage, Media: &Media{Link: "https://example.org/a.jpg"}, Caption: "Look"}, nil, "[image: https://example.org/a.jpg]\nLook"},
		{"document", Message{Type: TypeDocument, Media: &Media{ID: "7", Filename: "a.pdf"}}, nil, "[document: a.pdf, id 7]"},
		{"template", Message{Type: TypeTemplate, Template: "hall", Language: "en", Header: &Header{Type: TypeText, Text: "A"}, Body: body,
			Buttons: []Button{{0, "url", "t/1"}, {1, "copy_code", "X5"}}}, hall,
			"Hall A\nHi Ana, see you!\n[Tickets: https://example.org/t/1]\n[Code: X5]\n[Stop]"},
		{"a value that holds a placeholder is not filled again", Message{Type: TypeTemplate, Template: "hall", Language: "en",
			Body: []Parameter{{Text: "{{2}}"}, {Text: "x"}}}, &Template{Name: "hall", Language: "en", Body: "{{1}} {{2}}"}, "{{2}} x"},
		{"named", Message{Type: TypeTemplate, Template: "hall", Language: "en", Body: []Parameter{{Name: "name", Text: "Ana"}}}, named, "Hi Ana, {{other}}"},
		{"another language's JSON", Message{Type: TypeTemplate, Template: "hall", Language: "pt_BR", Body: body}, hall,
			"[template hall, pt_BR; its text is in its JSON only]\nbody 1: Ana\nbody 2: see you"},
		{"unknown, with media", Message{Type: TypeTemplate, Template: "hall", Language: "en", Header: &Header{Type: TypeImage, Media: &Media{ID: "9"}}}, nil,
			"[template hall, en; its text is in its JSON only]\n[image: id 9]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.m.Seen(tc.t); got != tc.want {
				t.Errorf("seen %q, want %q", got, tc.want)
			}
		})
	}
}

package template

import (
	"strings"
	"testing"
)

func TestMediaType(t *testing.T) {
	const at = "https://example.org/"
	tests := []struct {
		form *form
		in   string
		want string // the ending that is refused
	}{
		{&imageForm, at + "a.jpg", ""},
		{&imageForm, at + "a.JPEG?x=1#y", ""},
		{&imageForm, at + "a.png", ""},
		{&imageForm, at + "a.webp", ".webp"},
		{&imageForm, at + "a.GIF", ".gif"},
		{&imageForm, at + "a.pdf?x=1", ".pdf"},
		{&imageForm, at + "a.mp4#t=1", ".mp4"},
		{&imageForm, " " + at + "ä ö.webp ", ".webp"},
		{&imageForm, at + "a.webp?format=jpg", ""},
		{&imageForm, at + "w_200,f_auto/a.webp", ""},
		{&imageForm, at + "-/format/jpeg/a.heic", ""},
		{&imageForm, at + "image.php", ""},
		{&imageForm, at + "image", ""},
		{&imageForm, at + "a.pdf/", ""},
		{&imageForm, at + "show?file=a.pdf", ""},
		{&imageForm, "https://example.pdf", ""},
		{&imageForm, "https://files.pdf?a", ""},
		{&imageForm, "id:1234", ""},
		{&videoForm, at + "a.mp4", ""},
		{&videoForm, at + "a.3gp", ""},
		{&videoForm, at + "a.mov", ".mov"},
		{&videoForm, at + "a.png", ".png"},
		{&pdfForm, at + "a.pdf", ""},
		{&pdfForm, at + "a.docx", ".docx"},
		{&pdfForm, at + "a.xlsx?dl=1", ".xlsx"},
		{&mediaForm, at + "a.docx", ""},
		{&mediaForm, at + "a.zip", ""},
	}
	for _, tt := range tests {
		got, found := tt.form.judge(tt.in)
		if tt.want == "" && (found.rule != fine || got == "") {
			t.Errorf("%s: %s", tt.in, found.text())
		}
		if tt.want != "" && (found.rule != mediaType || got != "" || !strings.Contains(found.text(), " "+tt.want+",")) {
			t.Errorf("%s: %q, %q; want %s refused", tt.in, got, found.text(), tt.want)
		}
	}
}

// TestMediaTypeByPlace holds which kinds each place of a message takes: a document of its own is more than one in a header.
func TestMediaTypeByPlace(t *testing.T) {
	header := mustParse(t, `{"name":"t","language":"en","components":[{"type":"HEADER","format":"DOCUMENT"},{"type":"BODY","text":"Hi"}]}`)
	loose := Spec{Template: "t", Language: "en"}
	tests := []struct {
		spec         Spec
		column, cell string
		want         string
	}{
		{Spec{}, "image", "a.webp", "media-type image #"},
		{Spec{}, "video", "a.jpg", "media-type video #"},
		{Spec{}, "document", "a.docx", ""},
		{loose, "header.image", "a.pdf", "media-type header.image #"},
		{loose, "header.video", "a.mov", "media-type header.video #"},
		{loose, "header.document", "a.docx", "media-type header.document #"},
		{Spec{File: header}, "header.document", "a.docx", "media-type header.document #"},
		{Spec{File: header}, "header.document", "a.pdf", ""},
	}
	for _, tt := range tests {
		_, faults := rendered(t, tt.spec, []string{tt.column}, []string{"https://example.org/" + tt.cell}, "BR")
		if got := strings.Join(faults, ", "); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.column, tt.cell, got, tt.want)
		}
	}
	spec := loose
	spec.Set = map[string]string{"header.image": "https://example.org/a.webp"}
	if _, err := NewContent(spec, []string{"phone"}); err == nil || !strings.Contains(err.Error(), ".webp") {
		t.Errorf("a flag's link: %v", err)
	}
}

// FuzzMediaType looks for a link that is refused although shapeMedia would not take it, or with an ending that it does not have.
func FuzzMediaType(f *testing.F) {
	for _, s := range []string{"https://a/b.webp", "https://a/b.webp?format=jpg", "id:1", "https://a/.gif", "https://?#.gif"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		plain, before := mediaForm.judge(s)
		got, found := imageForm.judge(s)
		switch {
		case found.rule != mediaType && (got != plain || found != before):
			t.Errorf("%q: %q, %v; without a kind %q, %v", s, got, found, plain, before)
		case found.rule == mediaType && (before.bad() && before.rule != paramTooLong || got != ""):
			t.Errorf("%q is refused for its ending: %v", s, before)
		}
	})
}

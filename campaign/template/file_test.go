package template

import (
	"errors"
	"strings"
	"testing"
)

// A local file is a medium only where a flag names it, for a header, and where what it holds fits.
func TestLocalFiles(t *testing.T) {
	files := map[string]File{
		"a.png": {Type: "image/png", Size: 10, Sum: "aa"}, "big.png": {Type: "image/png", Size: 5*megabyte + 1, Sum: "bb"}, "fits.png": {Type: "image/png", Size: 5 * megabyte, Sum: "cc"},
		"a.pdf": {Type: "application/pdf", Size: 10, Sum: "dd"}, "deep.png": {Type: "image/png", Odd: "16 bits a channel", Size: 10, Sum: "ee"}, "empty.png": {Type: "text/plain", Sum: "ff"},
		`C:\a.png`: {Type: "image/png", Size: 10, Sum: "gg"},
	}
	look := func(flag, path string) (File, error) {
		f, ok := files[path]
		if !ok {
			return f, errors.New("outside, says --" + flag)
		}
		return f, nil
	}
	header := []string{"phone", "file", "header.image"}
	loose := Spec{Template: "t", Language: "en", Files: look}
	param, def := loose, loose
	param.Params = map[string]string{"header.image": "file"}
	def.Defaults = map[string]string{"header.image": "a.png"}
	def.Params = param.Params
	tests := []struct {
		name       string
		spec       Spec
		cell       string
		path, rule string
	}{
		{"a column that --param names", param, "a.png", "a.png", ""},
		{"a path of Windows", param, `C:\a.png`, `C:\a.png`, ""},
		{"spaces around it", param, " a.png ", "a.png", ""},
		{"the limit", param, "fits.png", "fits.png", ""},
		{"over the limit", param, "big.png", "", "media-too-large"},
		{"another kind", param, "a.pdf", "", "media-type"},
		{"odd", param, "deep.png", "", "media-type"},
		{"empty", param, "empty.png", "", "media-type"},
		{"not to be sent", param, "/etc/passwd", "", "media-unsupported"},
		{"a file link", param, "file:a.png", "", "media-unsupported"},
		{"a mark of ours", param, "file:aa:a.png", "", "media-unsupported"},
		{"clear text", param, "http://e.com/a.png", "", "media-unsupported"},
		{"a default", def, "", "a.png", ""},
		{"a column of that name", loose, "a.png", "", "media-unsupported"},
		{"nobody looks", Spec{Template: "t", Language: "en", Params: param.Params}, "a.png", "", "media-unsupported"},
	}
	for _, tt := range tests {
		c, err := NewContent(tt.spec, header)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		m, faults := c.Render(cells("+55", tt.cell, tt.cell), "BR")
		var rules []string
		for _, f := range faults {
			rules = append(rules, f.Rule)
		}
		if strings.Join(rules, " ") != tt.rule {
			t.Errorf("%s: %v, want %s", tt.name, faults, tt.rule)
		}
		place, medium := m.Medium()
		switch {
		case tt.path == "" && medium != nil, tt.path != "" && (medium == nil || place != "header.image"):
			t.Errorf("%s: %s %+v", tt.name, place, medium)
		case medium != nil && (medium.Path != tt.path || medium.Sum != files[tt.path].Sum || medium.Link+medium.ID != ""):
			t.Errorf("%s: %+v", tt.name, medium)
		}
	}
	set := loose
	set.Set = map[string]string{"header.image": "b.png"}
	if _, err := NewContent(set, header); err == nil || !strings.Contains(err.Error(), "outside, says --set") {
		t.Errorf("--set: %v", err)
	}
}

func TestWithMedium(t *testing.T) {
	image := Message{Type: TypeImage, Media: &Media{Link: "a"}}
	head := Message{Type: TypeTemplate, Header: &Header{Type: TypeVideo, Media: &Media{Path: "b"}}}
	for _, m := range []Message{image, head} {
		place, before := m.Medium()
		changed := m.WithMedium(Media{ID: "1"})
		after, medium := changed.Medium()
		if after != place || *medium != (Media{ID: "1"}) || before.ID != "" {
			t.Errorf("%s: %+v, and before %+v", place, medium, before)
		}
	}
	if _, medium := (Message{Type: TypeText, Text: "a"}).WithMedium(Media{ID: "1"}).Medium(); medium != nil {
		t.Error("a text has a medium")
	}
}

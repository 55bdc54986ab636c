package normalize

import (
	"strings"
	"testing"

	"github.com/wactl/wactl/campaign/template"
)

// offer is the content of a template of a category, as its JSON tells it.
func offer(t *testing.T, category string) *template.Content {
	t.Helper()
	file, err := template.Parse([]byte(`{"name":"offer","language":"en_US","category":"` + category + `","components":[{"type":"BODY","text":"Hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	content, err := template.NewContent(template.Spec{File: &file}, []string{"phone"})
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestBarred(t *testing.T) {
	tests := []struct {
		name, cell, region, category string
		want                         bool
	}{
		{"written with +", "+1 202 456 1111", "", "MARKETING", true},
		{"a list of the country", "(202) 456-1111", "US", "MARKETING", true},
		{"small letters", "+12024561111", "", "marketing", true},
		{"utility", "+12024561111", "", "UTILITY", false},
		{"authentication", "+12024561111", "", "AUTHENTICATION", false},
		{"not told", "+12024561111", "", "", false},
		{"Canada", "+16135550143", "", "MARKETING", false},
		{"Canada in a list of the United States", "613-996-0143", "US", "MARKETING", false},
		{"Jamaica", "+18765550123", "", "MARKETING", false},
		{"Puerto Rico is uncertain", "+17872345678", "", "MARKETING", false},
		{"toll-free has no area code", "+18002345678", "", "MARKETING", false},
		{"Brazil", "+5511961234567", "", "MARKETING", false},
		{"no number", "x", "US", "MARKETING", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, barred := Barred(Parse(tt.cell, tt.region), offer(t, tt.category))
			if barred != tt.want || barred != (f.Rule == "us-marketing" && f.Severity == Warning && f.Message != "") {
				t.Errorf("%v, %+v", barred, f)
			}
		})
	}
}

// TestBarredRowsAreKept holds that the warning has its place and takes no row away.
func TestBarredRowsAreKept(t *testing.T) {
	const text = "phone\n+12024561111\n+5511961234567\n"
	l := openText(t, text)
	var got []string
	for v, err := range l.Check(CheckOptions{Content: offer(t, "MARKETING")}).Rows() {
		if err != nil || !v.Kept {
			t.Errorf("line %d: kept %v, %v", v.Line, v.Kept, err)
		}
		got = append(got, allPlaced(v.Findings)...)
	}
	if strings.Join(got, " ") != "us-marketing warning 2:1:1" {
		t.Errorf("got %v", got)
	}
	if rows, _ := checkText(t, text, CheckOptions{Content: offer(t, "UTILITY")}); strings.Join(rows, ", ") != "2 kept, 3 kept" {
		t.Errorf("got %v", rows)
	}
}

package report

import (
	"fmt"
	"testing"

	"github.com/wactl/wactl/analyze/report/pagetest"
)

func TestPageInBrowser(t *testing.T) {
	b := pagetest.Open(t)
	for _, page := range []struct {
		name   string
		html   []byte
		widths []int
	}{
		{"storm", htmlOf(t, storm(t)), []int{320, 375, 768, 1280}},
		{"hostile", htmlOf(t, hostile(t)), []int{375, 1280}},
		{"quiet", htmlOf(t, quietReport()), []int{375}},
	} {
		path := pagetest.File(t, page.html)
		for _, width := range page.widths {
			for _, scheme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s %d %s", page.name, width, scheme), func(t *testing.T) {
					b.T = t
					b.Show(path, width, "screen", scheme)
					b.Check(page.name, width, scheme)
					b.Quiet(path)
				})
			}
		}
	}
	b.T = t
}

func TestPageByKeyboardAndOnPaper(t *testing.T) {
	b := pagetest.Open(t)
	path := pagetest.File(t, htmlOf(t, storm(t)))
	b.Show(path, 1280, "screen", "light")
	b.Keyboard()
	b.Show(path, 800, "print", "dark")
	b.Paper()
}

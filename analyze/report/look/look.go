// Package look is how the pages look that are made of reports: one style for a log's and a campaign's. It knows nothing of what they say.
package look

import (
	_ "embed"
	"html/template"
)

//go:embed style.css
var style string

// Page is the template of a page, which calls "style" and defines "own style" for what only it has.
func Page(text string) (*template.Template, error) {
	t, err := template.New("page").Parse(style)
	if err != nil {
		return nil, err
	}
	return t.Parse(text)
}

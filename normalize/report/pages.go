package report

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed rules/*.md
var pageFiles embed.FS

// Page is the Markdown page of a rule: what it means, why it matters, a bad and a good example.
func Page(rule string) (string, bool) {
	text, err := fs.ReadFile(pageFiles, "rules/"+rule+".md")
	return string(text), err == nil
}

// Pages are the names of all rules that have a page, sorted; some may not be in use yet.
func Pages() []string {
	files, _ := fs.ReadDir(pageFiles, "rules") // what is embedded is there
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".md"))
	}
	return names
}

// Meaning is what a rule is about whatever the row: the first paragraph of its page, or its name where it has none.
func Meaning(rule string) string {
	page, ok := Page(rule)
	if !ok {
		return visible(rule)
	}
	_, body, _ := strings.Cut(page, "\n\n")
	first, _, _ := strings.Cut(body, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

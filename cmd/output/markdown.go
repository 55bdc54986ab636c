package output

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	strong   = regexp.MustCompile(`\*\*([^*]+)\*\*`)
)

// Markdown writes a page of our own: styled on a terminal with colour, word for word elsewhere.
func (s *Streams) Markdown(page string) {
	if !s.outColor() {
		s.result(page)
		return
	}
	s.result(style(s.outStyle, page))
}

func style(r *lipgloss.Renderer, page string) string {
	bold := r.NewStyle().Bold(true)
	code := r.NewStyle().Foreground(lipgloss.Color("6"))
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			continue
		case fenced:
			line = "    " + code.Render(line)
		case strings.HasPrefix(line, "#"):
			line = bold.Render(strings.TrimLeft(line, "# "))
		case strings.HasPrefix(line, "|"):
			// Table cells stay aligned only if nothing in them changes its width.
		default:
			line = codeSpan.ReplaceAllStringFunc(line, func(m string) string { return code.Render(strings.Trim(m, "`")) })
			line = strong.ReplaceAllStringFunc(line, func(m string) string { return bold.Render(strings.Trim(m, "*")) })
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

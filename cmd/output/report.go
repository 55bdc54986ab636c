package output

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/wactl/wactl/analyze/report"
)

// reportColors are the ANSI colours of what a report shows: legible on light and on dark.
var reportColors = map[report.Style]string{report.Sends: "4", report.Debt: "3", report.Refused: "1", report.Open: "2"}

// Report writes the lines of a report. Spans have their colours on a terminal, and are plain text elsewhere.
func (s *Streams) Report(lines []report.Line) {
	var b strings.Builder
	for _, line := range lines {
		for _, span := range line {
			text := s.clean(span.Text)
			if s.outColor() {
				text = s.styleOf(span.Style).Render(text)
			}
			b.WriteString(text)
		}
		b.WriteByte('\n')
	}
	s.result(b.String())
}

func (s *Streams) styleOf(style report.Style) lipgloss.Style {
	look := s.outStyle.NewStyle().Inline(true)
	switch color := reportColors[style]; {
	case style == report.Strong:
		return look.Bold(true)
	case style == report.Faint:
		return look.Faint(true)
	case color != "":
		return look.Foreground(lipgloss.Color(color))
	}
	return look
}

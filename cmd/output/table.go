package output

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Table writes rows under a header. Columns of numbers stand right; on a terminal long cells wrap so that a row fits its width.
func (s *Streams) Table(header []string, rows [][]string) {
	cells := make([][]string, len(rows))
	for i, row := range rows {
		cells[i] = make([]string, len(header))
		for j := range min(len(row), len(header)) {
			cells[i][j] = s.clean(row[j])
		}
	}
	if s.Width > 0 {
		cells = wrapCells(cells, fit(header, cells, s.Width))
	}
	var b strings.Builder
	t := tablewriter.NewTable(&b, tableStyle(header, cells)...)
	t.Header(header)
	if err := t.Bulk(cells); err != nil {
		s.result(plainRows(header, cells))
		return
	}
	if err := t.Render(); err != nil {
		s.result(plainRows(header, cells))
		return
	}
	s.result(s.styleHead(trimLines(b.String())))
}

// plainRows is the table without layout: words reach the user even if the layout fails.
func plainRows(header []string, rows [][]string) string {
	var b strings.Builder
	for _, row := range append([][]string{header}, rows...) {
		b.WriteString(strings.Join(row, "\t") + "\n")
	}
	return b.String()
}

// gap is the columns between two cells.
const gap = 2

func tableStyle(header []string, rows [][]string) []tablewriter.Option {
	align := make(tw.Alignment, len(header))
	for i := range align {
		align[i] = tw.AlignLeft
		if numeric(rows, i) {
			align[i] = tw.AlignRight
		}
	}
	pad := tw.CellPadding{Global: tw.Padding{Right: strings.Repeat(" ", gap), Overwrite: true}}
	cell := tw.CellConfig{Padding: pad, Alignment: tw.CellAlignment{PerColumn: align},
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}}
	return []tablewriter.Option{
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleNone),
			Settings: tw.Settings{
				Separators: tw.Separators{ShowHeader: tw.Off, ShowFooter: tw.Off, BetweenRows: tw.Off, BetweenColumns: tw.Off},
				Lines:      tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowHeaderLine: tw.Off, ShowFooterLine: tw.Off},
			},
		})),
		tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell, Behavior: tw.Behavior{TrimSpace: tw.Off}}),
	}
}

var number = regexp.MustCompile(`^[-+]?[\d,]+(\.\d+)?( ?(%|s|/s|mps))?$`)

// numeric tells whether a column holds numbers only; an empty cell or a dash stands for an unknown one.
func numeric(rows [][]string, column int) bool {
	found := false
	for _, row := range rows {
		switch cell := row[column]; {
		case cell == "" || cell == "-":
		case number.MatchString(cell) && !strings.HasPrefix(cell, "+"):
			found = true
		default:
			return false
		}
	}
	return found
}

// narrowest is what fit leaves of a column at least.
const narrowest = 8

// fit is the width of each column so that all of them stand side by side in total columns, taken from the widest first.
func fit(header []string, rows [][]string, total int) []int {
	widths := make([]int, len(header))
	sum := gap * (len(header) - 1)
	for i, h := range header {
		widths[i] = lipgloss.Width(h)
		for _, row := range rows {
			widths[i] = max(widths[i], lipgloss.Width(row[i]))
		}
		sum += widths[i]
	}
	for sum > total {
		widest := 0
		for i := range widths {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= narrowest {
			break
		}
		widths[widest]--
		sum--
	}
	return widths
}

func wrapCells(rows [][]string, widths []int) [][]string {
	for _, row := range rows {
		for i := range row {
			row[i] = wrap(row[i], widths[i])
		}
	}
	return rows
}

// wrap breaks text at spaces, and inside a word only where the word alone is too long.
func wrap(text string, width int) string {
	if lipgloss.Width(text) <= width {
		return text
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && lipgloss.Width(line)+1+lipgloss.Width(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
		for lipgloss.Width(line) > width {
			head, rest := split(line, width)
			lines, line = append(lines, head), rest
		}
	}
	return strings.Join(append(lines, line), "\n")
}

// split cuts after as many characters as fit in width, at least one.
func split(text string, width int) (head, rest string) {
	runes := []rune(text)
	n := 1
	for n < len(runes) && lipgloss.Width(string(runes[:n+1])) <= width {
		n++
	}
	return string(runes[:n]), string(runes[n:])
}

func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// styleHead makes a table's first line stand out on a terminal.
func (s *Streams) styleHead(table string) string {
	head, rest, found := strings.Cut(table, "\n")
	if !s.outColor() || !found {
		return table
	}
	return s.outStyle.NewStyle().Bold(true).Render(head) + "\n" + rest
}

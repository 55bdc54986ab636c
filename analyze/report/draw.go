package report

import (
	"strings"
	"time"
)

// Style is what a piece of text stands for. A terminal may colour by it; the text says it all without.
type Style uint8

// The styles.
const (
	Plain   Style = iota
	Strong        // headings and what must not be missed
	Faint         // labels, axes, what is there to be looked up
	Sends         // accepted sends
	Debt          // silence owed
	Refused       // refusals
	Open          // the instant from which the pair is open again
)

// Span is a piece of a line in one style.
type Span struct {
	Text  string
	Style Style
}

// Line is one line of text for people, without its end. A nil Line is an empty one.
type Line []Span

// String is the line without styles.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// glyphs are the characters that a timeline is drawn with.
type glyphs struct {
	edge, corner, cross, axis, tick, arrow string
	levels                                 []string // of a cell, from empty to full
}

var (
	plainGlyphs = glyphs{edge: "|", corner: "+", cross: "x", axis: "-", tick: "+", arrow: "^", levels: []string{" ", ".", "#"}}
	blockGlyphs = glyphs{edge: "│", corner: "└", cross: "×", axis: "─", tick: "┬", arrow: "▲", levels: []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}}
)

// The measures of a timeline in characters.
const (
	labelWidth   = 17
	debtRows     = 4
	fewestColums = 20
	markWidth    = 12 // a time of day and some air
)

// canvas draws one timeline.
type canvas struct {
	glyphs
	timeline
	o     Options
	parts []column
}

// draw is the timeline of an incident: sends, debt and refusals on one axis of time.
func draw(t timeline, o Options) []Line {
	c := canvas{glyphs: blockGlyphs, timeline: t, o: o}
	if o.ASCII {
		c.glyphs = plainGlyphs
	}
	c.parts = t.columns(max(fewestColums, o.width()-labelWidth-2))
	var lines []Line
	if len(t.sends) > 0 {
		lines = append(lines, c.row(plural(len(t.sends), "send"), Sends, c.sent))
		lines = append(lines, c.debts()...)
	}
	if len(t.refused) > 0 {
		lines = append(lines, c.row(plural(len(t.refused), "refusal"), Refused, c.refusals))
	}
	lines = append(lines, c.axisLine(), c.timesLine())
	if !t.open.IsZero() {
		lines = append(lines, c.openLine())
	}
	return lines
}

// row is a labelled line with one character a column; runs of one style become one span.
func (c canvas) row(label string, style Style, cell func(column) string) Line {
	var b strings.Builder
	for _, part := range c.parts {
		b.WriteString(cell(part))
	}
	return Line{{c.label(label), Faint}, {strings.TrimRight(b.String(), " "), style}}
}

func (c canvas) label(text string) string {
	if letters := []rune(text); len(letters) > labelWidth-1 {
		text = string(letters[:labelWidth-1])
	}
	return strings.Repeat(" ", max(0, labelWidth-1-len([]rune(text)))) + text + " " + c.edge
}

// sent is how many sends a column holds, as a digit.
func (c canvas) sent(part column) string {
	switch {
	case part.sends == 0:
		return " "
	case part.sends > 9:
		return "*"
	}
	return string(rune('0' + part.sends))
}

func (c canvas) refusals(part column) string {
	if part.refused == 0 {
		return " "
	}
	return c.cross
}

// debts draws the silence owed as a hill, the highest row first.
func (c canvas) debts() []Line {
	top := time.Duration(0)
	for _, part := range c.parts {
		top = max(top, part.debt)
	}
	full := len(c.levels) - 1
	var lines []Line
	for row := debtRows - 1; row >= 0; row-- {
		label := ""
		if row == debtRows-1 {
			label = "owed " + lasting(c.highest())
		}
		lines = append(lines, c.row(label, Debt, func(part column) string {
			height := int(float64(part.debt) / float64(max(top, 1)) * float64(debtRows*full))
			if part.debt > 0 {
				height = max(height, 1) // however little is owed, the pair is closed
			}
			return c.levels[max(0, min(full, height-row*full))]
		}))
	}
	return lines
}

// axisLine is the axis with a mark at each round time.
func (c canvas) axisLine() Line {
	cells := make([]string, len(c.parts))
	for i := range cells {
		cells[i] = c.axis
	}
	for _, at := range c.roundTimes() {
		cells[c.column(at, len(c.parts))] = c.tick
	}
	return Line{{strings.Repeat(" ", labelWidth) + c.corner, Faint}, {strings.Join(cells, ""), Faint}}
}

func (c canvas) roundTimes() []time.Time {
	return c.marks(max(2, len(c.parts)/markWidth), c.o.zone())
}

// timesLine names the round times under their marks, as far as there is room.
func (c canvas) timesLine() Line {
	layout := clockLayout
	if c.end.Sub(c.start) > 24*time.Hour {
		layout = "01-02 15:04"
	}
	cells := []byte(strings.Repeat(" ", len(c.parts)))
	free := 0
	for _, at := range c.roundTimes() {
		text := at.In(c.o.zone()).Format(layout)
		from := max(free, min(c.column(at, len(c.parts))-len(text)/2, len(cells)-len(text)))
		if from+len(text) > len(cells) || at.Sub(c.instant(from, len(c.parts))) < 0 {
			continue // it would stand under another time
		}
		copy(cells[from:], text)
		free = from + len(text) + 1
	}
	return Line{{strings.Repeat(" ", labelWidth+1), Faint}, {strings.TrimRight(string(cells), " "), Faint}}
}

// openLine points at the instant from which the pair is open again.
func (c canvas) openLine() Line {
	at := c.column(c.open, len(c.parts))
	indent := strings.Repeat(" ", labelWidth+1)
	text := "open again " + c.o.clock(c.open, c.start)
	switch {
	case at > len(text):
		return Line{{indent + strings.Repeat(" ", at-len(text)-1), Plain}, {text + " " + c.arrow, Open}}
	case at+2+len(text) <= len(c.parts):
		return Line{{indent + strings.Repeat(" ", at), Plain}, {c.arrow + " " + text, Open}}
	}
	return Line{{indent + strings.Repeat(" ", at), Plain}, {c.arrow, Open}} // the words stand below the drawing anyway
}

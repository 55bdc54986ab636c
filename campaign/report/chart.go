package report

import (
	"fmt"
	"strings"
	"time"
)

// The measures of a drawing in its own units; the page stretches it to the width that there is.
const (
	chartWidth  = 500
	chartHeight = 120
	chartBottom = 100 // below is the lane of the refusals
	chartTop    = 10
	mostMarks   = 7
	edgeShare   = 11.0 // per cent at both ends where a time would not fit
)

// chart is one drawing with its labels.
type chart struct {
	Key, Title, Text     string // the text says all that is drawn
	Top, Bottom          string // labels of the scale
	Area, Limit, Refused string // paths; empty: nothing to draw
	LimitLabel           string
	LimitAt              string // per cent from the top
	Width, Height        int
	Marks                []mark
	RefusedLabel         string
}

// mark is a time under the axis.
type mark struct {
	Left string // per cent of the width
	Text string
	Odd  bool // left out where there is little room
}

// series is what one chart draws: a value a column, and what it is held against.
type series struct {
	values []float64
	known  []bool // nil: all
	limit  float64
	steps  bool // columns stand for themselves; without it a value holds until the next
}

// draw makes the paths of a chart. The scale ends a little above the larger of limit and highest value.
func (s series) draw(c *chart) (top float64) {
	top = s.limit
	for _, v := range s.values {
		top = max(top, v)
	}
	top = max(top, 1)
	y := func(v float64) float64 { return chartBottom - (chartBottom-chartTop)*v/top }
	width := float64(chartWidth) / float64(len(s.values))
	var b strings.Builder
	held := 0.0
	for i, v := range s.values {
		if s.known != nil && !s.known[i] {
			if v = held; s.steps {
				v = 0
			}
		}
		if held = v; b.Len() == 0 {
			fmt.Fprintf(&b, "M0 %d", chartBottom)
		}
		fmt.Fprintf(&b, "L%.1f %.1fH%.1f", float64(i)*width, y(v), float64(i+1)*width)
	}
	fmt.Fprintf(&b, "V%dZ", chartBottom)
	c.Area, c.Width, c.Height = b.String(), chartWidth, chartHeight
	if s.limit > 0 {
		c.Limit = fmt.Sprintf("M0 %.1fH%d", y(s.limit), chartWidth)
		c.LimitAt = fmt.Sprintf("%.1f", y(s.limit)/chartHeight*100)
	}
	return top
}

// refusals draws a mark for each column in which the platform refused something.
func (c *course) refusals() string {
	var b strings.Builder
	width := float64(chartWidth) / float64(len(c.columns))
	for i, col := range c.columns {
		if col.refused > 0 {
			fmt.Fprintf(&b, "M%.1f %dV%d", (float64(i)+0.5)*width, chartBottom+5, chartHeight-2)
		}
	}
	return b.String()
}

// markSteps are the distances at which times may stand under an axis.
var markSteps = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 3 * time.Hour,
	6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour}

// marks are round times under the axis, each where its instant is.
func (c *course) marks(zone *time.Location) (all []mark) {
	span := c.end.Sub(c.start)
	step := markSteps[len(markSteps)-1]
	for _, s := range markSteps {
		if span/s <= mostMarks {
			step = s
			break
		}
	}
	layout := "15:04:05"
	if span > 24*time.Hour {
		layout = "01-02 15:04"
	}
	start := c.start.Time().In(zone)
	_, offset := start.Zone()
	first := start.Add(time.Duration(offset) * time.Second).Truncate(step).Add(-time.Duration(offset) * time.Second) // round on the user's clock
	for at := first; !at.After(c.end.Time()); at = at.Add(step) {
		left := float64(at.Sub(c.start.Time())) / float64(span) * 100
		if left < edgeShare || left > 100-edgeShare {
			continue
		}
		all = append(all, mark{Left: fmt.Sprintf("%.2f", left), Text: at.In(zone).Format(layout), Odd: len(all)%2 == 1})
	}
	return all
}

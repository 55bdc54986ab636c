package report

import (
	"fmt"
	"strings"
	"time"
)

// The measures of a drawing in its own units; the page stretches it to the width that there is.
const (
	drawingWidth  = 500
	drawingHeight = 120
	sendsBottom   = 30 // the lane of the sends is above
	debtBottom    = 86 // the lane of the debt is above
	debtHeight    = 46
	refusedTop    = 96
	mostMarks     = 7   // times under the axis
	exactSends    = 250 // up to here the debt is drawn from send to send
	edgeShare     = 7.0 // per cent at both ends where a time would not fit
)

// drawing is a timeline as shapes, for the page.
type drawing struct {
	Width, Height                int
	Sends, Debt, Refused, Opened string // paths; empty: nothing to draw
	Marks                        []mark
	Describes                    string // all of it in words
}

// mark is a time under the axis.
type mark struct {
	Left string // per cent of the width
	Text string
	Odd  bool // left out where there is little room
}

// shapes draws a timeline.
func shapes(t timeline, o Options) drawing {
	d := drawing{Width: drawingWidth, Height: drawingHeight, Describes: describe(t, o)}
	parts := t.columns(drawingWidth)
	most := 1
	for _, p := range parts {
		most = max(most, p.sends)
	}
	var sends, refused strings.Builder
	for i, p := range parts {
		if p.sends > 0 {
			fmt.Fprintf(&sends, "M%.1f %dV%.1f", float64(i)+0.5, sendsBottom, sendsBottom-8-18*float64(p.sends)/float64(most))
		}
		if p.refused > 0 {
			fmt.Fprintf(&refused, "M%.1f %dV%d", float64(i)+0.5, refusedTop, drawingHeight-4)
		}
		if p.open {
			d.Opened = fmt.Sprintf("M%.1f 0V%d", float64(i)+0.5, drawingHeight)
		}
	}
	d.Sends, d.Refused, d.Debt = sends.String(), refused.String(), t.hill(parts)
	d.Marks = t.timeMarks(o)
	return d
}

// hill is the outline of the debt.
func (t timeline) hill(parts []column) string {
	if len(t.sends) == 0 {
		return ""
	}
	top := float64(max(t.highest(), 1))
	var b strings.Builder
	fmt.Fprintf(&b, "M0 %d", debtBottom)
	point := func(x float64, debt time.Duration) {
		fmt.Fprintf(&b, "L%.1f %.1f", x, debtBottom-debtHeight*float64(debt)/top)
	}
	if len(t.sends) > exactSends {
		for i, p := range parts {
			point(float64(i), p.debt)
		}
	} else {
		t.eachTurn(point)
	}
	return b.String() + fmt.Sprintf("L%d %dZ", drawingWidth, debtBottom)
}

// eachTurn visits the points where the debt turns, and its end.
func (t timeline) eachTurn(point func(x float64, debt time.Duration)) {
	var clear time.Time
	for _, at := range t.sends {
		if clear.Before(at) {
			if !clear.IsZero() {
				point(t.x(clear), 0)
			}
			clear = at
		}
		point(t.x(at), clear.Sub(at))
		clear = clear.Add(t.interval)
		point(t.x(at), clear.Sub(at))
	}
	point(t.x(clear), max(0, clear.Sub(later(clear, t.end))))
	if clear.After(t.end) {
		point(drawingWidth, clear.Sub(t.end))
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// x is where an instant stands in the drawing.
func (t timeline) x(at time.Time) float64 {
	share := float64(at.Sub(t.start)) / float64(t.end.Sub(t.start))
	return drawingWidth * max(0, min(1, share))
}

// timeMarks are the times under the axis, each where its instant is.
func (t timeline) timeMarks(o Options) (all []mark) {
	layout := clockLayout
	if t.end.Sub(t.start) > 24*time.Hour {
		layout = "01-02 15:04"
	}
	for _, at := range t.marks(mostMarks, o.zone()) {
		left := t.x(at) / drawingWidth * 100
		if left < edgeShare || left > 100-edgeShare {
			continue
		}
		all = append(all, mark{Left: fmt.Sprintf("%.2f", left), Text: at.In(o.zone()).Format(layout), Odd: len(all)%2 == 1})
	}
	return all
}

// describe says in words what a drawing shows, for who does not see it.
func describe(t timeline, o Options) string {
	text := "No accepted send is in the log. "
	if len(t.sends) > 0 {
		text = fmt.Sprintf("%s from %s. At most %s of silence was owed. ", plural(len(t.sends), "accepted send"),
			o.between(t.sends[0], t.sends[len(t.sends)-1]), lasting(t.highest()))
	}
	if len(t.refused) > 0 {
		text += fmt.Sprintf("%s, %s. ", plural(len(t.refused), "refusal"), o.between(t.refused[0], t.refused[len(t.refused)-1]))
	}
	if t.open.IsZero() {
		return text + "When the pair opened again is not known."
	}
	return text + "The pair is open again at " + o.moment(t.open) + "."
}

package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/wactl/wactl/analyze"
)

// The width of a text that no terminal limits, the narrowest that is drawn, and the widest that reads well.
const (
	usualWidth    = 80
	narrowest     = 40
	widest        = 160
	usualTop      = 10 // incidents and pairs
	toldRefusals  = 3  // of one incident
	toldSkipLines = 5  // of one source
)

func (o Options) width() int {
	if o.Width <= 0 {
		return usualWidth
	}
	return max(narrowest, min(o.Width, widest))
}

// Text is the report as an incident report for a terminal. The first three lines answer: what, closed until when, change what.
func Text(r analyze.Report, o Options) []Line {
	p := &page{story: tell(completed(r)), o: o}
	headline := p.headline(o)
	p.add(Line{{headline[0], Strong}})
	p.add(Line{{headline[1], Plain}})
	p.paragraph("", "", headline[2])
	if skipped := p.skipped(); len(skipped) > 0 {
		p.paragraph("", "", "Not all could be read, skipped lines: "+tally(skipped)+"; see the sources below.")
	}
	p.asked()
	p.incidentParts()
	p.causes()
	p.worstPairs()
	p.readings()
	p.otherErrors()
	p.unattributed()
	p.sources()
	p.limits()
	return p.lines
}

// page is a text on its way.
type page struct {
	story
	o     Options
	lines []Line
}

func (p *page) add(lines ...Line) { p.lines = append(p.lines, lines...) }

func (p *page) heading(text string) { p.add(nil, Line{{text, Strong}}) }

// paragraph adds folded text under a label; further lines stand under the first.
func (p *page) paragraph(indent, label, text string) {
	head := indent + label
	hang := strings.Repeat(" ", len([]rune(head)))
	for i, part := range fold(text, p.o.width()-len(hang)) {
		if i == 0 {
			p.add(Line{{head, Faint}, {part, Plain}})
			continue
		}
		p.add(Line{{hang + part, Plain}})
	}
}

// field adds what a label of fixed width says, if there is anything to say.
func (p *page) field(label, text string) {
	if text != "" {
		p.paragraph("  ", fmt.Sprintf("%-10s", label), text)
	}
}

func (p *page) incidentParts() {
	told := p.o.top(len(p.incidents), usualTop)
	for _, n := range p.worst(told) {
		p.incident(n)
	}
	if more := len(p.incidents) - told; more > 0 {
		p.add(nil, Line{{fmt.Sprintf("%s more: --top %d tells them all, --format json holds them all.", count(more), len(p.incidents)), Faint}})
	}
}

func (p *page) incident(n incident) {
	f := n.first()
	p.add(nil)
	p.strong(n.title())
	p.paragraph("  ", "", fmt.Sprintf("to %s, from %s, %s", n.recipients(), from(n.PhoneNumberID), p.o.between(n.First.Time, n.Last.Time)))
	p.add(nil)
	if n.drawn() {
		p.add(draw(n.timeline, p.o)...)
		p.add(nil)
	}
	p.field("sent", p.o.burst(f))
	p.field("refused", p.o.refusals(n))
	p.field("open", p.o.openAgain(n))
	p.field("why", sentences(f.Evidence))
	p.field("change", cmp.Or(n.Advice, f.Advice))
	for _, then := range n.later() {
		p.field("then", then)
	}
	p.field("readings", p.o.disagreement(f))
	p.field("sure", sure(f))
}

// strong adds folded text that stands out.
func (p *page) strong(text string) {
	for _, part := range fold(text, p.o.width()) {
		p.add(Line{{part, Strong}})
	}
}

// burst says which sends closed the pair.
func (o Options) burst(f analyze.Failure) string {
	b := f.Burst
	if b == nil {
		text := "the log shows no accepted send that could have closed the pair"
		if f.MissingSends > 0 {
			text += fmt.Sprintf("; at least %s missing: another system, or a part of the log that is not here", areSends(f.MissingSends))
		}
		return text
	}
	text := plural(b.Count, "accepted send")
	if b.CountMax > b.Count {
		text += fmt.Sprintf(" (up to %s, if those of unknown fate count)", count(b.CountMax))
	}
	text += ", " + o.between(b.First.Time, b.Last.Time)
	if n := len(b.Sends); n > 0 {
		first, last := b.Sends[0], b.Sends[n-1]
		text += ", " + place(first.Path, first.Line)
		if n > 1 {
			text += " to " + placeAfter(first.Path, last.Path, last.Line)
		}
	}
	return text
}

func areSends(n int) string {
	if n == 1 {
		return "1 send is"
	}
	return count(n) + " sends are"
}

// refusals lists the first refusals of an incident with their places.
func (o Options) refusals(n incident) string {
	var parts []string
	path := ""
	for _, f := range n.failures[:min(len(n.failures), toldRefusals)] {
		text := fmt.Sprintf("%s (%s", o.clock(f.At.Time, n.First.Time), placeAfter(path, f.Source.Path, f.Source.Line))
		path = f.Source.Path
		if f.EarlyBy != nil && *f.EarlyBy > 0 {
			text += ", " + strconv.FormatFloat(*f.EarlyBy, 'f', -1, 64) + " s too early"
		}
		if f.ReportedAt != nil {
			text += ", reported at " + o.clock(f.ReportedAt.Time, n.First.Time)
		}
		parts = append(parts, text+")")
	}
	if more := len(n.failures) - len(parts); more > 0 {
		parts = append(parts, count(more)+" more")
	}
	return strings.Join(parts, ", ")
}

// openAgain says from when on the pair may be written to.
func (o Options) openAgain(n incident) string {
	f := n.first()
	if n.timeline.open.IsZero() {
		return "not known, since the sends that closed the pair are not in the log"
	}
	text := "again at " + o.moment(n.timeline.open)
	if f.ClearAtMax != nil && f.ClearAtMax.After(n.timeline.open) {
		text += ", at " + o.clock(f.ClearAtMax.Time, n.timeline.open) + " if sends of unknown fate count"
	}
	if wait := n.timeline.open.Sub(f.At.Time); wait > 0 {
		text += ", " + lasting(wait) + " after the first refusal"
	}
	return text
}

// sure says how certain it is that the pair limit refused, unless it is.
func sure(f analyze.Failure) string {
	text := confidenceWords[f.Confidence]
	if f.Code != f.Means && f.Code != 0 {
		logged := fmt.Sprintf("logged as code %d", f.Code)
		if text == "" {
			return logged
		}
		return logged + ": " + text
	}
	return text
}

// fold breaks text at spaces into lines of at most width characters; a longer word stays whole.
func fold(text string, width int) []string {
	lines := []string{""}
	length := 0
	for word := range strings.FieldsSeq(text) {
		n := len([]rune(word))
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last, length = word, n
		case length+1+n > width:
			lines = append(lines, word)
			length = n
		default:
			*last += " " + word
			length += 1 + n
		}
	}
	return lines
}

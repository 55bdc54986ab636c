package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wactl/wactl/analyze"
)

// causes counts the failures of each pattern, where there are several patterns.
func (p *page) causes() {
	if len(p.Summary.ByPattern) < 2 {
		return
	}
	p.heading("Causes")
	for _, name := range byCount(p.Summary.ByPattern) {
		p.paragraph("  ", "", plural(p.Summary.ByPattern[name], "refusal")+", "+cause(name))
	}
}

// readings says what the two readings of the limit are, where they disagree over some failure.
func (p *page) readings() {
	if !p.disagree() {
		return
	}
	p.heading("Two readings of the limit")
	r := p.Summary.Readings
	for i, n := range []analyze.ReadingCount{r.Strict, r.Bucket45} {
		p.paragraph("  ", fmt.Sprintf("%-10s", readingWords[i][0]), readingWords[i][1]+". "+p.record(n))
	}
}

// record says how a reading did over the whole log.
func (s story) record(n analyze.ReadingCount) string {
	text := fmt.Sprintf("It expects %s of %s", count(n.Right), plural(s.Summary.Failures, "refusal"))
	if n.Contradicted > 0 {
		return text + fmt.Sprintf(", and would have refused %s that went through.", plural(n.Contradicted, "send"))
	}
	return text + "."
}

// disagree says whether the readings part over any failure.
func (s story) disagree() bool {
	return slices.ContainsFunc(s.Failures, func(f analyze.Failure) bool { return Options{}.disagreement(f) != "" })
}

// asked draws the timeline of the pair that was asked for.
func (p *page) asked() {
	if len(p.Timeline) == 0 {
		return
	}
	t := p.pairTimeline()
	p.heading("Timeline of the pair: " + p.o.between(t.start, t.end))
	p.add(draw(t, p.o)...)
}

// pairTimeline is all that the log shows of the pair that was asked for.
func (s story) pairTimeline() timeline {
	t := timeline{interval: s.interval()}
	for _, send := range s.Timeline {
		t.sends = append(t.sends, send.At.Time)
	}
	slices.SortFunc(t.sends, time.Time.Compare)
	for _, f := range s.Failures {
		t.refused = append(t.refused, f.At.Time)
	}
	for _, at := range t.sends {
		t.open = charged(t.open, at, t.interval)
	}
	return t.fitted()
}

// worstPairs ranks the pairs, where there are several.
func (p *page) worstPairs() {
	if len(p.pairs) < 2 {
		return
	}
	p.heading("Worst pairs")
	for _, w := range p.pairs[:p.o.top(len(p.pairs), usualTop)] {
		text := fmt.Sprintf("%s: refused %s in %s, last at %s", w, times(w.refused), plural(w.incidents, "incident"), p.o.moment(w.last))
		if !w.open.IsZero() {
			text += ", open again at " + p.o.clock(w.open, w.last)
		}
		p.paragraph("  ", "", text)
	}
	if more := len(p.pairs) - p.o.top(len(p.pairs), usualTop); more > 0 {
		p.add(Line{{"  and " + count(more) + " more", Faint}})
	}
}

// otherErrors lists the other codes with what they mean.
func (p *page) otherErrors() {
	if len(p.OtherErrors) == 0 {
		return
	}
	p.heading("Other errors in the log")
	for _, e := range p.OtherErrors {
		p.paragraph("  ", fmt.Sprintf("%-7d", e.Code), p.o.other(e))
	}
	p.add(Line{{"  `wactl explain CODE` says more about each.", Faint}})
}

// other says how often a code occurs, when, and what it means.
func (o Options) other(e analyze.OtherError) string {
	text := times(e.Count)
	if e.PhoneNumberID != "" {
		text += " from " + e.PhoneNumberID
	}
	if e.First != nil && e.Last != nil {
		text += ", " + o.between(e.First.Time, e.Last.Time)
	}
	text += ". " + e.Meaning + " "
	if e.SlowingDownHelps {
		text += "Slowing down helps."
	} else {
		text += "Slowing down does not help."
	}
	if e.PeakSendsPerSecond != nil {
		text += fmt.Sprintf(" The log shows up to %s a second.", plural(*e.PeakSendsPerSecond, "send"))
	}
	return text
}

// unattributed lists refusals that name no recipient.
func (p *page) unattributed() {
	if len(p.Unattributed) == 0 {
		return
	}
	p.heading("Refusals that name no recipient")
	told := p.o.top(len(p.Unattributed), usualTop)
	for _, u := range p.Unattributed[:told] {
		text := place(u.Source.Path, u.Source.Line) + ": code " + strconv.Itoa(u.Code)
		if u.At != nil {
			text += " at " + p.o.moment(u.At.Time)
		}
		p.paragraph("  ", "", text)
	}
	if more := len(p.Unattributed) - told; more > 0 {
		p.add(Line{{"  and " + count(more) + " more", Faint}})
	}
}

// sources says what was read, and what could not be.
func (p *page) sources() {
	if len(p.Sources) == 0 {
		return
	}
	p.heading("Sources")
	for _, s := range p.Sources {
		p.paragraph("  ", "", s.Path+": "+about(s))
	}
}

// about says what was found in one source.
func about(s analyze.SourceReport) string {
	format := s.Format
	if format == "" {
		format = "no known format"
	}
	parts := []string{format, plural(s.Lines, "line"), plural(s.Events, "event")}
	if s.Duplicates > 0 {
		parts = append(parts, count(s.Duplicates)+" said again what was known")
	}
	if s.ClockSkew != nil {
		parts = append(parts, clockWords(*s.ClockSkew))
	}
	if s.Unreadable != "" {
		parts = append(parts, "cannot be judged: "+s.Unreadable)
	}
	if len(s.Skipped) > 0 {
		parts = append(parts, "skipped "+tally(s.Skipped)+skipLines(s.FirstSkipped))
	}
	return strings.Join(parts, ", ")
}

// clockWords says how far a source's clock is off; a positive skew is a clock that is behind.
func clockWords(skew float64) string {
	off := strconv.FormatFloat(max(skew, -skew), 'f', -1, 64)
	if skew < 0 {
		return "its clock was " + off + " s ahead and is corrected"
	}
	return "its clock was " + off + " s behind and is corrected"
}

func skipLines(first []int) string {
	if len(first) == 0 {
		return ""
	}
	var numbers []string
	for _, n := range first[:min(len(first), toldSkipLines)] {
		numbers = append(numbers, strconv.Itoa(n))
	}
	return " (first in line " + strings.Join(numbers, ", ") + ")"
}

// limits says what the report as a whole cannot know.
func (p *page) limits() {
	if len(p.Notes) == 0 {
		return
	}
	p.heading("What limits this report")
	for _, note := range p.Notes {
		p.paragraph("  ", "", note)
	}
}

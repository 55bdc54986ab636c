package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"sync"

	"github.com/wactl/wactl/analyze"
	"github.com/wactl/wactl/analyze/report/look"
)

//go:embed page.html
var pageText string

// pageTemplate is parsed where it is used first, since most runs of the program write no page.
var pageTemplate = sync.OnceValues(func() (*template.Template, error) { return look.Page(pageText) })

// What the page tells when nobody says how much; beyond it a page would be slow to open.
const (
	pageTop   = 100 // incidents and pairs
	pageSends = 500 // rows of one table
)

// htmlPage is all that the template shows, in words.
type htmlPage struct {
	Headline  [3]string
	Facts     []fact
	Skipped   string
	Asked     *figure // of the pair that was asked for
	Incidents []htmlIncident
	More      int // incidents that are not told
	Causes    []fact
	Pairs     []htmlPair
	MorePairs int
	Readings  []fact
	Errors    []htmlError
	Nobody    []htmlRow // refusals that name no recipient
	Sources   []fact
	Notes     []string
}

type fact struct{ Name, Text string }

type htmlIncident struct {
	Figure                  *figure // nil: a lone mark on an axis says nothing
	ID                      int
	Title, Recipients, Meta string
	Facts                   []fact
	Sends, Refusals         []htmlRow
	MoreSends, MoreRefusals int
}

// figure is a drawn timeline with its labels.
type figure struct {
	Key, Title          string // the key makes its ids unique in the page
	Sent, Owed, Refused string // labels of the lanes
	Drawing             drawing
	Open                string
}

func figureOf(key, title string, t timeline, o Options) *figure {
	f := &figure{Key: key, Title: title, Sent: plural(len(t.sends), "send"), Owed: "owed", Refused: plural(len(t.refused), "refusal"), Drawing: shapes(t, o)}
	if len(t.sends) > 0 {
		f.Owed = "owed " + lasting(t.highest())
	}
	if !t.open.IsZero() {
		f.Open = "open again " + o.clock(t.open, t.start)
	}
	return f
}

// htmlRow is one message in a table: when, which, and where it stands in the log.
type htmlRow struct{ At, ID, Note, Place string }

type htmlPair struct{ Recipient, Number, Refused, Last, Open string }

type htmlError struct{ Code, Count, Meaning, When string }

// WriteHTML writes the report as one page that needs nothing else: no network, no script, for screen, print and screen reader.
func WriteHTML(w io.Writer, r analyze.Report, o Options) error {
	t, err := pageTemplate()
	if err != nil {
		return fmt.Errorf("page of the report: %w", err)
	}
	if err := t.Execute(w, viewOf(tell(completed(r)), o)); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// viewOf puts a story into the words of the page.
func viewOf(s story, o Options) htmlPage {
	v := htmlPage{Headline: s.headline(o), Notes: s.Notes, Skipped: tally(s.skipped())}
	v.Facts = []fact{
		{"incidents", count(len(s.incidents))}, {"refused", count(len(s.Failures))}, {"explained", count(s.Summary.Explained)},
		{"unexplained", count(s.Summary.Unexplained)}, {"sends", count(s.Summary.Sends)}, {"pairs", count(s.Summary.Pairs)},
	}
	if len(s.Timeline) > 0 {
		t := s.pairTimeline()
		v.Asked = figureOf("pair", "Timeline of the pair, "+o.between(t.start, t.end), t, o)
	}
	told := o.top(len(s.incidents), pageTop)
	v.More = len(s.incidents) - told
	for _, n := range s.worst(told) {
		v.Incidents = append(v.Incidents, incidentView(n, o))
	}
	for _, name := range byCount(s.Summary.ByPattern) {
		v.Causes = append(v.Causes, fact{cause(name), count(s.Summary.ByPattern[name])})
	}
	v.Pairs, v.MorePairs = pairViews(s.pairs, o)
	if s.disagree() {
		for i, n := range []analyze.ReadingCount{s.Summary.Readings.Strict, s.Summary.Readings.Bucket45} {
			v.Readings = append(v.Readings, fact{readingWords[i][0], readingWords[i][1] + ". " + s.record(n)})
		}
	}
	for _, e := range s.OtherErrors {
		v.Errors = append(v.Errors, errorView(e, o))
	}
	for _, u := range s.Unattributed[:o.top(len(s.Unattributed), pageSends)] {
		row := htmlRow{Note: strconv.Itoa(u.Code), Place: place(u.Source.Path, u.Source.Line), At: "not known"}
		if u.At != nil {
			row.At = o.moment(u.At.Time)
		}
		v.Nobody = append(v.Nobody, row)
	}
	for _, source := range s.Sources {
		v.Sources = append(v.Sources, fact{source.Path, about(source)})
	}
	return v
}

func incidentView(n incident, o Options) htmlIncident {
	f := n.first()
	v := htmlIncident{
		ID: n.ID, Title: n.title(), Recipients: n.recipients(), Meta: "from " + from(n.PhoneNumberID) + ", " + o.between(n.First.Time, n.Last.Time),
	}
	if n.drawn() {
		v.Figure = figureOf(strconv.Itoa(n.ID), "Timeline of incident "+strconv.Itoa(n.ID), n.timeline, o)
	}
	v.fact("Sent", o.burst(f))
	v.fact("Open", o.openAgain(n))
	v.fact("Why", sentences(f.Evidence))
	v.fact("Change", n.Advice)
	for _, then := range n.later() {
		v.fact("Then", then)
	}
	v.fact("Readings", o.disagreement(f))
	v.fact("How sure", sure(f))
	for _, s := range n.sends[:min(len(n.sends), pageSends)] {
		v.Sends = append(v.Sends, htmlRow{At: o.clock(s.At.Time, n.First.Time), ID: known(s.MessageID), Place: place(s.Path, s.Line)})
	}
	for _, f := range n.failures[:min(len(n.failures), pageSends)] {
		v.Refusals = append(v.Refusals, refusalRow(*f, n, o))
	}
	v.MoreSends, v.MoreRefusals = len(n.sends)-len(v.Sends), len(n.failures)-len(v.Refusals)
	return v
}

// fact adds what there is to say.
func (v *htmlIncident) fact(name, text string) {
	if text != "" {
		v.Facts = append(v.Facts, fact{name, text})
	}
}

func refusalRow(f analyze.Failure, n incident, o Options) htmlRow {
	row := htmlRow{At: o.clock(f.At.Time, n.First.Time), ID: known(f.MessageID), Place: place(f.Source.Path, f.Source.Line), Note: f.Pattern}
	if f.EarlyBy != nil && *f.EarlyBy > 0 {
		row.Note += ", " + lasting(seconds(*f.EarlyBy)) + " too early"
	}
	return row
}

func known(id *string) string {
	if id == nil {
		return "not known"
	}
	return *id
}

func pairViews(pairs []pair, o Options) (all []htmlPair, more int) {
	told := o.top(len(pairs), pageTop)
	for _, p := range pairs[:told] {
		v := htmlPair{Recipient: p.recipient, Number: from(p.number), Refused: count(p.refused), Last: o.moment(p.last), Open: "not known"}
		if !p.open.IsZero() {
			v.Open = o.moment(p.open)
		}
		all = append(all, v)
	}
	return all, len(pairs) - told
}

func errorView(e analyze.OtherError, o Options) htmlError {
	text := e.Meaning + " Slowing down does not help."
	if e.SlowingDownHelps {
		text = e.Meaning + " Slowing down helps."
	}
	if e.PeakSendsPerSecond != nil {
		text += fmt.Sprintf(" The log shows up to %s a second.", plural(*e.PeakSendsPerSecond, "send"))
	}
	v := htmlError{Code: strconv.Itoa(e.Code), Count: count(e.Count), Meaning: text, When: "not known"}
	if e.First != nil && e.Last != nil {
		v.When = o.between(e.First.Time, e.Last.Time)
	}
	return v
}

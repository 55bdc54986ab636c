package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/wactl/wactl/analyze/report/look"
	"github.com/wactl/wactl/ratelimit"
)

//go:embed page.html
var pageText string

// pageTemplate is parsed where it is used first, since most runs of the program write no page.
var pageTemplate = sync.OnceValues(func() (*template.Template, error) { return look.Page(pageText) })

// Page is what the page of a campaign is made of. What is nil or zero was not kept or is not known, and the page says so.
type Page struct {
	Campaign, Target, Status string
	Stopped, Resume          string // why the last run ended early and how it goes on
	Written                  time.Time
	Zone                     *time.Location // of all times; nil is UTC
	Totals                   Totals
	Plan                     *Plan // as the first run had it
	First, Last              ratelimit.Instant
	Passages                 iter.Seq2[Passage, error] // in order of time, from 24 hours before First to Last
	Uncertain                []Row                     // the first of them
}

// Totals is how far a campaign is: Sent + Held + Failed + Skipped + Uncertain + Pending = Messages.
type Totals struct {
	Messages, Sent, Held, Failed, Skipped, Uncertain, Pending int
	Delivered, Read                                           *int           // of Sent; nil until a webhook was seen
	SkippedBy                                                 map[string]int // rule to rows
	FailedBy                                                  map[int]int    // code to messages, 0 without one
	Refused                                                   map[int]int    // code to refusals that were tried again
}

// Plan is what a campaign was begun with.
type Plan struct {
	Level    int            // messages a second that the number may send
	Pace     ratelimit.Pace // that was asked for
	Tier     int            // people in 24 hours; 0: unlimited or not known
	Forecast time.Duration
	Messages int // that the forecast was about
}

// pageColumns is how finely the page draws time.
const pageColumns = 250

// WriteHTML writes the page of a campaign: one file that needs nothing else, for screen, print and screen reader.
func WriteHTML(w io.Writer, p Page) error {
	if p.Zone == nil {
		p.Zone = time.UTC
	}
	p.Campaign, p.Target, p.Stopped, p.Resume = plain(p.Campaign), plain(p.Target), plain(p.Stopped), plain(p.Resume)
	v := viewOf(p)
	if p.First != 0 && p.Passages != nil {
		c, err := follow(p.Passages, p.First, max(p.Last, p.First), pageColumns)
		if err != nil {
			return err
		}
		v.charts(p, c)
	}
	t, err := pageTemplate()
	if err != nil {
		return fmt.Errorf("page of the campaign: %w", err)
	}
	if err := t.Execute(w, v); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

package output

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/schollz/progressbar/v3"
)

// clearLine goes to the start of the terminal's line and empties it.
const clearLine = "\r\x1b[2K"

// Progress is where a job stands. What is zero is not shown, except Done.
type Progress struct {
	Elapsed time.Duration // since the job began
	Done    int           // of the bar's total
	Refused int           // refusals so far, retried ones too
	Rate    float64       // a second, lately
	Left    time.Duration // until the end, as far as known
	Note    string        // why nothing moves, for example
}

const (
	barAfter = time.Second            // a quicker job needs no bar
	barEvery = 100 * time.Millisecond // more often is only flicker
)

// Bar draws one job's progress on Err where that is a terminal. A nil Bar draws nothing.
type Bar struct {
	s     *Streams
	label string
	total int
	count func(int) string // how parts and rates are written; nil for Count
	last  time.Duration
	drawn bool
}

// Progress begins the bar of a job with total parts. It is nil where none can be seen; its methods may be called all the same.
func (s *Streams) Progress(total int, label string) *Bar {
	if !s.ErrTTY || s.Options.Quiet || s.Options.Dumb || total <= 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bar = &Bar{s: s, label: label, total: total, last: -barEvery}
	return s.bar
}

// ProgressBytes begins the bar of a job that reads or writes total bytes, like Progress.
func (s *Streams) ProgressBytes(total int, label string) *Bar {
	b := s.Progress(total, label)
	if b != nil {
		b.count = Bytes
	}
	return b
}

// Update redraws the bar, at most ten times a second and not before the job took a second.
func (b *Bar) Update(p Progress) {
	if b == nil || p.Elapsed < barAfter || p.Elapsed-b.last < barEvery {
		return
	}
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	if b.s.bar != b {
		return // closed
	}
	b.last, b.drawn = p.Elapsed, true
	fmt.Fprint(b.s.Err, clearLine, b.draw(p))
}

// Close takes the bar off the terminal; what was drawn leaves no trace.
func (b *Bar) Close() {
	if b == nil {
		return
	}
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	b.s.clearBar()
	if b.s.bar == b {
		b.s.bar = nil
	}
}

// The columns of the bar itself, and those of percent and frame beside it.
const (
	widestBar    = 30
	narrowestBar = 6
	barFrame     = 10
)

// draw is the whole line. It is made anew each time, so that it fits the terminal as it is now: a line that wraps could not be cleared.
func (b *Bar) draw(p Progress) string {
	width := 80
	if _, now := terminal(b.s.err.w); now > 0 {
		width = now
	}
	text := []rune(b.s.clean(b.text(p)))
	for len(text) > 0 && lipgloss.Width(string(text)) > width-narrowestBar-barFrame {
		text = text[:len(text)-1]
	}
	bar := progressbar.NewOptions(b.total,
		progressbar.OptionSetWriter(io.Discard), // say and result write the line; the library only lays it out
		progressbar.OptionSetDescription(string(text)),
		progressbar.OptionSetWidth(min(widestBar, max(narrowestBar, width-barFrame-lipgloss.Width(string(text))))),
		progressbar.OptionSetTheme(progressbar.ThemeASCII),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false),
	)
	_ = bar.RenderBlank() // at 0 nothing else draws it; both fail only past the total
	_ = bar.Set(min(p.Done, b.total))
	return strings.TrimRight(strings.TrimLeft(bar.String(), "\r"), " ")
}

// text is what stands before the bar.
func (b *Bar) text(p Progress) string {
	count, rate := b.count, fmt.Sprintf("%.1f/s", p.Rate)
	if count == nil {
		count = Count
	} else {
		rate = count(int(p.Rate)) + "/s"
	}
	parts := []string{fmt.Sprintf("%s %s of %s", b.label, count(p.Done), count(b.total))}
	if p.Refused > 0 {
		parts = append(parts, "refused "+Count(p.Refused))
	}
	if p.Rate > 0 {
		parts = append(parts, rate)
	}
	if p.Left > 0 {
		parts = append(parts, Duration(p.Left)+" left")
	}
	if p.Note != "" {
		parts = append(parts, p.Note)
	}
	return strings.Join(parts, " · ")
}

// clearBar takes the drawn line away. Whoever calls it holds the lock.
func (s *Streams) clearBar() {
	if s.bar == nil || !s.bar.drawn {
		return
	}
	fmt.Fprint(s.Err, clearLine)
	s.bar.drawn = false
}

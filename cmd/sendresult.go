package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/outcome"
	reports "github.com/wactl/wactl/campaign/report"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// tally is what this run has done so far. The sender adds, the progress bar reads.
type tally struct {
	mu          sync.Mutex
	start       time.Time
	total       int
	final       int // messages that have their end
	sent        int // accepted, held ones too
	refused     int
	left        int // departures that were answered
	slowed      int // refusals for the number's throughput
	first, last ratelimit.Instant
	until       ratelimit.Instant // the end of a long wait
	paused      bool
	withdrawn   int            // messages taken off the campaign, since their people opted out
	pace        ratelimit.Pace // asked of all numbers together
}

func (t *tally) begin(total int, pace ratelimit.Pace) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.start.IsZero() { // a send may have several stages
		t.start = time.Now()
	}
	t.total += total
	t.pace = pace
}

// hear takes over what news have changed for this run; a pace of 0 has not.
func (t *tally) hear(paused *bool, pace ratelimit.Pace, withdrawn int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if paused != nil {
		t.paused = *paused
	}
	if pace > 0 {
		t.pace = pace
	}
	t.withdrawn += withdrawn
	t.final += withdrawn
}

func (t *tally) add(r campaign.Result) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r.Left == 0 || r.Answer.Class == outcome.RetryFew && r.Answer.HTTPStatus == 0 && !r.Answer.BytesWritten && r.State == campaign.Pending {
		return // it did not leave this machine
	}
	if t.left == 0 || r.Left < t.first {
		t.first = r.Left
	}
	t.left++
	t.last = max(t.last, r.Left)
	if r.Answer.Class == outcome.NumberSlow {
		t.slowed++
	}
	switch r.State {
	case campaign.Pending:
		t.refused++
		return
	case campaign.Sent, campaign.Held:
		t.sent++
	}
	t.final++
}

// wait is told that nothing leaves before an instant.
func (t *tally) wait(until ratelimit.Instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until = until
}

// progress is the tally for the bar. The time left is what the asked pace needs, or the present one where that is slower.
func (t *tally) progress() output.Progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := output.Progress{Elapsed: time.Since(t.start), Done: t.final, Refused: t.refused}
	if p.Elapsed > 0 {
		p.Rate = float64(t.left) / p.Elapsed.Seconds()
	}
	if t.paused {
		p.Rate, p.Left, p.Note = 0, 0, "paused"
		return p
	}
	if now := ratelimit.At(time.Now()); t.until > now {
		p.Rate, p.Left, p.Note = 0, t.until.Sub(now), "waiting"
		return p
	}
	if pace := min(float64(t.pace)/1000, p.Rate); pace > 0 {
		p.Left = time.Duration(float64(t.total-t.final) / pace * float64(time.Second))
	}
	return p
}

// meanMPS is departures over the time from the first to the last; nil for fewer than two.
func (t *tally) meanMPS() *float64 {
	if t.left < 2 || t.last <= t.first {
		return nil
	}
	mean := float64(t.left-1) / t.last.Sub(t.first).Seconds()
	return new(float64(int(mean*1000+0.5)) / 1000)
}

// sendReport is the result of `wactl send`, as published.
type sendReport struct {
	Version       int            `json:"version"`
	Campaign      string         `json:"campaign"`
	Target        string         `json:"target"`
	Messages      int            `json:"messages"`
	SentNow       int            `json:"sent_now"`
	Sent          int            `json:"sent"`
	Held          int            `json:"held"`
	Failed        int            `json:"failed"`
	Skipped       int            `json:"skipped"`
	SkippedByRule map[string]int `json:"skipped_by_rule"`
	Uncertain     int            `json:"uncertain"`
	Pending       int            `json:"pending"`
	Delivered     *int           `json:"delivered"`
	Read          *int           `json:"read"`
	Refused       map[string]int `json:"refused"`
	ByCode        map[string]int `json:"by_code"`
	Duration      *float64       `json:"duration_s"` // null: no run to measure
	MeanMPS       *float64       `json:"mean_mps"`
	SuggestedMPS  *int           `json:"suggested_mps"` // null: nothing was learned
	Stopped       *stopJSON      `json:"stopped"`
}

// runReport is a campaign's result with what was foreseen for the run.
type runReport struct {
	sendReport
	Forecast *forecastJSON `json:"forecast"` // null: no plan was given
}

// stopJSON is why a run ended early.
type stopJSON struct {
	Code   *int   `json:"code"`
	Why    string `json:"why"`
	Resume string `json:"resume"`
}

func stopReport(s *campaign.Stopped) *stopJSON {
	if s == nil {
		return nil
	}
	return &stopJSON{Code: known(s.Code), Why: s.Why, Resume: s.Resume}
}

// codes is a count per code with the code as a word, as JSON keys are.
func codes(by map[int]int) map[string]int {
	m := map[string]int{}
	for code, n := range by {
		m[strconv.Itoa(code)] += n
	}
	return m
}

func newSendReport(c journal.Campaign, n journal.Counts) sendReport {
	return sendReport{Version: 1, Campaign: c.Name, Target: key(c.Target), Messages: n.Messages, Sent: n.Sent, Held: n.Held, Failed: n.Failed,
		Skipped: n.Skipped, SkippedByRule: nonNil(c.Skipped), Uncertain: n.Uncertain, Pending: n.Pending, Delivered: n.Delivered, Read: n.Read,
		Refused: codes(n.Refused), ByCode: codes(n.ByCode)}
}

func nonNil(m map[string]int) map[string]int {
	if m == nil {
		return map[string]int{}
	}
	return m
}

// tell writes the result and the report file, and is the run's exit code as an error.
func (s *sending) tell(ctx context.Context, stop *campaign.Stopped) error {
	n, err := s.store.Counts(ctx, s.campaign)
	if err == nil && s.tally.withdrawn > 0 {
		s.campaign, _, err = s.store.Find(ctx, s.target, s.name) // what was left out has changed
	}
	if err != nil {
		return errors.Join(err, stopped(stop))
	}
	stop = s.stillPaused(s.cameBack(stop, n))
	r := newSendReport(s.campaign, n)
	r.SentNow, r.MeanMPS, r.Stopped = s.tally.sent, s.tally.meanMPS(), stopReport(stop)
	better, err := s.suggest(ctx)
	if err != nil {
		return errors.Join(err, stopped(stop))
	}
	r.SuggestedMPS = known(better.mps)
	if !s.tally.start.IsZero() {
		r.Duration = new(output.Seconds(time.Since(s.tally.start)))
	}
	run := runReport{r, s.actually(r.Duration, stop != nil)}
	if err := s.show(s.flags.format, run, func() { s.showResult(r); s.showForecast(run.Forecast); s.showSuggestion(better) }); err != nil {
		return err
	}
	if err := s.writeReport(ctx); err != nil {
		return errors.Join(err, stopped(stop))
	}
	if stop != nil {
		return stopped(stop)
	}
	if r.Failed+r.Uncertain > 0 {
		return ended(exitProblems)
	}
	return nil
}

// stillPaused adds to what is to be done next that the campaign was paused when it stopped: a run that only goes on would stand still.
func (s *sending) stillPaused(stop *campaign.Stopped) *campaign.Stopped {
	if stop == nil || !s.tally.paused {
		return stop
	}
	paused := *stop
	paused.Resume = fmt.Sprintf("the campaign is still paused: `wactl state resume %s` lifts that; then %s", s.name, stop.Resume)
	return &paused
}

// stopped is a stop as the error that the command ends with.
func stopped(stop *campaign.Stopped) error {
	switch {
	case stop == nil:
		return nil
	case stop.Harm:
		return &Fail{Exit: exitHarm, Err: stop, Hint: stop.Resume}
	case errors.Is(stop.Err, journal.ErrLeaseLost):
		return &Fail{Exit: exitInUse, Err: stop, Hint: stop.Resume}
	}
	return &Fail{Exit: exitStopped, Err: stop, Hint: stop.Resume}
}

func (s *sending) showResult(r sendReport) {
	s.out.Heading("Campaign %s to %s", r.Campaign, s.where())
	rows := [][]string{
		{"sent", output.Count(r.Sent), fmt.Sprintf("accepted by the platform, %s of them now", output.Count(r.SentNow))},
		{"delivered", countOrDash(r.Delivered), "of them, as webhooks told"},
		{"read", countOrDash(r.Read), "of them"},
		{"held", output.Count(r.Held), "kept back by the platform for a quality assessment"},
		{"failed", output.Count(r.Failed), counted(r.ByCode)},
		{"skipped", output.Count(r.Skipped), counted(r.SkippedByRule)},
		{"uncertain", output.Count(r.Uncertain), uncertain(s.lost())},
		{"pending", output.Count(r.Pending), "still to be sent"},
	}
	rows = slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "-" || row[1] == "0" && row[0] != "sent" })
	rows = append(rows, []string{"total", output.Count(r.Messages), "rows of the file"})
	s.out.Table([]string{"outcome", "messages", ""}, rows)
	if n := s.tally.withdrawn; n > 0 {
		s.out.Line("%s withdrawn while it ran: their people opted out", plural(n, "message was", "messages were"))
	}
	if refused := counted(r.Refused); refused != "" {
		s.out.Line("refused, and tried again later: %s", refused)
	}
	if r.Duration == nil {
		return
	}
	switch took := output.Duration(time.Duration(*r.Duration * float64(time.Second))); {
	case s.tally.total == 0 && r.Stopped == nil:
		s.out.Line("nothing was left to send")
	case r.MeanMPS != nil:
		s.out.Line("took %s, %.1f messages per second", took, *r.MeanMPS)
	case r.SentNow > 0:
		s.out.Line("took %s", took)
	}
}

// uncertain tells what becomes of messages without an answer; lost is why no webhook will settle them.
func uncertain(lost string) string {
	const text = "no answer came; not sent again unless asked with --resend-uncertain"
	if lost == "" {
		return text
	}
	return text + "; " + lost
}

// counted lists counts by name, the largest first. Codes bring their title.
func counted(by map[string]int) string {
	names := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		if by[a] != by[b] {
			return by[b] - by[a]
		}
		return strings.Compare(a, b)
	})
	for i, n := range names {
		title := ""
		if code, err := strconv.Atoi(n); err == nil && code != 0 {
			title = " (" + outcome.ForCode(code).Title + ")"
		} else if err == nil {
			n = "no code"
		}
		names[i] = output.Count(by[names[i]]) + " " + n + title
	}
	return strings.Join(names, ", ")
}

// writeReport writes the outcome file, whole or not at all.
func (s *sending) writeReport(ctx context.Context) error {
	if s.flags.report == "" {
		return nil
	}
	return s.writeFile(s.flags.report, func(w io.Writer) error { return reports.WriteOutcome(w, s.outcomes(ctx)) })
}

// outcomes is what became of every row: the campaign's messages, and in their places between them the rows that got none.
func (s *sending) outcomes(ctx context.Context) iter.Seq2[reports.Row, error] {
	return func(yield func(reports.Row, error) bool) {
		skipped := s.plan.LeftOut
		skip := func(before int) bool {
			for len(skipped) > 0 && skipped[0].Line < before {
				l := skipped[0]
				skipped = skipped[1:]
				if !yield(reports.Row{Line: l.Line, Status: "skipped", Meaning: l.Rule + ": " + s.why(l)}, nil) {
					return false
				}
			}
			return true
		}
		for r, err := range s.store.Rows(ctx, s.campaign, journal.Filter{}) {
			if err == nil && !skip(r.Line) {
				return
			}
			if !yield(outcomeRow(r, s.out.Options.Mask), err) || err != nil {
				return
			}
		}
		skip(math.MaxInt)
	}
}

func outcomeRow(r journal.Row, mask bool) reports.Row {
	row := reports.Row{Line: r.Line, Recipient: r.Recipient.Phone, Status: string(r.State), Code: r.Code, MessageID: r.MessageID}
	if r.Code == 0 {
		row.Meaning = r.Details
	}
	if r.State == campaign.Sent || r.State == campaign.Held {
		row.SentAt = moment(r.Left)
	}
	row.DeliveredAt = moment(r.Delivered)
	if mask {
		row.Recipient, row.MessageID, row.Meaning = output.MaskPhone(row.Recipient), output.MaskWamid(row.MessageID), output.Mask(row.Meaning)
	}
	return row
}

func moment(t ratelimit.Instant) time.Time {
	if t == 0 {
		return time.Time{}
	}
	return t.Time()
}

package cmd

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/webhook"
	"github.com/wactl/wactl/campaign/wire"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// longestIngest is the longest line that is read, in bytes: a webhook has at most 3 MB, and an export may escape it.
const longestIngest = 16 << 20

// ingestTogether is how many news of a file are written in one transaction.
const ingestTogether = 2000

// ingestReport says what a file brought.
type ingestReport struct {
	Lines     int            `json:"lines"`
	News      map[string]int `json:"news"` // what was not known, by name
	Unread    int            `json:"unread"`
	FirstLine *int           `json:"first_unread_line"`
	why       string
}

func (r *ingestReport) spoilt(why string) {
	if r.Unread++; r.FirstLine == nil {
		r.FirstLine, r.why = new(r.Lines), why
	}
}

// ingest feeds a file of webhooks, one a line, or of what send has logged into the state.
func (a *app) ingest(ctx context.Context, store *journal.Store, path string) (*ingestReport, error) {
	in, closeIn, err := a.openIngest(path)
	if err != nil {
		return nil, err
	}
	defer closeIn()
	r := &ingestReport{News: map[string]int{}}
	write := writeNews(store)
	var batch feedback.Batch
	flush := func() error {
		news, err := write(ctx, batch)
		for name, n := range news {
			r.News[name] += n
		}
		batch = feedback.Batch{}
		return err
	}
	for text, err := range ingestLines(in) {
		r.Lines++
		if err != nil {
			return nil, unusable("what came before it is in the state; mend the file and feed it in again: nothing counts twice", "%s: line %d: %w", path, r.Lines, err)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			r.take(text, &batch)
		}
		if len(batch.Statuses)+len(batch.Inbound) >= ingestTogether {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	joined, err := store.Join(ctx)
	if err != nil {
		return nil, err
	}
	for state, n := range joined {
		r.News[state] += n
	}
	if r.Unread > 0 && r.Unread >= r.Lines {
		return nil, unusable("give webhooks as they came, one a line, or what send --log has written", "%s: line %d: %s", path, *r.FirstLine, r.why)
	}
	return r, nil
}

// openIngest opens a file, plain or gzip; "-" is stdin.
func (a *app) openIngest(path string) (*bufio.Reader, func(), error) {
	source, end := a.out.In, func() {}
	if path != stdio {
		file, err := os.Open(path)
		if err != nil {
			return nil, nil, unusable("name a readable file with --ingest", "--ingest: %w", err)
		}
		source, end = file, func() { file.Close() }
	}
	in := bufio.NewReaderSize(source, 64<<10)
	if head, _ := in.Peek(2); string(head) != "\x1f\x8b" {
		return in, end, nil
	}
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		end()
		return nil, nil, unusable("pack the file again, or give it unpacked", "--ingest %s: %w", path, err)
	}
	return bufio.NewReaderSize(unpacked, 64<<10), end, nil
}

// ingestLines yields the lines of a file; an error is the last.
func ingestLines(in *bufio.Reader) func(yield func([]byte, error) bool) {
	return func(yield func([]byte, error) bool) {
		lines := bufio.NewScanner(in)
		lines.Buffer(make([]byte, 64<<10), longestIngest)
		for lines.Scan() {
			if !yield(lines.Bytes(), nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			if errors.Is(err, bufio.ErrTooLong) {
				err = fmt.Errorf("longer than %d MiB", longestIngest>>20)
			}
			yield(nil, err)
		}
	}
}

// take reads one line: an event of send's log, or a webhook.
func (r *ingestReport) take(text []byte, b *feedback.Batch) {
	var l logLine
	if json.Unmarshal(text, &l) == nil && l.Event != "" {
		if s, ok := l.status(); ok {
			b.Statuses = append(b.Statuses, s)
		}
		return
	}
	w, err := wire.ParseWebhook(text)
	if err != nil {
		r.spoilt(err.Error())
		return
	}
	for range w.Unread {
		r.spoilt("an item in it is none that the platform is known to send")
	}
	b.Add(webhook.Translate(w, canonical))
}

// status is what a line of the log says of its message. Only lines that name the message say anything: of the others nobody knows which request
// they belong to.
func (l logLine) status() (feedback.Status, bool) {
	if l.MessageID == nil || l.Status == nil {
		return feedback.Status{}, false
	}
	s := feedback.Status{Step: l.Step, MessageID: *l.MessageID, Kind: *l.Status, NumberID: l.NumberID}
	if at, err := time.Parse(time.RFC3339, l.At); err == nil {
		s.At = ratelimit.At(at)
	}
	switch {
	case l.Event == "status":
		if l.Code != nil && s.Kind == "failed" {
			s.Code = *l.Code
		}
		return s, true
	case l.Event == "answer" && s.Kind == string(outcome.Accepted):
		s.Kind = "sent"
		return s, true
	}
	return s, false
}

// showIngest says what a file brought.
func (a *app) showIngest(path string, r *ingestReport) {
	a.out.Line("%s of %s: %s", plural(r.Lines, "line", "lines"), path, cmp.Or(newsText(r.News), "nothing new"))
}

// warnIngest says what of a file could not be read.
func (a *app) warnIngest(path string, r *ingestReport) error {
	if r.Unread == 0 {
		return nil
	}
	a.out.Warn("%s could not be read, the first in line %s of %s: %s", plural(r.Unread, "item", "items"), output.Count(*r.FirstLine), path, r.why)
	return ended(exitProblems)
}

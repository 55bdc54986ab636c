package cmd

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/cmd/output"
)

// eventLog is the file of --log. A nil one writes nothing.
type eventLog struct {
	mu   sync.Mutex
	file io.WriteCloser
	mask bool
	err  error
}

// openLog begins to write where the log of an earlier run ends; "-" is stdout.
func openLog(path string, stdout io.Writer, mask bool) (*eventLog, error) {
	switch path {
	case "":
		return nil, nil
	case "-":
		return &eventLog{file: unclosed{stdout}, mask: mask}, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, unusable("name a file that can be written with --log", "log: %w", err)
	}
	return &eventLog{file: file, mask: mask}, nil
}

// unclosed is a stream that is not ours to close.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// logLine is one event, as published. Keys without a value are null.
type logLine struct {
	At         string  `json:"at"`
	Event      string  `json:"event"`
	NumberID   string  `json:"phone_number_id"`
	Recipient  string  `json:"recipient"`
	Step       string  `json:"step"`
	MessageID  *string `json:"message_id"`
	HTTPStatus *int    `json:"http_status"`
	Code       *int    `json:"code"`
	Status     *string `json:"status"`
}

func (l *eventLog) write(numberID string, step campaign.Step, o campaign.Observation) {
	if l == nil {
		return
	}
	line := logLine{At: output.Stamp(o.At.Time()), Event: "intent", NumberID: numberID, Recipient: step.Recipient.Phone, Step: step.ID}
	if a := o.Answer; a != nil {
		line.Event = "answer"
		line.MessageID, line.HTTPStatus, line.Code = known(a.MessageID), known(a.HTTPStatus), known(a.Code)
		line.Status = known(string(a.Class))
	}
	if l.mask {
		line.Recipient = output.MaskPhone(line.Recipient)
		if line.MessageID != nil {
			line.MessageID = known(output.MaskWamid(*line.MessageID))
		}
	}
	text, err := json.Marshal(line)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		_, err = io.WriteString(l.file, output.SafeJSON(string(text))+"\n") // at once: a killed run's log is whole up to the kill
	}
	if l.err == nil {
		l.err = err
	}
}

func (l *eventLog) close() error {
	if l == nil {
		return nil
	}
	return errors.Join(l.err, l.file.Close())
}

// known is a pointer to v, nil for the zero value: what is unknown is null.
func known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

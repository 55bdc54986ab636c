package emulator

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// line is one request in the journal. What is unknown is null.
type line struct {
	At           string  `json:"at"`
	NumberID     string  `json:"phone_number_id"`
	Recipient    *string `json:"recipient"` // "+" and digits, or a business-scoped user id
	To           *string `json:"to"`        // as sent
	CallbackData *string `json:"callback_data"`
	MessageID    *string `json:"message_id"`  // accepted messages only
	HTTPStatus   *int    `json:"http_status"` // null where a fault came before any verdict
	Code         int     `json:"code"`
	RefusedBy    *string `json:"refused_by"`
	ClearAt      *string `json:"clear_at"` // when the pair is clear again, where it was asked
	Answered     bool    `json:"answered"`
}

// journal writes lines, each whole and in one Write. It remembers the first error and goes on.
type journal struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

func (j *journal) write(l line) {
	if j.w == nil {
		return
	}
	b, err := json.Marshal(l)
	j.mu.Lock()
	defer j.mu.Unlock()
	if err == nil {
		_, err = j.w.Write(append(b, '\n'))
	}
	if err != nil && j.err == nil {
		j.err = fmt.Errorf("write the emulator's journal: %w", err)
	}
}

func (j *journal) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// lineOf is the journal's line for a message and its verdict.
func lineOf(m message, v verdict, answered bool) line {
	l := line{
		At:           stamp(v.at),
		NumberID:     m.number,
		Recipient:    known(m.recipient),
		To:           known(m.input),
		CallbackData: known(m.callback),
		MessageID:    known(v.messageID),
		Code:         v.code,
		RefusedBy:    known(v.by),
		Answered:     answered,
	}
	if v.status != 0 {
		l.HTTPStatus = &v.status
	}
	if v.clearAt != 0 {
		l.ClearAt = new(stamp(v.clearAt))
	}
	return l
}

// known is nil for an empty text.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// stamp is an instant in Unix milliseconds as RFC 3339 in UTC.
func stamp(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

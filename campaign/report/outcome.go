package report

import (
	"encoding/csv"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wactl/wactl/campaign/outcome"
)

// Row is what became of one message, or of one row that got none.
type Row struct {
	Line        int    // where the row starts in the campaign file, from 1
	Recipient   string // E.164; empty when the row had none
	Status      string // sent, held, failed, uncertain, pending or skipped
	Code        int    // the platform's, 0 for none
	Meaning     string // what the code or the rule means; the code's table row when empty
	MessageID   string
	SentAt      time.Time // zero: unknown
	DeliveredAt time.Time
	Advice      string // what to do; the code's table row when empty
}

var outcomeHeader = []string{"line", "recipient", "status", "code", "meaning", "message_id", "sent_at", "delivered_at", "advice"}

// WriteOutcome writes the outcome file, CSV with a header, that a spreadsheet opens without running anything in it.
func WriteOutcome(w io.Writer, rows iter.Seq2[Row, error]) error {
	out := csv.NewWriter(w)
	if err := out.Write(outcomeHeader); err != nil {
		return err
	}
	for r, err := range rows {
		if err != nil {
			return err
		}
		if err := out.Write(r.fields()); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (r Row) fields() []string {
	code := ""
	if r.Code != 0 {
		code = strconv.Itoa(r.Code)
		e := outcome.ForCode(r.Code)
		if r.Meaning == "" {
			r.Meaning = e.Title
		}
		if r.Advice == "" {
			r.Advice = e.Advice
		}
	}
	return []string{strconv.Itoa(r.Line), plain(r.Recipient), r.Status, code, Cell(r.Meaning), Cell(r.MessageID), stamp(r.SentAt), stamp(r.DeliveredAt),
		Cell(r.Advice)}
}

// Cell is text as a cell that no spreadsheet takes for a formula: one that begins like a formula, in
// full width too, gets an apostrophe in front. Characters that could steer a terminal are replaced.
func Cell(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	formula := text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first)
	if text = plain(text); formula {
		return "'" + text
	}
	return text
}

// plain is a stranger's text on one line, with each control and each invisible format character replaced; the joiners of words and emoji stay.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\t', r == '\u2028', r == '\u2029':
			return ' '
		case r != '\u200c' && r != '\u200d' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)):
			return utf8.RuneError
		}
		return r
	}, text)
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

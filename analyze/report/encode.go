package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/wactl/wactl/analyze"
)

// encoder writes JSON piece by piece as encoding/json would write the whole: a report may have more failures than should be held as text.
type encoder struct {
	w      io.Writer
	out    []byte
	pretty bool
	depth  int
	first  bool // nothing stands yet in what was opened last
	err    error
	lists  map[sendList][]byte // the sends of bursts as they were written
}

// sendList is one list of sends, which failures of one burst share.
type sendList struct {
	first *analyze.Send
	n     int
}

const (
	flushSize = 64 << 10
	mostLists = 128 // that are kept; failures of one burst mostly stand near each other
)

// flush hands on what was written, if it is much or the last.
func (e *encoder) flush(last bool) {
	if e.err == nil && (last || len(e.out) >= flushSize) {
		_, e.err = e.w.Write(e.out)
		e.out = e.out[:0]
	}
}

func (e *encoder) open(bracket byte) {
	e.out = append(e.out, bracket)
	e.depth++
	e.first = true
}

func (e *encoder) close(bracket byte) {
	e.depth--
	if !e.first {
		e.line()
	}
	e.first = false
	e.out = append(e.out, bracket)
}

// next begins another element.
func (e *encoder) next() {
	if !e.first {
		e.out = append(e.out, ',')
	}
	e.first = false
	e.line()
}

func (e *encoder) line() {
	if !e.pretty {
		return
	}
	e.out = append(e.out, '\n')
	for range e.depth {
		e.out = append(e.out, "  "...)
	}
}

// key begins another field. Keys are plain.
func (e *encoder) key(k string) {
	e.next()
	e.out = append(append(append(e.out, '"'), k...), '"', ':')
	if e.pretty {
		e.out = append(e.out, ' ')
	}
}

// value writes anything by encoding/json.
func (e *encoder) value(v any) {
	var text bytes.Buffer
	j := json.NewEncoder(&text)
	j.SetEscapeHTML(false)
	if e.pretty {
		j.SetIndent(strings.Repeat("  ", e.depth), "  ")
	}
	if err := j.Encode(v); err != nil {
		if e.err == nil {
			e.err = err
		}
		return
	}
	e.out = append(e.out, harmless(bytes.TrimSuffix(text.Bytes(), []byte{'\n'}))...)
}

func (e *encoder) text(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			e.value(s)
			return
		}
	}
	e.out = append(append(append(e.out, '"'), s...), '"')
}

func (e *encoder) whole(n int) { e.out = strconv.AppendInt(e.out, int64(n), 10) }

func (e *encoder) yes(b bool) { e.out = strconv.AppendBool(e.out, b) }

// number writes what has a usual size as it is written most, and leaves the rest to encoding/json.
func (e *encoder) number(x float64) {
	const least, most = 1e-6, 1e21
	if size := math.Abs(x); size < most && (size >= least || x == 0) {
		e.out = strconv.AppendFloat(e.out, x, 'f', -1, 64)
		return
	}
	e.value(x)
}

func (e *encoder) instant(m analyze.Millis) {
	const first, behind = -62135596800, 253402300800 // of the years from 1 to 9999
	if s := m.Unix(); s < first || s >= behind {
		e.value(m)
		return
	}
	e.out = m.Time.UTC().AppendFormat(e.out, `"2006-01-02T15:04:05.000Z"`)
}

// optionally writes what a pointer leads to, or null.
func optionally[T any](e *encoder, v *T, write func(T)) {
	if v == nil {
		e.out = append(e.out, "null"...)
		return
	}
	write(*v)
}

// among writes a field that is left out where nothing is known.
func among[T any](e *encoder, key string, v *T, write func(T)) {
	if v != nil {
		e.key(key)
		write(*v)
	}
}

// report writes a report that has its published form.
func (e *encoder) report(r *analyze.Report) {
	e.open('{')
	for _, part := range []struct {
		key   string
		write func()
	}{
		{"version", func() { e.whole(r.Version) }},
		{"notes", func() { e.value(r.Notes) }},
		{"sources", func() { e.value(r.Sources) }},
		{"model", func() { e.value(r.Model) }},
		{"failures", func() { list(e, r.Failures, e.failure) }},
		{"unattributed", func() { e.value(r.Unattributed) }},
		{"other_errors", func() { e.value(r.OtherErrors) }},
		{"incidents_found", func() { list(e, r.Incidents, func(i *analyze.Incident) { e.value(i) }) }},
		{"timeline", func() { list(e, r.Timeline, e.send) }},
		{"summary", func() { e.value(r.Summary) }},
	} {
		if part.key == "timeline" && len(r.Timeline) == 0 {
			continue
		}
		e.key(part.key)
		part.write()
	}
	e.close('}')
}

// list writes the elements of a list one after the other.
func list[T any](e *encoder, all []T, write func(*T)) {
	e.open('[')
	for i := range all {
		e.next()
		write(&all[i])
		e.flush(false)
	}
	e.close(']')
}

func (e *encoder) failure(f *analyze.Failure) {
	e.open('{')
	e.key("code")
	e.whole(f.Code)
	e.key("means")
	e.whole(f.Means)
	e.key("phone_number_id")
	e.text(f.PhoneNumberID)
	e.key("recipient")
	e.text(f.Recipient)
	e.key("message_id")
	optionally(e, f.MessageID, e.text)
	e.key("at")
	e.instant(f.At)
	e.key("reported_at")
	optionally(e, f.ReportedAt, e.instant)
	e.key("source")
	e.open('{')
	e.place(f.Source.Path, f.Source.Line)
	e.close('}')
	e.key("incident")
	e.whole(f.Incident)
	e.key("attempt")
	e.whole(f.Attempt)
	e.verdict(f)
	e.close('}')
}

// verdict writes the second half of a failure: what was found out about it.
func (e *encoder) verdict(f *analyze.Failure) {
	e.key("verdict")
	e.text(f.Verdict)
	e.key("clear_at")
	optionally(e, f.ClearAt, e.instant)
	among(e, "clear_at_max", f.ClearAtMax, e.instant)
	e.key("early_by_s")
	optionally(e, f.EarlyBy, e.number)
	e.key("burst")
	optionally(e, f.Burst, e.burst)
	e.key("missing_sends")
	e.whole(f.MissingSends)
	e.key("readings")
	e.open('{')
	e.key("strict")
	e.reading(&f.Readings.Strict)
	e.key("bucket45")
	e.reading(&f.Readings.Bucket45)
	e.close('}')
	e.key("pattern")
	e.text(f.Pattern)
	e.key("evidence")
	list(e, f.Evidence, func(s *string) { e.text(*s) })
	e.key("advice")
	e.text(f.Advice)
	e.key("confidence")
	e.text(f.Confidence)
}

func (e *encoder) place(path string, line int) {
	e.key("path")
	e.text(path)
	e.key("line")
	e.whole(line)
}

func (e *encoder) reading(v *analyze.ReadingVerdict) {
	e.open('{')
	e.key("explains")
	e.yes(v.Explains)
	among(e, "debt_at_failure", v.DebtAtFailure, e.number)
	among(e, "unseen_sends_at_least", v.UnseenSends, e.whole)
	among(e, "contradicted_by_accepted_send_at", v.ContradictedBy, e.instant)
	e.close('}')
}

func (e *encoder) burst(b analyze.Burst) {
	e.open('{')
	e.key("count")
	e.whole(b.Count)
	if b.CountMax != 0 {
		e.key("count_max")
		e.whole(b.CountMax)
	}
	e.key("first")
	e.instant(b.First)
	e.key("last")
	e.instant(b.Last)
	e.key("sends")
	e.sends(b.Sends)
	e.close('}')
}

// sends writes the sends of a burst. The failures of one burst share them: they are made once and copied.
func (e *encoder) sends(all []analyze.Send) {
	if len(all) == 0 {
		e.out = append(e.out, "[]"...)
		return
	}
	key := sendList{&all[0], len(all)}
	if known := e.lists[key]; known != nil {
		e.out = append(e.out, known...)
		return
	}
	from := len(e.out)
	e.open('[')
	for i := range all {
		e.next()
		e.send(&all[i])
	}
	e.close(']')
	if len(e.lists) >= mostLists {
		clear(e.lists)
	}
	e.lists[key] = bytes.Clone(e.out[from:])
}

func (e *encoder) send(s *analyze.Send) {
	e.open('{')
	e.key("at")
	e.instant(s.At)
	e.key("message_id")
	optionally(e, s.MessageID, e.text)
	e.place(s.Path, s.Line)
	e.close('}')
}

// encode writes a report in a format, and each failure only when its turn comes.
func encode(w io.Writer, format string, r *analyze.Report) error {
	e := &encoder{w: w, pretty: format == JSON, lists: map[sendList][]byte{}}
	if format == JSON {
		e.report(r)
		e.out = append(e.out, '\n')
	} else {
		for i := range r.Failures {
			e.failure(&r.Failures[i])
			e.out = append(e.out, '\n')
			e.flush(false)
		}
	}
	if e.flush(true); e.err != nil {
		return fmt.Errorf("write report: %w", e.err)
	}
	return nil
}

package analyze

import (
	"iter"
	"slices"
	"testing"
	"time"
)

// eventLog is a log made by hand. Events without a place get the next line of the first source.
type eventLog struct {
	events  []Event
	sources []Source
}

func (l eventLog) Events(w Want) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for _, e := range l.events {
			if w.Place != nil && !w.Place(e.Place) {
				continue
			}
			if !w.Details {
				e.Detail = Detail{}
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (l eventLog) Sources() []Source { return l.sources }

func logOf(events ...Event) eventLog {
	files := 0
	for i := range events {
		if events[i].Place.Line == 0 {
			events[i].Place.Line = i + 1
		}
		files = max(files, events[i].Place.File)
	}
	l := eventLog{events: events}
	for i := range files + 1 {
		l.sources = append(l.sources, Source{Path: string(rune('a'+i%26)) + ".jsonl"})
	}
	return l
}

var day = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

const (
	someNumber = "990000000000001"
	someone    = "12025550111"
)

// sec is that many seconds into the day.
func sec(s float64) time.Time { return day.Add(time.Duration(s*1000) * time.Millisecond) }

// at makes an event of the usual pair.
func at(s float64, k Kind, id string) Event {
	e := Event{Kind: k, At: sec(s), Number: someNumber, Recipient: someone, MessageID: id}
	switch k {
	case Sent, Delivered, Read, Failed, Inbound, Echo:
		e.Until = time.Second
	}
	return e
}

// refusal is a request refused with a code.
func refusal(s float64, code int) Event {
	e := at(s, Refused, "")
	e.Code = code
	return e
}

// failed is a status that says that a message failed.
func failed(s float64, id string, code int) Event {
	e := at(s, Failed, id)
	e.Code = code
	return e
}

// accepted are sends at those seconds, with ids that no others have.
func accepted(seconds ...float64) (all []Event) {
	for i, s := range seconds {
		all = append(all, at(s, Accepted, "m"+string(rune('a'+i))+sec(s).Format("150405.000")))
	}
	return all
}

// every are n seconds, a gap apart.
func every(n int, from, gap float64) (all []float64) {
	for i := range n {
		all = append(all, from+float64(i)*gap)
	}
	return all
}

// with gives all events what a function sets.
func with(events []Event, set func(i int, e *Event)) []Event {
	events = slices.Clone(events)
	for i := range events {
		set(i, &events[i])
	}
	return events
}

func analyzed(t *testing.T, o Options, events ...Event) Report {
	t.Helper()
	r, err := Analyze(logOf(events...), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// only is the one failure of a report.
func only(t *testing.T, r Report) Failure {
	t.Helper()
	if len(r.Failures) != 1 {
		t.Fatalf("%d failures, want 1: %+v", len(r.Failures), r.Failures)
	}
	return r.Failures[0]
}

package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/wactl/wactl/analyze"
)

// version is the one that reports carry and that Read knows.
const version = 1

// ErrNotReport is any input that Read cannot take for a report.
var ErrNotReport = errors.New("not a report of explain-131056")

// ReadError says where a text stops being a report. It matches ErrNotReport.
type ReadError struct {
	Line   int    // from 1; 0: the text as a whole
	Column int    // byte in the line, from 1
	Reason string // what is wrong, in words
}

func (e *ReadError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%v: %s", ErrNotReport, e.Reason)
	}
	return fmt.Sprintf("%v: line %d, column %d: %s", ErrNotReport, e.Line, e.Column, e.Reason)
}

// Is makes every ReadError an ErrNotReport.
func (e *ReadError) Is(target error) bool { return target == ErrNotReport }

// Hint says how to get a report that can be read.
func (e *ReadError) Hint() string {
	return "write one with wactl explain-131056 LOG --format json > report.json"
}

// Read takes back what Write wrote as JSON. Keys that a later wactl may add are passed over.
func Read(in io.Reader) (analyze.Report, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return analyze.Report{}, fmt.Errorf("read report: %w", err)
	}
	var must struct {
		Version  *int              `json:"version"`
		Failures []json.RawMessage `json:"failures"`
		Summary  *json.RawMessage  `json:"summary"`
	}
	if err := json.Unmarshal(text, &must); err != nil {
		return analyze.Report{}, placed(text, err)
	}
	switch {
	case must.Version == nil || must.Failures == nil || must.Summary == nil:
		return analyze.Report{}, &ReadError{Reason: "it lacks version, failures or summary"}
	case *must.Version != version:
		return analyze.Report{}, &ReadError{Reason: fmt.Sprintf("it has version %d, and this wactl reads version %d", *must.Version, version)}
	}
	var r analyze.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return analyze.Report{}, placed(text, err)
	}
	return complete(r), nil
}

// placed gives an error of the decoder its line and column.
func placed(text []byte, err error) error {
	e := &ReadError{Reason: err.Error()}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		e.Line, e.Column = lineOf(text, syntax.Offset)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		e.Line, e.Column = lineOf(text, kind.Offset)
		e.Reason = fmt.Sprintf("%s cannot be a %s", kind.Field, kind.Value)
	}
	return e
}

// lineOf is the line and column of the byte before offset, both from 1.
func lineOf(text []byte, offset int64) (line, column int) {
	line, column = 1, 1
	for _, b := range text[:max(0, min(int(offset)-1, len(text)))] {
		if column++; b == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}

// completed is the report itself if it has its published form, else a copy that has it.
func completed(r analyze.Report) analyze.Report {
	if r.Version == version && isComplete(&r) {
		return r
	}
	return complete(r)
}

// isComplete says whether no list or count of a report is missing.
func isComplete(r *analyze.Report) bool {
	for i := range r.Sources {
		if s := &r.Sources[i]; s.FirstSkipped == nil || s.Skipped == nil {
			return false
		}
	}
	for i := range r.Failures {
		if f := &r.Failures[i]; f.Evidence == nil || f.Burst != nil && f.Burst.Sends == nil {
			return false
		}
	}
	for i := range r.Incidents {
		if r.Incidents[i].Recipients == nil {
			return false
		}
	}
	return r.Notes != nil && r.Sources != nil && r.Failures != nil && r.Unattributed != nil && r.OtherErrors != nil && r.Incidents != nil &&
		(r.Timeline == nil || len(r.Timeline) > 0) && r.Summary.ByPattern != nil
}

// complete gives every list and count of a report its published form: empty, never null.
func complete(r analyze.Report) analyze.Report {
	r.Version = version
	r.Notes = filled(r.Notes)
	r.Sources = filled(r.Sources)
	for i := range r.Sources {
		s := &r.Sources[i]
		s.FirstSkipped = filled(s.FirstSkipped)
		if s.Skipped == nil {
			s.Skipped = map[string]int{}
		}
	}
	r.Failures = filled(r.Failures)
	copied := copies{}
	for i := range r.Failures {
		f := &r.Failures[i]
		f.Evidence = filled(f.Evidence)
		if f.Burst != nil {
			b := *f.Burst
			b.Sends = copied.sends(f)
			f.Burst = &b
		}
	}
	r.Unattributed = filled(r.Unattributed)
	r.OtherErrors = filled(r.OtherErrors)
	r.Incidents = filled(r.Incidents)
	for i := range r.Incidents {
		r.Incidents[i].Recipients = filled(r.Incidents[i].Recipients)
	}
	if len(r.Timeline) == 0 {
		r.Timeline = nil // it is left out, not empty, where no pair was asked for
	} else {
		r.Timeline = filled(r.Timeline)
	}
	if r.Summary.ByPattern == nil {
		r.Summary.ByPattern = map[string]int{}
	}
	return r
}

// filled is a copy of the list, empty where there is none: what the caller holds stays as it is.
func filled[E any](list []E) []E { return append(make([]E, 0, len(list)), list...) }

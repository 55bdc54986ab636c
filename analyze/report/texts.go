package report

import (
	"maps"
	"slices"

	"github.com/wactl/wactl/analyze"
)

// WithTexts is the report with text applied to every string that may come from a log; the given report stays as it is.
func WithTexts(r analyze.Report, text func(string) string) analyze.Report {
	r = complete(r)
	each(text, r.Notes)
	for i := range r.Sources {
		s := &r.Sources[i]
		s.Path, s.Format, s.Skipped, s.Unreadable = text(s.Path), text(s.Format), keys(text, s.Skipped), text(s.Unreadable)
	}
	done := map[*analyze.Send]bool{}
	for i := range r.Failures {
		f := &r.Failures[i]
		failureTexts(text, f)
		if b := f.Burst; b != nil && len(b.Sends) > 0 && !done[&b.Sends[0]] { // failures of one burst share them
			done[&b.Sends[0]] = true
			sendTexts(text, b.Sends)
		}
	}
	for i := range r.Unattributed {
		r.Unattributed[i].Source.Path = text(r.Unattributed[i].Source.Path)
	}
	for i := range r.OtherErrors {
		o := &r.OtherErrors[i]
		o.PhoneNumberID, o.Meaning = text(o.PhoneNumberID), text(o.Meaning)
	}
	for i := range r.Incidents {
		n := &r.Incidents[i]
		n.PhoneNumberID, n.Pattern, n.Advice = text(n.PhoneNumberID), text(n.Pattern), text(n.Advice)
		each(text, n.Recipients)
	}
	sendTexts(text, r.Timeline)
	r.Summary.ByPattern = keys(text, r.Summary.ByPattern)
	return r
}

func failureTexts(text func(string) string, f *analyze.Failure) {
	for _, s := range []*string{&f.PhoneNumberID, &f.Recipient, &f.Source.Path, &f.Verdict, &f.Pattern, &f.Advice, &f.Confidence} {
		*s = text(*s)
	}
	f.MessageID = optional(text, f.MessageID)
	each(text, f.Evidence)
}

func sendTexts(text func(string) string, sends []analyze.Send) {
	for i := range sends {
		sends[i].Path, sends[i].MessageID = text(sends[i].Path), optional(text, sends[i].MessageID)
	}
}

func each(text func(string) string, list []string) {
	for i, s := range list {
		list[i] = text(s)
	}
}

func optional(text func(string) string, s *string) *string {
	if s == nil {
		return nil
	}
	return new(text(*s))
}

// keys applies text to the keys of counts; what becomes one key counts together.
func keys(text func(string) string, counts map[string]int) map[string]int {
	changed := make(map[string]int, len(counts))
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		changed[text(key)] += counts[key]
	}
	return changed
}

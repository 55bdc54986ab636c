package report

import (
	"maps"
	"slices"
	"sync"

	"github.com/wactl/wactl/analyze"
)

// WithTexts is the report with text applied to every string that may come from a log; the given report stays as it is.
//
// Where that changes none, it is the given report itself: one of a large log is not copied for nothing.
func WithTexts(r analyze.Report, text func(string) string) analyze.Report {
	r = completed(r)
	half := len(r.Failures) / 2
	var secondChanges bool
	var second sync.WaitGroup
	second.Go(func() {
		secondChanges = changes(text, func(look func(string) string) { failuresTexts(look, r.Failures[half:]) })
	})
	firstChanges := changes(text, func(look func(string) string) {
		failuresTexts(look, r.Failures[:half])
		otherTexts(look, &r)
	})
	if second.Wait(); firstChanges || secondChanges {
		r = complete(r)
		applyTexts(text, &r)
	}
	return r
}

// changes says whether text would change any of the strings that are shown to a look.
func changes(text func(string) string, show func(look func(string) string)) (any bool) {
	latest := "" // neighbouring failures share most of their strings
	show(func(s string) string {
		if s != latest {
			latest = s
			any = any || text(s) != s
		}
		return s
	})
	return any
}

// applyTexts applies text to the strings of a report where they are. It writes only what becomes another one.
func applyTexts(text func(string) string, r *analyze.Report) {
	failuresTexts(text, r.Failures)
	otherTexts(text, r)
}

func failuresTexts(text func(string) string, failures []analyze.Failure) {
	listed := listings{}
	for i := range failures {
		f := &failures[i]
		sendTexts(text, listed.new(f)) // before the pair's name changes
		failureTexts(text, f)
	}
}

// otherTexts applies text to all but the failures.
func otherTexts(text func(string) string, r *analyze.Report) {
	each(text, r.Notes)
	for i := range r.Sources {
		s := &r.Sources[i]
		these(text, &s.Path, &s.Format, &s.Unreadable)
		keys(text, &s.Skipped)
	}
	for i := range r.Unattributed {
		these(text, &r.Unattributed[i].Source.Path)
	}
	for i := range r.OtherErrors {
		these(text, &r.OtherErrors[i].PhoneNumberID, &r.OtherErrors[i].Meaning)
	}
	for i := range r.Incidents {
		n := &r.Incidents[i]
		these(text, &n.PhoneNumberID, &n.Pattern, &n.Advice)
		each(text, n.Recipients)
	}
	sendTexts(text, r.Timeline)
	keys(text, &r.Summary.ByPattern)
}

func failureTexts(text func(string) string, f *analyze.Failure) {
	these(text, &f.PhoneNumberID, &f.Recipient, &f.Source.Path, &f.Verdict, &f.Pattern, &f.Advice, &f.Confidence)
	optional(text, &f.MessageID)
	each(text, f.Evidence)
}

func sendTexts(text func(string) string, sends []analyze.Send) {
	for i := range sends {
		these(text, &sends[i].Path)
		optional(text, &sends[i].MessageID)
	}
}

func these(text func(string) string, list ...*string) {
	for _, s := range list {
		if t := text(*s); t != *s {
			*s = t
		}
	}
}

func each(text func(string) string, list []string) {
	for i := range list {
		these(text, &list[i])
	}
}

// optional changes what a pointer leads to by leading it elsewhere, since others may have the same pointer.
func optional(text func(string) string, s **string) {
	if *s == nil {
		return
	}
	if t := text(**s); t != **s {
		*s = new(t)
	}
}

// keys applies text to the keys of counts; what becomes one key counts together.
func keys(text func(string) string, counts *map[string]int) {
	changed := make(map[string]int, len(*counts))
	same := true
	for _, key := range slices.Sorted(maps.Keys(*counts)) {
		t := text(key)
		same = same && t == key
		changed[t] += (*counts)[key]
	}
	if !same {
		*counts = changed
	}
}

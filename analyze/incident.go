package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// findIncidents gathers failures, which come in the order of time, to stories: those of one burst of a pair, and those of one number's load test.
func (r *Report) findIncidents(all []finding) {
	latest := map[timelineKey]*finding{}
	tests := map[uint16]int{}
	for i := range all {
		f := &all[i]
		before := latest[f.pair]
		latest[f.pair] = f
		test := f.Pattern == loadTestPattern
		switch {
		case before != nil && f.place.same(before.place):
			f.Incident = before.Incident
		case test && tests[f.pair.number] != 0:
			f.Incident = tests[f.pair.number]
		default:
			f.Incident = len(r.Incidents) + 1
			r.Incidents = append(r.Incidents, Incident{
				ID: f.Incident, PhoneNumberID: f.PhoneNumberID, Recipients: []string{}, First: f.At, Pattern: f.Pattern, Advice: f.Advice,
			})
		}
		if test {
			tests[f.pair.number] = f.Incident
		}
		r.Incidents[f.Incident-1].add(f)
	}
	slices.SortStableFunc(r.Incidents, func(a, b Incident) int {
		return cmp.Or(cmp.Compare(b.Failures, a.Failures), b.First.Compare(a.First.Time), cmp.Compare(a.ID, b.ID))
	})
}

// add takes a failure into an incident.
func (i *Incident) add(f *finding) {
	i.Failures++
	i.Last = f.At
	if !slices.Contains(i.Recipients, f.Recipient) {
		i.Recipients = append(i.Recipients, f.Recipient)
	}
	if f.ClearAt != nil && (i.ClearAt == nil || f.ClearAt.After(i.ClearAt.Time)) {
		i.ClearAt = f.ClearAt
	}
}

// narrow keeps the worst incidents and their failures; the sums stay those of all.
func (r *Report) narrow(top int) {
	if top <= 0 || top >= len(r.Incidents) {
		return
	}
	r.Notes = append(r.Notes, fmt.Sprintf("only the worst %d of %d incidents are shown; the summary counts all", top, len(r.Incidents)))
	r.Incidents = r.Incidents[:top]
	r.Failures = slices.DeleteFunc(r.Failures, func(f Failure) bool {
		return !slices.ContainsFunc(r.Incidents, func(i Incident) bool { return i.ID == f.Incident })
	})
}

// unattributed are the refusals that name no recipient, or no time.
func (j *joined) unattributed() []Unattributed {
	all := []Unattributed{}
	for i := range j.homeless {
		f := &j.homeless[i]
		if j.meaning.within(f.at()) {
			all = append(all, Unattributed{Code: j.codes.code(f.code()), At: instant(f.at()), Source: j.ref(f.place())})
		}
	}
	return all
}

// sourceReports are the sources with what the joining found of them.
func (j *joined) sourceReports() []SourceReport {
	all := []SourceReport{}
	for i, s := range j.meaning.sources {
		r := SourceReport{
			Path: s.Path, Format: s.Format, Lines: s.Lines, Events: s.Events, Skipped: s.Skipped, FirstSkipped: s.FirstSkipped,
			Duplicates: j.duplicates[i], Unreadable: s.Unreadable,
		}
		if r.Skipped == nil {
			r.Skipped = map[string]int{}
		}
		if r.FirstSkipped == nil {
			r.FirstSkipped = []int{}
		}
		if i < len(j.skew) {
			if ms := cmp.Or(j.skew[i].host, j.skew[i].status); ms != 0 {
				r.ClockSkew = new(milli((time.Duration(ms) * time.Millisecond).Seconds()))
			}
		}
		all = append(all, r)
	}
	return all
}

// notes say what limits the whole report.
func (j *joined) notes(r *Report) (all []string) {
	for i, s := range j.meaning.sources {
		for _, n := range s.Notes {
			all = append(all, s.Path+": "+n)
		}
		if i < len(j.skew) && (j.skew[i].host != 0 || j.skew[i].status != 0) {
			all = append(all, skewNote(s.Path, j.skew[i]))
		}
	}
	if j.masked > 0 {
		all = append(all, fmt.Sprintf("%d events have a recipient with covered digits, which several people share: they belong to no pair", j.masked))
	}
	if j.lost > 0 {
		all = append(all, fmt.Sprintf("%d accepted sends name no recipient and could not be counted to a pair", j.lost))
	}
	if j.numbers.over {
		all = append(all, "more than 65,535 business numbers: those beyond are read as one")
	}
	return append(all, j.shortHistory(r)...)
}

func skewNote(path string, c clock) string {
	ms, what := c.host, "the clock of the requests in it"
	if ms == 0 {
		ms, what = c.status, "its clock"
	}
	d := time.Duration(ms) * time.Millisecond
	if d < 0 {
		return fmt.Sprintf("%s: %s is %s ahead of the platform's; all times are given by the platform's", path, what, seconds(-d))
	}
	return fmt.Sprintf("%s: %s is %s behind the platform's; all times are given by the platform's", path, what, seconds(d))
}

// shortHistory says where the log begins too late to show what came before a failure.
func (j *joined) shortHistory(r *Report) []string {
	for _, f := range r.Failures {
		if lead := time.Duration(f.At.UnixMilli()-j.first) * time.Millisecond; f.Verdict == unexplainedPattern && lead < reach {
			return []string{fmt.Sprintf("the log begins only %s before the first failure that it cannot explain; a burst can reach back %s", seconds(max(lead, 0)), seconds(reach))}
		}
	}
	return nil
}

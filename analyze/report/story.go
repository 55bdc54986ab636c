package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wactl/wactl/analyze"
)

// Options are how people want to read a report. The zero Options are UTC, all defaults, and no claim about the present.
type Options struct {
	Now   time.Time      // what "still closed" is measured against; zero: nothing is said about now
	Zone  *time.Location // of all times; nil: UTC
	Top   int            // how many incidents and pairs are told; 0: as many as suit the face
	Width int            // columns of a terminal; 0: 80
	ASCII bool           // draw with plain ASCII

	Narrowed bool // the report tells a part of the log only, so it cannot say that the rest is quiet
}

// top is how many of n are told.
func (o Options) top(n, usual int) int {
	if o.Top > 0 {
		usual = o.Top
	}
	return min(n, usual)
}

// story is a report as people read it.
type story struct {
	analyze.Report
	incidents []incident // the worst first
	pairs     []pair     // the worst first
}

// incident is one incident with all that belongs to it.
type incident struct {
	analyze.Incident
	failures []*analyze.Failure // of the report, in order of time
	sends    []analyze.Send     // accepted ones of its bursts, each once, in order of time
	timeline timeline
}

// pair is a business number with one recipient that was refused.
type pair struct {
	number, recipient string
	refused           int
	incidents         int
	last              time.Time // the last refusal
	open              time.Time // when it can be written to again; zero: not known
}

func (p pair) String() string { return p.recipient + " from " + from(p.number) }

// tell makes the story of a report.
func tell(r analyze.Report) story {
	s := story{Report: r}
	var pairs sync.WaitGroup
	pairs.Go(func() { s.pairs = pairsOf(r.Failures) })
	told := map[int]bool{}
	for _, i := range r.Incidents {
		if !told[i.ID] {
			told[i.ID] = true
			s.incidents = append(s.incidents, incident{Incident: i})
		}
	}
	of := map[int][]*analyze.Failure{}
	for i := range r.Failures {
		f := &r.Failures[i]
		of[f.Incident] = nil
		if !told[f.Incident] { // a report of another wactl may list failures only
			told[f.Incident] = true
			s.incidents = append(s.incidents, incident{Incident: analyze.Incident{ID: f.Incident, PhoneNumberID: f.PhoneNumberID,
				Recipients: []string{f.Recipient}, First: f.At, Last: f.At, ClearAt: f.ClearAt, Pattern: f.Pattern, Advice: f.Advice}})
		}
	}
	share(r.Failures, of)
	for i := range s.incidents {
		n := &s.incidents[i]
		n.failures = of[n.ID]
		n.Failures = cmp.Or(n.Failures, len(n.failures))
	}
	pairs.Wait()
	return s
}

// share gives each incident its failures, all of them in one piece of memory: a report may have very many.
func share(failures []analyze.Failure, of map[int][]*analyze.Failure) {
	count := make(map[int]int, len(of))
	for i := range failures {
		count[failures[i].Incident]++
	}
	room := make([]*analyze.Failure, len(failures))
	for i := range failures {
		id := failures[i].Incident
		if n := count[id]; n > 0 {
			of[id], room, count[id] = room[:0:n], room[n:], 0
		}
		of[id] = append(of[id], &failures[i])
	}
}

// worst are the first n incidents, with their sends: only what is told is drawn up.
func (s story) worst(n int) []incident {
	for i := range n {
		s.incidents[i].collect(s.interval())
	}
	return s.incidents[:n]
}

// interval is what one send costs by the model of the report.
func (s story) interval() time.Duration {
	if s.Model.Interval > 0 && s.Model.Interval < day.Seconds() {
		return seconds(s.Model.Interval)
	}
	return usualInterval
}

const (
	day           = 24 * time.Hour
	usualInterval = 6 * time.Second // of a report that names none
)

// collect gathers the sends of an incident and draws them up on one axis.
func (n *incident) collect(interval time.Duration) {
	seen, listed := map[analyze.Send]bool{}, listings{}
	for _, f := range n.failures {
		n.timeline.refused = append(n.timeline.refused, f.At.Time)
		if f.ClearAt != nil && f.ClearAt.After(n.timeline.open) {
			n.timeline.open = f.ClearAt.Time
		}
		if f.Burst == nil {
			continue
		}
		for _, s := range listed.new(f) {
			key := s
			key.MessageID = nil // a pointer: the place tells sends apart
			if !seen[key] {
				seen[key] = true
				n.sends = append(n.sends, s)
			}
		}
	}
	slices.SortStableFunc(n.sends, func(a, b analyze.Send) int { return a.At.Compare(b.At.Time) })
	for _, s := range n.sends {
		n.timeline.sends = append(n.timeline.sends, s.At.Time)
	}
	n.timeline.interval = interval
	n.timeline = n.timeline.fitted()
}

// drawn says whether a timeline has something to show: a lone mark on an axis has not.
func (n incident) drawn() bool { return len(n.sends) > 0 || len(n.failures) > 1 }

// first is the failure that began the incident.
func (n incident) first() (f analyze.Failure) {
	if len(n.failures) > 0 {
		f = *n.failures[0]
	}
	return f
}

// later says what else went wrong after the first failure: each other pattern of the incident with its evidence and advice.
func (n incident) later() (all []string) {
	counts := map[string]int{}
	for _, f := range n.failures {
		counts[f.Pattern]++
	}
	told := map[string]bool{n.first().Pattern: true}
	for _, f := range n.failures {
		if told[f.Pattern] {
			continue
		}
		told[f.Pattern] = true
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s, %s. %s %s",
			plural(counts[f.Pattern], "refusal"), cause(f.Pattern), sentences(f.Evidence), f.Advice)))
	}
	return all
}

// recipients names whom the incident was about.
func (n incident) recipients() string {
	switch len(n.Recipients) {
	case 0:
		return "a recipient that the log does not name"
	case 1:
		return n.Recipients[0]
	}
	return fmt.Sprintf("%s and %s more", n.Recipients[0], count(len(n.Recipients)-1))
}

// title is the incident in one line.
func (n incident) title() string {
	return fmt.Sprintf("Incident %d: %s refused, %s", n.ID, plural(n.Failures, "message"), cause(n.Pattern))
}

// pairsOf gathers the failures of each pair, the worst first.
func pairsOf(failures []analyze.Failure) []pair {
	index := map[[2]string]int{}
	var pairs []pair
	incidents := map[int]bool{}
	for i := range failures {
		f := &failures[i]
		key := [2]string{f.PhoneNumberID, f.Recipient}
		at, known := index[key]
		if !known {
			at = len(pairs)
			index[key] = at
			pairs = append(pairs, pair{number: f.PhoneNumberID, recipient: f.Recipient})
		}
		p := &pairs[at]
		p.refused++
		if !incidents[f.Incident] {
			incidents[f.Incident] = true
			p.incidents++
		}
		if f.At.After(p.last) {
			p.last = f.At.Time
		}
		for _, open := range []*analyze.Millis{f.ClearAt, f.ClearAtMax} {
			if open != nil && open.After(p.open) {
				p.open = open.Time
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(b.refused-a.refused, b.last.Compare(a.last), cmp.Compare(a.number, b.number), cmp.Compare(a.recipient, b.recipient))
	})
	return pairs
}

// headline is what somebody who was woken up needs: what happened, what is still closed, and what to change first.
func (s story) headline(o Options) [3]string {
	if len(s.Failures) == 0 {
		return s.quiet(o)
	}
	change := "Change first: look at the incidents below."
	if len(s.incidents) > 0 && s.incidents[0].Advice != "" {
		change = "Change first: " + s.incidents[0].Advice
	}
	return [3]string{s.happened(), s.closed(o), change}
}

// happened counts the incidents by their causes.
func (s story) happened() string {
	causes := map[string]int{}
	for _, n := range s.incidents {
		causes[n.Pattern]++
	}
	names := byCount(causes)
	told := names[:min(len(names), 3)]
	var parts []string
	for _, name := range told {
		parts = append(parts, count(causes[name])+" "+name)
	}
	if more := len(names) - len(told); more > 0 {
		parts = append(parts, count(more)+" other causes")
	}
	return fmt.Sprintf("%s, %s refused with 131056: %s.", plural(len(s.incidents), "incident"), plural(len(s.Failures), "message"), strings.Join(parts, ", "))
}

// toldPairs is how many pairs the second line names.
const toldPairs = 2

// closed says which pairs are closed and until when, those that open last first.
func (s story) closed(o Options) string {
	var known []pair
	for _, p := range s.pairs {
		if !p.open.IsZero() {
			known = append(known, p)
		}
	}
	slices.SortStableFunc(known, func(a, b pair) int { return b.open.Compare(a.open) })
	closed := 0
	for closed < len(known) && known[closed].open.After(o.Now) {
		closed++
	}
	unknown := len(s.pairs) - len(known)
	rest := "."
	if unknown > 0 {
		rest = "; not known of " + count(unknown) + " more."
	}
	switch {
	case len(known) == 0:
		return fmt.Sprintf("Until when %s closed is not known: the log does not show the sends that closed %s.", isPair(unknown), them(unknown))
	case closed > 0:
		return plural(closed, "pair") + " still closed: " + o.until(known[:closed]) + rest
	}
	return "No pair is still closed; the last was " + o.until(known[:1]) + rest
}

// until lists pairs with the instant at which each opens.
func (o Options) until(pairs []pair) string {
	var parts []string
	for _, p := range pairs[:min(len(pairs), toldPairs)] {
		parts = append(parts, p.recipient+" until "+o.moment(p.open))
	}
	if more := len(pairs) - len(parts); more > 0 {
		parts = append(parts, count(more)+" more")
	}
	return strings.Join(parts, ", ")
}

func isPair(n int) string {
	if n == 1 {
		return "the pair is"
	}
	return "the " + plural(n, "pair") + " are"
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// quiet is the headline of a log that holds no refused pair.
func (s story) quiet(o Options) [3]string {
	h := [3]string{
		fmt.Sprintf("No incident: among %s to %s, none was refused with 131056.", plural(s.Summary.Sends, "send"), plural(s.Summary.Pairs, "pair")),
		"No pair is closed.",
		"Nothing to change for the pair limit.",
	}
	if o.Narrowed {
		h = [3]string{"No incident: nothing of what was asked for was refused with 131056.", "Whether other pairs are closed was not asked.",
			"Nothing to change for the pair limit in the part that was asked for."}
	}
	if n := len(s.Unattributed); n > 0 {
		h[0] = fmt.Sprintf("No incident can be told: %s with 131056, but no record says to whom.", plural(n, "refusal"))
		h[1] = "Which pairs are closed is not known."
		h[2] = "Take an export that names the recipient: see `wactl help pair-limit`."
	}
	if len(s.OtherErrors) > 0 {
		h[2] += " Other errors are listed below."
	}
	return h
}

// skipped is how many lines were skipped in all sources.
func (s story) skipped() map[string]int {
	all := map[string]int{}
	for _, source := range s.Sources {
		for reason, n := range source.Skipped {
			all[reason] += n
		}
	}
	return all
}

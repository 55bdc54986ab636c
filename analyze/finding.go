package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// finding is one failure of the report, with what only the order of things needs. The zero finding is none.
type finding struct {
	*Failure
	index int // of the failure in the report before they are in order
	pair  timelineKey
	place burstPlace
	line  Place
	again bool // it follows an inbound message that was delivered again before it was answered
}

// compare is the order of the report.
func (f *finding) compare(o *finding) int {
	if f.place.at != o.place.at { // nearly always
		return cmp.Compare(f.place.at, o.place.at)
	}
	return cmp.Or(strings.Compare(f.PhoneNumberID, o.PhoneNumberID), strings.Compare(f.Recipient, o.Recipient),
		cmp.Compare(f.line.File, o.line.File), cmp.Compare(f.line.Line, o.line.Line), cmp.Compare(f.index, o.index))
}

// burstPlace says to which burst a failure belongs, without all that a story holds.
type burstPlace struct {
	start ratelimit.Instant // of the burst; 0: none is known
	at    int64
}

// same says whether two failures of a pair share a burst, or without one, a silence that one unseen burst can explain.
func (b burstPlace) same(earlier burstPlace) bool {
	if b.start == 0 && earlier.start == 0 {
		return time.Duration(b.at-earlier.at)*time.Millisecond <= reach
	}
	return b.start == earlier.start
}

type timelineKey struct {
	number    uint16
	recipient uint64
}

// failure is a story as the report has it. Same is the pair's failure before it if it came after the same sends, or nil; listed is the pair's sends so far.
func (j *joined) failure(t timeline, s *story, recipient string, same *Failure, listed *listing) Failure {
	f := s.failure
	code := j.codes.code(f.code())
	e := Failure{
		Code: code, Means: pairLimit, PhoneNumberID: j.numbers.text(int(t.number)), Recipient: recipient,
		MessageID: textOrNull(s.victim.MessageID), At: Millis{time.UnixMilli(f.at()).UTC()}, ReportedAt: reportedAt(t, f),
		Source: j.ref(f.place()), Attempt: s.attempt, Verdict: "explained", Confidence: j.meaning.confidence(f.file(), code, s.reason != unexplained),
		ClearAt: instantAt(s.clearAt), Readings: s.verdict.readings(),
	}
	if s.clearMax != s.clearAt {
		e.ClearAtMax = instantAt(s.clearMax)
	}
	cause, evidence := s.cause()
	e.Pattern, e.Advice = cause.slug, cause.advice
	if s.reason == unexplained {
		j.findUnexplained(&e)
	} else {
		e.Burst = j.burst(s, same, listed)
		e.EarlyBy = new(milli(max(0, s.clearAt.Sub(instantOf(f.at()))).Seconds()))
	}
	e.Evidence = append(s.grounds(&e), evidence...)
	if s.again = s.redeliveryText(); s.again != "" && cause.slug != replayPattern {
		e.Evidence = append(e.Evidence, s.again)
	}
	if same != nil {
		e.share(same)
	}
	return e
}

// share holds once what two failures after the same sends both say: there may be very many of them.
func (e *Failure) share(o *Failure) {
	for i := range min(len(e.Evidence), len(o.Evidence)) {
		if e.Evidence[i] == o.Evidence[i] {
			e.Evidence[i] = o.Evidence[i]
		}
	}
	if e.ClearAt != nil && o.ClearAt != nil && *e.ClearAt == *o.ClearAt {
		e.ClearAt = o.ClearAt
	}
}

// findUnexplained says how much of another system's traffic would explain it. A code that other limits share needs none.
func (j *joined) findUnexplained(e *Failure) {
	e.Verdict = unexplainedPattern
	if e.Confidence == notShown {
		e.Readings = Readings{}
		e.Advice = "This code stands for several limits, and nothing shows that it was the pair's: look at the number's throughput and the daily messaging limit first."
		return
	}
	if n := e.Readings.Strict.UnseenSends; n != nil {
		e.MissingSends = *n
	}
}

// mostListed is how many sends of a burst the report lists, the last ones.
const mostListed = 1000

// burst is what the sends of a story add up to. Failures after the same sends share their list.
func (j *joined) burst(s *story, before *Failure, listed *listing) *Burst {
	n := len(s.verdict.sends)
	if before != nil && before.Burst != nil {
		if before.Burst.CountMax == s.countMax {
			return before.Burst
		}
		same := *before.Burst
		same.CountMax = s.countMax
		return &same
	}
	return &Burst{
		Count: n, CountMax: s.countMax, Sends: j.list(listed, s.burst[max(0, len(s.burst)-mostListed):]),
		First: Millis{time.UnixMilli(s.verdict.sends[0].at()).UTC()}, Last: Millis{time.UnixMilli(s.verdict.sends[n-1].at()).UTC()},
	}
}

// listing is the sends of the burst that was listed last, and what the report says of each.
type listing struct {
	of    []told
	sends []Send
}

// list is what the report says of a burst's sends. The bursts of a pair in a storm are nearly the same sends again and again: what the last
// listing had is not listed anew, its memory is shared.
func (j *joined) list(l *listing, burst []told) []Send {
	var known []Send
	if i := l.find(burst); i >= 0 {
		known = l.sends[i:min(len(l.sends), i+len(burst))]
	} else {
		known = make([]Send, 0, len(burst))
	}
	if l.of != nil && len(known) == len(burst) {
		return known
	}
	for _, t := range burst[len(known):] {
		known = append(known, j.send(t)) // behind the end of the last listing nobody reads
	}
	*l = listing{burst, known}
	return known
}

// find is where the last listing has a burst's first send, -1 if it has not.
func (l *listing) find(burst []told) int {
	if len(burst) == 0 {
		return -1
	}
	i, _ := slices.BinarySearchFunc(l.of, burst[0].at, func(t told, ms int64) int { return cmp.Compare(t.at, ms) })
	for ; i < len(l.of) && l.of[i].at == burst[0].at; i++ {
		if l.of[i].fact == burst[0].fact {
			return i
		}
	}
	return -1
}

// sameSends says whether two stories have the same burst.
func (s *story) sameSends(o *story) bool {
	return len(s.verdict.sends) == len(o.verdict.sends) && len(s.burst) == len(o.burst) && len(s.burst) > 0 && s.verdict.sends[0] == o.verdict.sends[0] &&
		s.burst[0].fact == o.burst[0].fact
}

func (j *joined) send(t told) Send {
	at := j.ref(t.fact.place())
	return Send{At: Millis{time.UnixMilli(t.at).UTC()}, MessageID: textOrNull(t.MessageID), Path: at.Path, Line: at.Line}
}

func (j *joined) ref(p Place) SourceRef {
	if p.File < len(j.meaning.sources) {
		return SourceRef{j.meaning.sources[p.File].Path, p.Line}
	}
	return SourceRef{Line: p.Line}
}

// reportedAt is when a status told of a failure whose request came earlier.
func reportedAt(t timeline, f *fact) *Millis {
	if f.message == 0 {
		return nil
	}
	for i := range t.facts {
		if o := &t.facts[i]; o.message == f.message && o.role() == reported {
			return instant(o.at())
		}
	}
	return nil
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// grounds are the sentences that lead from the log to the verdict.
func (s *story) grounds(e *Failure) []string {
	words := make([]string, 0, 4) // few failures have more to say
	if e.Burst != nil {
		words = append(words, s.debtText(e))
	}
	if len(s.burst) < len(s.verdict.sends) || e.Burst != nil && len(e.Burst.Sends) < e.Burst.Count {
		words = append(words, fmt.Sprintf("only the last %d sends of the burst are listed", len(e.Burst.Sends)))
	}
	if s.unplaced > 0 {
		words = append(words, fmt.Sprintf("%d more of unknown send time may belong to the burst", s.unplaced))
	}
	if s.doubtful > 0 {
		words = append(words, fmt.Sprintf("%d more of unknown outcome may have been accepted too", s.doubtful))
	}
	switch r := e.Readings; {
	case e.Confidence == notShown:
		words = append(words, "not shown to be the pair limit: this code stands for other limits too")
	case e.Burst == nil:
		words = append(words, unseenText(r))
	case !r.Strict.Explains && !r.Bucket45.Explains:
		words = append(words, "no reading of the published rule predicts this refusal: sends of another system are missing here, or less is lent than published", unseenText(r))
	case r.Strict.ContradictedBy != nil:
		words = append(words, "the strict reading would have refused an accepted send of this burst too, so the debt is certain and its exact rule is not")
	}
	if e.Confidence == likelyPair {
		words = append(words, "the provider's code stands for several limits; the debt makes the pair limit the likely one")
	}
	return words
}

// debtText says what the burst cost and how early the failure came.
func (s *story) debtText(e *Failure) string {
	cost := sendsText(len(s.verdict.sends)) + " cost " + seconds(strict.Interval) + " each: clear " + seconds(s.clearAt.Sub(s.start)) + " after the first"
	switch s.reason {
	case afterLast:
		return cost + ", which was just over; counted from the burst's last message it was not"
	case withinGrain:
		return cost + ", which was over by less than this log's times can show"
	}
	return cost + ", refused " + seconds(s.clearAt.Sub(instantOf(s.failure.at()))) + " before that"
}

// unseenText says how many sends that are not in the log would make each reading refuse.
func unseenText(r Readings) string {
	words := ""
	if n := r.Strict.UnseenSends; n != nil {
		words = fmt.Sprintf("at least %d unseen %s by the strict reading", *n, plural(*n, "send"))
	}
	if n := r.Bucket45.UnseenSends; n != nil {
		words = joinWords(words, ", ", fmt.Sprintf("%d by the reading of a standing credit", *n))
	}
	return words + " would explain it"
}

func joinWords(a, between, b string) string {
	if a == "" {
		return "at least " + b
	}
	return a + between + b
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// fill sorts the failures, gathers them to incidents and sums them up.
func (r *Report) fill(found []finding) {
	for i := range found {
		found[i].index = i
	}
	found = slices.DeleteFunc(found, func(f finding) bool { return f.Failure == nil })
	slices.SortFunc(found, func(a, b finding) int { return a.compare(&b) })
	r.findIncidents(found)
	s := &r.Summary
	s.ByPattern = map[string]int{}
	for _, f := range found {
		s.Failures++
		s.ByPattern[f.Pattern]++
		if f.Verdict == unexplainedPattern {
			s.Unexplained++
		} else {
			s.Explained++
		}
		s.Readings.Strict.add(f.Readings.Strict)
		s.Readings.Bucket45.add(f.Readings.Bucket45)
	}
	s.Incidents = len(r.Incidents)
	if n := countAgain(found); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d %s inbound messages that were delivered more than once before their answers: webhooks that are handled side by side answer each delivery", n, pluralVerb(n, "refusal follows", "refusals follow")))
	}
	r.order(found)
}

// countAgain is how many failures follow an inbound message that was delivered again.
func countAgain(found []finding) (n int) {
	for _, f := range found {
		if f.again {
			n++
		}
	}
	return n
}

func pluralVerb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// order brings the failures into the order in which they were found to stand. They are moved within their list, since there may be very many.
func (r *Report) order(found []finding) {
	if len(found) < len(r.Failures) {
		sorted := make([]Failure, len(found))
		for i, f := range found {
			sorted[i] = r.Failures[f.index]
		}
		r.Failures = sorted
		return
	}
	for i := range found {
		to, moved := i, r.Failures[i]
		for found[to].index != i {
			from := found[to].index
			r.Failures[to] = r.Failures[from]
			found[to].index = to
			to = from
		}
		r.Failures[to] = moved
		found[to].index = to
	}
}

func (c *ReadingCount) add(v ReadingVerdict) {
	if v.Explains {
		c.Right++
	}
}

package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// Replay is what one change would have made of a log, counted by the strict reading. Delays are seconds.
type Replay struct {
	Version      int     `json:"version"` // always 1
	Change       string  `json:"change"`
	Means        string  `json:"means"`             // the change in words
	Logged       int     `json:"failures_in_log"`   // as the platform counted
	Before       int     `json:"failures_before"`   // as the strict reading counts the log as it is
	After        int     `json:"failures_after"`    // and with the change
	Pairs        int     `json:"pairs"`             // that had a failure in either count before
	Dropped      int     `json:"sends_dropped"`     // not sent any more
	Tries        int     `json:"tries_added"`       // retries that the change makes
	LongestDelay float64 `json:"longest_delay_s"`   // that one message waits
	GaveUp       int     `json:"messages_given_up"` // not accepted after all tries
}

// changes are what a log can be replayed with.
var changes = []struct {
	name  string // what stands before =, or alone
	value string // an example of what stands behind it; empty for none
	means string
	make  func(value string) (course, error)
}{
	{"dedupe", "", "what a recipient was sent already, word for word, by the same job or campaign, is not sent again", func(string) (course, error) {
		return course{dedupe: true}, nil
	}},
	{"gap", "6s", "messages to one recipient leave at least that far apart", gapCourse},
	{"retry", "4^x", "a refused message is tried again after 1, 4, 16, 64 … seconds", func(value string) (course, error) {
		if value != "4^x" && value != "4^X" {
			return course{}, fmt.Errorf("%q is no back-off that can be replayed", value)
		}
		return course{retry: true}, nil
	}},
	{"one-queue", "", "all systems send through one queue that knows what each recipient was sent, and waits until the pair is clear", func(string) (course, error) {
		return course{queue: true}, nil
	}},
}

func gapCourse(value string) (course, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return course{}, fmt.Errorf("%q is no length of time", value)
	}
	return course{gap: d}, nil
}

// course is how a pair is sent to in a replay. The zero value is what the log shows.
type course struct {
	dedupe, retry, queue bool
	gap                  time.Duration
}

// changeError says that a change cannot be replayed.
type changeError struct {
	change string
	cause  error
}

func (e *changeError) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("what if %q: %v", e.change, e.cause)
	}
	return fmt.Sprintf("what if %q: no such change", e.change)
}

func (e *changeError) Unwrap() error { return e.cause }

// Hint lists the changes.
func (e *changeError) Hint() string {
	var all []string
	for _, c := range changes {
		all = append(all, strings.TrimSuffix(c.name+"="+c.value, "="))
	}
	return "changes are " + strings.Join(all, ", ")
}

// WhatIf replays a log with one change (dedupe, gap=6s, retry=4^x or one-queue) and counts the refusals of the strict reading again.
func (l *Ledger) WhatIf(log Log, o Options, change string) (Replay, error) {
	changed, means, err := parseChange(change)
	if err != nil {
		return Replay{}, err
	}
	j := l.join(o.meaning(log), true)
	asked, err := j.asked(o.Pair)
	if err != nil {
		return Replay{}, err
	}
	_, pairs := j.timelines(false, func(t timeline, failed, contradicted bool) bool {
		return (failed || contradicted) && (asked == nil || asked.has(t.number, t.recipient))
	})
	all := make([]records, len(pairs))
	for i, t := range pairs {
		all[i].facts = t.all()
	}
	if err := j.readDetails(log, all); err != nil {
		return Replay{}, err
	}
	r := Replay{Version: 1, Change: change, Means: means, Pairs: len(pairs)}
	for i, t := range pairs {
		attempts := t.attempts(&all[i])
		for i := range attempts {
			if attempts[i].refused {
				r.Logged++
			}
		}
		r.Before += replay(attempts, j.meaning, course{}).refusals
		r.add(replay(attempts, j.meaning, changed))
	}
	return r, nil
}

func (r *Replay) add(o played) {
	r.After += o.refusals
	r.Dropped += o.dropped
	r.Tries += o.tries
	r.GaveUp += o.gaveUp
	r.LongestDelay = max(r.LongestDelay, milli(o.delay.Seconds()))
}

func parseChange(change string) (course, string, error) {
	name, value, has := strings.Cut(strings.TrimSpace(change), "=")
	for _, c := range changes {
		if c.name != name || has != (c.value != "") {
			continue
		}
		made, err := c.make(value)
		if err != nil {
			return course{}, "", &changeError{change, err}
		}
		return made, c.means, nil
	}
	return course{}, "", &changeError{change: change}
}

// attempt is one request of a replay.
type attempt struct {
	at      ratelimit.Instant
	refused bool // in the log
	retries int  // index of the attempt that this one repeats because it was refused, or -1
	repeats int  // index of the attempt with the same content, or -1
}

// attempts are the requests of a timeline, and which of them say again what another said.
func (t timeline) attempts(known *records) (all []attempt) {
	known.meet(&desk{})
	var said []told
	latest := map[string]int{}
	for n, f := range known.facts {
		if r := f.role(); r != placed && r != failing && r != uncertain {
			continue
		}
		now, i := known.messageOf(n), len(all)
		a := attempt{at: instantOf(f.at()), refused: f.role() == failing, retries: -1, repeats: -1}
		for b := i - 1; b >= max(0, i-mostRefused) && a.retries < 0; b-- {
			if all[b].refused && sameMessage(said[b], now) {
				a.retries = b
			}
		}
		if key := content(*now.Detail); key != "" {
			if b, before := latest[key]; before && a.at.Sub(all[b].at) <= time.Hour {
				a.repeats = b
			}
			latest[key] = i
		}
		all, said = append(all, a), append(said, now)
	}
	return all
}

// content is what makes two messages to one person the same: the job and its part, the words, or the campaign and its template.
func content(d Detail) string {
	switch {
	case d.Job != "":
		return fmt.Sprint("job\x00", d.Job, "\x00", partOf(&d), "\x00", d.Text)
	case d.Text != "":
		return "text\x00" + d.Text
	case d.Campaign != "":
		return "campaign\x00" + d.Campaign + "\x00" + d.Template
	}
	return ""
}

// played is what a replay of one pair came to.
type played struct {
	refusals, dropped, tries, gaveUp int
	delay                            time.Duration
}

// mostTries is how often a refused message is tried again; the last wait is then longer than any debt.
const mostTries = 8

// try is an attempt that is due.
type try struct {
	at    ratelimit.Instant
	index int // of the attempt
	n     int // tries before
}

// replay sends the attempts of a pair as a course says, to a platform that keeps the strict reading.
//
// What was tried again in the log only because it had been refused is left out where it is accepted now.
func replay(attempts []attempt, m meaning, c course) (o played) {
	var state ratelimit.PairState
	done := make([]bool, len(attempts)) // accepted, or settled by one that was
	var due []try
	for i, a := range attempts {
		due = append(due, try{at: a.at, index: i})
	}
	var last ratelimit.Instant
	for len(due) > 0 {
		t := due[0]
		due = due[1:]
		a := attempts[t.index]
		if settled := a.retries >= 0 && (done[a.retries] || c.retry) || c.dedupe && a.repeats >= 0 && done[a.repeats]; settled && t.n == 0 {
			done[t.index] = done[t.index] || a.retries < 0 || done[a.retries]
			o.dropped++
			continue
		}
		at := c.depart(state, t.at, last)
		last = at
		o.delay = max(o.delay, at.Sub(a.at))
		if strict.Earliest(state, at) <= at {
			state, done[t.index] = strict.Charge(state, at), true
			continue
		}
		if m.within(at.Time().UnixMilli()) {
			o.refusals++
		}
		switch {
		case c.retry && t.n < mostTries:
			due = insert(due, try{at.Add(ratelimit.PairRetry(t.n + 1)), t.index, t.n + 1})
			o.tries++
		case c.retry:
			o.gaveUp++
		}
	}
	return o
}

// depart is when a course lets a message go that is due at t.
func (c course) depart(s ratelimit.PairState, t, last ratelimit.Instant) ratelimit.Instant {
	switch {
	case c.queue:
		return ratelimit.PublishedPair(ratelimit.Spaced).Earliest(s, max(t, last))
	case c.gap > 0 && last != 0:
		return max(t, last.Add(c.gap))
	}
	return max(t, last)
}

// insert puts a try among those that are due, behind those of the same instant.
func insert(due []try, t try) []try {
	i, _ := slices.BinarySearchFunc(due, t.at+1, func(d try, at ratelimit.Instant) int { return cmp.Compare(d.at, at) })
	return slices.Insert(due, i, t)
}

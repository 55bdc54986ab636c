package analyze

import (
	"fmt"
	"slices"
	"time"
)

// How long after its request, by the clocks of a log, the status of a message may come, and how much the clocks may differ.
const (
	statusWithin  = 30 * time.Second
	failureWithin = 10 * time.Second
	clockSlack    = 2 * time.Second
)

// mixedFormat is the format of a source that holds a sender's requests and the platform's webhooks.
const mixedFormat = "mixed-api-and-webhook"

// joinNameless puts together what no id joins: requests that were logged without the id of their message, and the statuses of the messages that came
// of them. Each status takes the last request before it that no other has. The facts are one pair's, in order, and are so again behind it. It says
// how many were joined.
func (j *joined) joinNameless(facts []fact) (n int) {
	var requests, sent, failed bool
	for i := range facts {
		f := &facts[i]
		requests = requests || f.isNamelessRequest()
		sent = sent || f.role() == placed && f.kind() == Sent && !f.nameless()
		failed = failed || f.role() == failing && f.kind() == Failed && f.message != 0
	}
	if !requests || !sent && !failed {
		return 0
	}
	n = j.match(facts, func(f *fact) bool { return f.role() == placed && f.kind() == Sent && !f.nameless() }, statusWithin, func(request, status *fact) {
		if j.skew[request.file()].host != 0 {
			request, status = status, request // the sender's clock is only estimated
		}
		status.setRole(aside)
	})
	n += j.match(facts, func(f *fact) bool { return f.role() == failing && f.kind() == Failed && f.message != 0 }, failureWithin, func(request, status *fact) {
		(&message{failed: status}).reportAt(request)
		request.setRole(aside)
	})
	if n > 0 {
		slices.SortFunc(facts, func(a, b fact) int { return byPair(&a, &b) })
	}
	return n
}

// match gives each status the last free request that it can belong to.
func (j *joined) match(facts []fact, isStatus func(*fact) bool, within time.Duration, join func(request, status *fact)) (n int) {
	var free []*fact
	next := 0
	for i := range facts {
		s := &facts[i]
		if !isStatus(s) {
			continue
		}
		latest := s.at() + (s.grain() + clockSlack).Milliseconds()
		for ; next < len(facts) && facts[next].at() <= latest; next++ {
			if r := &facts[next]; r.isNamelessRequest() && r.role() == placed {
				free = append(free, r)
			}
		}
		if len(free) == 0 || s.at()-free[len(free)-1].at() > within.Milliseconds() || !j.apart(free[len(free)-1], s) {
			continue
		}
		free[len(free)-1].bits &^= idlessBit // it has its message now
		join(free[len(free)-1], s)
		free = free[:len(free)-1]
		n++
	}
	return n
}

// apart says whether a request and a status are from different systems: the rows of one table are messages of their own.
func (j *joined) apart(request, status *fact) bool {
	file := request.file()
	return file != status.file() || file < len(j.meaning.sources) && j.meaning.sources[file].Format == mixedFormat
}

// isNamelessRequest says whether a fact is an accepted request that was logged without the id of its message.
func (f *fact) isNamelessRequest() bool {
	return f.nameless() && f.kind() == Accepted && f.role() == placed
}

func namelessNote(n int) string {
	return fmt.Sprintf("%d %s logged without the id of its message and joined to the status that came next after it: log the id that the API answers with", n, pluralVerb(n, "request was", "requests were"))
}

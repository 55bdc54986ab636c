package readlog

import (
	"cmp"
	"slices"
	"time"

	"github.com/wactl/wactl/analyze"
)

// maxPending is how many requests may wait for their answer at once; more is a log without answers.
const maxPending = 8192

// pending is the requests whose answer is logged in a later record.
type pending struct {
	waiting map[string][]asking // by what a request and its answer share
	order   []string            // keys in the order in which requests came; one that was answered is no longer in waiting
	count   int
}

// maxAnswer is how long an answer may take; every client gives up before.
const maxAnswer = 2 * time.Minute

// asking is an attempt whose answer may come, and the form of its record.
type asking struct {
	analyze.Event
	format string
}

// pend keeps the attempt of the current record until its answer comes, or until it is clear that none will.
func (p *pass) pend(key, format string, e analyze.Event) {
	q := &p.requests
	if q.waiting == nil {
		q.waiting = map[string][]asking{}
	}
	e.Place = p.current.place
	p.placeInTime(&e, p.current)
	e.Detail.Host = p.current.host
	q.waiting[key] = append(q.waiting[key], asking{e, cmp.Or(p.current.format, format)})
	q.order = append(q.order, key)
	q.count++
	for q.count > maxPending || len(q.order) > 2*maxPending {
		p.releaseOldest()
	}
}

// releaseOldest yields the attempt that waits longest as one without an answer.
func (p *pass) releaseOldest() {
	q := &p.requests
	key := q.order[0]
	q.order = q.order[1:]
	if stack := q.waiting[key]; len(stack) > 0 {
		p.release(stack[0])
		q.set(key, stack[1:])
	}
}

// set keeps what still waits under a key.
func (q *pending) set(key string, stack []asking) {
	q.count += len(stack) - len(q.waiting[key])
	if len(stack) == 0 {
		delete(q.waiting, key)
		return
	}
	q.waiting[key] = stack
}

// request is the last attempt under a key that an answer at this instant can belong to, nil if there is none. The last one, because an
// attempt before it may never have been answered.
func (p *pass) request(key, number string, at time.Time) *asking {
	stack := p.requests.waiting[key]
	if len(stack) == 0 {
		return nil
	}
	last := &stack[len(stack)-1]
	if late := at.Sub(last.At); late < 0 || late > maxAnswer || number != "" && last.Number != "" && number != last.Number {
		return nil
	}
	return last
}

// onlyRequest is the key of the one request that an answer without a name can belong to: the only one that waits; empty: none, or several do.
func (p *pass) onlyRequest(at time.Time) (key string) {
	for _, k := range slices.Backward(p.requests.order) {
		stack := p.requests.waiting[k]
		if len(stack) == 0 || k == key {
			continue
		}
		if at.Sub(stack[len(stack)-1].At) > maxAnswer {
			break
		}
		if key != "" || len(stack) > 1 {
			return ""
		}
		key = k
	}
	return key
}

// justAsked is the instant of the last request if the current record stands right behind it: what a program prints without a time came then.
func (p *pass) justAsked() stamp {
	const near = 40 // lines, since a request may be printed over several
	q := &p.requests
	if len(q.order) == 0 {
		return stamp{}
	}
	stack := q.waiting[q.order[len(q.order)-1]]
	if len(stack) == 0 || p.current.place.Line-stack[len(stack)-1].Place.Line > near {
		return stamp{}
	}
	last := stack[len(stack)-1]
	return stamp{at: last.At, until: last.Until, naive: last.Naive}
}

// release yields an attempt whose answer did not come.
func (p *pass) release(r asking) {
	if reason := p.complete(&r.Event); reason != "" {
		p.skip(r.Place.Line, reason)
		return
	}
	p.give(r.format, r.Event)
}

// flushPending yields the attempts that are still without an answer at the end.
func (p *pass) flushPending() {
	for len(p.requests.order) > 0 {
		p.releaseOldest()
	}
}

// answered completes an answer by its request: the request's instant, and whom it was for if the answer does not say.
func (p *pass) answered(key string, e *analyze.Event) bool {
	asked := p.request(key, e.Number, p.current.logged.at)
	if asked == nil {
		return false
	}
	stack := p.requests.waiting[key]
	p.requests.set(key, stack[:len(stack)-1])
	e.At, e.Until, e.Naive = asked.At, asked.Until, asked.Naive
	if e.Recipient == "" && e.UserID == "" {
		e.Recipient, e.UserID = asked.Recipient, asked.UserID
	}
	e.Number = cmp.Or(e.Number, asked.Number)
	d := &e.Detail
	d.Text, d.Template, d.Job = cmp.Or(d.Text, asked.Detail.Text), cmp.Or(d.Template, asked.Detail.Template), cmp.Or(d.Job, asked.Detail.Job)
	d.Campaign, d.Row, d.InReply = cmp.Or(d.Campaign, asked.Detail.Campaign), cmp.Or(d.Row, asked.Detail.Row), cmp.Or(d.InReply, asked.Detail.InReply)
	d.Category, d.Trigger, d.Client = cmp.Or(d.Category, asked.Detail.Category), cmp.Or(d.Trigger, asked.Detail.Trigger), cmp.Or(d.Client, asked.Detail.Client)
	d.Attempt = cmp.Or(d.Attempt, asked.Detail.Attempt)
	return true
}

package campaign_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// bulletin is news that comes so long after the start of a bubble.
type bulletin struct {
	After time.Duration
	News  campaign.News
	Fails []int // steps that the platform took and fails now: those that were sent come back
}

// desk hands bulletins out when they are due, and keeps who was withdrawn.
type desk struct {
	m *memory

	mu        sync.Mutex
	plan      []bulletin
	back      map[int]int // attempts with which a step came back last
	items     []campaign.Item
	withdrawn []int
}

func (d *desk) News(_ context.Context, items []campaign.Item) (n campaign.News, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.plan) == 0 || ratelimit.At(time.Now()).Sub(start) < d.plan[0].After {
		return n, nil
	}
	b := d.plan[0]
	d.plan = d.plan[1:]
	n = b.News
	for _, seq := range b.Fails {
		if r, ok := d.m.last(seq); ok && r.State == campaign.Sent && d.back[seq] < r.Attempt {
			d.back[seq] = r.Attempt
			d.m.returns(seq)
			again := d.items[seq]
			again.Attempts = uint16(r.Attempt)
			n.Again = append(n.Again, again)
		}
	}
	return n, nil
}

func (d *desk) Withdraw(_ context.Context, seqs []int, rule string) (int, error) {
	if rule != normalize.Suppressed {
		return 0, fmt.Errorf("withdrawn by the rule %q", rule)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.withdrawn = append(d.withdrawn, seqs...)
	return len(seqs), nil
}

// last is the last result of a step.
func (m *memory) last(seq int) (r campaign.Result, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, one := range slices.Backward(m.results) {
		if one.Seq == seq {
			return one, true
		}
	}
	return r, false
}

// returns makes a step pending again, as a webhook would.
func (m *memory) returns(seq int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.results = append(m.results, campaign.Result{Seq: seq, State: campaign.Pending, Answer: campaign.Answer{Code: 131056}})
}

// newsroom gives a send a desk.
func newsroom(s *send, plan ...bulletin) *desk {
	d := &desk{plan: plan, back: map[int]int{}, items: s.items()}
	tune := s.tune
	s.tune = func(sender *campaign.Sender, m *memory) {
		d.m = m
		sender.Control = d
		if tune != nil {
			tune(sender, m)
		}
	}
	return d
}

// departures is when each message left last, after the start.
func departures(m *memory) map[int]time.Duration {
	left := map[int]time.Duration{}
	for _, r := range m.results {
		if r.Left != 0 {
			left[r.Seq] = max(left[r.Seq], r.Left.Sub(start))
		}
	}
	return left
}

// between counts the departures from one instant to another.
func between(m *memory, from, to time.Duration) (n int) {
	for _, r := range m.results {
		if at := r.Left.Sub(start); r.Left != 0 && at >= from && at < to {
			n++
		}
	}
	return n
}

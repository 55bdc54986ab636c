package campaign

import (
	"cmp"

	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// Limits is what a send is paced by. The zero value of Tier is a messaging limit that is unlimited or unknown, and not enforced.
type Limits struct {
	Number   ratelimit.Throughput
	Numbers  []Number // where several send, instead of Number; [Item.Number] counts in their order
	Pair     ratelimit.Pair
	Tier     int                     // distinct recipients of a portfolio in a moving 24 h
	Used     int                     // of them already used at the start, by people who are not on the list
	Before   func(*ratelimit.Policy) // adds what Number sent before the start; nil: nothing. Its Messaging is nil without a tier
	Start    ratelimit.Instant       // nothing departs before; 0: at once
	Deadline ratelimit.Instant       // nothing departs after; 0: none
	Quiet    quiet.Hours             // in which nobody is written to, by the recipient's clock
}

// Number is one of several business numbers that send a campaign.
type Number struct {
	ID         string // the platform's
	Name       string // the user's own word for it, or empty; a row of a list may name it so
	Portfolio  string // whose messaging limit it shares; numbers without one share one
	Tier       int    // that limit, the same for all numbers of the portfolio; 0: as in [Limits.Tier]
	Throughput ratelimit.Throughput
	Before     func(*ratelimit.Policy) // adds what it and its portfolio sent before the start; nil: nothing
}

// All lists the numbers that send; a single one has no name.
func (l Limits) All() []Number {
	if len(l.Numbers) > 0 {
		return l.Numbers
	}
	return []Number{{Throughput: l.Number, Before: l.Before}}
}

// Pace is the pace of all numbers together.
func (l Limits) Pace() (sum ratelimit.Pace) {
	for _, n := range l.All() {
		sum += n.Throughput.Pace
	}
	return sum
}

// Policy is the limits of the first number joined, with a history that ends at start.
func (l Limits) Policy(start ratelimit.Instant) *ratelimit.Policy { return l.Policies(start)[0] }

// Policies is the limits of each number, with a history that ends at start. Numbers of one portfolio share its messaging limit.
func (l Limits) Policies(start ratelimit.Instant) []*ratelimit.Policy {
	portfolios := map[string]*ratelimit.Messaging{}
	var all []*ratelimit.Policy
	for _, n := range l.All() {
		m := portfolios[n.Portfolio]
		if tier := cmp.Or(n.Tier, l.Tier); m == nil && tier > 0 {
			m = ratelimit.NewMessaging(tier, ratelimit.MessagingWindow)
			for i := range l.Used {
				m.Charge(^uint64(i), start) // no phone number has such digits
			}
			portfolios[n.Portfolio] = m
		}
		p := ratelimit.NewPolicy(n.Throughput, l.Pair, m)
		if n.Before != nil {
			n.Before(p)
		}
		p.NotBefore(l.Start)
		all = append(all, p)
	}
	return all
}

// rules are the limits that no policy holds.
func (l Limits) rules(onTier string) rules {
	return rules{onTier: onTier, quiet: l.Quiet, deadline: l.Deadline}
}

package cmd

import (
	"context"
	"fmt"
	"slices"

	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/ratelimit"
)

// examineAll makes every reading about each number that sends.
func (s *sending) examineAll(ctx context.Context) ([]preflight.Readings, error) {
	all := make([]preflight.Readings, len(s.lines))
	for i, l := range s.lines {
		x, err := examine(ctx, l.reader, l.target, s.plan)
		if err != nil {
			return nil, err
		}
		x.Asked = s.flags.askedOf(l, s.limits)
		all[i] = x
	}
	return all, nil
}

// judgeAll judges the readings of several numbers. What is the same for all of them is said once, the rest beside the number that it is about.
func judgeAll(ids []string, readings []preflight.Readings) (all []preflight.Check) {
	each := make([][]preflight.Check, len(readings))
	for i, x := range readings {
		each[i] = preflight.Judge(x)
	}
	for i, checks := range each {
		for _, c := range checks {
			common := !slices.ContainsFunc(each, func(of []preflight.Check) bool { return !slices.Contains(of, c) })
			switch {
			case common && i > 0:
				continue
			case !common && c.Item == "":
				c.Item = "of number " + ids[i]
			case !common:
				c.Item = fmt.Sprintf("%s of number %s", c.Item, ids[i])
			}
			all = append(all, c)
		}
	}
	return all
}

// adoptAll takes the limits over that the platform tells of each number. One messaging limit holds for each portfolio.
func (s *sending) adoptAll(readings []preflight.Readings) {
	f := &s.flags.campaignFlags
	at := 0
	s.throughputs(func(l *line, t ratelimit.Throughput) ratelimit.Throughput {
		asked := t.Pace
		if t = f.adoptPace(t, l.mps, l.coexistence, readings[at].Number); s.approved != nil {
			t.Pace = asked // nobody approved a faster one
		}
		at++
		return t
	})
	if f.tier != "" {
		return
	}
	if len(s.limits.Numbers) == 0 {
		if people, known := readings[0].Number.Tier(); known {
			s.limits.Tier = people
		}
		return
	}
	tiers := map[string]int{} // by portfolio: the least that a number of it tells
	for i, x := range readings {
		if people, known := x.Number.Tier(); known && people > 0 {
			p := s.limits.Numbers[i].Portfolio
			if least, told := tiers[p]; !told || people < least {
				tiers[p] = people
			}
		}
	}
	for i := range s.limits.Numbers {
		s.limits.Numbers[i].Tier = tiers[s.limits.Numbers[i].Portfolio]
	}
	if first := s.limits.Numbers[0].Tier; !slices.ContainsFunc(s.lines, func(l line) bool { return tiers[l.Portfolio] != first }) {
		s.limits.Tier = first
	}
}

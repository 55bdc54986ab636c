package cmd

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// marketing says whether who stopped marketing messages alone gets none of this campaign's.
func (s *sending) marketing() bool { return isMarketing(s.flags.text, s.plan.options.Category) }

// isMarketing says what messages count as: free text is no marketing, and a template of unknown category may be.
func isMarketing(text, category string) bool {
	return text == "" && (category == "" || strings.EqualFold(category, "MARKETING"))
}

// heard tells of what changes while it sends, and keeps it for a later stage.
func (s *sending) heard(n campaign.News, withdrawn int) {
	if n.Pause != nil {
		s.tellPause(*n.Pause, n.PauseAt)
	}
	s.takeLimits(n)
	pace := ratelimit.Pace(0)
	if n.Pace != nil {
		pace = *n.Pace * ratelimit.Pace(len(s.lines))
		s.out.Note("the pace is %s from now on, as `wactl state rate` ordered", perNumber(*n.Pace, len(s.lines)))
	}
	s.tally.hear(n.Pause, pace, withdrawn)
}

// tellPause says that nothing leaves any more, and why, or that messages leave again.
func (s *sending) tellPause(on bool, at ratelimit.Instant) {
	if !on {
		s.out.Note("`wactl state resume` let it go on")
		return
	}
	since := ""
	if at != 0 {
		since = " at " + s.out.Time(at.Time())
	}
	s.out.Warn("paused by `wactl state pause`%s: nothing leaves until `wactl state resume %s`; Ctrl-C ends this run", since, s.name)
}

// perNumber is a pace in words that say where it is each number's.
func perNumber(p ratelimit.Pace, numbers int) string {
	if numbers > 1 {
		return p.String() + " for each number"
	}
	return p.String()
}

// takeLimits tells of new levels and messaging limits, and keeps them.
func (s *sending) takeLimits(n campaign.News) {
	for i, one := range n.Numbers {
		who := "the number"
		if len(s.lines) > 1 {
			who = "number " + s.lines[i].ID
		}
		if one.Level != 0 {
			s.out.Note("%s may send %d messages per second now", who, one.Level)
			s.takeLevel(i, one.Level)
		}
		if one.Tier == nil {
			continue
		}
		limit := unlimited
		if *one.Tier > 0 {
			limit = persons(*one.Tier) + " in 24 hours"
		}
		s.out.Note("the messaging limit of %s is %s now", who, limit)
		if len(s.limits.Numbers) == 0 {
			s.limits.Tier = *one.Tier
			continue
		}
		for j := range s.limits.Numbers {
			if s.limits.Numbers[j].Portfolio == s.limits.Numbers[i].Portfolio {
				s.limits.Numbers[j].Tier = *one.Tier
			}
		}
	}
}

// takeLevel keeps a number's new level, and the pace that comes with it where nobody asked for one.
func (s *sending) takeLevel(i, level int) {
	at := 0
	s.throughputs(func(l *line, t ratelimit.Throughput) ratelimit.Throughput {
		if at == i {
			if l.mps == "" && !l.coexistence && s.approved == nil {
				t.Pace = ratelimit.DefaultPace(level, s.flags.reserve)
			}
			t.Level = level
		}
		at++
		return t
	})
}

// ordered is the limits as `wactl state rate` has them for this campaign; it says so, and warns where a pause holds.
func (s *sending) ordered() campaign.Limits {
	limits := s.limits
	if !s.found {
		return limits
	}
	n, err := s.store.Ordered(context.Background(), s.campaign)
	if err != nil {
		return limits // the send itself reads it again before anything leaves
	}
	if n.Pause != nil && *n.Pause {
		s.out.Warn("the campaign is paused since %s: nothing leaves until `wactl state resume %s`", s.out.Time(n.PauseAt.Time()), s.name)
	}
	if n.Pace == nil || *n.Pace == 0 {
		return limits
	}
	s.out.Note("the pace is the one that `wactl state rate` ordered; `wactl state rate default %s` ends that", s.name)
	limits.Number.Pace = *n.Pace
	limits.Numbers = slices.Clone(limits.Numbers)
	for i := range limits.Numbers {
		limits.Numbers[i].Throughput.Pace = *n.Pace
	}
	return limits
}

// longSleep is from when on somebody is asked before a send goes on: what it says may be out of date.
const longSleep = 15 * time.Minute

// woke looks around after the machine has slept: whether somebody wants it to go on, and what the platform says by now.
func (s *sending) woke(ctx context.Context, slept time.Duration) campaign.News {
	s.out.Warn("the clock went on by %s while this machine stood still; number and template are read again before anything more leaves", output.Duration(slept))
	for _, l := range s.lines {
		if c, ok := l.provider.(interface{ CloseIdleConnections() }); ok {
			c.CloseIdleConnections()
		}
	}
	if stop := s.goOn(ctx, slept); stop != nil {
		return campaign.News{Stop: stop}
	}
	return s.lookAgain(ctx)
}

// goOn asks, after a long sleep, whether to go on: nil, or why not.
func (s *sending) goOn(ctx context.Context, slept time.Duration) *campaign.Stopped {
	if slept <= longSleep || s.flags.sandbox {
		return nil
	}
	why := fmt.Sprintf("this machine stood still for %s", output.Duration(slept))
	const resume = "look whether the messages still fit the hour, then run the same command again: it goes on where it stopped"
	if !s.out.InTTY {
		return &campaign.Stopped{Why: why + ", and there is no terminal to ask whether to go on", Resume: resume}
	}
	typed, err := s.out.Ask(ctx, "Type GO to send the rest now:")
	if err == nil && typed == "GO" {
		return nil
	}
	return &campaign.Stopped{Why: why + ", and nobody said to go on", Resume: resume}
}

// lookAgain reads numbers and templates again, and says what that changes for the send.
func (s *sending) lookAgain(ctx context.Context) (n campaign.News) {
	n.Numbers = make([]campaign.NumberNews, len(s.lines))
	var readings []preflight.Readings
	for i, l := range s.lines {
		var uses []preflight.Use
		if s.plan.summed != nil {
			uses = s.plan.summed.uses
		}
		x, err := newReader(l.provider, s.flags.account).read(ctx, l.target.NumberID, uses)
		if err != nil {
			return n // interrupted, which the send sees itself
		}
		x.Campaign, x.Uses, x.People, x.American = true, uses, s.plan.Recipients, s.plan.Countries["US"]
		readings = append(readings, x)
		n.Numbers[i] = s.readAgain(ctx, i, x.Number)
	}
	s.checks = judgeAll(s.ids(), readings)
	s.showChecks(preflight.Warning)
	for _, c := range s.checks {
		if c.Verdict == preflight.Stop && (!s.flags.force || c.Check == checkToken) {
			n.Stop = &campaign.Stopped{Code: c.Code, Why: subject(c.Check, c.Item) + ": " + c.Detail, Resume: c.Advice, Harm: true}
			break
		}
	}
	return n
}

// readAgain is what a new reading changes for a number.
func (s *sending) readAgain(ctx context.Context, i int, read preflight.Number) (n campaign.NumberNews) {
	l := s.lines[i]
	n.Portfolio = l.Portfolio
	if !l.coexistence {
		n.Level = read.MPS()
	}
	people, known := read.Tier()
	if !known || s.flags.tier != "" {
		return n
	}
	n.Tier = &people
	if people > 0 {
		counting, err := s.store.Counting(ctx, l.target, ratelimit.At(time.Now()))
		if err != nil {
			s.out.Warn("%v", err)
			n.Tier = nil // a limit without those who count for it would let too many through
		}
		n.People = counting
	}
	return n
}

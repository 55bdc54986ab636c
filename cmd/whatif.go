package cmd

import (
	"context"
	"time"

	"github.com/wactl/wactl/analyze"
	"github.com/wactl/wactl/cmd/output"
)

// replay replays the log with one change and tells how many refusals would be left.
func (f *explainFlags) replay(a *app, ctx context.Context, args []string) error {
	o, err := f.analysis(a)
	if err != nil {
		return err
	}
	return a.withLedger(ctx, &f.logFlags, args, o, func(l *analyze.Ledger, log analyze.Log) error {
		r, err := l.WhatIf(log, o, f.whatIf)
		if err != nil {
			return err
		}
		if f.format.value != formatText {
			return a.out.JSON(r)
		}
		a.showReplay(r)
		return nil
	})
}

// showReplay says what a change would have made of the log.
func (a *app) showReplay(r analyze.Replay) {
	a.out.Heading("What if %s: %s instead of %s.", r.Change, plural(r.After, "refusal", "refusals"), output.Count(r.Before))
	a.labelled("change", capital(r.Means)+".")
	counted := "By the strict reading of the limit, over " + plural(r.Pairs, "pair", "pairs") + "."
	if r.Logged != r.Before {
		counted += " The log itself holds " + plural(r.Logged, "refusal", "refusals") + ", so it lacks sends, or the platform lends more than that reading says."
	}
	a.labelled("counted", counted)
	var cost string
	if r.Dropped > 0 {
		cost += plural(r.Dropped, "send is", "sends are") + " not made any more. "
	}
	if r.Tries > 0 {
		cost += plural(r.Tries, "retry is", "retries are") + " added. "
	}
	if r.LongestDelay > 0 {
		cost += "One message waits " + output.Duration(time.Duration(r.LongestDelay*float64(time.Second))) + " at most. "
	}
	if r.GaveUp > 0 {
		cost += plural(r.GaveUp, "message is", "messages are") + " given up after all tries."
	}
	a.labelled("costs", cost)
}

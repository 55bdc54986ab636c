package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/analyze"
	"github.com/wactl/wactl/cmd/output"
)

func newCalibrate(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "calibrate LOG…",
		Short: "Measure from logs which interval and burst the platform really applied to pairs",
		Long: "Reads message logs as explain-131056 does, and finds the pair limit that accepted and refused sends fit\n" +
			"best, with the bounds that they allow. It also counts what speaks against each reading of the published\n" +
			"limit: refusals that it does not expect, and accepted sends that it would have refused.",
		Example: "  wactl calibrate webhooks.jsonl\n  wactl calibrate exports/ --format json",
		GroupID: groupLogs,
	}
	f := &calibrateFlags{}
	f.logFlags.add(c)
	c.Flags().StringVar(&f.pair, "pair", "", "look at one pair only: a `RECIPIENT`, or a number id and it with a comma")
	f.format = formatFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error { return f.run(a, c.Context(), args) }
	return c
}

// calibrateFlags are the flags of calibrate.
type calibrateFlags struct {
	logFlags
	pair   string
	format *choice
}

func (f *calibrateFlags) run(a *app, ctx context.Context, args []string) error {
	o := analyze.Options{Region: f.region, Pair: f.pair}
	var err error
	if o.CodeMap, err = f.codes(); err != nil {
		return err
	}
	return a.withLedger(ctx, &f.logFlags, args, o, func(l *analyze.Ledger, log analyze.Log) error {
		c, err := l.Calibrate(log, o)
		if err != nil {
			return err
		}
		return a.show(f.format, c, func() { a.showCalibration(c) })
	})
}

// withLedger reads logs into a ledger and gives it to use, or says why they cannot be judged.
func (a *app) withLedger(ctx context.Context, f *logFlags, args []string, o analyze.Options, use func(*analyze.Ledger, analyze.Log) error) error {
	log, bar, err := a.openLogs(ctx, f, args)
	if err != nil {
		return err
	}
	defer bar.close()
	defer log.Close()
	l := &analyze.Ledger{Region: o.Region}
	if err := l.Read(log); err != nil {
		return err
	}
	bar.close() // what is read again is little
	var sources []analyze.SourceReport
	for _, s := range log.Sources() {
		sources = append(sources, analyze.SourceReport{Path: s.Path, Lines: s.Lines, Events: s.Events, Unreadable: s.Unreadable})
	}
	if err := a.judged(sources, 0); err != nil {
		return err
	}
	return use(l, log)
}

// showCalibration says what the log speaks for.
func (a *app) showCalibration(c analyze.Calibration) {
	sent, refused := plural(c.Accepted, "accepted send", "accepted sends"), plural(c.Refused, "refusal", "refusals")
	if c.Inconclusive {
		a.out.Heading("The log does not tell which limit was applied: %s and %s near each other are too few.", sent, refused)
	} else {
		a.out.Heading("Best fit: one message each %v s, %s on credit (%s), from %s and %s.", c.Interval, output.Count(c.Burst), c.Reading, sent, refused)
	}
	a.labelled("interval", bounds(c.IntervalMin, c.IntervalMax, " s")+"; published: 6 s")
	a.labelled("burst", bounds(c.BurstMin, c.BurstMax, "")+"; published: 45")
	a.out.Line("")
	rows := [][]string{a.fitRow("best fit", c.Fit, c)}
	rows = append(rows, a.fitRow("strict, as published", c.Published.Strict, c), a.fitRow("bucket45, as published", c.Published.Bucket45, c),
		a.fitRow("spaced, as wactl sends", c.Spaced, c))
	a.out.Table([]string{"reading", "refusals expected", "not expected", "sends it would refuse"}, rows)
	for _, note := range c.Notes {
		a.out.Line("")
		lines(a.out.Line, paragraphs(note, helpWidth))
	}
}

// fitRow is how one reading did: what it expected, what it did not, and what speaks against it.
func (a *app) fitRow(name string, n analyze.ReadingCount, c analyze.Calibration) []string {
	return []string{name, output.Count(n.Right), output.Count(c.Refused - n.Right), output.Count(n.Contradicted)}
}

// bounds says between which values something lies, as far as the log tells.
func bounds[T int | float64](least, most *T, unit string) string {
	switch {
	case least != nil && most != nil && *least == *most:
		return fmt.Sprintf("%v%s", *least, unit)
	case least != nil && most != nil:
		return fmt.Sprintf("between %v and %v%s", *least, *most, unit)
	case least != nil:
		return fmt.Sprintf("at least %v%s", *least, unit)
	case most != nil:
		return fmt.Sprintf("at most %v%s", *most, unit)
	}
	return "not bounded by this log"
}

package cmd

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/normalize"
	faces "github.com/wactl/wactl/normalize/report"
)

// lintFlags are the flags of lint alone.
type lintFlags struct {
	listFlags
	tier, mps               string
	ignore, severity        []string
	baseline, writeBaseline string
	fix, diff               bool
	outputs                 []string
	noMask, rules           bool
	explain                 string
	failOn, format          *choice
}

func newLint(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "lint LIST…",
		Short: "Check recipient lists: every fault with its place, for people and for other systems",
		Long: "Checks recipient lists and changes nothing, unless --fix says so. A list is CSV, TSV or XLSX, in any\n" +
			"usual encoding, plain or packed; a folder stands for all lists in it. `wactl help lists` tells what a\n" +
			"list may hold, `wactl lint --explain RULE` what a rule means.",
		Example: "  wactl lint list.csv --region BR\n" +
			"  wactl lint exports/ --region BR,MX --suppress optouts.csv --format sarif > lint.sarif\n" +
			"  wactl lint list.csv --region BR --diff",
		GroupID: groupLists,
	}
	f := &lintFlags{}
	f.listFlags.add(c)
	f.add(c)
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 && !f.rules && f.explain == "" {
			return unusable("usage: "+c.UseLine(), "%s needs a list", c.CommandPath())
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case f.rules:
			return a.listRules(f.format)
		case f.explain != "":
			return a.explainRule(f.explain)
		}
		l, err := f.prepare(c.Context(), a, args)
		if err != nil {
			return err
		}
		return l.run(c.Context())
	}
	return c
}

func (f *lintFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.tier, "tier", "", "messaging limit, `250|2000|10000|100000|unlimited` people in 24 hours; turns the limits rules on")
	flags.StringVar(&f.mps, "mps", "", "the number's messages per second; turns the limits rules on")
	f.failOn = choiceFlag(c, "fail-on", "from which severity on the exit code is 1", "error", "warning", "never")
	flags.StringArrayVar(&f.ignore, "ignore", nil, "leave out the problems of `RULE[,RULE]`; may be repeated")
	flags.StringArrayVar(&f.severity, "severity", nil, "`RULE=LEVEL`: grade a rule's problems as error, warning or info; may be repeated")
	flags.StringVar(&f.baseline, "baseline", "", "show only problems that are not in `FILE`")
	flags.StringVar(&f.writeBaseline, "write-baseline", "", "write the problems as known ones to `FILE`; no number stands in it")
	flags.BoolVar(&f.fix, "fix", false, "repair in the list what needs no guess")
	flags.BoolVar(&f.diff, "diff", false, "show what --fix would change, and change nothing")
	f.format = choiceFlag(c, "format", "how the result is written", append([]string{formatText}, faces.Formats()...)...)
	flags.StringArrayVar(&f.outputs, "output", nil, "`FORMAT=FILE`: write the result to a file too; may be repeated")
	flags.BoolVar(&f.noMask, "no-mask", false, "show numbers in full in the formats for other systems too")
	flags.BoolVar(&f.rules, "rules", false, "list the rules")
	flags.StringVar(&f.explain, "explain", "", "show the page of a `RULE`")
}

// lint is one run: what it was asked, and what it found.
type lint struct {
	*app
	flags      *lintFlags
	paths      []string
	policy     faces.Policy
	failOn     faces.FailOn
	known      faces.Baseline
	suppressed *normalize.Suppressions
	outputs    [][2]string // format and file
	tier       int
	limits     bool

	files    []faces.File
	problems *problemFile
	told     faces.Text // the report for people
}

// prepare refuses what cannot be used before a list is read.
func (f *lintFlags) prepare(ctx context.Context, a *app, args []string) (l *lint, err error) {
	l = &lint{app: a, flags: f, limits: f.tier != "" || f.mps != ""}
	if l.policy, err = faces.ParsePolicy(f.ignore, f.severity); err != nil {
		return nil, err
	}
	if l.failOn, err = faces.ParseFailOn(f.failOn.value); err != nil {
		return nil, err
	}
	if l.tier, err = parseTier(f.tier); err != nil {
		return nil, err
	}
	if _, err = parsePace(f.mps); f.mps != "" && err != nil {
		return nil, err
	}
	if l.outputs, err = outputsOf(f.outputs); err != nil {
		return nil, err
	}
	if l.paths, err = listsIn(args); err != nil {
		return nil, err
	}
	if err = stdinOnce(slices.Concat(l.paths, f.suppress)...); err != nil {
		return nil, err
	}
	if (f.fix || f.diff) && slices.Contains(l.paths, stdio) {
		return nil, unusable("name a file", "stdin cannot be repaired")
	}
	if err = l.apart(); err != nil {
		return nil, err
	}
	if l.known, err = l.readBaseline(); err != nil {
		return nil, err
	}
	if l.suppressed, err = a.suppressed(ctx, nil, f.suppress, f.options()); err != nil {
		return nil, err
	}
	l.problems, err = newProblemFile()
	return l, err
}

// apart refuses results that would be written over a list, another input, or each other. The baseline may take the place of the old one.
func (l *lint) apart() error {
	written := []string{l.flags.writeBaseline}
	for _, o := range l.outputs {
		if err := keepApart(o[1:], append(written, l.flags.baseline), "named twice"); err != nil {
			return err
		}
		written = append(written, o[1])
	}
	read := slices.Concat(l.paths, l.flags.suppress, []string{l.flags.templateFile})
	return keepApart(written, read, "read by this run too")
}

// outputsOf reads FORMAT=FILE.
func outputsOf(given []string) (all [][2]string, err error) {
	formats := append([]string{formatText}, faces.Formats()...)
	for _, g := range given {
		format, file, ok := strings.Cut(g, "=")
		if !ok || file == "" || !slices.Contains(formats, format) {
			return nil, unusable("write it as --output FORMAT=FILE; the formats are "+strings.Join(formats, ", "), "--output %q names no format and file", g)
		}
		all = append(all, [2]string{format, file})
	}
	return all, nil
}

// readBaseline reads the known problems, or begins with none and a salt of its own.
func (l *lint) readBaseline() (faces.Baseline, error) {
	if l.flags.baseline == "" {
		salt := make([]byte, faces.SaltSize)
		rand.Read(salt) // it never fails
		return faces.NewBaseline(salt), nil
	}
	file, err := os.Open(l.flags.baseline)
	if err != nil {
		return faces.Baseline{}, unusable("--write-baseline FILE writes one", "baseline: %w", err)
	}
	defer file.Close()
	b, err := faces.ReadBaseline(file)
	if err != nil {
		return b, fmt.Errorf("%s: %w", l.flags.baseline, err)
	}
	return b, nil
}

// run checks every list and shows what was found.
func (l *lint) run(ctx context.Context) error {
	for _, path := range l.paths {
		if l.flags.fix && !l.flags.diff {
			if err := l.mend(ctx, path); err != nil {
				return err
			}
		}
		if err := l.check(ctx, path); err != nil {
			return err
		}
	}
	r := faces.Report{Files: l.files, Problems: l.problems.all()}
	if l.flags.baseline != "" {
		r.Problems = l.known.New(r.Problems)
	}
	if err := l.keepBaseline(); err != nil {
		return err
	}
	var err error
	if r.Summary, l.told, err = l.overview(r); err != nil {
		return err
	}
	if err := l.show(ctx, r); err != nil {
		return err
	}
	if l.failOn.Fails(r.Summary) {
		return ended(exitProblems)
	}
	return nil
}

// placesPerRule is how many problems of one rule people are shown.
const placesPerRule = 10

// overview counts the problems, and makes the report for people. What a baseline knows can be told by whole problems only.
func (l *lint) overview(r faces.Report) (faces.Summary, faces.Text, error) {
	if l.flags.baseline == "" {
		r.Problems = l.problems.brief(placesPerRule)
	}
	o := l.options()
	o.PerRule = placesPerRule
	return faces.Overview(r, o)
}

// keepBaseline writes all problems of this run as known ones.
func (l *lint) keepBaseline() error {
	if l.flags.writeBaseline == "" {
		return nil
	}
	b := l.known.Empty()
	for p, err := range l.problems.all() {
		if err != nil {
			return err
		}
		b.Add(p)
	}
	return l.writeFile(l.flags.writeBaseline, func(w io.Writer) error { return b.Write(w) })
}

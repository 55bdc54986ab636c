package cmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	faces "github.com/wactl/wactl/normalize/report"
)

// options are how the faces are written.
func (l *lint) options() faces.Options {
	o := faces.Options{Version: wactlVersion(), FailOn: l.failOn}
	switch {
	case l.out.Options.Mask:
		o.Numbers = faces.Hidden
	case l.flags.noMask:
		o.Numbers = faces.Shown
	}
	return o
}

// show writes the result as it was asked for: to stdout, and to every file that --output names.
func (l *lint) show(ctx context.Context, r faces.Report) error {
	for _, o := range l.outputs {
		if err := l.writeFile(o[1], func(w io.Writer) error { return l.face(w, o[0], r) }); err != nil {
			return err
		}
		if err := l.stepSummary(o[0], r); err != nil {
			return err
		}
	}
	if l.flags.diff {
		return l.showDiff(ctx)
	}
	if err := l.stepSummary(l.flags.format.value, r); err != nil {
		return err
	}
	if l.flags.format.value == formatText {
		l.showText(l.out, r)
		return nil
	}
	return l.face(l.out.Out, l.flags.format.value, r)
}

// face writes one face.
func (l *lint) face(w io.Writer, format string, r faces.Report) error {
	if format != formatText {
		return faces.Write(w, format, r, l.options())
	}
	plain := output.New(nil, w, io.Discard, l.out.Options)
	l.showText(plain, r)
	return plain.Failed()
}

// stepSummary adds what the annotations leave out to the summary of a GitHub step, where there is one.
func (l *lint) stepSummary(format string, r faces.Report) error {
	path, given := l.env("GITHUB_STEP_SUMMARY")
	if format != "github" || !given || path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return unusable("GITHUB_STEP_SUMMARY names it", "step summary: %w", err)
	}
	err = faces.WriteStepSummary(file, r)
	return cmp.Or(err, file.Close())
}

// showText writes the report for people.
func (l *lint) showText(out *output.Streams, r faces.Report) {
	for _, f := range r.Files {
		out.Line("%s", aboutFile(f))
	}
	for _, s := range l.told.Sections {
		out.Line("")
		out.Heading("%s %s: %s", s.Severity, s.Rule, output.Count(s.Count))
		for _, p := range s.Places {
			out.Line("  %s  %s", p.Where, aboutPlace(p))
		}
		if s.More > 0 {
			out.Line("  and %s more", output.Count(s.More))
		}
		if s.Hint != "" {
			out.Line("  hint: %s", s.Hint)
		}
	}
	if len(r.Files) > 0 {
		out.Line("")
	}
	out.Line("%s", tallyOf(r.Summary, l.told.Infos))
}

// aboutFile says how a list was read.
func aboutFile(f faces.File) string {
	if f.Unread {
		return f.Path + ": no row could be read"
	}
	text := fmt.Sprintf("%s: %s, %s%s", f.Path, plural(f.Rows, "row", "rows"), plural(f.Recipients, "recipient", "recipients"), countries(f.Countries))
	if f.PhoneColumn != "" {
		text += fmt.Sprintf("; numbers from column %q", f.PhoneColumn)
	}
	return text
}

// aboutPlace is a problem's message with its cell, where the message does not show it.
func aboutPlace(p faces.Place) string {
	switch {
	case p.Value != "" && p.Header != "":
		return fmt.Sprintf("%s: \"%s\": %s", p.Header, p.Value, p.Message) // the cell is escaped already
	case p.Header != "":
		return p.Header + ": " + p.Message
	}
	return p.Message
}

// tallyOf is the last line: what was found in all.
func tallyOf(s faces.Summary, infos int) string {
	if s.Errors+s.Warnings+infos == 0 {
		return "no problems"
	}
	text := plural(s.Errors, "error", "errors") + ", " + plural(s.Warnings, "warning", "warnings")
	if infos > 0 {
		text += ", " + plural(infos, "note", "notes") + " (shown by --format json)"
	}
	return text
}

// listRules lists all rules with their severity and meaning.
func (a *app) listRules(format *choice) error {
	type ruleJSON struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		Says     string `json:"says"`
		Hint     string `json:"hint"`
	}
	var all []ruleJSON
	var rows [][]string
	for _, r := range normalize.Rules() {
		all = append(all, ruleJSON{r.Name, string(r.Severity), faces.Meaning(r.Name), r.Hint})
		rows = append(rows, []string{r.Name, string(r.Severity), faces.Meaning(r.Name)})
	}
	return a.show(format, map[string]any{"version": 1, "rules": all}, func() {
		a.out.Table([]string{"rule", "severity", "says"}, rows)
		a.out.Line("")
		a.out.Line("%s rules; `wactl lint --explain RULE` shows the page of one", strconv.Itoa(len(all)))
	})
}

// explainRule shows the page of a rule.
func (a *app) explainRule(rule string) error {
	page, found := faces.Page(rule)
	if !found {
		return unusable(cmp.Or(didYouMean(rule, faces.Pages()), "`wactl lint --rules` lists the rules"), "no rule is called %q", rule)
	}
	a.out.Markdown(page)
	return nil
}

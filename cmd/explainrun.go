package cmd

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/analyze"
	"github.com/wactl/wactl/analyze/readlog"
	faces "github.com/wactl/wactl/analyze/report"
	"github.com/wactl/wactl/cmd/output"
)

// explain is what explain-131056 does: read the logs or an earlier report, show it, and end with the exit code that was asked for.
func (f *explainFlags) explain(a *app, c *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	if f.whatIf != "" {
		return f.replay(a, c.Context(), args)
	}
	r, err := f.report(a, c.Context(), args)
	if err != nil {
		return err
	}
	if err := a.judged(r.Sources, len(r.Failures)+len(r.Unattributed)); err != nil {
		if f.format.value == formatJSON { // programs get what was found out about the sources all the same
			return errors.Join(err, f.show(a, r))
		}
		return err
	}
	if err := f.show(a, r); err != nil {
		return err
	}
	return ended(f.exit(r))
}

// check refuses flags and logs that do not go together, before anything is read.
func (f *explainFlags) check(args []string) error {
	switch {
	case f.whatIf != "" && (f.html != "" || f.failOn.value != failNever):
		return unusable("leave them out, or run it without --what-if", "--what-if has a result of its own: --html and --fail-on do not fit it")
	case f.top < 0:
		return unusable("0 tells as many as suit the format", "--top %d is less than 0", f.top)
	case f.from == "":
		return keepApart([]string{f.html}, args, "a log of this run")
	case len(args) > 0 || f.filesFrom != "":
		return unusable("leave one of them out", "--from shows a report, and %s names logs to read", cmpOr(args, "--files-from"))
	case f.whatIf != "":
		return unusable("name the log instead", "--what-if replays a log, and --from has none")
	case f.pair != "" || f.since != "" || f.until != "":
		return unusable("narrow the report when it is made from the log", "--from shows a report as it is: --pair, --since and --until do not fit it")
	}
	return keepApart([]string{f.html}, []string{f.from}, "the report of this run")
}

// cmpOr is the first of list, or other where it is empty.
func cmpOr(list []string, other string) string {
	if len(list) == 0 {
		return other
	}
	return list[0]
}

// report reads an earlier report, or makes one of the logs.
func (f *explainFlags) report(a *app, ctx context.Context, args []string) (analyze.Report, error) {
	if f.from != "" {
		return a.readReport(f.from)
	}
	options, err := f.analysis(a)
	if err != nil {
		return analyze.Report{}, err
	}
	log, bar, err := a.openLogs(ctx, &f.logFlags, args)
	if err != nil {
		return analyze.Report{}, err
	}
	defer bar.close()
	defer log.Close()
	return analyze.Analyze(log, options)
}

// analysis are the flags as the analysis takes them.
func (f *explainFlags) analysis(a *app) (o analyze.Options, err error) {
	o = analyze.Options{Region: f.region, Pair: f.pair} // the faces obey --top: they say how much they leave out
	if o.CodeMap, err = f.codes(); err != nil {
		return o, err
	}
	zone, err := parseZone(f.timezone)
	if err != nil {
		return o, err
	}
	if zone == nil {
		zone = a.out.Zone
	}
	if o.Since, err = parseMoment("since", f.since, zone); err != nil {
		return o, err
	}
	o.Until, err = parseMoment("until", f.until, zone)
	return o, err
}

// momentLayouts are how people write an instant; what names no zone is in that of the run.
var momentLayouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"}

// parseMoment reads an instant, or how long ago it was. Empty is the zero time.
func parseMoment(flag, text string, zone *time.Location) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return time.Now().Add(-ago), nil
	}
	for _, layout := range momentLayouts {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t, nil
		}
	}
	return time.Time{}, unusable("write 2006-01-02, 2006-01-02T15:04, 2006-01-02T15:04:05Z, or 2h for two hours ago", "--%s %q is no instant", flag, text)
}

// openLogs opens the logs of a run, with a bar over what is read.
func (a *app) openLogs(ctx context.Context, f *logFlags, args []string) (*readlog.Log, *bytesRead, error) {
	keepMemory(0)
	options, err := a.readOptions(f, args)
	if err != nil {
		return nil, nil, err
	}
	bar := &bytesRead{start: time.Now()}
	options.Progress = bar.add
	log, err := readlog.Open(ctx, options)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, unusable("name a log file or a folder of them; - is stdin", "log: %w", err)
	case errors.Is(err, readlog.ErrFormat):
		return nil, nil, unusable("leave --log-format out to have it found out", "%w", err)
	case err != nil:
		return nil, nil, err
	}
	bar.begin(a.out, passes*log.Size())
	return log, bar, nil
}

// passes is how often an analysis reads a log: for who sent what when, and for the stories of the pairs that failed.
const passes = 2

// readReport reads a report that --format json wrote; "-" is stdin.
func (a *app) readReport(path string) (analyze.Report, error) {
	in := a.out.In
	if path != stdio {
		file, err := os.Open(path)
		if err != nil {
			return analyze.Report{}, unusable("--from names a report that --format json wrote", "report: %w", err)
		}
		defer file.Close()
		in = file
	}
	r, err := faces.Read(in)
	if err != nil {
		return r, unusable("", "%s: %w", path, err)
	}
	return r, nil
}

// judged is an error where nothing in the logs can be judged, and a warning for each source of which that is true. Found are things told of no source.
func (a *app) judged(sources []analyze.SourceReport, found int) error {
	for _, s := range sources {
		found += s.Events
	}
	if found == 0 {
		return cannotJudge(sources)
	}
	for _, s := range sources {
		if s.Unreadable != "" {
			a.out.Warn("%s cannot be judged: %s", s.Path, s.Unreadable)
		}
	}
	return nil
}

// exportHint leads to where an export that can be judged comes from.
const exportHint = "`wactl help pair-limit` tells which export to take from where"

// cannotJudge says why a log cannot be judged.
func cannotJudge(sources []analyze.SourceReport) error {
	for _, s := range sources {
		if s.Unreadable != "" {
			return unusable(exportHint, "%s cannot be judged: %s", s.Path, s.Unreadable)
		}
	}
	if len(sources) == 0 {
		return unusable(exportHint, "there is nothing to judge: no log was found")
	}
	s := sources[0]
	if s.Lines == 0 {
		return unusable(exportHint, "%s is empty: there is nothing to judge", s.Path)
	}
	return unusable(exportHint, "%s cannot be judged: none of its %s tells of a message", s.Path, plural(s.Lines, "line", "lines"))
}

// exit is 1 where the report holds what --fail-on asks about.
func (f *explainFlags) exit(r analyze.Report) int {
	unexplained := r.Summary.Unexplained + len(r.Unattributed)
	if f.failOn.value == failAny && len(r.Failures)+len(r.Unattributed) > 0 || f.failOn.value == failUnexplained && unexplained > 0 {
		return exitProblems
	}
	return exitDone
}

// show writes the report as it was asked for: to stdout, and to the page that --html names.
func (f *explainFlags) show(a *app, r analyze.Report) error {
	if a.out.Options.Mask {
		r = faces.WithTexts(r, output.Mask)
	}
	people := r
	if f.html != "" || f.format.value == formatText {
		people = faces.WithTexts(r, output.Safe)
	}
	o := faces.Options{Now: time.Now(), Zone: a.out.Zone, Top: f.top, Width: a.out.Width, ASCII: !a.out.OutTTY || a.out.Options.Dumb,
		Narrowed: f.pair != "" || f.since != "" || f.until != ""}
	if f.html != "" {
		if err := a.writeFile(f.html, func(w io.Writer) error { return faces.WriteHTML(w, people, o) }); err != nil {
			return err
		}
	}
	switch {
	case f.html == stdio: // stdout is the page's
	case f.format.value == formatText:
		a.out.Report(faces.Text(people, o))
	default:
		return faces.Write(a.out.Out, f.format.value, faces.Worst(r, f.top))
	}
	if f.html != "" && f.html != stdio {
		a.out.Note("the page is in %s", f.html)
	}
	return nil
}

package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/normalize/clean"
)

// normalizeFlags are the flags of normalize alone.
type normalizeFlags struct {
	listFlags
	out, rejects  string
	numbers, keep *choice
	format        *choice
	safe          bool
}

// formatJSONL is one object for each row.
const formatJSONL = "jsonl"

func newNormalize(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "normalize LIST -o CLEAN.csv",
		Short: "Write a list with one row for each recipient and all numbers in one form",
		Long: "Writes a clean copy of a list: one row for each recipient, numbers in one form, all other cells as they\n" +
			"are. Rows that cannot be used go to --rejects with the reason. Nothing is dropped in silence: the report\n" +
			"counts every row.",
		Example: "  wactl normalize list.csv --region BR -o clean.csv --rejects rejects.csv\n" +
			"  wactl normalize list.xlsx --region BR,MX --keep last -o clean.csv\n" +
			"  wactl normalize list.csv --region BR --format jsonl | head",
		GroupID: groupLists,
		Args:    oneArg("a list"),
	}
	f := &normalizeFlags{}
	f.listFlags.add(c)
	flags := c.Flags()
	flags.StringVarP(&f.out, "output", "o", stdio, "write the clean list to `FILE`; - is stdout, and the report goes to stderr then")
	flags.StringVar(&f.rejects, "rejects", "", "write the rows that cannot be used to `FILE`, each with its line, rule and message")
	f.numbers = choiceFlag(c, "number-format", "how numbers are written", "e164", "digits")
	f.keep = &choice{allowed: []string{"first", "last"}}
	flags.Var(f.keep, "keep", "which row goes out where several of a recipient differ (default none but the first: the others are rejected)")
	flags.BoolVar(&f.safe, "safe-cells", false, "put an apostrophe before cells that a spreadsheet would take for formulas")
	f.format = choiceFlag(c, "format", "a clean list, with the report as text or json; or an object for every row", formatText, formatJSON, formatJSONL)
	c.RunE = func(c *cobra.Command, args []string) error { return f.run(c.Context(), a, args[0]) }
	return c
}

// cleaning is one run of normalize.
type cleaning struct {
	*app
	flags      *normalizeFlags
	source     *source
	suppressed *normalize.Suppressions
	out        *result // what is written, kept until all of it is known
	rejects    *result
	rows       rowWriter
}

// rowWriter takes the rows of one round.
type rowWriter interface {
	Text(text []byte, v *normalize.Verdict) []byte
	WriteBatch(*normalize.Batch) error
	Flush() error
}

// run cleans the list and tells how many rows went where.
func (f *normalizeFlags) run(ctx context.Context, a *app, path string) error {
	if err := f.check(path); err != nil {
		return err
	}
	suppressed, unread := a.suppressed(ctx, nil, f.suppress, f.options())
	if unread != nil && (suppressed == nil || f.format.value != formatJSONL || f.out != stdio) {
		return unread
	}
	c := &cleaning{app: a, flags: f, suppressed: suppressed}
	var err error
	if c.source, err = a.openSource(ctx, path); err != nil {
		return err
	}
	defer c.source.close()
	list, found, err := c.clean()
	if err != nil {
		return err
	}
	if err := c.publish(); err != nil || unread != nil {
		return errors.Join(err, unread)
	}
	if err := c.tell(found, list.Blanks()); err != nil {
		return err
	}
	if found.Rejected > 0 {
		return ended(exitProblems)
	}
	return nil
}

// check refuses files that would be written over.
func (f *normalizeFlags) check(path string) error {
	if err := stdinOnce(append(f.suppress, path)...); err != nil {
		return err
	}
	written := []string{f.out, f.rejects}
	if err := keepApart(written, []string{path}, "the list itself"); err != nil {
		return err
	}
	if err := keepApart(written, append(f.suppress, f.templateFile), "read by this run too"); err != nil {
		return err
	}
	if f.rejects != "" && (f.rejects == f.out || samePlace(f.rejects, f.out)) {
		return unusable("name two files", "-o and --rejects are both %s", f.out)
	}
	return nil
}

// clean writes both lists aside.
func (c *cleaning) clean() (list *normalize.List, found *normalize.Check, err error) {
	if c.out, err = newResult(c.flags.out); err != nil {
		return nil, nil, err
	}
	if c.rejects, err = newResult(c.flags.rejects); err != nil {
		return nil, nil, err
	}
	open := func() (*normalize.List, error) { return c.flags.open(c.source) }
	if list, found, err = c.source.check(open, c.options, c); err != nil {
		return nil, nil, listError(err)
	}
	if err := c.noRoom(c.rows.Flush()); err != nil {
		return nil, nil, err
	}
	if sum := found.Kept + found.Duplicates + found.Rejected; sum != found.In {
		return nil, nil, fmt.Errorf("internal fault: %d rows were read, but %d came out", found.In, sum)
	}
	return list, found, nil
}

// options are what the rows are held against. A template that lacks values spoils every row, so that is an error here.
func (c *cleaning) options(list *normalize.List) (o normalize.CheckOptions, err error) {
	content, missing, err := c.flags.content(list.Header, nil, localFiles(c.source.path))
	if err == nil && len(missing) > 0 {
		err = unusable("--param "+missing[0]+"=COLUMN takes it from a column", "the template wants values that no flag and no column gives: %s", strings.Join(missing, ", "))
	}
	o = c.flags.checkOptions(content, c.suppressed)
	o.Keep = c.flags.keep.value
	return o, err
}

// write writes the rows of a batch as they are written in the form that was asked for.
func (c *cleaning) write(b *normalize.Batch) error {
	return c.noRoom(c.rows.WriteBatch(b))
}

// noRoom is a failure to write the lists, with the place that needs room, or nil.
func (c *cleaning) noRoom(err error) error {
	if err == nil || c.out.path == "" {
		return noRoom("write the clean list", err)
	}
	return unusable("name a file on a disk with some room", "write the clean list: %w", err)
}

// text is a row in that form.
func (c *cleaning) text(text []byte, v *normalize.Verdict) []byte { return c.rows.Text(text, v) }

// brief is a row in that form, where it can be told of little; nil where all of it is written.
func (c *cleaning) brief() briefFace {
	if w, is := c.rows.(*clean.Writer); is {
		return w.Brief
	}
	return nil
}

// begin starts a round with empty files.
func (c *cleaning) begin(list *normalize.List) error {
	for _, file := range []*result{c.out, c.rejects} {
		if err := file.restart(); err != nil {
			return err
		}
	}
	if c.flags.format.value == formatJSONL {
		c.rows = newRowLines(c.out, c.app.out.Options.Mask)
		return nil
	}
	o := clean.Options{Digits: c.flags.numbers.value == "digits", Safe: c.flags.safe, EOL: c.source.lineEnding()}
	var rejects io.Writer // nil: nobody asked for them
	if c.flags.rejects != "" {
		rejects = c.rejects
	}
	c.rows = clean.New(list, c.out, rejects, o)
	return nil
}

// publish puts the files where they belong, each whole or not at all; the rejects first, so that a clean list never stands without them.
func (c *cleaning) publish() error {
	defer c.out.Close()
	defer c.rejects.Close()
	if c.flags.rejects != "" {
		if err := c.put(c.rejects, c.flags.rejects); err != nil {
			return err
		}
	}
	return c.put(c.out, c.flags.out)
}

// cleanReport is the result of `wactl normalize --format json`, as published.
type cleanReport struct {
	Version    int            `json:"version"`
	RowsIn     int            `json:"rows_in"`
	Out        int            `json:"out"`
	Duplicates int            `json:"duplicates"`
	Rejected   int            `json:"rejected"`
	Blank      int            `json:"blank"`
	Recipients int            `json:"recipients"`
	Countries  map[string]int `json:"countries"`
}

// tell shows the report: on stderr where the list itself took stdout.
func (c *cleaning) tell(found *normalize.Check, blank int) error {
	r := cleanReport{Version: 1, RowsIn: found.In + blank, Out: found.Kept, Duplicates: found.Duplicates, Rejected: found.Rejected, Blank: blank,
		Recipients: found.Recipients, Countries: found.Countries}
	out := c.app.out
	if c.flags.out == stdio {
		if out.Options.Quiet {
			return nil
		}
		out = output.New(nil, out.Err, out.Err, out.Options)
	}
	if c.flags.format.value == formatJSON {
		return out.JSON(r)
	}
	out.Line("rows in %s = out %s + duplicates %s + rejected %s + blank %s", output.Count(r.RowsIn), output.Count(r.Out), output.Count(r.Duplicates),
		output.Count(r.Rejected), output.Count(r.Blank))
	out.Line("%s%s", plural(r.Recipients, "recipient", "recipients"), countries(r.Countries))
	if r.Rejected > 0 && c.flags.rejects == "" && c.flags.format.value != formatJSONL {
		c.app.out.Hint("--rejects FILE says why each row was rejected")
	}
	return nil
}

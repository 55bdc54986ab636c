package cmd

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// suppressFlags say which state holds the list of opt-outs.
type suppressFlags struct {
	state   string
	sandbox bool
}

func (f *suppressFlags) add(c *cobra.Command) {
	addStateFlag(c, &f.state)
	c.Flags().BoolVar(&f.sandbox, "sandbox", false, "the sandbox's state")
}

// open opens the state. Without write it need not exist: nil stands for one that does not.
func (f *suppressFlags) open(ctx context.Context, write bool) (*journal.Store, error) {
	var target journal.Target
	if f.sandbox {
		target.Provider = providerSandbox
	}
	path, err := statePath(f.state, target)
	if err != nil {
		return nil, err
	}
	if write {
		return journal.Open(ctx, path, journal.Options{})
	}
	store, err := openState(ctx, path, false)
	if errors.Is(err, journal.ErrMissing) {
		return nil, nil
	}
	return store, err
}

func newSuppress(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "suppress",
		Short: "Keep the list of people who must not be written to",
		Long: "Keeps people who opted out in the state, and send writes to none of them, however their number is\n" +
			"written in a list. People who opted out by an answer of the platform come onto it by themselves.",
		Example: "  wactl suppress add +5511987654321\n  wactl suppress add --file optouts.csv --region BR\n  wactl suppress export -o optouts.csv",
		GroupID: groupLists,
		Args:    knownCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newSuppressAdd(a), newSuppressList(a), newSuppressExport(a))
	return c
}

// suppressAdd is one run of suppress add.
type suppressAdd struct {
	suppressFlags
	file, region, reason string
	phoneColumns         []string
}

func newSuppressAdd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "add NUMBER… | --file FILE",
		Short:   "Put people on the list",
		Long:    "Puts numbers on the list, or everybody of a file. If one of them cannot be read, nobody is put on it.",
		Example: "  wactl suppress add +5511987654321 --reason 'asked by phone'\n  wactl suppress add --file optouts.csv --region BR",
	}
	f := &suppressAdd{}
	f.suppressFlags.add(c)
	flags := c.Flags()
	flags.StringVar(&f.file, "file", "", "list of people who opted out, in `FILE`; - is stdin")
	flags.StringVar(&f.region, "region", "", "country of numbers written without one, such as `BR`")
	flags.StringArrayVar(&f.phoneColumns, "phone-column", nil, "`NAME` of the file's column with the phone numbers; may be repeated")
	flags.StringVar(&f.reason, "reason", "", "`TEXT` that is kept with them")
	c.Args = func(c *cobra.Command, args []string) error {
		if (len(args) == 0) == (f.file == "") {
			return unusable("usage: "+c.UseLine(), "%s needs numbers, or a file of them", c.CommandPath())
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, args []string) error { return f.run(a, c.Context(), args) }
	return c
}

// run reads everybody before it writes anybody.
func (f *suppressAdd) run(a *app, ctx context.Context, args []string) error {
	source, people := "command", map[uint64]bool{}
	if f.file != "" {
		source = "file"
		s, err := a.suppressed(ctx, nil, []string{f.file}, normalize.Options{Region: f.region, PhoneColumns: f.phoneColumns})
		if err != nil {
			return err
		}
		people = s.People()
	}
	for _, text := range args {
		n := normalize.Parse(text, f.region)
		if n.Digits == 0 {
			return unusable("write it with + and its country code, or name its country with --region", "%q: %s", text, n.Problems[0].Message)
		}
		people[n.Digits] = true
	}
	store, err := f.open(ctx, true)
	if err != nil {
		return err
	}
	defer store.Close()
	added, err := store.Suppress(ctx, slices.Values(slices.Sorted(maps.Keys(people))), source, f.reason, ratelimit.At(time.Now()))
	if err != nil {
		return err
	}
	a.out.Line("%s added, %s on the list already", output.Count(added), output.Count(len(people)-added))
	return nil
}

func newSuppressList(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "list",
		Short:   "Show who is on the list, since when and why",
		Example: "  wactl suppress list\n  wactl suppress list --format json",
		Args:    noArgs,
	}
	f := &suppressFlags{}
	f.add(c)
	format := formatFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		all, err := f.entries(c.Context())
		if err != nil {
			return err
		}
		return a.show(format, map[string]any{"version": 1, "suppressed": optOutsJSON(all)}, func() { a.listOptOuts(all) })
	}
	return c
}

// optOut is one entry of the state's list.
type optOut struct {
	campaign.Recipient
	scope  string // "all", or "marketing" for those who stopped marketing messages only
	source string // "answer", "inbound", "file" or "command"
	reason string
	at     ratelimit.Instant
	until  ratelimit.Instant // 0: for good
}

// entries are all entries of the state's list.
func (f *suppressFlags) entries(ctx context.Context) (all []optOut, err error) {
	store, err := f.open(ctx, false)
	if store == nil {
		return nil, err
	}
	defer store.Close()
	err = store.OptOuts(ctx, ratelimit.At(time.Now()), func(r campaign.Recipient, scope, source, reason string, at, until ratelimit.Instant) {
		all = append(all, optOut{r, scope, source, reason, at, until})
	})
	return all, err
}

// optOutJSON is one entry as published.
type optOutJSON struct {
	Recipient string  `json:"recipient"` // E.164, or the platform's id of a person without a known number
	Scope     string  `json:"scope"`
	Source    string  `json:"source"`
	Reason    *string `json:"reason"`
	At        string  `json:"at"`
	Until     *string `json:"until"` // null: for good
}

func optOutsJSON(all []optOut) []optOutJSON {
	list := make([]optOutJSON, len(all))
	for i, o := range all {
		list[i] = optOutJSON{who(o), o.scope, o.source, known(o.reason), output.Stamp(o.at.Time()), nil}
		if o.until != 0 {
			list[i].Until = new(output.Stamp(o.until.Time()))
		}
	}
	return list
}

func who(o optOut) string {
	if o.Phone != "" {
		return o.Phone
	}
	return o.BSUID
}

func (a *app) listOptOuts(all []optOut) {
	if len(all) == 0 {
		a.out.Line("nobody is on the list")
		return
	}
	var rows [][]string
	for _, o := range all {
		since := a.out.Time(o.at.Time())
		if o.until != 0 {
			since += " until " + a.out.Time(o.until.Time())
		}
		rows = append(rows, []string{who(o), o.scope, o.source, since, o.reason})
	}
	a.out.Table([]string{"recipient", "scope", "source", "since", "reason"}, rows)
}

func newSuppressExport(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "export",
		Short:   "Write the list as a file that --suppress reads",
		Example: "  wactl suppress export -o optouts.csv",
		Args:    noArgs,
	}
	f := &suppressFlags{}
	f.add(c)
	out := c.Flags().StringP("output", "o", stdio, "write to `FILE`; - is stdout")
	c.RunE = func(c *cobra.Command, _ []string) error {
		all, err := f.entries(c.Context())
		if err != nil {
			return err
		}
		// Who rests for a day has not opted out.
		all = slices.DeleteFunc(all, func(o optOut) bool { return o.Phone == "" || o.until != 0 })
		if err := a.writeFile(*out, func(w io.Writer) error { return writeOptOuts(w, all) }); err != nil {
			return err
		}
		a.out.Note("%s written", plural(len(all), "person", "people"))
		return nil
	}
	return c
}

// writeOptOuts writes entries as CSV, safe to open in a spreadsheet. People without a known number have none to write.
func writeOptOuts(w io.Writer, all []optOut) error {
	out := csv.NewWriter(w)
	out.Write([]string{"phone", "scope", "source", "reason", "at"})
	for _, o := range all {
		if o.Phone != "" {
			out.Write([]string{o.Phone, o.scope, o.source, normalize.SafeCell(o.reason), output.Stamp(o.at.Time())})
		}
	}
	out.Flush()
	return out.Error()
}

// known are the people whom the state says to leave alone; nil where there is no state yet. Who stopped marketing messages still gets free
// text and templates of another category; a template whose category is not known may be marketing.
func (f *sendFlags) known(ctx context.Context, t journal.Target, category string) (*normalize.Suppressions, error) {
	path, err := statePath(f.state, t)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	store, err := journal.Open(ctx, path, journal.Options{}) // not for reading alone: a send that was killed may have left an empty file
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return optedOut(ctx, store, t, f.text, category)
}

// optedOut are the people whom a state keeps from getting such messages.
func optedOut(ctx context.Context, store *journal.Store, t journal.Target, text, category string) (*normalize.Suppressions, error) {
	all, err := store.Suppressed(ctx, t, isMarketing(text, category), ratelimit.At(time.Now()))
	s := &normalize.Suppressions{}
	for _, r := range all {
		if digits, bad := strconv.ParseUint(strings.TrimPrefix(r.Phone, "+"), 10, 64); bad == nil {
			s.Add(digits, "wactl suppress", 0)
		}
	}
	return s, err
}

package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
	reports "github.com/wactl/wactl/campaign/report"
	"github.com/wactl/wactl/cmd/output"
)

// statusFlags choose campaigns, and rows of one of them.
type statusFlags struct {
	state                      string
	sandbox                    bool
	failed, uncertain, pending bool
	codes                      []int
	out, ingest, html          string
	format                     *choice
}

func newStatus(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "status [CAMPAIGN]",
		Short: "Show what each campaign has done, from the state alone",
		Long: "Shows every campaign of the state, or one of them. With --failed, --uncertain or --pending it lists\n" +
			"that campaign's messages in that state; -o writes them as a campaign file that can be sent again.\n" +
			"--html writes a page about one campaign: its course, how near it came to each limit, its outcomes.",
		Example: "  wactl status --sandbox\n  wactl status list.csv --failed --code 131026,131053 -o undeliverable.csv\n" +
			"  wactl status list.csv --html report.html",
		GroupID: groupCampaign,
		Args:    atMostOne,
	}
	f := &statusFlags{}
	flags := c.Flags()
	addStateFlag(c, &f.state)
	flags.BoolVar(&f.sandbox, "sandbox", false, "look at the sandbox's state")
	flags.BoolVar(&f.failed, "failed", false, "list messages that failed")
	flags.IntSliceVar(&f.codes, "code", nil, "of them only those with this error `CODE[,CODE]`")
	flags.BoolVar(&f.uncertain, "uncertain", false, "list messages whose answer never came")
	flags.BoolVar(&f.pending, "pending", false, "list messages that are still to be sent")
	flags.StringVar(&f.ingest, "ingest", "", "first feed `FILE` in: webhooks, one a line, or the log of send; plain or gzip, - is stdin")
	flags.StringVar(&f.html, "html", "", "write a page about one campaign to `FILE`; - is stdout")
	flags.StringVarP(&f.out, "output", "o", "", "write the listed messages to `FILE` as a campaign file")
	f.format = formatFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		states, err := f.states()
		if err != nil {
			return err
		}
		store, err := f.open(c.Context())
		if err != nil {
			return err
		}
		defer store.Close()
		return f.run(a, c.Context(), store, args, states)
	}
	return c
}

// run feeds in what there is, and shows what was asked for.
func (f *statusFlags) run(a *app, ctx context.Context, store *journal.Store, args []string, states []campaign.State) error {
	var fed *ingestReport
	if f.ingest != "" {
		var err error
		if fed, err = a.ingest(ctx, store, f.ingest); err != nil {
			return err
		}
	}
	found, err := choose(ctx, store, args)
	switch {
	case err != nil:
	case f.html != "":
		err = f.page(a, ctx, store, found)
	case len(states) > 0:
		err = f.rows(a, ctx, store, found, states)
	default:
		err = f.list(a, ctx, store, found, fed)
	}
	if err == nil && fed != nil {
		err = a.warnIngest(f.ingest, fed)
	}
	return err
}

func atMostOne(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return unusable("usage: "+c.UseLine(), "%s takes one campaign, but %q was given too", c.CommandPath(), args[1])
	}
	return nil
}

// states are the row states that were asked for.
func (f *statusFlags) states() (states []campaign.State, err error) {
	for _, s := range []struct {
		asked bool
		state campaign.State
	}{{f.failed, campaign.Failed}, {f.uncertain, campaign.Uncertain}, {f.pending, campaign.Pending}} {
		if s.asked {
			states = append(states, s.state)
		}
	}
	switch {
	case len(states) > 1:
		return nil, unusable("run it once for each", "--failed, --uncertain and --pending are asked together")
	case f.html != "" && len(states) > 0:
		return nil, unusable("run it once for each", "--html tells of the whole campaign, --failed, --uncertain and --pending of some of its messages")
	case len(f.codes) > 0 && !f.failed:
		return nil, unusable("add --failed", "--code chooses among failed messages")
	case f.out != "" && len(states) == 0:
		return nil, unusable("add --failed, --uncertain or --pending", "-o writes the messages of one state")
	}
	return states, nil
}

func (f *statusFlags) open(ctx context.Context) (*journal.Store, error) {
	var target journal.Target
	if f.sandbox {
		target.Provider = providerSandbox
	}
	path, err := statePath(f.state, target)
	if err != nil {
		return nil, err
	}
	store, err := openState(ctx, path, f.ingest != "")
	if err != nil && f.state == "" && !f.sandbox {
		return nil, withHint(err, journal.ErrMissing, f.elsewhere())
	}
	return store, err
}

// openState opens a state that is there, for reading or to write into. One of an older version is brought up to date for either.
func openState(ctx context.Context, path string, write bool) (*journal.Store, error) {
	if _, err := os.Stat(path); err != nil {
		write = false // a state that is not there is not made
	}
	store, err := journal.Open(ctx, path, journal.Options{ReadOnly: !write})
	if !write && errors.Is(err, journal.ErrReadOnly) {
		return journal.Open(ctx, path, journal.Options{})
	}
	return store, err
}

// elsewhere says where campaigns are that are not in the usual state: tries on this machine have files of their own.
func (f *statusFlags) elsewhere() string {
	hint := "--sandbox shows the sandbox's campaigns, --state FILE those of another state"
	local, err := statePath("", journal.Target{BaseURL: "http://localhost"})
	if err != nil {
		return hint
	}
	if _, err := os.Stat(local); err == nil {
		hint += "; what went to an API on this machine is in --state " + local
	}
	return hint
}

// choose is the campaigns to show: all, or those of one name, which may be written with or without the file's ending.
func choose(ctx context.Context, store *journal.Store, args []string) ([]journal.Campaign, error) {
	var all, exact, alike []journal.Campaign
	for c, err := range store.List(ctx) {
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		if len(args) > 0 && c.Name == args[0] {
			exact = append(exact, c)
		}
		if len(args) > 0 && bare(c.Name) == bare(args[0]) {
			alike = append(alike, c)
		}
	}
	switch {
	case len(args) == 0:
		return all, nil
	case len(exact) > 0:
		return exact, nil
	case len(alike) > 0:
		return alike, nil
	}
	return nil, unusable("`wactl status` lists the campaigns", "the state has no campaign %q", args[0])
}

// bare is a campaign's name without folder and ending.
func bare(name string) string {
	base := filepath.Base(name)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// campaignStatus is one campaign in the result of `wactl status`: what send tells, and where the campaign stands.
type campaignStatus struct {
	sendReport
	Status string `json:"status"`
}

type statusReport struct {
	Version   int              `json:"version"`
	Campaigns []campaignStatus `json:"campaigns"`
	Ingested  *ingestReport    `json:"ingested,omitempty"` // only when a file was fed in
}

func (f *statusFlags) list(a *app, ctx context.Context, store *journal.Store, found []journal.Campaign, fed *ingestReport) error {
	r := statusReport{Version: 1, Campaigns: []campaignStatus{}, Ingested: fed}
	for _, c := range found {
		c, err := asItStands(ctx, store, c)
		if err != nil {
			return err
		}
		n, err := store.Counts(ctx, c)
		if err != nil {
			return err
		}
		r.Campaigns = append(r.Campaigns, campaignStatus{newSendReport(c, n), string(c.Status)})
		r.Campaigns[len(r.Campaigns)-1].Stopped = whyStopped(c)
	}
	return a.show(f.format, r, func() {
		if fed != nil {
			a.showIngest(f.ingest, fed)
		}
		if len(found) == 0 {
			a.out.Line("no campaign yet")
			if f.state == "" && !f.sandbox {
				a.out.Hint("%s", f.elsewhere())
			}
			return
		}
		a.out.Table(campaignTable(r.Campaigns, found))
	})
}

// asItStands is a campaign as it stands now: one whose sender was killed has stopped, though nobody was left to say so.
func asItStands(ctx context.Context, store *journal.Store, c journal.Campaign) (journal.Campaign, error) {
	if c.Status != journal.StatusRunning {
		return c, nil
	}
	held, err := store.Held(ctx, journal.ThisProcess(), c)
	if err != nil || held {
		return c, err
	}
	if c, _, err = store.Find(ctx, c.Target, c.Name); err != nil || c.Status != journal.StatusRunning { // it has ended meanwhile
		return c, err
	}
	c.Status = journal.StatusStopped
	c.Stopped, err = json.Marshal(stopJSON{Why: "its sender was killed", Resume: "run the same command again: it goes on where it stopped"})
	return c, err
}

// whyStopped is why a campaign ended early, nil where it did not.
func whyStopped(c journal.Campaign) (stop *stopJSON) {
	if json.Unmarshal(c.Stopped, &stop) != nil || c.Status == journal.StatusFinished {
		return nil
	}
	return stop
}

// campaignTable is a row a campaign. What webhooks tell has columns of its own as soon as one has come.
func campaignTable(list []campaignStatus, found []journal.Campaign) (header []string, rows [][]string) {
	header = []string{"campaign", "status", "sent", "failed", "skipped", "uncertain", "pending"}
	told := slices.ContainsFunc(list, func(c campaignStatus) bool { return c.Delivered != nil })
	if told {
		header = append(header, "held", "delivered", "read")
	}
	for i, c := range list {
		row := []string{c.Campaign, c.Status, output.Count(c.Sent), output.Count(c.Failed), output.Count(c.Skipped), output.Count(c.Uncertain), output.Count(c.Pending)}
		if told {
			row = append(row, output.Count(c.Held), countOrDash(c.Delivered), countOrDash(c.Read))
		}
		rows = append(rows, append(row, name(found[i].Target)))
	}
	return append(header, "to"), rows
}

func countOrDash(n *int) string {
	if n == nil {
		return "-"
	}
	return output.Count(*n)
}

// rowJSON is one message in the result of `wactl status --failed` and its like.
type rowJSON struct {
	Line      int     `json:"line"`
	Recipient string  `json:"recipient"`
	Status    string  `json:"status"`
	Code      *int    `json:"code"`
	MessageID *string `json:"message_id"`
	Details   *string `json:"details"`
}

// rows lists the messages of one campaign that are in one state.
func (f *statusFlags) rows(a *app, ctx context.Context, store *journal.Store, found []journal.Campaign, states []campaign.State) error {
	if len(found) != 1 {
		return unusable("name one: wactl status CAMPAIGN", "the state has %d campaigns that fit", len(found))
	}
	all := f.coded(store.Rows(ctx, found[0], journal.Filter{State: states[0]}))
	if f.out != "" {
		return f.export(a, all)
	}
	var rows [][]string
	list := []rowJSON{}
	for r, err := range all {
		if err != nil {
			return err
		}
		o := outcomeRow(r, a.out.Options.Mask)
		list = append(list, rowJSON{o.Line, o.Recipient, o.Status, known(o.Code), known(o.MessageID), known(r.Details)})
		rows = append(rows, []string{strconv.Itoa(o.Line), o.Recipient, code(o.Code), r.Details})
	}
	return a.show(f.format, map[string]any{"version": 1, "rows": list}, func() {
		a.out.Table([]string{"line", "recipient", "code", "details"}, rows)
	})
}

// coded leaves of rows those with the codes that were asked for.
func (f *statusFlags) coded(rows iter.Seq2[journal.Row, error]) iter.Seq2[journal.Row, error] {
	if len(f.codes) == 0 {
		return rows
	}
	return func(yield func(journal.Row, error) bool) {
		for r, err := range rows {
			if (err != nil || slices.Contains(f.codes, r.Code)) && !yield(r, err) {
				return
			}
		}
	}
}

// export writes rows as a campaign file.
func (f *statusFlags) export(a *app, rows iter.Seq2[journal.Row, error]) error {
	var steps []campaign.Step
	erased, nobody := 0, 0
	for r, err := range rows {
		if err != nil {
			return err
		}
		if r.Recipient == (campaign.Recipient{}) {
			nobody++
			continue
		}
		if !r.HasMessage {
			erased++
		}
		steps = append(steps, r.Step)
	}
	write := func(w io.Writer) error { return reports.WriteCampaign(w, withoutErrors(slices.Values(steps))) }
	if err := a.writeFile(f.out, write); err != nil {
		return err
	}
	if f.out != stdio {
		a.out.Note("%s written to %s", plural(len(steps), "row", "rows"), f.out)
	}
	if erased > 0 {
		a.out.Note("%s of them have their number only: their content was erased when they were final (--keep-content keeps it)", output.Count(erased))
	}
	if nobody > 0 {
		a.out.Note("%s left out: their people were forgotten (wactl state forget)", output.Count(nobody))
	}
	return nil
}

func withoutErrors(steps iter.Seq[campaign.Step]) iter.Seq2[campaign.Step, error] {
	return func(yield func(campaign.Step, error) bool) {
		for s := range steps {
			if !yield(s, nil) {
				return
			}
		}
	}
}

func code(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

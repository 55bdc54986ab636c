package cmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/cmd/output"
)

// stateFlags say which states a command looks at: one that is named, or all that are in the usual folder.
type stateFlags struct {
	state   string
	sandbox bool
	format  *choice
}

func (f *stateFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.state, "state", "", "this state `FILE` alone (default all in your state folder)")
	c.Flags().BoolVar(&f.sandbox, "sandbox", false, "the sandbox's state alone")
	f.format = formatFlag(c)
}

// usualTargets stand for the states of the usual folder: real accounts, this machine, the sandbox.
var usualTargets = []journal.Target{{}, {BaseURL: "http://localhost"}, {Provider: providerSandbox}}

// paths are the states to look at. One that is named must be there; of the usual ones those that are.
func (f *stateFlags) paths() (list []string, err error) {
	if f.state != "" {
		return []string{f.state}, nil
	}
	for _, t := range usualTargets {
		if f.sandbox && t.Provider != providerSandbox {
			continue
		}
		path, err := statePath("", t)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			list = append(list, path)
		}
	}
	return list, nil
}

// each opens one state after the other.
func (f *stateFlags) each(ctx context.Context, write bool, do func(path string, s *journal.Store) error) (n int, err error) {
	paths, err := f.paths()
	for _, path := range paths {
		if err == nil {
			err = inState(ctx, path, write, do)
		}
		if errors.Is(err, journal.ErrMissing) && f.state == "" {
			err = nil // a command was killed before it wrote anything into it
			continue
		}
		n++
	}
	return n, err
}

func inState(ctx context.Context, path string, write bool, do func(path string, s *journal.Store) error) error {
	s, err := openState(ctx, path, write)
	if err != nil {
		return err
	}
	return errors.Join(do(path, s), s.Close())
}

// copiesOf are the copies that an update of wactl left beside a state: they hold what the state held then.
func copiesOf(path string) []string {
	all, err := filepath.Glob(globbed(path) + ".v*.bak")
	if err != nil {
		return nil // the pattern is well made: nothing else can be wrong with it
	}
	return all
}

// globbed is a path as a pattern that fits nothing else.
func globbed(path string) string {
	var b []byte
	for i := range len(path) {
		if slices.Contains([]byte(`*?[\`), path[i]) {
			b = append(b, '\\')
		}
		b = append(b, path[i])
	}
	return string(b)
}

// warnCopies names the copies of a state, which no command erases from.
func (a *app) warnCopies(path string) {
	for _, name := range copiesOf(path) {
		a.out.Warn("%s was made when the state was brought up to date, and still holds what was erased: remove it when you need it no more", name)
	}
}

func newState(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "state",
		Short: "Show what is kept about campaigns and people, erase it, and steer a send that runs",
		Long: "Shows and erases what wactl keeps: who was written to, when, and what became of it. The content of a\n" +
			"message is erased a minute after its answer; the rest stays until it is purged. It is also where a\n" +
			"send that runs takes orders from: pause, resume and rate.",
		Example: "  wactl state list\n  wactl state pause list.csv\n  wactl state purge --older-than 90d\n  wactl state forget +5511987654321",
		GroupID: groupCampaign,
		Args:    knownCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newStateList(a), newStatePause(a), newStateResume(a), newStateRate(a), newStatePurge(a), newStateForget(a))
	return c
}

// stateCampaign is a campaign in the result of `wactl state list`.
type stateCampaign struct {
	Campaign string  `json:"campaign"`
	Target   string  `json:"target"`
	Status   string  `json:"status"`
	Created  string  `json:"created_at"`
	Ended    *string `json:"ended_at"` // last stop or end
	Messages int     `json:"messages"`
	People   int     `json:"people"`
	Contents int     `json:"contents"` // messages whose text is still there
}

// stateHolding is one state in the result of `wactl state list`.
type stateHolding struct {
	Path      string          `json:"path"`
	Bytes     int64           `json:"bytes"`
	Campaigns []stateCampaign `json:"campaigns"`
	OptedOut  int             `json:"opted_out"`
	Inbound   int             `json:"inbound"`
	Sightings int             `json:"sightings"`
	Orphans   int             `json:"orphan_statuses"`
	Copies    []string        `json:"copies"`
}

func newStateList(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "list",
		Short:   "Show each state: its size, campaigns, and how many people it knows",
		Example: "  wactl state list\n  wactl state list --format json",
		Args:    noArgs,
	}
	f := &stateFlags{}
	f.add(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		list := []stateHolding{}
		_, err := f.each(c.Context(), false, func(path string, s *journal.Store) error {
			h, err := holding(c.Context(), path, s)
			list = append(list, h)
			return err
		})
		if err != nil {
			return err
		}
		return a.show(f.format, map[string]any{"version": 1, "states": list}, func() { a.showStates(list) })
	}
	return c
}

// holding is what a state holds.
func holding(ctx context.Context, path string, s *journal.Store) (h stateHolding, err error) {
	h = stateHolding{Path: path, Campaigns: []stateCampaign{}, Copies: copiesOf(path)}
	if h.Copies == nil {
		h.Copies = []string{}
	}
	for _, end := range []string{"", "-wal"} {
		if info, err := os.Stat(path + end); err == nil {
			h.Bytes += info.Size()
		}
	}
	for c, err := range s.List(ctx) {
		if err != nil {
			return h, err
		}
		row := stateCampaign{Campaign: c.Name, Target: key(c.Target), Status: string(c.Status), Created: output.Stamp(c.Created.Time()), Messages: c.Messages}
		if c.Ended != 0 {
			row.Ended = new(output.Stamp(c.Ended.Time()))
		}
		if row.People, row.Contents, err = s.Holds(ctx, c); err != nil {
			return h, err
		}
		h.Campaigns = append(h.Campaigns, row)
	}
	h.OptedOut, h.Inbound, h.Sightings, h.Orphans, err = s.HoldsBeside(ctx)
	return h, err
}

func (a *app) showStates(list []stateHolding) {
	if len(list) == 0 {
		a.out.Line("nothing is kept yet")
		return
	}
	for _, h := range list {
		a.out.Heading("%s, %s", h.Path, kibibytes(h.Bytes))
		var rows [][]string
		for _, c := range h.Campaigns {
			rows = append(rows, []string{c.Campaign, c.Status, output.Count(c.Messages), output.Count(c.People), output.Count(c.Contents), day(c.Ended), c.Target})
		}
		if len(rows) > 0 {
			a.out.Table([]string{"campaign", "status", "messages", "people", "contents", "ended", "to"}, rows)
		} else {
			a.out.Line("no campaign")
		}
		a.out.Line("%s, %s, %s, %s", plural(h.OptedOut, "opt-out or rest", "opt-outs and rests"), plural(h.Inbound, "message from people", "messages from people"),
			plural(h.Sightings, "message of others from your numbers", "messages of others from your numbers"),
			plural(h.Orphans, "status of an unknown message", "statuses of unknown messages"))
		a.warnCopies(h.Path)
	}
}

// kibibytes is a file's size, for people.
func kibibytes(n int64) string {
	if n < 1<<20 {
		return strconv.FormatInt((n+1023)>>10, 10) + " KiB"
	}
	return strconv.FormatInt((n+1<<19)>>20, 10) + " MiB"
}

// day is the date of a stamp, or a dash.
func day(stamp *string) string {
	if stamp == nil {
		return "-"
	}
	return (*stamp)[:len("2006-01-02")]
}

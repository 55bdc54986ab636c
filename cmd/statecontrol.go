package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/ratelimit"
)

// order is what a person orders to whoever sends a campaign, now or later.
type order struct {
	give func(context.Context, *journal.Store, journal.Campaign) error
	whom func(stateOrder) bool // which campaigns are meant where none is named
	none string                // what it is called that there are none
	done func(stateOrder) string
}

// stateOrder is a campaign in the result of an order: what holds for it now.
type stateOrder struct {
	Campaign string   `json:"campaign"`
	Target   string   `json:"target"`
	Status   string   `json:"status"`
	Paused   bool     `json:"paused"`
	MPS      *float64 `json:"mps"` // of each number, as ordered; null: what the send asks for
}

func newStatePause(a *app) *cobra.Command {
	return newOrder(a, &cobra.Command{
		Use:   "pause [CAMPAIGN]",
		Short: "Hold a campaign: nothing leaves until it is resumed",
		Long: "Holds whoever sends the campaign, within a quarter of a second, and every later run of it, until\n" +
			"`wactl state resume`. What is on its way is still answered. Without a name, every campaign that is\n" +
			"being sent is held.",
		Example: "  wactl state pause\n  wactl state pause list.csv",
		Args:    atMostOne,
	}, func([]string) (order, []string, error) {
		return order{pausing(true), running, "is being sent", func(stateOrder) string { return "paused" }}, nil, nil
	})
}

func newStateResume(a *app) *cobra.Command {
	return newOrder(a, &cobra.Command{
		Use:   "resume [CAMPAIGN]",
		Short: "Let a campaign go on that was paused",
		Long: "Lets whoever sends the campaign go on, at its pace and without catching up. It starts no send: run\n" +
			"`wactl send` for that. Without a name, every campaign that is paused goes on.",
		Example: "  wactl state resume\n  wactl state resume list.csv",
		Args:    atMostOne,
	}, func([]string) (order, []string, error) {
		return order{pausing(false), func(o stateOrder) bool { return o.Paused }, "is paused", resumed}, nil, nil
	})
}

func pausing(on bool) func(context.Context, *journal.Store, journal.Campaign) error {
	return func(ctx context.Context, s *journal.Store, c journal.Campaign) error { return s.Pause(ctx, c, on) }
}

// resumed says whether somebody sends what may go on.
func resumed(o stateOrder) string {
	if running(o) {
		return "goes on"
	}
	return "may go on: `wactl send` sends it"
}

func running(o stateOrder) bool { return o.Status == string(journal.StatusRunning) }

func newStateRate(a *app) *cobra.Command {
	return newOrder(a, &cobra.Command{
		Use:   "rate N [CAMPAIGN]",
		Short: "Change the pace of a campaign, in messages per second of each number",
		Long: "Changes the pace of whoever sends the campaign, within a quarter of a second, and of every later run of\n" +
			"it, whatever --mps says there. `default` goes back to the pace that the send asks for. Without a name,\n" +
			"it is for every campaign that is being sent.",
		Example: "  wactl state rate 10\n  wactl state rate 0.5 list.csv\n  wactl state rate default list.csv",
		Args:    rateArgs,
	}, func(args []string) (order, []string, error) {
		p := ratelimit.Pace(0)
		if args[0] != "default" {
			var ok bool
			if p, ok = paceOf(args[0]); !ok {
				return order{}, nil, unusable("76 suits a number with the default level of 80; default goes back to what the send asks for",
					"%q is no number of messages per second from 0.001 to %d", args[0], fastest)
			}
		}
		give := func(ctx context.Context, s *journal.Store, c journal.Campaign) error { return s.Rate(ctx, c, p) }
		return order{give, running, "is being sent", paced}, args[1:], nil
	})
}

func rateArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 || len(args) > 2 {
		return unusable("usage: "+c.UseLine(), "%s takes a number of messages per second, and a campaign if one is meant", c.CommandPath())
	}
	return nil
}

func paced(o stateOrder) string {
	if o.MPS == nil {
		return "goes at the pace that its send asks for"
	}
	return fmt.Sprintf("goes at %s", ratelimit.Pace(*o.MPS*1000))
}

// newOrder makes a command of an order, which what reads from the arguments; it hands back those that are left.
func newOrder(a *app, c *cobra.Command, what func(args []string) (order, []string, error)) *cobra.Command {
	f := &stateFlags{}
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		o, rest, err := what(args)
		if err != nil {
			return err
		}
		if rest == nil {
			rest = args
		}
		list, err := f.order(c.Context(), o, rest)
		if err != nil {
			return err
		}
		return a.show(f.format, map[string]any{"version": 1, "campaigns": list}, func() {
			for _, one := range list {
				a.out.Line("%s to %s: %s", one.Campaign, one.Target, o.done(one))
			}
		})
	}
	return c
}

// order writes an order into every state that has a campaign which it is for.
func (f *stateFlags) order(ctx context.Context, o order, names []string) (list []stateOrder, err error) {
	is, none := o.whom, unusable("name the campaign: `wactl status` lists them", "no campaign %s", o.none)
	if len(names) > 0 {
		if is, err = f.named(ctx, names[0]); err != nil {
			return nil, err
		}
		none = unusable("`wactl state list` lists the campaigns of all states", "no state has a campaign %q", names[0])
	}
	_, err = f.each(ctx, true, func(_ string, s *journal.Store) error {
		var all []journal.Campaign
		for c, err := range s.List(ctx) {
			if err != nil {
				return err
			}
			all = append(all, c)
		}
		for _, c := range all {
			one, err := standing(ctx, s, c)
			if err == nil && is(one) {
				if err = o.give(ctx, s, c); err == nil {
					one, err = standing(ctx, s, c)
					list = append(list, one)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(list) == 0 {
		err = none
	}
	return list, err
}

// named says which campaigns a name is for: those of exactly that name, or where there is none, those with another ending.
func (f *stateFlags) named(ctx context.Context, name string) (is func(stateOrder) bool, err error) {
	exact := false
	_, err = f.each(ctx, false, func(_ string, s *journal.Store) error {
		for c, err := range s.List(ctx) {
			if err != nil {
				return err
			}
			exact = exact || c.Name == name
		}
		return nil
	})
	return func(o stateOrder) bool { return o.Campaign == name || !exact && bare(o.Campaign) == bare(name) }, err
}

// standing is a campaign with what was ordered for it.
func standing(ctx context.Context, s *journal.Store, c journal.Campaign) (stateOrder, error) {
	o := stateOrder{Campaign: c.Name, Target: key(c.Target), Status: string(c.Status)}
	n, err := s.Ordered(ctx, c)
	o.Paused = n.Pause != nil && *n.Pause
	if n.Pace != nil && *n.Pace > 0 {
		o.MPS = new(float64(*n.Pace) / 1000)
	}
	return o, err
}

package cmd

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/wire"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// purged is one state in the result of `wactl state purge`.
type purged struct {
	Path      string         `json:"path"`
	Campaigns []purgedName   `json:"campaigns"`
	Kept      []purgedName   `json:"kept"` // old enough, but not finished
	Rows      map[string]int `json:"rows"` // erased, by table
	Before    int64          `json:"bytes_before"`
	After     int64          `json:"bytes_after"`
}

// purgedName names a campaign.
type purgedName struct {
	Campaign string `json:"campaign"`
	Target   string `json:"target"`
	Status   string `json:"status"`
}

func nameOf(c journal.Campaign) purgedName {
	return purgedName{c.Name, key(c.Target), string(c.Status)}
}

func newStatePurge(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "purge --older-than AGE",
		Short: "Erase finished campaigns, and what else is old",
		Long: "Erases campaigns that were finished longer ago than that, with their people, and what else is older: what\n" +
			"webhooks told, and opt-outs that are over. Campaigns that are not finished stay, and so do opt-outs.\n" +
			"A campaign that was purged is not remembered: its file, sent again, goes to everybody.",
		Example: "  wactl state purge --older-than 90d\n  wactl state purge --older-than 24h --sandbox",
		Args:    noArgs,
	}
	f := &stateFlags{}
	f.add(c)
	older := c.Flags().String("older-than", "", "`AGE` from which on it is erased, at least a day: 90d, 12w, 36h")
	c.RunE = func(c *cobra.Command, _ []string) error {
		age, err := parseAge(*older)
		if err != nil {
			return err
		}
		return f.purge(a, c.Context(), age)
	}
	return c
}

// shortestAge is how young nothing is erased: the limits are counted from the last 24 hours.
const shortestAge = 24 * time.Hour

// ageUnits are the units of an age beside those of a duration.
var ageUnits = map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour}

// parseAge reads an age such as 90d, 12w or 36h.
func parseAge(text string) (age time.Duration, err error) {
	const hint = "write it as 90d, 12w or 36h"
	if text == "" {
		return 0, unusable(hint, "--older-than says what is old, and is not given")
	}
	unit := ageUnits[text[len(text)-1:]]
	if n, bad := strconv.ParseUint(text[:len(text)-1], 10, 31); unit > 0 && bad == nil && n <= uint64(100*365*24*time.Hour/unit) {
		age = time.Duration(n) * unit
	} else if age, err = time.ParseDuration(text); err != nil {
		return 0, unusable(hint, "--older-than %q is no age", text)
	}
	if age < shortestAge {
		return 0, unusable(hint, "--older-than %s is less than a day, from which the limits are counted", text)
	}
	return age, nil
}

// purge erases what is older than age in each state.
func (f *stateFlags) purge(a *app, ctx context.Context, age time.Duration) error {
	before, list := ratelimit.At(time.Now().Add(-age)), []purged{}
	_, err := f.each(ctx, true, func(path string, s *journal.Store) error {
		p := purged{Path: path, Campaigns: []purgedName{}, Kept: []purgedName{}, Before: sizeOf(path)}
		gone, rows, err := s.Purge(ctx, before)
		if err != nil {
			return err
		}
		p.Rows, p.After = rows, sizeOf(path)
		for _, c := range gone {
			p.Campaigns = append(p.Campaigns, nameOf(c))
		}
		for c, err := range s.List(ctx) {
			if err != nil {
				return err
			}
			if last := max(c.Created, c.Ended); last < before && c.Status != journal.StatusFinished {
				p.Kept = append(p.Kept, nameOf(c))
			}
		}
		list = append(list, p)
		return nil
	})
	if err != nil && len(list) == 0 {
		return err
	}
	shown := a.show(f.format, map[string]any{"version": 1, "older_than_s": output.Seconds(age), "states": list}, func() { a.showPurged(list) })
	return cmp.Or(err, shown) // what was erased before it went wrong cannot be taken back, so it is told
}

func sizeOf(path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return 0
}

func (a *app) showPurged(list []purged) {
	if len(list) == 0 {
		a.out.Line("nothing is kept yet")
	}
	for _, p := range list {
		a.out.Heading("%s, %s, %s before", p.Path, kibibytes(p.After), kibibytes(p.Before))
		for _, c := range p.Campaigns {
			a.out.Line("erased  %s to %s", c.Campaign, c.Target)
		}
		for _, c := range p.Kept {
			a.out.Line("kept    %s to %s: it is %s, not finished", c.Campaign, c.Target, c.Status)
		}
		others := 0
		for _, table := range []string{"statuses", "sightings", "inbound", "orders", "suppressions", "media"} {
			others += p.Rows[table]
		}
		a.out.Line("%s erased; %s", plural(p.Rows["steps"], "message", "messages"), plural(others, "row about anything else", "rows about anything else"))
		a.warnCopies(p.Path)
	}
}

// forgotten is one state in the result of `wactl state forget`.
type forgotten struct {
	Path      string `json:"path"`
	Campaigns int    `json:"campaigns"`
	Messages  int    `json:"messages"`
	Withdrawn int    `json:"withdrawn"` // of them those that had not gone out
	IDs       int    `json:"ids_kept"`  // of them those whose id stays, since their campaign is not finished
	Statuses  int    `json:"statuses"`
	Inbound   int    `json:"inbound"`
	Sightings int    `json:"sightings"`
	OptedOut  bool   `json:"opted_out"` // the number stays on the list of opt-outs
}

func newStateForget(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "forget NUMBER",
		Short: "Erase one person from the state",
		Long: "Erases one person everywhere: messages and their content, attempts, statuses, what they wrote and what others\n" +
			"sent them. Counts stay true: of each message it stays that there was one, when, and with which answer.\n\n" +
			"Two things stay. If they opted out, their number stays on that list, without a reason: else they would be\n" +
			"written to again. Where they were written to in a campaign that is not finished, the message's id stays, from\n" +
			"which nobody can read the number: else they would get it twice. Forget them once more when it is finished,\n" +
			"and the id goes too. A message that has not gone out is withdrawn: a list that still names them is then\n" +
			"refused, until you take them out of it. With them in it, --update writes to them: once more, where they had got it.\n\n" +
			"While a send runs with a state, nobody is erased from that state (exit code 5). What was erased from other\n" +
			"states before that is told.",
		Example: "  wactl state forget +5511987654321\n  wactl state forget '11 98765-4321' --region BR --format json",
		Args:    oneArg("a phone number"),
	}
	f := &stateFlags{}
	f.add(c)
	region := c.Flags().String("region", "", "country of a number written without one, such as `BR`")
	c.RunE = func(c *cobra.Command, args []string) error {
		n, err := onePhone(args[0], *region)
		if err != nil {
			return err
		}
		return f.forget(a, c.Context(), n)
	}
	return c
}

// onePhone reads a number that was typed, in any spelling, as the digits of its canonical form.
func onePhone(text, region string) (uint64, error) {
	n := normalize.Parse(text, region)
	if n.Digits == 0 {
		return 0, unusable("write it with + and its country code, or name its country with --region", "%q: %s", text, n.Problems[0].Message)
	}
	return n.Digits, nil
}

// carries says of a message's id whether it holds a person's number, in whichever form the platform writes it.
func carries(phone uint64) func(messageID string) bool {
	return func(messageID string) bool {
		digits, ok := wire.WamidRecipient(messageID)
		return ok && normalize.Parse("+"+digits, "").Digits == phone
	}
}

// forget erases a person in each state.
func (f *stateFlags) forget(a *app, ctx context.Context, phone uint64) error {
	list := []forgotten{}
	_, err := f.each(ctx, true, func(path string, s *journal.Store) error {
		n, err := s.Forget(ctx, phone, carries(phone))
		if err == nil {
			list = append(list, forgotten{path, n["campaigns"], n["messages"], n["withdrawn"], n["kept"], n["statuses"], n["inbound"], n["sightings"], n["opted_out"] > 0})
		}
		return err
	})
	if errors.Is(err, journal.ErrInUse) {
		err = &Fail{Exit: exitInUse, Err: err, Hint: "`wactl suppress add` keeps that send from writing to them, if it has not yet; forget them when it has ended"}
	}
	if err != nil && len(list) == 0 {
		return err
	}
	recipient := e164(phone)
	shown := a.show(f.format, map[string]any{"version": 1, "recipient": recipient, "states": list}, func() { a.showForgotten(recipient, list) })
	return cmp.Or(err, shown) // what was erased before it went wrong cannot be taken back, so it is told
}

func (a *app) showForgotten(recipient string, list []forgotten) {
	if len(list) == 0 {
		a.out.Line("nothing is kept yet")
	}
	for _, n := range list {
		a.out.Heading("%s", n.Path)
		var parts []string
		for _, part := range []struct {
			n         int
			one, many string
		}{{n.Messages, "message", "messages"}, {n.Statuses, "status", "statuses"}, {n.Inbound, "message that they wrote", "messages that they wrote"},
			{n.Sightings, "message of others", "messages of others"}} {
			if part.n > 0 {
				parts = append(parts, plural(part.n, part.one, part.many))
			}
		}
		if len(parts) == 0 {
			a.out.Line("nothing of %s was there", recipient)
		} else {
			a.out.Line("erased of %s: %s", recipient, strings.Join(parts, ", "))
		}
		a.showKept(n)
		a.warnCopies(n.Path)
	}
	a.out.Note("lists, reports and logs that you keep yourself are not touched")
}

// showKept tells what of a person stays, and until when.
func (a *app) showKept(n forgotten) {
	if n.Withdrawn > 0 {
		a.out.Line("%s had not gone out and will not: take them out of the list, and run it with --update; with them in it, --update writes to them after all", plural(n.Withdrawn, "message", "messages"))
	}
	if n.Messages > n.Withdrawn+n.IDs {
		a.out.Line("a list that still names them is not sent again as it is; --update would write to them once more, so take them out of it first")
	}
	if n.IDs > 0 {
		a.out.Line("%s kept, so that nothing goes out twice: the campaign is not finished; forget them again when it is", plural(n.IDs, "id is", "ids are"))
	}
	if n.OptedOut {
		a.out.Line("the number stays on the list of opt-outs, without a reason")
	}
}

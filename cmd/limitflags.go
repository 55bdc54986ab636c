package cmd

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/quiet"
	"github.com/wactl/wactl/ratelimit"
)

// whenFlags say when a campaign may be sent, and in which bursts: what dry-run and send share beside pace and messaging limit.
type whenFlags struct {
	bubbles                int
	start, deadline, quiet string
}

func (f *whenFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.bubbles, "bubbles", 1, "how many messages to one person may go in one burst (`N`) before the pair is held")
	flags.StringVar(&f.start, "start", "", "`TIME` of the first message, RFC 3339 (default now)")
	flags.StringVar(&f.deadline, "deadline", "", "`TIME` after which nothing leaves, RFC 3339")
	flags.StringVar(&f.quiet, "quiet-hours", "", "`FROM-TO`, such as 21:00-08:00, in which nobody is written to, by the recipient's own clock")
}

// into writes what the flags say into the limits.
func (f *whenFlags) into(l *campaign.Limits) error {
	if f.bubbles < 1 || f.bubbles > ratelimit.PairBurst {
		return unusable("1 holds the pair after each message", "--bubbles %d is no number from 1 to %d, the most that the platform takes at once", f.bubbles, ratelimit.PairBurst)
	}
	l.Pair.Bubbles = f.bubbles
	start, err := instant("start", f.start)
	if err != nil {
		return err
	}
	if l.Deadline, err = instant("deadline", f.deadline); err != nil {
		return err
	}
	if l.Start = start; l.Deadline != 0 && l.Deadline < max(start, 0) {
		return unusable("name a later one", "--deadline %s is before --start %s", f.deadline, f.start)
	}
	l.Quiet, err = parseQuiet(f.quiet)
	return err
}

// begins is when the first message may leave: the start that was asked for, or now.
func (f *whenFlags) begins() (time.Time, error) {
	start, err := instant("start", f.start)
	if err != nil || start == 0 {
		return time.Now(), err
	}
	return start.Time(), nil
}

// instant reads a time with a zone; 0 for none.
func instant(flag, text string) (ratelimit.Instant, error) {
	if text == "" {
		return 0, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, unusable("write it like 2026-12-01T09:00:00-03:00", "--%s %q is no time with a zone", flag, text)
	}
	return ratelimit.At(t), nil
}

// parseQuiet reads quiet hours like 21:00-08:00.
func parseQuiet(text string) (h quiet.Hours, err error) {
	if text == "" {
		return h, nil
	}
	from, to, ok := strings.Cut(text, "-")
	if h.From, err = clockTime(from); err == nil && ok {
		h.To, err = clockTime(to)
	}
	if err != nil || !ok || h.None() {
		return quiet.Hours{}, unusable("write two different times of the day, like 21:00-08:00", "--quiet-hours %q is no stretch of a day", text)
	}
	return h, nil
}

// clockTime is a time of the day as the time since midnight.
func clockTime(text string) (time.Duration, error) {
	t, err := time.Parse("15:04", strings.TrimSpace(text))
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, err
}

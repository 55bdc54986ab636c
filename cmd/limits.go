package cmd

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// limitsReport is the result of `wactl limits`.
type limitsReport struct {
	Version int           `json:"version"`
	Figures []figureEntry `json:"figures"`
	Burst   *burstEntry   `json:"burst"` // null without --burst
}

// figureEntry is one published figure; null where nothing is known.
type figureEntry struct {
	Limit      string  `json:"limit"`
	Value      string  `json:"value"`
	Unit       *string `json:"unit"`
	Scope      string  `json:"scope"`
	Code       *int    `json:"code"`
	Source     string  `json:"source"`
	Read       string  `json:"read"`
	DisputedBy *string `json:"disputed_by"`
}

// burstEntry is what a burst to one person costs under each reading of the published text.
type burstEntry struct {
	Messages int           `json:"messages"`
	Readings []burstOfOnes `json:"readings"`
}

// burstOfOnes is one reading's answer: how many of the burst go through at once, and how long the pair then has to be silent.
type burstOfOnes struct {
	Reading  ratelimit.Reading `json:"reading"`
	Accepted int               `json:"accepted"`
	Silence  float64           `json:"silence_s"`
}

func newLimits(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "limits",
		Short: "Show every published limit with its source, and what a burst costs",
		Long: "Shows each figure that wactl knows about the platform's limits: what is counted together, the error code,\n" +
			"where the figure stands, when it was read, and who says otherwise. --burst N shows the silence that N messages\n" +
			"at once to one person cost.",
		Example: "  wactl limits\n  wactl limits --burst 20",
		GroupID: groupLogs,
		Args:    noArgs,
	}
	format := formatFlag(c)
	burst := c.Flags().Int("burst", 0, "show the silence after `N` messages at once to one person")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("burst") && (*burst < 1 || *burst > 1000) {
			return unusable("give a number of messages from 1 to 1,000, like --burst 20", "--burst cannot be %d", *burst)
		}
		r := limitsReport{Version: 1, Figures: figures()}
		if *burst > 0 {
			r.Burst = &burstEntry{Messages: *burst, Readings: burstCost(*burst)}
		}
		return a.show(format, r, func() { a.showLimits(r) })
	}
	return c
}

func figures() (all []figureEntry) {
	for _, f := range ratelimit.Published {
		e := figureEntry{Limit: f.Name, Value: f.Value, Scope: f.Scope, Source: f.Source, Read: f.Read}
		e.Unit, e.DisputedBy = orNull(f.Unit), orNull(f.Disputed)
		if f.Code != 0 {
			e.Code = &f.Code
		}
		all = append(all, e)
	}
	return all
}

// orNull is a text, or nil for an empty one.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// burstCost sends a burst at one instant to a pair that is clear, under each reading.
func burstCost(messages int) (costs []burstOfOnes) {
	start := ratelimit.At(time.Unix(0, 0))
	for _, reading := range []ratelimit.Reading{ratelimit.Strict, ratelimit.Bucket45} {
		pair, accepted := ratelimit.PublishedPair(reading), 0
		var state ratelimit.PairState
		for accepted < messages && pair.Earliest(state, start) == start {
			state = pair.Charge(state, start)
			accepted++
		}
		// Strict gives credit only inside the span of the burst; what counts is when the pair may be written to after it.
		after := pair.Earliest(state, start.Add(ratelimit.PairBurstWindow))
		if reading != ratelimit.Strict || accepted < messages {
			after = pair.Earliest(state, start)
		}
		costs = append(costs, burstOfOnes{Reading: reading, Accepted: accepted, Silence: after.Sub(start).Seconds()})
	}
	return costs
}

func (a *app) showLimits(r limitsReport) {
	if r.Burst != nil {
		a.showBurst(*r.Burst)
		return
	}
	var rows [][]string
	for _, f := range ratelimit.Published {
		code := "none named"
		if f.Code != 0 {
			code = fmt.Sprint(f.Code)
		}
		rows = append(rows, []string{f.Name, f.Value, f.Unit, f.Scope, code})
	}
	a.out.Table([]string{"LIMIT", "VALUE", "UNIT", "COUNTED TOGETHER", "ERROR"}, rows)
	a.out.Line("")
	a.out.Heading("Sources")
	for source, names := range bySource() {
		a.out.Line("%s\n  %s", strings.Join(names, ", "), source)
	}
	a.out.Line("")
	a.out.Heading("Disputed")
	for _, f := range ratelimit.Published {
		if f.Disputed != "" {
			a.out.Line("%s: %s", f.Name, f.Disputed)
		}
	}
	a.out.Line("")
	a.out.Line("600 messages an hour is what one person may get, not what a number may send: other people have their own count.")
}

// bySource yields each source with the day it was read, and the figures that stand there.
func bySource() iter.Seq2[string, []string] {
	var order []string
	names := map[string][]string{}
	for _, f := range ratelimit.Published {
		source := f.Source + ", read " + f.Read
		if names[source] == nil {
			order = append(order, source)
		}
		names[source] = append(names[source], f.Name)
	}
	return func(yield func(string, []string) bool) {
		for _, source := range order {
			if !yield(source, names[source]) {
				return
			}
		}
	}
}

// readingWords say what a reading is, for people.
var readingWords = map[ratelimit.Reading]string{
	ratelimit.Strict:   "Meta's text and its only example: all at once, then silence",
	ratelimit.Bucket45: "a standing credit of 45 messages",
}

func (a *app) showBurst(b burstEntry) {
	a.out.Heading("A burst of %s to one person", output.Count(b.Messages))
	var rows [][]string
	for _, c := range b.Readings {
		rows = append(rows, []string{string(c.Reading), fmt.Sprint(c.Accepted), output.Duration(time.Duration(c.Silence * float64(time.Second))), readingWords[c.Reading]})
	}
	a.out.Table([]string{"READING", "ACCEPTED", "THEN SILENT FOR", "WHAT IT SAYS"}, rows)
	if b.Messages > ratelimit.PairBurst {
		a.out.Line("More than %d messages within %v are refused with 131056.", ratelimit.PairBurst, ratelimit.PairBurstWindow)
	}
	a.out.Line("Only this pair has to wait. One message each %v is refused under no reading: %s then take %s.",
		ratelimit.PairInterval, output.Count(b.Messages), output.Duration(time.Duration(b.Messages-1)*ratelimit.PairInterval))
}

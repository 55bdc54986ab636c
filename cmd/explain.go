package cmd

import (
	"github.com/spf13/cobra"
)

// pairCode is the error that logs are explained for.
const pairCode = 131056

func newExplain131056(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "explain-131056 LOG…",
		Short: "Explain each 131056 in a message log: which sends caused it, until when the pair is closed",
		Long: "Reads message logs in whatever form they were exported, files or folders, plain or packed, and explains\n" +
			"every refusal by the pair limit: the earlier sends that caused it with file and line, the first safe\n" +
			"instant, the pattern, and what to change. `wactl help pair-limit` tells how to read the report and which\n" +
			"export to take. It only reads: nothing is sent, and nothing is contacted.",
		Example: "  wactl explain-131056 webhooks.jsonl\n" +
			"  kubectl logs bot --since 2h | wactl explain-131056 - --html report.html\n" +
			"  wactl explain-131056 exports/ --timezone America/Sao_Paulo --format json > report.json",
		GroupID: groupLogs,
	}
	f := &explainFlags{}
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error { return f.explain(a, c, args) }
	return c
}

// explainFlags are the flags of explain-131056.
type explainFlags struct {
	logFlags
	pair, since, until string
	top                int
	from, html, whatIf string
	failOn, format     *choice
}

// The values of --fail-on.
const (
	failNever       = "never"
	failAny         = "any"
	failUnexplained = "unexplained"
)

func (f *explainFlags) add(c *cobra.Command) {
	f.logFlags.add(c)
	flags := c.Flags()
	flags.StringVar(&f.pair, "pair", "", "tell of one pair only: a `RECIPIENT`, or a number id and it with a comma; draws its timeline")
	flags.StringVar(&f.since, "since", "", "tell only of refusals from `TIME` on: 2006-01-02, 2006-01-02T15:04, or 2h ago as 2h")
	flags.StringVar(&f.until, "until", "", "tell only of refusals before `TIME`")
	flags.IntVar(&f.top, "top", 0, "tell the worst `N` incidents and pairs; default 10 in text")
	flags.StringVar(&f.from, "from", "", "show the report in `FILE`, written with --format json, instead of reading logs")
	flags.StringVar(&f.html, "html", "", "write the report as one self-contained page to `FILE`")
	flags.StringVar(&f.whatIf, "what-if", "", "`CHANGE` to replay the log with: dedupe, gap=6s, retry=4^x or one-queue")
	f.failOn = choiceFlag(c, "fail-on", "when the exit code is 1", failNever, failAny, failUnexplained)
	f.format = choiceFlag(c, "format", "how the result is written", formatText, formatJSON, formatJSONL)
}

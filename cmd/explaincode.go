package cmd

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/cmd/output"
)

func newExplain(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "explain [CODE] [LOG…]",
		Short: "Explain an error code: what it means and is not, and what to do",
		Long: "Says what an error code of the platform means and what it is not, whom it concerns, whether slowing down\n" +
			"helps, and what wactl does about it. Without a code it shows the limits side by side and lists all codes.\n" +
			"With 131056 and logs it is wactl explain-131056.",
		Example: "  wactl explain\n  wactl explain 131049\n  wactl explain 131056 webhooks.jsonl",
		GroupID: groupLogs,
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return codeNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := &explainFlags{}
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.listCodes(f.format)
		}
		code, err := parseCode(args[0])
		if err != nil {
			return err
		}
		if logs := args[1:]; len(logs) > 0 || f.from != "" || f.filesFrom != "" {
			if code != pairCode {
				return unusable(fmt.Sprintf("`wactl explain %d` alone says what it means", code), "logs are explained for %d only, not for %d", pairCode, code)
			}
			return f.explain(a, c, logs)
		}
		return a.explainCode(code, f.format)
	}
	return c
}

// parseCode reads a code as people copy it: 131056, #131056 or (#131056).
func parseCode(text string) (int, error) {
	code, err := strconv.Atoi(strings.Trim(text, "(#): "))
	if err != nil || code < 0 {
		return 0, unusable("a code is a number such as 131056; for a log it is `wactl explain-131056 LOG`", "%q is no error code", text)
	}
	return code, nil
}

func codeNames() (names []string) {
	for e := range outcome.All() {
		names = append(names, strconv.Itoa(e.Code)+"\t"+e.Title)
	}
	return names
}

// scopeWords say whom a code concerns.
var scopeWords = map[outcome.Scope]string{
	outcome.ScopeRequest:   "this one request, or the values of its row",
	outcome.ScopeMedia:     "the file that the message carries",
	outcome.ScopeRecipient: "this one person; the next one is not concerned",
	outcome.ScopePair:      "one business number together with one person; all others are not concerned",
	outcome.ScopeTemplate:  "every message from this template or flow",
	outcome.ScopeNumber:    "the business number with all its messages",
	outcome.ScopeAccount:   "the WhatsApp Business account with all its numbers",
	outcome.ScopeApp:       "the developer app and what it may do",
	outcome.ScopeToken:     "the access token",
	outcome.ScopePlatform:  "the platform itself, so everybody",
	outcome.ScopeUnknown:   "nobody knows whom",
	outcome.ScopeElsewhere: "another feature of the platform; no campaign's message is answered so",
}

// classWords say what wactl does. A %s stands for what the code's own row says: tries or a wait.
var classWords = map[outcome.Class]string{
	outcome.PairWait:        "Holds back the messages to this one person until the pair is clear, and goes on with all others. The message has not failed.",
	outcome.NumberSlow:      "Halves the pace of the number, sends the message again, and grows faster again by 5 % of the level each 10 s.",
	outcome.NumberHold:      "Pauses the number for as long as the answer says, else for %s, then probes with one message.",
	outcome.CallsWait:       "Pauses all calls, each time longer: 1 s, 2 s, 4 s, up to 60 s. The message has not failed.",
	outcome.RetryFew:        "Tries the message again, %s in all with a growing wait; then it has failed.",
	outcome.RecipientFailed: "Fails this one message and goes on with the next person. It is not tried again.",
	outcome.RequestWrong:    "Fails this row; five in a row with the same code stop the campaign, since then all are wrong in the same way.",
	outcome.Stop:            "Stops the campaign. The message goes back to pending; the same command goes on when the cause is mended.",
}

// does says what wactl does about a code.
func does(e outcome.Entry) string {
	switch e.Class {
	case outcome.NumberHold:
		return fmt.Sprintf(classWords[e.Class], output.Duration(e.Wait))
	case outcome.RetryFew:
		return fmt.Sprintf(classWords[e.Class], plural(e.Tries, "time", "times"))
	}
	return classWords[e.Class]
}

// codeJSON is one code, or a range of codes that mean the same.
type codeJSON struct {
	Code     int     `json:"code"`
	Last     int     `json:"last"`
	Title    string  `json:"title"`
	Means    string  `json:"means"`
	IsNot    *string `json:"is_not"`
	Scope    string  `json:"scope"`
	Concerns string  `json:"concerns"`
	Slower   bool    `json:"slowing_down_helps"`
	Class    string  `json:"class"`
	Does     string  `json:"wactl_does"`
	Advice   string  `json:"advice"`
}

func codeOf(e outcome.Entry) codeJSON {
	c := codeJSON{Code: e.Code, Last: e.Last, Title: e.Title, Means: e.Means, Scope: string(e.Scope), Concerns: scopeWords[e.Scope],
		Slower: e.Slower, Class: string(e.Class), Does: does(e), Advice: e.Advice}
	if e.Not != "" {
		c.IsNot = &e.Not
	}
	return c
}

// explainCode shows what is known about one code.
func (a *app) explainCode(code int, format *choice) error {
	e := outcome.ForCode(code)
	if !e.Known {
		return unusable(fmt.Sprintf("read error_data.details and the text beside the code, then look at the platform's page of error codes; a provider may count on its own (63018 of Twilio): its page says. wactl would try such a message %s, then fail it",
			plural(e.Tries, "time", "times")), "%d is in no list that wactl has", code)
	}
	if format.value != formatText {
		return a.out.JSON(struct {
			Version int `json:"version"`
			codeJSON
		}{1, codeOf(e)})
	}
	a.out.Heading("%s  %s", codeName(e), e.Title)
	for _, part := range [][2]string{
		{"means", e.Means}, {"beware", e.Not}, {"concerns", capital(scopeWords[e.Scope]) + "."}, {"slower", slower(e)}, {"wactl", does(e)}, {"do", e.Advice},
	} {
		a.labelled(part[0], part[1])
	}
	if code == pairCode {
		a.out.Line("")
		a.out.Line("`wactl explain-131056 LOG…` finds in your log the sends that caused it.")
	}
	return nil
}

func codeName(e outcome.Entry) string {
	if e.Last > e.Code {
		return fmt.Sprintf("%d to %d", e.Code, e.Last)
	}
	return strconv.Itoa(e.Code)
}

func slower(e outcome.Entry) string {
	if e.Slower {
		return "Slowing down helps."
	}
	return "Slowing down does not help."
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// labelWidth is the columns of a label before what it says.
const labelWidth = 10

// labelled writes folded text beside a label; nothing where there is nothing to say.
func (a *app) labelled(label, text string) {
	if text == "" {
		return
	}
	for _, line := range fold(text, helpWidth-labelWidth) {
		a.out.Line("%-*s%s", labelWidth, label, line)
		label = ""
	}
}

// family are the limits that people mistake for one another, the pair limit first. Their table says in a few words what outcome says in full.
var family = []struct {
	code             int // 0: the platform names none
	limit, per, cure string
}{
	{pairCode, "pair rate", "number and person, 1 each 6 s", "wait for this person; all others go on"},
	{130429, "throughput", "number, a second", "lower the pace"},
	{131057, "maintenance", "number, a minute or so", "wait, nothing to change"},
	{131048, "quality", "number, until lifted", "stop; mend list and consent"},
	{131049, "marketing cap", "person, all businesses", "try again after a day at the earliest"},
	{80007, "API calls", "account, an hour", "poll less; no messages are meant"},
	{4, "API calls", "app, an hour", "poll less; no messages are meant"},
	{0, "messaging limit", "portfolio, people in 24 h", "send to fewer people a day"},
}

// listCodes shows the family side by side, then all codes.
func (a *app) listCodes(format *choice) error {
	if format.value != formatText {
		all := []codeJSON{}
		for e := range outcome.All() {
			all = append(all, codeOf(e))
		}
		return a.out.JSON(map[string]any{"version": 1, "codes": all})
	}
	a.listFamily()
	a.out.Line("")
	a.out.Heading("All codes")
	var rows [][]string
	for e := range outcome.All() {
		helps := "no"
		if e.Slower {
			helps = "yes"
		}
		rows = append(rows, []string{codeName(e), helps, string(e.Scope), e.Title})
	}
	a.out.Table([]string{"code", "slower helps", "concerns", "title"}, rows)
	a.out.Line("")
	a.out.Line("`wactl explain CODE` shows the page of one.")
	return nil
}

// listFamily shows side by side what limits there are, and then what each is not.
func (a *app) listFamily() {
	a.out.Heading("Limits that are mistaken for one another")
	var rows [][]string
	for _, f := range family {
		code, helps := "none", "no"
		if f.code != 0 {
			code = strconv.Itoa(f.code)
		}
		if outcome.ForCode(f.code).Slower {
			helps = "yes"
		}
		rows = append(rows, []string{code, f.limit, f.per, helps, f.cure})
	}
	a.out.Table([]string{"code", "limit", "counted for", "slower helps", "what to do"}, rows)
	a.out.Line("")
	a.out.Heading("What they are not")
	for _, f := range family {
		if e := outcome.ForCode(f.code); f.code != 0 {
			a.labelled(strconv.Itoa(f.code), e.Not)
		}
	}
}

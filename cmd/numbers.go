package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/ratelimit"
)

// accountFlags say which business account is asked, and where.
type accountFlags struct {
	targetFlags
	command *cobra.Command
}

func (f *accountFlags) add(c *cobra.Command) {
	f.command = c
	flags := c.Flags()
	flags.BoolVar(&f.sandbox, "sandbox", false, "ask the emulated Cloud API inside the process")
	flags.StringVar(&f.account, "waba-id", "", "`ID` of the WhatsApp Business account (default the one that the number's health names)")
	severalFlag(c, &f.number, "number", "use the number of a [numbers.`NAME`] table of the settings file")
	severalFlag(c, &f.numberID, "phone-number-id", "`ID` of a business phone number of the account")
	f.provider = choiceFlag(c, "provider", "whose API it is; see `wactl help providers`", providerNames()...)
	flags.StringVar(&f.baseURL, "base-url", "", "`URL` of the API; plain http to this machine only (default the provider's own)")
	flags.StringVar(&f.apiVersion, "api-version", cloudapi.DefaultAPIVersion, "version of the API")
	flags.StringVar(&f.tokenFile, "token-file", "", "`FILE` with the access token; - is stdin; else "+tokenVariable)
	f.recipients = &choice{value: "default"} // nothing is sent
}

// open connects, and is the id of the number that stands for the account.
func (f *accountFlags) open(a *app) (*reader, string, error) {
	number := f.numberID
	if f.account == "" || number != "" {
		target, err := f.target()
		if err != nil {
			return nil, "", withAccountHint(err)
		}
		number = target.NumberID
	}
	limits, _, err := plainFlags().limits()
	if err != nil {
		return nil, "", err
	}
	provider, err := f.connect(a, f.command, limits, 0)
	if err != nil {
		return nil, "", err
	}
	return newReader(provider, f.account), number, nil
}

// openAll connects for each of several numbers, or as open does.
func (f *accountFlags) openAll(a *app) ([]line, error) {
	if !strings.Contains(f.number+f.numberID, ",") {
		r, number, err := f.open(a)
		return []line{{namedNumber: namedNumber{Number: campaign.Number{ID: number}}, reader: r}}, err
	}
	limits, _, err := plainFlags().limits()
	if err != nil {
		return nil, err
	}
	named, err := plainFlags().senders(a, f.command, numberWords{f.number, f.numberID, ""})
	if err != nil {
		return nil, err
	}
	lines, err := f.lines(a, f.command, named, namedNumber{})
	if err != nil {
		return nil, err
	}
	return lines, f.connectAll(a, f.command, lines, limits, 0)
}

// plainFlags are what a campaign's flags say when none is given.
func plainFlags() *campaignFlags {
	return &campaignFlags{when: whenFlags{bubbles: 1}, pairInterval: ratelimit.PairInterval}
}

func withAccountHint(err error) error {
	return &Fail{Exit: exitUnusable, Err: err, Hint: "--waba-id ID names the account itself"}
}

func newNumbers(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "numbers",
		Short: "List the business phone numbers of an account with their limits",
		Long: "Lists the numbers of a WhatsApp Business account: whether each is connected, its quality, its\n" +
			"messages per second, whether the Business app uses it too, and its messaging limit.\n\n" +
			"With several numbers, --phone-number-id ID,ID or --number NAME,NAME, those of each account are listed, each\n" +
			"once; the JSON key account is then null where there are several accounts.",
		Example: "  wactl numbers --waba-id 102290129340398\n  wactl numbers --phone-number-id 106540352242922 --format json",
		GroupID: groupCampaign,
		Args:    noArgs,
	}
	f := &accountFlags{}
	f.add(c)
	format := formatFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		lines, err := f.openAll(a)
		if err != nil {
			return err
		}
		all, err := listAll(c.Context(), lines)
		if err != nil {
			return refusedReading(err)
		}
		return a.show(format, map[string]any{"version": 1, "account": known(all.account), "numbers": all.json()}, func() { a.showNumbers(all) })
	}
	return c
}

// refusedReading is a reading that failed as the end of a command that wanted nothing else. A bad token ends with its own exit code.
func refusedReading(err error) error {
	if r, ok := errors.AsType[*preflight.Refusal](err); ok && r.BadToken() {
		return &Fail{Exit: exitHarm, Err: err}
	}
	return err
}

// numberList are the numbers of an account.
type numberList struct {
	account string // empty where the provider has none, or there are several
	numbers []preflight.Number
}

// listAll are the numbers of all accounts that some numbers belong to, each once, and the account where there is one alone.
func listAll(ctx context.Context, lines []line) (all numberList, err error) {
	for i, l := range lines {
		if all.has(l.ID) {
			continue // its account was read
		}
		one, err := l.reader.listNumbers(ctx, l.ID)
		if err != nil {
			return all, err
		}
		if i == 0 {
			all.account = one.account
		} else if all.account != one.account {
			all.account = ""
		}
		for _, n := range one.numbers {
			if !all.has(n.ID) {
				all.numbers = append(all.numbers, n)
			}
		}
	}
	return all, nil
}

func (l numberList) has(id string) bool {
	return slices.ContainsFunc(l.numbers, func(n preflight.Number) bool { return n.ID == id })
}

// listNumbers are all numbers of the account, or the one number where the provider tells of no account.
func (r *reader) listNumbers(ctx context.Context, number string) (l numberList, err error) {
	api, can := r.provider.(tellsNumbers)
	if !can {
		n, err := r.number(ctx, number)
		n.ID = cmp.Or(n.ID, number)
		l.numbers = []preflight.Number{n}
		return l, err
	}
	if l.account, err = r.accountOf(ctx, number); err == nil {
		l.numbers, err = collect(api.Numbers(ctx, l.account))
	}
	return l, err
}

// numberJSON is a number as published; null is what the platform did not tell.
type numberJSON struct {
	ID          string  `json:"id"`
	Display     *string `json:"display"`
	Name        *string `json:"name"`
	Status      *string `json:"status"`
	Quality     *string `json:"quality"`
	Level       *string `json:"level"`
	MPS         *int    `json:"mps"`
	Coexistence *bool   `json:"coexistence"`
	Limit       *string `json:"messaging_limit"`
	Tier        *int    `json:"tier"` // people in 24 hours; null: unlimited or not told
	Mode        *string `json:"account_mode"`
	CanSend     *string `json:"can_send"`
}

func newNumberJSON(n preflight.Number) numberJSON {
	j := numberJSON{ID: n.ID, Display: known(n.Display), Name: known(n.Name), Status: known(n.Status), Quality: known(n.Quality), Level: known(n.Level),
		MPS: known(n.MPS()), Limit: known(n.Limit), Mode: known(n.Mode)}
	if yes, told := n.Coexists(); told {
		j.Coexistence = &yes
	}
	if people, _ := n.Tier(); people > 0 {
		j.Tier = &people
	}
	if n.Health != nil {
		j.CanSend = known(n.Health.CanSend)
	}
	return j
}

func (l numberList) json() []numberJSON {
	all := make([]numberJSON, len(l.numbers))
	for i, n := range l.numbers {
		all[i] = newNumberJSON(n)
	}
	return all
}

func (a *app) showNumbers(l numberList) {
	if len(l.numbers) == 0 {
		a.out.Line("the account has no number")
		return
	}
	var rows [][]string
	for _, n := range l.numbers {
		rows = append(rows, []string{n.ID, dash(n.Display), dash(n.Name), dash(n.Status), dash(n.Quality), perSecond(n), coexists(n), limitOf(n)})
	}
	a.out.Table([]string{"id", "number", "name", "status", "quality", "per second", "Business app", "people in 24 h"}, rows)
}

// dash stands for what is not told.
func dash(text string) string { return cmp.Or(text, "-") }

func perSecond(n preflight.Number) string {
	switch mps := n.MPS(); {
	case mps > 0:
		return output.Count(mps)
	case n.Level != "":
		return fmt.Sprintf("unknown (%s)", n.Level)
	}
	return "-"
}

func coexists(n preflight.Number) string {
	switch yes, told := n.Coexists(); {
	case !told:
		return "-"
	case yes:
		return "yes"
	}
	return "no"
}

func limitOf(n preflight.Number) string {
	switch people, told := n.Tier(); {
	case !told:
		return dash(n.Limit)
	case people == 0:
		return unlimited
	default:
		return output.Count(people)
	}
}

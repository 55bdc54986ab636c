package cmd

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/ratelimit"
)

// targetFlags say where a campaign goes and where its state is kept.
type targetFlags struct {
	sandbox    bool
	latency    time.Duration
	numberID   string
	number     string
	portfolio  string
	account    string
	provider   *choice
	baseURL    string
	apiPath    string
	recipients *choice
	apiVersion string
	tokenFile  string
	state      string
}

func (f *targetFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.sandbox, "sandbox", false, "send to an emulated Cloud API inside the process: no account, no network, no question")
	flags.DurationVar(&f.latency, "latency", 150*time.Millisecond, "how long the sandbox takes to answer")
	severalFlag(c, &f.number, "number", "use the number of a [numbers.`NAME`] table of the settings file")
	severalFlag(c, &f.numberID, "phone-number-id", "`ID` of the business phone number that sends; with Genuka WA the connectionId")
	flags.StringVar(&f.portfolio, "portfolio", "", "`NAME` of the portfolio whose messaging limit the number shares with others (default one for all)")
	flags.StringVar(&f.account, "waba-id", "", "`ID` of the number's WhatsApp Business account, to read templates from (default the one that the number's health names)")
	f.provider = choiceFlag(c, "provider", "whose API it is; the topic providers tells more", providerNames()...)
	flags.StringVar(&f.baseURL, "base-url", "", "`URL` of the API; plain http to this machine only (default the provider's own)")
	flags.StringVar(&f.apiPath, "api-path", "", "`PATH` of messages below --base-url, for vectalk and genuka (default as they publish it)")
	f.recipients = choiceFlag(c, "recipient-format", "how recipients are written, for vectalk and genuka", asPublished, "e164", "digits")
	flags.StringVar(&f.apiVersion, "api-version", cloudapi.DefaultAPIVersion, "version of the API")
	flags.StringVar(&f.tokenFile, "token-file", "", "`FILE` with the access token; - is stdin; else "+tokenVariable)
	addStateFlag(c, &f.state)
}

func addStateFlag(c *cobra.Command, state *string) {
	c.Flags().StringVar(state, "state", "", "`FILE` that keeps what was sent (default in your state folder, one of its own for the sandbox and for this machine)")
}

// The names of sandbox targets, where no account gives them.
const (
	providerSandbox = "sandbox"
	sandboxNumber   = "sandbox"
	sandboxURL      = "http://127.0.0.1" // never dialled
)

// target is the campaign's place: provider, base URL and number.
func (f *targetFlags) target() (journal.Target, error) {
	if strings.Contains(f.number+f.numberID, ",") {
		return journal.Target{}, unusable("run it once for each", "this command takes one business phone number")
	}
	if f.sandbox {
		return journal.Target{Provider: providerSandbox, NumberID: cmp.Or(f.numberID, sandboxNumber)}, nil
	}
	p := providerOf(f.provider.value)
	switch {
	case f.numberID == "" && p.path == "":
		return journal.Target{}, unusable("give --phone-number-id ID (WhatsApp Manager shows it), or try it out with --sandbox",
			"no business phone number is named")
	case f.numberID == "":
		return journal.Target{}, unusable("give --phone-number-id ID: "+p.idHint+"; or try it out with --sandbox", "no business phone number is named")
	case strings.ContainsAny(f.numberID, "/?#% \t"):
		return journal.Target{}, unusable(p.idHint, "--phone-number-id %q is no id", f.numberID)
	case p.path == "" && f.apiPath != "":
		return journal.Target{}, unusable("leave it out, or name the --provider it is for", "--api-path is not for %s", p.title)
	case p.path == "" && f.recipients.value == "digits":
		return journal.Target{}, unusable("leave it out, or name the --provider it is for", "--recipient-format digits is not for %s, which may take such a number for one of the sender's own country", p.title)
	}
	return journal.Target{Provider: p.name, BaseURL: strings.TrimRight(cmp.Or(f.baseURL, p.baseURL), "/"), NumberID: f.numberID}, nil
}

// connect makes the provider for the target. The sandbox's limits are those that the send is paced for.
//
// It knows no service windows: with open ones it enforces no messaging limit, the sender alone does.
func (f *targetFlags) connect(a *app, c *cobra.Command, l campaign.Limits, open int) (campaign.Provider, error) {
	if f.sandbox {
		return f.connectSandbox(l, open)
	}
	token, _, err := a.token(c)
	if err != nil {
		return nil, err
	}
	return f.connectWith(token, l)
}

// config is what every way to the platform needs; the platform may tell a higher level than the one that is known.
func (f *targetFlags) config(l campaign.Limits) cloudapi.Config {
	return cloudapi.Config{BaseURL: cmp.Or(f.baseURL, providerOf(f.provider.value).baseURL), APIVersion: f.apiVersion, Version: wactlVersion(),
		MaxInFlight: campaign.MostInFlight(max(l.Pace(), ratelimit.DefaultPace(ratelimit.LevelUpgraded, 0)*ratelimit.Pace(len(l.All()))))}
}

// connectSandbox makes a platform inside the process. It has one portfolio, and lets each number go at the pace of the fastest.
func (f *targetFlags) connectSandbox(l campaign.Limits, open int) (campaign.Provider, error) {
	p, config, level := providerOf(f.provider.value), f.config(l), 0
	portfolios := map[string]bool{}
	for _, n := range l.All() {
		level, portfolios[n.Portfolio] = max(level, n.Throughput.Level), true
	}
	if open > 0 || len(portfolios) > 1 {
		l.Tier = 0
	}
	em := emulator.New(emulator.Options{Provider: p.name, MPS: level, Tier: l.Tier, PairInterval: l.Pair.Interval, Latency: f.latency})
	config.BaseURL, config.Token, config.Transport = sandboxURL, "sandbox", em.RoundTripper()
	return p.open(config, "", p.digits)
}

// connectWith makes the provider that sends with a token.
func (f *targetFlags) connectWith(token string, l campaign.Limits) (campaign.Provider, error) {
	p, config := providerOf(f.provider.value), f.config(l)
	config.Token = token
	api, err := p.open(config, f.apiPath, f.digits(p))
	if err != nil {
		return nil, unusable("see `wactl send --help`", "%w", err)
	}
	return api, nil
}

// asPublished is the form of recipients that a provider's own pages show.
const asPublished = "published"

// digits says that recipients go without "+": as asked, or as the provider has it.
func (f *targetFlags) digits(p providerRow) bool {
	if f.recipients.value == asPublished {
		return p.digits
	}
	return f.recipients.value == "digits"
}

// local says that the target is on this machine.
func local(t journal.Target) bool {
	if t.Provider == providerSandbox {
		return true
	}
	u, err := url.Parse(t.BaseURL)
	if err != nil {
		return false
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && address.Unmap().IsLoopback()
}

// statePath is the state file: the one asked for, or one in the user's state folder. Tries on this machine have files of their own.
func statePath(asked string, t journal.Target) (string, error) {
	if asked != "" {
		return asked, nil
	}
	name := "state.db"
	switch {
	case t.Provider == providerSandbox:
		name = "sandbox.db"
	case local(t):
		name = "loopback.db"
	}
	folder, err := stateFolder()
	return filepath.Join(folder, name), err
}

// stateFolder is $XDG_STATE_HOME/wactl, or the folder that stands for it.
func stateFolder() (string, error) {
	if folder := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(folder) {
		return filepath.Join(folder, "wactl"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", unusable("name a file with --state", "there is no folder for the state: %w", err)
	}
	return filepath.Join(home, ".local", "state", "wactl"), nil
}

// name says where a campaign goes, for people.
func name(t journal.Target) string {
	if t.Provider == providerSandbox {
		return "the sandbox (nothing leaves this machine)"
	}
	p, place := providerOf(t.Provider), fmt.Sprintf("number %s at %s", t.NumberID, t.BaseURL)
	switch foreign := !p.ownHost(t.BaseURL) && !local(t); {
	case foreign && p.path != "":
		return fmt.Sprintf("%s (%s, and not %s own host)", place, p.title, p.whose())
	case foreign:
		return fmt.Sprintf("%s (not %s own host)", place, p.whose())
	case p.path != "":
		return fmt.Sprintf("%s (%s)", place, p.title)
	}
	return place
}

// key is the target in one word, for programs.
func key(t journal.Target) string {
	if t.Provider == providerSandbox {
		return providerSandbox + ":" + t.NumberID
	}
	return t.Provider + ":" + t.BaseURL + ":" + t.NumberID
}

// counts says that a request may have reached its recipient's pair.
func counts(d journal.Departure) bool {
	switch d.Class {
	case "", outcome.Accepted, outcome.Held, outcome.Uncertain:
		return true
	}
	return false
}

// unanswered is how long after its planned departure a request without an answer may have arrived at the latest: it outlasts the wait for
// an answer, and any stall of a sender that was killed.
const unanswered = time.Minute

// remember gives a policy the history that the state has of the number and its portfolio.
func remember(p *ratelimit.Policy, sent []journal.Departure, people []journal.Contact, now ratelimit.Instant) {
	for _, d := range sent {
		p.RememberSlot(min(max(d.Intended, d.Left), now))
		if !counts(d) {
			continue
		}
		p.Remember(d.Recipient, min(cmp.Or(d.Answered, d.Intended.Add(unanswered)), now))
	}
	for _, who := range people {
		if p.Messaging != nil {
			p.Messaging.Charge(who.Recipient, min(who.At, now))
		}
	}
}

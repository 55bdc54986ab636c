package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/cmd/output"
)

// unlimited is the tier without a messaging limit.
const unlimited = "unlimited"

// emulateFlags are the flags of `wactl emulate` as they were given.
type emulateFlags struct {
	listen, fault, tokenFile, journal string
	numbers                           []string
	account                           string
	mps, tierCode                     int
	provider, tier, pairModel         *choice
	pairInterval, latency             time.Duration
	seed                              uint64
	failOnRefusal                     bool
	webhook, appSecretFile            string
}

func newEmulate(a *app) *cobra.Command {
	var f emulateFlags
	c := &cobra.Command{
		Use:   "emulate",
		Short: "Serve a Cloud API on this machine that enforces the limits",
		Long: "Serves a Cloud API on the loopback address. It enforces the published limits by\n" +
			"itself and answers with the platform's own shapes and codes. Nothing is sent to\n" +
			"anybody. It prints its address when it is ready, and stops on Ctrl-C.",
		Example: "  wactl emulate\n" +
			"  wactl emulate --listen 127.0.0.1:0 --mps 20 --pair-model spaced\n" +
			"  wactl emulate --fault drop-response:0.01,500:0.005 --journal asked.jsonl",
		GroupID: groupCampaign,
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.emulate(c.Context(), f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8025", "loopback `ADDRESS` to listen on; port 0 is any free one")
	f.provider = choiceFlag(c, "provider", "whose API it looks like", emulator.Cloud, emulator.Vectalk, emulator.Genuka)
	flags.IntVar(&f.mps, "mps", 80, "messages a second that one business number may send")
	f.tier = choiceFlag(c, "tier", "people who may get a message in moving 24 hours", unlimited, "250", "2000", "10000", "100000")
	f.pairModel = choiceFlag(c, "pair-model", "how the pair rate is read", emulator.Strict, emulator.Bucket45, emulator.Spaced)
	flags.DurationVar(&f.pairInterval, "pair-interval", 6*time.Second, "what one message to one person costs its pair")
	flags.DurationVar(&f.latency, "latency", 0, "time from the verdict to the answer")
	flags.StringVar(&f.fault, "fault", "", "what goes wrong and how often: `KIND:SHARE[,…]`, such as 500:0.005")
	flags.Uint64Var(&f.seed, "seed", 0, "of the faults: the same seed strikes the same requests")
	flags.IntVar(&f.tierCode, "tier-code", 131048, "platform `CODE` that answers an exceeded tier")
	flags.StringVar(&f.journal, "journal", "", "`FILE` that gets one JSON line a request; - is stdout")
	flags.StringVar(&f.webhook, "webhook", "", "`URL` that is told what becomes of each message, as the platform does it")
	flags.StringVar(&f.appSecretFile, appSecretFlag, "", "`FILE` with the app secret that signs webhooks; - is stdin; else "+appSecretVariable)
	flags.StringVar(&f.tokenFile, "token-file", "", "`FILE` with the access tokens to accept, one a line; without it any")
	flags.StringSliceVar(&f.numbers, "phone-number-id", nil, "business number `ID[,ID]` to accept; without it any")
	flags.StringVar(&f.account, "account", "", "`FILE` with what reads answer from: {\"id\":…, \"numbers\":[…], \"templates\":[…]} as the API returns them")
	flags.BoolVar(&f.failOnRefusal, "fail-on-refusal", false, "exit with 1 if anything was refused, faults aside")
	return c
}

// emulate serves until ctx ends, drains, and tells what was refused.
func (a *app) emulate(ctx context.Context, f emulateFlags) error {
	options, err := a.emulatorOptions(f)
	if err != nil {
		return err
	}
	journal, err := a.appendTo(f.journal)
	if err != nil {
		return err
	}
	options.Journal = journal
	secret, err := a.webhookSecret(f)
	if err != nil {
		return err
	}
	listener, err := listenLoopback(f.listen)
	if err != nil {
		return err
	}
	if f.webhook != "" {
		options.Courier = emulator.NewCourier(f.webhook, secret, f.seed, nil)
	}
	e := emulator.New(options)
	a.out.Line("http://%s", listener.Addr())
	served := serve(ctx, listener, e, f.latency)
	a.endCourier(options.Courier)
	if err := errors.Join(served, e.JournalErr(), closeJournal(journal)); err != nil {
		return &Fail{Exit: exitUnusable, Err: fmt.Errorf("emulate: %w", err), Hint: "the record of this run is not complete"}
	}
	return a.tellLedger(e.Ledger(), f.failOnRefusal)
}

// webhookSecret is what webhooks are signed with, nil where none are told.
func (a *app) webhookSecret(f emulateFlags) ([]byte, error) {
	if f.webhook == "" {
		return nil, nil
	}
	if err := checkURL("--webhook", f.webhook); err != nil {
		return nil, err
	}
	return a.appSecret(f.appSecretFile)
}

// endCourier tells the webhook what is still to be told, and says when nobody took it.
func (a *app) endCourier(c *emulator.Courier) {
	if c == nil {
		return
	}
	if lost := c.Close(longestDrain); lost > 0 {
		a.out.Warn("the webhook did not take %s", plural(lost, "status", "statuses"))
	}
}

// emulatorOptions turns flags into options, each fault with the name of its flag.
func (a *app) emulatorOptions(f emulateFlags) (emulator.Options, error) {
	o := emulator.Options{Provider: f.provider.value, MPS: f.mps, PairModel: f.pairModel.value, PairInterval: f.pairInterval, Latency: f.latency,
		Seed: f.seed, TierCode: f.tierCode, Numbers: f.numbers}
	if f.tier.value != unlimited {
		o.Tier, _ = strconv.Atoi(f.tier.value) // one of the choice's numbers
	}
	if f.mps < 1 || f.pairInterval <= 0 {
		return o, unusable("see `wactl emulate --help`", "--mps and --pair-interval must be more than 0")
	}
	var err error
	if o.Faults, err = emulator.ParseFaults(f.fault); err != nil {
		return o, unusable("see `wactl help sandbox`", "--fault: %w", err)
	}
	if i := slices.IndexFunc(o.Faults, emulator.Fault.NeedsCourier); i >= 0 && f.webhook == "" {
		return o, unusable("name who is told with --webhook URL", "--fault %s is about statuses, and nobody is told any", o.Faults[i].Kind)
	}
	if f.tokenFile != "" {
		text, err := a.secret(f.tokenFile)
		if err != nil {
			return o, err
		}
		if o.Tokens = strings.Fields(text); len(o.Tokens) == 0 {
			return o, unusable("put one token on a line, or leave --token-file out", "--token-file %s holds no token", f.tokenFile)
		}
	}
	if o.Account, err = emulatedAccount(f.account); err != nil {
		return o, err
	}
	if err := o.Validate(); err != nil {
		return o, unusable("see `wactl emulate --help`", "emulate: %w", err)
	}
	return o, nil
}

// appendTo opens a file that a record is added to: "-" is stdout, and no name is nil.
func (a *app) appendTo(path string) (io.Writer, error) {
	switch path {
	case "":
		return nil, nil
	case "-":
		return a.out.Out, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) // it holds phone numbers
	if err != nil {
		return nil, unusable("name a file in a folder that you may write to", "--journal: %w", err)
	}
	return file, nil
}

func closeJournal(w io.Writer) error {
	if file, ok := w.(*os.File); ok {
		return file.Close()
	}
	return nil
}

// listenLoopback listens on address, which must be one that no other machine can reach: the emulator trusts everybody.
func listenLoopback(address string) (net.Listener, error) {
	const hint = "use --listen 127.0.0.1:8025, or port 0 for any free one"
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, unusable(hint, "--listen: %w", err)
	}
	if !resolved.IP.IsLoopback() {
		return nil, unusable(hint, "--listen %s is not a loopback address, and the emulator serves this machine only", address)
	}
	listener, err := net.ListenTCP("tcp", resolved)
	if err != nil {
		return nil, unusable(hint, "--listen: %w", err)
	}
	return listener, nil
}

// What a client may take at most. An emulated answer may be a minute late on purpose.
const (
	slowestHeader  = 10 * time.Second
	slowestRequest = 30 * time.Second
	slowestAnswer  = 2 * time.Minute
	longestDrain   = 10 * time.Second
)

// serve answers requests until ctx ends, then lets those under way finish.
func serve(ctx context.Context, listener net.Listener, h http.Handler, latency time.Duration) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: slowestHeader, ReadTimeout: slowestRequest,
		WriteTimeout: slowestAnswer + latency, IdleTimeout: slowestAnswer, MaxHeaderBytes: 64 << 10}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestDrain+latency)
	defer cancel()
	err := server.Shutdown(drain)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close() // an answer that is late on purpose need not be waited for
	}
	<-failed // always http.ErrServerClosed after Shutdown
	return err
}

// tellLedger says what was accepted and refused. Faults were asked for, so they are no reason to fail.
func (a *app) tellLedger(l emulator.Ledger, failOnRefusal bool) error {
	refused, parts := 0, []string{}
	for _, by := range slices.Sorted(maps.Keys(l.Refused)) {
		if n := l.Refused[by]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", by, output.Count(n)))
			if by != "fault" {
				refused += n
			}
		}
	}
	a.out.Note("accepted %s; refused: %s", output.Count(l.Accepted), cmp.Or(strings.Join(parts, ", "), "none"))
	if failOnRefusal && refused > 0 {
		return &Fail{Exit: exitProblems, Err: fmt.Errorf("%s requests were refused", output.Count(refused)),
			Hint: "the journal (--journal FILE) says which and why"}
	}
	return nil
}

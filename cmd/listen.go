package cmd

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/feedback"
	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/campaign/webhook"
	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// The secrets of a webhook: a file by its flag, or a variable.
const (
	appSecretFlag       = "app-secret-file"
	appSecretVariable   = "WACTL_APP_SECRET"
	verifyTokenFlag     = "verify-token-file"
	verifyTokenVariable = "WACTL_VERIFY_TOKEN"
)

// listenFlags are the flags of `wactl listen` as they were given.
type listenFlags struct {
	listen, state, forward         string
	appSecretFile, verifyTokenFile string
}

func newListen(a *app) *cobra.Command {
	var f listenFlags
	c := &cobra.Command{
		Use:   "listen",
		Short: "Receive webhooks: what was delivered, read or failed, and who wrote",
		Long: "Receives the platform's webhooks into the state: what was delivered, read or failed, who wrote, who\n" +
			"opted out. A send that runs acts on them at once, others when they begin. It checks the signature of\n" +
			"each, and prints its address when it is ready. `wactl help webhooks` tells how to set it up.",
		Example: "  wactl listen --app-secret-file secret.txt --verify-token-file verify.txt\n" +
			"  wactl listen --listen 127.0.0.1:9000 --forward http://127.0.0.1:8000/webhook",
		GroupID: groupCampaign,
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.listen(c.Context(), f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8026", "`ADDRESS` to listen on; port 0 is any free one")
	flags.StringVar(&f.appSecretFile, appSecretFlag, "", "`FILE` with the app secret that signs webhooks; - is stdin; else "+appSecretVariable)
	flags.StringVar(&f.verifyTokenFile, verifyTokenFlag, "", "`FILE` with the verify token of the handshake; else "+verifyTokenVariable)
	flags.StringVar(&f.forward, "forward", "", "`URL` that gets the same bytes and signature")
	addStateFlag(c, &f.state)
	return c
}

// listen receives webhooks until ctx ends.
func (a *app) listen(ctx context.Context, f listenFlags) error {
	o, err := a.listenOptions(f)
	if err != nil {
		return err
	}
	path, err := statePath(f.state, journal.Target{})
	if err != nil {
		return err
	}
	store, err := journal.Open(ctx, path, journal.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	listener, err := a.listenAt(f.listen)
	if err != nil {
		return err
	}
	var forward *webhook.Forwarder
	if f.forward != "" {
		forward = webhook.NewForwarder(f.forward, nil)
		o.Forward = forward.Forward
	}
	o.Write = writeNews(store)
	l := webhook.NewListener(o)
	endJoin := a.joinOrphans(ctx, store)
	a.out.Line("http://%s", listener.Addr())
	served := serve(ctx, listener, l, 0)
	l.Close()
	endJoin()
	a.endForward(forward)
	a.tellWebhooks(l.Counts())
	if served != nil {
		return &Fail{Exit: exitUnusable, Err: fmt.Errorf("listen: %w", served)}
	}
	return nil
}

// joinEvery is how often the senders of orphans are looked for, where the platform does not hand our ids back.
const joinEvery = 30 * time.Second

// joinOrphans looks for the senders of orphans now and then, and once more when it is ended.
func (a *app) joinOrphans(ctx context.Context, store *journal.Store) (end func()) {
	over, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	join := func(ctx context.Context) {
		if _, err := store.Join(ctx); err != nil && ctx.Err() == nil {
			a.out.Warn("%v", err)
		}
	}
	work.Go(func() {
		tick := time.NewTicker(joinEvery)
		defer tick.Stop()
		for {
			select {
			case <-over.Done():
				return
			case <-tick.C:
				join(over)
			}
		}
	})
	return func() {
		stop()
		work.Wait()
		join(context.WithoutCancel(ctx))
	}
}

// writeNews writes news into a state. Numbers that it does not know yet are taken to be the platform's own.
func writeNews(store *journal.Store) func(context.Context, feedback.Batch) (map[string]int, error) {
	home := journal.Target{Provider: providerCloud, BaseURL: cloudapi.DefaultBaseURL}
	return func(ctx context.Context, b feedback.Batch) (map[string]int, error) {
		return store.Ingest(ctx, b, home, ratelimit.At(time.Now()))
	}
}

// providerCloud is the platform's own API.
const providerCloud = "cloud"

// listenOptions turns flags into options.
func (a *app) listenOptions(f listenFlags) (o webhook.Options, err error) {
	if f.forward != "" {
		if err := checkURL("--forward", f.forward); err != nil {
			return o, err
		}
	}
	if f.appSecretFile == "-" && f.verifyTokenFile == "-" {
		return o, unusable("put one of them into a file", "both secrets cannot come from stdin")
	}
	if o.Secret, err = a.appSecret(f.appSecretFile); err != nil {
		return o, err
	}
	if o.VerifyToken, err = a.hidden(f.verifyTokenFile, "verify token", verifyTokenFlag, verifyTokenVariable); err != nil {
		return o, err
	}
	if o.VerifyToken == "" {
		a.out.Note("without a verify token (--%s) a callback that is set up anew cannot be confirmed", verifyTokenFlag)
	}
	o.Canonical, o.Refused = canonical, a.refusedOnce()
	return o, nil
}

// refusedOnce warns of each reason for a refusal once: a stranger may knock a thousand times.
func (a *app) refusedOnce() func(why string) {
	var mu sync.Mutex
	told := map[string]bool{}
	return func(why string) {
		mu.Lock()
		defer mu.Unlock()
		if !told[why] && len(told) < 20 {
			told[why] = true
			a.out.Warn("refused: %s", why)
		}
	}
}

// appSecret is the secret of the app that webhooks are signed with.
func (a *app) appSecret(path string) ([]byte, error) {
	secret, err := a.hidden(path, "app secret", appSecretFlag, appSecretVariable)
	if err == nil && secret == "" {
		err = unusable("name a file with --"+appSecretFlag+", or set "+appSecretVariable+"; the app's basic settings show it",
			"there is no app secret, and without it anybody could tell anything")
	}
	return []byte(secret), err
}

// hidden is a secret from a file or else from a variable; empty where neither is given.
func (a *app) hidden(path, what, flag, variable string) (string, error) {
	if path == "" {
		text, _ := a.sources.variable(variable)
		return strings.TrimSpace(text), nil
	}
	text, err := a.secretFile(path, what+" file", "--"+flag)
	if err == nil && strings.TrimSpace(text) == "" {
		err = unusable("put the "+what+" there", "the %s in %s is empty", what, path)
	}
	return strings.TrimSpace(text), err
}

// canonical is the one number of a person whom the platform knows by a WhatsApp id.
func canonical(waID string) uint64 {
	if waID == "" {
		return 0
	}
	return normalize.Parse("+"+waID, "").Digits
}

// listenAt listens on any address, and says what it means when that is not this machine's own.
func (a *app) listenAt(address string) (net.Listener, error) {
	const hint = "use --listen 127.0.0.1:8026, or port 0 for any free one"
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, unusable(hint, "--listen: %w", err)
	}
	listener, err := net.ListenTCP("tcp", resolved)
	if err != nil {
		return nil, unusable(hint, "--listen: %w", err)
	}
	if !resolved.IP.IsLoopback() {
		a.out.Warn("%s can be reached from other machines, and it speaks plain http: put a TLS proxy in front", listener.Addr())
	}
	return listener, nil
}

// checkURL refuses what is no http address.
func checkURL(flag, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return unusable("write it as http://HOST:PORT/PATH or https://…", "%s %q is no web address", flag, text)
	}
	return nil
}

// endForward hands on what is left, and says what was lost.
func (a *app) endForward(f *webhook.Forwarder) {
	if f == nil {
		return
	}
	if lost := f.Close(longestDrain); lost > 0 {
		a.out.Warn("%s could not be handed on with --forward", plural(lost, "webhook", "webhooks"))
	}
}

// tellWebhooks says what came.
func (a *app) tellWebhooks(c webhook.Counts) {
	a.out.Note("%s; %s", plural(c.Webhooks, "webhook", "webhooks"), cmp.Or(newsText(c.News), "nothing new"))
	if c.Refused > 0 {
		a.out.Warn("%s refused", plural(c.Refused, "request was", "requests were"))
	}
	if c.Unread > 0 {
		a.out.Warn("%s nothing that the platform is known to send", plural(c.Unread, "item was", "items were"))
	}
}

// newsWords are what news are counted by, in the order and the words in which they are told.
var newsWords = []struct{ name, words string }{
	{feedback.CountNew, "new"},
	{feedback.CountOrphan, "about messages of others or not known yet"},
	{string(campaign.Sent), "now sent"},
	{string(campaign.Failed), "now failed"},
	{string(campaign.Pending), "pending again"},
}

// newsText lists what news brought, empty for nothing.
func newsText(news map[string]int) string {
	var parts []string
	for _, w := range newsWords {
		if n := news[w.name]; n > 0 {
			parts = append(parts, output.Count(n)+" "+w.words)
		}
	}
	return strings.Join(parts, ", ")
}

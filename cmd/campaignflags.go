package cmd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/normalize"
	listlines "github.com/wactl/wactl/normalize/lines"
	"github.com/wactl/wactl/ratelimit"
)

// campaignFlags are the flags that dry-run and send share: the list, its content and the limits.
type campaignFlags struct {
	mediaFlags
	region         string
	phoneColumns   []string
	consentColumns []string
	suppress       []string
	optOuts        func(category string) (*normalize.Suppressions, error) // of the state; nil for a command without one

	template, templateFile, language, text string
	params, sets, defaults                 []string
	duplicates                             *choice

	mps, tier    string
	reserve      int
	pairInterval time.Duration
	coexistence  bool
	when         whenFlags

	numbers []campaign.Number             // where several send; their messages are shared out by the plan
	sends   func(recipient uint64) string // which of them wrote to somebody before; may be nil
	noText  bool                          // nobody will ask for the messages' texts: the plan keeps none
	noHash  bool                          // nobody will compare the list and its messages with those of another run
}

func (f *campaignFlags) add(c *cobra.Command) {
	f.mediaFlags.add(c)
	flags := c.Flags()
	flags.StringVar(&f.region, "region", "", "country of numbers written without one, such as `BR`; \"international\": bare digits carry theirs")
	flags.StringArrayVar(&f.phoneColumns, "phone-column", nil, "`NAME` of the column with the phone numbers, or #N for the Nth column; may be repeated")
	flags.StringArrayVar(&f.consentColumns, "consent-column", nil, "`NAME` of a column that says who has opted out; may be repeated")
	addSuppressFlag(c, &f.suppress)

	flags.StringVar(&f.template, "template", "", "`NAME` of the template to send")
	flags.StringVar(&f.templateFile, "template-file", "", "`FILE` with the template's JSON as the API returns it, to check the parameters against")
	flags.StringVar(&f.language, "language", "", "language `CODE` of the template, exact: en is not en_US")
	flags.StringVar(&f.text, "text", "", "free `TEXT` to send; {{column}} is filled from the row")
	flags.StringArrayVar(&f.params, "param", nil, "`KEY=COLUMN`: fill a parameter from a column, such as body.1=name; may be repeated")
	flags.StringArrayVar(&f.sets, "set", nil, "`KEY=VALUE`: one value for all, or language=BR:pt_BR,MX:es_MX by country; may be repeated")
	flags.StringArrayVar(&f.defaults, "default", nil, "`KEY=VALUE`: the value for empty cells; may be repeated")
	f.duplicates = &choice{allowed: []string{string(campaign.RefuseDuplicates), string(campaign.FirstDuplicate),
		string(campaign.LastDuplicate), string(campaign.AllDuplicates)}}
	flags.Var(f.duplicates, "duplicates", "different messages to one person (default refuse, with content columns all)")

	flags.StringVar(&f.mps, "mps", "", "pace in messages per second (`N`), used as given (default 95 % of the number's level: 76)")
	flags.StringVar(&f.tier, "tier", "", "messaging limit, `250|2000|10000|100000|unlimited` people in 24 hours (default unknown: counted, not enforced)")
	flags.DurationVar(&f.pairInterval, "pair-interval", ratelimit.PairInterval, "what one message to one person costs its pair; less than 6s is for rehearsals on this machine")
	flags.IntVar(&f.reserve, "reserve-inbound", 0, "`MPS` to leave free for inbound messages, which count too")
	flags.BoolVar(&f.coexistence, "coexistence", false, "the number is used in the Business app too: 20 messages per second")
	f.when.add(c)
}

// pairs reads KEY=VALUE flags.
func pairs(flag string, given []string) (map[string]string, error) {
	m := map[string]string{}
	for _, g := range given {
		key, value, ok := strings.Cut(g, "=")
		if !ok || key == "" {
			return nil, unusable("write it as --"+flag+" KEY=VALUE", "--%s %q has no key and value", flag, g)
		}
		if _, twice := m[key]; twice {
			return nil, unusable("give each key once", "--%s gives %q twice", flag, key)
		}
		m[key] = value
	}
	return m, nil
}

// spec is the content flags as the template room takes them.
func (f *campaignFlags) spec() (s template.Spec, err error) {
	s = template.Spec{Template: f.template, Language: f.language, Text: f.text}
	if s.Params, err = pairs("param", f.params); err != nil {
		return s, err
	}
	if s.Set, err = pairs("set", f.sets); err != nil {
		return s, err
	}
	if s.Defaults, err = pairs("default", f.defaults); err != nil {
		return s, err
	}
	if f.templateFile == "" {
		return s, nil
	}
	text, err := os.ReadFile(f.templateFile)
	if err != nil {
		return s, unusable("name the template's JSON file", "template file: %w", err)
	}
	all, err := template.ParseAll(text)
	if err == nil {
		s.File, err = template.Choose(all, f.template, oneLanguage(s))
	}
	if err != nil {
		return s, fmt.Errorf("template file %s: %w", f.templateFile, err)
	}
	return s, nil
}

// oneLanguage is the language of all messages, empty where it differs by country.
func oneLanguage(s template.Spec) string {
	if byCountry := s.Set["language"]; byCountry != "" {
		if strings.Contains(byCountry, ":") {
			return ""
		}
		return byCountry
	}
	return s.Language
}

// planned is a campaign file read and rendered.
type planned struct {
	*campaign.Plan
	options  campaign.PlanOptions
	list     *normalize.List
	uses     []template.Use
	attached *attachments
	summed   *contents // nil until somebody asks
	hashes   struct{ list, mapping string }
}

// plan reads the campaign file at path; "-" is stdin.
func (f *campaignFlags) plan(ctx context.Context, a *app, path, numberID string, start time.Time) (*planned, error) {
	debug.SetGCPercent(planGC)
	if f.noText {
		debug.SetGCPercent(noTextGC)
	}
	spec, err := f.spec()
	if err != nil {
		return nil, err
	}
	if err := stdinOnce(append(f.suppress, path)...); err != nil {
		return nil, err
	}
	var in io.Reader = &patient{ctx: ctx, in: a.out.In}
	size := int64(0)
	if path != stdio {
		file, err := openCampaign(ctx, path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = &patient{ctx: ctx, in: file}
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			in, size = stoppable{file, func() error { return context.Cause(ctx) }}, info.Size()
		}
	}
	p, err := f.planOf(ctx, a, spec, campaignFile{path, in, size}, numberID, start)
	if stop := context.Cause(ctx); err != nil && stop != nil {
		err = fmt.Errorf("%s: %w", path, stop) // not what a reader that was stopped takes it for
	}
	return p, err
}

func openCampaign(ctx context.Context, path string) (*os.File, error) {
	file, err := openWaiting(ctx, path)
	if stop := context.Cause(ctx); err != nil && stop != nil {
		return nil, fmt.Errorf("%s: %w", path, stop)
	}
	if err != nil {
		return nil, unusable("name an existing campaign file; - is stdin", "campaign file: %w", err)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, unusable("name one file", "campaign file: %s is a folder", path)
	}
	return file, nil
}

// campaignFile is an opened campaign file.
type campaignFile struct {
	path string
	in   io.Reader
	size int64 // in bytes, 0 where that is not known
}

// planOf reads an opened campaign file.
func (f *campaignFlags) planOf(ctx context.Context, a *app, spec template.Spec, file campaignFile, numberID string, start time.Time) (*planned, error) {
	suppressed, err := f.leftAlone(ctx, a, spec)
	if err != nil {
		return nil, err
	}
	text, err := listlines.Unpack(file.path, file.in) // a plan knows the list however it is packed
	if err != nil {
		return nil, listError(err)
	}
	defer text.Close()
	sum, in := sha256.New(), io.Reader(text)
	if !f.noHash {
		in = io.TeeReader(text, sum)
	}
	list, err := normalize.Open(file.path, in, normalize.Options{Region: f.region, PhoneColumns: f.phoneColumns,
		ConsentColumns: f.consentColumns, Size: file.size})
	if err != nil {
		return nil, listError(err)
	}
	defer list.Close()
	attached := f.attachments(a, file.path)
	spec.Files = attached.look
	content, err := template.NewContent(spec, list.Header)
	if err != nil {
		return nil, errors.Join(err, attached.close())
	}
	p := &planned{list: list, uses: content.Uses(), attached: attached}
	p.options = campaign.PlanOptions{Duplicates: f.duplicatesFor(content), NumberID: numberID, Now: start, Suppressed: suppressed, NoText: f.noText, NoHash: f.noHash}
	if spec.File != nil {
		p.options.Category = spec.File.Category
	}
	p.options.Numbers, p.options.Sends = f.numbers, f.sends
	p.options.Tier, _ = parseTier(f.tier) // it was read before
	if p.Plan, err = campaign.NewPlan(list, content, p.options); err != nil {
		return nil, listError(withHint(withHint(err, campaign.ErrConflict, "--duplicates first, last or all says what becomes of them"),
			campaign.ErrOtherNumber, "make a campaign file for each number"))
	}
	if !f.noHash {
		p.hashes.list = hex.EncodeToString(sum.Sum(nil))
	}
	p.hashes.mapping, err = hashOf(spec)
	return p, err
}

// leftAlone are the people who opted out: of the files that --suppress names, and of the state.
func (f *campaignFlags) leftAlone(ctx context.Context, a *app, spec template.Spec) (known *normalize.Suppressions, err error) {
	if f.optOuts != nil {
		category := ""
		if spec.File != nil {
			category = spec.File.Category
		}
		if known, err = f.optOuts(category); err != nil {
			return nil, err
		}
	}
	return a.suppressed(ctx, known, f.suppress, normalize.Options{Region: f.region, PhoneColumns: f.phoneColumns})
}

// listError brings the hint of an error about the list's file along.
func listError(err error) error {
	if e, ok := errors.AsType[*listlines.FileError](err); ok {
		return &Fail{Exit: exitUnusable, Err: err, Hint: e.Hint}
	}
	return err
}

// withHint adds a hint where err matches is.
func withHint(err, is error, hint string) error {
	if errors.Is(err, is) {
		return &Fail{Exit: exitUnusable, Err: err, Hint: hint}
	}
	return err
}

func hashOf(spec template.Spec) (string, error) {
	text, err := json.Marshal(spec)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// duplicatesFor is what was asked, or what the file suggests: with content columns each row is a message of its own.
func (f *campaignFlags) duplicatesFor(c *template.Content) campaign.Duplicates {
	switch {
	case f.duplicates.value != "":
		return campaign.Duplicates(f.duplicates.value)
	case c.HasColumns():
		return campaign.AllDuplicates
	}
	return campaign.RefuseDuplicates
}

// longestInterval is twice the published one: with it the longest burst and its answer still lie within ledgerFor.
const longestInterval = 2 * ratelimit.PairInterval

// limits are the limits that the flags ask for. known says whether the number's level was told.
func (f *campaignFlags) limits() (l campaign.Limits, known bool, err error) {
	l.Pair = ratelimit.PublishedPair(ratelimit.Spaced)
	if f.pairInterval <= 0 || f.pairInterval > longestInterval {
		return l, false, unusable("leave it out: the platform's is 6s", "--pair-interval %s is no time from 1ns to %s", f.pairInterval, longestInterval)
	}
	l.Pair.Interval = f.pairInterval
	l.Number.Level = ratelimit.LevelDefault
	if f.reserve < 0 {
		return l, false, unusable("give a number of messages per second", "--reserve-inbound %d is negative", f.reserve)
	}
	if f.coexistence {
		l.Number.Level, known = ratelimit.LevelCoexist, true
	}
	l.Number.Pace = ratelimit.DefaultPace(l.Number.Level, f.reserve)
	if f.mps != "" {
		if l.Number.Pace, err = parsePace(f.mps); err != nil {
			return l, false, err
		}
		if known = true; !f.coexistence {
			l.Number.Level = levelFor(l.Number.Pace)
		}
	}
	if l.Tier, err = parseTier(f.tier); err != nil {
		return l, known, err
	}
	return l, known, f.when.into(&l)
}

// levelFor is the lowest level that allows a pace; a pace above all levels stands for a level of its own.
func levelFor(p ratelimit.Pace) int {
	for _, level := range []int{ratelimit.LevelDefault, ratelimit.LevelUpgraded} {
		if p <= ratelimit.PerSecond(level) {
			return level
		}
	}
	return int(p / 1000)
}

// fastest is more than one number can send.
const fastest = 100_000

func parsePace(text string) (ratelimit.Pace, error) {
	p, ok := paceOf(text)
	if !ok {
		return 0, unusable("76 suits a number with the default level of 80", "--mps %q is no number of messages per second from 0.001 to %d", text, fastest)
	}
	return p, nil
}

// paceOf reads a pace in messages a second; false for what is none.
func paceOf(text string) (ratelimit.Pace, bool) {
	r, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "/eEpPxX_") || r.Sign() <= 0 || r.Cmp(big.NewRat(fastest, 1)) > 0 || r.Cmp(big.NewRat(1, 1000)) < 0 {
		return 0, false
	}
	r.Mul(r, big.NewRat(1000, 1))
	return ratelimit.Pace(new(big.Int).Div(r.Num(), r.Denom()).Int64()), true
}

func parseTier(text string) (int, error) {
	if text == "" || text == "unlimited" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || !slices.Contains(ratelimit.Tiers, n) {
		return 0, unusable("WhatsApp Manager shows the portfolio's messaging limit", "--tier %q is none of 250, 2000, 10000, 100000, unlimited", text)
	}
	return n, nil
}

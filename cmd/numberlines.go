package cmd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/journal"
)

// line is one of the numbers that send, or that are asked about: what was said of it, and the way to it.
type line struct {
	namedNumber
	target   journal.Target
	provider campaign.Provider
	reader   *reader
}

// lines are the named numbers with their places. Where none is named it is unnamed, at the place that the flags say.
func (f *targetFlags) lines(a *app, c *cobra.Command, named []namedNumber, unnamed namedNumber) (all []line, err error) {
	if len(named) > 1 {
		f.numberID, f.number = named[0].ID, ""
		if err := f.oneProvider(a, c, named); err != nil {
			return nil, err
		}
	}
	target, err := f.target()
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		unnamed.ID = target.NumberID
		named = []namedNumber{unnamed}
	}
	for _, n := range named {
		if target.NumberID = n.ID; strings.ContainsAny(n.ID, "/?#% \t") {
			return nil, unusable(providerOf(f.provider.value).idHint, "--phone-number-id %q is no id", n.ID)
		}
		all = append(all, line{namedNumber: n, target: target})
	}
	return all, nil
}

// oneProvider refuses numbers of several providers: one command goes to one.
func (f *targetFlags) oneProvider(a *app, c *cobra.Command, named []namedNumber) error {
	typed := a.origins.of(c.Flags().Lookup("provider")).level
	var first string
	for i, n := range named {
		own := firstOf(n.table["provider"], f.provider.value)
		if typed == fromFlag || typed == fromEnv {
			own = f.provider.value
		}
		if i == 0 {
			first = own
		}
		if own != first {
			return unusable("run it for the numbers of each provider", "number %s sends through %s, and number %s through %s", named[0].ID, first, n.ID, own)
		}
	}
	if err := f.provider.Set(first); err != nil {
		return unusable("see `wactl help providers`", "[numbers] provider: %w", err)
	}
	return nil
}

func firstOf(e entry, otherwise string) string { return cmp.Or(first(e), otherwise) }

// connectAll makes the provider of each number. Those with one token share one, and its connections. With open service windows the sandbox
// enforces no messaging limit.
func (f *targetFlags) connectAll(a *app, c *cobra.Command, lines []line, limits campaign.Limits, open int) error {
	bySource, byToken := map[tokenSource]*line{}, map[string]*line{}
	for i := range lines {
		l := &lines[i]
		source := tokenSource{}
		if !f.sandbox {
			source = a.tokenOf(c, first(l.table["token-file"]))
			source.from = origin{} // wherever it was named: stdin can be read only once
		}
		if same := bySource[source]; same != nil {
			l.provider, l.reader = same.provider, same.reader
			continue
		}
		token := ""
		var err error
		if f.sandbox {
			l.provider, err = f.connectSandbox(limits, open)
		} else if token, _, err = a.tokenIn(c, source); err != nil {
			return err
		} else if same := byToken[token]; same != nil {
			l.provider, l.reader = same.provider, same.reader
		} else {
			l.provider, err = f.connectWith(token, limits)
		}
		if err != nil {
			return err
		}
		if l.reader == nil {
			l.reader = newReader(l.provider, f.account)
		}
		bySource[source], byToken[token] = l, l
	}
	return nil
}

// tokenFiles are the files that the access tokens of some numbers are read from.
func (f *targetFlags) tokenFiles(a *app, c *cobra.Command, lines []line) (files []string) {
	if f.sandbox {
		return nil
	}
	for _, l := range lines {
		files = append(files, a.tokenOf(c, first(l.table["token-file"])).file)
	}
	slices.Sort(files)
	return slices.Compact(files) // one file, or stdin, is read once for all numbers
}

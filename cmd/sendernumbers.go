package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// senders are the business numbers that a forecast is for: as named by --number, in the tables of the settings, or by --phone-number-id.
// None is named: the forecast is for a number of which nothing is known. Known says whether the level of each was told.
func (f *dryRunFlags) senders(a *app, c *cobra.Command) (all []campaign.Number, known bool, err error) {
	names, ids := listed(f.number), listed(f.numberID)
	typed := a.origins.of(c.Flags().Lookup("phone-number-id")).level
	if len(names) > 1 && len(ids) > 0 && (typed == fromFlag || typed == fromEnv) {
		return nil, false, unusable("name the numbers by one of them", "--number and --phone-number-id both name the numbers that send")
	}
	known = true
	for _, name := range names {
		if len(names) == 1 {
			break // its table has filled the flags already
		}
		table, path, err := a.sources.number(name)
		if err != nil {
			return nil, false, err
		}
		n := campaign.Number{ID: first(table["phone-number-id"]), Name: name}
		if n.ID == "" {
			return nil, false, unusable("write id = \"…\" into it", "%s: [numbers.%s] has no id", path, name)
		}
		told, err := f.fill(a, c, &n, table)
		if err != nil {
			return nil, false, err
		}
		all, known = append(all, n), known && told
	}
	for _, id := range ids {
		if len(names) > 1 {
			break
		}
		n := campaign.Number{ID: id}
		var table map[string]entry
		if len(ids) == 1 {
			n.Portfolio, n.Name = f.portfolio, f.number
		} else {
			n.Name, table = a.sources.withID(id)
		}
		told, err := f.fill(a, c, &n, table)
		if err != nil {
			return nil, false, err
		}
		all, known = append(all, n), known && told
	}
	return all, known, twice(all)
}

// twice refuses a number that is named twice: its messages would be paced as those of two.
func twice(all []campaign.Number) error {
	for i, n := range all {
		if slices.ContainsFunc(all[:i], func(o campaign.Number) bool { return o.ID == n.ID }) {
			return unusable("name each number once", "the number %q is named twice", n.ID)
		}
	}
	return nil
}

// fill gives a number its level, pace and portfolio. What was typed for all numbers wins over its table, but no pace for all lifts a number
// in coexistence over what it may send.
func (f *dryRunFlags) fill(a *app, c *cobra.Command, n *campaign.Number, table map[string]entry) (known bool, err error) {
	one := f.campaignFlags
	forAll := a.origins.of(c.Flags().Lookup("mps")).level
	if own := first(table["mps"]); own != "" && forAll != fromFlag && forAll != fromEnv {
		one.mps = own
	}
	if n.Portfolio == "" {
		n.Portfolio = first(table["portfolio"])
	}
	one.coexistence = one.coexistence || first(table["coexistence"]) == "true"
	l, known, err := one.limits()
	n.Throughput = l.Number
	if one.coexistence && first(table["coexistence"]) == "true" && first(table["mps"]) != one.mps {
		n.Throughput.Pace = min(n.Throughput.Pace, ratelimit.DefaultPace(ratelimit.LevelCoexist, f.reserve))
	}
	return known, err
}

// withID is the table of the settings that speaks of a number, and its name; none where no table does.
func (s sources) withID(id string) (name string, table map[string]entry) {
	for _, f := range s.files {
		for n, keys := range f.numbers {
			if first(keys["phone-number-id"]) == id && (name == "" || n < name) {
				name, table = n, keys
			}
		}
		if name != "" {
			break
		}
	}
	return name, table
}

// first is a value of a settings file, of a list its first; empty without one.
func first(e entry) string {
	if len(e.values) == 0 {
		return ""
	}
	return e.values[0]
}

// listed cuts a comma list; nothing at all is no part of it.
func listed(text string) []string {
	if text == "" {
		return nil
	}
	parts := strings.Split(text, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

package cmd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/ratelimit"
)

// namedNumber is a business number as flags and settings name it.
type namedNumber struct {
	campaign.Number
	table       map[string]entry // of the settings, beside flags that several numbers share; nil: there is none
	mps         string           // asked for; empty: what its level allows
	coexistence bool             // said to be used in the Business app too
	known       bool             // its level was told
}

// numberWords are what flags say about which numbers send.
type numberWords struct{ names, ids, portfolio string }

// senders are the business numbers that send: as named by --number, in the tables of the settings, or by --phone-number-id. None may be named.
func (f *campaignFlags) senders(a *app, c *cobra.Command, w numberWords) (all []namedNumber, err error) {
	names, ids := listed(w.names), listed(w.ids)
	typed := a.origins.of(c.Flags().Lookup("phone-number-id")).level
	if len(names) > 1 && len(ids) > 0 && (typed == fromFlag || typed == fromEnv) {
		return nil, unusable("name the numbers by one of them", "--number and --phone-number-id both name the numbers that send")
	}
	if len(names) > 1 {
		ids = nil // a single name's table has filled the flags already
	} else {
		names = nil
	}
	for _, name := range names {
		table, path, err := a.sources.number(name)
		if err != nil {
			return nil, err
		}
		n := namedNumber{Number: campaign.Number{ID: first(table["phone-number-id"]), Name: name}, table: table}
		if n.ID == "" {
			return nil, unusable("write id = \"…\" into it", "%s: [numbers.%s] has no id", path, name)
		}
		all = append(all, n)
	}
	for _, id := range ids {
		n := namedNumber{Number: campaign.Number{ID: id}}
		if len(ids) == 1 {
			n.Portfolio, n.Name = w.portfolio, w.names
		} else {
			n.Name, n.table = a.sources.withID(id)
		}
		all = append(all, n)
	}
	for i := range all {
		if err := f.fill(a, c, &all[i]); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b namedNumber) int { return cmp.Compare(a.ID, b.ID) }) // which is named first says nothing
	return all, twice(all)
}

// numbersOf are the numbers as the limits take them; known says whether the level of each was told.
func numbersOf(all []namedNumber) (numbers []campaign.Number, known bool) {
	known = true
	for _, n := range all {
		numbers, known = append(numbers, n.Number), known && n.known
	}
	return numbers, known
}

// twice refuses a number that is named twice: its messages would be paced as those of two.
func twice(all []namedNumber) error {
	for i, n := range all {
		if slices.ContainsFunc(all[:i], func(o namedNumber) bool { return o.ID == n.ID }) {
			return unusable("name each number once", "the number %q is named twice", n.ID)
		}
	}
	return nil
}

// fill gives a number its level, pace and portfolio. What was typed for all numbers wins over its table, but no pace for all lifts a number
// in coexistence over what it may send.
func (f *campaignFlags) fill(a *app, c *cobra.Command, n *namedNumber) error {
	one := *f
	forAll := a.origins.of(c.Flags().Lookup("mps")).level
	if own := first(n.table["mps"]); own != "" && forAll != fromFlag && forAll != fromEnv {
		one.mps = own
	}
	if n.Portfolio == "" {
		n.Portfolio = first(n.table["portfolio"])
	}
	one.coexistence = one.coexistence || first(n.table["coexistence"]) == "true"
	l, known, err := one.limits()
	n.Throughput, n.mps, n.coexistence, n.known = l.Number, one.mps, one.coexistence, known
	if one.coexistence && first(n.table["coexistence"]) == "true" && first(n.table["mps"]) != one.mps {
		n.Throughput.Pace = min(n.Throughput.Pace, ratelimit.DefaultPace(ratelimit.LevelCoexist, f.reserve))
	}
	return err
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

// several is a flag that may be repeated: each value joins those before it after a comma.
type several struct {
	text  *string
	given bool
}

// severalFlag adds a flag that names one thing or several.
func severalFlag(c *cobra.Command, text *string, name, usage string) {
	c.Flags().Var(&several{text: text}, name, usage)
}

// Set implements pflag.Value.
func (s *several) Set(value string) error {
	if s.given {
		value = *s.text + "," + value
	}
	*s.text, s.given = value, true
	return nil
}

// String implements pflag.Value.
func (s *several) String() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Type implements pflag.Value.
func (*several) Type() string { return "string" }

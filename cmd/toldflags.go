package cmd

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
)

// toldFlags tell what neither the list nor the state knows: who was written to before, and what messages cost.
type toldFlags struct {
	already  string
	rates    string
	category *choice
}

func (f *toldFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.already, "already-messaged", "", "people who take a slot of the messaging limit at the start: `N`, or a FILE that lists them")
	flags.StringVar(&f.rates, "rates", "", "`FILE` with prices: columns market, category, price, currency")
	f.category = &choice{allowed: []string{"marketing", "utility", "authentication"}}
	flags.Var(f.category, "category", "the template's category, where no --template-file tells it")
}

// categoryOf is the category of a plan's template in lower case, from its JSON or as told; empty where it is not known.
func (f *toldFlags) categoryOf(p *planned) string {
	return strings.ToLower(cmp.Or(p.options.Category, f.category.value))
}

package normalize

import "github.com/wactl/wactl/campaign/template"

// Barred warns of a number to which the platform delivers no template of the content's category: marketing to the United States, since 1 Apr 2025.
//
// A number counts by its area code. Those of Canada and the Caribbean are not concerned, and of the territories nothing is known, as of
// numbers without an area code, such as toll-free ones.
func Barred(n Number, content *template.Content) (f Finding, barred bool) {
	if content.Category() != "MARKETING" || n.Region != "US" || n.Kind != "fixed-line-or-mobile" {
		return Finding{}, false
	}
	return Found("us-marketing"), true
}

package normalize

import "sync/atomic"

// told are the findings of a rule whose words name a country: made once for each country, and shared by all numbers.
type told struct {
	rule string
	by   [26 * 26]atomic.Pointer[[]Finding]
}

// The rules that say why digits are no number of a country.
var (
	tooShort   = told{rule: "too-short"}
	tooLong    = told{rule: "too-long"}
	unassigned = told{rule: "invalid-number"}
)

// in is the finding for a country, alone in a list that is not to be changed.
func (t *told) in(country string) []Finding {
	if len(country) != 2 || country[0]-'A' > 25 || country[1]-'A' > 25 {
		return []Finding{Found(t.rule, country)}
	}
	at := &t.by[int(country[0]-'A')*26+int(country[1]-'A')]
	if known := at.Load(); known != nil {
		return *known
	}
	made := []Finding{Found(t.rule, country)}
	at.Store(&made)
	return made
}

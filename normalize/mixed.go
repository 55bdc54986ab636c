package normalize

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

// From how many rows of other countries on, and from which share, a list is mixed: at least 3, and one in five.
const (
	mixedRows  = 3
	mixedShare = 5
)

// mix counts the numbers of rows for which the list's region stands: those that no country column speaks for.
type mix struct {
	codes  []int // calling codes of the list's regions; nil where numbers without a code are not read
	all    int   // with a number
	bare   int   // of them written without a country code, and so read for the region
	abroad int   // of another country
	by     tally // the same by ISO code
	homes  []int // keys of regions that are known to be home, and of which this is not so
	others []int
}

// mixOf begins the counts of a list of regions, with commas between.
func mixOf(regions string) mix {
	var m mix
	if regions == "" || regions == International {
		return m
	}
	for region := range strings.SplitSeq(regions, ",") {
		m.codes = append(m.codes, numplan.Code(region))
	}
	return m
}

// reset forgets all counts.
func (m *mix) reset() { *m = mix{codes: m.codes, by: m.by[:0], homes: m.homes, others: m.others} }

// add adds the counts of some rows of the list.
func (m *mix) add(o *mix) {
	m.all, m.bare, m.abroad = m.all+o.all, m.bare+o.bare, m.abroad+o.abroad
	for _, one := range o.by {
		m.by.add(one.region, one.n)
	}
}

// count counts one number. Countries that share a calling code are one here: among them no digits have two meanings.
func (m *mix) count(n *Number) {
	if m.codes == nil || n.Digits == 0 {
		return
	}
	m.all++
	switch {
	case !m.isHome(n):
		m.abroad++
		m.by.add(n.Region, 1)
	case n.bare:
		m.bare++
	}
}

// isHome says whether a number is of one of the list's countries. It remembers that of each country.
func (m *mix) isHome(n *Number) bool {
	key := regionKey(n.Region)
	switch {
	case slices.Contains(m.homes, key):
		return true
	case slices.Contains(m.others, key):
		return false
	}
	home := slices.Contains(m.codes, callingCode(n))
	switch {
	case key == 0: // of no country: its code has to be asked each time
	case home:
		m.homes = append(m.homes, key)
	default:
		m.others = append(m.others, key)
	}
	return home
}

// callingCode is the calling code of a number.
func callingCode(n *Number) int {
	cc := numplan.Code(n.Region)
	if cc == 0 { // a number of no country
		cc, _ = numplan.SplitCode(strconv.FormatUint(n.Digits, 10))
	}
	return cc
}

// countries are those of the most numbers, with their counts.
func (m *mix) countries() string {
	const most = 3
	all := slices.Clone(m.by)
	slices.SortFunc(all, func(a, b counted) int { return cmp.Or(b.n-a.n, strings.Compare(a.region, b.region)) })
	var shown []string
	for i, one := range all {
		if i == most {
			shown = append(shown, "…")
			break
		}
		shown = append(shown, fmt.Sprintf("%s %d", one.region, one.n))
	}
	return strings.Join(shown, ", ")
}

// mixed warns, at the header, of a list whose region may not be that of all numbers which were read for it.
func (l *List) mixed() (f Finding, found bool) {
	m := &l.mix
	if m.bare == 0 || m.abroad < mixedRows || m.abroad*mixedShare < m.all {
		return Finding{}, false
	}
	f = Found("mixed-countries", l.Region, m.bare, m.all, m.abroad, m.countries())
	if f.Line = l.HeaderLine; f.Line > 0 {
		i := l.columns.phones[0].index
		f.Column, f.Header, f.Char = i+1, l.Header[i], l.head.Char(i)
	}
	return f, true
}

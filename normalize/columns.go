package normalize

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
)

// The reasons why a list cannot be used although it can be read. They are wrapped in a lines.FileError.
var (
	ErrNoPhoneColumn        = errors.New("no phone column")
	ErrAmbiguousPhoneColumn = errors.New("ambiguous phone column")
	ErrUnknownColumn        = errors.New("no such column")
	ErrUnknownRegion        = errors.New("no such region")
)

// phoneColumn is a column that numbers are taken from.
type phoneColumn struct {
	index         int // from 0
	rank          int
	label         int  // index of the cell that says what kind of number it is, or -1
	international bool // its digits carry their country code
}

// consentColumn is a column that says who must not be written to.
type consentColumn struct {
	index int // from 0
	kind  int
}

// columns says which column of a list is for what.
type columns struct {
	phones    []phoneColumn // in the order in which they are tried
	consents  []consentColumn
	countries []int // as in byRole: every row asks for them
	byRole    map[Role][]int
}

// finder looks for the columns of one list and knows how to refuse it.
type finder struct {
	path   string
	line   int // of the header
	header []string
	columns
}

// findColumns gives every column its meaning, or says why no number can be taken from the list.
func findColumns(path string, headerLine int, header []string, o Options) (columns, error) {
	f := &finder{path: path, line: headerLine, header: header, columns: columns{byRole: map[Role][]int{}}}
	for i, h := range header {
		f.add(i, h)
	}
	if err := f.nameConsents(o.ConsentColumns); err != nil {
		return f.columns, err
	}
	if len(o.PhoneColumns) == 0 {
		f.rankPhones()
	} else if err := f.namePhones(o.PhoneColumns); err != nil {
		return f.columns, err
	}
	f.byRole[RolePhone] = nil
	for i, p := range f.phones {
		f.phones[i].international = fold(header[p.index]) == "waid"
		f.byRole[RolePhone] = append(f.byRole[RolePhone], p.index)
	}
	f.countries = f.byRole[RoleCountry]
	if len(f.phones) == 0 {
		return f.columns, f.fail(ErrNoPhoneColumn, "no-phone-column", noPhoneHint(header), "no column has a header that means a phone number")
	}
	if same := f.sameHeader(); same != nil && len(o.PhoneColumns) == 0 {
		return f.columns, f.fail(ErrAmbiguousPhoneColumn, "ambiguous-phone-column", sayWhich(same[0], header),
			listed(same, header)+" mean the same; nothing tells which holds the number")
	}
	return f.columns, nil
}

// fail refuses the list at its header.
func (f *finder) fail(reason error, rule, hint, msg string) error {
	return &lines.FileError{Path: f.path, Line: f.line, Rule: rule, Msg: msg, Hint: hint, Err: reason}
}

// namePhones takes the columns that the user named, in that order, and no others.
func (f *finder) namePhones(names []string) error {
	f.phones = nil
	for rank, name := range names {
		at := match(f.header, name)
		switch len(at) {
		case 0:
			return f.unknown("--phone-column", name)
		case 1:
			f.phones = append(f.phones, phoneColumn{index: at[0], rank: rank, label: -1})
		default:
			return f.fail(ErrAmbiguousPhoneColumn, "ambiguous-phone-column", sayWhich(at[0], f.header),
				fmt.Sprintf("%s all match --phone-column %s", listed(at, f.header), short(name)))
		}
	}
	return nil
}

// nameConsents takes the columns that the user named, unless their headers were understood already.
func (f *finder) nameConsents(names []string) error {
	for _, name := range names {
		at := match(f.header, name)
		if at == nil {
			return f.unknown("--consent-column", name)
		}
		for _, i := range at {
			known := func(x consentColumn) bool {
				return x.index == i && (x.kind == consentGiven || x.kind == consentWithdrawn || x.kind == consentState)
			}
			if !slices.ContainsFunc(f.consents, known) {
				f.consents = append(f.consents, consentColumn{i, consentState})
				f.byRole[RoleConsent] = append(f.byRole[RoleConsent], i)
			}
		}
	}
	return nil
}

// unknown refuses a flag that names a column which the list has not.
func (f *finder) unknown(flag, name string) error {
	return f.fail(ErrUnknownColumn, "", seen(f.header), fmt.Sprintf("the list has no column %s, which %s names", short(name), flag))
}

// add gives a column every meaning that its header has.
func (c *columns) add(i int, header string) {
	for _, m := range meaningsOf(header) {
		c.byRole[m.role] = append(c.byRole[m.role], i)
		switch m.role {
		case RolePhone:
			c.phones = append(c.phones, phoneColumn{index: i, rank: m.kind, label: -1})
		case RoleConsent:
			c.consents = append(c.consents, consentColumn{i, m.kind})
		}
	}
}

// rankPhones puts the phone columns in order, drops loose ones where better ones exist, and ties each to the cell that labels it.
func (f *finder) rankPhones() {
	slices.SortStableFunc(f.phones, func(a, b phoneColumn) int { return cmp.Compare(a.rank, b.rank) })
	if len(f.phones) > 0 && f.phones[0].rank < rankLoose {
		f.phones = slices.DeleteFunc(f.phones, func(p phoneColumn) bool { return p.rank == rankLoose })
	}
	for n := range f.phones {
		stem, _ := strings.CutSuffix(fold(f.header[f.phones[n].index]), "value")
		for i, h := range f.header {
			if l := fold(h); l == stem+"label" || l == stem+"type" {
				f.phones[n].label = i
			}
		}
	}
}

// sameHeader is the first group of phone columns whose headers are equal in folded form, or nil.
func (f *finder) sameHeader() []int {
	groups := map[string][]int{}
	for _, p := range f.phones {
		h := fold(f.header[p.index])
		groups[h] = append(groups[h], p.index)
	}
	for _, p := range f.phones {
		if g := groups[fold(f.header[p.index])]; len(g) > 1 {
			return g
		}
	}
	return nil
}

// match finds the columns of a name: with exactly this header, or else with the same folded one, or else #N by its place.
func match(header []string, name string) []int {
	for _, same := range []func(a, b string) bool{
		func(a, b string) bool { return a == b },
		func(a, b string) bool { return fold(a) == fold(b) },
	} {
		var at []int
		for i, h := range header {
			if same(h, name) {
				at = append(at, i)
			}
		}
		if at != nil {
			return at
		}
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "#")); err == nil && strings.HasPrefix(name, "#") && n >= 1 && n <= len(header) {
		return []int{n - 1}
	}
	return nil
}

// nameOf is what means this column alone: its name, or its place where others have the same name.
func nameOf(at int, header []string) string {
	if len(match(header, header[at])) == 1 && strings.TrimSpace(header[at]) != "" {
		return header[at]
	}
	return "#" + strconv.Itoa(at+1)
}

// sayWhich is the hint that names a column which would do.
func sayWhich(at int, header []string) string {
	return fmt.Sprintf("say which one counts, for example: --phone-column %q", nameOf(at, header))
}

// listed names columns for a message.
func listed(at []int, header []string) string {
	var names []string
	for _, i := range at {
		names = append(names, fmt.Sprintf("column %d (%s)", i+1, short(header[i])))
	}
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// seen is a hint that lists the headers.
func seen(header []string) string {
	const most = 20
	var names []string
	for _, h := range header[:min(most, len(header))] {
		names = append(names, short(h))
	}
	if len(header) > most {
		names = append(names, fmt.Sprintf("and %d more", len(header)-most))
	}
	return "the headers are " + strings.Join(names, ", ")
}

// noPhoneHint tells a list without header, or with rows before it, from one with unknown headers.
func noPhoneHint(header []string) string {
	for _, h := range header {
		if n := Parse(h, International); n.Digits != 0 {
			return "the first line must hold the column names, but it looks like a row: add a header line"
		}
	}
	return seen(header) + "; name the phone column with --phone-column, or delete what stands before the header line"
}

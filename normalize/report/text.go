package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/wactl/wactl/normalize"
)

// usualPerRule is how many problems of one rule a person wants to see before counting is enough.
const usualPerRule = 10

// Text is a report for people: sections, worst first. Its strings are safe to print anywhere.
type Text struct {
	Sections []Section
	Infos    int // information-level problems, which are not shown
}

// Section is the problems of one rule and severity.
type Section struct {
	Rule     string
	Severity normalize.Severity
	Count    int
	Hint     string // what to do about them, may be empty
	Places   []Place
	More     int // problems that Places leaves out
}

// Place is one problem of a section. Where is its file, line and character as editors understand it.
type Place struct {
	Where   string
	Header  string
	Value   string
	Message string
}

// ruleLevel is what a section stands for: a rule may be graded twice.
type ruleLevel struct {
	rule string
	rank int
}

// Sections is the report for people. Information-level problems are counted only.
func Sections(r Report, o Options) (Text, error) {
	all, err := byRuleAndLevel(r, o)
	if err != nil {
		return Text{}, err
	}
	return sections(all, o), nil
}

// byRuleAndLevel groups the problems as people are shown them.
func byRuleAndLevel(r Report, o Options) ([]*group[ruleLevel], error) {
	return groups(r.each(), cmp.Or(max(o.PerRule, 0), usualPerRule), func(p Problem) ruleLevel { return ruleLevel{p.Rule, rank(p.Severity)} })
}

// sections makes the sections of the groups, which it sorts.
func sections(all []*group[ruleLevel], o Options) (t Text) {
	sortGroups(all)
	for _, g := range all {
		if severities[g.key.rank] == normalize.Info {
			t.Infos += g.count
			continue
		}
		t.Sections = append(t.Sections, section(g, o))
	}
	return t
}

// sortGroups puts the worst first, then the most frequent.
func sortGroups(all []*group[ruleLevel]) {
	slices.SortStableFunc(all, func(a, b *group[ruleLevel]) int {
		return cmp.Or(cmp.Compare(a.key.rank, b.key.rank), cmp.Compare(b.count, a.count), cmp.Compare(a.key.rule, b.key.rule))
	})
}

func section(g *group[ruleLevel], o Options) Section {
	s := Section{Rule: visible(g.key.rule), Severity: severities[g.key.rank], Count: g.count, Hint: hint(g.key.rule), More: g.count - len(g.first)}
	for _, p := range g.first {
		p = o.shown(p)
		s.Places = append(s.Places, Place{
			Where:   where(p),
			Header:  cut(visible(p.Header), mostOfValue),
			Value:   cut(visible(p.Value), mostOfValue),
			Message: cut(visible(p.Message), mostOfMessage),
		})
	}
	return s
}

// where is the place of a problem, as far as it is known: "list.csv:4:6".
func where(p Problem) string {
	text := visible(p.Path)
	for _, n := range []int{p.Line, p.Char} {
		if n == 0 {
			break
		}
		text += ":" + strconv.Itoa(n)
	}
	return text
}

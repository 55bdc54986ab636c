package report

import (
	"fmt"
	"iter"
	"strings"

	"github.com/wactl/wactl/normalize"
)

// FailOn is the mildest severity that makes lint fail. The zero value is FailOnError.
type FailOn int

// The values of --fail-on.
const (
	FailOnError FailOn = iota
	FailOnWarning
	FailOnNever
)

// failOns are the words for FailOn, by its value.
var failOns = []string{"error", "warning", "never"}

// ParseFailOn reads a value of --fail-on; its error says which words there are.
func ParseFailOn(word string) (FailOn, error) {
	for i, w := range failOns {
		if w == word {
			return FailOn(i), nil
		}
	}
	return 0, &usageError{fmt.Sprintf("%s is no severity to fail on", visible(word)), "say " + strings.Join(failOns, ", ")}
}

// Fails says whether what was found is bad enough for exit code 1.
func (f FailOn) Fails(s Summary) bool {
	return f != FailOnNever && s.Errors > 0 || f == FailOnWarning && s.Warnings > 0
}

// failing says whether a problem of this severity alone would make lint fail.
func (f FailOn) failing(s normalize.Severity) bool {
	return f != FailOnNever && rank(s) == 0 || f == FailOnWarning && s == normalize.Warning
}

// Policy leaves out the problems of some rules and grades those of others anew. The zero value changes nothing.
type Policy struct {
	ignore map[string]bool
	grade  map[string]normalize.Severity
}

// ParsePolicy reads the values of --ignore, rules parted by commas, and of --severity, RULE=LEVEL.
func ParsePolicy(ignore, severity []string) (Policy, error) {
	p := Policy{map[string]bool{}, map[string]normalize.Severity{}}
	for _, rule := range split(ignore) {
		if err := checkRule("--ignore", rule); err != nil {
			return p, err
		}
		p.ignore[rule] = true
	}
	for _, s := range split(severity) {
		rule, level, ok := strings.Cut(s, "=")
		if !ok || severities[rank(normalize.Severity(level))] != normalize.Severity(level) {
			return p, &usageError{fmt.Sprintf("--severity %s: no severity is given", visible(s)), "write RULE=error, RULE=warning or RULE=info"}
		}
		if err := checkRule("--severity", rule); err != nil {
			return p, err
		}
		p.grade[rule] = normalize.Severity(level)
	}
	return p, nil
}

// split parts comma lists and leaves out what is empty.
func split(lists []string) (all []string) {
	for _, list := range lists {
		for word := range strings.SplitSeq(list, ",") {
			if word = strings.TrimSpace(word); word != "" {
				all = append(all, word)
			}
		}
	}
	return all
}

// checkRule refuses a name that no rule has: a mistyped one would silently do nothing.
func checkRule(flag, rule string) error {
	_, used := normalize.RuleNamed(rule)
	if _, paged := Page(rule); used || paged {
		return nil
	}
	return &usageError{fmt.Sprintf("%s %s: no rule has this name", flag, visible(rule)), "wactl lint --rules lists the rules"}
}

// Apply is the problem as the policy grades it, and whether it counts at all.
func (p Policy) Apply(x Problem) (Problem, bool) {
	if grade, ok := p.grade[x.Rule]; ok {
		x.Severity = grade
	}
	return x, !p.ignore[x.Rule]
}

// Of is the problems that count, graded anew.
func (p Policy) Of(problems iter.Seq2[Problem, error]) iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		for x, err := range problems {
			graded, counts := p.Apply(x)
			if (counts || err != nil) && !yield(graded, err) {
				return
			}
		}
	}
}

package report

import (
	"iter"

	"github.com/wactl/wactl/normalize"
)

// severities are all grades, worst first.
var severities = []normalize.Severity{normalize.Error, normalize.Warning, normalize.Info}

// rank is the place of a severity in severities. An ungraded problem is an error.
func rank(s normalize.Severity) int {
	for i, other := range severities {
		if s == other {
			return i
		}
	}
	return 0
}

// group is the problems that share a key: the first few and the number of all.
type group[K comparable] struct {
	key   K
	count int
	first []Problem
}

// groups collects the problems by key, in the order in which keys come, and keeps at most keep of each.
func groups[K comparable](problems iter.Seq2[Problem, error], keep int, key func(Problem) K) ([]*group[K], error) {
	var all []*group[K]
	byKey := map[K]*group[K]{}
	for p, err := range problems {
		if err != nil {
			return nil, err
		}
		k := key(p)
		g := byKey[k]
		if g == nil {
			g = &group[K]{key: k}
			byKey[k], all = g, append(all, g)
		}
		if g.count++; len(g.first) < keep {
			g.first = append(g.first, p)
		}
	}
	return all, nil
}

// worst is the first n problems of the worst severities, and the number of all problems of each severity.
func worst(problems iter.Seq2[Problem, error], n int) (first []Problem, counts [3]int, err error) {
	all, err := groups(problems, n, func(p Problem) int { return rank(p.Severity) })
	for level := range severities {
		for _, g := range all {
			if g.key == level {
				first, counts[level] = append(first, g.first...), g.count
			}
		}
	}
	return first[:min(n, len(first))], counts, err
}

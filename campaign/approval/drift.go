package approval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Drift is one part of a plan that is not as it was approved, and by how much.
type Drift struct {
	Part string // "list", "content", "limits" or "order"
	Says string
}

// Drift lists the parts in which now differs from the approved plan; none means that it may be sent.
func (p Plan) Drift(now Plan) (all []Drift) {
	for _, part := range []struct {
		name string
		says string
	}{
		{"list", listDrift(p.List, now.List)},
		{"content", contentDrift(p, now)},
		{"limits", limitsDrift(p.Limits, now.Limits)},
		{"order", orderDrift(p, now)},
	} {
		if part.says != "" {
			all = append(all, Drift{part.name, part.says})
		}
	}
	return all
}

func listDrift(was, is List) string {
	var says []string
	count := func(what string, was, is int) {
		if was != is {
			says = append(says, fmt.Sprintf("%s %d, now %d", what, was, is))
		}
	}
	count("rows", was.Rows, is.Rows)
	count("messages", was.Messages, is.Messages)
	count("people", was.Recipients, is.Recipients)
	rules := slices.Sorted(maps.Keys(was.Skipped))
	for rule := range is.Skipped {
		if _, both := was.Skipped[rule]; !both {
			rules = append(rules, rule)
		}
	}
	slices.Sort(rules)
	for _, rule := range rules {
		count("left out for "+rule, was.Skipped[rule], is.Skipped[rule])
	}
	switch {
	case was.Sketch != is.Sketch:
		most := was.Messages + is.Messages
		says = append(says, about(differ(was.Sketch, is.Sketch, most), "recipient is new or gone", "recipients are new or gone"))
	case was.Hash != is.Hash && len(says) == 0:
		says = append(says, "the file is another one, with the same people")
	}
	return strings.Join(says, "; ")
}

func contentDrift(was, is Plan) string {
	var says []string
	if was.Content.Mapping != is.Content.Mapping {
		says = append(says, "the flags or the template's JSON are other ones")
	}
	if was.Content.Sketch != is.Content.Sketch && was.List.Sketch == is.List.Sketch {
		most := max(was.List.Messages, is.List.Messages)
		n := differ(was.Content.Sketch, is.Content.Sketch, most)
		says = append(says, about(n, "message", "messages")+fmt.Sprintf(" of %d with another content", most))
	}
	if len(says) == 0 && was.Content.Hash != is.Content.Hash && was.List.Sketch == is.List.Sketch {
		says = append(says, "at least one message has another content")
	}
	return strings.Join(says, "; ")
}

func limitsDrift(was, is map[string]string) string {
	names := slices.Collect(maps.Keys(was))
	for name := range is {
		if _, both := was[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var says []string
	for _, name := range names {
		if was[name] != is[name] {
			says = append(says, fmt.Sprintf("%s %s, now %s", name, orNone(was[name]), orNone(is[name])))
		}
	}
	return strings.Join(says, "; ")
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}

// orderDrift is empty where people differ: then the order does too, and the list says so.
func orderDrift(was, is Plan) string {
	if was.Order.Hash == is.Order.Hash || was.List.Sketch != is.List.Sketch {
		return ""
	}
	if was.Order.Sketch == is.Order.Sketch {
		return "the same people, from other numbers"
	}
	n := differ(was.Order.Sketch, is.Order.Sketch, max(was.List.Messages, is.List.Messages))
	return about(n, "place is another person's", "places are another person's")
}

// few is up to how many differences are as good as counted.
const few = 4

func about(n int, one, many string) string {
	switch {
	case n == 1:
		return "1 " + one
	case n <= few:
		return fmt.Sprintf("%d %s", n, many)
	}
	return fmt.Sprintf("about %d %s", n, many)
}

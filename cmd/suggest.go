package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError puts a wrong flag into words.
func flagError(c *cobra.Command, err error) error {
	help := "see `" + c.CommandPath() + " --help`"
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + e.GetSpecifiedName()
		if e.GetSpecifiedShortnames() != "" {
			name = "-" + e.GetSpecifiedShortnames()
		}
		return unusable(cmp.Or(didYouMean(name, names), help), "%s has no flag %s", c.CommandPath(), name)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return unusable(help, "--%s needs a value", e.GetFlag().Name)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return valueError("--"+e.GetFlag().Name, e.GetFlag(), e.GetValue(), e.Unwrap(), help)
	}
	return &Fail{Exit: exitUnusable, Err: err, Hint: help}
}

// valueWords say what a flag of a type takes, where the library's own error speaks Go.
var valueWords = map[string]string{
	"int":      "it is a whole number",
	"uint":     "it is a whole number from 0",
	"uint64":   "it is a whole number from 0",
	"int64":    "it is a whole number",
	"float64":  "it is a number",
	"intSlice": "it is a whole number, or several with commas between them",
	"bool":     "it is true or false",
	"duration": "it is a duration such as 150ms, 6s or 2m30s",
}

// valueError says that place (a flag, a variable, a line of a file) holds a value that the flag cannot take, and what it could.
func valueError(place string, f *pflag.Flag, value string, cause error, help string) error {
	if words, ok := valueWords[f.Value.Type()]; ok {
		cause = errors.New(words)
	}
	hint := help
	if e, ok := errors.AsType[*choiceError](cause); ok {
		hint = cmp.Or(e.Hint(), help)
		cause = errors.New(e.Error()) // the hint is told once
	}
	return unusable(hint, "%s cannot be %q: %w", place, value, cause)
}

// didYouMean is a hint that names the candidate nearest to what was typed, empty when none is near.
func didYouMean(typed string, candidates []string) string {
	best, distance := "", 1+max(1, len(typed)/3)
	for _, c := range candidates {
		if d := edits(typed, c); d < distance || strings.HasPrefix(c, typed) && len(typed) > 2 && best == "" {
			best, distance = c, min(d, distance)
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// edits is the Levenshtein distance: insertions, deletions and changes of one byte that make b from a.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

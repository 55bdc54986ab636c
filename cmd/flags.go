package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is a flag value that is one of a few words. Its type, as help shows it, is the words.
type choice struct {
	value   string
	allowed []string
}

func (v *choice) String() string { return v.value }
func (v *choice) Type() string   { return strings.Join(v.allowed, "|") }

// Set takes one of the allowed words.
func (v *choice) Set(s string) error {
	if !slices.Contains(v.allowed, s) {
		return &choiceError{allowed: v.allowed, given: s}
	}
	v.value = s
	return nil
}

// choiceError knows the words that would have done.
type choiceError struct {
	allowed []string
	given   string
}

func (e *choiceError) Error() string { return "it is one of " + strings.Join(e.allowed, ", ") }

// Hint is the nearest allowed word.
func (e *choiceError) Hint() string { return didYouMean(e.given, e.allowed) }

// choiceFlag adds a flag that takes one of the allowed words; the first is its default. The shell completes them.
func choiceFlag(c *cobra.Command, name, usage string, allowed ...string) *choice {
	v := &choice{value: allowed[0], allowed: allowed}
	c.Flags().Var(v, name, usage)
	if err := c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // only for a flag that does not exist
	}
	return v
}

// The formats of commands that report.
const (
	formatText = "text"
	formatJSON = "json"
)

// formatFlag adds --format to a command that reports.
func formatFlag(c *cobra.Command) *choice {
	return choiceFlag(c, "format", "how the result is written", formatText, formatJSON)
}

// show writes a result in the format that was asked for: v as JSON, or what text writes.
func (a *app) show(format *choice, v any, text func()) error {
	if format.value == formatJSON {
		return a.out.JSON(v)
	}
	text()
	return nil
}

// noArgs refuses any argument.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unusable("see `"+c.CommandPath()+" --help`", "%s takes no argument, but %q was given", c.CommandPath(), args[0])
}

// oneArg wants exactly one argument, called name in the message.
func oneArg(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		hint := "usage: " + c.UseLine()
		switch {
		case len(args) == 0:
			return unusable(hint, "%s needs %s", c.CommandPath(), name)
		case len(args) > 1:
			return unusable(hint, "%s takes one argument, %s, but %q was given too", c.CommandPath(), name, args[1])
		}
		return nil
	}
}

// knownCommand is the root's check of arguments: what reaches it named no command.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return unusable(cmp.Or(didYouMean(args[0], names), "`wactl --help` lists the commands"), "unknown command %q", args[0])
}

// unusable is a Fail for a command or input that cannot be used.
func unusable(hint, format string, args ...any) error {
	return &Fail{Exit: exitUnusable, Err: fmt.Errorf(format, args...), Hint: hint}
}

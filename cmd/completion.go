package cmd

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// shells are the shells that completion knows, each with its writer.
var shells = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) },
	"zsh":        func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) },
}

func newCompletion(a *app) *cobra.Command {
	names := slices.Sorted(maps.Keys(shells))
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write the script that completes wactl's commands in a shell",
		Long:  "Writes a completion script for " + strings.Join(names, ", ") + " to stdout.",
		Example: "  source <(wactl completion bash)\n" +
			"  wactl completion zsh > \"${fpath[1]}/_wactl\"\n" +
			"  wactl completion fish > ~/.config/fish/completions/wactl.fish\n" +
			"  wactl completion powershell | Out-String | Invoke-Expression",
		GroupID:               groupSetup,
		DisableFlagsInUseLine: true,
		Args:                  oneArg("SHELL"),
		ValidArgs:             names,
		RunE: func(c *cobra.Command, args []string) error {
			write, ok := shells[args[0]]
			if !ok {
				return unusable(didYouMean(args[0], names), "no completion for %q: it is one of %s", args[0], strings.Join(names, ", "))
			}
			return write(c.Root(), a.out.Out)
		},
	}
}

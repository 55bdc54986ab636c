// Package cmd is the shell of wactl: one file per command, each of which turns flags into options, makes one core call and shows its result.
//
// A run goes through Main (root.go), which reads settings into the flags (settings.go), and ends in report (exit.go).
package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/cmd/output"
)

// app is what all commands of one run share.
type app struct {
	out     *output.Streams
	env     func(name string) (string, bool)
	sources sources // where settings come from; loaded before a command runs
	origins origins // where each flag of this run has its value from

	wall func() time.Time // the wall clock of a send; nil: the machine's
}

// Main runs wactl with args, without the program's name, and is its exit code.
func Main(args []string, in io.Reader, out, err io.Writer) (code int) {
	signal.Ignore(syscall.SIGPIPE) // a reader that goes away must not kill a send; output swallows what nobody reads
	a := &app{env: os.LookupEnv, origins: origins{}}
	early := output.Options{NoColor: slices.Contains(args, "--no-color")}
	a.out = output.New(in, out, err, a.terminalOptions(early))
	defer func() {
		if fault := recover(); fault != nil {
			code = report(a.out, internalFault(fault))
		}
	}()
	ctx, stop := interrupts(context.Background(), a.announceStop, os.Exit)
	defer stop()

	root := newRoot(a)
	root.SetArgs(args)
	failure := root.ExecuteContext(ctx)
	if lost := a.out.Failed(); lost != nil {
		failure = errors.Join(failure, &Fail{Exit: exitUnusable, Err: fmt.Errorf("write the result: %w", lost), Hint: "the result is not complete"})
	}
	return report(a.out, failure)
}

func (a *app) announceStop(os.Signal) {
	a.out.Note("stopping when what is under way is done; once more to leave at once")
}

// terminalOptions adds to o what the environment says about terminals.
func (a *app) terminalOptions(o output.Options) output.Options {
	if no, _ := a.env("NO_COLOR"); no != "" {
		o.NoColor = true
	}
	if name, _ := a.env("TERM"); name == "dumb" {
		o.NoColor, o.Dumb = true, true
	}
	return o
}

// The groups of commands in the help.
const (
	groupLists    = "lists"
	groupCampaign = "campaign"
	groupLogs     = "logs"
	groupSetup    = "setup"
)

// newRoot is the whole tree of commands. It must stay cheap: every run builds it.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:     "wactl",
		Short:   "Plan, pace and send campaigns over the official WhatsApp Cloud API",
		Long:    "wactl sends campaigns over the official WhatsApp Cloud API: paced by its limits,\nsafe to kill, safe to run again. It is no WhatsApp Web client.",
		Example: "  wactl help limits\n  wactl emulate --listen 127.0.0.1:8025",
		Version: wactlVersion(),

		SilenceUsage:      true,
		SilenceErrors:     true,
		Args:              knownCommand,
		PersistentPreRunE: a.prepare,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(a.out.In)
	root.SetOut(a.out.Out)
	root.SetErr(a.out.Err)
	root.SetVersionTemplate("wactl {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.showCommand(c) })
	root.CompletionOptions.DisableDefaultCmd = true // completion.go has its own, with an example

	flags := root.PersistentFlags()
	flags.Bool("quiet", false, "no progress and no notes; warnings and errors stay")
	flags.Bool("no-color", false, "no colour, even on a terminal")
	flags.Bool("mask", false, "hide the middle digits of phone numbers, and message ids")

	root.AddGroup(&cobra.Group{ID: groupLists, Title: "Lists:"}, &cobra.Group{ID: groupCampaign, Title: "Campaigns:"},
		&cobra.Group{ID: groupLogs, Title: "When something was refused:"}, &cobra.Group{ID: groupSetup, Title: "Setup:"})
	root.AddCommand(newLint(a), newNormalize(a), newSuppress(a), newDryRun(a), newPreflight(a), newSend(a), newStatus(a), newState(a),
		newNumbers(a), newTemplate(a), newListen(a),
		newExplain131056(a), newExplain(a), newCalibrate(a), newLimits(a), newEmulate(a), newConfig(a), newVersion(a), newCompletion(a))
	root.SetHelpCommand(newHelp(a))
	return root
}

// prepare reads the settings into the command's flags before it runs.
func (a *app) prepare(c *cobra.Command, _ []string) error {
	if readsSettings(c) {
		if err := a.loadSources(c.Root()); err != nil {
			return err
		}
		if err := a.sources.apply(c, a.origins); err != nil {
			return err
		}
	}
	var o output.Options
	o.Quiet, _ = c.Flags().GetBool("quiet")
	o.NoColor, _ = c.Flags().GetBool("no-color")
	o.Mask, _ = c.Flags().GetBool("mask")
	a.out.Use(a.terminalOptions(o))
	return nil
}

// readsSettings is false for commands that must work beside a broken settings file: they help to mend it, or run when a shell starts.
func readsSettings(c *cobra.Command) bool {
	return c.HasParent() && c.Name() != "help" && c.Name() != "completion" && !strings.HasPrefix(c.Name(), "__")
}

// internalFault is a panic as an error: where it happened in one line, never a stack.
func internalFault(fault any) error {
	place := "an unknown place"
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more, panicked := true, false; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if panicked && !strings.HasPrefix(f.Function, "runtime.") {
			place = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
			break
		}
		panicked = panicked || f.Function == "runtime.gopanic"
	}
	return &Fail{Exit: exitUnusable, Err: fmt.Errorf("internal fault at %s: %v", place, fault),
		Hint: "this is a fault of wactl itself; please report it with the command that you ran"}
}

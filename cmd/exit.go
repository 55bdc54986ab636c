package cmd

import (
	"context"
	"errors"
	"slices"

	"github.com/wactl/wactl/campaign/journal"
	"github.com/wactl/wactl/cmd/output"
)

// The exit codes, as published. A script may rely on each.
const (
	exitDone     = 0 // done, nothing wrong
	exitProblems = 1 // done, and problems were found
	exitUnusable = 2 // the command or its input cannot be used
	exitStopped  = 3 // stopped early, can be resumed
	exitHarm     = 4 // stopped because going on would do harm
	exitInUse    = 5 // another process has the campaign or the number
)

// precedence says which exit code is told where several fit: the first.
var precedence = []int{exitUnusable, exitInUse, exitHarm, exitStopped, exitProblems, exitDone}

// worst is the exit code to tell where all of codes fit.
func worst(codes ...int) int {
	for _, code := range precedence {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return exitDone
}

// Fail is how a command ends with an exit code of its choice. Without Err it ends silently: the result has told all.
type Fail struct {
	Exit int    // one of the exit constants
	Err  error  // what went wrong and where
	Hint string // what to do next, may be empty
}

func (f *Fail) Error() string {
	if f.Err == nil {
		return ""
	}
	return f.Err.Error()
}

// Unwrap is Err.
func (f *Fail) Unwrap() error { return f.Err }

// ended is what a command returns whose result has told all: nil for exitDone, else a silent Fail.
func ended(code int) error {
	if code == exitDone {
		return nil
	}
	return &Fail{Exit: code}
}

// errInterrupted is the cause of a context that a signal cancelled.
var errInterrupted = errors.New("interrupted")

// knownErrors are errors of other rooms that mean an exit code wherever they come from.
var knownErrors = []struct {
	is   error
	exit int
	hint string
}{
	{output.ErrNoTerminal, exitUnusable, "run it in a terminal, or say --yes"},
	{output.ErrDeclined, exitStopped, "nothing more was sent; run the same command again to go on"},
	{journal.ErrInUse, exitInUse, ""},
	{journal.ErrLeaseLost, exitInUse, ""},
	{errInterrupted, exitStopped, "run the same command again to go on"},
	{context.Canceled, exitStopped, "run the same command again to go on"},
}

// verdict is what an error means for the process: its exit code and what to do next.
type verdict struct {
	exit  int
	hints []string
}

// judge collects the exit codes and hints of an error and of all that it wraps. An error without a code is unusable input.
func judge(err error) verdict {
	var v verdict
	var codes []int
	walk(err, func(e error) {
		if f, ok := e.(*Fail); ok {
			codes = append(codes, f.Exit)
			v.add(f.Hint)
		}
		if h, ok := e.(interface{ Hint() string }); ok {
			v.add(h.Hint())
		}
	})
	for _, k := range knownErrors {
		if len(codes) == 0 && errors.Is(err, k.is) {
			codes = append(codes, k.exit)
			v.add(k.hint)
		}
	}
	if len(codes) == 0 {
		codes = []int{exitUnusable}
	}
	v.exit = worst(codes...)
	return v
}

func (v *verdict) add(hint string) {
	if hint != "" && !slices.Contains(v.hints, hint) {
		v.hints = append(v.hints, hint)
	}
}

// walk visits err and everything it wraps, outermost first.
func walk(err error, visit func(error)) {
	if err == nil {
		return
	}
	visit(err)
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		walk(e.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			walk(inner, visit)
		}
	}
}

// report tells an error to the user and is the exit code that it means.
func report(s *output.Streams, err error) int {
	if err == nil {
		return exitDone
	}
	v := judge(err)
	if text := err.Error(); text != "" {
		s.Error("%s", text)
	}
	for _, hint := range v.hints {
		s.Hint("%s", hint)
	}
	return v.exit
}

package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/cmd/output"
)

func TestWorst(t *testing.T) {
	order := []int{2, 5, 4, 3, 1, 0} // as published
	for i, first := range order {
		for _, second := range order[i:] {
			if got := worst(second, first); got != first {
				t.Errorf("worst(%d, %d) = %d, want %d", second, first, got, first)
			}
		}
	}
	if got := worst(); got != exitDone {
		t.Errorf("worst() = %d, want 0", got)
	}
}

type hinted struct{ error }

func (hinted) Hint() string { return "from below" }

func TestReport(t *testing.T) {
	plain := errors.New("list.csv: line 3: too short")
	for name, c := range map[string]struct {
		err  error
		exit int
		told string
	}{
		"nothing":     {nil, 0, ""},
		"plain":       {plain, 2, "error: list.csv: line 3: too short\n"},
		"silent":      {ended(exitProblems), 1, ""},
		"done":        {ended(exitDone), 0, ""},
		"fail":        {&Fail{Exit: 5, Err: plain, Hint: "wait"}, 5, "error: list.csv: line 3: too short\nhint: wait\n"},
		"wrapped":     {fmt.Errorf("send: %w", &Fail{Exit: 4, Err: plain}), 4, "error: send: list.csv: line 3: too short\n"},
		"hint below":  {hinted{plain}, 2, "error: list.csv: line 3: too short\nhint: from below\n"},
		"no terminal": {output.ErrNoTerminal, 2, "error: there is no terminal to ask\nhint: run it in a terminal, or say --yes\n"},
		"declined":    {fmt.Errorf("%w: \"5\" is not 12", output.ErrDeclined), 3, ""},
		"interrupted": {fmt.Errorf("%w (interrupt)", errInterrupted), 3, ""},
		"cancelled":   {context.Canceled, 3, ""},
		"two":         {errors.Join(&Fail{Exit: 1}, &Fail{Exit: 3, Err: plain}), 3, ""},
		"own code":    {&Fail{Exit: 1, Err: context.Canceled}, 1, "error: context canceled\n"},
		"steering":    {errors.New("cell \x1b[31m\nhint: run me"), 2, "error: cell \\x1b[31m\n  hint: run me\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			exit := report(output.New(strings.NewReader(""), &stdout, &stderr, output.Options{}), c.err)
			if exit != c.exit {
				t.Errorf("exit %d, want %d", exit, c.exit)
			}
			if diff := cmp.Diff(c.told, stderr.String()); diff != "" && (c.told != "" || c.exit < 2) {
				t.Errorf("stderr (-want +got):\n%s", diff)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout %q", stdout.String())
			}
		})
	}
}

func TestInternalFaultHasNoStack(t *testing.T) {
	var got error
	func() {
		defer func() { got = internalFault(recover()) }()
		var none map[string]int
		none["x"] = 1
	}()
	v := judge(got)
	if text := got.Error(); v.exit != exitUnusable || strings.Contains(text, "\n") || !strings.Contains(text, "exit_test.go:") {
		t.Errorf("exit %d, text %q", v.exit, text)
	}
}

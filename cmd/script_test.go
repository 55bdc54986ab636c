package cmd

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"wactl": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs testdata/script/<command>_<matter>.txtar with wactl as a command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "settings"))
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("TZ", "UTC")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   scriptExits,
			"address": scriptAddress,
			"get":     scriptGet,
			"post":    scriptPost,
			"tell":    scriptTell,
		},
	})
}

// scriptExits is `exits CODE COMMAND ARG…`: it runs the command and wants that exit code.
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// scriptAddress is `address FILE VARIABLE`: it waits for the first line of FILE and sets VARIABLE to it.
func scriptAddress(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: address FILE VARIABLE")
	}
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if line, _, whole := strings.Cut(string(text), "\n"); err == nil && whole {
			ts.Setenv(args[1], line)
			return
		}
		time.Sleep(10 * time.Millisecond) // another process is starting; nothing tells when it is ready but the file
	}
	ts.Fatalf("%s has no line", args[0])
}

// scriptGet is `get URL`: the answer's status and body become stdout.
func scriptGet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: get URL")
	}
	request, err := http.NewRequest(http.MethodGet, args[0], nil)
	ts.Check(err)
	answer(ts, request)
}

// scriptPost is `post URL FILE [TOKEN]`: it posts FILE as JSON; the answer's status and body become stdout.
func scriptPost(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: post URL FILE [TOKEN]")
	}
	request, err := http.NewRequest(http.MethodPost, args[0], bytes.NewReader([]byte(ts.ReadFile(args[1]))))
	ts.Check(err)
	token := "any"
	if len(args) == 3 {
		token = args[2]
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	answer(ts, request)
}

func answer(ts *testscript.TestScript, request *http.Request) {
	client := http.Client{Timeout: 20 * time.Second}
	response, err := client.Do(request)
	ts.Check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	ts.Check(err)
	_, err = ts.Stdout().Write([]byte(response.Status + "\n" + string(body) + "\n"))
	ts.Check(err)
}

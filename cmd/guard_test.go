package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wactl/wactl/cmd/output"
)

// On a terminal the canary asks how many people are left; only that number goes on.
func TestCanaryAsks(t *testing.T) {
	for typed, want := range map[string]struct {
		exit, sent, pending int
	}{"2\n": {exitDone, 3, 0}, "3\n": {exitStopped, 1, 2}, "yes\n": {exitStopped, 1, 2}, "": {exitStopped, 1, 2}} {
		t.Run(strings.TrimSpace(typed), func(t *testing.T) {
			folder := t.TempDir()
			list := filepath.Join(folder, "list.csv")
			if err := os.WriteFile(list, []byte("phone\n+5511961234567\n+5511961234568\n+5511961234569\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, said bytes.Buffer
			streams := output.New(strings.NewReader(typed), &out, &said, output.Options{})
			streams.InTTY = true
			a := &app{out: streams, env: func(string) (string, bool) { return "", false }, origins: origins{}}
			send := newRoot(a)
			send.SetArgs([]string{"send", list, "--text", "Oi", "--sandbox", "--latency", "1ms", "--state", filepath.Join(folder, "s.db"), "--canary", "1", "--format", "json"})
			err := send.ExecuteContext(t.Context())
			if exit := exitOf(err); exit != want.exit {
				t.Errorf("exit code %d (%v), want %d", exit, err, want.exit)
			}
			var r sendReport
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatalf("%v\n%s%s", err, &out, &said)
			}
			if r.Sent != want.sent || r.Pending != want.pending {
				t.Errorf("sent %d, pending %d; want %d, %d", r.Sent, r.Pending, want.sent, want.pending)
			}
			if !strings.Contains(said.String(), "note: canary: 1 sent, 0 failed, 0 uncertain; 2 messages to 2 people left") {
				t.Errorf("it did not say who is left:\n%s", &said)
			}
			if !strings.Contains(said.String(), "Go on with the rest? Type the number of people to go on:") {
				t.Errorf("it did not ask:\n%s", &said)
			}
		})
	}
}

func exitOf(err error) int {
	if err == nil {
		return exitDone
	}
	if f, ok := errors.AsType[*Fail](err); ok {
		return f.Exit
	}
	return judge(err).exit
}

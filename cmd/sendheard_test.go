package cmd

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/cmd/output"
)

// sleeper is a platform during whose send the wall clock jumps, and what was asked of it.
type sleeper struct {
	em     *emulator.Emulator
	server *httptest.Server
	sent   atomic.Int64
	reads  atomic.Int64
	status atomic.Value // of the number, once it has slept; nil: as before
	by     time.Duration
}

func newSleeper(t *testing.T, by time.Duration) *sleeper {
	s := &sleeper{em: emulator.New(emulator.Options{MPS: 1000}), by: by}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			s.sent.Add(1)
		} else {
			s.reads.Add(1)
			if status, changed := s.status.Load().(string); changed && s.sent.Load() > 0 {
				fmt.Fprintf(w, `{"id":"12","status":%q,"health_status":{"can_send_message":"BLOCKED","entities":[]}}`, status)
				return
			}
		}
		s.em.ServeHTTP(w, r)
	}))
	t.Cleanup(s.server.Close)
	return s
}

// wall is a clock that jumps when ten messages have left.
func (s *sleeper) wall() time.Time {
	if s.sent.Load() >= 10 {
		return time.Now().Add(s.by)
	}
	return time.Now()
}

// After a sleep the number is read again; after a long one somebody is asked, or the send ends where nobody can be.
func TestSendWakesUp(t *testing.T) {
	for name, tt := range map[string]struct {
		by     time.Duration
		typed  string // at the terminal; "-": there is none
		status string
		exit   int
		all    bool
		says   string
	}{
		"short":              {5 * time.Minute, "-", "", exitDone, true, "the clock went on by 5 min"},
		"long, no terminal":  {20 * time.Minute, "-", "", exitStopped, false, "there is no terminal to ask whether to go on"},
		"long, go on":        {20 * time.Minute, "GO\n", "", exitDone, true, "Type GO to send the rest now:"},
		"long, do not":       {20 * time.Minute, "no\n", "", exitStopped, false, "nobody said to go on"},
		"banned meanwhile":   {5 * time.Minute, "-", "BANNED", exitHarm, false, "status"},
		"a moment is no nap": {30 * time.Second, "-", "", exitDone, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSleeper(t, tt.by)
			if tt.status != "" {
				s.status.Store(tt.status)
			}
			folder := t.TempDir()
			list := filepath.Join(folder, "list.csv")
			text := "phone\n"
			for i := range 60 {
				text += fmt.Sprintf("+55119612345%02d\n", i)
			}
			if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, said bytes.Buffer
			streams := output.New(strings.NewReader(tt.typed), &out, &said, output.Options{})
			streams.InTTY = tt.typed != "-"
			variables := map[string]string{tokenVariable: "secret"}
			a := &app{out: streams, env: func(name string) (string, bool) { v, ok := variables[name]; return v, ok }, origins: origins{}, wall: s.wall}
			send := newRoot(a)
			send.SetArgs([]string{"send", list, "--text", "Oi", "--phone-number-id", "12", "--base-url", s.server.URL, "--mps", "200", "--yes",
				"--state", filepath.Join(folder, "s.db")})
			err := send.ExecuteContext(t.Context())
			if exit := exitOf(err); exit != tt.exit {
				t.Errorf("exit code %d (%v), want %d\n%s", exit, err, tt.exit, &said)
			}
			ledger := s.em.Ledger()
			if all := ledger.Accepted == 60; all != tt.all || ledger.AcceptedTwice != 0 {
				t.Errorf("accepted %d, twice %d\n%s", ledger.Accepted, ledger.AcceptedTwice, &said)
			}
			if told := fmt.Sprint(&said, err); !strings.Contains(told, tt.says) {
				t.Errorf("it does not say %q:\n%s", tt.says, told)
			}
			if asked := strings.Contains(tt.says, "clock went on"); asked && s.reads.Load() != 2 {
				t.Errorf("the number was read %d times, want before the send and after the sleep", s.reads.Load())
			}
		})
	}
}

// What is the same for all numbers is said once, the rest beside the number that it is about.
func TestJudgeAll(t *testing.T) {
	well := preflight.Readings{Number: preflight.Number{ID: "1", Status: "CONNECTED", Quality: "GREEN", Level: "STANDARD", Limit: "TIER_250", Mode: "LIVE"}}
	ill := well
	ill.Number.Status = "BANNED"
	checks := judgeAll([]string{"11", "22"}, []preflight.Readings{well, ill})
	stops, subjects := 0, map[string]bool{}
	for _, c := range checks {
		s := subject(c.Check, c.Item)
		if subjects[s] {
			t.Errorf("%s is said twice", s)
		}
		subjects[s] = true
		if c.Verdict == preflight.Stop {
			if stops++; !strings.Contains(s, "of number 22") {
				t.Errorf("%s stops, want number 22", s)
			}
		}
	}
	if stops == 0 || len(checks) >= 2*len(judgeAll([]string{"11"}, []preflight.Readings{well})) {
		t.Errorf("%d stops in %d checks: %v", stops, len(checks), subjects)
	}
}

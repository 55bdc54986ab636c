//go:build linux

package cmd_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is the real wactl, in a folder that is home, settings and work place in one. Nothing of it outlives the test.
type program struct {
	*testing.T
	path   string
	folder string
	token  string
}

// build makes the binary as users have it: signals and kills must hit it, not the test.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wactl")
	if out, err := exec.Command("go", "build", "-o", path, housePath).CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
		t.Skip("the go command is not in PATH")
	} else if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

func newProgram(t *testing.T, path string) program {
	return program{T: t, path: path, folder: t.TempDir(), token: "EAA-of-this-test"}
}

// write puts a file into the folder and is its path.
func (p program) write(name, text string) string {
	p.Helper()
	path := filepath.Join(p.folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
	return path
}

// process is one run of the program.
type process struct {
	program
	*exec.Cmd
	out, err bytes.Buffer // to be read after wait
	done     chan struct{}
}

// start runs wactl with args. The end of the test is the end of the process, however the test ends.
func (p program) start(args ...string) *process {
	p.Helper()
	r := p.ready(args...)
	r.Stdout = &r.out
	r.launch()
	return r
}

func (p program) ready(args ...string) *process {
	r := &process{program: p, Cmd: exec.Command(p.path, args...), done: make(chan struct{})}
	r.Dir, r.Stderr = p.folder, &r.err
	r.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.folder, "XDG_CONFIG_HOME=" + p.folder, "XDG_STATE_HOME=" + p.folder,
		"TZ=UTC", "WACTL_TOKEN=" + p.token}
	r.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return r
}

func (r *process) launch() {
	r.T.Helper()
	if err := r.Start(); err != nil {
		r.Fatal(err)
	}
	go func() {
		defer close(r.done)
		_ = r.Cmd.Wait() // the exit code is in ProcessState
	}()
	r.Cleanup(func() {
		_ = r.Process.Kill()
		<-r.done
	})
}

// patience is how long anything that must happen may take on a busy machine. The long form of the faults needs more.
var patience = 60 * time.Second

// wait is the exit code; -1 when a signal ended the process.
func (r *process) wait() int {
	r.T.Helper()
	select {
	case <-r.done:
		return r.ProcessState.ExitCode()
	case <-time.After(patience):
		r.Fatalf("%s does not end", strings.Join(r.Args, " "))
		return 0
	}
}

func (r *process) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// exits waits for the end and wants this exit code.
func (r *process) exits(code int) *process {
	r.T.Helper()
	if got := r.wait(); got != code {
		r.Fatalf("%s: exit code %d, want %d\nstdout: %s\nstderr: %s", strings.Join(r.Args, " "), got, code, &r.out, &r.err)
	}
	return r
}

// says wants words in what the user reads on stderr.
func (r *process) says(words ...string) *process {
	r.T.Helper()
	for _, w := range words {
		if !strings.Contains(r.err.String(), w) {
			r.Errorf("stderr lacks %q:\n%s", w, &r.err)
		}
	}
	return r
}

func (r *process) signal(s syscall.Signal) {
	r.T.Helper()
	if err := r.Process.Signal(s); err != nil {
		r.Fatalf("%v: %v", s, err)
	}
}

// result is what send tells in JSON.
type result struct {
	Messages, Sent, Held, Failed, Skipped, Uncertain, Pending int
	SentNow                                                   int `json:"sent_now"`
	Stopped                                                   *struct{ Why, Resume string }
}

// result reads stdout, whose sums must add up.
func (r *process) result() (res result) {
	r.T.Helper()
	if err := json.Unmarshal(r.out.Bytes(), &res); err != nil {
		r.Fatalf("the result is no JSON: %v\nstdout: %s\nstderr: %s", err, &r.out, &r.err)
	}
	if sum := res.Sent + res.Held + res.Failed + res.Skipped + res.Uncertain + res.Pending; sum != res.Messages || sum == 0 {
		r.Errorf("the parts add up to %d, messages are %d: %s", sum, res.Messages, &r.out)
	}
	return res
}

// until waits until something is so. Another process is at work; nothing tells when but a look.
func (p program) until(what string, so func() bool) {
	p.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(3 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.Fatalf("it never came about that %s", what)
		}
	}
}

// server is `wactl emulate` in a process of its own, with its record of what it saw.
type server struct {
	*process
	url    string
	record string
	lines  []request // what was read of the record
	bytes  int
}

// emulate starts a server on a free port, or on the one that args name with --listen.
func (p program) emulate(args ...string) *server {
	p.Helper()
	s := &server{record: filepath.Join(p.folder, "record.jsonl")}
	s.process = p.ready(append([]string{"emulate", "--listen", "127.0.0.1:0", "--journal", s.record}, args...)...)
	out, err := s.StdoutPipe()
	if err != nil {
		p.Fatal(err)
	}
	if err := s.Start(); err != nil {
		p.Fatal(err)
	}
	s.Cleanup(func() { _ = s.Process.Kill(); _ = s.Cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.Fatalf("emulate tells no address: %v\n%s", err, &s.err)
	}
	s.url = strings.TrimSpace(line)
	return s
}

// address is host and port, to listen on again.
func (s *server) address() string { return strings.TrimPrefix(s.url, "http://") }

// stop ends the server in its orderly way.
func (s *server) stop() {
	s.T.Helper()
	s.signal(syscall.SIGTERM)
	if err := s.Cmd.Wait(); err != nil {
		s.Fatalf("emulate: %v\n%s", err, &s.err)
	}
}

// ledger is the server's own count.
type ledger struct {
	Accepted      int
	Refused       map[string]int
	AcceptedTwice int `json:"accepted_twice"`
}

// judged is how many requests have had their verdict.
func (l ledger) judged() int { return l.Accepted + l.refused() }

func (l ledger) refused() (n int) {
	for _, count := range l.Refused {
		n += count
	}
	return n
}

func (s *server) ledger() (l ledger) {
	s.T.Helper()
	response, err := http.Get(s.url + "/_wactl/ledger")
	var text []byte
	if err == nil {
		text, err = io.ReadAll(response.Body) // to its end, or the connection is not used again
		err = errors.Join(err, response.Body.Close(), json.Unmarshal(text, &l))
	}
	if err != nil {
		s.Fatalf("ledger: %v", err)
	}
	return l
}

// send starts a send of the list to the server at url, with a state of its own name.
func (p program) send(url, list string, args ...string) *process {
	p.Helper()
	return p.start(p.sendArgs(url, list, args...)...)
}

func (p program) sendArgs(url, list string, args ...string) []string {
	return append([]string{"send", list, "--base-url", url, "--phone-number-id", "1", "--yes", "--format", "json", "--state", p.state()}, args...)
}

func (p program) state() string { return filepath.Join(p.folder, "state.db") }

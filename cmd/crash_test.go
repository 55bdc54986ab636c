//go:build linux

package cmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestCrash is what can happen to a send from outside, as its users live it: each a process, against an emulator in another.
func TestCrash(t *testing.T) {
	if testing.Short() {
		t.Skip("takes real time")
	}
	path := build(t)
	for _, tt := range []struct {
		name string
		test func(p program)
	}{
		{"unreachable", crashUnreachable}, // the longest first
		{"stopped and continued", crashStopped},
		{"in use", crashInUse},
		{"SIGINT", func(p program) { crashSignal(p, syscall.SIGINT) }},
		{"SIGTERM", func(p program) { crashSignal(p, syscall.SIGTERM) }},
		{"SIGHUP", func(p program) { crashSignal(p, syscall.SIGHUP) }},
		{"SIGINT twice", crashTwice},
		{"sent already", crashSentAlready},
		{"sandbox first", crashSandboxFirst},
		{"corrected list", crashCorrected},
		{"token", crashToken},
		{"HTML", crashHTML},
		{"full disk", crashFullDisk},
		{"newer state", crashNewerState},
		{"damaged state", crashDamagedState},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.test(newProgram(t, path))
		})
	}
}

// campaign writes a list of n people.
func (p program) campaign(n int) (*list, string) {
	l := newList(n)
	return l, p.write("list.csv", l.text.String())
}

// sends waits until the server has judged so many requests.
func (s *server) sends(n int) {
	s.until(fmt.Sprintf("%d requests arrive", n), func() bool { return s.ledger().judged() >= n })
}

func crashUnreachable(p program) {
	l, path := p.campaign(20)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		p.Fatal(err)
	}
	address := closed.Addr().String()
	closed.Close()

	r := p.send("http://"+address, path).exits(3).says("could not be reached 5 times in a row", "--base-url")
	if res := r.result(); res.Pending != l.rows || res.Stopped == nil {
		p.Errorf("nobody was reached, and the result tells %s", &r.out)
	}
	s := p.emulate("--listen", address)
	p.send(s.url, path).exits(0)
	l.once(s)
}

// A sender that stood still must not catch up: the number's limit of 80 in any second refuses whoever does.
func crashStopped(p program) {
	l, path := p.campaign(300)
	s := p.emulate("--mps", "80", "--pair-model", "strict", "--latency", "100ms")
	r := p.send(s.url, path, "--mps", "76")
	s.sends(80)
	r.signal(syscall.SIGSTOP)
	time.Sleep(3 * time.Second) // the time in which it would have sent 228
	r.signal(syscall.SIGCONT)
	if res := r.exits(0).result(); res.Sent != l.rows {
		p.Errorf("%s", &r.out)
	}
	if refused := s.ledger().refused(); refused > 0 {
		p.Errorf("%d refused: %+v", refused, s.ledger())
	}
	l.once(s)
}

func crashInUse(p program) {
	l, path := p.campaign(100)
	s := p.emulate("--latency", "200ms")
	holder := p.send(s.url, path, "--mps", "20")
	s.sends(1)
	host, err := os.Hostname()
	if err != nil {
		p.Fatal(err)
	}
	pid := fmt.Sprintf("process %d on %s", holder.Process.Pid, host)
	p.send(s.url, path).exits(5).says(`campaign "list.csv"`, pid)
	p.send(s.url, path, "--campaign", "other").exits(5).says("number 1", pid)
	holder.signal(syscall.SIGINT)
	holder.exits(3)
	p.send(s.url, path).exits(0)
	l.once(s)
}

func crashSignal(p program, signaled syscall.Signal) {
	if signal.Ignored(signaled) {
		p.Skipf("whoever runs this test ignores %v, and so does every process of its", signaled)
	}
	l, path := p.campaign(150)
	s := p.emulate("--latency", "300ms")
	r := p.send(s.url, path, "--mps", "70")
	s.sends(30)
	r.signal(signaled)
	res := r.exits(3).says("stopping when what is under way is done", "run the same command again").result()
	if res.Stopped == nil || res.Stopped.Why == "" || res.Stopped.Resume == "" {
		p.Errorf("the result tells no reason: %s", &r.out)
	}
	if res.Uncertain != 0 || res.Pending == 0 || res.Sent < 30 || res.SentNow != res.Sent {
		p.Errorf("the send was not drained: %s", &r.out)
	}
	record := s.requests()
	for _, q := range record {
		if !q.Answered {
			p.Errorf("the answer for %s was not waited for", q.Recipient)
		}
	}
	if len(record) != res.Sent {
		p.Errorf("%d requests, %d sent", len(record), res.Sent)
	}
	if again := p.send(s.url, path).exits(0).result(); again.SentNow != res.Pending || again.Sent != l.rows {
		p.Errorf("%d were pending; then the result tells %+v", res.Pending, again)
	}
	l.once(s)
}

func crashTwice(p program) {
	const latency = 4 * time.Second
	l, path := p.campaign(30)
	s := p.emulate("--latency", latency.String())
	notes, err := os.Create(filepath.Join(p.folder, "notes")) // to be read while it runs
	if err != nil {
		p.Fatal(err)
	}
	defer notes.Close()
	r := p.ready(p.sendArgs(s.url, path, "--mps", "10")...)
	r.Stdout, r.Stderr = &r.out, notes
	r.launch()
	s.sends(3)
	r.signal(syscall.SIGINT)
	p.until("the first one is noted", func() bool { return strings.Contains(read(p, notes.Name()), "once more") })
	second := time.Now()
	r.signal(syscall.SIGINT)
	r.exits(3)
	if took := time.Since(second); took > latency/2 {
		p.Errorf("leaving at once took %v", took)
	}
	arrived := len(s.requests())
	s.stop() // a quick one takes its place
	s = p.emulate("--listen", s.address())
	res := p.send(s.url, path).exits(1).result()
	if res.Uncertain < arrived || res.Uncertain > arrived+1 || res.Pending != 0 { // one intent may have been on disk
		p.Errorf("%d requests were under way; the result tells %+v", arrived, res)
	}
	// The record goes on in one file, the ledger begins anew.
	l.onceIn(p, s.readAll())
}

func crashSentAlready(p program) {
	l, path := p.campaign(30)
	s := p.emulate()
	p.send(s.url, path).exits(0)
	r := p.send(s.url, path).exits(0)
	if res := r.result(); res.SentNow != 0 || res.Sent != l.rows {
		p.Errorf("the second send tells %s", &r.out)
	}
	if n := len(l.once(s)); n != l.rows {
		p.Errorf("%d requests for %d messages", n, l.rows)
	}
}

func crashSandboxFirst(p program) {
	l, path := p.campaign(30)
	p.start("send", path, "--sandbox", "--latency", "1ms", "--state", p.state()).exits(0)
	s := p.emulate()
	r := p.send(s.url, path).exits(0)
	if res := r.result(); res.SentNow != l.rows {
		p.Errorf("after the sandbox the send tells %s", &r.out)
	}
	if n := len(s.requests()); n != l.rows {
		p.Errorf("%d requests for %d messages", n, l.rows)
	}
}

// texts is an API that accepts everything and remembers what it was to say to whom.
type texts struct {
	mu   sync.Mutex
	said map[string][]string
}

func (a *texts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var message struct {
		To   string
		Text struct{ Body string }
	}
	if err := json.NewDecoder(r.Body).Decode(&message); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.said[message.To] = append(a.said[message.To], message.Text.Body)
	fmt.Fprintf(w, `{"messaging_product":"whatsapp","messages":[{"id":"wamid.%d"}]}`, len(a.said))
}

// to is what it was to say to each person so far.
func (a *texts) to() map[string][]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.said)
}

func crashCorrected(p program) {
	api := &texts{said: map[string][]string{}}
	s := httptest.NewServer(api)
	defer s.Close()
	const before = "phone,text\n+5511960000000,Oi 0\n+5511960000001,Oi 1\n+5511960000002,Oi 2\n+5511960000003,Oi 3\n+5511960000004,Oi 4\n"
	path := p.write("list.csv", before)
	if res := p.send(s.URL, path, "--max", "2").exits(0).result(); res.SentNow != 2 || res.Pending != 3 {
		p.Fatalf("--max 2: %+v", res)
	}
	p.write("list.csv", strings.NewReplacer("Oi 0", "Olá 0", "Oi 3", "Olá 3", "+5511960000004,Oi 4", "+5511960000005,Oi 5").Replace(before))
	p.send(s.URL, path).exits(2).says("1 new, 2 changed, 1 gone", "--update")
	if said := api.to(); len(said) != 2 {
		p.Errorf("a list that differs was sent: %v", said)
	}
	if res := p.send(s.URL, path, "--update").exits(0).result(); res.SentNow != 3 || res.Sent != 5 || res.Messages != 5 {
		p.Errorf("--update: %+v", res)
	}
	said := api.to()
	for who, want := range map[string]string{"+5511960000000": "Oi 0", "+5511960000001": "Oi 1", "+5511960000002": "Oi 2",
		"+5511960000003": "Olá 3", "+5511960000004": "", "+5511960000005": "Oi 5"} {
		if got := strings.Join(said[who], ", "); got != want {
			p.Errorf("%s was told %q, want %q", who, got, want)
		}
	}
}

func crashToken(p program) {
	l, path := p.campaign(200)
	old := p.write("old", p.token+"\n")
	s := p.emulate("--token-file", old, "--latency", "50ms")
	r := p.send(s.url, path, "--mps", "40")
	s.sends(20)
	s.stop()
	s = p.emulate("--listen", s.address(), "--token-file", p.write("new", "renewed\n"), "--latency", "50ms")
	res := r.exits(4).says("190").result()
	if res.Pending == 0 || res.Failed != 0 || res.Sent < 20 || res.Stopped == nil {
		p.Errorf("after the token ended the result tells %s", &r.out)
	}
	if strings.Contains(r.out.String()+r.err.String()+read(p, p.state()), p.token) {
		p.Error("the token is in the output or in the state")
	}
	p.token = "renewed"
	again := p.send(s.url, path)
	again.wait() // 1 where the server's end made a message uncertain
	if now := again.result(); now.Pending != 0 || now.Uncertain != res.Uncertain || now.SentNow != res.Pending {
		p.Errorf("first the result told %+v, then %+v", res, now)
	}
	l.onceIn(p, s.readAll())
}

func crashHTML(p program) {
	l, path := p.campaign(60)
	s := p.emulate("--fault", "html:1")
	r := p.send(s.url, path, "--stop-after", "5").exits(4).says("5 messages in a row failed")
	res := r.result()
	if asked := len(s.requests()); res.Uncertain < 5 || res.Uncertain != asked || res.Pending != l.rows-asked {
		p.Errorf("%d requests were answered with HTML; the result tells %s", asked, &r.out)
	}
}

func crashFullDisk(p program) {
	folder := filepath.Join(p.folder, "small")
	if err := os.Mkdir(folder, 0o700); err != nil {
		p.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=12m"); err != nil {
		p.Skipf("a small disk cannot be mounted here: %v", err)
	}
	p.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	l, path := p.campaign(400)
	s := p.emulate("--mps", "1000", "--latency", "50ms")
	state := filepath.Join(folder, "state.db")
	r := p.send(s.url, path, "--mps", "100", "--state", state)
	s.sends(30)
	ballast := filepath.Join(folder, "ballast")
	fill(p, ballast)
	res := r.exits(3).says(state, "the disk is full", "free some space").result()
	if res.Pending == 0 || res.Stopped == nil {
		p.Errorf("on a full disk the result tells %s", &r.out)
	}
	if err := os.Remove(ballast); err != nil {
		p.Fatal(err)
	}
	again := p.send(s.url, path, "--mps", "400", "--state", state)
	again.wait() // 1 where an answer could not be written
	if now := again.result(); now.Pending != 0 || now.Failed != 0 {
		p.Errorf("with space again the result tells %s\n%s", &again.out, &again.err)
	}
	p.folder = folder // where the state is
	l.onceIn(p, s.requests())
}

// fill writes a file until nothing more fits.
func fill(p program, path string) {
	f, err := os.Create(path)
	if err != nil {
		p.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 1<<20); len(block) > 0; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else if err != nil {
			p.Fatal(err)
		}
	}
}

func crashNewerState(p program) {
	crashState(p, "newer wactl", func() {
		db := p.open(p.state())
		defer db.Close()
		if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
			p.Fatal(err)
		}
	})
}

func crashDamagedState(p program) {
	crashState(p, "damaged", func() {
		f, err := os.OpenFile(p.state(), os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteAt(bytes.Repeat([]byte{0xa5}, 100), 0)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			p.Fatal(err)
		}
	})
}

// crashState sends a part, spoils the state, and wants the next send to say so, to ask nobody, and to leave the file as it is.
func crashState(p program, word string, spoil func()) {
	_, path := p.campaign(30)
	s := p.emulate()
	p.send(s.url, path, "--max", "10").exits(0)
	spoil()
	before := read(p, p.state())
	p.send(s.url, path).exits(2).says(p.state(), word, "hint:")
	if read(p, p.state()) != before {
		p.Error("the state was written to")
	}
	if n := len(s.requests()); n != 10 {
		p.Errorf("%d requests, want the 10 before", n)
	}
}

func read(p program, path string) string {
	p.Helper()
	f, err := os.Open(path)
	if err != nil {
		p.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}

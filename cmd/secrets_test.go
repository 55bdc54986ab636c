//go:build linux

package cmd_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The secrets of this test. Each is unlike anything that may stand anywhere.
const (
	markedToken  = "EAAmarked+token/of=this~test"
	markedSecret = "marked-app-secret-of-this-test"
	markedVerify = "marked-verify-token-of-this-test"
	markedWord   = "MarkedNameOfAPerson"
)

// sightings are places in which something was found that must not be there.
type sightings struct {
	program
	seen map[string]bool // places that were looked at
}

// look searches a text for every secret, in the writings in which it may have got there.
func (s *sightings) look(place, text string) {
	s.Helper()
	s.seen[place] = true
	for _, secret := range []string{markedToken, markedSecret, markedVerify} {
		for how, written := range map[string]string{"as it is": secret, "in base64": base64.StdEncoding.EncodeToString([]byte(secret)),
			"in hex": hex.EncodeToString([]byte(secret)), "in a URL": url.QueryEscape(secret)} {
			if strings.Contains(text, written) {
				s.Errorf("%s holds %q, %s", place, secret, how)
			}
		}
	}
}

// files looks at every file below the folder but those that the secrets are handed over in, and at who may read those that hold numbers.
func (s *sightings) files() {
	s.Helper()
	err := filepath.WalkDir(s.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "given-") {
			return err
		}
		s.look("file "+d.Name(), read(s.program, path))
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			s.Errorf("%s may be read by others: %v", d.Name(), info.Mode())
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
}

// running looks at what the system shows everybody of a process.
func (s *sightings) running(r *process) {
	s.Helper()
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", r.Process.Pid))
	if err != nil {
		s.Fatal(err)
	}
	s.look("command line of "+r.Args[1], string(command))
}

func (s *sightings) said(r *process) *process {
	s.Helper()
	s.look("stdout of "+strings.Join(r.Args[1:], " "), r.out.String())
	s.look("stderr of "+strings.Join(r.Args[1:], " "), r.err.String())
	return r
}

// TestSecretsStayHidden runs a campaign with marked secrets, in good and in bad ways, and looks for them in all that wactl says, writes and shows.
func TestSecretsStayHidden(t *testing.T) {
	if testing.Short() {
		t.Skip("takes real time")
	}
	p := newProgram(t, build(t))
	p.token = markedToken
	s := &sightings{program: p, seen: map[string]bool{}}
	given := p.write("given-token", markedToken+"\n")
	app, verify := p.write("given-app-secret", markedSecret), p.write("given-verify", markedVerify)
	path := p.write("list.csv", "phone,text\n"+"+5511960000001,Oi "+markedWord+"\n+5511960000002,Oi\n+5511960000003,Oi 3\n+5511960000004,Oi 4\n")

	hook := &listener{}
	hook.process = p.ready("listen", "--listen", "127.0.0.1:0", "--app-secret-file", app, "--verify-token-file", verify, "--state", p.state())
	address := p.write("address", "")
	out, err := os.OpenFile(address, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	hook.Stdout = out
	hook.launch()
	p.until("listen tells its address", func() bool { return strings.HasSuffix(read(p, address), "\n") })
	api := p.emulate("--token-file", given, "--latency", "100ms", "--webhook", strings.TrimSpace(read(p, address))+"/hook", "--app-secret-file", app,
		"--fault", "131026:0.3,drop-response:0.2", "--seed", "4")
	target := []string{"--base-url", api.url, "--phone-number-id", "1", "--state", p.state()}
	with := func(args ...string) []string { return append(args, target...) }

	slow := p.start(with("send", path, "--yes", "--mps", "2", "--token-file", given, "--report", filepath.Join(p.folder, "report.csv"), "--log", filepath.Join(p.folder, "log.jsonl"), "--format", "json")...)
	api.sends(2)
	s.running(slow)
	s.running(hook.process)
	s.running(api.process)
	s.files() // the state under way, with its log
	slow.wait()
	s.said(slow)

	for _, args := range [][]string{
		with("preflight", path), with("preflight", path, "--format", "json", "--token-file", given), with("numbers"), with("template", "list", "--waba-id", "1"),
		{"status", "--state", p.state()}, {"status", "list", "--state", p.state(), "--html", filepath.Join(p.folder, "page.html")},
		{"status", "list", "--state", p.state(), "--uncertain", "-o", filepath.Join(p.folder, "again.csv")},
		{"state", "list"}, {"config"}, {"config", "--format", "json"},
		with("send", path, "--yes", "--token", markedToken), // no such flag
		{"send", path, "--yes", "--base-url", "https://" + "user:" + url.QueryEscape(markedToken) + "@api.invalid", "--phone-number-id", "1"},
		{"send", path, "--yes", "--base-url", "http://127.0.0.1:9", "--phone-number-id", "1", "--stop-after", "1"},
	} {
		r := p.start(args...)
		r.wait()
		switch r.Args[1] {
		case "send": // what the user has typed may be told back to the user; the token from the environment may not
			s.look("stdout of a wrong send", r.out.String())
		default:
			s.said(r)
		}
	}
	refused := p
	refused.token = markedToken + "x" // the platform refuses it, and may say why
	r := refused.start(with("send", path, "--yes", "--campaign", "other")...)
	r.wait()
	s.said(r)

	api.stop()
	hook.signal(15)
	hook.wait()
	s.said(api.process)
	s.said(hook.process)
	s.files()
	if len(s.seen) < 30 {
		t.Errorf("only %d places were looked at", len(s.seen))
	}
	for _, file := range []string{"state.db", "state.db-mark", "log.jsonl", "report.csv", "page.html"} {
		if !s.seen["file "+file] {
			t.Errorf("%s was not looked at", file)
		}
	}
}

// TestMaskHidesPeople looks for numbers in everything that is told under --mask, and for what a person was told in what is not the person's message.
func TestMaskHidesPeople(t *testing.T) {
	if testing.Short() {
		t.Skip("takes real time")
	}
	p := newProgram(t, build(t))
	path := p.write("list.csv", "phone,text\n+5511960000001,Oi "+markedWord+"\n+5511960000002,Oi\nx5511960000003,Oi\n+5511960000001,Oi "+markedWord+"\n")
	api := p.emulate("--fault", "drop-response:1")
	log, report := filepath.Join(p.folder, "log.jsonl"), filepath.Join(p.folder, "report.csv")
	r := p.send(api.url, path, "--allow-skipped", "--mask", "--log", log, "--report", report)
	r.wait()
	page := filepath.Join(p.folder, "page.html")
	texts := map[string]string{"stdout": r.out.String(), "stderr": r.err.String(), "log": read(p, log), "report": read(p, report)}
	for _, args := range [][]string{{"--html", page}, {"--uncertain"}, {"--uncertain", "--format", "json"}, {"--format", "json"}} {
		r := p.start(append([]string{"status", "list", "--mask", "--state", p.state()}, args...)...).exits(0)
		texts["status "+strings.Join(args, " ")] = r.out.String() + r.err.String()
	}
	texts["page"] = read(p, page)
	if !strings.Contains(texts["page"], "Uncertain") || !strings.Contains(texts["log"], "intent") {
		t.Fatal("nothing became uncertain, or nothing was logged: this test would see nothing")
	}
	for place, text := range texts {
		for _, secret := range []string{"5511960000001", "5511960000002", "5511960000003", markedWord} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %q", place, secret)
			}
		}
	}
}

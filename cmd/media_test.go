//go:build linux

package cmd_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/wactl/wactl/campaign/emulator"
)

// postOffice is an emulator that keeps what it was posted.
type postOffice struct {
	*httptest.Server
	mu       sync.Mutex
	uploads  []string // of which number
	messages []string // bodies
}

func newPostOffice(t *testing.T) *postOffice {
	p := &postOffice{}
	platform := emulator.New(emulator.Options{})
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		p.mu.Lock()
		switch {
		case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/media"):
			p.uploads = append(p.uploads, strings.Split(r.URL.Path, "/")[2])
		case r.Method == http.MethodPost:
			p.messages = append(p.messages, string(body))
		}
		p.mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		platform.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// media are the document objects of all messages so far.
func (p *postOffice) media(t *testing.T) (all []map[string]string) {
	t.Helper()
	for _, m := range p.messages {
		var body struct {
			Template struct {
				Components []struct {
					Parameters []struct{ Document map[string]string }
				}
			}
		}
		if err := json.Unmarshal([]byte(m), &body); err != nil {
			t.Fatal(err)
		}
		all = append(all, body.Template.Components[0].Parameters[0].Document)
	}
	return all
}

// Files with one content are uploaded once for a number, whatever they are called and however often the send is run, and go out by their id.
func TestMediaIsUploadedOnce(t *testing.T) {
	p, office := newProgram(t, build(t)), newPostOffice(t)
	for name, text := range map[string]string{"a.pdf": "%PDF-1.7\none", "again.pdf": "%PDF-1.7\none", "b.pdf": "%PDF-1.7\ntwo"} {
		p.write(name, text)
	}
	list := p.write("list.csv", "phone,file\n+5511961234560,a.pdf\n+5511961234561,again.pdf\n+5511961234562,b.pdf\n+5511961234563,a.pdf\n")
	others := p.write("others.csv", "phone,file\n+5511961234570,a.pdf\n+5511961234571,again.pdf\n+5511961234572,b.pdf\n+5511961234573,a.pdf\n")
	send := func(list, number string, args ...string) {
		t.Helper()
		p.start(append([]string{"send", list, "--base-url", office.URL, "--phone-number-id", number, "--yes", "--template", "menu", "--language", "en",
			"--param", "header.document=file", "--state", p.state()}, args...)...).exits(0)
	}
	send(list, "1", "--max", "1")
	if len(office.uploads) != 1 || len(office.messages) != 1 {
		t.Fatalf("--max 1: %d uploads for %d messages", len(office.uploads), len(office.messages))
	}
	send(list, "1")
	send(others, "1")
	sent := office.media(t)
	if len(office.uploads) != 2 || len(sent) != 8 {
		t.Fatalf("uploads %v for %d messages; want 2 for 8", office.uploads, len(sent))
	}
	for i, want := range []struct{ sameAs, name string }{{sent[0]["id"], "a.pdf"}, {sent[0]["id"], "again.pdf"}, {"", "b.pdf"}, {sent[0]["id"], "a.pdf"}} {
		got := sent[i]
		if got["id"] == "" || got["link"] != "" || got["filename"] != want.name || want.sameAs != "" && got["id"] != want.sameAs {
			t.Errorf("message %d: %v", i, got)
		}
	}
	if sent[2]["id"] == sent[0]["id"] {
		t.Error("two files have one id")
	}
	send(list, "2")
	if len(office.uploads) != 4 || office.uploads[3] != "2" {
		t.Errorf("another number needs uploads of its own: %v", office.uploads)
	}
	for _, m := range office.messages {
		if strings.Contains(m, p.folder) || strings.Contains(m, "path") {
			t.Errorf("a path left: %s", m)
		}
	}
	text, err := os.ReadFile(filepath.Join(p.folder, "a.pdf"))
	if err != nil || string(text) != "%PDF-1.7\none" {
		t.Errorf("the file itself was touched: %q, %v", text, err)
	}
}

package emulator_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign/emulator"
)

const number = "106540352242922"

// started is a whole minute, so that journal times in tests are easy to read.
var started = time.Date(2026, 10, 28, 14, 0, 0, 0, time.UTC)

// rig is an emulator with a clock that tests move by hand and a journal that they read.
type rig struct {
	*emulator.Emulator
	clock   time.Time
	journal record
}

// record is a journal that a test may read while a server still writes it.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(b)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func newRig(o emulator.Options) *rig {
	r := &rig{clock: started}
	o.Now, o.Journal = func() time.Time { return r.clock }, &r.journal
	r.Emulator = emulator.New(o)
	return r
}

// at moves the clock to so long after the start.
func (r *rig) at(after time.Duration) *rig {
	r.clock = started.Add(after)
	return r
}

// text sends a text to a recipient and returns the platform's code, 0 when accepted.
func (r *rig) text(t *testing.T, to string) int {
	t.Helper()
	return code(t, r.RoundTripper(), number, textBody(to, ""))
}

// lines is the journal so far.
func (r *rig) lines(t *testing.T) []map[string]any {
	t.Helper()
	return decodeLines(t, r.journal.String())
}

func decodeLines(t *testing.T, text string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for l := range strings.Lines(text) {
		var m map[string]any
		if err := json.Unmarshal([]byte(l), &m); err != nil {
			t.Fatalf("journal line %q: %v", l, err)
		}
		out = append(out, m)
	}
	return out
}

func textBody(to, callback string) string {
	m := map[string]any{"messaging_product": "whatsapp", "to": to, "type": "text", "text": map[string]any{"body": "Olá"}}
	if callback != "" {
		m["biz_opaque_callback_data"] = callback
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func newPost(number, body string) *http.Request {
	r, err := http.NewRequest(http.MethodPost, "http://emulator.test/v26.0/"+number+"/messages", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", "Bearer token")
	r.Header.Set("Content-Type", "application/json")
	return r
}

// post sends a body and returns status and answer; it fails the test when no whole answer came.
func post(t *testing.T, rt http.RoundTripper, number, body string) (int, string) {
	t.Helper()
	resp, err := rt.RoundTrip(newPost(number, body))
	if err != nil {
		t.Fatal(err)
	}
	return read(t, resp)
}

func read(t *testing.T, resp *http.Response) (int, string) {
	t.Helper()
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// code is the platform's code in the answer to a body, 0 when it was accepted.
func code(t *testing.T, rt http.RoundTripper, number, body string) int {
	t.Helper()
	_, answer := post(t, rt, number, body)
	var a struct {
		Messages []struct{ ID string }
		Error    *struct{ Code int }
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatalf("answer %q: %v", answer, err)
	}
	switch {
	case a.Error != nil:
		return a.Error.Code
	case len(a.Messages) != 1 || a.Messages[0].ID == "":
		t.Fatalf("answer %q has neither error nor message", answer)
	}
	return 0
}

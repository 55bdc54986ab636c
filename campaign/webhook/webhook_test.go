package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/campaign/feedback"
)

const secret = "s3cret"

func sign(body, key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	io.WriteString(mac, body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func TestSigned(t *testing.T) {
	const body = `{"a":"ä"}`
	good := sign(body, secret)
	tests := []struct {
		name, header, body, secret string
		want                       bool
	}{
		{"good", good, body, secret, true},
		{"upper case", "sha256=" + strings.ToUpper(good[7:]), body, secret, true},
		{"another body", good, body + " ", secret, false},
		{"decoded and encoded anew", sign(`{"a":"ä"}`, secret), `{"a":"\u00e4"}`, secret, false},
		{"another secret", sign(body, "other"), body, secret, false},
		{"no secret here", sign(body, ""), body, "", false},
		{"no header", "", body, secret, false},
		{"another algorithm", "sha1=" + good[7:], body, secret, false},
		{"cut", good[:20], body, secret, false},
		{"no hex", "sha256=zz", body, secret, false},
	}
	for _, tt := range tests {
		if got := Signed(tt.header, []byte(tt.body), []byte(tt.secret)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// inbox writes into memory, or fails.
type inbox struct {
	mu    sync.Mutex
	got   feedback.Batch
	times int
	fail  error
	gate  chan struct{} // when set, a write waits for it
}

func (i *inbox) write(_ context.Context, b feedback.Batch) (map[string]int, error) {
	if i.gate != nil {
		<-i.gate
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.fail != nil {
		return nil, i.fail
	}
	i.times++
	i.got.Add(b)
	return map[string]int{feedback.CountNew: len(b.Statuses)}, nil
}

func digits(waID string) (n uint64) {
	for _, c := range waID {
		n = n*10 + uint64(c-'0')
	}
	return n
}

func listener(t *testing.T, i *inbox, fill func(*Options)) *Listener {
	o := Options{Secret: []byte(secret), VerifyToken: "tok", Canonical: digits, Write: i.write}
	if fill != nil {
		fill(&o)
	}
	l := NewListener(o)
	t.Cleanup(l.Close)
	return l
}

func post(l http.Handler, body, signature string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set(SignatureHeader, signature)
	w := httptest.NewRecorder()
	l.ServeHTTP(w, r)
	return w
}

// statuses is a webhook with n statuses that begin at number from.
func statuses(from, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"id":"wamid.%d","status":"delivered","timestamp":"1749854575","recipient_id":"5511987654321"}`, from+i))
	}
	return `{"entry":[{"id":"1","changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"106"},"statuses":[` + strings.Join(list, ",") + `]}}]}]}`
}

func TestHandshake(t *testing.T) {
	l := listener(t, &inbox{}, nil)
	tests := []struct {
		query  string
		status int
		body   string
	}{
		{"hub.mode=subscribe&hub.verify_token=tok&hub.challenge=1158201444", 200, "1158201444"},
		{"hub.mode=subscribe&hub.verify_token=tok&hub.challenge=%3Cscript%3E", 200, "<script>"},
		{"hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1", 403, ""},
		{"hub.mode=unsubscribe&hub.verify_token=tok&hub.challenge=1", 403, ""},
		{"hub.mode=subscribe&hub.challenge=1", 403, ""},
		{"hub.mode=subscribe&hub.verify_token=tok", 403, ""},
		{"hub.mode=subscribe&hub.verify_token=tok&hub.challenge=" + strings.Repeat("1", 2000), 403, ""},
		{"", 403, ""},
	}
	for _, tt := range tests {
		w := httptest.NewRecorder()
		l.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/?"+tt.query, nil))
		if w.Code != tt.status || tt.status == 200 && w.Body.String() != tt.body || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%.60s: %d %q %s", tt.query, w.Code, w.Body, w.Header())
		}
	}
	closed := listener(t, &inbox{}, func(o *Options) { o.VerifyToken = "" })
	w := httptest.NewRecorder()
	closed.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/?hub.mode=subscribe&hub.verify_token=&hub.challenge=1", nil))
	if w.Code != 403 {
		t.Errorf("without a verify token an empty one was taken: %d", w.Code)
	}
}

func TestListener(t *testing.T) {
	var forwarded []string
	i := &inbox{}
	l := listener(t, i, func(o *Options) {
		o.Forward = func(body []byte, signature string) { forwarded = append(forwarded, signature+string(body)) }
	})
	good := statuses(0, 2)
	tests := []struct {
		name, body, signature string
		status                int
	}{
		{"good", good, sign(good, secret), 200},
		{"forged", good, sign(good, "guess"), 401},
		{"signed, and no webhook", "hello", sign("hello", secret), 200},
		{"signed, and of no interest", `{"entry":[{"changes":[{"field":"flows","value":{}}]}]}`, sign(`{"entry":[{"changes":[{"field":"flows","value":{}}]}]}`, secret), 200},
		{"too long", strings.Repeat(" ", largest+1), "", 413},
	}
	for _, tt := range tests {
		if w := post(l, tt.body, tt.signature); w.Code != tt.status {
			t.Errorf("%s: %d, want %d", tt.name, w.Code, tt.status)
		}
	}
	if len(i.got.Statuses) != 2 || i.got.Statuses[1].MessageID != "wamid.1" {
		t.Errorf("written: %+v", i.got.Statuses)
	}
	if len(forwarded) != 3 || forwarded[0] != sign(good, secret)+good {
		t.Errorf("forwarded %d, the first %.80s", len(forwarded), forwarded[0])
	}
	want := Counts{Webhooks: 3, Refused: 2, Unread: 1, News: map[string]int{feedback.CountNew: 2}}
	if diff := cmp.Diff(want, l.Counts()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	w := httptest.NewRecorder()
	l.ServeHTTP(w, httptest.NewRequest(http.MethodPut, "/", nil))
	if w.Code != 405 {
		t.Errorf("PUT: %d", w.Code)
	}
}

// What could not be written is not answered with 200, and not forwarded: the platform brings it again.
func TestUnwritten(t *testing.T) {
	told, forwarded := "", 0
	i := &inbox{fail: errors.New("the disk is full")}
	l := listener(t, i, func(o *Options) {
		o.Forward = func([]byte, string) { forwarded++ }
		o.Refused = func(why string) { told = why }
	})
	if w := post(l, statuses(0, 1), sign(statuses(0, 1), secret)); w.Code != 503 || forwarded != 0 {
		t.Errorf("answered %d, forwarded %d", w.Code, forwarded)
	}
	if !strings.Contains(told, "the disk is full") {
		t.Errorf("told %q", told)
	}
	i.fail = nil
	if w := post(l, statuses(0, 1), sign(statuses(0, 1), secret)); w.Code != 200 || forwarded != 1 {
		t.Errorf("the second time: %d, forwarded %d", w.Code, forwarded)
	}
}

// Webhooks that come while one is written are written together, and none is answered before its own is.
func TestWrittenTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := &inbox{gate: make(chan struct{})}
		l := NewListener(Options{Secret: []byte(secret), Canonical: digits, Write: i.write})
		var answered sync.WaitGroup
		codes := make([]int, 20)
		for n := range codes {
			answered.Go(func() { codes[n] = post(l, statuses(n*10, 10), sign(statuses(n*10, 10), secret)).Code })
			synctest.Wait()
		}
		for _, code := range codes {
			if code != 0 {
				t.Fatal("answered before it was written")
			}
		}
		close(i.gate)
		answered.Wait()
		l.Close()
		if i.times > 3 || len(i.got.Statuses) != 200 {
			t.Errorf("%d statuses in %d writes, want 200 in at most 3", len(i.got.Statuses), i.times)
		}
		for n, code := range codes {
			if code != 200 {
				t.Errorf("webhook %d: %d", n, code)
			}
		}
	})
}

// A full batch is written in parts, so that a sender beside it does not wait long.
func TestFullBatch(t *testing.T) {
	i := &inbox{}
	l := listener(t, i, nil)
	if w := post(l, statuses(0, 2000), sign(statuses(0, 2000), secret)); w.Code != 200 {
		t.Fatal(w.Code)
	}
	if i.times != 4 || len(i.got.Statuses) != 2000 {
		t.Errorf("%d statuses in %d writes, want 2000 in 4", len(i.got.Statuses), i.times)
	}
}

// other is whoever had the callback before; it takes a webhook after so many refusals.
type other struct {
	mu       sync.Mutex
	refusals int
	got      []string
}

func (o *other) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.refusals--; o.refusals >= 0 {
		return nil, errors.New("not there")
	}
	o.got = append(o.got, r.Header.Get(SignatureHeader)+" "+string(body))
	return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
}

func TestForward(t *testing.T) {
	tests := []struct {
		name     string
		refusals int
		patience time.Duration
		lost     int
	}{
		{"at once", 0, time.Minute, 0},
		{"after a restart", forwardTries - 1, time.Minute, 0},
		{"never", 1000, time.Minute, 1},
		{"no patience", 1000, time.Second, 1},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			o := &other{refusals: tt.refusals}
			f := NewForwarder("http://other.test/hook", o)
			f.Forward([]byte("body"), "sha256=aa")
			start := time.Now()
			if lost := f.Close(tt.patience); lost != tt.lost {
				t.Errorf("%s: lost %d, want %d", tt.name, lost, tt.lost)
			}
			if took := time.Since(start); took > tt.patience {
				t.Errorf("%s: took %s", tt.name, took)
			}
			if tt.lost == 0 && (len(o.got) != 1 || o.got[0] != "sha256=aa body") {
				t.Errorf("%s: the other side got %q", tt.name, o.got)
			}
		})
	}
}

func TestForwardNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewForwarder("http://other.test/hook", &other{refusals: 1 << 30})
		start := time.Now()
		for range 20 {
			f.Forward(bytes.Repeat([]byte("x"), 4<<20), "sha256=aa")
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("Forward waited %s", took)
		}
		if lost := f.Close(time.Second); lost != 20 {
			t.Errorf("lost %d of 20, want all", lost)
		}
	})
}

func TestOptsOut(t *testing.T) {
	out := []string{"STOP", "stop", " Stop. ", "SAIR", "sair!!", "Baja", "ARRÊT", "arret", "Arre\u0302ter", "PARAR", "CANCELAR", "Unsubscribe", "opt-out", "Não quero",
		"désabonner", "«стоп»", "توقّف", "إلغاء", "退订。", "配信停止", "수신거부", "ยกเลิก", "बंद करो", "AFMELDEN", "Dung"}
	for _, text := range out {
		if _, ok := OptsOut(text); !ok {
			t.Errorf("%q is no opt-out", text)
		}
	}
	no := []string{"", "!", "please do not stop", "stop by tomorrow", "parar o carro", "baja california", "ok", "s t o p", "non-stop", "unstop", "a stop",
		"stopp it now and send me the invoice please, or else I shall call you", strings.Repeat("stop ", 20)}
	for _, text := range no {
		if word, ok := OptsOut(text); ok {
			t.Errorf("%q is an opt-out (%s)", text, word)
		}
	}
	if len(optOuts) < 100 {
		t.Errorf("the table has %d words only", len(optOuts))
	}
	for _, row := range optOutWords {
		for w := range strings.SplitSeq(row.words, "|") {
			if _, ok := OptsOut(w); !ok || strings.TrimSpace(w) != w || w == "" {
				t.Errorf("%s: the row's own %q is not understood", row.language, w)
			}
		}
	}
}

func FuzzListener(f *testing.F) {
	f.Add([]byte(statuses(0, 2)))
	f.Add([]byte(`{"entry":[{"changes":[{"field":"messages","value":{"messages":[{"id":"x","text":{"body":"sair"}}]}}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		i := &inbox{}
		l := NewListener(Options{Secret: []byte(secret), Canonical: digits, Write: i.write})
		defer l.Close()
		if w := post(l, string(body), sign(string(body), secret)); w.Code != 200 {
			t.Errorf("a signed body was answered with %d", w.Code)
		}
		if w := post(l, string(body), sign(string(body)+"x", secret)); w.Code != 401 {
			t.Errorf("a forged body was answered with %d", w.Code)
		}
	})
}

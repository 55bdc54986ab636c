package emulator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/campaign/emulator"
)

func TestAcceptedAnswer(t *testing.T) {
	const template = `{"messaging_product":"whatsapp","to":"+55 11 98765-4321","type":"template","template":{"name":"hi","language":{"code":"pt_BR"}}}`
	for _, c := range []struct{ name, status, body, want string }{
		{"text", "", textBody("+55 11 98765-4321", "s"),
			`{"messaging_product":"whatsapp","contacts":[{"input":"+55 11 98765-4321","wa_id":"5511987654321"}],"messages":[{"id":"ID"}]}`},
		{"template", "", template,
			`{"messaging_product":"whatsapp","contacts":[{"input":"+55 11 98765-4321","wa_id":"5511987654321"}],"messages":[{"id":"ID","message_status":"accepted"}]}`},
		{"held", "held_for_quality_assessment", template,
			`{"messaging_product":"whatsapp","contacts":[{"input":"+55 11 98765-4321","wa_id":"5511987654321"}],"messages":[{"id":"ID","message_status":"held_for_quality_assessment"}]}`},
		{"without a status", "none", template,
			`{"messaging_product":"whatsapp","contacts":[{"input":"+55 11 98765-4321","wa_id":"5511987654321"}],"messages":[{"id":"ID"}]}`},
		{"by user id", "", `{"messaging_product":"whatsapp","recipient":"BR.1349x","type":"text","text":{"body":"x"}}`,
			`{"messaging_product":"whatsapp","contacts":[{"input":"BR.1349x","user_id":"BR.1349x"}],"messages":[{"id":"ID"}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(emulator.Options{MessageStatus: c.status})
			status, got := post(t, r.RoundTripper(), number, c.body)
			id := fmt.Sprint(r.lines(t)[0]["message_id"])
			if status != 200 || !strings.HasPrefix(id, "wamid.") {
				t.Errorf("status %d, id %s", status, id)
			}
			if diff := cmp.Diff(c.want, strings.Replace(got, id, "ID", 1)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefusedAnswer(t *testing.T) {
	r := newRig(emulator.Options{PairModel: emulator.Spaced})
	r.text(t, person)
	status, got := post(t, r.RoundTripper(), number, textBody(person, ""))
	var a struct {
		Error struct {
			TraceID string `json:"fbtrace_id"`
		}
	}
	if err := json.Unmarshal([]byte(got), &a); err != nil || status != 400 || a.Error.TraceID == "" {
		t.Fatalf("status %d, error %v, body %s", status, err, got)
	}
	want := `{"error":{"message":"(#131056) (Business Account, Consumer Account) pair rate limit hit","type":"OAuthException","code":131056,` +
		`"error_data":{"messaging_product":"whatsapp","details":"Too many messages sent from the sender phone number to the same recipient ` +
		`phone number in a short period of time."},"fbtrace_id":"TRACE"}}`
	if diff := cmp.Diff(want, strings.Replace(got, a.Error.TraceID, "TRACE", 1)); diff != "" {
		t.Error(diff)
	}
}

func TestAuthorisation(t *testing.T) {
	r := newRig(emulator.Options{Tokens: []string{"good"}, Numbers: []string{number}})
	for _, c := range []struct {
		header, number string
		status         int
		says           string
	}{
		{"", number, 401, `"code":190`},
		{"Bearer", number, 401, `"code":190`},
		{"Basic good", number, 401, `"code":190`},
		{"Bearer bad", number, 401, `"code":190`},
		{"Bearer good", "1", 400, `"code":100,"error_data"`},
		{"Bearer good", "1", 400, `"error_subcode":33`},
		{"Bearer good", number, 200, "wamid."},
		{"bearer good", number, 400, `"code":131008`}, // the scheme has no case; this body lacks its text
	} {
		body := textBody(person, "")
		if c.says == `"code":131008` {
			body = `{"messaging_product":"whatsapp","to":"+5511987654321","type":"text"}`
		}
		req := newPost(c.number, body)
		req.Header.Set("Authorization", c.header)
		resp, err := r.RoundTripper().RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		if status, got := read(t, resp); status != c.status || !strings.Contains(got, c.says) {
			t.Errorf("%q on %s: status %d, body %s", c.header, c.number, status, got)
		}
	}
	if l := r.Ledger(); l.Refused["auth"] != 6 || l.Refused["body"] != 1 || l.Accepted != 1 {
		t.Errorf("ledger %+v", l)
	}
}

func TestPaths(t *testing.T) {
	r := newRig(emulator.Options{})
	for _, c := range []struct {
		method, path string
		status       int
		says         string
	}{
		{"POST", "/v26.0/1/messages", 200, "wamid."},
		{"POST", "/v1/2/messages", 200, "wamid."},
		{"POST", "/3/messages", 200, "wamid."},
		{"POST", "/v26.0/1/2/messages", 404, `"code":2500`},
		{"POST", "/messages", 404, `"code":2500`},
		{"POST", "//messages", 404, `"code":2500`},
		{"GET", "/", 404, `"type":"OAuthException"`},
		{"GET", "/v26.0/1/messages", 405, `"code":100`},
		{"POST", "/_wactl/ledger", 405, `"code":100`},
		{"GET", "/_wactl/reset", 405, `"code":100`},
		{"GET", "/_wactl/ledger", 200, `{"version":1,"accepted":3,"refused":{"auth":0,"body":0,"fault":0,"hold":0,"messaging":0,"pair":0,"throughput":0},"accepted_twice":0}`},
		{"POST", "/_wactl/reset", 200, `"accepted":0`},
		{"GET", "/_wactl/ledger", 200, `"accepted":0`},
	} {
		req := newPost("x", textBody(person, ""))
		req.Method, req.URL.Path = c.method, c.path
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s %s: status %d, body %s", c.method, c.path, w.Code, w.Body)
		}
	}
}

func TestJournalLines(t *testing.T) {
	r := newRig(emulator.Options{PairModel: emulator.Spaced})
	post(t, r.RoundTripper(), number, textBody("+55 (11) 98765-4321", "step-1"))
	r.at(1500*time.Millisecond + 999*time.Microsecond)
	post(t, r.RoundTripper(), number, textBody("5511987654321", ""))
	post(t, r.RoundTripper(), number, `{"messaging_product":"whatsapp","to":"98","type":"text","text":{"body":"x"}}`)
	post(t, r.RoundTripper(), number, `no JSON`)
	id := fmt.Sprint(r.lines(t)[0]["message_id"])
	want := `{"at":"2026-10-28T14:00:00.000Z","phone_number_id":"106540352242922","recipient":"+5511987654321","to":"+55 (11) 98765-4321","callback_data":"step-1","message_id":"ID","http_status":200,"code":0,"refused_by":null,"clear_at":"2026-10-28T14:00:06.000Z","answered":true}
{"at":"2026-10-28T14:00:01.500Z","phone_number_id":"106540352242922","recipient":"+5511987654321","to":"5511987654321","callback_data":null,"message_id":null,"http_status":400,"code":131056,"refused_by":"pair","clear_at":"2026-10-28T14:00:06.000Z","answered":true}
{"at":"2026-10-28T14:00:01.500Z","phone_number_id":"106540352242922","recipient":null,"to":"98","callback_data":null,"message_id":null,"http_status":400,"code":131009,"refused_by":"body","clear_at":null,"answered":true}
{"at":"2026-10-28T14:00:01.500Z","phone_number_id":"106540352242922","recipient":null,"to":null,"callback_data":null,"message_id":null,"http_status":400,"code":100,"refused_by":"body","clear_at":null,"answered":true}
`
	if diff := cmp.Diff(want, strings.Replace(r.journal.String(), id, "ID", 1)); diff != "" {
		t.Error(diff)
	}
	if err := r.JournalErr(); err != nil {
		t.Error(err)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestJournalErrorIsKept(t *testing.T) {
	e := emulator.New(emulator.Options{Journal: full{}})
	code(t, e.RoundTripper(), number, textBody(person, ""))
	if err := e.JournalErr(); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("error %v", err)
	}
}

func TestAcceptedTwice(t *testing.T) {
	r := newRig(emulator.Options{})
	for i, c := range []struct {
		number, callback string
		twice            int
	}{{"1", "a", 0}, {"1", "b", 0}, {"2", "a", 0}, {"1", "", 0}, {"1", "", 0}, {"1", "a", 1}, {"1", "a", 2}} {
		if got := code(t, r.RoundTripper(), c.number, textBody(fmt.Sprintf("+551198765000%d", i), c.callback)); got != 0 {
			t.Fatalf("message %d: code %d", i, got)
		}
		if got := r.Ledger().AcceptedTwice; got != c.twice {
			t.Errorf("after message %d: %d accepted twice, want %d", i, got, c.twice)
		}
	}
}

func TestLatencyLiesAroundTheVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var journal bytes.Buffer
		e := emulator.New(emulator.Options{Journal: &journal, LatencyFn: func(callback string) (in, out time.Duration) {
			if callback != "s" {
				t.Errorf("callback data %q", callback)
			}
			return 40 * time.Millisecond, 110 * time.Millisecond
		}})
		var events []string
		begin := time.Now()
		note := func(what string) { events = append(events, fmt.Sprint(what, " ", time.Since(begin))) }
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			WroteHeaders:         func() { note("headers") },
			WroteRequest:         func(httptrace.WroteRequestInfo) { note("request") },
			GotFirstResponseByte: func() { note("answer") },
		})
		resp, err := e.RoundTripper().RoundTrip(newPost(number, textBody(person, "s")).WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		read(t, resp)
		if diff := cmp.Diff([]string{"headers 0s", "request 0s", "answer 150ms"}, events); diff != "" {
			t.Error(diff)
		}
		if got := decodeLines(t, journal.String())[0]["at"]; got != begin.Add(40*time.Millisecond).UTC().Format("2006-01-02T15:04:05.000Z") {
			t.Errorf("the verdict fell at %v", got)
		}
	})
}

func TestClientThatLeavesIsJudgedAllTheSame(t *testing.T) {
	for _, c := range []struct {
		name    string
		in, out time.Duration
	}{{"on the way in", time.Second, 0}, {"on the way out", 0, time.Second}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var journal bytes.Buffer
				e := emulator.New(emulator.Options{Journal: &journal, LatencyFn: func(string) (in, out time.Duration) { return c.in, c.out }})
				client := &http.Client{Transport: e.RoundTripper(), Timeout: 100 * time.Millisecond}
				if _, err := client.Do(newPost(number, textBody(person, ""))); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error %v", err)
				}
				l := decodeLines(t, journal.String())[0]
				if l["message_id"] == nil || l["answered"] != false {
					t.Errorf("journal %v", l)
				}
			})
		})
	}
}

func TestCancelledBeforeAnyByte(t *testing.T) {
	r := newRig(emulator.Options{})
	why := errors.New("second thoughts")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := r.RoundTripper().RoundTrip(newPost(number, textBody(person, "")).WithContext(ctx)); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	if r.journal.String() != "" {
		t.Errorf("journal %s", r.journal.String())
	}
}

func TestNothingIsWrittenToAClientThatLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	defer func() {
		if p := recover(); p != http.ErrAbortHandler || w.Body.Len() != 0 {
			t.Errorf("panic %v, %d bytes written", p, w.Body.Len())
		}
	}()
	emulator.New(emulator.Options{}).ServeHTTP(w, newPost(number, textBody(person, "")).WithContext(ctx))
}

func TestSocketClientThatLeaves(t *testing.T) {
	var journal bytes.Buffer
	e := emulator.New(emulator.Options{Journal: &journal, Latency: time.Hour})
	server := httptest.NewServer(e)
	ctx, cancel := context.WithCancel(t.Context())
	var sent sync.WaitGroup
	sent.Go(func() {
		req := newPost(number, textBody(person, "")).WithContext(ctx)
		req.URL.Host = strings.TrimPrefix(server.URL, "http://")
		if _, err := (&http.Transport{}).RoundTrip(req); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	for e.Ledger().Accepted == 0 { // the verdict falls before the latency
		time.Sleep(time.Millisecond)
	}
	cancel()
	sent.Wait()
	server.Close() // returns when the handler has
	if l := decodeLines(t, journal.String()); len(l) != 1 || l[0]["message_id"] == nil || l[0]["answered"] != false {
		t.Errorf("journal %v", l)
	}
}

func TestManyClientsAtOnce(t *testing.T) {
	var journal bytes.Buffer
	e := emulator.New(emulator.Options{MPS: 100, Journal: &journal, Faults: []emulator.Fault{{Kind: "131000", Probability: 0.1}, {Kind: "drop-response", Probability: 0.1}}})
	const clients, each = 20, 50
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for i := range each {
				to := fmt.Sprintf("+55119%04d%04d", c, i)
				if resp, err := e.RoundTripper().RoundTrip(newPost(number, textBody(to, to))); err == nil {
					read(t, resp)
				}
			}
		})
	}
	all.Wait()
	l := e.Ledger()
	sum := l.Accepted
	for _, n := range l.Refused {
		sum += n
	}
	lines, ids := decodeLines(t, journal.String()), map[any]bool{}
	for _, l := range lines {
		if l["message_id"] != nil {
			ids[l["message_id"]] = true
		}
	}
	if sum != clients*each || len(lines) != sum || len(ids) != l.Accepted || l.Accepted == 0 {
		t.Errorf("%d requests: ledger %+v, %d lines, %d message ids", clients*each, l, len(lines), len(ids))
	}
}

// BenchmarkMessage is one message without sockets; at 1,000 messages a second the emulator must stay far below a core.
func BenchmarkMessage(b *testing.B) {
	at := started
	e := emulator.New(emulator.Options{MPS: 1000, Tier: 100_000, Journal: io.Discard, Now: func() time.Time { at = at.Add(time.Millisecond); return at }})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		body := textBody(fmt.Sprintf("+55119%08d", i%90_000), fmt.Sprint(i))
		resp, err := e.RoundTripper().RoundTrip(newPost(number, body))
		if err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
	if e.Ledger().Accepted != b.N {
		b.Fatalf("ledger %+v after %d messages", e.Ledger(), b.N)
	}
}

// TestReadMark marks a message as read, which is no message: it is answered, counts against nothing and stands in no journal.
func TestReadMark(t *testing.T) {
	r := newRig(emulator.Options{MPS: 1})
	for _, c := range []struct {
		body string
		want int
	}{
		{`{"messaging_product":"whatsapp","status":"read","message_id":"wamid.x"}`, 200},
		{`{"messaging_product":"whatsapp","status":"read","message_id":"wamid.x","typing_indicator":{"type":"text"}}`, 200},
		{`{"messaging_product":"whatsapp","status":"read"}`, 400},
	} {
		status, got := post(t, r.RoundTripper(), number, c.body)
		if status != c.want || status == 200 && got != `{"success":true}` {
			t.Errorf("%s: %d %s", c.body, status, got)
		}
	}
	if lines := r.lines(t); len(lines) != 0 {
		t.Errorf("the journal has %v", lines)
	}
	if code := r.text(t, person); code != 0 {
		t.Errorf("the first message after three marks at 1/s: %d", code)
	}
}

// Package providertest is what every provider must do with each kind of answer, as one suite over real connections.
//
// Run opens the provider on a server for each row of a table (cases.go), sends one message, and compares what the provider makes of it.
package providertest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// Setup is what the provider under test is opened with.
type Setup struct {
	BaseURL string        // where the suite's server listens
	Token   string        // must reach the server and never an answer
	Timeout time.Duration // for a whole request
}

const (
	token     = "EAAsuite/secret+token=0123456789"
	patience  = 10 * time.Second       // for a request that is answered at once
	impatient = 100 * time.Millisecond // for one that is never answered
)

// Dialect is how a provider dresses the platform's answers: the platform's JSON in, the provider's out. Nil changes nothing.
type Dialect func(platform string) string

func (d Dialect) wrap(body string) string {
	if d == nil {
		return body
	}
	return d(body)
}

// Run puts the provider that open makes through the suite. The package under test has to lie two folders below the module's root.
func Run(t *testing.T, open func(t *testing.T, s Setup) campaign.Provider) { RunIn(t, nil, open) }

// RunIn is Run for a provider whose answers are the platform's in a dialect of its own.
func RunIn(t *testing.T, d Dialect, open func(t *testing.T, s Setup) campaign.Provider) {
	for _, c := range allCases(t) {
		t.Run(c.name, func(t *testing.T) { c.run(t, d, open) })
	}
	t.Run("unreachable", func(t *testing.T) { runUnreachable(t, open) })
	t.Run("redirect is not followed", func(t *testing.T) { runRedirect(t, open) })
	t.Run("kept connection dies under a request", func(t *testing.T) { runDeadConnection(t, d, open) })
	t.Run("cancelled while waiting", func(t *testing.T) { runCancelled(t, open) })
	t.Run("cancelled before", func(t *testing.T) { runCancelledBefore(t, open) })
	t.Run("message that is none", func(t *testing.T) { runUnsendable(t, open) })
	t.Run("many at once", func(t *testing.T) { runManyAtOnce(t, d, open) })
}

// server counts the requests that reach it.
type server struct {
	*httptest.Server
	requests atomic.Int32
}

func newServer(t *testing.T, h http.HandlerFunc) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		for _, p := range faults(r) {
			t.Error(p)
		}
		io.Copy(io.Discard, r.Body) // a server hears that its client left only when it has read all
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// faults is what must not be in a request: whatever lets a transport repeat it, and anything but the one token.
func faults(r *http.Request) (all []string) {
	if r.Method != http.MethodPost || r.ProtoMajor != 1 {
		all = append(all, fmt.Sprintf("%s over %s, want POST over HTTP/1.1: one lost connection must not spoil many messages", r.Method, r.Proto))
	}
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		if r.Header.Get(name) != "" {
			all = append(all, name+" is there, with which net/http repeats a message by itself")
		}
	}
	if got := r.Header.Get("Authorization"); got != "Bearer "+token {
		all = append(all, "the token is not where it belongs")
	}
	return all
}

func (c answerCase) run(t *testing.T, d Dialect, open func(*testing.T, Setup) campaign.Provider) {
	s := newServer(t, c.reply(d))
	timeout := patience
	if c.stalls {
		timeout = impatient
	}
	p := open(t, Setup{BaseURL: s.URL, Token: token, Timeout: timeout})
	compare(t, c.want, p.Send(t.Context(), step()))
	if n := s.requests.Load(); n != 1 {
		t.Errorf("%d requests reached the server, want 1", n)
	}
}

// step is an ordinary text message to one person.
func step() campaign.Step {
	s := campaign.Step{
		ID: "abcdefghijklmnopqrstuvwxyz", Line: 2, NumberID: "106540352242922", Recipient: campaign.Recipient{Phone: "+5511987654321"},
	}
	s.Message.Type, s.Message.Text = "text", "Olá"
	return s
}

func compare(t *testing.T, want, got campaign.Answer) {
	t.Helper()
	for _, p := range problems(want, got) {
		t.Error(p)
	}
}

// problems is everything that is wrong with got. Title and Details are free, but a refusal needs words and no text may hold the token.
func problems(want, got campaign.Answer) []string {
	var all []string
	judged := got
	judged.Title, judged.Details = want.Title, want.Details
	if judged != want {
		all = append(all, fmt.Sprintf("answer\n got %+v\nwant %+v", got, want))
	}
	taken := got.Class == outcome.Accepted || got.Class == outcome.Held
	if !taken && got.Title == "" && got.Details == "" {
		all = append(all, "a message that was not taken, and no word why")
	}
	for i, v := 0, reflect.ValueOf(got); i < v.NumField(); i++ {
		if strings.Contains(fmt.Sprint(v.Field(i)), token) {
			all = append(all, v.Type().Field(i).Name+" shows the token")
		}
	}
	return all
}

func runRedirect(t *testing.T, open func(*testing.T, Setup) campaign.Provider) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			other := newServer(t, file(200, "accepted.json")(nil))
			s := newServer(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+"/elsewhere", status) })
			p := open(t, Setup{BaseURL: s.URL, Token: token, Timeout: patience})
			compare(t, campaign.Answer{Class: outcome.RequestWrong, HTTPStatus: status, BytesWritten: true}, p.Send(t.Context(), step()))
			if other.requests.Load() != 0 {
				t.Error("the redirect was followed")
			}
		})
	}
}

// runDeadConnection lets the server take a second request on a kept connection and break it. A client that repeats it would send twice.
func runDeadConnection(t *testing.T, d Dialect, open func(*testing.T, Setup) campaign.Provider) {
	first := true
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if first {
			first = false
			file(200, "accepted.json")(d)(w, r)
			return
		}
		reset(w, r)
	})
	p := open(t, Setup{BaseURL: s.URL, Token: token, Timeout: patience})
	if got := p.Send(t.Context(), step()); got.Class != outcome.Accepted {
		t.Fatalf("first message: %+v", got)
	}
	compare(t, campaign.Answer{Class: outcome.Uncertain, BytesWritten: true}, p.Send(t.Context(), step()))
	if n := s.requests.Load(); n != 2 {
		t.Errorf("%d requests for two messages", n)
	}
}

func runCancelled(t *testing.T, open func(*testing.T, Setup) campaign.Provider) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		stall(w, r)
	})
	p := open(t, Setup{BaseURL: s.URL, Token: token, Timeout: patience})
	compare(t, campaign.Answer{Class: outcome.Uncertain, BytesWritten: true}, p.Send(ctx, step()))
}

func runCancelledBefore(t *testing.T, open func(*testing.T, Setup) campaign.Provider) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newServer(t, file(200, "accepted.json")(nil))
	p := open(t, Setup{BaseURL: s.URL, Token: token, Timeout: patience})
	compare(t, campaign.Answer{Class: outcome.RetryFew}, p.Send(ctx, step()))
	if s.requests.Load() != 0 {
		t.Error("a request left after its cancellation")
	}
}

func runUnsendable(t *testing.T, open func(*testing.T, Setup) campaign.Provider) {
	s := newServer(t, file(200, "accepted.json")(nil))
	p := open(t, Setup{BaseURL: s.URL, Token: token, Timeout: patience})
	for name, spoil := range map[string]func(*campaign.Step){
		"no message":     func(s *campaign.Step) { s.Message.Type = "" },
		"no recipient":   func(s *campaign.Step) { s.Recipient = campaign.Recipient{} },
		"no plus":        func(s *campaign.Step) { s.Recipient.Phone = "5511987654321" },
		"no number":      func(s *campaign.Step) { s.NumberID = "" },
		"path as number": func(s *campaign.Step) { s.NumberID = ".." },
	} {
		bad := step()
		spoil(&bad)
		t.Run(name, func(t *testing.T) { compare(t, campaign.Answer{Class: outcome.RequestWrong}, p.Send(t.Context(), bad)) })
	}
	if s.requests.Load() != 0 {
		t.Error("a request left for a message that is none")
	}
}

func runManyAtOnce(t *testing.T, d Dialect, open func(*testing.T, Setup) campaign.Provider) {
	const messages = 50
	s := newServer(t, file(200, "accepted.json")(d))
	p := open(t, Setup{BaseURL: s.URL, Token: token, Timeout: patience})
	var accepted atomic.Int32
	var all sync.WaitGroup
	for range messages {
		all.Go(func() {
			if p.Send(t.Context(), step()).Class == outcome.Accepted {
				accepted.Add(1)
			}
		})
	}
	all.Wait()
	if a, r := accepted.Load(), s.requests.Load(); a != messages || r != messages {
		t.Errorf("%d accepted with %d requests, want %d of each", a, r, messages)
	}
}

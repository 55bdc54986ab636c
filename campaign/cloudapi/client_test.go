package cloudapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/providertest"
	"github.com/wactl/wactl/campaign/template"
)

const secret = "EAAsecret0123456789"

func TestProvider(t *testing.T) {
	providertest.Run(t, func(t *testing.T, s providertest.Setup) campaign.Provider {
		return newClient(t, Config{BaseURL: s.BaseURL, Token: s.Token, Timeout: s.Timeout})
	})
}

func newClient(t testing.TB, c Config) *Client {
	t.Helper()
	client, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

func step() campaign.Step {
	return campaign.Step{
		ID: "abcdefghijklmnopqrstuvwxyz", Line: 2, NumberID: "106540352242922", Recipient: campaign.Recipient{Phone: "+5511987654321"},
		Message: template.Message{Type: template.TypeText, Text: "Olá"},
	}
}

// transport is a RoundTripper made of a function.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

const acceptedBody = `{"contacts":[{"wa_id":"5511987654321"}],"messages":[{"id":"wamid.x"}]}`

func answer(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

func TestRequest(t *testing.T) {
	var got *http.Request
	var body []byte
	c := newClient(t, Config{Token: secret, Version: "1.2.3", Transport: transport(func(r *http.Request) (*http.Response, error) {
		got = r
		body, _ = io.ReadAll(r.Body)
		return answer(200, acceptedBody), nil
	})})
	if a := c.Send(t.Context(), step()); a.Class != outcome.Accepted || a.MessageID != "wamid.x" {
		t.Fatalf("%+v", a)
	}
	if want := "POST https://graph.facebook.com/v26.0/106540352242922/messages"; got.Method+" "+got.URL.String() != want {
		t.Errorf("%s %s, want %s", got.Method, got.URL, want)
	}
	wantHeader := http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {"application/json"}, "User-Agent": {"wactl/1.2.3"}}
	if diff := cmp.Diff(wantHeader, got.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if got.GetBody != nil {
		t.Error("the request has a second copy of its body, so net/http could send it twice")
	}
	if want, _ := Body(step()); !bytes.Equal(body, want) || got.ContentLength != int64(len(want)) {
		t.Errorf("sent %s, length %d; want %s", body, got.ContentLength, want)
	}
}

// TestNumberIDStaysOneSegment keeps a number's id, which comes from a flag, from leading to another path.
func TestNumberIDStaysOneSegment(t *testing.T) {
	for id, want := range map[string]string{
		"106":      "/proxy/v26.0/106/messages",
		"a/b":      "/proxy/v26.0/a%2Fb/messages",
		"../x?y#z": "/proxy/v26.0/..%2Fx%3Fy%23z/messages",
		"a%2Fb":    "/proxy/v26.0/a%252Fb/messages",
	} {
		c := newClient(t, Config{BaseURL: "https://example.com/proxy/", Token: secret, Transport: transport(func(r *http.Request) (*http.Response, error) {
			if got := r.URL.RequestURI(); got != want {
				t.Errorf("%q leads to %s, want %s", id, got, want)
			}
			return answer(200, acceptedBody), nil
		})})
		s := step()
		s.NumberID = id
		if a := c.Send(t.Context(), s); a.Class != outcome.Accepted {
			t.Errorf("%q: %+v", id, a)
		}
	}
}

// TestForeignTransport judges by what a RoundTripper that is not ours lets us know: without a sign to the contrary the message left.
func TestForeignTransport(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want outcome.Class
	}{
		"dial error": {&net.OpError{Op: "dial", Err: errors.New("refused")}, outcome.RetryFew},
		"DNS error":  {&url.Error{Op: "Post", URL: "x", Err: &net.DNSError{Err: "no such host"}}, outcome.RetryFew},
		"read error": {&net.OpError{Op: "read", Err: errors.New("reset")}, outcome.Uncertain},
		"any error":  {errors.New("broken"), outcome.Uncertain},
		"no error":   {nil, outcome.Uncertain},
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, Config{Token: secret, Transport: transport(func(*http.Request) (*http.Response, error) { return nil, c.err })})
			a := client.Send(t.Context(), step())
			if a.Class != c.want || a.BytesWritten != (c.want == outcome.Uncertain) {
				t.Errorf("%s, written %t; want %s", a.Class, a.BytesWritten, c.want)
			}
		})
	}
}

// TestTimeLimitInABubble needs no real time: a transport that never answers, and the default limit of thirty seconds.
func TestTimeLimitInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClient(t, Config{Token: secret, Transport: transport(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, context.Cause(r.Context())
		})})
		start := time.Now()
		a := c.Send(t.Context(), step())
		if a.Class != outcome.Uncertain || !strings.Contains(a.Details, "in time") {
			t.Errorf("%+v", a)
		}
		if took := time.Since(start); took != DefaultTimeout {
			t.Errorf("gave up after %s, want %s", took, DefaultTimeout)
		}
	})
}

// TestTokenIsNowhere lets a transport and a server put the token into everything they can.
func TestTokenIsNowhere(t *testing.T) {
	const odd = "EAA/odd+token=="
	spellings := []string{odd, url.QueryEscape(odd), url.PathEscape(odd), strings.Repeat("x", longestText-8) + odd}
	for _, s := range spellings {
		body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": s, "code": 190, "error_data": map[string]any{"details": s}}})
		for name, rt := range map[string]transport{
			"error": func(*http.Request) (*http.Response, error) { return nil, fmt.Errorf("Post %s: %w", s, errors.New(s)) },
			"body":  func(*http.Request) (*http.Response, error) { return answer(400, string(body)), nil },
		} {
			a := newClient(t, Config{Token: odd, Transport: rt}).Send(t.Context(), step())
			// "EAA/" alone would be the beginning of a token that was cut where the text was shortened.
			if got := fmt.Sprintf("%+v", a); strings.Contains(got, "EAA") {
				t.Errorf("%s with %.30q: %s", name, s, got)
			}
		}
	}
}

func TestPrintedThingsShowNoToken(t *testing.T) {
	c := Config{BaseURL: "https://user:hunter2@example.com", Token: secret}
	client := newClient(t, Config{Token: secret})
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "config", c, "pointer", &c, "client", client)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "config", c, "pointer", &c, "client", client)
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{log.String(), string(asJSON), c.String(), c.GoString()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		texts = append(texts, fmt.Sprintf(verb, c), fmt.Sprintf(verb, &c), fmt.Sprintf(verb, client), fmt.Sprintf(verb, *client))
	}
	for _, s := range texts {
		if strings.Contains(s, secret) || strings.Contains(s, fmt.Sprintf("%x", secret)) {
			t.Errorf("shows the token: %s", s)
		}
	}
	if strings.Contains(c.String(), "hunter2") {
		t.Errorf("shows a password: %s", c)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		config Config
		want   error
	}{
		{"no token", Config{}, ErrToken},
		{"line break in token", Config{Token: secret + "\n"}, ErrToken},
		{"space in token", Config{Token: "Bearer " + secret}, ErrToken},
		{"other letters in token", Config{Token: secret + "é"}, ErrToken},
		{"plain http", Config{Token: secret, BaseURL: "http://example.com"}, ErrPlainHTTP},
		{"plain http to a name that begins well", Config{Token: secret, BaseURL: "http://localhost.example.com"}, ErrPlainHTTP},
		{"plain http to a private address", Config{Token: secret, BaseURL: "http://192.168.1.7:8025"}, ErrPlainHTTP},
		{"plain http to no address", Config{Token: secret, BaseURL: "http://127.1"}, ErrPlainHTTP},
		{"user", Config{Token: secret, BaseURL: "https://me@example.com"}, ErrBaseURL},
		{"password", Config{Token: secret, BaseURL: "https://me:hunter2@example.com"}, ErrBaseURL},
		{"host by trick", Config{Token: secret, BaseURL: "https://graph.facebook.com@example.com"}, ErrBaseURL},
		{"query", Config{Token: secret, BaseURL: "https://example.com/?a=b"}, ErrBaseURL},
		{"empty query", Config{Token: secret, BaseURL: "https://example.com/?"}, ErrBaseURL},
		{"fragment", Config{Token: secret, BaseURL: "https://example.com/#a"}, ErrBaseURL},
		{"other scheme", Config{Token: secret, BaseURL: "ftp://example.com"}, ErrBaseURL},
		{"no scheme", Config{Token: secret, BaseURL: "graph.facebook.com"}, ErrBaseURL},
		{"no host", Config{Token: secret, BaseURL: "https:///v26.0"}, ErrBaseURL},
		{"no URL", Config{Token: secret, BaseURL: "https://me:hunter2@exa mple.com"}, ErrBaseURL},
		{"version without v", Config{Token: secret, APIVersion: "26.0"}, ErrAPIVersion},
		{"version as path", Config{Token: secret, APIVersion: "v26.0/../v1.0"}, ErrAPIVersion},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(c.config)
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			if s := err.Error(); strings.Contains(s, secret) || strings.Contains(s, "hunter2") {
				t.Errorf("the error shows a secret: %s", s)
			}
		})
	}
}

func TestNewTakes(t *testing.T) {
	for base, want := range map[string]string{
		"":                               "https://graph.facebook.com/v26.0",
		"https://example.com":            "https://example.com/v26.0",
		"https://example.com/":           "https://example.com/v26.0",
		"https://example.com/proxy":      "https://example.com/proxy/v26.0",
		"http://127.0.0.1:8025":          "http://127.0.0.1:8025/v26.0",
		"http://127.9.9.9":               "http://127.9.9.9/v26.0",
		"http://[::1]:8025":              "http://[::1]:8025/v26.0",
		"http://[::ffff:127.0.0.1]:8025": "http://[::ffff:127.0.0.1]:8025/v26.0",
		"http://LocalHost:8025":          "http://LocalHost:8025/v26.0",
	} {
		c, err := New(Config{BaseURL: base, Token: secret})
		if err != nil {
			t.Errorf("%q: %v", base, err)
			continue
		}
		if got := c.endpoint.String(); got != want {
			t.Errorf("%q: %s, want %s", base, got, want)
		}
	}
}

// FuzzEndpoint holds that whatever base URL is taken is https or this machine, and carries nothing but scheme, host and path.
func FuzzEndpoint(f *testing.F) {
	f.Add("https://graph.facebook.com", "v26.0")
	f.Add("http://127.0.0.1:8025/x", "v1.0")
	f.Add("http://[::1%25lo]/", "v26.0")
	f.Fuzz(func(t *testing.T, base, version string) {
		u, err := endpoint(base, version)
		if err != nil {
			return
		}
		again, err := url.Parse(u.String())
		if err != nil {
			t.Fatalf("%q gives %s: %v", base, u, err)
		}
		if again.User != nil || again.RawQuery != "" || again.Fragment != "" || again.Host == "" {
			t.Errorf("%q gives %s", base, u)
		}
		if again.Scheme != "https" && !isLoopback(again.Hostname()) {
			t.Errorf("%q gives %s: clear text to another machine", base, u)
		}
	})
}

// BenchmarkSend is one message over a kept connection on this machine, the server's work included.
func BenchmarkSend(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, acceptedBody)
	}))
	defer s.Close()
	c := newClient(b, Config{BaseURL: s.URL, Token: secret})
	b.ReportAllocs()
	for b.Loop() {
		if a := c.Send(b.Context(), step()); a.Class != outcome.Accepted {
			b.Fatalf("%+v", a)
		}
	}
}

// TestShortTokenSpoilsNoWord: message ids stay whole, and the token of a rehearsal is hidden all the same.
func TestShortTokenSpoilsNoWord(t *testing.T) {
	for in, want := range map[string]string{
		"wamid.HBgxMTk2Mx=": "wamid.HBgxMTk2Mx=",
		"token x is bad":    "token [token] is bad",
		"x":                 "[token]",
		"access_token=x&v=": "access_token=[token]&v=",
		"":                  "",
	} {
		if got := hider("x")(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

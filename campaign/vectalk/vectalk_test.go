package vectalk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/campaign/providertest"
)

const secret = "instance-secret-0123456789"

func TestProvider(t *testing.T) {
	providertest.Run(t, func(t *testing.T, s providertest.Setup) campaign.Provider {
		return newClient(t, Config{Config: cloudapi.Config{BaseURL: s.BaseURL, Token: s.Token, Timeout: s.Timeout}})
	})
}

func newClient(t *testing.T, c Config) Client {
	t.Helper()
	client, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func step() campaign.Step {
	s := campaign.Step{ID: "abcdefghijklmnopqrstuvwxyz", NumberID: "12", Recipient: campaign.Recipient{Phone: "+5511987654321"}}
	s.Message.Type, s.Message.Text = "text", "Olá"
	return s
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// replies answers every request with status and body, and tells each to seen.
func replies(status int, body string, seen func(*http.Request)) transport {
	return func(r *http.Request) (*http.Response, error) {
		seen(r)
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func TestRequest(t *testing.T) {
	for _, c := range []struct {
		config  Config
		url, to string
	}{
		{Config{}, "https://apis.vectalk.com.br/api/messages", "+5511987654321"},
		{Config{Path: "messages", Digits: true}, "https://apis.vectalk.com.br/messages", "5511987654321"},
		{Config{Config: cloudapi.Config{BaseURL: "https://example.com/x/"}}, "https://example.com/x/api/messages", "+5511987654321"},
	} {
		c.config.Token = secret
		c.config.Transport = replies(200, `{"messages":[{"id":"wamid.x"}]}`, func(r *http.Request) {
			if got := r.URL.String(); r.Method != http.MethodPost || got != c.url {
				t.Errorf("%s %s, want POST %s", r.Method, got, c.url)
			}
			var body map[string]any
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Fatal(err)
			}
			if body["to"] != c.to || body["messaging_product"] != "whatsapp" || body["biz_opaque_callback_data"] != step().ID {
				t.Errorf("body %v, want to %s", body, c.to)
			}
		})
		if a := newClient(t, c.config).Send(t.Context(), step()); a.Class != outcome.Accepted || a.MessageID != "wamid.x" {
			t.Errorf("%+v", a)
		}
	}
}

// TestRefusedTokenStops is an answer of the proxy itself, without a code of the platform.
func TestRefusedTokenStops(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   outcome.Class
	}{
		{401, `{"message":"Unauthorized"}`, outcome.Stop},
		{401, `{"error":"invalid token"}`, outcome.Stop},
		{401, `{"error":{"message":"Session has expired","code":190}}`, outcome.Stop},
		{401, `<html>sign in</html>`, outcome.RequestWrong},
		{403, `{"message":"Forbidden"}`, outcome.RequestWrong},
		{404, `{"message":"Cannot POST /api/messages"}`, outcome.RequestWrong},
		{401, `{"message":"Unauth`, outcome.Uncertain},
	} {
		client := newClient(t, Config{Config: cloudapi.Config{Token: secret, Transport: replies(c.status, c.body, func(*http.Request) {})}})
		if a := client.Send(t.Context(), step()); a.Class != c.want {
			t.Errorf("%d %s: %s, want %s", c.status, c.body, a.Class, c.want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		config Config
		want   error
	}{
		"no token":   {Config{}, cloudapi.ErrToken},
		"plain http": {Config{Config: cloudapi.Config{Token: secret, BaseURL: "http://example.com"}}, cloudapi.ErrPlainHTTP},
		"path":       {Config{Config: cloudapi.Config{Token: secret}, Path: "../x"}, cloudapi.ErrPath},
	} {
		if _, err := New(c.config); !errors.Is(err, c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestPrintedConfigShowsNoToken(t *testing.T) {
	c := Config{Config: cloudapi.Config{Token: secret}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
		if s := fmt.Sprintf(verb, c) + fmt.Sprintf(verb, newClient(t, c)); strings.Contains(s, secret) || strings.Contains(s, fmt.Sprintf("%x", secret)) {
			t.Errorf("%s shows the token: %s", verb, s)
		}
	}
}

func TestNumber(t *testing.T) {
	type told struct {
		level, quality string
		mps            int
	}
	for name, c := range map[string]struct {
		body string
		want told
	}{
		"the platform's":         {`{"data":[{"id":"11","throughput":{"level":"STANDARD"}},{"id":"12","throughput":{"level":"HIGH"},"quality_rating":"GREEN"}]}`, told{"HIGH", "GREEN", 1000}},
		"bare list":              {`[{"id":"12","throughput":{"level":"high"}}]`, told{"HIGH", "", 1000}},
		"one object":             {`{"phone_number_id":"12","throughput":"STANDARD"}`, told{"STANDARD", "", 80}},
		"other spelling":         {`{"phoneNumbers":[{"phoneNumberId":12,"throughputLevel":"HIGH"}]}`, told{"HIGH", "", 1000}},
		"80 a second":            {`{"data":[{"id":"12","throughput":{"level":80}}]}`, told{"STANDARD", "", 80}},
		"1,000 a second":         {`{"data":[{"id":"12","throughput":"1000"}]}`, told{"HIGH", "", 1000}},
		"20 a second":            {`{"data":[{"id":"12","throughput":20}]}`, told{"20", "", 20}},
		"a level nobody knows":   {`{"data":[{"id":"12","throughput":{"level":"GIANT"}}]}`, told{"GIANT", "", 0}},
		"id by another name":     {`{"data":[{"id":"x","throughput":{"level":"HIGH"}}]}`, told{"HIGH", "", 1000}},
		"all agree":              {`{"data":[{"id":"x","throughput":{"level":"HIGH"}},{"id":"y","throughput":{"level":"HIGH"},"quality_rating":"RED"}]}`, told{"HIGH", "", 1000}},
		"which one is not told":  {`{"data":[{"id":"x","throughput":{"level":"HIGH"}},{"id":"y","throughput":{"level":"STANDARD"}}]}`, told{}},
		"no level":               {`{"data":[{"id":"12","quality_rating":"GREEN"}]}`, told{}},
		"empty":                  {`{"data":[]}`, told{}},
		"no JSON":                {`<html>`, told{}},
		"nothing":                {``, told{}},
		"level of another shape": {`{"data":[{"id":"12","throughput":[1]}]}`, told{}},
	} {
		client := newClient(t, Config{Config: cloudapi.Config{Token: secret, Transport: replies(200, c.body, func(r *http.Request) {
			if got := r.Method + " " + r.URL.Path; got != "GET /api/phone-numbers" || r.Header.Get("Authorization") != "Bearer "+secret {
				t.Errorf("%s: %s", name, got)
			}
		})}})
		n, err := client.Number(t.Context(), "12")
		if got := (told{n.Level, n.Quality, n.MPS()}); got != c.want || err != nil || n.ID != "12" {
			t.Errorf("%s: %+v of %s, %v; want %+v", name, got, n.ID, err, c.want)
		}
	}
}

func TestNumberRefused(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		bad    bool // the token
	}{{403, `{}`, false}, {404, `<html>`, false}, {401, `{"message":"Unauthorized"}`, true}, {302, ``, false}, {500, `{`, false}} {
		client := newClient(t, Config{Config: cloudapi.Config{Token: secret, Transport: replies(c.status, c.body, func(*http.Request) {})}})
		n, err := client.Number(t.Context(), "12")
		r, ok := errors.AsType[*preflight.Refusal](err)
		if !ok || r.HTTPStatus != c.status || r.BadToken() != c.bad || n.Level != "" {
			t.Errorf("%d: %+v, %v", c.status, n, err)
		}
	}
}

func FuzzParseNumbers(f *testing.F) {
	f.Add([]byte(`{"data":[{"id":"12","throughput":{"level":"HIGH"}}]}`), "12")
	f.Add([]byte(`[[{"a":{"phone_number_id":12,"throughputLevel":1e3}}]]`), "12")
	f.Fuzz(func(t *testing.T, body []byte, id string) {
		n := ParseNumbers(body, id)
		if n.Level != ParseNumbers(body, id).Level {
			t.Error("two readings differ")
		}
		if n.ID != id || n.Level != "" && !json.Valid(body) {
			t.Errorf("%+v from no JSON", n)
		}
	})
}

// TestAgainstTheEmulator sends over a socket to the emulated face, at both of the paths that are published.
func TestAgainstTheEmulator(t *testing.T) {
	for _, path := range []string{"", "messages"} {
		em := emulator.New(emulator.Options{Provider: emulator.Vectalk, Numbers: []string{"12"}, PairModel: emulator.Spaced, MPS: 1000})
		s := httptest.NewServer(em)
		t.Cleanup(s.Close)
		c := newClient(t, Config{Config: cloudapi.Config{BaseURL: s.URL, Token: secret}, Path: path})
		if a := c.Send(t.Context(), step()); a.Class != outcome.Accepted || a.WaID != "5511987654321" {
			t.Errorf("%+v", a)
		}
		if a := c.Send(t.Context(), step()); a.Class != outcome.PairWait || a.Code != 131056 {
			t.Errorf("%+v, want 131056", a)
		}
		if n, err := c.Number(t.Context(), "12"); n.Level != "HIGH" || err != nil {
			t.Errorf("%+v, %v", n, err)
		}
		if l := em.Ledger(); l.Accepted != 1 || l.AcceptedTwice != 0 {
			t.Errorf("%+v", l)
		}
	}
}

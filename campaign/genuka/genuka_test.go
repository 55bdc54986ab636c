package genuka

import (
	"bytes"
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
	"github.com/wactl/wactl/campaign/providertest"
)

const secret = "gwa_secret_0123456789"

func newReader(body []byte) io.Reader {
	return bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
}

// TestProvider runs the suite twice: with answers in Genuka WA's own shape, and with the platform's bare ones.
func TestProvider(t *testing.T) {
	open := func(t *testing.T, s providertest.Setup) campaign.Provider {
		return newClient(t, Config{Config: cloudapi.Config{BaseURL: s.BaseURL, Token: s.Token, Timeout: s.Timeout}})
	}
	t.Run("own shape", func(t *testing.T) { providertest.RunIn(t, dressed, open) })
	t.Run("bare", func(t *testing.T) { providertest.Run(t, open) })
}

// dressed is a platform's answer as Genuka WA gives it. What is no whole JSON object, or has no plain code, stays as it is.
func dressed(platform string) string {
	var said map[string]any
	if json.Unmarshal([]byte(platform), &said) != nil {
		return platform
	}
	out := map[string]any{}
	failure, refused := said["error"].(map[string]any)
	if refused {
		delete(said, "error")
		if failure["code"] == nil || failure["whatsappApiError"] != nil || failure["cause"] != nil {
			return platform
		}
		out["error"], out["message"], out["meta"] = "send_failed", fmt.Sprint(failure["message"], failure["error_data"]), map[string]any{"code": failure["code"]}
	}
	if said["errors"] != nil || said["meta"] != nil {
		return platform
	}
	if len(said) > 0 {
		out["data"] = said
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return string(text)
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
	s := campaign.Step{ID: "abcdefghijklmnopqrstuvwxyz", Line: 7, NumberID: "conn_1", Recipient: campaign.Recipient{Phone: "+237690000001"}}
	s.Message.Type, s.Message.Text = "text", "Bonjour <3"
	return s
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRequest(t *testing.T) {
	for _, c := range []struct {
		config    Config
		url, body string
	}{
		{Config{}, "https://wa.genuka.com/api/v1/messages",
			`{"connectionId":"conn_1","to":"237690000001","type":"text","text":{"body":"Bonjour <3"}}`},
		{Config{Path: "v2/send", Plus: true}, "https://wa.genuka.com/v2/send",
			`{"connectionId":"conn_1","to":"+237690000001","type":"text","text":{"body":"Bonjour <3"}}`},
	} {
		c.config.Token = secret
		c.config.Transport = transport(func(r *http.Request) (*http.Response, error) {
			body, _ := io.ReadAll(r.Body)
			if got := r.Method + " " + r.URL.String(); got != "POST "+c.url || string(body) != c.body {
				t.Errorf("%s %s, want POST %s %s", got, body, c.url, c.body)
			}
			if r.Header.Get("Authorization") != "Bearer "+secret {
				t.Error("the key is not in the header")
			}
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"data":{"id":"wamid.x"}}`))}, nil
		})
		if a := newClient(t, c.config).Send(t.Context(), step()); a.Class != outcome.Accepted || a.MessageID != "wamid.x" {
			t.Errorf("%+v", a)
		}
	}
}

// TestUserIDIsRefused keeps a message without a phone number from leaving: no field of the page would hold its recipient.
func TestUserIDIsRefused(t *testing.T) {
	s := step()
	s.Recipient = campaign.Recipient{BSUID: "CM.123"}
	c := newClient(t, Config{Config: cloudapi.Config{Token: secret, Transport: transport(func(*http.Request) (*http.Response, error) {
		t.Error("a request left")
		return nil, errors.New("x")
	})}})
	if a := c.Send(t.Context(), s); a.Class != outcome.RequestWrong || !strings.Contains(a.Details, ErrUserID.Error()) || !strings.Contains(a.Details, "line 7") {
		t.Errorf("%+v", a)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		config Config
		want   error
	}{
		"no key":     {Config{}, cloudapi.ErrToken},
		"plain http": {Config{Config: cloudapi.Config{Token: secret, BaseURL: "http://example.com"}}, cloudapi.ErrPlainHTTP},
		"path":       {Config{Config: cloudapi.Config{Token: secret}, Path: "https://example.com"}, cloudapi.ErrPath},
	} {
		if _, err := New(c.config); !errors.Is(err, c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestPrintedConfigShowsNoKey(t *testing.T) {
	c := Config{Config: cloudapi.Config{Token: secret}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
		if s := fmt.Sprintf(verb, c) + fmt.Sprintf(verb, newClient(t, c)); strings.Contains(s, secret) || strings.Contains(s, fmt.Sprintf("%x", secret)) {
			t.Errorf("%s shows the key: %s", verb, s)
		}
	}
}

// TestAgainstTheEmulator sends over a socket to the emulated face, which knows Genuka WA's shapes by its own plain code.
func TestAgainstTheEmulator(t *testing.T) {
	em := emulator.New(emulator.Options{Provider: emulator.Genuka, Numbers: []string{"conn_1"}, PairModel: emulator.Spaced})
	s := httptest.NewServer(em)
	t.Cleanup(s.Close)
	c := newClient(t, Config{Config: cloudapi.Config{BaseURL: s.URL, Token: secret}})
	if a := c.Send(t.Context(), step()); a.Class != outcome.Accepted || !strings.HasPrefix(a.MessageID, "wamid.") || a.WaID != "237690000001" {
		t.Errorf("%+v", a)
	}
	if a := c.Send(t.Context(), step()); a.Class != outcome.PairWait || a.Code != 131056 || a.Title == "" {
		t.Errorf("%+v, want 131056", a)
	}
	other := step()
	other.NumberID = "conn_2"
	if a := c.Send(t.Context(), other); a.Class != outcome.RequestWrong {
		t.Errorf("%+v, want a refusal of the connection", a)
	}
	if l := em.Ledger(); l.Accepted != 1 || l.Refused["pair"] != 1 || l.Refused["auth"] != 1 {
		t.Errorf("%+v", l)
	}
}

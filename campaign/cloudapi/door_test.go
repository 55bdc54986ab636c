package cloudapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
	"github.com/wactl/wactl/campaign/preflight"
	"github.com/wactl/wactl/campaign/wire"
)

// TestAnotherDoor posts to the door's path, whatever the number, with its body, and reads the answer its way.
func TestAnotherDoor(t *testing.T) {
	var got []string
	rt := transport(func(r *http.Request) (*http.Response, error) {
		line := r.Method + " " + r.URL.String()
		if r.Body != nil {
			b, _ := io.ReadAll(r.Body)
			line += " " + string(b)
		}
		got = append(got, line)
		return answer(200, `{"ref":"wamid.y"}`), nil
	})
	c, err := NewAt(Config{BaseURL: "https://example.com/proxy/", Token: secret, Transport: rt}, Door{
		Path: "/api/messages",
		Body: func(campaign.Step) ([]byte, error) { return []byte("body"), nil },
		Read: func(_ int, body []byte) (a wire.Answer) {
			var said struct{ Ref string }
			if json.Unmarshal(body, &said) == nil {
				a.MessageID = said.Ref
			}
			return a
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := c.Send(t.Context(), step()); a.Class != outcome.Accepted || a.MessageID != "wamid.y" {
		t.Errorf("%+v", a)
	}
	if body, err := c.Get(t.Context(), "numbers", "phone-numbers"); string(body) != `{"ref":"wamid.y"}` || err != nil {
		t.Errorf("%s %v", body, err)
	}
	want := "POST https://example.com/proxy/api/messages body|GET https://example.com/proxy/api/phone-numbers"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("requests %s, want %s", s, want)
	}
}

func TestDoorPaths(t *testing.T) {
	for path, want := range map[string]string{
		"api/messages": "https://example.com/x/api/messages", "/messages": "https://example.com/x/messages", "a/b.c/~d_e-f": "https://example.com/x/a/b.c/~d_e-f",
		"..": "", "a/../b": "", "a/./b": "", "a//b": "", "//evil.example": "", "https://evil.example": "", "a?b": "", "a#b": "", "a b": "", "a%2fb": "", "a\\b": "", "/": "",
	} {
		c, err := NewAt(Config{BaseURL: "https://example.com/x", Token: secret}, Door{Path: path})
		switch {
		case want == "" && !errors.Is(err, ErrPath):
			t.Errorf("%q: %v, want %v", path, err, ErrPath)
		case want != "" && (err != nil || c.address("12") != want):
			t.Errorf("%q: %v, want %s", path, err, want)
		}
	}
	if _, err := NewAt(Config{BaseURL: "http://example.com", Token: secret}, Door{Path: "x"}); !errors.Is(err, ErrPlainHTTP) {
		t.Errorf("another door in clear text: %v", err)
	}
}

// TestGetKeepsTheToken lets transport and server put the token into what went wrong.
func TestGetKeepsTheToken(t *testing.T) {
	for name, rt := range map[string]transport{
		"error": func(*http.Request) (*http.Response, error) { return nil, errors.New(secret) },
		"body":  func(*http.Request) (*http.Response, error) { return answer(401, `{"message":"`+secret+`"}`), nil },
		"moved": func(*http.Request) (*http.Response, error) {
			return answer(302, `{"error":{"message":"`+secret+`"}}`), nil
		},
	} {
		c, err := NewAt(Config{Token: secret, Transport: rt}, Door{Path: "messages", Read: wire.ParseProxied})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Get(t.Context(), "numbers", "x")
		r, ok := errors.AsType[*preflight.Refusal](err)
		if !ok || strings.Contains(fmt.Sprintf("%+v %v", r, err), secret) {
			t.Errorf("%s: %+v", name, err)
		} else if r.BadToken() != (name == "body") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	own := newClient(t, Config{Token: secret})
	if _, err := own.Get(t.Context(), "numbers", "x"); err == nil || !strings.Contains(err.Error(), ErrNoReads.Error()) {
		t.Errorf("%v, want %v", err, ErrNoReads)
	}
}

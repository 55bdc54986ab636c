package emulator

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// call makes one request of a face and gives status and body.
func call(e *Emulator, method, path, token, body string) (int, string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

const (
	platformText = `{"messaging_product":"whatsapp","to":"+5511987654321","type":"text","text":{"body":"Oi"},"biz_opaque_callback_data":"step1"}`
	genukaText   = `{"connectionId":"c1","to":"5511987654321","type":"text","text":{"body":"Oi"},"biz_opaque_callback_data":"step1"}`
)

func TestVectalkDoor(t *testing.T) {
	var journal strings.Builder
	e := New(Options{Provider: Vectalk, Tokens: []string{"one", "two"}, Numbers: []string{"11", "12"}, PairModel: Spaced, Journal: &journal})
	for _, c := range []struct {
		method, path, token, body string
		status                    int
		want                      string
	}{
		{"POST", "/api/messages", "two", platformText, 200, `"messages":[{"id":"wamid.`},
		{"POST", "/messages", "one", platformText, 200, `"messages":[{"id":"wamid.`}, // another number, so another pair
		{"POST", "/messages", "two", platformText, 400, `"code":131056`},
		{"POST", "/api/messages", "three", platformText, 401, `"code":190`},
		{"POST", "/api/messages", "", platformText, 401, `"code":190`},
		{"GET", "/api/phone-numbers", "two", "", 200, `{"data":[{"id":"12","throughput":{"level":"STANDARD"}}]}`},
		{"GET", "/phone-numbers", "three", "", 401, `"code":190`},
		{"POST", "/phone-numbers", "two", "", 405, `"code":100`},
		{"GET", "/api/messages", "two", "", 405, `"code":100`},
		{"POST", "/v26.0/12/messages", "two", platformText, 404, `"code":2500`},
		{"POST", "/", "two", platformText, 404, `"code":2500`},
	} {
		if status, body := call(e, c.method, c.path, c.token, c.body); status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s with %q: %d %s, want %d %s", c.method, c.path, c.token, status, body, c.status, c.want)
		}
	}
	if got := strings.Count(journal.String(), `"phone_number_id":"12"`); got != 2 {
		t.Errorf("%d lines about number 12, want 2:\n%s", got, journal.String())
	}
	if l := e.Ledger(); l.Accepted != 2 || l.Refused[byPair] != 1 || l.Refused[byAuth] != 2 {
		t.Errorf("%+v", l)
	}
}

// TestInstanceWithoutLists names numbers by token, one for each, and shows no token.
func TestInstanceWithoutLists(t *testing.T) {
	var journal strings.Builder
	e := New(Options{Provider: Vectalk, MPS: 1000, PairModel: Spaced, Journal: &journal})
	for _, token := range []string{"s3cret-a", "s3cret-b"} {
		if status, body := call(e, "POST", "/api/messages", token, platformText); status != 200 {
			t.Errorf("%d %s", status, body)
		}
		if _, body := call(e, "GET", "/api/phone-numbers", token, ""); !strings.Contains(body, `"level":"HIGH"`) || strings.Contains(body, "s3cret") {
			t.Errorf("%s", body)
		}
	}
	if strings.Contains(journal.String(), "s3cret") {
		t.Errorf("the journal shows a token: %s", journal.String())
	}
}

func TestGenukaDoor(t *testing.T) {
	var journal strings.Builder
	e := New(Options{Provider: Genuka, Tokens: []string{"key"}, Numbers: []string{"c1"}, PairModel: Spaced, Journal: &journal})
	for _, c := range []struct {
		method, path, token, body string
		status                    int
		want                      string
	}{
		{"POST", "/api/v1/messages", "key", genukaText, 200, `{"data":{"messaging_product":"whatsapp","contacts":[{"input":"5511987654321","wa_id":"5511987654321"}],"messages":[{"id":"wamid.`},
		{"POST", "/api/v1/messages", "key", genukaText, 400, `"meta":{"code":131056}}`},
		{"POST", "/api/v1/messages", "other", genukaText, 401, `{"error":"unauthorized","message":"(#190)`},
		{"POST", "/api/v1/messages", "key", strings.Replace(genukaText, "c1", "c2", 1), 400, `"meta":{"code":100}}`},
		{"POST", "/api/v1/messages", "key", platformText, 400, `"meta":{"code":100}}`},
		{"POST", "/api/v1/messages", "key", `{"connectionId":"c1","type":"text","text":{"body":"Oi"}}`, 400, `"meta":{"code":100}}`},
		{"POST", "/api/v1/messages", "key", `{"connectionId":"c1"`, 400, `"meta":{"code":100}}`},
		{"POST", "/api/v1/messages", "key", `null`, 400, `"meta":{"code":100}}`},
		{"GET", "/api/v1/messages", "key", "", 405, `"error":"method_not_allowed"`},
		{"POST", "/api/v1/campaigns", "key", genukaText, 404, `"error":"not_found"`},
		{"POST", "/v26.0/c1/messages", "key", platformText, 404, `"error":"not_found"`},
	} {
		status, body := call(e, c.method, c.path, c.token, c.body)
		if status != c.status || !strings.Contains(body, c.want) || !json.Valid([]byte(body)) {
			t.Errorf("%s %s %s: %d %s, want %d %s", c.method, c.path, c.body, status, body, c.status, c.want)
		}
		if status == http.StatusUnauthorized && strings.Contains(body, "meta") {
			t.Errorf("a refused key has a code of the platform: %s", body)
		}
	}
	if strings.Contains(journal.String(), "step1") {
		t.Errorf("callback data was handed on:\n%s", journal.String())
	}
	if l := e.Ledger(); l.Accepted != 1 || l.Refused[byPair] != 1 {
		t.Errorf("%+v", l)
	}
}

// TestFaultsBehindADoor cuts and spoils answers of every door alike.
func TestFaultsBehindADoor(t *testing.T) {
	for provider, request := range map[string][2]string{Vectalk: {"/api/messages", platformText}, Genuka: {"/api/v1/messages", genukaText}} {
		for fault, want := range map[string]string{"html": "<!DOCTYPE html>", "503": "<!DOCTYPE html>", "131026": `"code":131026`} {
			faults, err := ParseFaults(fault + ":1")
			if err != nil {
				t.Fatal(err)
			}
			e := New(Options{Provider: provider, Faults: faults})
			if _, body := call(e, "POST", request[0], "key", request[1]); !strings.Contains(body, want) {
				t.Errorf("%s with %s: %s", provider, fault, body)
			}
		}
	}
}

func TestProviderIsOneOfThree(t *testing.T) {
	for provider, ok := range map[string]bool{"": true, Cloud: true, Vectalk: true, Genuka: true, "twilio": false} {
		if err := (Options{Provider: provider}).Validate(); (err == nil) != ok {
			t.Errorf("%q: %v", provider, err)
		}
	}
}

// FuzzUndress holds that any body becomes one that the platform's door can read, with nothing of the other door in it.
func FuzzUndress(f *testing.F) {
	f.Add([]byte(genukaText))
	f.Add([]byte(`{"connectionId":{"a":1}}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a := undress(raw)
		m, body := readMessage(a.number, a.raw)
		if m.callback != "" && body != nil && a.number != "" {
			t.Errorf("callback data %q is handed on", m.callback)
		}
		if body != nil && body["connectionId"] != nil {
			t.Errorf("connectionId is handed on: %s", a.raw)
		}
	})
}

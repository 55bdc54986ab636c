package emulator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/campaign/emulator"
)

// read asks for a path and is the status and the body.
func (r *rig) read(t *testing.T, path string) (int, map[string]any, http.Header) {
	t.Helper()
	q := httptest.NewRequest(http.MethodGet, path, nil)
	q.Header.Set("Authorization", "Bearer x")
	w := httptest.NewRecorder()
	r.ServeHTTP(w, q)
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return w.Code, body, w.Header()
}

// at is a value inside a JSON object, by keys and indexes.
func at(v any, keys ...any) any {
	for _, k := range keys {
		switch k := k.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[k]
		case int:
			l, _ := v.([]any)
			if k >= len(l) {
				return nil
			}
			v = l[k]
		}
	}
	return v
}

func TestNumberNode(t *testing.T) {
	const fields = "/v26.0/1?fields=status,throughput,is_on_biz_app,whatsapp_business_manager_messaging_limit,nonsense,health_status"
	tests := []struct {
		options      emulator.Options
		level, limit string
		app          bool
	}{
		{emulator.Options{}, "STANDARD", "TIER_UNLIMITED", false},
		{emulator.Options{MPS: 20, Tier: 250}, "STANDARD", "TIER_250", true},
		{emulator.Options{MPS: 1000, Tier: 2000}, "HIGH", "TIER_2K", false},
		{emulator.Options{Account: emulator.Account{Numbers: []json.RawMessage{json.RawMessage(`{"id":"1","throughput":{"level":"X"}}`)}}}, "X", "TIER_UNLIMITED", false},
	}
	for _, tt := range tests {
		r := newRig(tt.options)
		status, n, _ := r.read(t, fields)
		if status != 200 || at(n, "throughput", "level") != tt.level || at(n, "whatsapp_business_manager_messaging_limit") != tt.limit || n["is_on_biz_app"] != tt.app {
			t.Errorf("%+v: %d %v", tt.options, status, n)
		}
		if n["id"] != "1" || n["nonsense"] != nil || n["quality_rating"] != nil || at(n, "health_status", "entities", 1, "id") != "1" {
			t.Errorf("fields: %v", n)
		}
		if len(r.lines(t)) != 0 || r.Ledger().Accepted != 0 || r.Ledger().Refused["auth"] != 0 {
			t.Error("a reading is in the record of messages")
		}
	}
	r := newRig(emulator.Options{Numbers: []string{"2"}})
	if status, body, _ := r.read(t, fields); status != 400 || at(body, "error", "error_subcode") != 33.0 {
		t.Errorf("another's number: %d %v", status, body)
	}
	if _, n, _ := newRig(emulator.Options{}).read(t, "/1"); n["quality_rating"] != "GREEN" || n["status"] != nil {
		t.Errorf("without fields: %v", n)
	}
}

func TestCallsPerHour(t *testing.T) {
	r := newRig(emulator.Options{CallsPerHour: 2})
	for i, want := range []struct {
		after  time.Duration
		status int
	}{{0, 200}, {time.Minute, 200}, {2 * time.Minute, 400}, {time.Hour, 200}, {time.Hour, 400}, {time.Hour + time.Minute, 200}} {
		r.at(want.after)
		status, body, h := r.read(t, "/v26.0/1")
		if status != want.status {
			t.Errorf("call %d after %s: %d %v", i, want.after, status, body)
		}
		var usage map[string][]struct {
			Minutes int `json:"estimated_time_to_regain_access"`
		}
		if err := json.Unmarshal([]byte(h.Get("X-Business-Use-Case-Usage")), &usage); err != nil || len(usage["1"]) != 1 || (usage["1"][0].Minutes > 0) != (status == 400) {
			t.Errorf("call %d: usage %s, %v", i, h.Get("X-Business-Use-Case-Usage"), err)
		}
		if status == 400 && at(body, "error", "code") != 80007.0 {
			t.Errorf("call %d: %v", i, body)
		}
	}
}

func TestLists(t *testing.T) {
	var templates []json.RawMessage
	for i := range 5 {
		templates = append(templates, json.RawMessage(fmt.Sprintf(`{"id":"%d","name":"t%d","language":"en","status":"APPROVED","quality_score":{"score":"GREEN"}}`, i, i)))
	}
	r := newRig(emulator.Options{Account: emulator.Account{ID: "9", Templates: templates}})
	_, page, _ := r.read(t, "/v26.0/9/message_templates?limit=2&fields=name,quality_score")
	if at(page, "data", 1, "name") != "t1" || at(page, "data", 2) != nil || at(page, "data", 0, "status") != nil || at(page, "paging", "next") == nil {
		t.Fatalf("first page: %v", page)
	}
	_, page, _ = r.read(t, "/v26.0/9/message_templates?limit=2&after="+at(page, "paging", "cursors", "after").(string)+"&after=")
	if at(page, "data", 0, "name") != "t2" || at(page, "data", 0, "quality_score") != nil {
		t.Errorf("second page: %v", page)
	}
	if _, page, _ = r.read(t, "/v26.0/9/message_templates?limit=2&after=4"); at(page, "data", 0, "name") != "t4" || at(page, "paging", "next") != nil {
		t.Errorf("last page: %v", page)
	}
	if _, page, _ = r.read(t, "/v26.0/9/message_templates?name=t3"); at(page, "data", 0, "name") != "t3" || at(page, "data", 1) != nil {
		t.Errorf("by name: %v", page)
	}
	if _, page, _ = r.read(t, "/v26.0/9/message_templates?status=PAUSED"); len(at(page, "data").([]any)) != 0 {
		t.Errorf("by status: %v", page)
	}
	if status, _, _ := r.read(t, "/v26.0/8/message_templates"); status != 400 {
		t.Errorf("another account: %d", status)
	}
	if status, _, _ := newRig(emulator.Options{}).read(t, "/v26.0/1/message_templates"); status != 400 {
		t.Errorf("no templates given: %d", status)
	}
	if _, page, _ = r.read(t, "/v26.0/9/phone_numbers?fields=status"); at(page, "data", 0, "status") != "CONNECTED" {
		t.Errorf("numbers: %v", page)
	}
}

// give uploads a file and is the answer.
func (r *rig) give(t *testing.T, number, kind, text string) (int, map[string]any) {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for key, value := range map[string]string{"messaging_product": "whatsapp", "type": kind} {
		if err := form.WriteField(key, value); err != nil {
			t.Fatal(err)
		}
	}
	part, err := form.CreateFormFile("file", "a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(part, text); err != nil {
		t.Fatal(err)
	}
	form.Close()
	q := httptest.NewRequest(http.MethodPost, "/v26.0/"+number+"/media", &b)
	q.Header.Set("Authorization", "Bearer x")
	q.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	r.ServeHTTP(w, q)
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	return w.Code, body
}

func TestUploads(t *testing.T) {
	r := newRig(emulator.Options{})
	_, first := r.give(t, number, "image/png", "png")
	_, second := r.give(t, "2", "image/png", "png")
	id, other := at(first, "id").(string), at(second, "id").(string)
	if id == "" || id == other {
		t.Fatalf("ids %q and %q", id, other)
	}
	if _, node, _ := r.read(t, "/v26.0/"+id); node["mime_type"] != "image/png" || node["file_size"] != 3.0 || node["id"] != id {
		t.Errorf("the file: %v", node)
	}
	image := func(id string) string {
		return `{"messaging_product":"whatsapp","to":"+5511961234567","type":"image","image":{"id":"` + id + `"}}`
	}
	for id, want := range map[string]int{id: 0, other: 131053, "77": 0} {
		r = r.at(r.clock.Sub(started) + time.Minute)
		if got := code(t, r.RoundTripper(), number, image(id)); got != want {
			t.Errorf("media %s: code %d, want %d", id, got, want)
		}
	}
	for _, tt := range []struct {
		kind, text string
		want       float64
	}{{"image/gif", "x", 100}, {"image/png", "", 131053}, {"image/png", strings.Repeat("x", 5<<20+1), 131053}, {"", "x", 100}} {
		if status, body := r.give(t, number, tt.kind, tt.text); status == 200 || at(body, "error", "code") != tt.want {
			t.Errorf("%s of %d bytes: %d %v", tt.kind, len(tt.text), status, body)
		}
	}
}

// FuzzAccount looks for an account that is taken and then makes a reading panic.
func FuzzAccount(f *testing.F) {
	f.Add([]byte(`{"id":"1","numbers":[{"id":"1"}],"templates":[{"name":"a","language":"en"}]}`))
	f.Add([]byte(`{"numbers":[{"id":"1","throughput":7}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := emulator.ParseAccount(text)
		if err != nil {
			return
		}
		e := emulator.New(emulator.Options{Account: a})
		for _, path := range []string{"/1", "/1/phone_numbers?fields=id,status", "/1/message_templates?limit=1"} {
			q := httptest.NewRequest(http.MethodGet, path, nil)
			q.Header.Set("Authorization", "Bearer x")
			w := httptest.NewRecorder()
			e.ServeHTTP(w, q)
			if !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s: %s", path, w.Body)
			}
		}
	})
}

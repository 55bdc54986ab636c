package cloudapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/preflight"
)

// replies is a transport that answers with a list of replies, the last of them for good, and keeps what it was asked.
type replies struct {
	list  []reply
	asked []*http.Request
	at    []time.Time
}

type reply struct {
	status int
	header map[string]string
	body   string
}

func (r *replies) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.Body != nil {
		if _, err := io.Copy(io.Discard, q.Body); err != nil {
			return nil, err
		}
	}
	r.asked, r.at = append(r.asked, q), append(r.at, time.Now())
	one := r.list[min(len(r.asked), len(r.list))-1]
	if one.status == 0 {
		return nil, errors.New("the way is blocked")
	}
	h := http.Header{}
	for key, value := range one.header {
		h.Set(key, value)
	}
	return &http.Response{StatusCode: one.status, Header: h, Body: io.NopCloser(strings.NewReader(one.body)), Request: q}, nil
}

func reading(t *testing.T, list ...reply) (*cloudapi.Client, *replies) {
	t.Helper()
	r := &replies{list: list}
	return client(t, r), r
}

func client(t *testing.T, way http.RoundTripper) *cloudapi.Client {
	t.Helper()
	c, err := cloudapi.New(cloudapi.Config{Token: "s3cr3t-token", Transport: way})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func refusal(code int) string {
	return fmt.Sprintf(`{"error":{"message":"(#%d) Title","code":%d,"error_data":{"details":"why s3cr3t-token"}}}`, code, code)
}

// A number is read field by field: what is missing, or of another shape, is not told, and does not spoil the rest.
func TestNumber(t *testing.T) {
	tests := []struct {
		name, body string
		want       preflight.Number
	}{
		{"all", `{"id":"1","display_phone_number":"+1 555","verified_name":"Shop","status":"CONNECTED","quality_rating":"GREEN","throughput":{"level":"STANDARD"},
			"is_on_biz_app":true,"platform_type":"CLOUD_API","whatsapp_business_manager_messaging_limit":"TIER_2K","account_mode":"LIVE","name_status":"APPROVED",
			"health_status":{"can_send_message":"BLOCKED","entities":[{"entity_type":"WABA","id":"9","can_send_message":"BLOCKED","additional_info":["a"],
			"errors":[{"error_code":141006,"error_description":"b","possible_solution":"c"}]}]}}`,
			preflight.Number{ID: "1", Display: "+1 555", Name: "Shop", Status: "CONNECTED", Quality: "GREEN", Level: "STANDARD", Limit: "TIER_2K", Mode: "LIVE",
				NameStatus: "APPROVED", Platform: "CLOUD_API", BusinessApp: new(true), Health: &preflight.Health{CanSend: "BLOCKED", Entities: []preflight.Entity{
					{Type: "WABA", ID: "9", CanSend: "BLOCKED", Info: []string{"a"}, Faults: []preflight.Fault{{Code: 141006, Description: "b", Solution: "c"}}}}}}},
		{"nothing", `{}`, preflight.Number{}},
		{"older", `{"id":"1","messaging_limit_tier":"TIER_1K","quality_score":{"score":"YELLOW"}}`, preflight.Number{ID: "1", Limit: "TIER_1K", Quality: "YELLOW"}},
		{"odd shapes", `{"id":1234567890123456,"status":["CONNECTED"],"throughput":"HIGH","quality_score":"RED","is_on_biz_app":"yes","health_status":"fine","name_status":null}`,
			preflight.Number{ID: "1234567890123456", Level: "HIGH", Quality: "RED"}},
		{"echoed token", `{"verified_name":"Shop s3cr3t-token","health_status":{"can_send_message":"LIMITED","entities":[{"can_send_message":"LIMITED","errors":[{"error_description":"Bearer s3cr3t-token"}]}]}}`,
			preflight.Number{Name: "Shop [token]", Health: &preflight.Health{CanSend: "LIMITED", Entities: []preflight.Entity{
				{CanSend: "LIMITED", Faults: []preflight.Fault{{Description: "Bearer [token]"}}}}}}},
		{"small letters", `{"status":"connected "}`, preflight.Number{Status: "CONNECTED"}},
	}
	for _, tt := range tests {
		c, way := reading(t, reply{status: 200, body: tt.body})
		got, err := c.Number(t.Context(), "1")
		if diff := gocmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
		q := way.asked[0]
		if len(way.asked) != 1 || q.Method != http.MethodGet || q.URL.Path != "/v26.0/1" || q.Header.Get("Authorization") != "Bearer s3cr3t-token" {
			t.Errorf("%s: asked %d times, first %s %s", tt.name, len(way.asked), q.Method, q.URL)
		}
	}
}

// What no reading comes of is a Refusal that says why, without the token.
func TestNumberRefused(t *testing.T) {
	tests := []struct {
		name  string
		reply reply
		want  preflight.Refusal // What, Title and Details are not compared
		says  string
		asked int
	}{
		{"token", reply{status: 401, body: refusal(190)}, preflight.Refusal{HasCode: true, Code: 190, HTTPStatus: 401}, "code 190", 1},
		{"code 0", reply{status: 401, body: refusal(0)}, preflight.Refusal{HasCode: true, HTTPStatus: 401}, "code 0", 1},
		{"permission", reply{status: 403, body: refusal(200)}, preflight.Refusal{HasCode: true, Code: 200, HTTPStatus: 403}, "code 200", 1},
		{"older API, twice", reply{status: 400, body: refusal(100)}, preflight.Refusal{HasCode: true, Code: 100, HTTPStatus: 400}, "code 100", 2},
		{"no such object", reply{status: 400, body: `{"error":{"message":"x","code":100,"error_subcode":33}}`},
			preflight.Refusal{HasCode: true, Code: 100, Missing: true, HTTPStatus: 400}, "", 1},
		{"page", reply{status: 200, body: "<html>"}, preflight.Refusal{HTTPStatus: 200}, "no JSON object", 1},
		{"array", reply{status: 200, body: "[]"}, preflight.Refusal{HTTPStatus: 200}, "no JSON object", 1},
		{"cut", reply{status: 200, body: `{"id":`}, preflight.Refusal{HTTPStatus: 200}, "not what the platform documents", 1},
		{"redirect", reply{status: 302, header: map[string]string{"Location": "https://elsewhere.example/"}}, preflight.Refusal{HTTPStatus: 302}, "302", 1},
		{"nobody", reply{}, preflight.Refusal{Unreachable: true}, "no answer", 1},
		{"down, twice", reply{status: 503, body: "x"}, preflight.Refusal{HTTPStatus: 503}, "503", 2},
		{"error beside 200", reply{status: 200, body: refusal(10)}, preflight.Refusal{HasCode: true, Code: 10, HTTPStatus: 200}, "code 10", 1},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			c, way := reading(t, tt.reply)
			_, err := c.Number(t.Context(), "1")
			got, ok := errors.AsType[*preflight.Refusal](err)
			if !ok {
				t.Fatalf("%s: %v", tt.name, err)
			}
			if !strings.Contains(got.Error(), tt.says) || strings.Contains(got.Error(), "s3cr3t") || got.What != "number 1" {
				t.Errorf("%s: %v", tt.name, got)
			}
			plain := *got
			plain.What, plain.Title, plain.Details = "", "", ""
			if diff := gocmp.Diff(tt.want, plain); diff != "" || len(way.asked) != tt.asked {
				t.Errorf("%s: asked %d times\n%s", tt.name, len(way.asked), diff)
			}
		})
	}
}

// An older API refuses a field that it does not know: then fewer are asked for.
func TestNumberOfAnOlderAPI(t *testing.T) {
	c, way := reading(t, reply{status: 400, body: refusal(100)}, reply{status: 200, body: `{"id":"1","status":"CONNECTED"}`})
	n, err := c.Number(t.Context(), "1")
	if err != nil || n.Status != "CONNECTED" || len(way.asked) != 2 {
		t.Fatalf("%+v, %v", n, err)
	}
	first, second := way.asked[0].URL.Query().Get("fields"), way.asked[1].URL.Query().Get("fields")
	if !strings.Contains(first, "health_status") || strings.Contains(second, "health_status") || !strings.Contains(second, "messaging_limit_tier") {
		t.Errorf("asked for %s, then %s", first, second)
	}
}

// The budget of calls: the platform's wait is kept to the second, a growing one without it, and a long one is told and not waited for.
func TestBudget(t *testing.T) {
	fine := reply{status: 200, body: `{"id":"1"}`}
	usage := func(percent, minutes int) map[string]string {
		return map[string]string{"X-Business-Use-Case-Usage": fmt.Sprintf(`{"9":[{"type":"x","call_count":%d,"estimated_time_to_regain_access":%d}]}`, percent, minutes)}
	}
	tests := []struct {
		name    string
		replies []reply
		reads   int
		gaps    []time.Duration
		fails   bool
	}{
		{"growing", []reply{{status: 400, body: refusal(4)}, {status: 400, body: refusal(80008)}, {status: 429, body: refusal(80007)}, fine}, 1,
			[]time.Duration{time.Second, 2 * time.Second, 4 * time.Second}, false},
		{"six tries", []reply{{status: 400, body: refusal(4)}}, 1,
			[]time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}, true},
		{"as asked", []reply{{status: 400, body: refusal(80007), header: usage(100, 2)}, fine}, 1, []time.Duration{2 * time.Minute}, false},
		{"retry-after", []reply{{status: 400, body: refusal(4), header: map[string]string{"Retry-After": "30"}}, fine}, 1, []time.Duration{30 * time.Second}, false},
		{"too long", []reply{{status: 400, body: refusal(80007), header: usage(100, 30)}, fine}, 2, nil, true},
		{"plenty", []reply{{status: 200, body: `{"id":"1"}`, header: usage(50, 0)}}, 2, []time.Duration{0}, false},
		{"nearly used up", []reply{{status: 200, body: `{"id":"1"}`, header: map[string]string{"X-App-Usage": `{"call_count":10,"total_time":96}`}}}, 2, []time.Duration{10 * time.Second}, false},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			c, way := reading(t, tt.replies...)
			var err error
			for range tt.reads {
				_, err = c.Number(t.Context(), "1")
			}
			var gaps []time.Duration
			for i := range way.at[1:] {
				gaps = append(gaps, way.at[i+1].Sub(way.at[i]))
			}
			if diff := gocmp.Diff(tt.gaps, gaps); diff != "" || (err != nil) != tt.fails {
				t.Errorf("%s: %v\n%s", tt.name, err, diff)
			}
		})
	}
}

// Lists are read page by page by their marks: a link to the next page may lead anywhere.
func TestPages(t *testing.T) {
	account := emulator.Account{ID: "900", Templates: []json.RawMessage{}}
	for i := range 250 {
		account.Templates = append(account.Templates, json.RawMessage(fmt.Sprintf(
			`{"id":"%d","name":"t%d","language":"en","status":"APPROVED","category":"UTILITY","components":[{"type":"BODY","text":"Hi"}]}`, i, i%125)))
	}
	c := client(t, emulator.New(emulator.Options{Account: account}).RoundTripper())
	count := func(f cloudapi.TemplateFilter) (n int) {
		for tmpl, err := range c.Templates(t.Context(), "900", f) {
			if err != nil || tmpl.Fault != nil {
				t.Fatal(err, tmpl.Fault)
			}
			n++
		}
		return n
	}
	for _, tt := range []struct {
		f    cloudapi.TemplateFilter
		want int
	}{{cloudapi.TemplateFilter{}, 250}, {cloudapi.TemplateFilter{Name: "t1"}, 2}, {cloudapi.TemplateFilter{Language: "fr"}, 0}, {cloudapi.TemplateFilter{Status: "PAUSED"}, 0}} {
		if n := count(tt.f); n != tt.want {
			t.Errorf("%+v: %d, want %d", tt.f, n, tt.want)
		}
	}
	// A list whose mark stays the same would never end.
	endless, way := reading(t, reply{status: 200, body: `{"data":[{"id":"1"}],"paging":{"cursors":{"after":"a"},"next":"https://evil.example/"}}`})
	n := 0
	for _, err := range endless.Numbers(t.Context(), "900") {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 2 || len(way.asked) != 2 || way.asked[1].URL.Host != "graph.facebook.com" {
		t.Errorf("%d numbers, %d pages", n, len(way.asked))
	}
}

// A page that is refused in the middle is an error after the others.
func TestPageRefused(t *testing.T) {
	c, _ := reading(t, reply{status: 200, body: `{"data":[{"id":"1"}],"paging":{"cursors":{"after":"a"},"next":"x"}}`}, reply{status: 403, body: refusal(10)})
	var ids []string
	var failed error
	for n, err := range c.Numbers(t.Context(), "900") {
		if err != nil {
			failed = err
			continue
		}
		ids = append(ids, n.ID)
	}
	if r, ok := errors.AsType[*preflight.Refusal](failed); len(ids) != 1 || !ok || r.Code != 10 {
		t.Errorf("%v, then %v", ids, failed)
	}
}

func TestTemplateOddities(t *testing.T) {
	c, _ := reading(t, reply{status: 200, body: `{"data":[
		{"id":5,"name":"a","language":"en","status":"approved","category":"utility","quality_score":{"score":"GREEN"},"components":[{"type":"BODY","text":"Hi {{1}"}]},
		{"name":"b","language":"en","components":[{"type":"HEADER","format":"IMAGE","example":{"header_handle":["https://s.example/1"]}},{"type":"BODY","text":"Hi"}],"correct_category":"MARKETING"}]}`})
	var all []preflight.Template
	for tmpl, err := range c.Templates(t.Context(), "9", cloudapi.TemplateFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tmpl)
	}
	if len(all) != 2 || all[0].Fault == nil || all[0].Name != "a" || all[0].Status != "APPROVED" || all[0].Quality != "GREEN" || all[0].ID != "5" {
		t.Fatalf("%+v", all)
	}
	if b := all[1]; b.Fault != nil || b.Correct != "MARKETING" || len(b.Samples) != 1 || b.Header != "image" || !json.Valid(b.Raw) {
		t.Errorf("%+v", b)
	}
}

func TestUpload(t *testing.T) {
	em := emulator.New(emulator.Options{})
	c := client(t, em.RoundTripper())
	open := func(text string) func() (io.ReadCloser, error) {
		return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	}
	id, err := c.Upload(t.Context(), "1", "a \"b\".pdf", "application/pdf", 8, open("%PDF-1.7"))
	if err != nil || id == "" {
		t.Fatalf("%q, %v", id, err)
	}
	tests := []struct {
		name, number, kind, text string
		size                     int64
		says                     string
	}{
		{"shorter than told", "1", "application/pdf", "%PDF", 8, "changed while it was read"},
		{"longer than told", "1", "application/pdf", "%PDF-1.7 and more", 8, "changed while it was read"},
		{"of a kind that is not taken", "1", "model/stl", "solid", 5, "code 100"},
		{"empty", "1", "image/png", "", 0, "code 131053"},
		{"no number", "..", "image/png", "x", 1, "no phone number id"},
	}
	for _, tt := range tests {
		if _, err := c.Upload(t.Context(), tt.number, "a", tt.kind, tt.size, open(tt.text)); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := c.Upload(t.Context(), "1", "a", "image/png", 1, func() (io.ReadCloser, error) { return nil, errors.New("gone") }); err == nil || err.Error() != "gone" {
		t.Errorf("a file that is gone: %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		again, way := reading(t, reply{status: 503, body: "x"}, reply{status: 200, body: `{"id":123}`})
		if id, err := again.Upload(t.Context(), "1", "a", "image/png", 1, open("x")); id != "123" || err != nil || len(way.asked) != 2 {
			t.Errorf("after a fault: %q, %v, %d tries", id, err, len(way.asked))
		}
		odd, _ := reading(t, reply{status: 200, body: `{}`})
		if id, err := odd.Upload(t.Context(), "1", "a", "image/png", 1, open("x")); id != "" || err == nil {
			t.Errorf("no id: %q, %v", id, err)
		}
	})
}

// Over a real connection the answer may come before the file has left; nothing stays behind.
func TestUploadRefusedEarly(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, refusal(190))
	}))
	defer s.Close()
	c, err := cloudapi.New(cloudapi.Config{BaseURL: s.URL, Token: "s3cr3t-token"})
	if err != nil {
		t.Fatal(err)
	}
	const size = 8 << 20
	_, err = c.Upload(t.Context(), "1", "a", "image/png", size, func() (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(zeros{}, size)), nil
	})
	if _, ok := errors.AsType[*preflight.Refusal](err); !ok || strings.Contains(err.Error(), "s3cr3t") {
		t.Errorf("%v", err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// FuzzReadings looks for an answer that makes a reading panic, or shows the token.
func FuzzReadings(f *testing.F) {
	for _, s := range []string{`{"id":"1"}`, `{"data":[{"name":"a","language":"en","components":[]}]}`, refusal(190), "<html>", `{"health_status":{"can_send_message":"X","entities":[{}]}}`, ""} {
		f.Add(200, s)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 100 || status >= 500 {
			return // tried again, after a pause
		}
		c, err := cloudapi.New(cloudapi.Config{Token: "s3cr3t-token", Transport: &replies{list: []reply{{status: status, body: body}}}})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(body, `"code"`) {
			return // many codes are tried again, after a pause
		}
		_, numberErr := c.Number(t.Context(), "1")
		for _, err := range c.Templates(t.Context(), "1", cloudapi.TemplateFilter{}) {
			if err != nil && strings.Contains(err.Error(), "s3cr3t-token") {
				t.Error(err)
			}
		}
		if numberErr != nil && strings.Contains(numberErr.Error(), "s3cr3t-token") {
			t.Error(numberErr)
		}
	})
}

package providertest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// TestTheSuiteCanFail shows the suite's judgement a provider's mistakes: each has to be seen.
func TestTheSuiteCanFail(t *testing.T) {
	want := refused(outcome.PairWait, 400, 131056)
	good := want
	good.Title = "pair rate limit hit"
	if p := problems(want, good); len(p) != 0 {
		t.Fatalf("a right answer is blamed: %q", p)
	}
	for name, spoil := range map[string]func(*campaign.Answer){
		"other class":    func(a *campaign.Answer) { a.Class = outcome.Stop },
		"code lost":      func(a *campaign.Answer) { a.Code = 0 },
		"status lost":    func(a *campaign.Answer) { a.HTTPStatus = 0 },
		"says unsent":    func(a *campaign.Answer) { a.BytesWritten = false },
		"id out of thin": func(a *campaign.Answer) { a.MessageID = "wamid.x" },
		"no words":       func(a *campaign.Answer) { a.Title = "" },
		"token in title": func(a *campaign.Answer) { a.Title += token },
		"token in words": func(a *campaign.Answer) { a.Details = "Bearer " + token },
	} {
		bad := good
		spoil(&bad)
		if p := problems(want, bad); len(p) == 0 {
			t.Errorf("%s: not seen", name)
		}
	}
}

// TestTheSuiteSeesRequests shows it requests with a fault each.
func TestTheSuiteSeesRequests(t *testing.T) {
	for name, spoil := range map[string]func(*http.Request){
		"":                func(*http.Request) {},
		"idempotency key": func(r *http.Request) { r.Header.Set("Idempotency-Key", "x") },
		"no token":        func(r *http.Request) { r.Header.Del("Authorization") },
		"other token":     func(r *http.Request) { r.Header.Set("Authorization", "Bearer other") },
		"HTTP/2":          func(r *http.Request) { r.ProtoMajor = 2 },
		"GET":             func(r *http.Request) { r.Method = http.MethodGet },
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		spoil(r)
		if got := faults(r); (len(got) > 0) != (name != "") {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestCaseNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range allCases(t) {
		if seen[c.name] {
			t.Errorf("two cases are called %q", c.name)
		}
		seen[c.name] = true
	}
}

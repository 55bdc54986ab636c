package wire

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const answers = "../../testdata/answers"

const pairDetails = "Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time"

// wantAnswers has one row for each file in testdata/answers.
var wantAnswers = map[string]struct {
	status int
	want   Answer
}{
	"accepted.json": {200, Answer{MessageID: "wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjg2MEU2RUUyOThFMkZBNDQwQQA=", MessageStatus: "accepted", WaID: "5511987654321"}},
	"accepted-other-wa-id.json": {200, Answer{
		MessageID: "wamid.HBgMNTU0MTk5OTkwMDAwFQIAERgSODYwRTZFRTI5OEUyRkE0NDBBAA==", WaID: "554199990000"}},
	"accepted-by-user-id.json": {200, Answer{
		MessageID: "wamid.HBgWQlIuMTM0OTEyMDg2NTUzMDI3NDE5FQIAERgSODYwRTZFRTI5OEUyRkE0NDBBAA==", UserID: "BR.13491208655302741918"}},
	"held.json": {200, Answer{
		MessageID: "wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjg2MEU2RUUyOThFMkZBNDQwQQA=", MessageStatus: "held_for_quality_assessment", WaID: "5511987654321"}},
	"no-message-id.json": {200, Answer{WaID: "5511987654321"}},
	"id-and-error.json": {200, Answer{MessageID: "wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjg2MEU2RUUyOThFMkZBNDQwQQA=",
		HasCode: true, Code: 131000, Title: "Something went wrong"}},
	"pair-rate.json": {400, Answer{HasCode: true, Code: 131056, Title: "(Business Account, Consumer Account) pair rate limit hit", Details: pairDetails}},
	"throughput-with-subcode.json": {429, Answer{HasCode: true, Code: 130429, Title: "Rate limit hit",
		Details: "Message failed to send because there were too many messages sent from this phone number in a short period of time"}},
	"string-code.json": {400, Answer{HasCode: true, Code: 132015, Title: "Template is paused", Details: "Template is paused due to low quality"}},
	"nested-code.json": {429, Answer{HasCode: true, Code: 131056,
		Title: "(Business Account, Consumer Account) pair rate limit hit", Details: "Too many messages to the same recipient"}},
	"wrapped-by-http-status.json": {400, Answer{HasCode: true, Code: 131026, Title: "Message undeliverable", Details: "Message Undeliverable."}},
	"meta-code.json":              {429, Answer{HasCode: true, Code: 131056, Title: "Too many messages to this recipient"}},
	"token-expired.json": {401, Answer{HasCode: true, Code: 190,
		Title: "Error validating access token: Session has expired on Monday, 02-Nov-26 10:00:00 PST."}},
	"token-unreadable.json":   {401, Answer{HasCode: true, Code: 0, Title: "Authentication Error"}},
	"service-transient.json":  {503, Answer{HasCode: true, Code: 2, Title: "Service temporarily unavailable", Details: "Try again in a moment."}},
	"error-without-code.json": {400, Answer{Title: "Something is not right"}},
	"own-429.json":            {429, Answer{Title: "Too many requests", Details: "Slow down, please."}},
	"other-types.json":        {400, Answer{HasCode: true, Code: 131008}},
	"cut.txt":                 {200, Answer{Cut: true}},
	"cut-error.txt":           {400, Answer{Cut: true}},
	"page.html":               {502, Answer{HTML: true}},
	"empty.txt":               {200, Answer{}},
	"words.txt":               {503, Answer{}},
}

func TestParseAnswer(t *testing.T) {
	files, err := os.ReadDir(answers)
	if err != nil || len(files) == 0 {
		t.Fatalf("no answers to read: %v", err)
	}
	for _, f := range files {
		t.Run(f.Name(), func(t *testing.T) {
			row, ok := wantAnswers[f.Name()]
			if !ok {
				t.Fatal("the table has no row for this file")
			}
			body := readAnswer(t, f.Name())
			if diff := cmp.Diff(row.want, ParseAnswer(row.status, body)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if len(files) < len(wantAnswers) {
		t.Errorf("%d files for %d rows", len(files), len(wantAnswers))
	}
}

func readAnswer(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(answers, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestACodeThatRepeatsTheStatusIsNone keeps a proxy's own 429 apart from the platform's codes, and its 100 and 200 from ours.
func TestACodeThatRepeatsTheStatusIsNone(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		code   Code
		ok     bool
	}{
		{429, `{"error":{"code":429}}`, 0, false},
		{429, `{"error":{"code":"429"}}`, 0, false},
		{400, `{"error":{"code":429}}`, 429, true},
		{403, `{"error":{"code":200}}`, 200, true},
		{400, `{"error":{"code":131056.5}}`, 0, false},
		{400, `{"error":{"code":-1}}`, 0, false},
		{400, `{"error":{"code":1e300}}`, 0, false},
		{400, `{"error":{"code":"99999999999"}}`, 0, false},
		{400, `{"error":{"code":" 131056 "}}`, 131056, true},
		{400, `{"error":{"code":null}}`, 0, false},
		{400, `{"code":131056}`, 0, false},
		{200, "\ufeff" + `{"error":{"code":131056}}`, 131056, true},
	} {
		got := ParseAnswer(c.status, []byte(c.body))
		if got.HasCode != c.ok || got.Code != c.code {
			t.Errorf("%d %s: code %d, %t; want %d, %t", c.status, c.body, got.Code, got.HasCode, c.code, c.ok)
		}
	}
}

func TestTitleWithoutCode(t *testing.T) {
	for in, want := range map[string]string{
		"(#100) Invalid parameter": "Invalid parameter",
		"(#abc) stays":             "(#abc) stays",
		"(#100)":                   "(#100)",
		"(#100":                    "(#100",
		"plain":                    "plain",
		"(Business) pair":          "(Business) pair",
	} {
		if got := withoutCode(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzParseAnswer holds what the judge builds on: no crash, no id out of nothing, and a body is cut, a page or JSON, never two of them.
func FuzzParseAnswer(f *testing.F) {
	for name, row := range wantAnswers {
		f.Add(row.status, readAnswer(f, name))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		a := ParseAnswer(status, body)
		if a.MessageID != "" && !strings.Contains(strings.ToLower(string(body)), "messages") && !strings.Contains(string(body), `\u`) {
			// Key names match without regard to case and by Unicode folding, in which "ſ" is an "s".
			if !strings.Contains(string(body), "ſ") {
				t.Errorf("id %q out of a body without messages", a.MessageID)
			}
		}
		if (a.Cut || a.HTML) && a != (Answer{Cut: a.Cut, HTML: a.HTML}) || a.Cut && a.HTML {
			t.Errorf("both broken and read: %+v", a)
		}
		if !a.HasCode && a.Code != 0 || a.Code < 0 {
			t.Errorf("code %d, %t", a.Code, a.HasCode)
		}
		if again := ParseAnswer(status, body); again != a {
			t.Errorf("two readings differ: %+v, %+v", a, again)
		}
	})
}

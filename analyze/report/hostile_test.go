package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/analyze"
)

// evil is what a stranger may write into a log to reach a page, a terminal or a spreadsheet.
const evil = "<script>window.pwned=1</script><img src=https://example.com/x onerror=window.pwned=1>\" onload=\"window.pwned=1' \x1b[2J\x1b]0;title\x07\u202e</svg></style>javascript:alert(1)"

// hostile is the storm with a stranger's words wherever a log can bring some.
func hostile(t testing.TB) analyze.Report {
	return WithTexts(storm(t), func(s string) string { return s + evil + strings.Repeat("w", 120) })
}

// quietReport is that of a log without any refusal.
func quietReport() analyze.Report {
	return analyze.Report{Sources: []analyze.SourceReport{{Path: "webhooks.jsonl", Format: "cloud-api-webhook", Lines: 12, Events: 12}},
		Summary: analyze.Summary{Sends: 12, Pairs: 3}}
}

func htmlOf(t testing.TB, r analyze.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, r, Options{Zone: west, Now: time.Date(2020, 3, 2, 15, 3, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPageEscapesStrangers(t *testing.T) {
	page := string(htmlOf(t, hostile(t)))
	for _, bad := range []string{"<script", "<img", `onload="window`, "</svg></style>"} {
		if strings.Contains(page, bad) {
			t.Errorf("%q stands in the page as it is", bad)
		}
	}
	if n := strings.Count(page, "&lt;script&gt;window.pwned=1"); n < 20 {
		t.Errorf("only %d hostile texts reached the page; the test tests nothing", n)
	}
}

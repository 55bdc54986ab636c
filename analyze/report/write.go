package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/wactl/wactl/analyze"
)

// The formats that Write knows.
const (
	JSON  = "json"  // the whole report as one object
	JSONL = "jsonl" // one object a failure
)

// Worst is the report with only its n worst incidents and their failures; the counts stay those of all. 0 leaves nothing out.
func Worst(r analyze.Report, n int) analyze.Report {
	if n <= 0 || len(r.Incidents) <= n {
		return completed(r)
	}
	r = complete(r)
	r.Incidents = r.Incidents[:n]
	told := map[int]bool{}
	for _, i := range r.Incidents {
		told[i.ID] = true
	}
	r.Failures = slices.DeleteFunc(r.Failures, func(f analyze.Failure) bool { return !told[f.Incident] })
	return r
}

// Write writes a report for programs, as JSON or JSONL. What could steer a terminal is escaped within the strings.
func Write(w io.Writer, format string, r analyze.Report) error {
	if format != JSON && format != JSONL {
		return fmt.Errorf("no format is called %q", format)
	}
	r = completed(r)
	return encode(w, format, &r)
}

// harmless escapes the controls and format characters that JSON leaves as they are. They can only stand within strings.
func harmless(text []byte) []byte {
	if !bytes.ContainsFunc(text, steers) {
		return text
	}
	safe := make([]byte, 0, len(text)+64)
	for _, r := range string(text) {
		switch {
		case !steers(r):
			safe = utf8.AppendRune(safe, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			safe = fmt.Appendf(safe, `\u%04x\u%04x`, high, low)
		default:
			safe = fmt.Appendf(safe, `\u%04x`, r)
		}
	}
	return safe
}

// steers tells characters that may do something to a terminal.
func steers(r rune) bool { return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

package readlog

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/wactl/wactl/analyze"
)

// sampleLines is a webhook log of one payload a line.
func sampleLines(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile(samples + "/webhook-batched.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// eventsOf reads one log text. Places are left out where lines are none of the matter.
func eventsOf(t testing.TB, text []byte, places bool) (events []analyze.Event, source analyze.Source) {
	t.Helper()
	l, err := Open(t.Context(), Options{Paths: []string{"-"}, Stdin: bytes.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for e, err := range l.Events(analyze.Want{Details: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if !places {
			e.Place = analyze.Place{}
		}
		events = append(events, e)
	}
	return events, l.Sources()[0]
}

func gzipped(texts ...string) []byte {
	var b bytes.Buffer
	for _, s := range texts {
		z := gzip.NewWriter(&b)
		z.Write([]byte(s))
		z.Close()
	}
	return b.Bytes()
}

func zstandard(t testing.TB, s string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll([]byte(s), nil)
}

func wide(s string, mark string, big bool) []byte {
	b := []byte(mark)
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// TestSameInEveryDress holds that packing, encoding and layout of a log change nothing of its events.
func TestSameInEveryDress(t *testing.T) {
	records := sampleLines(t)
	plain := strings.Join(records, "\n") + "\n"
	want, source := eventsOf(t, []byte(plain), false)
	if len(want) < 10 {
		t.Fatalf("only %d events in the sample", len(want))
	}
	var pretty strings.Builder
	for _, r := range records {
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(r), "", "\t"); err != nil {
			t.Fatal(err)
		}
		pretty.WriteString(b.String() + "\r\n")
	}
	array := "[" + strings.Join(records, ",") + "]"
	var arrayPretty bytes.Buffer
	if err := json.Indent(&arrayPretty, []byte(array), " ", "  "); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"no last line ending":  []byte(strings.TrimSpace(plain)),
		"CRLF":                 []byte(strings.ReplaceAll(plain, "\n", "\r\n")),
		"byte order mark":      []byte("\ufeff" + plain),
		"NULs":                 []byte(strings.ReplaceAll(plain, "\n", "\n\x00\x00\x00")),
		"text sequence":        []byte("\x1e" + strings.ReplaceAll(plain, "\n", "\n\x1e")),
		"gzip":                 gzipped(plain),
		"gzip, two members":    gzipped(plain[:1000], plain[1000:]),
		"gzip in gzip":         gzipped(string(gzipped(plain))),
		"zstd":                 zstandard(t, plain),
		"UTF-16 LE":            wide(plain, "\xff\xfe", false),
		"UTF-16 BE":            wide(plain, "\xfe\xff", true),
		"UTF-16, no mark":      wide(plain, "", false),
		"indented":             []byte(pretty.String()),
		"in a row":             []byte(strings.Join(records, "")),
		"array":                []byte(array),
		"indented array":       arrayPretty.Bytes(),
		"array by lines":       []byte("[\n" + strings.Join(records, ",\n") + "\n]\n"),
		"array, beginning cut": []byte(strings.Join(records, ",\n") + "\n]\n"),
		"object with a list":   []byte(`{"took":1,"items":` + array + `,"next":null}`),
		"JSON in JSON":         []byte(quotedLines(t, records)),
		"in a body":            []byte(bodies(records)),
	} {
		t.Run(name, func(t *testing.T) {
			got, s := eventsOf(t, text, false)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if s.Skipped[notWhatsApp] != source.Skipped[notWhatsApp] {
				t.Errorf("skipped %v, want %v", s.Skipped, source.Skipped)
			}
		})
	}
}

func quotedLines(t *testing.T, records []string) string {
	var out strings.Builder
	for _, r := range records {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(b, '\n'))
	}
	return out.String()
}

func bodies(records []string) string {
	var out strings.Builder
	for _, r := range records {
		out.WriteString(`{"kind":"webhook","body":` + r + "}\n")
	}
	return out.String()
}

// TestReadTwice holds that stdin can be read again, and that a second pass can ask for single records and for their details.
func TestReadTwice(t *testing.T) {
	text := strings.Join(sampleLines(t), "\n")
	l, err := Open(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var bare, again []analyze.Event
	for e, err := range l.Events(analyze.Want{}) {
		if err != nil || e.Detail != (analyze.Detail{}) {
			t.Fatal(e, err)
		}
		if e.Place.Line == 3 {
			bare = append(bare, e)
		}
	}
	counted := l.Sources()[0]
	for e, err := range l.Events(analyze.Want{Details: true, Place: func(p analyze.Place) bool { return p.Line == 3 }}) {
		if err != nil || e.Detail.Job != "step-1" {
			t.Fatal(e, err)
		}
		e.Detail = analyze.Detail{}
		again = append(again, e)
	}
	if diff := cmp.Diff(bare, again); diff != "" || len(bare) != 1 {
		t.Errorf("%d events: %s", len(bare), diff)
	}
	if diff := cmp.Diff(counted, l.Sources()[0]); diff != "" {
		t.Errorf("the second pass counts otherwise: %s", diff)
	}
}

// TestFolder holds the order of files, and which are none of the log.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b/2.jsonl", "b/10.jsonl", "a.jsonl", ".hidden", ".git/x"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(sampleLines(t)[0]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := Open(t.Context(), Options{Paths: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	var files []int
	for e, err := range l.Events(analyze.Want{}) {
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 || files[len(files)-1] != e.Place.File {
			files = append(files, e.Place.File)
		}
	}
	var paths []string
	for _, s := range l.Sources() {
		rel, _ := filepath.Rel(dir, s.Path)
		paths = append(paths, rel)
	}
	if diff := cmp.Diff([]string{"a.jsonl", "b/10.jsonl", "b/2.jsonl"}, paths); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{0, 1, 2}, files); diff != "" {
		t.Error(diff)
	}
}

// TestOpenRefuses holds what is an error, and that it can be told apart.
func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		is      error
		says    string
	}{
		"missing file":   {Options{Paths: []string{"no-such-file"}}, os.ErrNotExist, "no-such-file"},
		"unknown format": {Options{Format: "morse"}, ErrFormat, "cloud-api-webhook"},
		"stdin twice":    {Options{Paths: []string{"-", "-"}, Stdin: strings.NewReader("")}, nil, "stdin"},
		"no stdin":       {Options{Paths: []string{"-"}}, nil, "stdin"},
	} {
		_, err := Open(t.Context(), c.options)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	l, err := Open(ctx, Options{Paths: []string{samples + "/webhook-batched.jsonl"}})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for _, err := range l.Events(analyze.Want{}) {
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

// TestCannotJudge holds that a source without anything to judge says so, and a sound one does not.
func TestCannotJudge(t *testing.T) {
	whole := strings.Join(sampleLines(t), "\n")
	for name, c := range map[string]struct {
		text   []byte
		format string
		says   string
	}{
		"empty":             {nil, formEmpty, "empty"},
		"blank":             {[]byte("\n\n \n"), formUnknown, "blank"},
		"other program":     {[]byte("starting\nlistening on 8080\n"), formUnknown, "not-json: 2"},
		"other JSON":        {[]byte("{\"a\":1}\n[]\nnull\n7\n"), formUnknown, "not-whatsapp: 4"},
		"only a template":   {[]byte(`{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"account_update","value":{}}]}]}`), formWebhook, ""},
		"PDF":               {[]byte("%PDF-1.7\n1 0 obj"), formUnknown, "PDF"},
		"damaged gzip":      {gzipped(whole)[:12], formUnknown, "unpacked"},
		"gzip, tail is cut": {gzipped(whole)[:600], formWebhook, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, s := eventsOf(t, c.text, true)
			if s.Format != c.format || (c.says == "") != (s.Unreadable == "") || !strings.Contains(s.Unreadable, c.says) {
				t.Errorf("%s: %q, skipped %v", s.Format, s.Unreadable, s.Skipped)
			}
		})
	}
}

// TestCutTailIsSaid holds that what was read before a fault of the file counts, and that the fault is told.
func TestCutTailIsSaid(t *testing.T) {
	packed := gzipped(strings.Repeat(sampleLines(t)[0]+"\n", 500))
	events, s := eventsOf(t, packed[:len(packed)-8], true)
	if len(events) < 100 || s.Skipped[truncated] == 0 || !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "damaged or cut off") }) {
		t.Errorf("%d events, skipped %v, notes %q", len(events), s.Skipped, s.Notes)
	}
}

// TestForcedFormat holds that records of other forms are left out, and counted, where a form is asked for.
func TestForcedFormat(t *testing.T) {
	text := sampleLines(t)[0] + "\n" + `{"time":"2026-11-16T10:00:00Z","pnid":"1","to":"5511987654321","status":200,"wamid":"wamid.x"}` + "\n"
	for format, want := range map[string]int{"": 9, "meta-webhook-jsonl": 8, formAPI: 1, "wati": 0} {
		l, err := Open(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Format: format})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, err := range l.Events(analyze.Want{}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != want {
			t.Errorf("%q: %d events, want %d", format, n, want)
		}
		l.Close()
	}
}

package readlog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/analyze"
)

func TestLiterals(t *testing.T) {
	type o = map[string]any
	for _, row := range []struct {
		text string
		want any
		d    dialect
		rest string
	}{
		{`{"a":1} []`, o{"a": json.Number("1")}, dialectJSON, " []"},
		{`{'a': None, 'b': True, 'c': [False, 1.5, (1, 2)], 'd': u'x', 'e': b'y'}`, o{"a": nil, "b": true, "c": []any{false, json.Number("1.5"), []any{json.Number("1"), json.Number("2")}}, "d": "x", "e": "y"}, dialectPython, ""},
		{`{'a': "it's", 'b': 'say "x"', 'c': 'q\'q\n\x41\u00e9\U0001f600'}`, o{"a": "it's", "b": `say "x"`, "c": "q'q\nAé😀"}, dialectPython, ""},
		{`{'t': datetime.datetime(2026, 11, 19, 10, 0, 1, 500), 'd': Decimal('1.5'), 'r': <Response [400]>, 's': {1, 2}}`, o{"t": "2026-11-19 10:00:01.000500", "d": "1.5", "r": "<Response [400]>", "s": o{}}, dialectPython, ""},
		{`OrderedDict([('a', 1)])`, []any{[]any{"a", json.Number("1")}}, dialectPython, ""},
		{`{"a"=>nil, :b => :sym, "c" => [{"d"=>"e"}], e: 1}`, o{"a": nil, "b": "sym", "c": []any{o{"d": "e"}}, "e": json.Number("1")}, dialectRuby, ""},
		{"{ a: 'x', 'b-c': undefined, d: [Object], e: [Function: f], f: [ 1, 2, ... 3 more items ], g: null }", o{"a": "x", "b-c": nil, "d": nil, "e": nil, "f": []any{json.Number("1"), json.Number("2")}, "g": nil}, dialectInspect, ""},
		{"{ m: Map(1) { 'k' => 'v' }, c: Foo { x: 1 }, n: [Object: null prototype] { y: 2 }, d: 2026-11-19T09:00:17.000Z, r: <ref *1> Bar { z: [Circular *1] } }",
			o{"m": o{"k": "v"}, "c": o{"x": json.Number("1")}, "n": o{"y": json.Number("2")}, "d": "2026-11-19T09:00:17.000Z", "r": o{"z": nil}}, dialectInspect, ""},
		{"{\n  data: '{\"a\":' +\n    '1}',\n  [Symbol(x)]: 1,\n  big: 12n\n}", o{"data": `{"a":1}`, "Symbol(x)": json.Number("1"), "big": json.Number("12")}, dialectInspect, ""},
		{"{\n  cause: Error: connect ECONNREFUSED\n      at a (b.js:1:2)\n      at c (d.js:3:4) {\n    errno: -111\n  }\n}", o{"cause": o{"errno": json.Number("-111")}}, dialectInspect, ""},
		{`{"s":"\ud83d\ude00",'x':1}`, o{"s": "😀", "x": json.Number("1")}, dialectPython, ""},
	} {
		v, n, d, ok, _ := literalAt(row.text)
		if !ok {
			t.Errorf("%s: not read", row.text)
			continue
		}
		if diff := cmp.Diff(row.want, v); diff != "" || d != row.d || row.text[n:] != row.rest {
			t.Errorf("%s: dialect %d, left %q\n%s", row.text, d, row.text[n:], diff)
		}
	}
	for text, wantCut := range map[string]bool{`{0:[Object0] {`: true, `{'a': 1`: true, `{"a": "b`: true, `{'a' 1}`: false, `{a`: true, `[`: true, strings.Repeat("[", 1000): false, `{x: }`: false} {
		if v, _, _, ok, cut := literalAt(text); ok || cut != wantCut {
			t.Errorf("%.20q: %v, cut %v, want no value and %v", text, v, cut, wantCut)
		}
	}
}

func TestHeads(t *testing.T) {
	for line, want := range map[string]struct{ at, level, rest string }{
		"2026-11-19 10:00:00,431 INFO webhook {}":                           {"10:00:00.431", "info", "webhook {}"},
		"[2026-11-19 17:40:00] production.ERROR: WA webhook":                {"17:40:00.000", "error", "WA webhook"},
		"2026-11-19T10:00:00.123Z\tINFO\tworker/worker.go:150\tmessage":     {"10:00:00.123", "info", "message"},
		"I, [2026-11-19T10:00:00.123456 #42]  INFO -- : [8f3c-11] Started":  {"10:00:00.123", "info", "Started"},
		"2026-11-19T10:00:00+00:00 a/b/c 2026-11-19 09:00:00 INFO x y":      {"10:00:00.000", "info", "x y"}, // the outer time has a zone
		"2026-11-19T10:00:00+00:00 a/b/c 2026-11-19T09:59:59.500Z INFO x y": {"09:59:59.500", "info", "x y"},
		"sent to 12025550111 at 2026-11-19T09:00:00Z":                       {"", "", "sent to 12025550111 at 2026-11-19T09:00:00Z"},
		"+12025550111 2026-11-19T09:00:00Z":                                 {"", "", "+12025550111 2026-11-19T09:00:00Z"},
		"to=12025550111 status=sent":                                        {"", "", "to=12025550111 status=sent"},
		"":                                                                  {"", "", ""},
	} {
		h, rest := (&clock{}).headOf(line)
		at := ""
		if !h.at.at.IsZero() {
			at = h.at.at.Format("15:04:05.000")
		}
		if at != want.at || h.level != want.level || rest != want.rest {
			t.Errorf("%q: %q %q %q, want %v", line, at, h.level, rest, want)
		}
	}
}

// TestProgramNames checks that the name of a program before each of its lines is taken off, and nothing else is.
func TestProgramNames(t *testing.T) {
	for line, want := range map[string][2]string{
		"web_1  | 2026-11-19 10:00:03.100 ERROR Failed": {"web_1", "2026-11-19 10:00:03.100 ERROR Failed"},
		"0|wa-bot  |   code: 131056,":                   {"0|wa-bot", "  code: 131056,"},
		"web_1 |":                                       {"web_1", ""},
		"2026-11-19T10:00:00Z | INFO | sent":            {"", "2026-11-19T10:00:00Z | INFO | sent"},
		"INFO | sent":                                   {"", "INFO | sent"},
		"sent to | 12025550111":                         {"", "sent to | 12025550111"},
		`{"a":"b |"}`:                                   {"", `{"a":"b |"}`},
		"":                                              {"", ""},
	} {
		name, rest, _ := programOf(line)
		if got := [2]string{name, rest}; got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestPairs(t *testing.T) {
	for text, want := range map[string]map[string]any{
		`timestamp=2026-11-19 09:20:00 level=info message="Message sent" to=1`: {"timestamp": "2026-11-19 09:20:00", "level": "info", "message": "Message sent", "to": "1"},
		`error=API error 131056: (#131056) pair rate limit to=1`:               {"error": "API error 131056: (#131056) pair rate limit", "to": "1"},
		`a=1, b='x y' c="q\"q" d= e=={`:                                        {"a": "1", "b": "x y", "c": `q"q`, "d": ""},
		`body={"to":"1"} code=131056`:                                          {"body": map[string]any{"to": "1"}, "code": "131056"},
		`resp="{\"error\":{\"code\":131056}}"`:                                 {"response": nil, "resp": map[string]any{"error": map[string]any{"code": json.Number("131056")}}},
	} {
		delete(want, "response")
		if diff := cmp.Diff(want, bodyOf(text).pairs); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
	}
}

func TestSentences(t *testing.T) {
	const none = analyze.Kind(99)
	for text, want := range map[string]analyze.Kind{
		"sent to 12025550111": analyze.Accepted, "failed to send to 12025550111": analyze.Refused, "Mensagem enviada para 5511987654321": analyze.Accepted,
		"message from 12025550111: sent it?": analyze.Inbound, "delivered to 12025550111": analyze.Delivered, "Nachricht gesendet an 4915112345678": analyze.Accepted,
		"não foi possível enviar para 5511987654321": analyze.Refused, "Message envoyé à 33612345678": analyze.Accepted, "cache warmed": none, "unsent drafts": none,
	} {
		kind, ok := sayingOf(text)
		if !ok {
			kind = none
		}
		if kind != want {
			t.Errorf("%q: %d, want %d", text, kind, want)
		}
	}
}

// TestOpenRecords checks that the lines of one record come together even where one of them looks like JSON of its own.
func TestOpenRecords(t *testing.T) {
	text := "2026-11-19T10:00:00.000Z INFO answer {\n  \"to\": \"12025550111\",\n  \"phone_number_id\": \"990000000000001\",\n  \"messages\": [\n    {\n      \"id\": \"wamid.AAAAAAAAAA\"\n    }\n  ]\n}\n"
	want := "1 accepted 10:00:00.000000 number=\"990000000000001\" to=\"12025550111\" id=\"wamid.AAAAAAAAAA\" until_us=1000\nformat api-log-json, lines 9, events 1, first skipped []\n"
	if diff := cmp.Diff(want, readText(t, "x.log", text, Options{})); diff != "" {
		t.Error(diff)
	}
}

// TestTextDates checks that dates wait until one of them shows which number is the day, whatever stands between.
func TestTextDates(t *testing.T) {
	line := func(date string) string { return date + " 10:00:00 sent to 12025550111 (wamid.AAAAAAAAAA)\n" }
	for name, row := range map[string]struct{ text, order, want, note string }{
		"settled behind":   {line("03/04/2026") + "noise\n" + line("03/14/2026"), "", "2026-03-04", ""},
		"settled in front": {line("14/03/2026") + line("03/04/2026"), "", "2026-04-03", ""},
		"guessed":          {line("03/04/2026"), "", "2026-04-03", "date order guessed"},
		"given":            {line("03/04/2026"), "mdy", "2026-03-04", ""},
	} {
		events, notes := readEvents(t, "x.log", row.text, Options{DateOrder: row.order})
		found := false
		for _, e := range events {
			found = found || e.At.Format("2006-01-02") == row.want
		}
		if !found || strings.Contains(notes, "date order guessed") != (row.note != "") || !strings.Contains(notes, "zone unknown") {
			t.Errorf("%s: %v, notes %q", name, events, notes)
		}
	}
}

// TestYearless checks that a date without a year, as in syslog, is of the time before the file was written, and that this is said.
func TestYearless(t *testing.T) {
	path := writeLog(t, "syslog", "Nov 19 10:00:01 web1 wa-bot[123]: sent to 12025550111 (wamid.AAAAAAAAAA)\n")
	written := time.Date(2027, 1, 5, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(path, written, written); err != nil {
		t.Fatal(err)
	}
	l, err := Open(t.Context(), Options{Paths: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for e := range l.Events(analyze.Want{}) {
		if got := e.At.Format(time.RFC3339); got != "2026-11-19T10:00:01Z" {
			t.Error(got)
		}
	}
	if notes := strings.Join(l.Sources()[0].Notes, "\n"); !strings.Contains(notes, "year unknown") || l.Sources()[0].Events != 1 {
		t.Errorf("%+v", l.Sources()[0])
	}
}

// readText is all that a file of this content yields.
func readText(t *testing.T, name, content string, o Options) string {
	t.Helper()
	o.Paths = []string{writeLog(t, name, content)}
	return told(t, o)
}

// readEvents are the events of a file of this content, and its notes.
func readEvents(t *testing.T, name, content string, o Options) ([]analyze.Event, string) {
	t.Helper()
	o.Paths = []string{writeLog(t, name, content)}
	l, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var events []analyze.Event
	for e, err := range l.Events(analyze.Want{Details: true}) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events, strings.Join(l.Sources()[0].Notes, "\n")
}

func writeLog(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// FuzzLiteral checks that no text breaks the reader of printed values, and that strict JSON reads as encoding/json reads it.
func FuzzLiteral(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,null,true,"x\u00e9"]}`, `{'a': None, 'b': (1,)}`, `{"a"=>nil, :b=>1}`, "{ a: [Object], b: Map(1) { 'x' => 1 } }", `{'a': datetime.datetime(2026, 1, 2, 3, 4)}`, "{ e: Error: x\n at y {\n a: 1 } }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, n, _, ok, _ := literalAt(s)
		if ok && (n <= 0 || n > len(s)) {
			t.Fatalf("%q: read %d bytes", s, n)
		}
		want, n, strict := jsonAt(s)
		l := &literal{s: s}
		got, loose := l.value(0)
		if !strict || !plainJSON(s[:n]) {
			return
		}
		if diff := cmp.Diff(want, got); !loose || diff != "" {
			t.Fatalf("%q: %v\n%s", s, loose, diff)
		}
	})
}

// plainJSON says whether a text is in the part of JSON in which both readers must agree: no deep nesting, and no names that are read more than once.
func plainJSON(s string) bool {
	return len(s) < 100 && strings.HasPrefix(s, "{") && strings.Trim(s, `{}[]":, abcdefnrlstu0123456789`) == "" && strings.Count(s, `""`) == 0
}

// FuzzTextLog checks that no text breaks the reader, that every event has a place in it, and that a second pass yields the same.
func FuzzTextLog(f *testing.F) {
	paths, err := filepath.Glob(samples + "/text-*.log")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, s string) { checkPasses(t, s) })
}

// checkPasses reads a text twice, without the detour of a file.
func checkPasses(t *testing.T, s string) {
	t.Helper()
	if len(s) > 1<<16 {
		return
	}
	first, lines := passOver(t, s), strings.Count(s, "\n")+strings.Count(s, "\r")+1
	for _, e := range first {
		if e.Place.Line < 1 || e.Place.Line > lines {
			t.Fatalf("line %d of %d: %q", e.Place.Line, lines, s)
		}
	}
	if diff := cmp.Diff(first, passOver(t, s)); diff != "" {
		t.Fatalf("two passes differ: %q\n%s", s, diff)
	}
}

// passOver is one reading of a text as a source.
func passOver(t *testing.T, s string) (events []analyze.Event) {
	t.Helper()
	p := newPass(0, analyze.Want{Details: true}, &Options{}, "log", func(e analyze.Event) bool { events = append(events, e); return true })
	if err := p.readSource(strings.NewReader(s)); err != nil {
		t.Skip(err) // it looks like something that is refused by name
	}
	p.judged()
	return events
}

package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/wactl/wactl/normalize"
)

// example is the report that the published page shows.
func example() Report {
	files := []File{{Path: "list.csv", Encoding: "utf-8", Delimiter: ",", HeaderLine: 1, PhoneColumn: "phone", Rows: 5, Recipients: 3, Countries: map[string]int{"BR": 3}}}
	problems := All(Problem{Path: "list.csv", Line: 4, Column: 2, Char: 6, Header: "phone", Rule: "duplicate", Severity: normalize.Warning,
		Value: "+55 11 98765-4321", Message: "same recipient as line 2 (+5511987654321)", Recipient: "+5511987654321", FirstLine: 2,
		Fix: &normalize.Repair{Line: 4, Char: 1, Old: "Ana,+55 11 98765-4321", Row: true}},
		Problem{Path: "list.csv", Line: 5, Column: 2, Char: 8, Byte: 9, Header: "phone", Rule: "idd-prefix", Severity: normalize.Info,
			Value: "005511987654322", Message: "the number starts with 00", Recipient: "+5511987654322",
			Fix: &normalize.Repair{Line: 5, Char: 8, Old: "005511987654322", New: "+5511987654322"}},
		Problem{Path: "list.csv", Rule: "mixed-countries", Severity: normalize.Warning, Message: "two countries"},
		Problem{Path: "list.csv", Line: 6, Column: 1, Char: 1, Header: "name", Rule: "param-empty", Severity: normalize.Error, Message: "body.1: the value is empty"})
	return reportOf(files, problems)
}

func reportOf(files []File, problems iter.Seq2[Problem, error]) Report {
	s, err := Summarize(files, problems)
	if err != nil {
		panic(err)
	}
	return Report{files, problems, s}
}

// written is a face as text.
func written(t testing.TB, format string, r Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, o); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

func TestFaces(t *testing.T) {
	for _, tt := range []struct{ format, want string }{
		{"json", `{"version":1,
"files":[{"path":"list.csv","encoding":"utf-8","delimiter":",","header_line":1,"phone_column":"phone","rows":5,"recipients":3,"countries":{"BR":3}}],
"problems":[
{"path":"list.csv","line":4,"column":2,"char":6,"header":"phone","rule":"duplicate","severity":"warning","value":"+55 11 98765-4321","message":"same recipient as line 2 (+5511987654321)","first_line":2,"fixable":true},
{"path":"list.csv","line":5,"column":2,"char":8,"header":"phone","rule":"idd-prefix","severity":"info","value":"005511987654322","message":"the number starts with 00","first_line":null,"fixable":true},
{"path":"list.csv","line":null,"column":null,"char":null,"header":null,"rule":"mixed-countries","severity":"warning","value":null,"message":"two countries","first_line":null,"fixable":false},
{"path":"list.csv","line":6,"column":1,"char":1,"header":"name","rule":"param-empty","severity":"error","value":"","message":"body.1: the value is empty","first_line":null,"fixable":false}],
"summary":{"rows":5,"recipients":3,"errors":1,"warnings":2,"infos":1,"by_rule":{"duplicate":1,"idd-prefix":1,"mixed-countries":1,"param-empty":1}}}
`},
		{"jsonl", `{"path":"list.csv","line":4,"column":2,"char":6,"header":"phone","rule":"duplicate","severity":"warning","value":"+55 11 98765-4321","message":"same recipient as line 2 (+5511987654321)","first_line":2,"fixable":true}
{"path":"list.csv","line":5,"column":2,"char":8,"header":"phone","rule":"idd-prefix","severity":"info","value":"005511987654322","message":"the number starts with 00","first_line":null,"fixable":true}
{"path":"list.csv","line":null,"column":null,"char":null,"header":null,"rule":"mixed-countries","severity":"warning","value":null,"message":"two countries","first_line":null,"fixable":false}
{"path":"list.csv","line":6,"column":1,"char":1,"header":"name","rule":"param-empty","severity":"error","value":"","message":"body.1: the value is empty","first_line":null,"fixable":false}
`},
		{"github", "::error file=list.csv,line=6,col=1,title=param-empty::body.1: the value is empty" + hinted("%0A", "param-empty") + `
::warning file=list.csv,line=4,col=6,title=duplicate::same recipient as line 2 (+5511*****4321): +55 11 *****-4321` + hinted("%0A", "duplicate") + `
::warning file=list.csv,title=mixed-countries::two countries` + hinted("%0A", "mixed-countries") + "\n"},
		{"junit", `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="wactl lint" tests="4" failures="1" errors="0">
 <testsuite name="list.csv" tests="4" failures="1" errors="0" skipped="0">
  <testcase name="duplicate" classname="list.csv">
   <system-out>list.csv:4:6: warning: same recipient as line 2 (+5511*****4321): +55 11 *****-4321&#xA;</system-out>
  </testcase>
  <testcase name="idd-prefix" classname="list.csv">
   <system-out>list.csv:5:8: info: the number starts with 00: 0055*******4322&#xA;</system-out>
  </testcase>
  <testcase name="mixed-countries" classname="list.csv">
   <system-out>list.csv: warning: two countries&#xA;</system-out>
  </testcase>
  <testcase name="param-empty" classname="list.csv">
   <failure message="1 × param-empty: The value for the template is empty." type="error">list.csv:6:1: error: body.1: the value is empty&#xA;</failure>
  </testcase>
 </testsuite>
</testsuites>
`},
	} {
		if diff := cmp.Diff(tt.want, written(t, tt.format, example(), Options{})); diff != "" {
			t.Errorf("%s: -want +got\n%s", tt.format, diff)
		}
	}
}

// hinted is what a face puts after a message: the rule's own hint, whatever it is.
func hinted(before, rule string) string {
	if h := hint(rule); h != "" {
		return before + messageText.Replace(h)
	}
	return ""
}

// What can't be known is null, and never 0.
func TestUnreadFileIsUnknown(t *testing.T) {
	r := reportOf([]File{{Path: "list.csv", Unread: true}}, All())
	want := `{"version":1,
"files":[{"path":"list.csv","encoding":null,"delimiter":null,"header_line":null,"phone_column":null,"rows":null,"recipients":null,"countries":null}],
"problems":[],
"summary":{"rows":null,"recipients":null,"errors":0,"warnings":0,"infos":0,"by_rule":{}}}
`
	if diff := cmp.Diff(want, written(t, "json", r, Options{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestReportWithoutAnything(t *testing.T) {
	want := map[string]string{"jsonl": "", "gitlab": "[]\n", "github": "", "rdjsonl": ""}
	for _, format := range Formats() {
		got := written(t, format, Report{}, Options{})
		if w, plain := want[format]; plain && got != w {
			t.Errorf("%s: %q, want %q", format, got, w)
		}
		checkSyntax(t, format, got)
	}
}

var errRead = errors.New("the disk is gone")

func TestFaultsOfProblemsAreTold(t *testing.T) {
	r := Report{Problems: func(yield func(Problem, error) bool) { yield(Problem{}, errRead) }}
	for _, format := range Formats() {
		if err := Write(io.Discard, format, r, Options{}); !errors.Is(err, errRead) {
			t.Errorf("%s: error %v", format, err)
		}
	}
	if _, err := Sections(r, Options{}); !errors.Is(err, errRead) {
		t.Errorf("text: error %v", err)
	}
	if err := WriteStepSummary(io.Discard, r); !errors.Is(err, errRead) {
		t.Errorf("step summary: error %v", err)
	}
	var hinted interface{ Hint() string }
	if err := Write(io.Discard, "yaml", r, Options{}); !errors.As(err, &hinted) || !strings.Contains(hinted.Hint(), "sarif") {
		t.Errorf("unknown format: error %v", err)
	}
}

// hostile are cells that want to be more than text where they are shown.
var hostile = []string{
	"::error file=x::owned", "%0A::set-output name=a::b", "a\n::stop-commands::x", "]]>", "]]></failure><x/>", "<script>alert(1)</script>", "&lt;&#10;",
	"\x1b[31mred\x1b]0;title\a", "\x9b31m", "\u009b31m", "bad \xff\xfe utf8", "\u202e12345 txt", "\u2066x\u2069", "a\x00b", "\u2028new\u2029line", "\U000e0041tag",
	"[click](https://evil.example)", "{0} {1}", "| a | b |", "`code`", `"quoted" \back`, "=HYPERLINK(\"x\")", "\ufffe\uffff", "\r\n", "##[error]x", "<!--", "@everyone",
	strings.Repeat("long ", 2000), "",
}

func hostileReport() Report {
	var all []Problem
	for i, h := range hostile {
		all = append(all, Problem{Path: "list" + h + ".csv", Line: i + 1, Column: 1, Char: 1, Header: h, Rule: "invalid-number", Severity: normalize.Error, Value: h, Message: "no number: " + h},
			Problem{Path: h, Line: i + 1, Column: 1, Char: 1, Rule: "no-rule" + h, Severity: normalize.Severity(h), Value: h, Message: "m",
				Fix: &normalize.Repair{Line: i + 1, Char: 1, Old: h, New: h}})
	}
	return reportOf([]File{{Path: hostile[0], PhoneColumn: hostile[5]}}, All(all...))
}

func TestHostileCells(t *testing.T) {
	for _, numbers := range []Numbers{ByFace, Shown, Hidden} {
		r, o := hostileReport(), Options{Numbers: numbers}
		for _, format := range Formats() {
			checkSafe(t, format, written(t, format, r, o))
		}
		var b bytes.Buffer
		if err := WriteStepSummary(&b, r); err != nil {
			t.Fatal(err)
		}
		checkSafe(t, "step summary", b.String())
		text, err := Sections(r, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range text.Sections {
			for _, p := range s.Places {
				checkSafe(t, "text", strings.Join([]string{s.Rule, p.Where, p.Header, p.Value, p.Message}, ""))
			}
		}
	}
}

// checkSafe fails where a face holds what steers a terminal, turns text round, or ends its own syntax.
func checkSafe(t testing.TB, format, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s: not UTF-8", format)
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != utf8.RuneError && harmful(r) }); i >= 0 {
		t.Errorf("%s: %q stands in it: %.60q", format, text[i:i+1], text[max(0, i-20):])
	}
	checkSyntax(t, format, text)
}

// checkSyntax reads a face back as its reader does.
func checkSyntax(t testing.TB, format, text string) {
	t.Helper()
	switch format {
	case "json", "sarif", "gitlab":
		if !json.Valid([]byte(text)) {
			t.Errorf("%s: no JSON: %.80q", format, text)
		}
	case "jsonl", "rdjsonl":
		for line := range strings.Lines(text) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: no JSON: %.80q", format, line)
			}
		}
	case "github":
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "::error ") && !strings.HasPrefix(line, "::warning ") {
				t.Errorf("github: a cell made a line of its own: %.80q", line)
			}
		}
	case "junit":
		checkXML(t, text)
	case "step summary":
		for _, bad := range []string{"<", "`", "]]>", "@everyone", "evil.example)"} {
			if strings.Contains(text, bad) {
				t.Errorf("step summary: holds %q", bad)
			}
		}
	}
}

// checkXML holds a JUnit file against its format: known elements at their place, counts that are true, characters that XML allows.
func checkXML(t testing.TB, text string) {
	t.Helper()
	within := map[string]string{"testsuites": "", "testsuite": "testsuites", "testcase": "testsuite", "failure": "testcase", "system-out": "testcase"}
	var open []string
	counts, told := map[string]int{}, map[string]string{}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("junit: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			parent := ""
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
			if p, ok := within[token.Name.Local]; !ok || p != parent {
				t.Fatalf("junit: <%s> in <%s>", token.Name.Local, parent)
			}
			open = append(open, token.Name.Local)
			counts[token.Name.Local]++
			for _, a := range token.Attr {
				told[token.Name.Local+" "+a.Name.Local] = a.Value
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
	if told["testsuites tests"] != fmt.Sprint(counts["testcase"]) || told["testsuites failures"] != fmt.Sprint(counts["failure"]) {
		t.Errorf("junit: counts %v tell %v", counts, told)
	}
}

func TestSummarize(t *testing.T) {
	got := example().Summary
	want := Summary{Rows: 5, Recipients: 3, Errors: 1, Warnings: 2, Infos: 1, ByRule: map[string]int{"duplicate": 1, "idd-prefix": 1, "mixed-countries": 1, "param-empty": 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSections(t *testing.T) {
	var many []Problem
	for i := range 13 {
		many = append(many, Problem{Path: "a.csv", Line: i + 2, Column: 1, Char: 3, Header: "phone", Rule: "fixed-line", Severity: normalize.Warning, Value: "+55 55 3221-1234", Message: "a landline"})
	}
	many = append(many, Problem{Path: "a.csv", Line: 20, Rule: "too-short", Severity: normalize.Error, Message: "too few\x1b digits"},
		Problem{Path: "a.csv", Line: 21, Rule: "plus-missing", Severity: normalize.Info}, Problem{Path: "a.csv", Line: 22, Rule: "plus-missing", Severity: normalize.Warning})
	got, err := Sections(reportOf(nil, All(many...)), Options{PerRule: 2})
	if err != nil {
		t.Fatal(err)
	}
	place := func(line int) Place {
		return Place{fmt.Sprintf("a.csv:%d:3", line), "phone", "+55 55 3221-1234", "a landline"}
	}
	want := Text{Infos: 1, Sections: []Section{
		{Rule: "too-short", Severity: normalize.Error, Count: 1, Hint: hint("too-short"), Places: []Place{{Where: "a.csv:20", Message: `too few\x1b digits`}}},
		{Rule: "fixed-line", Severity: normalize.Warning, Count: 13, Hint: hint("fixed-line"), Places: []Place{place(2), place(3)}, More: 11},
		{Rule: "plus-missing", Severity: normalize.Warning, Count: 1, Hint: hint("plus-missing"), Places: []Place{{Where: "a.csv:22"}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// The place in bytes is right whatever stands before it, and so is what a repair takes out.
func TestFromRow(t *testing.T) {
	list := "nome,phone,cidade\n\"João \"\"Jô\"\" ção\",005511961234567,São Paulo\nAna,+5511961234568,Santos\n"
	l, err := normalize.Open("a.csv", strings.NewReader(list), normalize.Options{Region: "BR"})
	if err != nil {
		t.Fatal(err)
	}
	var got []Problem
	for v, err := range l.Check(normalize.CheckOptions{}).Rows() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, FromRow(l, v)...)
	}
	if len(got) != 1 || got[0].Rule != "idd-prefix" || got[0].Recipient != "+5511961234567" {
		t.Fatalf("problems %+v", got)
	}
	p, line := got[0], strings.Split(list, "\n")[1]
	if at := strings.Index(line, "0055"); p.Byte != at+1 || p.Char != utf8.RuneCountInString(line[:at])+1 {
		t.Errorf("character %d, byte %d", p.Char, p.Byte)
	}
	want := &normalize.Repair{Line: 2, Char: p.Char, Old: "005511961234567", New: "+5511961234567"}
	if diff := cmp.Diff(want, p.Fix); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

package readlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/analyze"
)

// carefulLog reads every line with the decoder.
type carefulLog struct {
	text    []byte
	sources []analyze.Source
}

func (l *carefulLog) Sources() []analyze.Source { return l.sources }

func (l *carefulLog) Events(want analyze.Want) iter.Seq2[analyze.Event, error] {
	return func(yield func(analyze.Event, error) bool) {
		p := newPass(0, want, &Options{}, "-", func(e analyze.Event) bool { return yield(e, nil) })
		if err := p.readSource(bytes.NewReader(l.text)); err != nil {
			yield(analyze.Event{}, err)
		}
		l.sources = []analyze.Source{p.judged()}
	}
}

// quickLog reads text in blocks of that many bytes, as a stream or as a file.
func quickLog(t testing.TB, text []byte, block int, file bool) *Log {
	t.Helper()
	o := Options{Paths: []string{"-"}, Stdin: iotest.HalfReader(bytes.NewReader(text))}
	if file {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		o = Options{Paths: []string{path}}
	}
	l, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	l.block = block
	return l
}

func drain(t testing.TB, l analyze.Log, want analyze.Want) (events []analyze.Event) {
	t.Helper()
	for e, err := range l.Events(want) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// sameAsCareful holds the quick way against the careful one: facts, events, what is found in the source, and a second pass for some lines.
func sameAsCareful(t testing.TB, text []byte, block int, file bool) {
	t.Helper()
	careful := &carefulLog{text: text}
	var want, got analyze.Ledger
	if err := want.Read(careful); err != nil {
		t.Fatal(err)
	}
	l := quickLog(t, text, block, file)
	if err := got.Read(l); err != nil {
		t.Fatal(err)
	}
	last := analyze.Event{Kind: analyze.Sent, Number: "last", Recipient: "last", MessageID: "last"} // after it, what ledgers remember of the last event is the same
	want.Note(last)
	got.Note(last)
	if !sameLedgers(&want, &got) {
		t.Errorf("the facts differ; events: %s", cmp.Diff(drain(t, careful, analyze.Want{}), drain(t, quickLog(t, text, block, file), analyze.Want{})))
	}
	sources := func(l analyze.Log) analyze.Source {
		s := l.Sources()[0]
		s.Path = ""
		s.Notes = slices.Clone(s.Notes)
		return s
	}
	first := sources(l)
	if diff := cmp.Diff(sources(careful), first); diff != "" {
		t.Errorf("the source differs: %s", diff)
	}
	all := drain(t, careful, analyze.Want{Details: true})
	sameEvents(t, "all events", all, drain(t, quickLog(t, text, block, file), analyze.Want{Details: true}))
	for _, each := range []int{3, 40, 1000} {
		isWanted := func(p analyze.Place) bool { return p.File == 0 && p.Line%each == 1 }
		some := slices.DeleteFunc(slices.Clone(all), func(e analyze.Event) bool { return !isWanted(e.Place) })
		next := func(p analyze.Place) (analyze.Place, bool) {
			for !isWanted(p) {
				p.Line++
			}
			return p, p.Line < 1<<30
		}
		sameEvents(t, fmt.Sprintf("each %dth line", each), some, drain(t, l, analyze.Want{Details: true, Place: isWanted, Next: next}))
	}
	if diff := cmp.Diff(first, sources(l)); diff != "" {
		t.Errorf("the second pass found something else: %s", diff)
	}
}

func sameEvents(t testing.TB, what string, want, got []analyze.Event) {
	t.Helper()
	if !slices.Equal(want, got) {
		t.Errorf("%s (-careful +quick): %s", what, cmp.Diff(want, got))
	}
}

// webhooks makes lines as the platform sends them, of many forms.
type webhooks struct {
	*rand.Rand
	at     int
	latest struct{ id, phone, number string } // of what neighbouring lines are often about too
}

func (w *webhooks) line() string {
	w.at += w.IntN(3)
	changes := make([]string, w.few())
	for i := range changes {
		changes[i] = w.change()
	}
	text := fmt.Sprintf(`{"object":"whatsapp_business_account","entry":[{"id":"88000%d","changes":[%s]}]}`, w.IntN(3), strings.Join(changes, ","))
	if w.IntN(6) == 0 { // as Python writes it
		text = strings.NewReplacer(`":`, `": `, `,"`, `, "`).Replace(text)
	}
	return text
}

func (w *webhooks) few() int { return 1 + max(0, w.IntN(8)-5) }

// again gives the latest of a kind, or makes another one.
func (w *webhooks) again(latest *string, another func() string) string {
	if *latest == "" || w.IntN(8) == 0 {
		*latest = another()
	}
	return *latest
}

func (w *webhooks) number() string { return w.again(&w.latest.number, w.anyNumber) }

func (w *webhooks) anyNumber() string {
	return fmt.Sprintf(`{"display_phone_number":"1202555010%d","phone_number_id":"10654035224290%d"}`, w.IntN(2), w.IntN(3))
}

func (w *webhooks) phone() string { return w.again(&w.latest.phone, w.anyPhone) }

func (w *webhooks) anyPhone() string { return fmt.Sprintf("551198765%04d", w.IntN(30)) }

func (w *webhooks) user() string { return fmt.Sprintf("BR.13491208655302741%03d", w.IntN(20)) }

func (w *webhooks) id() string { return w.again(&w.latest.id, w.anyID) }

func (w *webhooks) anyID() string {
	return fmt.Sprintf("wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEj%06d+/A=", w.IntN(400))
}

func (w *webhooks) change() string {
	list := "statuses"
	one := w.status
	switch w.IntN(8) {
	case 0:
		list, one = "messages", w.message
	case 1:
		list, one = "message_echoes", w.echo
	}
	elements := make([]string, w.few())
	for i := range elements {
		elements[i] = one()
	}
	contacts := ""
	switch w.IntN(5) {
	case 0:
		contacts = fmt.Sprintf(`"contacts":[{"profile":{"name":"Zo\u00eb %d é"},"wa_id":"%s"}],`, w.IntN(9), w.phone())
	case 1:
		contacts = fmt.Sprintf(`"contacts":[{"user_id":"%s","wa_id":"%s"}],`, w.user(), w.phone())
	}
	if w.IntN(10) == 0 {
		return fmt.Sprintf(`{"value":{"%s":[%s],%s"metadata":%s},"field":"messages"}`, list, strings.Join(elements, ","), contacts, w.number())
	}
	return fmt.Sprintf(`{"value":{"messaging_product":"whatsapp","metadata":%s,%s"%s":[%s]},"field":"messages"}`, w.number(), contacts, list, strings.Join(elements, ","))
}

func (w *webhooks) status() string {
	kind := []string{"sent", "delivered", "read", "failed", "sent", "delivered", "played", "deleted"}[w.IntN(8)]
	who := fmt.Sprintf(`"recipient_id":"%s"`, w.phone())
	switch w.IntN(6) {
	case 0:
		who += fmt.Sprintf(`,"recipient_user_id":"%s"`, w.user())
	case 1:
		who = fmt.Sprintf(`"recipient_user_id":"%s"`, w.user())
	}
	rest := ""
	if kind == "failed" {
		rest = fmt.Sprintf(`,"errors":[{"code":%d,"title":"hit","message":"pair rate limit hit","error_data":{"details":"too many"},"href":"https:\/\/x.example"}]`,
			[]int{131056, 131056, 131026, 130429}[w.IntN(4)])
	} else if w.IntN(2) == 0 {
		rest = fmt.Sprintf(`,"conversation":{"id":"0f3a9c1b2d4e5f60718293a4b5c6d%d","origin":{"type":"marketing"}},"pricing":{"billable":true,"category":"%s"}`,
			w.IntN(5), []string{"marketing", "utility", "authentication"}[w.IntN(3)])
	}
	if w.IntN(4) == 0 {
		rest += fmt.Sprintf(`,"biz_opaque_callback_data":"step-%d"`, w.IntN(50))
	}
	return fmt.Sprintf(`{"id":"%s","status":"%s","timestamp":"%d",%s%s}`, w.id(), kind, 1795165200+w.at, who, rest)
}

func (w *webhooks) message() string {
	content := []string{`"type":"text","text":{"body":"%s"}`, `"type":"image","image":{"caption":"%s","id":"77"}`, `"type":"text","text":{"body":"%s"},"context":{"id":"wamid.abc"}`,
		`"type":"interactive","interactive":{"type":"button_reply","button_reply":{"id":"a","title":"%s"}}`, `"type":"system","system":{"body":"%s"}`}[w.IntN(5)]
	text := []string{"hello", "ol\\u00e1 ç", " spaced ", "", "line\\nbreak", "part 2/3", "131056", `\\\"quoted\\\"`}[w.IntN(8)]
	return fmt.Sprintf(`{"from":"%s","id":"%s","timestamp":"%d",`, w.phone(), w.id(), 1795165200+w.at) + fmt.Sprintf(content, text) + "}"
}

func (w *webhooks) echo() string {
	return fmt.Sprintf(`{"from":"12025550100","to":"%s","id":"%s","timestamp":"%d","type":"text","text":{"body":"echo %d"}}`, w.phone(), w.id(), 1795165200+w.at, w.IntN(4))
}

// TestQuickEqualsCareful holds over logs of many forms that the quick way finds what the decoder finds, and that it is taken for most lines.
func TestQuickEqualsCareful(t *testing.T) {
	followed := 0
	for seed := range uint64(3) {
		w := webhooks{Rand: rand.New(rand.NewPCG(seed, 1))}
		var text strings.Builder
		for range 200 {
			text.WriteString(w.line() + "\n")
		}
		for _, block := range []int{1, 3000, leastBlock} {
			sameAsCareful(t, []byte(text.String()), block, seed%2 == 0)
		}
		b := quickBlock(t, []byte(text.String()))
		quick := 0
		for _, r := range b.runs {
			quick += r.lines
		}
		for _, f := range b.facts {
			followed += int(min(1, f.delivered.Lines) + min(1, f.read.Lines))
		}
		if quick < 100 {
			t.Errorf("seed %d: %d of 200 lines were quick: this test proves little", seed, quick)
		}
	}
	if followed < 6 {
		t.Errorf("%d statuses are part of what they followed: this test proves little", followed)
	}
}

// quickBlock is a text as one block, matched with the templates that its own lines make.
func quickBlock(t testing.TB, text []byte) *block {
	l := quickLog(t, text, leastBlock, false)
	drain(t, l, analyze.Want{})
	b := &block{text: text}
	p := pipeline{known: &l.forms}
	p.matchFrom(b, 0, 0, &heat{})
	return b
}

// strange are ways to write a line that the decoder reads as something else than its form says, or not at all.
var strange = []func(w *webhooks, line string) string{
	func(w *webhooks, s string) string { return s[:w.IntN(len(s))] },
	func(w *webhooks, s string) string { i := w.IntN(len(s)); return s[:i] + s[min(len(s), i+1+w.IntN(3)):] },
	func(w *webhooks, s string) string {
		i := w.IntN(len(s))
		return s[:i] + []string{`"`, `\`, `,`, `}`, `{`, `[`, `]`, "0", "x", " ", "\t", "\x00", "\x80", "é", `\u0061`, `\ud800`, "*", "+", "\r", "\n"}[w.IntN(20)] + s[i:]
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"status":`, `"status":"read","status":`, 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"id":"wamid`, `"id":"x","id":"wamid`, 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"timestamp"`, `"timest\u0061mp":"1","timestamp"`, 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"recipient_id"`, `"recipient\u005fid":"1","recipient_id"`, 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"recipient_id":"5511`, `"recipient_id":"`+[]string{"0", "+", "", "55*", " 55", "h:", "55 11 ", "1111111111111111"}[w.IntN(8)], 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"timestamp":"179`, `"timestamp":"`+[]string{"-", "1", "999", "0", " 179", "17.9", "1e9", "NaN"}[w.IntN(8)], 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"wamid.`, `"`+[]string{"", " wamid.", "1xx", "+1xx", "*", "wamid.\\u0041", "wamid. ", "…"}[w.IntN(8)], 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"phone_number_id":"1`, `"phone_number_id":`+[]string{`"`, `"+`, `1`, `null,"x":"`, `"0`, `" 1`, `["`, `123456789012345678901`}[w.IntN(8)], 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `131056`, []string{`"131056"`, `0`, `-1`, `131056.0`, `1e5`, `null`, `99999999999999999999`, `131056,"code":7`}[w.IntN(8)], 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"billable":true`, []string{`"billable":nan`, `"billable":1`, `"billable":01`, `"billable":-`, `"billable":[1,{}]`, `"billable":{"a":1,"a":2}`}[w.IntN(6)], 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `whatsapp_business_account`, []string{"instagram", "WhatsApp_Business_Account", "whatsapp_business_account "}[w.IntN(3)], 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"user_id":"BR.`, []string{`"user_id":"`, `"user_id":"BR.xxx`, `"user_id":"a@c.us`, `"user_id":12,"x":"`}[w.IntN(4)], 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"errors":[`, `"errors":[],"error":{"code":5},"more":[`, 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `{"object"`, `{"gs_app_id":"1","object"`, 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"statuses":[`, `"errors":[{"code":131056}],"statuses":[`, 1)
	},
	func(w *webhooks, s string) string {
		return strings.Replace(s, `"statuses":[`, `"messages":[],"statuses":[`, 1)
	},
	func(w *webhooks, s string) string { return strings.Replace(s, `"statuses":[`, `"statuses":[3,`, 1) },
	func(w *webhooks, s string) string { return s + s },
	func(w *webhooks, s string) string { return s + " " + s },
	func(w *webhooks, s string) string {
		return s + []string{" ", "\r", ",", "]", " x", "\x00", "\t\r"}[w.IntN(7)]
	},
	func(w *webhooks, s string) string {
		return []string{" ", "\ufeff", "\x00\x00", "\x1e", "[", "INFO ", "2026-11-20T10:00:00Z "}[w.IntN(7)] + s
	},
	func(w *webhooks, s string) string { return "[" + s + "," + s + "]" },
	func(w *webhooks, s string) string {
		var b bytes.Buffer
		json.Indent(&b, []byte(s), "", " ")
		return b.String()
	},
	func(w *webhooks, s string) string { return `{"time":"2026-11-20T10:00:00Z","body":` + s + "}" },
	func(w *webhooks, s string) string {
		return []string{"", "started", "{", "}", "Traceback:", "  at x", `{"a":1}`, "null", `{"pnid":"1","to":"5511987654321","status":200,"wamid":"wamid.x","time":"2026-11-16T10:00:00Z"}`}[w.IntN(9)]
	},
}

// TestStrangeLines holds the same with strange lines among the others.
func TestStrangeLines(t *testing.T) {
	for seed := range uint64(40) {
		w := webhooks{Rand: rand.New(rand.NewPCG(seed, 2))}
		var text strings.Builder
		for range 60 {
			line := w.line()
			if w.IntN(3) == 0 {
				line = strange[w.IntN(len(strange))](&w, line)
			}
			text.WriteString(line + []string{"\n", "\n", "\n", "\r\n"}[w.IntN(4)])
		}
		whole := text.String()
		sameAsCareful(t, []byte(whole[:len(whole)-w.IntN(3)]), []int{1, 500, 5000, leastBlock}[w.IntN(4)], w.IntN(2) == 0)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// FuzzQuick reads any bytes between lines of known forms, quickly and carefully.
func FuzzQuick(f *testing.F) {
	w := webhooks{Rand: rand.New(rand.NewPCG(7, 7))}
	for range 30 {
		line := w.line()
		f.Add([]byte(line+"\n"), uint16(w.IntN(3000)))
		f.Add([]byte(strange[w.IntN(len(strange))](&w, line)+"\n"), uint16(w.IntN(3000)))
	}
	seeds, err := sampleTexts()
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range seeds {
		f.Add(s, uint16(1000))
	}
	f.Fuzz(func(t *testing.T, b []byte, block uint16) {
		w := webhooks{Rand: rand.New(rand.NewPCG(uint64(block), 3))}
		var text []byte
		for range 4 {
			text = append(text, w.line()+"\n"...)
		}
		text = append(append(text, b...), b...)
		for range 4 {
			text = append(text, w.line()+"\n"...)
		}
		if isTable(text[:min(len(text), headSize)], &Options{}) {
			t.Skip("a table has no lines of JSON")
		}
		sameAsCareful(t, text, 64+int(block)%4096, false) // smaller ones are slow, and TestStrangeLines has them
	})
}

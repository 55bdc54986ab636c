package readlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/analyze"
)

// FuzzJSONScan holds that the scanner ends a value exactly where the decoder does, whatever is thrown at it.
func FuzzJSONScan(f *testing.F) {
	for _, s := range []string{`{}`, `[1,2,{"a":"b\"c"}]`, `{"a":[{},[],null,-1.5e3,true]} x`, `{"a"`, `{"a":"` + "\n" + `"}`, `{,}`, `[1 2]`, `{"a":1,}`, `[`, `{{}}`, `["a" "b"]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if b = bytes.TrimLeft(b, " \t\r\n"); len(b) == 0 || b[0] != '{' && b[0] != '[' {
			return
		}
		d := json.NewDecoder(bytes.NewReader(b))
		var v any
		err := d.Decode(&v)
		var s jsonScan
		for i, c := range b {
			switch s.step(c) {
			case complete:
				if err == nil && d.InputOffset() != int64(i+1) {
					t.Fatalf("ends at %d, the decoder's at %d", i+1, d.InputOffset())
				}
				return
			case broken:
				if err == nil && len(s.stack) < maxDepth {
					t.Fatalf("broken at %d (%q), but it is JSON", i, c)
				}
				return
			}
		}
		if err == nil {
			t.Fatal("goes on, but the decoder has a value")
		}
	})
}

// TestLongListsAreStreamed holds that neither a long array nor an object with a long list is held as a whole, and that lines are right.
func TestLongListsAreStreamed(t *testing.T) {
	const n = 12_000
	status := func(i int) string {
		return fmt.Sprintf(`{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"1"},"statuses":[{"id":"wamid.%d","status":"sent","timestamp":"%d","recipient_id":"5511987654321","pad":%q}]}}]}]}`,
			i, 1794823200+i, strings.Repeat("x", 600))
	}
	for name, ends := range map[string][3]string{"array": {"[", ",", "]"}, "array by lines": {"[\n", ",\n", "\n]"}, "list in an object": {`{"a":{"b":[1]},"results":[` + "\n", ",\n", `],"next":"x"}`}} {
		t.Run(name, func(t *testing.T) {
			i := 0
			src := &made{next: func() string {
				i++
				switch {
				case i == 1:
					return ends[0] + status(0)
				case i <= n:
					return ends[1] + status(i-1)
				case i == n+1:
					return ends[2]
				}
				return ""
			}}
			events, held := drained(t, src)
			if len(events) != n {
				t.Fatalf("%d events, want %d", len(events), n)
			}
			if last := events[n-1]; last.MessageID != fmt.Sprintf("wamid.%d", n-1) || strings.Contains(ends[1], "\n") && last.Place.Line != n+strings.Count(ends[0], "\n") {
				t.Errorf("last is %s in line %d", last.MessageID, last.Place.Line)
			}
			if held > 3*maxLine {
				t.Errorf("%d bytes held of a source of %d", held, n*800)
			}
		})
	}
}

// made is a source that is made while it is read.
type made struct {
	next func() string
	rest string
}

func (m *made) Read(b []byte) (int, error) {
	if m.rest == "" {
		m.rest = m.next()
	}
	if m.rest == "" {
		return 0, io.EOF
	}
	n := copy(b, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// drained is every event of a text, and the largest window that it took.
func drained(t testing.TB, src io.Reader) (events []analyze.Event, held int) {
	t.Helper()
	o := &Options{}
	p := newPass(0, analyze.Want{}, o, "log", func(e analyze.Event) bool { events = append(events, e); return true })
	c := cutter{pass: p, w: newWindow(src)}
	if err := c.run(); err != nil {
		t.Fatal(err)
	}
	return events, len(c.w.room)
}

// TestTooLong holds that a line or a record that is too long to be held is skipped and counted, and that what follows is read.
func TestTooLong(t *testing.T) {
	good := sampleLines(t)[0] + "\n"
	for name, bad := range map[string]string{
		"line of text":   strings.Repeat("x", 2*maxLine) + "\n",
		"string in JSON": `{"a":"` + strings.Repeat("x", maxRecord+1000) + "\"}\n",
	} {
		t.Run(name, func(t *testing.T) {
			events, s := eventsOf(t, []byte(good+bad+good), true)
			if len(events) != 16 || s.Skipped[tooLong] != 1 || s.FirstSkipped[0] != 2 {
				t.Errorf("%d events, skipped %v in %v", len(events), s.Skipped, s.FirstSkipped)
			}
		})
	}
}

// TestBytesComeOneByOne holds that records do not depend on how the source hands out its bytes.
func TestBytesComeOneByOne(t *testing.T) {
	text := strings.Join(sampleLines(t), "\n")
	want, _ := drained(t, strings.NewReader(text))
	got, _ := drained(t, iotest.OneByteReader(strings.NewReader(text)))
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Error(diff)
	}
}

// FuzzLog reads any bytes as a log: no crash, the same twice, and each event in a line that the source has.
func FuzzLog(f *testing.F) {
	seeds, err := sampleTexts()
	if err != nil || len(seeds) == 0 {
		f.Fatal(err)
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		first, source := inMemory(t, b, analyze.Want{Details: true})
		again, _ := inMemory(t, b, analyze.Want{Details: true})
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatal(diff)
		}
		for _, e := range first {
			if e.Place.Line < 1 || e.Place.Line > max(1, source.Lines) {
				t.Fatalf("line %d of %d", e.Place.Line, source.Lines)
			}
		}
		if source.Events != len(first) {
			t.Fatalf("%d events counted, %d yielded", source.Events, len(first))
		}
	})
}

// FuzzRecords reads any text as records: no crash, each event in a line that the text has, and single bytes at a time change nothing.
func FuzzRecords(f *testing.F) {
	seeds, err := sampleTexts()
	if err != nil || len(seeds) == 0 {
		f.Fatal(err)
	}
	for _, s := range seeds {
		f.Add(s[:min(len(s), 3000)])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		events, _ := drained(t, bytes.NewReader(b))
		for _, e := range events {
			if lines := bytes.Count(b, []byte{'\n'}) + 1; e.Place.Line < 1 || e.Place.Line > lines {
				t.Fatalf("line %d of %d", e.Place.Line, lines)
			}
		}
		again, _ := drained(t, iotest.HalfReader(bytes.NewReader(b)))
		if diff := cmp.Diff(events, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

// inMemory reads a log that lies in no file.
func inMemory(t *testing.T, b []byte, want analyze.Want) (events []analyze.Event, source analyze.Source) {
	o := &Options{}
	p := newPass(0, want, o, "log", func(e analyze.Event) bool { events = append(events, e); return true })
	if err := p.readSource(bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	return events, p.judged()
}

package output

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"
)

// record are Streams whose two outputs are kept.
func record(stdin string, o Options) (s *Streams, out, err *bytes.Buffer) {
	out, err = new(bytes.Buffer), new(bytes.Buffer)
	return New(strings.NewReader(stdin), out, err, o), out, err
}

// onTerminal makes s believe that all its streams are terminals that know 16 colours.
func onTerminal(s *Streams, width int) {
	s.InTTY, s.OutTTY, s.ErrTTY, s.Width = true, true, true, width
	s.outStyle.SetColorProfile(termenv.ANSI)
	s.errStyle.SetColorProfile(termenv.ANSI)
}

func TestMessagesGoToErr(t *testing.T) {
	s, out, err := record("", Options{})
	s.Note("read %d rows", 3)
	s.Warn("cell %q", "x\x1by")
	s.Error("first\nsecond\n")
	s.Hint("do this")
	want := "note: read 3 rows\nwarning: cell \"x\\x1by\"\nerror: first\n  second\nhint: do this\n"
	if diff := cmp.Diff(want, err.String()); diff != "" || out.Len() > 0 {
		t.Errorf("stdout %q, stderr (-want +got):\n%s", out, diff)
	}
}

func TestQuietKeepsWarnings(t *testing.T) {
	s, _, err := record("", Options{Quiet: true})
	onTerminal(s, 80)
	s.Note("hidden")
	if b := s.Progress(10, "sending"); b != nil {
		t.Error("a bar in spite of quiet")
	}
	s.Warn("shown")
	if got := err.String(); strings.Contains(got, "hidden") || !strings.Contains(got, "shown") {
		t.Errorf("stderr %q", got)
	}
}

func TestMaskCoversEveryWayOut(t *testing.T) {
	s, out, err := record("", Options{Mask: true})
	const secret = "+5511987654321"
	s.Line("to %s", secret)
	s.Heading("%s", secret)
	s.Table([]string{"who"}, [][]string{{secret}})
	if e := s.JSON(map[string]any{"who": secret, "n": 5511987654321}); e != nil {
		t.Error(e)
	}
	s.Note("%s", secret)
	s.Warn("%s", secret)
	s.Error("%s", secret)
	s.Hint("%s", secret)
	if all := out.String() + err.String(); strings.Contains(all, "987654") && strings.Contains(all, secret) || strings.Count(all, "+5511*****4321") != 8 {
		t.Errorf("not masked: %s", all)
	}
	if !strings.Contains(out.String(), `"n": 5511987654321`) {
		t.Errorf("a JSON number was touched: %s", out)
	}
}

func TestColourOnlyOnTerminals(t *testing.T) {
	for name, c := range map[string]struct {
		terminal bool
		o        Options
		want     bool
	}{
		"pipe":     {false, Options{}, false},
		"terminal": {true, Options{}, true},
		"no color": {true, Options{NoColor: true}, false},
	} {
		s, out, err := record("", c.o)
		if c.terminal {
			onTerminal(s, 80)
		}
		s.Heading("head")
		s.Table([]string{"a"}, [][]string{{"1"}})
		s.Markdown("# head\n`code` and **strong**\n")
		s.Error("bad")
		for _, b := range []*bytes.Buffer{out, err} {
			if got := strings.Contains(b.String(), "\x1b["); got != c.want {
				t.Errorf("%s: colour %t in %q", name, got, b)
			}
		}
	}
}

func TestJSONIsOneReadableObject(t *testing.T) {
	s, out, _ := record("", Options{})
	v := struct {
		Version int     `json:"version"`
		Text    string  `json:"text"`
		None    *string `json:"none"`
	}{1, "<a> & b", nil}
	if err := s.JSON(v); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"version\": 1,\n  \"text\": \"<a> & b\",\n  \"none\": null\n}\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	if err := s.JSON(func() {}); err == nil {
		t.Error("a function became JSON")
	}
}

// writerFunc is a writer that a test makes up.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestReaderGoneIsNoError(t *testing.T) {
	calls := 0
	s := New(nil, writerFunc(func([]byte) (int, error) { calls++; return 0, syscall.EPIPE }), io.Discard, Options{})
	s.Line("one")
	s.Line("two")
	if s.Failed() != nil || calls != 1 {
		t.Errorf("error %v after %d writes", s.Failed(), calls)
	}
}

func TestFullDiskIsRemembered(t *testing.T) {
	s := New(nil, writerFunc(func([]byte) (int, error) { return 0, syscall.ENOSPC }), io.Discard, Options{})
	s.Line("one")
	if !errors.Is(s.Failed(), syscall.ENOSPC) {
		t.Errorf("error %v", s.Failed())
	}
}

func TestProgressWaitsClearsAndNeverInterleaves(t *testing.T) {
	s, out, err := record("", Options{})
	onTerminal(s, 80)
	s.Out, s.out.w = err, err // as on a terminal: both go to one place
	b := s.Progress(12000, "sending")
	b.Update(Progress{Elapsed: 900 * time.Millisecond, Done: 60})
	if err.Len() > 0 {
		t.Fatalf("drawn before a second: %q", err)
	}
	full := Progress{Elapsed: 81 * time.Second, Done: 6123, Refused: 3, Rate: 76, Left: 77 * time.Second}
	b.Update(full)
	line := err.String()
	for _, want := range []string{"sending 6,123 of 12,000", "refused 3", "76.0/s", "1 min 17 s left", "51%"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q lacks %q", line, want)
		}
	}
	if n := len([]rune(strings.TrimPrefix(line, clearLine))); n >= 80 {
		t.Errorf("%d columns: the line would wrap", n)
	}
	full.Elapsed += 50 * time.Millisecond
	b.Update(full)
	if err.String() != line {
		t.Error("redrawn within 100 ms")
	}
	s.Note("a row")
	full.Elapsed += time.Second
	b.Update(full)
	s.Table([]string{"a"}, [][]string{{"1"}})
	full.Elapsed += time.Second
	b.Update(full)
	b.Close()
	b.Update(full)
	b.Close()
	for i, shown := range strings.Split(err.String(), "\n") {
		// What a terminal shows of a line is what follows its last clearing.
		if _, after, found := cutLast(shown, clearLine); found && strings.Contains(after, "sending") {
			t.Errorf("line %d keeps the bar: %q", i, shown)
		}
	}
	if out.Len() > 0 {
		t.Errorf("stdout %q", out)
	}
}

func TestProgressInBytes(t *testing.T) {
	s, _, err := record("", Options{})
	onTerminal(s, 80)
	b := s.ProgressBytes(90_000_000, "read")
	b.Update(Progress{Elapsed: 2 * time.Second, Done: 45_000_000, Rate: 22_500_000, Left: 2 * time.Second})
	b.Close()
	if want := "read 45.0 MB of 90.0 MB · 22.5 MB/s · 2.0 s left"; !strings.Contains(err.String(), want) {
		t.Errorf("%q lacks %q", err, want)
	}
	s.Use(Options{Quiet: true})
	if s.ProgressBytes(1, "read") != nil {
		t.Error("a bar in spite of quiet")
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func TestNoProgressWhereNobodyLooks(t *testing.T) {
	s, _, err := record("", Options{})
	b := s.Progress(10, "sending")
	b.Update(Progress{Elapsed: time.Hour, Done: 5})
	b.Close()
	onTerminal(s, 80)
	s.Use(Options{Dumb: true})
	b = s.Progress(10, "sending")
	b.Update(Progress{Elapsed: time.Hour, Done: 5})
	b.Close()
	if err.Len() > 0 {
		t.Errorf("drawn: %q", err)
	}
}

func TestConfirmCount(t *testing.T) {
	for name, c := range map[string]struct {
		typed string
		want  error
	}{
		"exact":      {"12000\n", nil},
		"separators": {" 12,000 \n", nil},
		"no newline": {"12000", nil},
		"other":      {"1200\n", ErrDeclined},
		"yes":        {"yes\n", ErrDeclined},
		"nothing":    {"\n", ErrDeclined},
		"end":        {"", ErrDeclined},
	} {
		s, out, err := record(c.typed, Options{Quiet: true})
		onTerminal(s, 80)
		if got := s.ConfirmCount(t.Context(), "12,000 people get a message.", 12000); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if !strings.HasPrefix(err.String(), "12,000 people get a message. Type the number") || out.Len() > 0 {
			t.Errorf("%s: asked %q", name, err)
		}
	}
	s, _, err := record("12000\n", Options{})
	if got := s.ConfirmCount(t.Context(), "?", 12000); !errors.Is(got, ErrNoTerminal) || err.Len() > 0 {
		t.Errorf("without a terminal: %v, asked %q", got, err)
	}
}

func TestAskEndsWithItsContext(t *testing.T) {
	silent, typist := io.Pipe()
	defer typist.Close()
	s := New(silent, io.Discard, io.Discard, Options{})
	s.InTTY = true
	why := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := s.Ask(ctx, "well?"); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
}

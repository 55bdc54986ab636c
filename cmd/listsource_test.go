package cmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
)

// A list that is longer than what a reader looks at first, plain or packed, is given up once the command is interrupted.
func TestSourceStops(t *testing.T) {
	plain := append([]byte("phone\n"), bytes.Repeat([]byte("+5511961234567\n"), 100_000)...)
	for name, text := range map[string][]byte{"plain": plain, "packed": packedText(t, plain)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "list.csv")
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			s, err := (&app{}).openSource(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			cancel(errInterrupted)
			open := func() (*normalize.List, error) { return (&listFlags{}).open(s) }
			options := func(*normalize.List) (o normalize.CheckOptions, err error) { return o, nil }
			_, _, err = s.check(open, options, nowhere{})
			if got := judge(err).exit; !errors.Is(err, errInterrupted) || got != exitStopped {
				t.Errorf("error %v means exit %d, want %d", err, got, exitStopped)
			}
		})
	}
}

func packedText(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A stream is given up too, while it is copied.
func TestSourceStopsCopying(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	a := &app{out: output.New(bytes.NewReader([]byte("phone\n")), nil, nil, output.Options{})}
	if _, err := a.openSource(ctx, stdio); !errors.Is(err, errInterrupted) {
		t.Errorf("error %v, want %v", err, errInterrupted)
	}
}

// A stream that nobody writes to ends the command at the first interruption all the same: stdin, a named pipe, and one nobody opens.
func TestWaitingStreamsStop(t *testing.T) {
	silent, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	dir := t.TempDir()
	fifos := []string{filepath.Join(dir, "open.csv"), filepath.Join(dir, "alone.csv")}
	for _, path := range fifos {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	held, err := os.OpenFile(fifos[0], os.O_RDWR, 0) // which does not wait
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	a := &app{out: output.New(silent, nil, nil, output.Options{})}
	for _, path := range append(fifos, stdio) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			ended := make(chan error, 2)
			go func() {
				_, err := a.openSource(ctx, path)
				ended <- err
			}()
			go func() {
				var f campaignFlags
				f.duplicates, f.text = &choice{}, "Oi"
				_, err := f.plan(ctx, a, path, "", time.Time{})
				ended <- err
			}()
			cancel(errInterrupted)
			for range 2 {
				if err := <-ended; !errors.Is(err, errInterrupted) || judge(err).exit != exitStopped {
					t.Errorf("error %v", err)
				}
			}
		})
	}
	// Those who still wait for a writer are let go.
	if alone, err := os.OpenFile(fifos[1], os.O_RDWR, 0); err == nil {
		alone.Close()
	}
}

// What was read before an interruption, and the end of a stream, reach the reader whole.
func TestPatientReadsEverything(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 3*patientSize/10)
	got, err := io.ReadAll(iotest.HalfReader(&patient{ctx: t.Context(), in: iotest.DataErrReader(bytes.NewReader(text))}))
	if err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d of %d bytes, error %v", len(got), len(text), err)
	}
	broken := errors.New("broken")
	if _, err := io.ReadAll(&patient{ctx: t.Context(), in: iotest.ErrReader(broken)}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

func TestSamePlace(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.WriteFile("list.csv", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("list.csv", "link.csv"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"list.csv", "./list.csv", true},
		{"list.csv", "link.csv", true},
		{"list.csv", filepath.Join(folder, "list.csv"), true},
		{"new.csv", "./new.csv", true},
		{"new.csv", "list.csv", false},
		{"", "", false},
		{stdio, stdio, false},
		{os.DevNull, os.DevNull, false},
	} {
		if got := samePlace(c.a, c.b); got != c.same {
			t.Errorf("samePlace(%q, %q) = %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

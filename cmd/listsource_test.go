package cmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

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
			s, err := (&app{}).openStoppable(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			cancel(errInterrupted)
			open := func() (*normalize.List, error) { return (&listFlags{}).open(s) }
			options := func(*normalize.List) (o normalize.CheckOptions, err error) { return o, nil }
			_, _, err = s.check(open, options, func(*normalize.List) error { return nil }, func(*normalize.List, normalize.Verdict) error { return nil })
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
	if _, err := a.openStoppable(ctx, stdio); !errors.Is(err, errInterrupted) {
		t.Errorf("error %v, want %v", err, errInterrupted)
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

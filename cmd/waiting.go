package cmd

import (
	"context"
	"io"
	"os"
)

// patient is a stream that may keep its reader waiting for ever, such as a terminal or a pipe. Once the context is over, Read returns with
// its cause; the read that still waits ends with the process, since nothing can end it before.
type patient struct {
	ctx  context.Context
	in   io.Reader
	buf  []byte // of the read that goes on; after it, ours again
	rest []byte // of what was read last
	err  error  // that came with it
}

// patientSize is how many bytes one read of a patient stream takes.
const patientSize = 1 << 16

// chunk is the outcome of one read.
type chunk struct {
	text []byte
	err  error
}

func (p *patient) Read(b []byte) (int, error) {
	if err := context.Cause(p.ctx); err != nil {
		return 0, err
	}
	if len(p.rest) == 0 && p.err == nil {
		if p.buf == nil {
			p.buf = make([]byte, patientSize)
		}
		c, err := waitFor(p.ctx, func() chunk {
			n, err := p.in.Read(p.buf)
			return chunk{p.buf[:n], err}
		})
		if err != nil {
			return 0, err
		}
		p.rest, p.err = c.text, c.err
	}
	n := copy(b, p.rest)
	if p.rest = p.rest[n:]; len(p.rest) > 0 {
		return n, nil
	}
	return n, p.err
}

// waitFor is what do returns, or the context's cause where that is over first.
func waitFor[T any](ctx context.Context, do func() T) (done T, err error) {
	result := make(chan T, 1) // so that the goroutine ends also where nobody waits any more
	go func() { result <- do() }()
	select {
	case done = <-result:
		return done, nil
	case <-ctx.Done():
		return done, context.Cause(ctx)
	}
}

// openWaiting opens a file to read; of a named pipe it waits for the writer, but no longer than the context lasts.
func openWaiting(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return os.Open(path)
	}
	type opened struct {
		file *os.File
		err  error
	}
	o, err := waitFor(ctx, func() opened {
		file, err := os.Open(path)
		return opened{file, err}
	})
	if err != nil {
		return nil, err
	}
	return o.file, o.err
}

// stdinOnce refuses to read stdin for two things: the second would find nothing.
func stdinOnce(paths ...string) error {
	n := 0
	for _, path := range paths {
		if path == stdio {
			n++
		}
	}
	if n > 1 {
		return unusable("name files for all but one of them", "- is stdin, which can be read only once, but it is named %d times", n)
	}
	return nil
}

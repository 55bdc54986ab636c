package readlog

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// spool is a file without a name, in which a run keeps what it needs again.
type spool struct {
	file *os.File
	size int64
}

// newSpool makes a file that is gone when it is closed, and with the process at the latest.
func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "wactl-log-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &spool{file: f}, nil
}

func (s *spool) add(b []byte) error {
	n, err := s.file.WriteAt(b, s.size)
	s.size += int64(n)
	return err
}

// read gives n bytes from an offset, in a room that grows.
func (s *spool) read(room []byte, at int64, n int) ([]byte, error) {
	if cap(room) < n {
		room = make([]byte, n)
	}
	_, err := s.file.ReadAt(room[:n], at)
	return room[:n], err
}

func (s *spool) close() error {
	if s == nil {
		return nil
	}
	return s.file.Close()
}

// stream is a source that gives its bytes once. They are kept as they come, until somebody who keeps them in another form says that this is not needed.
type stream struct {
	src    io.Reader
	closer io.Closer // nil: it belongs to somebody else
	kept   *spool
	err    error // why nothing more comes
	gone   bool  // what came is not kept any more
}

// errGone says that a stream cannot be read again, since it was not read to its end.
var errGone = errors.New("the stream was left before its end and cannot be read again")

func (s *stream) close() error {
	err := s.kept.close()
	if s.closer != nil {
		err = errors.Join(err, s.closer.Close())
	}
	return err
}

// forget gives up what was kept. What comes from now on is read once.
func (s *stream) forget() {
	s.gone = true
	s.kept.file.Truncate(0) // it only frees room
}

// reader reads a stream from its beginning.
func (s *stream) reader() io.Reader {
	if s.gone {
		return failed{errGone}
	}
	return &streamReader{stream: s}
}

// failed is a reader that cannot read.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

type streamReader struct {
	*stream
	at int64
}

func (r *streamReader) Read(b []byte) (n int, err error) {
	switch {
	case !r.gone && r.at < r.kept.size:
		n, err = r.kept.file.ReadAt(b[:min(int64(len(b)), r.kept.size-r.at)], r.at)
	case r.err != nil:
		return 0, r.err
	default:
		n, err = r.src.Read(b)
		r.err = err
		if !r.gone {
			if failure := r.kept.add(b[:n]); failure != nil {
				return n, failure
			}
		}
	}
	r.at += int64(n)
	return n, err
}

// keepError says that what a stream gave cannot be kept.
func keepError(path string, err error) error {
	return fmt.Errorf("keep what comes from %s in %s: %w", path, os.TempDir(), err)
}

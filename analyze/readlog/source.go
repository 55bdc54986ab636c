package readlog

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is one file or stream, and what is known of how to read it again.
type source struct {
	path   string
	size   int64
	stream *stream           // nil: it can be read again and again
	opened *io.SectionReader // a file that stdin is; nil: it is opened by its path
	index  blockIndex
	apart  bool // its records can be read one without the other
}

func (s *source) close() (err error) {
	if s.stream != nil {
		err = s.stream.close()
		s.stream = nil
	}
	return err
}

// open gives the bytes of a source.
func (s *source) open() (r interface {
	io.Reader
	io.ReaderAt
}, done func(), err error) {
	if s.opened != nil {
		s.opened.Seek(0, io.SeekStart)
		return s.opened, func() {}, nil
	}
	f, err := os.Open(s.path)
	if err != nil {
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}

// whole reads a source from its beginning to its end.
func (s *source) whole(ctx context.Context, p *pass) error {
	if s.stream != nil {
		return p.readSource(&counted{stoppable{ctx, s.stream.reader()}, p.options.Progress})
	}
	src, done, err := s.open()
	if err != nil {
		return err
	}
	defer done()
	return p.readSource(&counted{stoppable{ctx, src}, p.options.Progress})
}

// again reads what is wanted of a source that was read before.
func (s *source) again(ctx context.Context, p *pass) error {
	if s.index.spool != nil {
		return p.again(ctx, &s.index, nil, s.size)
	}
	src, done, err := s.open()
	if err != nil {
		return err
	}
	defer done()
	return p.again(ctx, &s.index, src, s.size)
}

// add takes a file, every file of a folder, or stdin.
func (l *Log) add(path string) error {
	if path == "-" {
		return l.addStdin()
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return l.addFolder(path)
	case !info.Mode().IsRegular():
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		widen(f)
		return l.addStream(path, f, f)
	}
	l.addFile(&source{path: path, size: info.Size()})
	return nil
}

func (l *Log) addFile(s *source) {
	l.sources = append(l.sources, s)
	l.size += s.size
}

func (l *Log) addFolder(path string) error {
	return filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error { // in the order of names
		if err != nil {
			return err
		}
		if hidden := strings.HasPrefix(entry.Name(), ".") && name != path; hidden && entry.IsDir() {
			return fs.SkipDir
		} else if hidden || entry.IsDir() {
			return nil
		}
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		l.addFile(&source{path: name, size: info.Size()})
		return nil
	})
}

// addStdin takes stdin: as the file that it is, or as a stream.
func (l *Log) addStdin() error {
	if l.options.Stdin == nil || slices.ContainsFunc(l.sources, func(s *source) bool { return s.path == "-" }) {
		return errors.New("stdin can be read once: name it once, and give the other logs as files")
	}
	if f, ok := l.options.Stdin.(*os.File); ok {
		info, err := f.Stat()
		at, seekErr := f.Seek(0, io.SeekCurrent)
		if err == nil && seekErr == nil && info.Mode().IsRegular() {
			size := max(0, info.Size()-at)
			l.addFile(&source{path: "-", size: size, opened: io.NewSectionReader(f, at, size)})
			return nil
		}
		widen(f)
	}
	return l.addStream("-", l.options.Stdin, nil)
}

// addStream takes what can be read once: a pipe, such as a shell's <(…). What comes of it is kept, since a log is read twice.
func (l *Log) addStream(path string, src io.Reader, closer io.Closer) error {
	kept, err := newSpool()
	if err != nil {
		if closer != nil {
			closer.Close()
		}
		return keepError(path, err)
	}
	l.addFile(&source{path: path, stream: &stream{src: src, closer: closer, kept: kept}})
	return nil
}

// stoppable stops reading when nobody waits for it any more.
type stoppable struct {
	ctx context.Context
	src io.Reader
}

func (s stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.src.Read(b)
}

// counted tells somebody how many bytes were read.
type counted struct {
	src  io.Reader
	told func(int64)
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.src.Read(b)
	if c.told != nil {
		c.told(int64(n))
	}
	return n, err
}

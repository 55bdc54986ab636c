package readlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wactl/wactl/analyze"
)

// ErrFormat says that no reader has the form that was asked for; Formats lists those that are known.
var ErrFormat = errors.New("no such log format")

// Log is a set of sources as analyze.Log wants them: each can be read again and again. Close it when it is no longer read.
type Log struct {
	ctx     context.Context
	options Options
	paths   []string
	spool   *os.File // what came from stdin
	size    int64
	found   []analyze.Source
}

// Open looks up what there is to read, folders in the order of their names, and spools stdin. It reads no file yet.
func Open(ctx context.Context, o Options) (*Log, error) {
	if o.Format != "" && sameForm[o.Format] == "" && !slices.Contains(Formats(), o.Format) {
		return nil, fmt.Errorf("%w: %q; known are %s", ErrFormat, o.Format, strings.Join(Formats(), ", "))
	}
	l := &Log{ctx: ctx, options: o}
	for _, path := range o.Paths {
		if err := l.add(path); err != nil {
			l.Close()
			return nil, err
		}
	}
	l.found = make([]analyze.Source, len(l.paths))
	for i, path := range l.paths {
		l.found[i] = analyze.Source{Path: path, Skipped: map[string]int{}}
	}
	return l, nil
}

// Close gives back what reading needed. It may be called more than once.
func (l *Log) Close() error {
	if l.spool == nil {
		return nil
	}
	err := l.spool.Close()
	l.spool = nil
	return err
}

// Size is how many bytes the sources take as they lie there, packed or not: what Progress counts up to in one pass.
func (l *Log) Size() int64 { return l.size }

// Sources says what was found in each source; complete after the first pass.
func (l *Log) Sources() []analyze.Source { return slices.Clone(l.found) }

// Events yields the events of all sources, in the order of the sources and of their records.
func (l *Log) Events(want analyze.Want) iter.Seq2[analyze.Event, error] {
	return func(yield func(analyze.Event, error) bool) {
		for i := range l.paths {
			going, err := l.read(i, want, func(e analyze.Event) bool { return yield(e, nil) })
			if err != nil {
				yield(analyze.Event{}, err)
				return
			}
			if !going {
				return
			}
		}
	}
}

// add takes a file, every file of a folder, or stdin.
func (l *Log) add(path string) error {
	if path == "-" {
		return l.addStdin()
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			return l.addStream(path)
		}
		l.paths = append(l.paths, path)
		l.size += info.Size()
		return nil
	}
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
		l.paths = append(l.paths, name)
		l.size += info.Size()
		return nil
	})
}

// addStdin keeps what stdin gives in a file that has no name, since a log is read twice.
func (l *Log) addStdin() error {
	if l.options.Stdin == nil || slices.Contains(l.paths, "-") {
		return errors.New("stdin can be read once: name it once, and give the other logs as files")
	}
	return l.spoolFrom("-", l.options.Stdin)
}

// addStream reads a pipe, such as a shell's <(…), which cannot be read twice either.
func (l *Log) addStream(path string) error {
	if l.spool != nil {
		return fmt.Errorf("%s: only one log may be a stream; write the others to files first", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return l.spoolFrom(path, f)
}

func (l *Log) spoolFrom(path string, src io.Reader) error {
	if l.spool != nil {
		return fmt.Errorf("%s: only one log may be a stream; write the others to files first", path)
	}
	f, err := os.CreateTemp("", "wactl-log-")
	if err != nil {
		return fmt.Errorf("keep what comes from %s: %w", path, err)
	}
	l.spool = f
	if err := os.Remove(f.Name()); err != nil {
		return err
	}
	n, err := io.Copy(f, stoppable{l.ctx, src})
	if err != nil {
		return fmt.Errorf("keep what comes from %s: %w", path, err)
	}
	l.paths = append(l.paths, path)
	l.size += n
	return nil
}

// raw opens the bytes of a source from their beginning.
func (l *Log) raw(i int) (io.Reader, func(), error) {
	var src io.Reader
	done := func() {}
	if info, err := os.Stat(l.paths[i]); l.spool != nil && (l.paths[i] == "-" || err == nil && !info.Mode().IsRegular()) {
		src = io.NewSectionReader(l.spool, 0, 1<<62)
	} else {
		f, err := os.Open(l.paths[i])
		if err != nil {
			return nil, nil, err
		}
		src, done = f, func() { f.Close() }
	}
	return &counted{stoppable{l.ctx, src}, l.options.Progress}, done, nil
}

// read gives one source's events, and keeps what was found in it if it was read to the end.
func (l *Log) read(i int, want analyze.Want, yield func(analyze.Event) bool) (going bool, err error) {
	src, done, err := l.raw(i)
	if err != nil {
		return false, err
	}
	defer done()
	p := newPass(i, want, &l.options, l.paths[i], yield)
	if info, err := os.Stat(l.paths[i]); err == nil && info.Mode().IsRegular() {
		p.clock.written = info.ModTime() // dates of syslog have no year
	}
	if err := p.readSource(src); err != nil {
		return false, fmt.Errorf("read %s: %w", l.paths[i], err)
	}
	if !p.stopped {
		l.found[i] = p.judged()
	}
	return !p.stopped, nil
}

// readSource reads a source's bytes as what they turn out to be.
func (p *pass) readSource(src io.Reader) error {
	data, head, closeAll, err := unpack(src)
	defer closeAll()
	switch {
	case err != nil:
		p.damaged(err)
		return nil
	case p.refused(head):
		return nil
	case p.wanted(formTable) && p.options.Format != "" || isTable(head, p.options):
		err = readTable(p, data)
		p.texts.end()
	default:
		err = cutRecords(p, decode(data, head))
	}
	p.flushPending()
	if err != nil && isDamage(err) {
		p.damaged(err)
		return nil
	}
	return err
}

// damaged says that the rest of a source cannot be read. What was read before it holds.
func (p *pass) damaged(err error) {
	p.source.Skipped[truncated]++
	p.note("the file is damaged or cut off; what stands before the fault was read: " + err.Error())
	if p.source.Unreadable == "" && p.source.Events == 0 {
		p.source.Unreadable = "nothing could be unpacked: " + err.Error() + "; export or copy it again"
	}
}

// judged is what a pass found, with the form of the source and whether anything in it can be judged.
func (p *pass) judged() analyze.Source {
	s := p.source.Source
	s.Format = formatOf(p.source.formats)
	switch {
	case s.Lines == 0 && len(p.source.formats) == 0 && s.Unreadable == "" && len(s.Skipped) == 0:
		s.Format, s.Unreadable = formEmpty, "the file is empty; export the log again, with the minutes before the failure in it"
	case s.Events > 0:
		s.Unreadable = ""
	case s.Unreadable == "" && len(p.source.formats) == 0:
		s.Unreadable = "no record in it is about a WhatsApp message (" + skippedWords(s.Skipped) + "); export status webhooks, or requests with their answers"
	}
	return s
}

// skippedWords tells what was skipped, by reason.
func skippedWords(skipped map[string]int) string {
	var words []string
	for _, reason := range slices.Sorted(maps.Keys(skipped)) {
		words = append(words, fmt.Sprintf("%s: %d", reason, skipped[reason]))
	}
	if len(words) == 0 {
		return "nothing but blank lines"
	}
	return "skipped " + strings.Join(words, ", ")
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

// hasPrefix says whether b begins with one of the prefixes.
func hasPrefix(b []byte, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return bytes.HasPrefix(b, []byte(p)) })
}

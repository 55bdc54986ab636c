package cmd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/normalize/clean"
	"github.com/wactl/wactl/normalize/largepages"
	"github.com/wactl/wactl/normalize/numplan"
)

// source is a list that may be read several times: what is no regular file is copied first.
type source struct {
	path string // as the user wrote it
	file *os.File
	info fs.FileInfo // when it was opened
	temp bool
	stop func() error // why reading has to end early, nil as long as it has not
	out  *output.Streams
	bar  *readingBar // of the reading that goes on, nil for none
}

// openSource opens a list whose reading ends with the context: a long list must not keep an interrupted command from its end. "-" is stdin.
func (a *app) openSource(ctx context.Context, path string) (*source, error) {
	s := &source{path: path, out: a.out, stop: func() error { return context.Cause(ctx) }}
	var err error
	if path == stdio {
		return s, s.copy(&patient{ctx: ctx, in: a.out.In})
	}
	if s.file, err = openWaiting(ctx, path); err != nil {
		if stop := s.stop(); stop != nil {
			return nil, fmt.Errorf("%s: %w", path, stop)
		}
		return nil, unusable("name an existing list; - is stdin", "list: %w", err)
	}
	if s.info, err = s.file.Stat(); err == nil && s.info.IsDir() {
		s.file.Close()
		return nil, unusable("name one list in it", "%s is a folder", path)
	}
	if err == nil && !s.info.Mode().IsRegular() {
		pipe := s.file
		defer pipe.Close()
		return s, s.copy(&patient{ctx: ctx, in: pipe})
	}
	return s, err
}

// copy keeps a stream in a file without a name.
func (s *source) copy(in io.Reader) (err error) {
	s.temp = true
	if s.file, err = tempFile(); err != nil {
		return err
	}
	if _, err = io.Copy(s.file, in); err != nil {
		s.file.Close()
		if stop := s.stop(); stop != nil {
			return fmt.Errorf("%s: %w", s.path, stop)
		}
		return unusable("", "read %s: %w", s.path, err)
	}
	s.info, err = s.file.Stat()
	return err
}

// tempFile is a file without a name: nothing of it stays when the process ends.
func tempFile() (*os.File, error) {
	file, err := os.CreateTemp("", ".wactl-*")
	if err != nil {
		return nil, unusable("the folder for temporary files (TMPDIR) must be writable", "%w", err)
	}
	return file, os.Remove(file.Name())
}

// noRoom is a failure to write to a temporary file, or nil.
func noRoom(doing string, err error) error {
	if err == nil {
		return nil
	}
	return unusable("the folder for temporary files (TMPDIR) needs room", "%s: %w", doing, err)
}

// text is the list from its first byte.
func (s *source) text() io.Reader {
	text := stoppable{io.NewSectionReader(s.file, 0, 1<<62), s.stop}
	if s.bar == nil || s.bar.sheet {
		return text
	}
	return &watched{in: text, bar: s.bar}
}

// stoppable is a stream that fails once there is a reason to stop.
type stoppable struct {
	in   io.Reader
	stop func() error
}

func (s stoppable) Read(b []byte) (int, error) {
	if err := s.stop(); err != nil {
		return 0, err
	}
	return s.in.Read(b)
}

func (s *source) close() { s.file.Close() }

// unchanged says whether the file is still the one that was opened, byte for byte as far as its size and time tell.
func (s *source) unchanged() error {
	if s.temp {
		return nil
	}
	now, err := os.Stat(s.path)
	if err == nil && os.SameFile(now, s.info) && now.Size() == s.info.Size() && now.ModTime().Equal(s.info.ModTime()) {
		return nil
	}
	return unusable("run it again when nobody writes to the list", "%s: %w", s.path, clean.ErrChanged)
}

// workbookMark is how a workbook, which is a ZIP file, begins.
const workbookMark = "PK\x03\x04"

// plainText says whether the file's bytes are the list's text: neither packed nor a workbook.
func (s *source) plainText() bool { return !s.startsWith("\x1f\x8b", "\x28\xb5\x2f\xfd", workbookMark) }

// startsWith says whether the file begins with one of the marks.
func (s *source) startsWith(marks ...string) bool {
	start := make([]byte, 4)
	n, _ := io.ReadFull(s.text(), start)
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(string(start[:n]), mark) })
}

// size is how many bytes of text the list has, 0 where that is not known.
func (s *source) size() int64 {
	if s.info == nil || !s.plainText() {
		return 0
	}
	return s.info.Size()
}

// lineEnding is what ends the list's first lines.
func (s *source) lineEnding() string {
	start := make([]byte, 1<<16)
	n, _ := io.ReadFull(s.text(), start)
	if bytes.Contains(start[:n], []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// taker is what becomes of the rows of a list. Each round begins anew.
type taker interface {
	begin(*normalize.List) error
	text(text []byte, v *normalize.Verdict) []byte // on several cores at once
	brief() briefFace                              // what is asked before text, see [normalize.Check.Batches]; nil for none
	write(*normalize.Batch) error
}

// briefFace appends to text what is to be written about a row of which little is known, or says that this is not enough.
type briefFace = func(text []byte, v *normalize.Verdict) (out []byte, enough bool)

// How much garbage may lie about while a list is read, in bytes, and what is reckoned with: what any list takes, its recipients, which take a
// quarter of its text, by what rows are told apart, an eighth of it up to a bound, and packed text, which becomes ten times as large.
const (
	garbage       = 20 << 20
	liveAlways    = 10 << 20
	textPerLive   = 4
	textPerApart  = 8
	mostApart     = 8 << 20
	textPerPack   = 10
	leastHeadroom = 2
)

// headroom is the garbage collector's percentage for the list: the more recipients stay in memory, the less. To look at them costs nothing, since
// they hold no pointers.
func (s *source) headroom() int {
	text := s.size()
	if text == 0 {
		text = s.info.Size() * textPerPack
	}
	return max(leastHeadroom, int(garbage*100/(liveAlways+text/textPerLive+min(text/textPerApart, mostApart))))
}

// muchText is from how many bytes on a list is worth some preparation, a millisecond of it.
const muchText = 4 << 20

// readingRoom is the memory in bytes that lies about while a list is read, live or garbage.
const readingRoom = 48 << 20

// mostRounds is how often a list is checked at most: no file is unlike itself so often.
const mostRounds = 5

// check checks the list, twice where later rows change what is true of earlier ones, and anew in the rare case that rows were taken for
// duplicates that are none.
func (s *source) check(open func() (*normalize.List, error), o func(*normalize.List) (normalize.CheckOptions, error), to taker) (
	list *normalize.List, c *normalize.Check, err error) {
	defer func() {
		if stop := s.stop(); err != nil && stop != nil {
			err = fmt.Errorf("%s: %w", s.path, stop) // not what a reader that was stopped takes it for
		}
	}()
	if s.info.Size() >= muchText {
		largepages.Ahead(readingRoom)
		numplan.Near()
	}
	debug.SetGCPercent(s.headroom())
	label := "read"
	for range mostRounds {
		over := s.reading(label)
		defer over() // there are few rounds
		if list, err = open(); err != nil {
			return nil, nil, err
		}
		defer list.Close()
		options, err := o(list)
		if err != nil {
			return list, nil, err
		}
		options.Before = c
		if err := to.begin(list); err != nil {
			return list, nil, err
		}
		c = list.Check(options)
		for b, err := range c.Batches(to.text, to.brief()) {
			if err == nil {
				err = to.write(b)
			}
			if err != nil {
				return list, c, err
			}
			s.bar.sheetAt(list)
		}
		over()
		if err := s.unchanged(); err != nil {
			return list, c, err
		}
		if label = "read again"; options.Before == nil && c.Again() {
			continue
		}
		if sure, err := s.confirmed(c, open); sure || err != nil {
			return list, c, err
		}
	}
	return nil, nil, fmt.Errorf("internal fault: %s reads otherwise each time", s.path)
}

// confirmed says whether rows that were taken for the same are so, by a second look at the list where there are any.
func (s *source) confirmed(c *normalize.Check, open func() (*normalize.List, error)) (sure bool, err error) {
	if !c.Repeated() {
		return true, nil
	}
	defer s.reading("compare duplicates")()
	list, err := open()
	if err != nil {
		return false, err
	}
	defer list.Close()
	if sure, err = c.Confirm(list); err != nil {
		return false, err
	}
	return sure, s.unchanged()
}

// keepApart refuses to write a result over a file that the run reads, which is called what in the error.
func keepApart(written, read []string, what string) error {
	for _, out := range written {
		if slices.ContainsFunc(read, func(in string) bool { return samePlace(out, in) }) {
			return unusable("name another file", "%s is %s", out, what)
		}
	}
	return nil
}

// samePlace says whether two names lead to one file, also before it exists. Pipes and devices may be named twice.
func samePlace(a, b string) bool {
	if a == "" || b == "" || a == stdio || b == stdio {
		return false
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB) && infoA.Mode().IsRegular()
	}
	a, errA = filepath.Abs(a)
	b, errB = filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}

// listEndings are the names of files that a folder's lists have.
var listEndings = []string{".csv", ".tsv", ".tab", ".txt", ".xlsx", ".csv.gz", ".tsv.gz", ".txt.gz", ".csv.zst", ".tsv.zst", ".txt.zst"}

// listsIn are the lists that paths name: files as they are, folders with all lists in them, in the order of their names.
func listsIn(paths []string) (all []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == stdio || err != nil || !info.IsDir() {
			all = append(all, path) // a missing file is named when it is opened
			continue
		}
		found, err := listsOf(path)
		if err != nil {
			return nil, unusable("name a folder that can be read", "list: %w", err)
		}
		if len(found) == 0 {
			return nil, unusable("lists end in "+strings.Join(listEndings[:5], ", "), "the folder %s holds no list", path)
		}
		all = append(all, found...)
	}
	return all, nil
}

// listsOf are the lists below a folder. Hidden files and folders are not looked at.
func listsOf(folder string) (found []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != folder && strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case d.Type().IsRegular() && !strings.HasPrefix(d.Name(), ".") && slices.ContainsFunc(listEndings, func(e string) bool {
			return strings.HasSuffix(strings.ToLower(d.Name()), e)
		}):
			found = append(found, path)
		}
		return nil
	})
	return found, err
}

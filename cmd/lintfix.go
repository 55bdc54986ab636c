package cmd

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/normalize/clean"
)

// mend repairs one list where nothing has to be guessed, and writes it anew whole or not at all.
func (l *lint) mend(ctx context.Context, path string) error {
	s, err := l.openSource(ctx, path)
	if err != nil {
		return err
	}
	defer s.close()
	m, err := l.mended(s)
	if err != nil || m.lines == 0 {
		return err
	}
	defer m.close()
	err = l.writeFile(path, func(w io.Writer) error {
		if file, ok := w.(*os.File); ok {
			if err := file.Chmod(s.info.Mode().Perm()); err != nil {
				return err
			}
		}
		if _, err := io.Copy(w, m.text()); err != nil {
			return err
		}
		return s.unchanged()
	})
	if err == nil {
		l.out.Note("%s in %s", plural(m.lines, "line repaired", "lines repaired"), path)
	}
	return err
}

// mended is a list with all its repairs, in a file without a name.
type mended struct {
	*source
	lines int   // that were repaired
	gone  []int // lines of the list that are not in it any more, in order
}

// mended repairs a list until nothing is left: of two equal rows whose number could not be read before its repair, one goes after it.
// Without repairs there is no file.
func (l *lint) mended(s *source) (mended, error) {
	if err := l.mendable(s); err != nil {
		return mended{}, err
	}
	m := mended{source: s}
	for range 3 { // the second round repairs what the first one uncovered, and the third finds nothing
		next, err := l.mendOnce(m)
		if err != nil || next.lines == m.lines {
			return m, err
		}
		if m.source != s {
			m.close()
		}
		m = next
	}
	return m, nil
}

// mendOnce is one round more.
func (l *lint) mendOnce(m mended) (next mended, err error) {
	file, err := tempFile()
	if err != nil {
		return next, err
	}
	next = mended{source: &source{path: m.path, out: m.out, file: file, temp: true, stop: m.stop}, lines: m.lines}
	var gone []int
	err = l.repaired(m.source, file, func(c clean.Change) {
		if next.lines++; c.Gone {
			gone = append(gone, c.Line)
		}
	})
	if err == nil {
		next.info, err = file.Stat()
	}
	if next.gone = goneIn(m.gone, gone); err != nil || next.lines == m.lines {
		file.Close()
	}
	return next, err
}

// goneIn adds lines that go in a later round, whose numbers leave out those that went before.
func goneIn(before, later []int) []int {
	all := slices.Clone(before)
	passed := 0
	for _, line := range later {
		for passed < len(before) && before[passed] <= line+passed {
			passed++
		}
		all = append(all, line+passed)
	}
	slices.Sort(all)
	return all
}

// mendable refuses lists whose bytes are not their text.
func (l *lint) mendable(s *source) error {
	list, err := l.flags.open(s)
	if list != nil {
		defer list.Close()
	}
	switch {
	case err != nil && placed(err) == nil:
		return listError(err)
	case s.plainText() && !s.temp && (list == nil || !strings.HasPrefix(list.Encoding, "utf-16")):
		return nil
	}
	return unusable("wactl normalize writes a clean copy of any list", "%s: only plain text in UTF-8 or a one-byte encoding can be repaired in place", s.path)
}

// repaired writes the list with its repairs to w. A list that cannot be used stays as it is: the check tells why.
func (l *lint) repaired(s *source, w io.Writer, seen func(clean.Change)) error {
	c := &checking{lint: l, source: s}
	_, first, err := c.rows(nowhere{})
	if placed(err) != nil {
		return nil
	}
	if err != nil {
		return listError(err)
	}
	defer s.reading("repaired")()
	list, err := l.flags.open(s)
	if err != nil {
		return listError(err)
	}
	defer list.Close()
	o := l.flags.checkOptions(c.content, l.suppressed)
	o.Several = c.content != nil && c.content.HasColumns()
	o.Before = first
	wide := strings.HasPrefix(list.Encoding, "utf-8")
	return clean.Mend(s.text(), w, repairsOf(list, list.Check(o)), wide, seen)
}

// nowhere takes the rows of a check that is only to find out what later rows say about earlier ones.
type nowhere struct{}

func (nowhere) begin(*normalize.List) error                   { return nil }
func (nowhere) text(text []byte, _ *normalize.Verdict) []byte { return text }
func (nowhere) brief() briefFace                              { return nil }
func (nowhere) write(*normalize.Batch) error                  { return nil }

// repairsOf are the repairs of a list's rows, in their order.
func repairsOf(list *normalize.List, c *normalize.Check) iter.Seq2[normalize.Repair, error] {
	return func(yield func(normalize.Repair, error) bool) {
		for v, err := range c.Rows() {
			if err != nil {
				yield(normalize.Repair{}, err)
				return
			}
			if r, ok := v.Repair(list); ok && !yield(r, nil) {
				return
			}
		}
	}
}

// showDiff shows what --fix would change, as a unified diff that patch can apply.
func (l *lint) showDiff(ctx context.Context) error {
	for _, path := range l.paths {
		if err := l.diff(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

func (l *lint) diff(ctx context.Context, path string) error {
	s, err := l.openSource(ctx, path)
	if err != nil {
		return err
	}
	defer s.close()
	m, err := l.mended(s)
	if err != nil || m.lines == 0 {
		return err
	}
	defer m.close()
	if err := clean.Diff(l.lineWriter(), path, s.file, m.file, m.gone); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return s.unchanged()
}

// lineWriter is stdout for lines of a file: byte for byte, so that patch can use them, unless a person looks at them or they are to be masked.
func (l *lint) lineWriter() io.Writer {
	if !l.out.OutTTY && !l.out.Options.Mask {
		return l.out.Out
	}
	return &shownLines{out: l.out}
}

// shownLines writes lines for people; a piece without its end waits for the rest.
type shownLines struct {
	out  *output.Streams
	rest string
}

func (s *shownLines) Write(b []byte) (int, error) {
	s.rest += string(b)
	for {
		line, rest, whole := strings.Cut(s.rest, "\n")
		if !whole {
			return len(b), nil
		}
		s.out.Line("%s", strings.TrimSuffix(line, "\r"))
		s.rest = rest
	}
}

package cmd

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/normalize/clean"
)

// mend repairs one list until nothing is left: of two equal rows whose number could not be read before its repair, one goes after it.
func (l *lint) mend(ctx context.Context, path string) error {
	total := 0
	for range 3 { // the second round repairs what the first one uncovered, and the third finds nothing
		changed, err := l.mendOnce(ctx, path)
		if err != nil {
			return err
		}
		if total += changed; changed == 0 {
			break
		}
	}
	if total > 0 {
		l.out.Note("%s in %s", plural(total, "line repaired", "lines repaired"), path)
	}
	return nil
}

// mendOnce repairs one list where nothing has to be guessed, and writes it anew whole or not at all.
func (l *lint) mendOnce(ctx context.Context, path string) (changed int, err error) {
	s, err := l.openStoppable(ctx, path)
	if err != nil {
		return 0, err
	}
	defer s.close()
	if err := l.mendable(s); err != nil {
		return 0, err
	}
	count := func(clean.Change) { changed++ }
	if err := l.repaired(s, io.Discard, count); err != nil || changed == 0 {
		return 0, err
	}
	return changed, l.writeFile(path, func(w io.Writer) error {
		if file, ok := w.(*os.File); ok {
			if err := file.Chmod(s.info.Mode().Perm()); err != nil {
				return err
			}
		}
		if err := l.repaired(s, w, func(clean.Change) {}); err != nil {
			return err
		}
		return s.unchanged()
	})
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
	nothing := func(*normalize.List) error { return nil }
	_, first, err := c.rows(nothing, func(*normalize.List, normalize.Verdict) error { return nil })
	if placed(err) != nil {
		return nil
	}
	if err != nil {
		return listError(err)
	}
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

// showDiff shows what --fix would change, as a unified diff without context.
func (l *lint) showDiff(ctx context.Context) error {
	for _, path := range l.paths {
		s, err := l.openStoppable(ctx, path)
		if err != nil {
			return err
		}
		defer s.close()
		if err := l.mendable(s); err != nil {
			return err
		}
		gone, begun := 0, false
		err = l.repaired(s, io.Discard, func(c clean.Change) {
			if !begun {
				begun = true
				l.out.Line("--- %s", path)
				l.out.Line("+++ %s", path)
			}
			l.out.Line("%s", hunk(c.Line, gone, c.Gone))
			l.out.Line("-%s", c.Old)
			if c.Gone {
				gone++
			} else {
				l.out.Line("+%s", c.New)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// hunk is the head of one changed line, where some lines before it are gone.
func hunk(line, gone int, goes bool) string {
	if goes {
		return fmt.Sprintf("@@ -%d +%d,0 @@", line, line-gone-1)
	}
	return fmt.Sprintf("@@ -%d +%d @@", line, line-gone)
}

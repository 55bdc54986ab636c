package clean

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// around is how many unchanged lines a hunk shows on each side, as patch and people expect it.
const around = 3

// mostHeld is how many new lines wait until the old ones of their run are written: a list may change in every line.
const mostHeld = 1000

// Diff writes how a list changes as a unified diff that patch can apply; nothing where nothing changes.
//
// Gone are the old lines that the mended list lacks, from 1; all others stand in their order.
func Diff(out io.Writer, path string, old, mended io.ReaderAt, gone []int) error {
	c := comparison{old: old, mended: mended, gone: gone}
	start := make([]byte, startSize)
	n, err := old.ReadAt(start, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if endingOf(start[:n]) != '\n' {
		c.gone = nil // patch knows line feeds only: to it the whole list is one line
	}
	hunks, err := c.hunks()
	if err != nil || len(hunks) == 0 {
		return err
	}
	w := differ{Writer: bufio.NewWriter(out)}
	name := patchName(path)
	fmt.Fprintf(w, "--- %s\n+++ %s\n", name, name)
	if err := c.write(&w, hunks); err != nil {
		return err
	}
	return w.Flush()
}

// patchName is a file's name as patch reads it: a tab ends a name with spaces, and one with stranger characters stands in quotes.
func patchName(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return unicode.IsControl(r) || r == '"' || r == '\\' }) {
		var b strings.Builder
		for i := range len(path) {
			switch c := path[i]; {
			case c == '"' || c == '\\':
				b.WriteString(`\` + string(rune(c)))
			case c < ' ' || c == 0x7f:
				fmt.Fprintf(&b, `\%03o`, c)
			default:
				b.WriteByte(c)
			}
		}
		return `"` + b.String() + `"`
	}
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}

// hunk is a stretch of old lines, from 1, with all that changes in it. Gone lines are counted in it and before it.
type hunk struct{ from, to, gone, goneBefore int }

// head is the hunk's first line. A stretch of one line has no length, and an empty one stands behind the line before it.
func (h hunk) head() string {
	old := h.to - h.from + 1
	at, left := h.from-h.goneBefore, old-h.gone
	if left == 0 {
		at--
	}
	return fmt.Sprintf("@@ -%s +%s @@\n", stretch(h.from, old), stretch(at, left))
}

func stretch(at, length int) string {
	if length == 1 {
		return strconv.Itoa(at)
	}
	return fmt.Sprintf("%d,%d", at, length)
}

// comparison walks through a list and its mended text side by side.
type comparison struct {
	old, mended io.ReaderAt
	gone        []int
}

// walk tells each old line, from 1, with the line that stands in its place; that is nil where the line is gone. Lines have their endings.
func (c comparison) walk(tell func(number int, was, is []byte) error) error {
	was, is := lineReader(c.old), lineReader(c.mended)
	gone := c.gone
	for number := 1; ; number++ {
		line, err := was.next()
		if err != nil || line == nil {
			return err
		}
		var other []byte
		if len(gone) > 0 && gone[0] == number {
			gone = gone[1:]
		} else if other, err = is.next(); err != nil {
			return err
		} else if other == nil {
			return ErrChanged
		}
		if err := tell(number, line, other); err != nil {
			return err
		}
	}
}

// hunks are the stretches that change, with the lines around them.
func (c comparison) hunks() (all []hunk, err error) {
	lines, gone := 0, 0
	err = c.walk(func(number int, was, is []byte) error {
		lines = number
		if is != nil && bytes.Equal(was, is) {
			return nil
		}
		if n := len(all) - 1; n >= 0 && number-around-1 <= all[n].to {
			all[n].to = number + around
		} else {
			all = append(all, hunk{from: max(1, number-around), to: number + around, goneBefore: gone})
		}
		if is == nil {
			gone++
			all[len(all)-1].gone++
		}
		return nil
	})
	if n := len(all) - 1; n >= 0 {
		all[n].to = min(all[n].to, lines)
	}
	return all, err
}

// write writes the hunks, old lines of a run before the new ones.
func (c comparison) write(w *differ, hunks []hunk) error {
	err := c.walk(func(number int, was, is []byte) error {
		for len(hunks) > 0 && number > hunks[0].to {
			w.release()
			hunks = hunks[1:]
		}
		if len(hunks) == 0 || number < hunks[0].from {
			return nil
		}
		if number == hunks[0].from {
			w.WriteString(hunks[0].head())
		}
		w.put(was, is)
		return nil
	})
	w.release()
	return err
}

// differ writes the lines of hunks; its writer keeps an error until it is flushed.
type differ struct {
	*bufio.Writer
	held [][]byte // new lines of the run that is written
}

func (w *differ) put(was, is []byte) {
	if is != nil && bytes.Equal(was, is) {
		w.release()
		w.line(' ', was)
		return
	}
	if len(w.held) == mostHeld {
		w.release()
	}
	w.line('-', was)
	if is != nil {
		w.held = append(w.held, slices.Clone(is))
	}
}

func (w *differ) release() {
	for _, line := range w.held {
		w.line('+', line)
	}
	w.held = w.held[:0]
}

func (w *differ) line(mark byte, text []byte) {
	w.WriteByte(mark)
	w.Write(text)
	if !bytes.HasSuffix(text, []byte("\n")) {
		w.WriteString("\n\\ No newline at end of file\n")
	}
}

// lineSource reads a text line by line, each with its ending; a nil line is the end.
type lineSource struct{ *bufio.Reader }

func lineReader(text io.ReaderAt) lineSource {
	return lineSource{bufio.NewReaderSize(io.NewSectionReader(text, 0, math.MaxInt64), 1<<16)}
}

func (s lineSource) next() ([]byte, error) {
	line, err := s.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(line) == 0 {
		return nil, nil
	}
	return line, nil
}

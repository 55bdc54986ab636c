package cmd

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/wactl/wactl/normalize"
	faces "github.com/wactl/wactl/normalize/report"
)

// problemFile keeps the problems of a run on disk, since a list may have millions. Each round over a list is one segment.
type problemFile struct {
	file     *os.File
	segments []segment
	buffer   *bufio.Writer
	written  counter
}

// segment is a stretch of the file that holds the problems of one list.
type segment struct {
	path       string
	start, end int64
}

// counter is a writer that knows how far it came.
type counter struct {
	w  io.Writer
	at int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.at += int64(n)
	return n, err
}

func newProblemFile() (*problemFile, error) {
	file, err := tempFile()
	return &problemFile{file: file}, err
}

// begin starts the segment of a list; it takes the place of the last one where that is to be forgotten.
func (p *problemFile) begin(path string, again bool) {
	if again {
		p.segments = p.segments[:len(p.segments)-1]
	}
	p.written = counter{w: p.file, at: p.written.at}
	p.buffer = bufio.NewWriterSize(&p.written, 1<<16)
	p.segments = append(p.segments, segment{path: path, start: p.written.at})
}

// add keeps a problem in the segment that was begun last.
func (p *problemFile) add(x faces.Problem) error { return p.write(appendProblem(nil, &x)) }

// write keeps problems that are written as appendProblem does.
func (p *problemFile) write(text []byte) error {
	_, err := p.buffer.Write(text)
	return noRoom("keep problems", err)
}

// end closes the segment.
func (p *problemFile) end() error {
	err := p.buffer.Flush()
	p.segments[len(p.segments)-1].end = p.written.at
	return noRoom("keep problems", err)
}

// all yields the problems of all segments; it may be ranged over again.
func (p *problemFile) all() iter.Seq2[faces.Problem, error] {
	return p.each(func(*problemReader) bool { return true })
}

// brief yields what all yields, but of each rule and severity only the first keep as they are, and of the others no more than these two and the
// path: enough for a report for people, in a fraction of the time.
func (p *problemFile) brief(keep int) iter.Seq2[faces.Problem, error] {
	return func(yield func(faces.Problem, error) bool) {
		type kind struct {
			rule  string
			flags byte
		}
		seen := map[kind]int{}
		whole := func(r *problemReader) bool {
			k := kind{r.rule(), r.rest[4] & severityBits}
			seen[k]++
			return seen[k] <= keep
		}
		p.each(whole)(yield)
	}
}

// each yields the problems of all segments; of those that are not wanted whole, it reads no more than rule and severity.
func (p *problemFile) each(whole func(*problemReader) bool) iter.Seq2[faces.Problem, error] {
	return func(yield func(faces.Problem, error) bool) {
		for _, s := range p.segments {
			if !s.each(p.file, whole, yield) {
				return
			}
		}
	}
}

// problemChunk is how much is read at once, in bytes. It is small, since a problem that is kept keeps its chunk.
const problemChunk = 8 << 10

func (s segment) each(file *os.File, whole func(*problemReader) bool, yield func(faces.Problem, error) bool) bool {
	in := io.NewSectionReader(file, s.start, s.end-s.start)
	buf := make([]byte, 0, problemChunk)
	for {
		n, err := in.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		text := string(buf)
		r := problemReader{rest: text}
		for r.whole() {
			var x faces.Problem
			if whole(&r) {
				x = r.problem()
			} else {
				x.Rule, x.Severity = r.rule(), severities[r.rest[4]&severityBits]
				r.skip()
			}
			x.Path = s.path
			if !yield(x, nil) {
				return false
			}
		}
		buf = append(buf[:0], r.rest...)
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, 2*cap(buf))
		}
		switch {
		case errors.Is(err, io.EOF) && len(buf) == 0:
			return true
		case errors.Is(err, io.EOF):
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			yield(faces.Problem{}, err)
			return false
		}
	}
}

// The bits of a problem's first byte behind its severity.
const (
	severityBits = 3
	hasFix       = 1 << 2
	fixesRow     = 1 << 3
)

// severities are those of problems, by the number that is written for them.
var severities = []normalize.Severity{normalize.Error, normalize.Warning, normalize.Info}

// appendProblem writes a problem: its length, its severity, its rule, its numbers and its texts. The path is not written, since it is the segment's.
func appendProblem(text []byte, p *faces.Problem) []byte {
	start := len(text)
	text = append(text, 0, 0, 0, 0)
	flags := byte(max(slices.Index(severities, p.Severity), 0))
	if p.Fix != nil {
		flags |= hasFix
		if p.Fix.Row {
			flags |= fixesRow
		}
	}
	text = append(text, flags)
	text = appendText(text, p.Rule)
	for _, n := range [...]int{p.Line, p.Column, p.Char, p.Byte, p.FirstLine} {
		text = binary.AppendUvarint(text, uint64(n))
	}
	for _, s := range [...]string{p.Header, p.Value, p.Message, p.Recipient} {
		text = appendText(text, s)
	}
	if p.Fix != nil {
		text = binary.AppendUvarint(text, uint64(p.Fix.Line))
		text = binary.AppendUvarint(text, uint64(p.Fix.Char))
		text = appendText(appendText(text, p.Fix.Old), p.Fix.New)
	}
	binary.LittleEndian.PutUint32(text[start:], uint32(len(text)-start-4))
	return text
}

func appendText(text []byte, s string) []byte {
	return append(binary.AppendUvarint(text, uint64(len(s))), s...)
}

// problemReader reads what appendProblem wrote. Texts are parts of the text that is read.
type problemReader struct {
	rest  string
	fixes []normalize.Repair // room for those of the next problems
}

// fixesAtOnce is how many repairs share a piece of memory.
const fixesAtOnce = 32

// whole says whether the next problem is there to its end.
func (r *problemReader) whole() bool {
	if len(r.rest) < 4 {
		return false
	}
	return uint64(len(r.rest)) >= r.size()
}

// size is how many bytes the next problem takes.
func (r *problemReader) size() uint64 {
	return 4 + uint64(uint32(r.rest[0])|uint32(r.rest[1])<<8|uint32(r.rest[2])<<16|uint32(r.rest[3])<<24)
}

// rule is that of the next problem, which is whole.
func (r *problemReader) rule() string {
	ahead := problemReader{rest: r.rest[5:]}
	return ahead.text()
}

// skip passes over the next problem, which is whole.
func (r *problemReader) skip() { r.rest = r.rest[r.size():] }

// problem is the next problem, which is whole.
func (r *problemReader) problem() (p faces.Problem) {
	flags := r.rest[4]
	r.rest = r.rest[5:]
	p.Severity = severities[flags&severityBits]
	p.Rule = r.text()
	for _, n := range [...]*int{&p.Line, &p.Column, &p.Char, &p.Byte, &p.FirstLine} {
		*n = r.number()
	}
	for _, s := range [...]*string{&p.Header, &p.Value, &p.Message, &p.Recipient} {
		*s = r.text()
	}
	if flags&hasFix != 0 {
		if len(r.fixes) == 0 {
			r.fixes = make([]normalize.Repair, fixesAtOnce)
		}
		p.Fix, r.fixes = &r.fixes[0], r.fixes[1:]
		*p.Fix = normalize.Repair{Line: r.number(), Char: r.number(), Old: r.text(), New: r.text(), Row: flags&fixesRow != 0}
	}
	return p
}

func (r *problemReader) number() (n int) {
	for shift := 0; ; shift += 7 {
		b := r.rest[0]
		r.rest = r.rest[1:]
		if n |= int(b&0x7f) << shift; b < 0x80 {
			return n
		}
	}
}

func (r *problemReader) text() string {
	n := r.number()
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

package cmd

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"iter"
	"os"

	faces "github.com/wactl/wactl/normalize/report"
)

// problemFile keeps the problems of a run on disk, since a list may have millions. Each round over a list is one segment.
type problemFile struct {
	file     *os.File
	segments []segment
	buffer   *bufio.Writer
	out      *gob.Encoder
	written  counter
}

// segment is a stretch of the file that can be read by itself.
type segment struct{ start, end int64 }

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

// begin starts a segment; it takes the place of the last one where that is to be forgotten.
func (p *problemFile) begin(again bool) {
	if again {
		p.segments = p.segments[:len(p.segments)-1]
	}
	p.written = counter{w: p.file, at: p.written.at}
	p.buffer = bufio.NewWriter(&p.written)
	p.out = gob.NewEncoder(p.buffer)
	p.segments = append(p.segments, segment{start: p.written.at})
}

// add keeps a problem in the segment that was begun last.
func (p *problemFile) add(x faces.Problem) error {
	return noRoom("keep problems", p.out.Encode(x))
}

// end closes the segment.
func (p *problemFile) end() error {
	err := p.buffer.Flush()
	p.segments[len(p.segments)-1].end = p.written.at
	return noRoom("keep problems", err)
}

// all yields the problems of all segments; it may be ranged over again.
func (p *problemFile) all() iter.Seq2[faces.Problem, error] {
	return func(yield func(faces.Problem, error) bool) {
		for _, s := range p.segments {
			if !s.each(p.file, yield) {
				return
			}
		}
	}
}

func (s segment) each(file *os.File, yield func(faces.Problem, error) bool) bool {
	in := gob.NewDecoder(bufio.NewReader(io.NewSectionReader(file, s.start, s.end-s.start)))
	for {
		var x faces.Problem
		err := in.Decode(&x)
		if errors.Is(err, io.EOF) {
			return true
		}
		if !yield(x, err) || err != nil {
			return false
		}
	}
}

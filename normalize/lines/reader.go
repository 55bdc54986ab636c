package lines

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
)

// maxAhead is how many bytes of text Peek looks ahead at most: rows of 1 MiB each must not add up.
const maxAhead = 1 << 20

// source hands out the records of one table, then io.EOF.
type source interface {
	next() (Record, error)
}

// pair is what a source handed out.
type pair struct {
	rec Record
	err error
}

// Reader cuts a file into records. Text takes less than 4 MiB of memory whatever the file holds, and blocks some more for each core; a
// workbook takes its own size and its texts.
type Reader struct {
	Path      string
	Encoding  string // such as UTF8, "utf-16le-bom", Windows1252, or Workbook
	Delimiter byte   // such as ',' or tab; 0 in a workbook
	Passing   bool   // the strings of a block's records are good only until InOrder has handed out what was made of it

	src        source
	book       *workbook // nil for text
	ahead      []pair
	notes      []Note
	closeInner func()
}

// NewReader looks at the first bytes and refuses what it cannot read. Path is for messages only.
//
// Of a workbook it stands at the first sheet. Reading to the end, or Close, frees what it holds.
func NewReader(path string, src io.Reader) (*Reader, error) {
	return newReader(path, src, sampleSize)
}

// newReader is NewReader with the size of the window over a text, in bytes.
func newReader(path string, src io.Reader, window int) (*Reader, error) {
	b, closePacked, err := unpack(path, src)
	if err != nil {
		return nil, err
	}
	r := &Reader{Path: path, closeInner: closePacked}
	sample, err := b.Peek(sampleSize)
	if err != nil && err != io.EOF {
		r.Close()
		return nil, readError(path, 0, err)
	}
	sample = slices.Clone(sample)
	if bytes.HasPrefix(sample, []byte(zipMark)) {
		err = r.openBook(b)
	} else {
		err = r.openText(b, sample, window)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close ends the reading early and frees what the reader holds. It may be called more than once.
func (r *Reader) Close() {
	if r.closeInner != nil {
		r.closeInner()
	}
	r.closeInner, r.src, r.book, r.ahead = nil, closedSource{}, nil, nil
}

// closedSource is the source of a reader that was closed.
type closedSource struct{}

func (closedSource) next() (Record, error) { return Record{}, io.EOF }

// Notes are what was found in the file as a whole so far, in the order in which it was found.
func (r *Reader) Notes() []Note { return slices.Clone(r.notes) }

// note adds a note on the file; of one rule only the first place is kept, and further ones are counted.
func (r *Reader) note(n Note) { r.noteTimes(1, n) }

// noteTimes is note for what was seen several times, first at the place of the note.
func (r *Reader) noteTimes(count int, n Note) {
	for i := range r.notes {
		if r.notes[i].Rule == n.Rule {
			r.notes[i].Count += count
			return
		}
	}
	n.Count = count
	r.notes = append(r.notes, n)
}

// Peek looks at up to n records ahead without taking them, and gives the sound ones and the first error among them, which comes again.
//
// It ends early at an error that ends the reading, and after 1 MiB of text.
func (r *Reader) Peek(n int) (sound []Record, first error) {
	size := 0
	for i := 0; i < n && size < maxAhead; i++ {
		if i == len(r.ahead) {
			rec, err := r.src.next()
			r.ahead = append(r.ahead, pair{rec, err})
		}
		p := r.ahead[i]
		size += len(p.rec.raw)
		switch {
		case p.err == nil:
			sound = append(sound, p.rec)
		case first == nil && p.err != io.EOF:
			first = p.err
		}
		if ends(p.err) {
			break
		}
	}
	return sound, first
}

// Records yields the records in file order, without empty lines. Ranged over again after a break, it goes on behind the last one.
//
// A LineError comes with its record and spoils only that one. Any other error is the last pair.
func (r *Reader) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			rec, err := r.next()
			if err == nil {
				if !yield(rec, nil) {
					return
				}
				continue
			}
			if ends(err) {
				r.Close()
			}
			if err == io.EOF || !yield(rec, err) || ends(err) {
				return
			}
		}
	}
}

// next is the next record, looked at already or not.
func (r *Reader) next() (Record, error) {
	if len(r.ahead) == 0 {
		return r.src.next()
	}
	p := r.ahead[0]
	r.ahead = r.ahead[1:]
	return p.rec, p.err
}

// ends says whether an error ends the reading.
func ends(err error) bool {
	if err == nil {
		return false
	}
	_, one := errors.AsType[*LineError](err)
	return !one
}

package lines

import (
	"bytes"
	"slices"
	"strings"
	"unsafe"
)

// The bounds of a block: small enough that what is made of its rows stays in a core's cache, large enough that handing it over costs little.
const (
	blockSize    = 32 << 10 // bytes of text
	blockRecords = 2048
	leastBlock   = 2 << 10 // what is shorter is cut with care, unless it is all there is
)

// Block is a stretch of whole records in file order. It stays as it is, so several may be cut at once.
//
// Encoding and Notes are those of the file as far as it was read for this block. An empty block carries the notes of the file's end.
type Block struct {
	Encoding string
	Notes    []Note // about the file as a whole; blank lines that Cells counts are not in them

	text  string // records about which nothing is to be said, the last line ending included
	line  int    // physical line at which text starts
	lines int    // line endings in text
	delim byte
	pairs []pair // in place of text: records that were cut with care
	room  []byte // what text stands in where it is written over later; nil where it lasts
}

// Len is how many bytes of text the block holds; 0 where it was cut with care.
func (b Block) Len() int { return len(b.text) }

// Cells is the memory that records of blocks are cut into, and how many lines without text were passed. The zero value is ready.
type Cells struct {
	Blank, FirstBlank int                 // lines without text, and the physical line of the first
	Pass              func(line int) bool // whether the record that starts there is passed over; nil for none

	Settled func(*Record) bool // whether a record without notes, which is good until it returns, need not be handed out; nil for none

	cells []string
}

// Reset forgets the records that were cut: their Fields are written over by the next ones, their strings are not.
func (c *Cells) Reset() { c.Blank, c.FirstBlank, c.cells = 0, 0, c.cells[:0] }

// blocks cuts the rest of a file into blocks.
type blocks struct {
	r     *Reader
	least int // bytes of text for which what was cut with care is handed out before
	pairs []pair
	size  int // bytes of the records in pairs
	noted int // notes that were handed out, and how often they were seen
	ended error
	room  []byte // of the next block, where text does not last
}

// next is the next block; io.EOF after the last. Any other error comes after all blocks before it.
func (b *blocks) next() (Block, error) {
	for b.ended == nil {
		if t, plain := b.r.src.(*text); plain && len(b.r.ahead) == 0 {
			if b.ended = t.ready(); b.ended != nil {
				break
			}
			if n := t.stretch(); n >= b.least || n > 0 && len(b.pairs) == 0 {
				if len(b.pairs) > 0 {
					return b.careful(), nil
				}
				return b.stamp(t.take(n, b.room)), nil
			}
		}
		rec, err := b.r.next()
		if ends(err) {
			b.ended = err
			break
		}
		b.pairs = append(b.pairs, pair{rec, err})
		if b.size += len(rec.raw); b.size >= blockSize || len(b.pairs) >= blockRecords/4 {
			return b.careful(), nil
		}
	}
	if len(b.pairs) > 0 || b.noted != seen(b.r.notes) {
		return b.careful(), nil
	}
	return Block{}, b.ended
}

// careful is the block of the records that were collected.
func (b *blocks) careful() Block {
	out := b.stamp(Block{pairs: b.pairs})
	b.pairs, b.size = nil, 0
	return out
}

// stamp gives a block what is known of the file.
func (b *blocks) stamp(out Block) Block {
	b.noted = seen(b.r.notes)
	out.Encoding, out.Notes = b.r.Encoding, slices.Clone(b.r.notes)
	return out
}

// seen is how often notes were seen in all.
func seen(notes []Note) (n int) {
	for _, note := range notes {
		n += note.Count
	}
	return n
}

// take is the next n bytes of the window as a block, in the room that is given.
func (t *text) take(n int, room []byte) Block {
	b := Block{line: t.line, delim: t.scan.delim}
	if window := t.buf[t.start : t.start+n]; t.r.Passing {
		b.room = append(room[:0], window...)
		b.text = unsafe.String(&b.room[0], n)
	} else {
		b.text = string(window)
	}
	b.lines = strings.Count(b.text, "\n")
	t.start += n
	t.line += b.lines
	return b
}

// ready reads on where the window ends inside a line, as long as that line may still be no longer than a record.
func (t *text) ready() error {
	for !t.eof && t.end-t.start <= maxRecord && t.under == nil {
		b := t.buf[:t.end]
		if t.scan.lf.next(b, t.start) < t.end || t.scan.cr.next(b, t.start) < t.end {
			break
		}
		if err := t.fill(); err != nil {
			return err
		}
		t.checkNew()
	}
	return nil
}

// stretch is how many bytes of the window, from its start on, are whole records about which nothing is to be said: lines that end in LF or
// CRLF, in UTF-8, with quotes only around fields. It is 0 where the next record needs care, or is not whole.
func (t *text) stretch() int {
	if t.under != nil || t.scan.lf.next(t.buf[:t.end], t.start) == t.end {
		return 0
	}
	if t.start < t.clearTo {
		return t.clearTo - t.start // too few for a block: they are cut with care
	}
	b := t.buf[t.start:t.end]
	b = b[:bytes.LastIndexByte(b[:min(len(b), blockSize)], '\n')+1]
	for bytes.Count(b, []byte{'\n'}) > blockRecords {
		b = b[:bytes.LastIndexByte(b[:len(b)/2], '\n')+1]
	}
	if t.start >= t.oddAt {
		t.oddAt = t.start + t.odd()
	}
	n := regular(b[:min(len(b), t.oddAt-t.start)], t.scan.delim)
	t.clearTo = t.start + n
	return n
}

// odd is the offset of the window's first byte that needs care whatever stands around it, or how far there is none.
func (t *text) odd() int {
	b := t.buf[t.start:t.end]
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	if t.invalid {
		if i := invalidAt(b, true); i >= 0 {
			b = b[:i]
		}
	}
	for i := 0; ; i++ {
		cr := bytes.IndexByte(b[i:], '\r')
		if cr < 0 {
			return len(b)
		}
		if i += cr; i+1 == len(b) || b[i+1] != '\n' || i > 0 && b[i-1] == '\r' {
			return i
		}
	}
}

// regular is how many bytes are whole records whose quotes, if any, open a field and close it as they should.
func regular(b []byte, delim byte) (n int) {
	for at := 0; ; {
		open := nextQuote(b, at)
		if lf := bytes.LastIndexByte(b[at:open], '\n'); lf >= 0 {
			n = at + lf + 1
		}
		if open == len(b) || open > 0 && b[open-1] != delim && b[open-1] != '\n' {
			return n
		}
		if at = closed(b, open); at == 0 || b[at] != delim && b[at] != '\n' && b[at] != '\r' {
			return n
		}
	}
}

// nextQuote is the offset of the next quote, or len(b). In lists where all is quoted it stands behind the next byte, a delimiter.
func nextQuote(b []byte, at int) int {
	if at+1 < len(b) && b[at+1] == '"' && b[at] != '"' {
		return at + 1
	}
	if i := bytes.IndexByte(b[at:], '"'); i >= 0 {
		return at + i
	}
	return len(b)
}

// closed is the offset behind the quoted field that opens at the offset; 0 where the text does not show it.
func closed(b []byte, open int) int {
	for at := open + 1; ; at += 2 {
		i := bytes.IndexByte(b[at:], '"')
		if at += i; i < 0 || at+1 >= len(b) {
			return 0
		}
		if b[at+1] != '"' {
			return at + 1
		}
	}
}

// Record is the record of a block once more that stands in a line and has this text: one that was Settled.
func (b Block) Record(c *Cells, line int, raw string) Record {
	rec, first := Record{Line: line, raw: raw, delim: b.delim}, len(c.cells)
	if rec.whole = strings.IndexByte(raw, '"') < 0; rec.whole {
		c.cells = split(c.cells, raw, b.delim)
	} else {
		c.cells, _ = splitQuoted(c.cells, raw+"\n", len(raw), b.delim)
	}
	rec.Fields = c.cells[first:len(c.cells):len(c.cells)]
	return rec
}

// Records cuts the block into records, as Reader.Records does. A record's Fields are good until the cells are reset.
func (b Block) Records(c *Cells) func(yield func(Record, error) bool) {
	return func(yield func(Record, error) bool) {
		if b.text == "" {
			for _, p := range b.pairs {
				if c.Pass != nil && c.Pass(p.rec.Line) {
					continue
				}
				if !yield(p.rec, p.err) {
					return
				}
			}
			return
		}
		b.plain(c, yield)
	}
}

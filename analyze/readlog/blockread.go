package readlog

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/wactl/wactl/analyze"
)

// blockReader stands between the blocks of a text and the cutter that reads it: runs of quick lines are taken from the blocks when the cutter
// gets to where they begin, and the cutter is given all other bytes.
type blockReader struct {
	*pipeline
	pass  *pass
	block *block // that is read; nil before the first
	read  int    // offset in it of what the cutter was not given yet
	run   int    // index of the first of its runs that is not behind what was taken
	slow  bool   // the cutter was given a piece of it
	left  bool   // it was read to its end, and the index has it
	keys  []uint16

	index    *blockIndex // that is being made; nil: none is
	indexErr error       // why it is not complete
}

// newBlockReader reads blocks for a pass.
func newBlockReader(p *pass, feed feeder) *blockReader {
	return &blockReader{pass: p, pipeline: &pipeline{feed: feed, known: p.quick, events: p.ledger == nil, want: p.nextWanted()}}
}

// Read gives the cutter what it has to look at itself: up to where the next run of quick lines begins.
func (r *blockReader) Read(b []byte) (int, error) {
	if r.rest() == 0 && !r.advance() {
		return 0, r.block.err
	}
	end := len(r.block.text)
	for _, run := range r.block.runs[min(r.run, len(r.block.runs)):] {
		if run.from > r.read {
			end = run.from
			break
		}
	}
	n := copy(b, r.block.text[r.read:end])
	r.read += n
	r.slow = true
	return n, nil
}

// rest is how many bytes of the block nobody has taken.
func (r *blockReader) rest() int {
	if r.block == nil {
		return 0
	}
	return len(r.block.text) - r.read
}

// advance goes on to the next block that has something in it; false: there is none.
func (r *blockReader) advance() bool {
	for r.block == nil || r.rest() == 0 {
		r.leave()
		next := r.next(r.block)
		if next == nil {
			return false
		}
		r.block, r.read, r.run, r.slow, r.left = next, 0, 0, false, false
		r.resetKeys()
		if next.known < r.known.size() && !next.sound {
			r.matchFrom(next, 0, 0, &r.heat) // with what was learned since
			r.resetKeys()
		}
	}
	return true
}

// leave puts a block that was read into the index.
func (r *blockReader) leave() {
	if r.block == nil || r.left {
		return
	}
	r.left = true
	if r.index != nil && r.indexErr == nil {
		r.indexErr = r.index.add(r.block, r.slow)
	}
}

// skipRest reads a text to its end, for the index alone.
func (r *blockReader) skipRest() {
	for more := true; more; more = r.advance() {
		if r.block != nil {
			r.read, r.slow = len(r.block.text), true
		}
	}
}

// indexed says whether the index has all of a text, as far as it can be read.
func (r *blockReader) indexed() bool {
	return r.index != nil && r.indexErr == nil && r.left && (r.block.err == io.EOF || r.block.err != nil && isDamage(r.block.err))
}

func (r *blockReader) resetKeys() {
	n := cmp.Or(len(r.block.numbers), 1)
	r.keys = slices.Grow(r.keys[:0], n)[:n]
	clear(r.keys)
	r.block.users.unknown()
}

// take takes the quick lines that begin where the cutter is. False: the cutter has to look itself.
func (r *blockReader) take(w *window) bool {
	if len(w.buf) == 0 && r.rest() == 0 && !r.advance() {
		return false
	}
	if r.block == nil {
		return false
	}
	if len(w.buf) == 0 && r.block.at != 0 && r.read == 0 {
		w.base, w.line = r.block.base, r.block.at // it may not follow on what came before
	}
	at := int(w.base - r.block.base)
	runs := r.block.runs
	for r.run < len(runs) && runs[r.run].to <= at {
		r.run++
	}
	if r.run == len(runs) || at < runs[r.run].from {
		return false
	}
	part := runs[r.run]
	first := part.line
	if at > part.from { // the cutter took lines of the run, as part of something larger
		if r.block.text[at-1] != '\n' {
			return false
		}
		n := bytes.Count(r.block.text[part.from:at], []byte{'\n'})
		part.from, part.line, part.lines = at, part.line+n, part.lines-n
	}
	r.give(part, first, w.line-part.line)
	w.pass(part.to-at, part.lines)
	r.read = max(r.read, part.to)
	return true
}

// give hands on what a run of lines shows, of which the cutter took those before part from the first on. Shift is what is to be added to a line of the block.
func (r *blockReader) give(part run, first, shift int) {
	p, b := r.pass, r.block
	p.texts.flush() // as before a line that is decoded
	p.source.formats[formWebhook] += part.lines
	if p.ledger == nil {
		i, _ := slices.BinarySearchFunc(b.events, part.line, func(e analyze.Event, line int) int { return cmp.Compare(e.Place.Line, line) })
		for ; i < len(b.events) && b.events[i].Place.Line < part.line+part.lines; i++ {
			e := b.events[i]
			e.Place = p.place(e.Place.Line + shift)
			p.giveOne(e)
		}
		return
	}
	i, _ := slices.BinarySearchFunc(b.facts, int32(first), func(f quickFact, line int32) int { return cmp.Compare(f.line, line) })
	begin, end := int32(part.line), int32(part.line+part.lines)
	for ; i < len(b.facts) && b.facts[i].line < end; i++ {
		if f := &b.facts[i]; f.line >= begin {
			r.add(f, shift)
		} else {
			r.addLater(*f, begin, shift)
		}
	}
}

// addLater gives what followed a fact that the cutter took, as far as it did not take it too.
func (r *blockReader) addLater(f quickFact, begin int32, shift int) {
	later := [...]analyze.Later{f.delivered, f.read}
	f.delivered, f.read = analyze.Later{}, analyze.Later{}
	for i, kind := range [...]analyze.Kind{analyze.Delivered, analyze.Read} {
		if l := later[i]; l.Lines != 0 && f.line+int32(l.Lines) >= begin {
			one := f
			one.kind, one.at, one.line = kind, f.at+uint32(l.Seconds), f.line+int32(l.Lines)
			r.add(&one, shift)
		}
	}
}

// add gives a fact to the ledger, under the ledger's names.
func (r *blockReader) add(f *quickFact, shift int) {
	l := r.pass.ledger
	if r.keys[f.number] == 0 {
		r.keys[f.number] = l.Number(r.block.numbers[f.number])
	}
	recipient := f.recipient
	if f.user != 0 || f.waID != 0 || l.Region != "" {
		recipient = r.person(f)
	}
	l.Add(analyze.Fact{
		Kind: f.kind, Number: r.keys[f.number], Recipient: recipient, Message: f.message, At: int64(f.at) * 1000, Until: time.Second, Code: int(f.code),
		Place: r.pass.place(int(f.line) + shift), Delivered: f.delivered, Read: f.read,
	})
	r.pass.source.Events += 1 + int(min(f.delivered.Lines, 1)+min(f.read.Lines, 1))
}

// person is the recipient of a fact under the ledger's name, linked with what else it is called.
func (r *blockReader) person(f *quickFact) uint64 {
	l, users := r.pass.ledger, &r.block.users
	recipient, waID := r.recipient(f.recipient), r.recipient(f.waID)
	user := uint64(0)
	if f.user > 0 {
		user = users.key(l, f.user)
	}
	first := cmp.Or(recipient, waID, user)
	l.Link(first, waID)
	if f.user > 0 && users.links[f.user-1] != first {
		l.Link(first, user)
		users.links[f.user-1] = first
	}
	return first
}

// recipient is the ledger's name of a number that was written as these digits.
func (r *blockReader) recipient(digits uint64) uint64 {
	if digits == 0 || r.pass.ledger.Region == "" {
		return digits
	}
	var b [20]byte
	return r.pass.ledger.Recipient(strconv.AppendUint(b[:0], digits, 10))
}

// unknown forgets what a ledger said of the users.
func (u *quickUsers) unknown() {
	n := len(u.texts)
	u.keys, u.links = slices.Grow(u.keys[:0], n)[:n], slices.Grow(u.links[:0], n)[:n]
	clear(u.keys)
	clear(u.links)
}

// key is the ledger's name of a user, asked for once in a block.
func (u *quickUsers) key(l *analyze.Ledger, user int32) uint64 {
	if u.keys[user-1] == 0 {
		u.keys[user-1] = l.Recipient(u.texts[user-1])
	}
	return u.keys[user-1]
}

// learn makes a template of a line that was decoded, and looks at the rest of the block with it.
func (r *blockReader) learn(line []byte, w *window) {
	if !r.known.learn(line) {
		return
	}
	at := int(w.base - r.block.base)
	if at < 0 || at > len(r.block.text) {
		return
	}
	r.matchFrom(r.block, at, bytes.Count(r.block.text[:at], []byte{'\n'}), &r.heat)
	r.run = 0
	r.resetKeys()
}

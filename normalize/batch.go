package normalize

import (
	"errors"
	"iter"
	"runtime"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
)

// Batch is some neighbouring rows with their verdicts. It is good until the next one is asked for.
type Batch struct {
	Verdicts []Verdict // in file order; of the batches of a check those of few rows, see [Check.Batches]
	Kept     any       // what the caller of [List.Batches] keeps with a batch; a later batch may take it over

	hand
	cells             lines.Cells
	rows              int // records of the block
	size              int // bytes of text that the block had
	blank, firstBlank int // records that hold no text, and the line of the first
	notes             []lines.Note
	texts             []byte // what a face made of the rows
	spans             [][2]int
	standings         []standing // of all rows, where they are checked
	identities        []hashed   // of all rows, where these are not what they say
	met               []int      // those of them that another row changes, in their order
	glanced           Verdict    // of the row that is settled in brief, as far as it is known
	block             lines.Block
	countries         tally
	counts
}

// tally counts by country. Few countries follow each other, so a short list is quicker than a map.
type tally []counted

// counted is an ISO code and how often it was seen.
type counted struct {
	region string
	key    int
	n      int
}

// add adds to a country's count, and says where that stands.
func (t *tally) add(region string, n int) (at int) {
	key := regionKey(region)
	for i := range *t {
		if (*t)[i].key == key {
			(*t)[i].n += n
			return i
		}
	}
	*t = append(*t, counted{region, key, n})
	return len(*t) - 1
}

// regionKey tells regions apart as numbers, which is quicker than as texts: those of no country are one.
func regionKey(region string) int {
	if len(region) != 2 {
		return 0
	}
	return int(region[0])<<8 | int(region[1])
}

// into adds the counts to those of the list, and begins anew.
func (t *tally) into(all map[string]int) {
	for _, one := range *t {
		if one.n != 0 {
			all[one.region] += one.n
		}
	}
	*t = (*t)[:0]
}

// Rows is how many rows of the batch were checked.
func (b *Batch) Rows() int { return len(b.standings) }

// Goes says whether row i of a batch that was checked goes out.
func (b *Batch) Goes(i int) bool {
	s := &b.standings[i]
	return s.at < 0 && s.goes || s.at >= 0 && b.Verdicts[s.at].Kept
}

// Text is what the face that was asked for made of row i.
func (b *Batch) Text(i int) []byte {
	s := b.spans[i]
	return b.texts[s[0]:s[1]]
}

// Joined is what the face made of the rows from i on, as far as it stands in one piece and keep says so of each row, and the row behind them.
// The first is taken in any case.
func (b *Batch) Joined(i int, keep func(i int) bool) (text []byte, next int) {
	start, end := b.spans[i][0], b.spans[i][1]
	for i++; i < len(b.spans); i++ {
		s := b.spans[i]
		if s[0] != end && s[0] != s[1] || !keep(i) {
			break
		}
		end += s[1] - s[0]
	}
	return b.texts[start:end], i
}

// write keeps what a face makes of the row that was read last.
func (b *Batch) write(show face, v *Verdict) {
	if show == nil {
		return
	}
	start := len(b.texts)
	b.texts = show(b.texts, v)
	b.spans = append(b.spans, [2]int{start, len(b.texts)})
}

// rewrite takes what a face makes of a row whose verdict was changed by another row.
func (b *Batch) rewrite(i int, v *Verdict, show face) {
	if show == nil {
		return
	}
	start := len(b.texts)
	b.texts = show(b.texts, v)
	b.spans[i] = [2]int{start, len(b.texts)}
}

// hand reads the rows of one batch. Each batch has its own, since several are read at once.
type hand struct {
	l        *List
	encoding string // of the file, as far as it was known when the batch was read
	mix      mix
	links    int
	found    []Finding // memory of findings
	buf      []byte
	answers  memo[int]
	regions  memo[string]
	numbers  memo[Number] // of cells that have to be read with care, under the list's region
}

// memo remembers what cells mean that repeat from row to row. The zero value is empty.
type memo[V any] struct{ known map[string]V }

// The bounds of a memo, in cells and in bytes of one.
const (
	memoCells = 1 << 10
	memoBytes = 64
)

// of is what a cell means, as work finds out for the first of its kind.
func (m *memo[V]) of(cell string, work func(string) V) V {
	if v, ok := m.known[cell]; ok {
		return v
	}
	if len(cell) > memoBytes || len(m.known) >= memoCells {
		return work(cell)
	}
	if m.known == nil {
		m.known = map[string]V{}
	}
	cell = strings.Clone(cell) // else it would hold the text of its whole block
	v := work(cell)
	m.known[cell] = v
	return v
}

// batching is how batches are made: what is done with each row after it was read, whether rows outlive their batch, and the lines whose
// records are passed over.
type batching struct {
	list    *List
	each    func(*Batch, *Verdict)
	glance  func(*Batch, *lines.Record) bool // settles a sound row before and without all that, or says that it cannot; nil for none
	lasting bool
	pass    func(line int) bool
	free    chan *Batch
}

// batches reads the rows on all cores and hands them out in file order. What the list tells as a whole is up to date for each batch.
func (l *List) batches(b batching) iter.Seq2[*Batch, error] {
	b.list, b.free = l, make(chan *Batch, 2*runtime.GOMAXPROCS(0)+4)
	return func(yield func(*Batch, error) bool) {
		for batch, err := range lines.InOrder(l.reader, b.read) {
			if err != nil {
				yield(nil, err)
				return
			}
			l.merge(batch)
			if !yield(batch, nil) {
				return
			}
			select {
			case b.free <- batch:
			default:
			}
		}
	}
}

// merge adds to the list what a batch tells about it.
func (l *List) merge(b *Batch) {
	l.Encoding, l.lineNotes = b.encoding, b.notes // a late byte may have told the encoding
	if l.firstBlank == 0 {
		l.firstBlank = b.firstBlank
	}
	if l.firstEmpty == 0 {
		l.firstEmpty = b.cells.FirstBlank
	}
	l.Blank += b.blank
	l.empty += b.cells.Blank
	l.mix.add(&b.mix)
}

// read makes a batch of a block.
func (r *batching) read(block lines.Block) *Batch {
	b := r.batch(block)
	for rec, err := range block.Records(&b.cells) {
		b.rows++
		v := b.begin(rec)
		if err == nil {
			b.numbersRaw(&v.rec)
			if blank(v.rec.Fields) {
				b.countBlank(rec.Line)
				b.Verdicts = b.Verdicts[:len(b.Verdicts)-1]
				continue
			}
			b.readRow(&v.Row)
		} else if e, spoilt := errors.AsType[*lines.LineError](err); spoilt {
			b.spoiltRow(&v.Row, e)
		}
		if r.each != nil {
			r.each(b, v)
		}
		b.seal(&v.Row)
	}
	return b
}

// begin is the verdict of a row about which nothing was said yet.
func (b *Batch) begin(rec lines.Record) *Verdict {
	b.Verdicts = append(b.Verdicts, Verdict{})
	v := &b.Verdicts[len(b.Verdicts)-1]
	v.Findings, v.rec = b.found[len(b.found):], rec
	return v
}

// batch is an empty batch for a block. The memory of an earlier one is taken again, but for what lasts.
func (r *batching) batch(block lines.Block) *Batch {
	var b *Batch
	select {
	case b = <-r.free:
	default:
		b = &Batch{hand: hand{l: r.list, mix: mix{codes: r.list.mix.codes}}}
	}
	if b.cells.Reset(); r.lasting {
		b.cells, b.found = lines.Cells{}, nil
	}
	b.block, b.cells.Pass = block, r.pass
	if r.glance != nil && b.cells.Settled == nil {
		b.cells.Settled = func(rec *lines.Record) bool { return r.glance(b, rec) }
	}
	b.Verdicts, b.found, b.texts, b.spans = b.Verdicts[:0], b.found[:0], b.texts[:0], b.spans[:0]
	b.standings, b.identities, b.met, b.counts = b.standings[:0], b.identities[:0], b.met[:0], counts{}
	b.mix.reset()
	b.rows, b.links, b.blank, b.firstBlank = 0, 0, 0, 0
	b.size, b.encoding, b.notes = block.Len(), block.Encoding, block.Notes
	return b
}

// countBlank counts a record without text.
func (b *Batch) countBlank(line int) {
	if b.blank++; b.firstBlank == 0 {
		b.firstBlank = line
	}
}

// findingsAtOnce is how many findings share a piece of memory.
const findingsAtOnce = 128

// seal keeps the memory of a row's findings from those of the next one.
func (h *hand) seal(r *Row) {
	n := len(r.Findings)
	if n == 0 {
		r.Findings = nil
		return
	}
	r.Findings = r.Findings[:n:n]
	free := h.found[len(h.found):cap(h.found)]
	if len(free) >= n && &free[0] == &r.Findings[0] {
		h.found = h.found[:len(h.found)+n]
	}
	if cap(h.found)-len(h.found) < findingsAtOnce/8 {
		h.found = make([]Finding, 0, findingsAtOnce)
	}
}

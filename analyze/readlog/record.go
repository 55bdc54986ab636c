package readlog

import (
	"io"
	"slices"
	"time"

	"github.com/wactl/wactl/analyze"
)

// Options say what to read and what the log itself does not tell. The zero value reads nothing and assumes UTC.
type Options struct {
	Paths     []string       // files and folders, read in this order; "-" is Stdin
	Stdin     io.Reader      // read once and spooled, so that it can be read twice
	Format    string         // one of Formats that every record must have; empty: found out by looking
	Map       Map            // columns of a table that is not known; empty: found out by looking
	Timezone  *time.Location // of instants written without one; nil: UTC, and they are marked
	DateOrder string         // "dmy" or "mdy" for dates like 03/04/2026; empty: found out by looking
	Region    string         // country of national numbers, as CLDR region; empty: none
	Progress  func(int64)    // told how many more bytes of the sources were read; nil: nobody asks
}

// stamp is an instant as a log wrote it.
type stamp struct {
	at    time.Time     // zero: none
	until time.Duration // resolution, as for analyze.Event.Until
	naive bool          // written without a zone
}

// record is one thing that a log wrote down, before anybody knows what it is.
//
// Exactly one of value and text is what it says: a JSON value (or what reads as one: a Python dict, logfmt pairs), or a line of text.
type record struct {
	place  analyze.Place
	format string // name of the outermost layer that was taken off; empty: the recogniser's name counts
	logged stamp  // when the log wrote it, by the innermost layer that says so
	host   string // machine, stream or container that wrote it
	value  any    // map[string]any, []any, json.Number, string, bool; nil: text is it
	text   string // the line, without its ending; beside a value: the words that stood before it
}

// The reasons for which a line is skipped; they are keys of analyze.Source.Skipped.
const (
	notJSON           = "not-json"           // words of another program, noise, half a line
	truncated         = "truncated"          // a record that was cut off
	notWhatsApp       = "not-whatsapp"       // a sound record that is about something else
	unusableRecipient = "unusable-recipient" // a message to nobody who can be told from others
	noTime            = "no-time"            // a message without an instant
	tooLong           = "too-long"           // a record larger than maxRecord
)

// The bounds of what is held of a source, whatever is in it.
const (
	maxFirstSkipped = 10       // skipped lines that are named
	maxRecord       = 32 << 20 // bytes of one record
	maxLine         = 2 << 20  // bytes of one line of text; JSON that is longer is streamed
)

// pass is one reading of one source. Readers of text and tables end in its methods; each returns false when nobody wants more.
type pass struct {
	file     int                 // index of the source
	want     analyze.Want        // what the reading is for
	options  *Options            // never nil
	clock    *clock              // reads instants; one for each source and pass, since a file's own dates may settle its date order
	source   *found              // what is counted
	texts    *textLog            // collects lines of text; it may need several to see one record
	current  record              // what is being recognised
	partials map[string]*partial // lines of containers whose end did not come yet, by stream
	requests pending             // requests whose answer is logged later
	yield    func(analyze.Event) bool
	stopped  bool
	apart    bool // an earlier pass read each record by itself: what is not wanted need not be read

	quick  *templates             // the forms of lines that need not be decoded; nil: every line is decoded
	ledger *analyze.Ledger        // where the facts of such lines go; nil: they are yielded as events
	index  *blockIndex            // to be filled with where the source's blocks are; nil: it is not read again
	stream *stream                // that the source is read from; nil: a file
	keep   func() (*spool, error) // the file for blocks that cannot be had again
	block  int                    // bytes that a block has at least, if there are as many
}

// found counts what a pass finds in its source.
type found struct {
	analyze.Source
	formats map[string]int // records by form
}

// newPass begins a reading of a source.
func newPass(file int, want analyze.Want, o *Options, path string, yield func(analyze.Event) bool) *pass {
	p := &pass{file: file, want: want, options: o, clock: newClock(o), yield: yield,
		source: &found{Source: analyze.Source{Path: path, Skipped: map[string]int{}}, formats: map[string]int{}}}
	p.texts = newTextLog(p)
	return p
}

// place is where a line of this source is.
func (p *pass) place(line int) analyze.Place { return analyze.Place{File: p.file, Line: line} }

// take unwraps and recognises one record, and yields its events or counts it as skipped.
func (p *pass) take(r record) bool {
	if p.stopped {
		return false
	}
	layers{p}.unwrap(r, 0)
	return !p.stopped
}

// give yields the events of one record that had this form. No events is no skip: a record may say nothing of sending.
func (p *pass) give(format string, events ...analyze.Event) bool {
	p.source.formats[format]++
	for _, e := range events {
		p.giveOne(e)
	}
	return !p.stopped
}

// giveOne counts an event and yields it if it is wanted.
func (p *pass) giveOne(e analyze.Event) {
	p.source.Events++
	p.clock.sawNaive = p.clock.sawNaive || e.Naive
	if p.stopped || p.want.Place != nil && !p.want.Place(e.Place) {
		return
	}
	if !p.want.Details {
		e.Detail = analyze.Detail{}
	}
	p.stopped = !p.yield(e)
}

// skip counts one line, or one record of several lines, that holds nothing usable.
func (p *pass) skip(line int, reason string) bool {
	p.source.Skipped[reason]++
	first := p.source.FirstSkipped
	if i, known := slices.BinarySearch(first, line); !known && i < maxFirstSkipped { // records of several lines are skipped late
		first = slices.Insert(first, i, line)
		p.source.FirstSkipped = first[:min(len(first), maxFirstSkipped)]
	}
	return !p.stopped
}

// note tells readers of the report something about this source, once.
func (p *pass) note(text string) {
	if !slices.Contains(p.source.Notes, text) {
		p.source.Notes = append(p.source.Notes, text)
	}
}

// cannotJudge says why nothing in this source can be judged; it counts only if the source yields no event.
func (p *pass) cannotJudge(format, help string) {
	p.source.formats[format]++
	if p.source.Unreadable == "" {
		p.source.Unreadable = help
	}
}

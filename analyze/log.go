package analyze

import "iter"

// Want says what a pass over the log is for, so that a reader may leave out the rest.
type Want struct {
	Details bool             // fill Event.Detail; without it a reader may skip texts and names
	Place   func(Place) bool // yield only records that start here; nil: all of them

	// The first place that is wanted, from the given one on; false: there is none. A reader may leave out all before it. Nil: unknown. It is
	// asked from several goroutines.
	Next func(Place) (Place, bool)
}

// Log is a set of sources that can be read more than once: first for who sent what when, then for the stories of the pairs that failed.
type Log interface {
	// Events yields each event in the order of the sources. A record that cannot be used is counted by the reader, never an error; an error ends the sequence.
	Events(Want) iter.Seq2[Event, error]
	// Sources says what was found in each source; complete after the first pass.
	Sources() []Source
}

// Source is one file or stream and what became of its lines.
type Source struct {
	Path         string
	Format       string         // as named by the reader, like cloud-api-webhook
	Lines        int            // physical lines, or records where the format has no lines
	Events       int            // events yielded
	Skipped      map[string]int // lines that hold nothing usable, by reason: truncated, not-json, not-whatsapp, unusable-recipient, no-time
	FirstSkipped []int          // the first lines that were skipped, at most ten
	Notes        []string       // what a reader of the report must know of this source: zone unknown, date order guessed, a mapping used
	Unreadable   string         // why nothing here can be judged, as help for people; empty if it can
}

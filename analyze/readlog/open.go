package readlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/wactl/wactl/analyze"
)

// ErrFormat says that no reader has the form that was asked for; Formats lists those that are known.
var ErrFormat = errors.New("no such log format")

// Log is a set of sources as analyze.Log wants them: each can be read again and again. Close it when it is no longer read.
type Log struct {
	ctx     context.Context
	options Options
	sources []*source
	size    int64
	found   []analyze.Source
	forms   templates
	block   int    // bytes of a block; tests have small ones
	kept    *spool // the blocks of packed sources and of streams; nil: none were kept yet
}

// Open looks up what there is to read, folders in the order of their names. It reads nothing yet.
func Open(ctx context.Context, o Options) (*Log, error) {
	if o.Format != "" && sameForm[o.Format] == "" && !slices.Contains(Formats(), o.Format) {
		return nil, fmt.Errorf("%w: %q; known are %s", ErrFormat, o.Format, strings.Join(Formats(), ", "))
	}
	l := &Log{ctx: ctx, options: o, block: leastBlock}
	for _, path := range o.Paths {
		if err := l.add(path); err != nil {
			l.Close()
			return nil, err
		}
	}
	l.found = make([]analyze.Source, len(l.sources))
	for i, s := range l.sources {
		l.found[i] = analyze.Source{Path: s.path, Skipped: map[string]int{}}
	}
	return l, nil
}

// Close gives back what reading needed. It may be called more than once.
func (l *Log) Close() (err error) {
	for _, s := range l.sources {
		err = errors.Join(err, s.close())
	}
	err = errors.Join(err, l.kept.close())
	l.kept = nil
	return err
}

// Size is how many bytes the sources take as they lie there, packed or not: what Progress counts up to in one pass. Streams count nothing.
func (l *Log) Size() int64 { return l.size }

// Sources says what was found in each source; complete after the first pass.
func (l *Log) Sources() []analyze.Source { return slices.Clone(l.found) }

// Events yields the events of all sources, in the order of the sources and of their records.
func (l *Log) Events(want analyze.Want) iter.Seq2[analyze.Event, error] {
	return func(yield func(analyze.Event, error) bool) {
		for i := range l.sources {
			p := l.pass(i, want, func(e analyze.Event) bool { return yield(e, nil) })
			if err := l.read(p); err != nil {
				yield(analyze.Event{}, err)
				return
			}
			if p.stopped {
				return
			}
		}
	}
}

// Facts adds the facts of all sources to a ledger, as its Note would of their events. Lines of forms that are known are not decoded for it.
func (l *Log) Facts(to *analyze.Ledger) error {
	for i := range l.sources {
		p := l.pass(i, analyze.Want{}, func(e analyze.Event) bool { to.Note(e); return true })
		p.ledger = to
		if err := l.read(p); err != nil {
			return err
		}
	}
	return nil
}

// pass begins a reading of a source.
func (l *Log) pass(i int, want analyze.Want, yield func(analyze.Event) bool) *pass {
	s := l.sources[i]
	p := newPass(i, want, &l.options, s.path, yield)
	p.quick, p.stream, p.block = &l.forms, s.stream, l.block
	p.apart = s.apart && want.Place != nil
	if info, err := os.Stat(s.path); err == nil && info.Mode().IsRegular() {
		p.clock.written = info.ModTime() // dates of syslog have no year
	}
	if want.Place == nil && want.Next == nil && !s.index.whole {
		p.index, p.keep = &s.index, l.keep
	}
	return p
}

// keep gives the one file for all blocks that cannot be had again, or only by unpacking: a tree of exports may have thousands of packed files.
func (l *Log) keep() (_ *spool, err error) {
	if l.kept == nil {
		l.kept, err = newSpool()
	}
	return l.kept, err
}

// read gives a source's events, and keeps what was found in it if it was read to the end for the first time.
func (l *Log) read(p *pass) (err error) {
	s := l.sources[p.file]
	if s.index.whole && (p.want.Next != nil || s.stream != nil && s.stream.gone) {
		err = s.again(l.ctx, p)
	} else if err = s.whole(l.ctx, p); err == nil && !p.stopped && !p.apart {
		l.found[p.file] = p.judged()
		s.apart = p.readApart()
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", s.path, err)
	}
	return nil
}

// readSource reads a source's bytes as what they turn out to be.
func (p *pass) readSource(src io.Reader) error {
	data, head, closeAll, err := unpack(src)
	defer closeAll()
	switch {
	case err != nil:
		p.damaged(err)
		return nil
	case p.refused(head):
		return nil
	case p.wanted(formSQL) && isSQL(head):
		err = readSQL(p, decode(data, head))
		p.texts.end()
	case p.wanted(formTable) && p.options.Format != "" || isTable(head, p.options):
		err = readTable(p, data)
		p.texts.end()
	case p.quick != nil && p.wanted(formWebhook):
		p.block = min(p.block, len(head)+1) // a small source needs no more
		if wideOrder(head) != nil {
			err = p.quickly(decode(data, head), true)
		} else {
			err = p.quickly(direct{data}, data.packed)
		}
	default:
		err = cutRecords(p, decode(data, head))
	}
	p.flushPending()
	if err != nil && isDamage(err) {
		p.damaged(err)
		return nil
	}
	return err
}

// damaged says that the rest of a source cannot be read. What was read before it holds.
func (p *pass) damaged(err error) {
	p.source.Skipped[truncated]++
	p.note("the file is damaged or cut off; what stands before the fault was read: " + err.Error())
	if p.source.Unreadable == "" && p.source.Events == 0 {
		p.source.Unreadable = "nothing could be unpacked: " + err.Error() + "; export or copy it again"
	}
}

// judged is what a pass found, with the form of the source and whether anything in it can be judged.
func (p *pass) judged() analyze.Source {
	s := p.source.Source
	s.Format = formatOf(p.source.formats)
	switch {
	case s.Lines == 0 && len(p.source.formats) == 0 && s.Unreadable == "" && len(s.Skipped) == 0:
		s.Format, s.Unreadable = formEmpty, "the file is empty; export the log again, with the minutes before the failure in it"
	case s.Events > 0:
		s.Unreadable = ""
	case s.Unreadable == "" && len(p.source.formats) == 0:
		s.Unreadable = "no record in it is about a WhatsApp message (" + skippedWords(s.Skipped) + "); export status webhooks, or requests with their answers"
	}
	return s
}

// skippedWords tells what was skipped, by reason.
func skippedWords(skipped map[string]int) string {
	var words []string
	for _, reason := range slices.Sorted(maps.Keys(skipped)) {
		words = append(words, fmt.Sprintf("%s: %d", reason, skipped[reason]))
	}
	if len(words) == 0 {
		return "nothing but blank lines"
	}
	return "skipped " + strings.Join(words, ", ")
}

// hasPrefix says whether b begins with one of the prefixes.
func hasPrefix(b []byte, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return bytes.HasPrefix(b, []byte(p)) })
}

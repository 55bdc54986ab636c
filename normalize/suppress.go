package normalize

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// ErrUnreadableOptOut is the reason why a list of opt-outs fails: somebody on it can't be told, and might be written to.
var ErrUnreadableOptOut = errors.New("unreadable opt-out")

// Suppressions are the people who must not be written to, by the canonical digits of their number. The zero value holds nobody.
type Suppressions struct {
	Empty int // rows of the lists without anything in a phone column: they name nobody

	by      people // with the line in the source or 0, and an optOut as tag
	sources []string
}

// optOut says of a number in the set where it comes from: the index of its source, and in the lowest bit whether it is only another writing of a
// number in the set.
type optOut uint64

func (o optOut) source() int { return int(o >> 1) }
func (o optOut) other() bool { return o&1 == 1 }

// Len is how many numbers the set holds.
func (s *Suppressions) Len() int { return s.by.len }

// People are the canonical digits of everybody in the set, without other writings of the same number.
func (s *Suppressions) People() map[uint64]bool {
	people := make(map[uint64]bool, s.by.len)
	for d, at := range s.by.all() {
		if !optOut(at.tag).other() {
			people[d] = true
		}
	}
	return people
}

// Add puts one number into the set. Source is for messages: the file, or what the number was added with.
func (s *Suppressions) Add(digits uint64, source string, line int) {
	s.put(digits, source, line, false)
}

// put keeps the first place where a number stands; the number itself counts before it as another one's writing.
func (s *Suppressions) put(digits uint64, source string, line int, other bool) {
	if digits == 0 {
		return
	}
	if last := len(s.sources) - 1; last < 0 || s.sources[last] != source {
		s.sources = append(s.sources, source)
	}
	at := saidAt{uint32(line), uint64(len(s.sources)-1) << 1}
	if other {
		at.tag |= 1
	}
	if was, known := s.by.get(digits); !known || optOut(was.tag).other() && !other {
		s.by.set(digits, at)
	}
}

// Read adds everybody of a list of opt-outs, whatever its other columns say. Rows that can't be read make an error that matches
// ErrUnreadableOptOut; all others are in the set all the same.
func (s *Suppressions) Read(l *List) error {
	unread := &unreadError{path: l.Path}
	for b, err := range l.batches(batching{}) {
		if err != nil {
			return err
		}
		for i := range b.Verdicts {
			s.row(l, &b.Verdicts[i].Row, unread)
		}
	}
	if unread.count > 0 {
		return unread
	}
	return nil
}

// row adds all numbers of a row: who opted out with two numbers is written to on neither.
func (s *Suppressions) row(l *List, row *Row, unread *unreadError) {
	filled := false
	for _, i := range l.Columns(RolePhone) {
		if i >= len(row.Fields) || strings.TrimSpace(row.Fields[i]) == "" {
			continue
		}
		filled = true
		n := row.Number
		if i+1 != row.Column {
			n = Parse(row.Fields[i], row.Region)
		}
		if n.Digits == 0 {
			unread.add(row, cmp.Or(reason(n.Problems), reason(row.Findings)))
			continue
		}
		for d := range writings(&n) {
			s.put(d, l.Path, row.Line, d != n.Digits)
		}
	}
	switch why := reason(row.Findings); {
	case filled:
	case why != "" && why != "empty-phone":
		unread.add(row, why)
	default:
		s.Empty++
	}
}

// reason is the rule of the first finding that is an error, or of the first at all.
func reason(found []Finding) string {
	for _, f := range found {
		if f.Severity == Error {
			return f.Rule
		}
	}
	if len(found) > 0 {
		return found[0].Rule
	}
	return ""
}

// Find says where one of the writings of a number stands in the set; false where none does.
func (s *Suppressions) Find(n Number) (where string, found bool) {
	if s == nil || s.by.len == 0 || n.Digits == 0 {
		return "", false
	}
	for d := range writings(&n) {
		if at, ok := s.by.get(d); ok {
			return s.name(at), true
		}
	}
	return "", false
}

func (s *Suppressions) name(at saidAt) string {
	source := s.sources[optOut(at.tag).source()]
	if at.line == 0 {
		return source
	}
	return fmt.Sprintf("%s line %d", source, at.line)
}

// writings yields the digits under which a person may stand elsewhere: the canonical ones, the aliases, and Argentina's other form.
func writings(n *Number) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		if !yield(n.Digits) {
			return
		}
		if a := n.alias(); a != 0 && !yield(a) {
			return
		}
		if twin := argentineTwin(n.Digits); twin != 0 {
			yield(twin)
		}
	}
}

// argentineTwin is the number with Argentina's mobile 9 put in or taken out, 0 for other countries. Nothing tells whether both are one phone.
func argentineTwin(digits uint64) uint64 {
	const national = 10_000_000_000 // ten digits
	switch digits / national {
	case 54:
		return 549*national + digits%national
	case 549:
		return 54*national + digits%national
	}
	return 0
}

// unreadError names the rows of a list of opt-outs that can't be read.
type unreadError struct {
	path  string
	rows  []string
	count int
}

// mostUnread is how many rows an error names.
const mostUnread = 10

func (e *unreadError) add(row *Row, rule string) {
	if e.count++; e.count <= mostUnread {
		e.rows = append(e.rows, fmt.Sprintf("line %d (%s)", row.Line, rule))
	}
}

// Error names the rows, never their cells: an opt-out is nobody else's business.
func (e *unreadError) Error() string {
	text := fmt.Sprintf("%s: who opted out cannot be read in %s", e.path, strings.Join(e.rows, ", "))
	if more := e.count - len(e.rows); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Is matches ErrUnreadableOptOut.
func (e *unreadError) Is(target error) bool { return target == ErrUnreadableOptOut }

// Hint says what to do: no run goes on while somebody who opted out may be on the list.
func (e *unreadError) Hint() string {
	return "write these numbers with + and their country code; nobody who opted out may be passed over"
}

package campaign

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Duplicates says what becomes of several different messages to one person. Identical ones are always sent once.
type Duplicates string

// The choices for different messages to one person.
const (
	RefuseDuplicates Duplicates = "refuse" // the plan fails and names the lines
	FirstDuplicate   Duplicates = "first"  // the first row's message goes
	LastDuplicate    Duplicates = "last"   // the last row's message goes
	AllDuplicates    Duplicates = "all"    // all go, in file order, spaced by the pair limit
)

// ErrConflict matches the error for different messages to one person where that is refused.
var ErrConflict = errors.New("different messages to one person")

// conflictError names the rows in conflict.
type conflictError struct{ rows []conflict }

// conflict is a row whose message differs from that of an earlier row for the same recipient.
type conflict struct {
	recipient   uint64
	first, line uint32
}

// mostNamed is how many rows an error names.
const mostNamed = 10

func (e *conflictError) Error() string {
	var b strings.Builder
	if len(e.rows) == 1 {
		b.WriteString("a row has another message for somebody who has one already:")
	} else {
		fmt.Fprintf(&b, "%d rows have another message for somebody who has one already:", len(e.rows))
	}
	named := e.rows[:min(len(e.rows), mostNamed)]
	for i, r := range named {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " line %d (first in line %d)", r.line, r.first)
	}
	if more := len(e.rows) - len(named); more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

func (e *conflictError) Is(target error) bool { return target == ErrConflict }

// place finds a message's place behind the recipient's earlier ones. It is false when the row is left out.
func (p *Plan) place(s *planned, d Duplicates) bool {
	latest := p.last.find(&p.steps, s.recipient)
	if latest == 0 {
		return true
	}
	was := p.steps.at(int(latest - 1))
	if same := p.same(s, latest); same != 0 {
		p.leave(LeftOut{Line: int(s.line), Rule: ruleDuplicate, FirstLine: int(p.steps.at(int(same - 1)).line)})
		return false
	}
	switch d {
	case RefuseDuplicates:
		p.conflicts = append(p.conflicts, conflict{s.recipient, was.line, s.line})
		return false
	case FirstDuplicate:
		p.leaveFor(s.line, was.line)
		return false
	case LastDuplicate:
		was.dropped, p.replaced = true, true
		p.leaveFor(was.line, s.line)
	default:
		s.ordinal = was.ordinal + 1
		p.more[otherMessage{was.recipient, was.hash}] = latest
		p.more[otherMessage{s.recipient, s.hash}] = uint32(p.steps.len() + 1)
	}
	return true
}

// same is the recipient's message that says the same, as index + 1; 0 when there is none.
func (p *Plan) same(s *planned, latest uint32) uint32 {
	if p.steps.at(int(latest-1)).hash == s.hash {
		return latest
	}
	return p.more[otherMessage{s.recipient, s.hash}]
}

// leaveFor leaves a row out because another row's message goes to the same person.
func (p *Plan) leaveFor(line, goes uint32) {
	p.leave(LeftOut{Line: int(line), Rule: ruleConflict, FirstLine: int(goes)})
}

// refusal is the error for different messages to one person, where that is refused. Who opted out gets none, so theirs do not count.
func (p *Plan) refusal() error {
	e := &conflictError{rows: slices.DeleteFunc(slices.Clone(p.conflicts), func(c conflict) bool { return p.out[c.recipient] != 0 })}
	if len(e.rows) == 0 {
		return nil
	}
	return e
}

// drop takes out the messages that a later row replaced, and those to people whom another row says to leave alone.
func (p *Plan) drop() {
	if len(p.out) > 0 || p.replaced {
		p.steps.drop(func(s *planned) bool {
			line, out := p.out[s.recipient]
			if out && !s.dropped {
				p.leave(optedOut(int(s.line), line))
			}
			return out || s.dropped
		})
	}
	for _, c := range p.conflicts {
		p.leave(optedOut(int(c.line), p.out[c.recipient]))
	}
	p.last, p.more, p.out, p.conflicts = latest{}, nil, nil, nil
}

// optedOut is a row to a recipient who opted out in another one.
func optedOut(line, says int) LeftOut {
	return LeftOut{Line: line, FirstLine: says, Rule: ruleOptedOut, Message: fmt.Sprintf("line %d says that this recipient has opted out", says)}
}

// settle lets each row that another one replaced name the row whose message goes in the end, which was not known when it was left out.
func (p *Plan) settle() {
	if p.Skipped[ruleConflict] == 0 {
		return
	}
	fate := map[int]LeftOut{} // of rows left out, by line
	for i, l := range slices.Backward(p.LeftOut) {
		if l.Rule == ruleConflict {
			switch last := fate[l.FirstLine]; last.Rule {
			case ruleConflict:
				l.FirstLine = last.FirstLine
			case ruleOptedOut:
				p.Skipped[ruleConflict]--
				p.Skipped[ruleOptedOut]++
				l = optedOut(l.Line, last.FirstLine)
			}
			p.LeftOut[i] = l
		}
		fate[l.Line] = l
	}
	if p.Skipped[ruleConflict] == 0 {
		delete(p.Skipped, ruleConflict)
	}
}

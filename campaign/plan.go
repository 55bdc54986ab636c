package campaign

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
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

// Rules of rows that a plan leaves out for their place among the others. They are rows of the same table as the list's own.
const (
	ruleDuplicate = normalize.Duplicate
	ruleConflict  = normalize.DuplicateConflict
	ruleOutside   = "text-outside-window"
	ruleOptedOut  = "opted-out"
)

// LeftOut is a row that gets no message, and why.
type LeftOut struct {
	Line      int // where the row starts, from 1
	FirstLine int // for duplicates: the row that goes instead, else 0
	Rule      string
	Value     string // the cell that is at fault, empty for duplicates
	Message   string // why; of duplicates made by Why
}

// Why is the reason in words for people.
func (l LeftOut) Why() string {
	switch {
	case l.Message != "":
		return l.Message
	case l.Rule == ruleDuplicate:
		return fmt.Sprintf("same recipient and same message as line %d", l.FirstLine)
	}
	return fmt.Sprintf("same recipient as line %d, whose message goes", l.FirstLine)
}

// Plan is a campaign file turned into messages: one entry per message, in file order. It holds no pointers per message, so that a million of
// them take some 150 bytes each.
type Plan struct {
	Rows       int            // rows of the file that are not blank: messages that go and rows left out
	Recipients int            // distinct people among those that get a message
	Countries  map[string]int // recipients per region (ISO 3166 letters)
	Skipped    map[string]int // rows left out per rule
	Warnings   map[string]int // findings that hold no row back, per rule
	LeftOut    []LeftOut      // the rows left out, in the order in which that was known
	Links      int            // messages with media by link

	steps   []planned
	text    arena
	regions []string
	last    map[uint64]uint32       // recipient to its latest step, as index + 1
	more    map[otherMessage]uint32 // the same for each message of those who get several
	out     map[uint64]int          // recipients whom a row says to leave alone, and that row's line
}

// otherMessage is one of several messages to a recipient.
type otherMessage struct {
	recipient uint64
	hash      [16]byte
}

// planned is one message in compact form.
type planned struct {
	hash      [16]byte
	recipient uint64
	open      ratelimit.Instant // end of the service window, 0 when unknown
	at        span
	line      uint32
	ordinal   uint16
	region    uint16 // index into the plan's regions
	dropped   bool
	link      bool // carries media by link
}

// PlanOptions says how rows become messages.
type PlanOptions struct {
	Duplicates Duplicates
	NumberID   string // the business number that sends
	Category   string
	Now        time.Time
}

// ErrConflict matches the error for different messages to one person where that is refused.
var ErrConflict = errors.New("different messages to one person")

// conflictError names the rows in conflict.
type conflictError struct {
	pairs [][2]int
	more  int
}

func (e *conflictError) add(first, line uint32) {
	if len(e.pairs) < 10 {
		e.pairs = append(e.pairs, [2]int{int(first), int(line)})
		return
	}
	e.more++
}

func (e *conflictError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d rows have another message for somebody who has one already:", len(e.pairs)+e.more)
	for _, p := range e.pairs {
		fmt.Fprintf(&b, " line %d (first in line %d),", p[1], p[0])
	}
	if e.more > 0 {
		return b.String() + fmt.Sprintf(" and %d more", e.more)
	}
	return strings.TrimSuffix(b.String(), ",")
}

func (e *conflictError) Is(target error) bool { return target == ErrConflict }

// NewPlan reads a list and renders its messages. An error is about the whole campaign; what is wrong with a row is in LeftOut and Skipped.
func NewPlan(list *normalize.List, content *template.Content, o PlanOptions) (*Plan, error) {
	p := &Plan{Countries: map[string]int{}, Skipped: map[string]int{}, Warnings: map[string]int{},
		last: map[uint64]uint32{}, more: map[otherMessage]uint32{}, out: map[uint64]int{}}
	conflicts := &conflictError{}
	for row, err := range list.Rows() {
		if err != nil {
			return nil, err
		}
		p.Rows++
		if err := p.add(row, list, content, o, conflicts); err != nil {
			return nil, err
		}
	}
	if len(conflicts.pairs) > 0 {
		return nil, conflicts
	}
	p.drop()
	p.count()
	return p, nil
}

func (p *Plan) add(row normalize.Row, list *normalize.List, content *template.Content, o PlanOptions, conflicts *conflictError) error {
	if row.Held() {
		p.leave(heldFor(row))
		if row.OptedOut() && row.Number.Digits != 0 {
			p.out[row.Number.Digits] = row.Line
		}
		return nil
	}
	for _, f := range row.Findings {
		p.Warnings[f.Rule]++
	}
	cell := func(column int) string {
		if column >= len(row.Fields) {
			return ""
		}
		return row.Fields[column]
	}
	m, faults := content.Render(cell, row.Number.Region)
	for _, f := range faults {
		if f.Severity == template.SeverityError {
			p.leave(LeftOut{Line: row.Line, Rule: f.Rule, Message: f.Key + ": " + f.Message})
			return nil
		}
		p.Warnings[f.Rule]++
	}
	s := planned{hash: m.Hash(), recipient: row.Number.Digits, line: uint32(row.Line), open: p.window(list, cell),
		region: p.region(row.Number.Region), link: m.Media != nil && m.Media.Link != "" || m.Header != nil && m.Header.Media != nil && m.Header.Media.Link != ""}
	if m.Type != template.TypeTemplate && s.open != 0 && s.open <= ratelimit.At(o.Now) {
		p.leave(LeftOut{Line: row.Line, Rule: ruleOutside, Message: "the recipient last wrote more than 24 hours ago: only a template may be sent"})
		return nil
	}
	return p.place(s, m, o.Duplicates, conflicts)
}

// heldFor is why a row is held back: its first error, or that it has no number.
func heldFor(row normalize.Row) LeftOut {
	l := LeftOut{Line: row.Line}
	for _, f := range row.Findings {
		if f.Severity == normalize.Error || l.Rule == "" {
			l.Rule, l.Value, l.Message = f.Rule, f.Value, f.Message
		}
		if f.Severity == normalize.Error {
			break
		}
	}
	return l
}

// window is the end of the recipient's service window, 0 when the list does not tell.
func (p *Plan) window(list *normalize.List, cell func(int) string) ratelimit.Instant {
	for _, column := range list.Columns(normalize.RoleLastInbound) {
		text := strings.TrimSpace(cell(column))
		if text == "" {
			continue
		}
		at, ok := instant(text)
		if !ok {
			p.Warnings[warnInbound]++
			return 0
		}
		return at.Add(ratelimit.MessagingWindow)
	}
	return 0
}

// warnInbound counts cells of last_inbound_at that say no instant: the recipient then counts as one who never wrote.
const warnInbound = "last-inbound-unreadable"

// instant reads a time with its zone, or Unix seconds.
func instant(text string) (ratelimit.Instant, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700"} {
		if t, err := time.Parse(layout, text); err == nil {
			return ratelimit.At(t), true
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > 1<<33 {
		return 0, false
	}
	return ratelimit.At(time.Unix(n, 0)), true
}

// place puts a message behind the recipient's earlier ones, or leaves it out.
func (p *Plan) place(s planned, m template.Message, d Duplicates, conflicts *conflictError) error {
	latest := p.last[s.recipient]
	if latest == 0 {
		return p.append(s, m)
	}
	was := &p.steps[latest-1]
	if same := p.same(s, latest); same != 0 {
		first := p.steps[same-1].line
		p.leave(LeftOut{Line: int(s.line), Rule: ruleDuplicate, FirstLine: int(first)})
		return nil
	}
	switch d {
	case RefuseDuplicates:
		conflicts.add(was.line, s.line)
		return nil
	case FirstDuplicate:
		p.leaveFor(s.line, was.line)
		return nil
	case LastDuplicate:
		was.dropped = true
		p.leaveFor(was.line, s.line)
	default:
		s.ordinal = was.ordinal + 1
		p.more[otherMessage{was.recipient, was.hash}] = latest
		p.more[otherMessage{s.recipient, s.hash}] = uint32(len(p.steps) + 1)
	}
	return p.append(s, m)
}

// same is the recipient's message that says the same, as index + 1; 0 when there is none.
func (p *Plan) same(s planned, latest uint32) uint32 {
	if p.steps[latest-1].hash == s.hash {
		return latest
	}
	return p.more[otherMessage{s.recipient, s.hash}]
}

func (p *Plan) append(s planned, m template.Message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("line %d: %w", s.line, err)
	}
	s.at = p.text.put(text)
	p.steps = append(p.steps, s)
	p.last[s.recipient] = uint32(len(p.steps))
	return nil
}

// leaveFor leaves a row out because another row's message goes to the same person.
func (p *Plan) leaveFor(line, goes uint32) {
	p.leave(LeftOut{Line: int(line), Rule: ruleConflict, FirstLine: int(goes)})
}

func (p *Plan) leave(l LeftOut) {
	p.Skipped[l.Rule]++
	p.LeftOut = append(p.LeftOut, l)
}

// drop takes out the messages that a later row replaced, and those to people whom another row says to leave alone.
func (p *Plan) drop() {
	p.steps = slices.DeleteFunc(p.steps, func(s planned) bool {
		line, out := p.out[s.recipient]
		if out && !s.dropped {
			p.leave(LeftOut{Line: int(s.line), FirstLine: line, Rule: ruleOptedOut,
				Message: fmt.Sprintf("line %d says that this recipient has opted out", line)})
		}
		return out || s.dropped
	})
	for digits := range p.out {
		delete(p.last, digits)
	}
	p.Recipients = len(p.last)
	p.last, p.more, p.out = nil, nil, nil
}

// region is a region's index, which takes less room than its name.
func (p *Plan) region(name string) uint16 {
	i := slices.Index(p.regions, name)
	if i < 0 {
		i = len(p.regions)
		p.regions = append(p.regions, name)
	}
	return uint16(i)
}

// count sums up the messages that go.
func (p *Plan) count() {
	for _, s := range p.steps {
		if s.ordinal == 0 {
			p.Countries[p.regions[s.region]]++
		}
		if s.link {
			p.Links++
		}
	}
}

// Messages is how many messages go.
func (p *Plan) Messages() int { return len(p.steps) }

// Hash stands for all messages with their recipients, in order.
func (p *Plan) Hash() string {
	h := sha256.New()
	var b [8]byte
	for _, s := range p.steps {
		binary.BigEndian.PutUint64(b[:], s.recipient)
		h.Write(b[:])
		h.Write(s.hash[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Forget lets the messages go, once they are written elsewhere. The counts stay.
func (p *Plan) Forget() { p.steps, p.text = nil, arena{} }

// Items is the plan as the pacing loop takes it.
func (p *Plan) Items() []Item {
	items := make([]Item, len(p.steps))
	for i, s := range p.steps {
		items[i] = Item{Message: ratelimit.Message{Recipient: s.recipient, OpenUntil: s.open}, Seq: uint32(i)}
	}
	return items
}

// Planned is a step with what the journal keeps beside it.
type Planned struct {
	Step
	LastInbound ratelimit.Instant // when the recipient last wrote, 0 unknown
	Category    string            // template category, empty unknown
}

// Steps yields the messages as steps of a campaign, in file order.
func (p *Plan) Steps(uid [16]byte, o PlanOptions) iter.Seq2[Planned, error] {
	return func(yield func(Planned, error) bool) {
		for i, s := range p.steps {
			phone := "+" + strconv.FormatUint(s.recipient, 10)
			step := Planned{Category: o.Category, Step: Step{Seq: i, ID: StepID(uid, phone, int(s.ordinal)), Recipient: Recipient{Phone: phone},
				Ordinal: int(s.ordinal), Line: int(s.line), NumberID: o.NumberID}}
			if s.open != 0 {
				step.LastInbound = s.open.Add(-ratelimit.MessagingWindow)
			}
			err := json.Unmarshal(p.text.get(s.at), &step.Message)
			if !yield(step, err) || err != nil {
				return
			}
		}
	}
}

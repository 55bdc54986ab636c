package campaign

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/normalize/largepages"
	"github.com/wactl/wactl/ratelimit"
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
	FirstLine int // for duplicates: the row that goes instead; for opt-outs the row that says so; else 0
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

// Plan is a campaign file turned into messages: one entry per message, in file order. It holds no pointers per message: each takes some 80
// bytes beside its text.
type Plan struct {
	Rows       int            // rows of the file that are not blank: messages that go and rows left out
	Recipients int            // distinct people among those that get a message
	Countries  map[string]int // recipients per region (ISO 3166 letters)
	Skipped    map[string]int // rows left out per rule
	Warnings   map[string]int // warnings about rows that get their message all the same, per rule
	LeftOut    []LeftOut      // the rows left out, in file order
	Links      int            // messages with media by link
	Free       int            // messages without a template
	Open       int            // messages to people whose service window is open when the plan is made
	Unsure     int            // messages without a template, where the list does not tell when the recipient last wrote

	steps   steps
	text    arena
	noText  bool // nothing is kept in it
	regions []string
	last    latest                  // each recipient's latest step
	fetched uint64                  // see [latest.fetch]
	likely  int                     // rows of the whole list; 0 where nothing tells that yet
	more    map[otherMessage]uint32 // the same for each message of those who get several
	out     map[uint64]int          // recipients whom a row says to leave alone, and that row's line

	replaced  bool // some of the steps, by later ones
	conflicts []conflict
	from      string // the number that the list's own column names, where none was chosen
	numbers   []Number
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
	ordinal   uint32 // among the recipient's messages, from 0
	region    uint16 // index into the plan's regions
	number    uint16 // that sends it, as its place among the plan's numbers plus one; 0 while that is open
	dropped   bool
	link      bool // carries media by link
	free      bool // no template: the recipient's service window must be open
}

// PlanOptions says how rows become messages.
type PlanOptions struct {
	Duplicates Duplicates
	NumberID   string                             // the business number that sends; empty: none is chosen yet
	Numbers    []Number                           // where several send, instead of NumberID: a row may name one of them, the others are shared out
	Sends      func(recipient uint64) (id string) // the number that wrote to somebody before, or empty; may be nil
	Tier       int                                // of each of the numbers' portfolios, which the sharing out goes by; 0 unlimited or unknown
	Category   string
	Now        time.Time
	Suppressed *normalize.Suppressions // people who get nothing, nil for nobody
	NoText     bool                    // messages are rendered, judged and told apart, but their text is not kept: the plan has no [Plan.Steps]
	NoHash     bool                    // messages' hashes only tell them apart in this plan, and are others on every run: [Plan.Hash] says nothing
}

// NewPlan reads a list and renders its messages. An error is about the whole campaign; what is wrong with a row is in LeftOut and Skipped.
func NewPlan(list *normalize.List, content *template.Content, o PlanOptions) (*Plan, error) {
	p := newPlan()
	p.noText = o.NoText
	for b, err := range list.Batches(renderer(list, content, o)) {
		if err != nil {
			return nil, err
		}
		if err := p.addAll(b, list, o); err != nil {
			return nil, err
		}
	}
	if err := p.refusal(); err != nil {
		return nil, err
	}
	p.finish()
	p.share(o)
	return p, nil
}

func newPlan() *Plan {
	return &Plan{Countries: map[string]int{}, Skipped: map[string]int{}, Warnings: map[string]int{},
		more: map[otherMessage]uint32{}, out: map[uint64]int{}}
}

// finish settles what only the last row could tell, and sums up.
func (p *Plan) finish() {
	p.drop()
	p.settle()
	slices.SortStableFunc(p.LeftOut, func(a, b LeftOut) int { return cmp.Compare(a.Line, b.Line) })
	p.count()
}

// addAll adds the rows of a batch, as they were rendered.
func (p *Plan) addAll(b *normalize.Batch, list *normalize.List, o PlanOptions) error {
	r := b.Kept.(*rendered)
	if p.likely == 0 {
		p.likely = b.Likely()
		p.last.expect(p.likely)
		p.steps.expect(p.likely)
	}
	p.fetched += p.last.fetch(r.rows)
	for i := range b.Verdicts {
		p.Rows++
		if err := p.add(&b.Verdicts[i].Row, r, &r.rows[i], list, o); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) add(row *normalize.Row, batch *rendered, r *renderedRow, list *normalize.List, o PlanOptions) (err error) {
	odd := &usualRow
	if r.odd != 0 {
		odd = &batch.odds[r.odd-1]
	}
	if odd.unread {
		p.Warnings[warnInbound]++
	}
	if !odd.held {
		if r.number, err = p.sender(row, list, o); err != nil {
			return err
		}
	}
	if odd.left.Rule != "" {
		p.leave(odd.left)
		if odd.optedOut {
			p.out[r.recipient] = row.Line
		}
		return nil
	}
	if odd.err != nil {
		return odd.err
	}
	if r.open > ratelimit.At(o.Now) {
		p.Open++
	}
	r.region = p.region(row.Number.Region)
	if !p.place(&r.planned, o.Duplicates) {
		return nil
	}
	p.warn(row.Findings, odd.faults)
	if odd.barred != "" {
		p.Warnings[odd.barred]++
	}
	p.append(r.planned, batch.text[r.at.from:r.at.from+r.at.size])
	return nil
}

// usualRow is a row about which there is nothing more to say.
var usualRow oddRow

// warn counts what is odd about a row that gets its message all the same.
func (p *Plan) warn(findings []normalize.Finding, faults []template.Fault) {
	for _, f := range findings {
		if f.Severity == normalize.Warning {
			p.Warnings[f.Rule]++
		}
	}
	for _, f := range faults {
		p.Warnings[f.Rule]++
	}
}

func (p *Plan) append(s planned, text []byte) {
	if !p.noText {
		s.at = p.text.put(text)
	}
	p.steps.add(s)
	p.last.set(&p.steps)
}

func (p *Plan) leave(l LeftOut) {
	p.Skipped[l.Rule]++
	p.LeftOut = append(p.LeftOut, l)
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
	pages := make([]sums, len(p.steps.pages))
	p.steps.beside(func(i int, page []planned) { pages[i] = p.sum(page) })
	for _, s := range pages {
		for region, n := range s.people {
			if n > 0 {
				p.Recipients += n
				p.Countries[p.regions[region]] += n
			}
		}
		p.Links, p.Free, p.Unsure = p.Links+s.links, p.Free+s.free, p.Unsure+s.unsure
	}
}

// sums are the counts of some steps.
type sums struct {
	people              []int // by region
	links, free, unsure int
}

func (p *Plan) sum(steps []planned) sums {
	all := sums{people: make([]int, len(p.regions))}
	for i := range steps {
		s := &steps[i]
		if s.ordinal == 0 {
			all.people[s.region]++
		}
		if s.link {
			all.links++
		}
		if s.free {
			all.free++
			if s.open == 0 {
				all.unsure++
			}
		}
	}
	return all
}

// Messages is how many messages go.
func (p *Plan) Messages() int { return p.steps.len() }

// Hash stands for all messages with their recipients, in order.
func (p *Plan) Hash() string {
	h := sha256.New()
	var b [8]byte
	for _, s := range p.steps.all() {
		binary.BigEndian.PutUint64(b[:], s.recipient)
		h.Write(b[:])
		h.Write(s.hash[:])
		if len(p.numbers) > 1 {
			h.Write([]byte(p.numbers[s.number-1].ID))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Forget lets the messages go, once they are written elsewhere. The counts stay.
func (p *Plan) Forget() { p.steps, p.text = steps{}, arena{} }

// Items is the plan as the pacing loop takes it.
func (p *Plan) Items() []Item {
	items := largepages.Make[Item](p.steps.len())
	p.steps.beside(func(i int, page []planned) {
		from := i << pageBits
		for at := range page {
			s := &page[at]
			items[from+at] = Item{Message: ratelimit.Message{Recipient: s.recipient, OpenUntil: s.open}, Seq: uint32(from + at), Number: max(s.number, 1) - 1}
		}
	})
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
		for i, s := range p.steps.all() {
			phone := "+" + strconv.FormatUint(s.recipient, 10)
			step := Planned{Category: o.Category, Step: Step{Seq: i, ID: StepID(uid, phone, int(s.ordinal)), Recipient: Recipient{Phone: phone},
				Ordinal: int(s.ordinal), Line: int(s.line), NumberID: p.numberID(s, o)}}
			if s.open != 0 {
				step.LastInbound = s.open.Add(-ratelimit.MessagingWindow)
			}
			err := p.message(s, &step.Message)
			if !yield(step, err) || err != nil {
				return
			}
		}
	}
}

// errNoText is a fault of whoever asks for the texts of a plan that keeps none.
var errNoText = errors.New("internal fault: the plan keeps no texts")

// message reads a step's message.
func (p *Plan) message(s *planned, m *template.Message) error {
	if p.noText {
		return errNoText
	}
	return json.Unmarshal(p.text.get(s.at), m)
}

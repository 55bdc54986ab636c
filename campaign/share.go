package campaign

import (
	"cmp"
	"slices"

	"github.com/wactl/wactl/ratelimit"
)

// share gives a number to each message whose row left that open.
//
// A person's messages stay on one number: the one that another row of theirs names, the one that wrote to them before, or the one that would be
// done soonest. The same list is always shared out the same way, and those of the state keep their number when the list has grown.
func (p *Plan) share(o PlanOptions) {
	if p.numbers = o.Numbers; len(p.numbers) < 2 {
		return
	}
	s := newSharing(o)
	load := NewLoad(p.Items())
	var several [][]uint32
	for places := range load.Repeats {
		several = append(several, places)
	}
	for i := range p.steps.len() {
		if load.Single(i) {
			s.settle(&p.steps, []uint32{uint32(i)})
		}
	}
	for _, places := range several {
		s.settle(&p.steps, places)
	}
	// What is open still goes to the number that is done soonest, those with the most messages first: they cannot be evened out later.
	slices.SortStableFunc(several, func(a, b []uint32) int { return cmp.Compare(len(b), len(a)) })
	for _, places := range several {
		s.even(&p.steps, places)
	}
	for i, one := range p.steps.all() {
		if one.number == 0 {
			s.even(&p.steps, []uint32{uint32(i)})
		}
	}
}

// numberID is the id of the number that sends a step.
func (p *Plan) numberID(s *planned, o PlanOptions) string {
	if len(p.numbers) == 0 {
		return o.NumberID
	}
	return p.numbers[max(s.number, 1)-1].ID
}

// sharing is how far a plan is shared out.
type sharing struct {
	PlanOptions
	messages []int          // of each number
	people   map[string]int // who take a slot, of each portfolio
}

func newSharing(o PlanOptions) *sharing {
	return &sharing{PlanOptions: o, messages: make([]int, len(o.Numbers)), people: map[string]int{}}
}

// settle gives a person's open messages to the number that is known for them, if one is.
func (s *sharing) settle(steps *steps, places []uint32) {
	number := uint16(0)
	for _, at := range places {
		if number = steps.at(int(at)).number; number != 0 {
			break
		}
	}
	if number == 0 && s.Sends != nil {
		id := s.Sends(steps.at(int(places[0])).recipient)
		number = uint16(slices.IndexFunc(s.Numbers, func(n Number) bool { return n.ID == id }) + 1)
	}
	if number != 0 {
		s.give(steps, places, number)
	}
}

// even gives a person's messages to the number that would be done soonest with them.
func (s *sharing) even(steps *steps, places []uint32) {
	if steps.at(int(places[0])).number != 0 {
		return
	}
	best, windows, takes := 0, 0, int64(0)
	for i, n := range s.Numbers {
		w, t := 0, int64(s.messages[i]+len(places))*int64(n.Throughput.Pace.Gap())
		if s.Tier > 0 {
			w = s.people[n.Portfolio] / s.Tier
		}
		if i == 0 || w < windows || w == windows && t < takes {
			best, windows, takes = i, w, t
		}
	}
	s.give(steps, places, uint16(best+1))
}

// give counts a person's messages, and gives those to a number that are open.
func (s *sharing) give(steps *steps, places []uint32, number uint16) {
	for _, at := range places {
		if steps.at(int(at)).number == 0 {
			steps.at(int(at)).number = number
		}
		s.messages[steps.at(int(at)).number-1]++
	}
	if first := steps.at(int(places[0])); first.open <= ratelimit.At(s.Now) {
		s.people[s.Numbers[first.number-1].Portfolio]++
	}
}

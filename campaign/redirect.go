package campaign

import "slices"

// Redirect keeps the first n messages only and turns them to one person, by the digits of the number: a test of what the list makes of its rows.
func (p *Plan) Redirect(recipient uint64, n int) {
	p.steps = slices.Clone(p.steps[:min(n, len(p.steps))])
	p.Rows, p.Recipients, p.Countries = len(p.steps), min(len(p.steps), 1), map[string]int{}
	p.Skipped, p.LeftOut, p.Links, p.Open, p.Unsure = map[string]int{}, nil, 0, 0, 0
	for i := range p.steps {
		s := &p.steps[i]
		s.recipient, s.ordinal, s.open = recipient, uint32(i), 0 // when the test person last wrote the list does not know
		if s.link {
			p.Links++
		}
		if s.free {
			p.Unsure++
		}
	}
}

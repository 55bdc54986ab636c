package campaign

// Redirect keeps the first n messages only and turns them to one person, by the digits of the number: a test of what the list makes of its rows.
func (p *Plan) Redirect(recipient uint64, n int) {
	p.steps.cut(min(n, p.steps.len()))
	p.Rows, p.Recipients, p.Countries = p.steps.len(), min(p.steps.len(), 1), map[string]int{}
	p.Skipped, p.LeftOut, p.Links, p.Open, p.Unsure = map[string]int{}, nil, 0, 0, 0
	for i, s := range p.steps.all() {
		s.recipient, s.ordinal, s.open = recipient, uint32(i), 0 // when the test person last wrote the list does not know
		if s.link {
			p.Links++
		}
		if s.free {
			p.Unsure++
		}
	}
}

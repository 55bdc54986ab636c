package campaign

// Each shows what tells one message from another, without its text, in file order, for as long as visit returns true: whoever approves or prices
// a plan needs no more. The place is that of [Item.Seq]; number is empty unless several numbers send; free says that there is no template.
func (p *Plan) Each(visit func(place uint32, recipient uint64, content [16]byte, number string, free bool) bool) {
	for i, s := range p.steps.all() {
		number := ""
		if len(p.numbers) > 1 {
			number = p.numbers[s.number-1].ID
		}
		if !visit(uint32(i), s.recipient, s.hash, number, s.free) {
			return
		}
	}
}

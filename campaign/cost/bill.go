package cost

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"time"
)

// Message is what a price depends on.
type Message struct {
	Recipient uint64    // digits of the phone number
	Category  string    // one of the categories; empty: not known
	At        time.Time // when it leaves
	Open      bool      // within 24 hours of the recipient's last message
}

// Bill sums up messages by the prices of a file. Make it with [NewBill].
type Bill struct {
	rates *Rates
	lines map[kind]*Line
	notes []bool // which caveats concern it
	rules []bool // which rules made something free
}

// Line is the messages of one market and category.
type Line struct {
	Market, Category string
	Messages         int
	Free             int    // of them
	Price            *Price // nil: the file has none
}

// Charged is how many messages are to be paid for, whether their price is known or not.
func (l Line) Charged() int { return l.Messages - l.Free }

// Priced says whether everything on the line has its price.
func (l Line) Priced() bool { return l.Price != nil || l.Charged() == 0 }

// Total is a sum in one currency.
type Total struct {
	Currency string
	Messages int
	Amount   string // a decimal number
}

// NewBill is an empty bill.
func NewBill(r *Rates) *Bill {
	return &Bill{rates: r, lines: map[kind]*Line{}, notes: make([]bool, len(Caveats)), rules: make([]bool, len(FreeRules))}
}

// Add puts a message on the bill.
func (b *Bill) Add(m Message) {
	k := kind{Market(m.Recipient, m.At), m.Category}
	l := b.lines[k]
	if l == nil {
		l = &Line{Market: k.market, Category: k.category}
		if p, ok := b.rates.by[k]; ok {
			l.Price = &p
		}
		b.lines[k] = l
	}
	l.Messages++
	if rule := free(m); rule != nil {
		l.Free++
		b.rules[slices.IndexFunc(FreeRules, func(f FreeRule) bool { return f == *rule })] = true
	}
	for i, c := range Caveats {
		b.notes[i] = b.notes[i] || c.concerns(m)
	}
}

// Lines are the bill's lines, by market and category.
func (b *Bill) Lines() []Line {
	lines := make([]Line, 0, len(b.lines))
	for _, l := range b.lines {
		lines = append(lines, *l)
	}
	slices.SortFunc(lines, func(x, y Line) int {
		return cmp.Or(cmp.Compare(x.Market, y.Market), cmp.Compare(x.Category, y.Category))
	})
	return lines
}

// Totals are the sums of what has a price, one for each currency of the file that is met.
func (b *Bill) Totals() (totals []Total) {
	type sum struct {
		units    *big.Int
		scale    int
		messages int
	}
	sums := map[string]sum{}
	for _, l := range b.Lines() {
		if l.Price == nil {
			continue
		}
		s := sums[l.Price.Currency]
		if s.units == nil {
			s.units = new(big.Int)
		}
		s.units.Add(s.units, l.Price.times(l.Charged()))
		s.scale, s.messages = l.Price.scale, s.messages+l.Charged()
		sums[l.Price.Currency] = s
	}
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		s := sums[currency]
		totals = append(totals, Total{currency, s.messages, decimal(s.units, s.scale)})
	}
	return totals
}

// Notes are the rules that made messages free, and the caveats that concern the bill, each with its source.
func (b *Bill) Notes() (notes []string) {
	for i, f := range FreeRules {
		if b.rules[i] {
			notes = append(notes, f.Says+" ("+f.Source+")")
		}
	}
	for i, c := range Caveats {
		if b.notes[i] {
			notes = append(notes, c.Says+" ("+c.Source+")")
		}
	}
	return notes
}

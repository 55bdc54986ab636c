package readlog

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wactl/wactl/analyze"
)

// TestFollowersOfTakenLines holds that what followed a status is found although the cutter took the line of that status itself.
func TestFollowersOfTakenLines(t *testing.T) {
	w := webhooks{Rand: rand.New(rand.NewPCG(9, 9))}
	var text []byte
	for range 60 {
		for _, kind := range []string{"sent", "delivered", "read", "read"} {
			w.at++
			text = fmt.Appendf(text, `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"value":{"metadata":%s,"statuses":[{"id":"%s","status":"%s","timestamp":"%d",`+
				`"recipient_id":"%s"}]},"field":"messages"}]}]}`+"\n", w.number(), w.id(), kind, 1795165200+w.at, w.phone())
		}
	}
	l := quickLog(t, text, leastBlock, false)
	drain(t, l, analyze.Want{})
	given := func(at, first, line int) *analyze.Ledger {
		var g analyze.Ledger
		g.Number([]byte("0")) // ledgers may name numbers in another order
		for n := range 3 {
			g.Number(fmt.Appendf(nil, "10654035224290%d", n))
		}
		p := l.pass(0, analyze.Want{}, func(e analyze.Event) bool { return true })
		p.ledger = &g
		r := newBlockReader(p, nil)
		r.block = &block{text: text, at: 1}
		r.matchFrom(r.block, at, first, &r.heat)
		r.resetKeys()
		if len(r.block.runs) != 1 || r.block.runs[0].lines != 240-first {
			t.Fatalf("%d runs, want one of all lines", len(r.block.runs))
		}
		part := r.block.runs[0]
		part.line, part.lines = line, 240-line
		r.give(part, first, 1)
		if facts := len(slices.Collect(g.Facts())); facts != p.source.Events || facts != 240-line {
			t.Fatalf("%d facts and %d events in %d lines", facts, p.source.Events, 240-line)
		}
		return &g
	}
	at := 0
	for line := range 240 {
		if want, got := given(at, line, line), given(0, 0, line); !slices.Equal(slices.Collect(want.Facts()), slices.Collect(got.Facts())) {
			t.Fatalf("the facts from line %d on differ", line)
		}
		at = newlineAt(text, at)
	}
}

// sameLedgers holds all that two ledgers know against each other, but for how they keep the facts.
func sameLedgers(a, b *analyze.Ledger) bool {
	all := cmp.Exporter(func(reflect.Type) bool { return true })
	return slices.Equal(slices.Collect(a.Facts()), slices.Collect(b.Facts())) && cmp.Equal(a, b, all, cmpopts.IgnoreFields(analyze.Ledger{}, "facts"))
}

package readlog

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/wactl/wactl/analyze"
)

// BenchmarkBlock matches one block of webhook lines whose forms are known; MB/s is the text's.
func BenchmarkBlock(b *testing.B) {
	text := benchText(leastBlock)
	l := quickLog(b, text, leastBlock, false)
	drain(b, l, analyze.Want{})
	p := pipeline{known: &l.forms}
	var h heat
	var one block
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		one.text = text
		p.matchFrom(&one, 0, 0, &h)
	}
	b.ReportMetric(float64(len(one.facts)), "facts")
}

// BenchmarkFacts reads a log of some megabytes into a ledger, quickly and with every line decoded.
func BenchmarkFacts(b *testing.B) {
	text := benchText(4 << 20)
	b.Run("quick", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			var g analyze.Ledger
			if err := g.Read(quickLog(b, text, leastBlock, false)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decoded", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			var g analyze.Ledger
			if err := g.Read(&carefulLog{text: text}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// benchText is about that many bytes of status webhooks, one a line, in a few forms.
func benchText(size int) []byte {
	w := webhooks{Rand: rand.New(rand.NewPCG(1, 1))}
	var text bytes.Buffer
	for text.Len() < size {
		text.WriteString(`{"object":"whatsapp_business_account","entry":[{"id":"880001","changes":[{"value":{"messaging_product":"whatsapp","metadata":` + w.number() +
			`,"statuses":[` + w.status() + `]},"field":"messages"}]}]}` + "\n")
		w.at++
	}
	return text.Bytes()
}

package numplan

import (
	"math/rand/v2"
	"testing"
	"time"
)

// mixed are texts as a list of Brazil has them: 40 % Brazilian, one in twenty invalid.
func mixed(b *testing.B, n int) (texts []string) {
	b.Helper()
	seeds := allSeeds(b)
	r := rand.New(rand.NewPCG(1, 1))
	for len(texts) < n {
		s := seeds[r.IntN(len(seeds))]
		text := "+" + s.code + s.nsn[:max(0, len(s.nsn)-4)] + digits(r, min(4, len(s.nsn)))
		if r.IntN(5) < 2 {
			text = []string{"+55", "", "55", "0"}[r.IntN(4)] + "119" + digits(r, 8)
		}
		if valid := Read(text, "BR").Status == Valid; valid == (len(texts)%20 != 0) {
			texts = append(texts, text)
		}
	}
	return texts
}

// BenchmarkNumber prints how many times faster the table is than the library, which is asked about some of the same numbers in between.
func BenchmarkNumber(b *testing.B) {
	texts := mixed(b, 5000)
	const every, some = 1000, 10
	var library time.Duration
	i, asked := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		Read(texts[i%len(texts)], "BR")
		if i++; i%every != 0 {
			continue
		}
		b.StopTimer()
		began := time.Now()
		for range some {
			libraryReads(texts[asked*7%len(texts)], "BR")
			asked++
		}
		library += time.Since(began)
		b.StartTimer()
	}
	if asked > 0 {
		own := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
		b.ReportMetric(float64(library.Nanoseconds())/float64(asked)/own, "times-library")
	}
}

func BenchmarkLookup(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Lookup(55, "11961234567")
	}
}

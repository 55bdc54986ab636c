package lines

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"
)

// sampleList is a shop's export of n rows, about 60 bytes each; every tenth has a quoted cell.
func sampleList(n int) []byte {
	var b bytes.Buffer
	b.WriteString("nome;telefone;cidade;cupom;observação\n")
	for i := range n {
		note := "cliente desde 2019"
		if i%10 == 0 {
			note = "\"pediu: azul; grande\""
		}
		fmt.Fprintf(&b, "Ana Souza %d;+55 11 9%04d-%04d;São Paulo;CUPOM%d;%s\n", i, i/10_000, i%10_000, i%97, note)
	}
	return b.Bytes()
}

// readOurs and readPeer read a list to its end.
func readOurs(b testing.TB, list []byte) {
	r, err := NewReader("list.csv", bytes.NewReader(list))
	if err != nil {
		b.Fatal(err)
	}
	for _, err := range r.Records() {
		if err != nil {
			b.Fatal(err)
		}
	}
}

// readBlocks reads a list on all cores, and looks at every field.
func readBlocks(b testing.TB, list []byte) {
	r, err := NewReader("list.csv", bytes.NewReader(list))
	if err != nil {
		b.Fatal(err)
	}
	pool := sync.Pool{New: func() any { return &Cells{} }}
	for n, err := range InOrder(r, func(block Block) (n int) {
		cells := pool.Get().(*Cells)
		for rec := range block.Records(cells) {
			n += len(rec.Fields)
		}
		cells.Reset()
		pool.Put(cells)
		return n
	}) {
		if err != nil || n == 0 {
			b.Fatal(err)
		}
	}
}

// readPeer lets every record live, as ours do. readReused writes each record's fields over the last one's.
func readPeer(b testing.TB, list []byte) { readCSV(b, list, false) }

func readReused(b testing.TB, list []byte) { readCSV(b, list, true) }

func readCSV(b testing.TB, list []byte, reuse bool) {
	c := csv.NewReader(bytes.NewReader(list))
	c.Comma, c.ReuseRecord = ';', reuse
	for {
		if _, err := c.Read(); err == io.EOF {
			return
		} else if err != nil {
			b.Fatal(err)
		}
	}
}

// readers are the ways to read a list.
var readers = []struct {
	name string
	read func(testing.TB, []byte)
}{{"blocks", readBlocks}, {"records", readOurs}, {"encoding-csv", readPeer}, {"encoding-csv-reused", readReused}}

func BenchmarkRecords(b *testing.B) {
	list := sampleList(100_000)
	for _, r := range readers {
		b.Run(r.name, func(b *testing.B) {
			b.SetBytes(int64(len(list)))
			b.ReportAllocs()
			for b.Loop() {
				r.read(b, list)
			}
		})
	}
}

// BenchmarkAgainstPeer reads by turns, so that a busy machine slows all, and compares the best time of each with that of blocks.
func BenchmarkAgainstPeer(b *testing.B) {
	list := sampleList(100_000)
	best := make([]time.Duration, len(readers))
	for b.Loop() {
		for i, r := range readers {
			start := time.Now()
			r.read(b, list)
			if took := time.Since(start); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	for i, r := range readers[1:] {
		b.ReportMetric(float64(best[i+1])/float64(best[0]), "times-"+r.name)
	}
	b.ReportMetric(float64(len(list))/1e6/best[0].Seconds(), "MB/s")
}

package lines

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
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

func readPeer(b testing.TB, list []byte) {
	c := csv.NewReader(bytes.NewReader(list))
	c.Comma = ';'
	for {
		if _, err := c.Read(); err == io.EOF {
			return
		} else if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecords(b *testing.B) {
	list := sampleList(100_000)
	for name, read := range map[string]func(testing.TB, []byte){"lines": readOurs, "encoding-csv": readPeer} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(list)))
			b.ReportAllocs()
			for b.Loop() {
				read(b, list)
			}
		})
	}
}

// BenchmarkAgainstPeer reads by turns, so that a busy machine slows both, and compares the best time of each.
func BenchmarkAgainstPeer(b *testing.B) {
	list := sampleList(100_000)
	best := map[bool]time.Duration{}
	for b.Loop() {
		for _, ours := range []bool{true, false} {
			start := time.Now()
			if ours {
				readOurs(b, list)
			} else {
				readPeer(b, list)
			}
			if took := time.Since(start); best[ours] == 0 || took < best[ours] {
				best[ours] = took
			}
		}
	}
	b.ReportMetric(float64(best[false])/float64(best[true]), "times-encoding-csv")
	b.ReportMetric(float64(len(list))/1e6/best[true].Seconds(), "MB/s")
}

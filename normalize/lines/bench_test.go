package lines

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"testing"
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

func BenchmarkRecords(b *testing.B) {
	list := sampleList(100_000)
	b.Run("lines", func(b *testing.B) {
		b.SetBytes(int64(len(list)))
		b.ReportAllocs()
		for b.Loop() {
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
	})
	b.Run("encoding-csv", func(b *testing.B) {
		b.SetBytes(int64(len(list)))
		b.ReportAllocs()
		for b.Loop() {
			c := csv.NewReader(bytes.NewReader(list))
			c.Comma = ';'
			for {
				if _, err := c.Read(); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

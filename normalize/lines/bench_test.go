//go:build unix

package lines

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"syscall"
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

// took is how long something took: by the clock, and of the processors.
type took struct{ wall, cpu time.Duration }

// timed is how long f took. What was left over before is cleared away first.
func timed(f func()) took {
	runtime.GC()
	start, before := time.Now(), cpuTime()
	f()
	return took{time.Since(start), cpuTime() - before}
}

// cpuTime is what this process has used of the processors.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// allQuoted has quotes around every cell of a list, as many shops write them.
func allQuoted(list []byte) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(string(list)) {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "; ", ", ")
		cells := strings.Split(strings.ReplaceAll(line, `"`, ""), ";")
		fmt.Fprintf(&out, "\"%s\"\n", strings.Join(cells, `";"`))
	}
	return out.Bytes()
}

// BenchmarkAgainstPeer reads by turns, so that a busy machine slows all, and compares the best time of each with that of blocks: by the clock,
// and by the time of the processors, which says more where others use them too.
func BenchmarkAgainstPeer(b *testing.B) {
	list := sampleList(200_000)
	for _, kind := range []struct {
		name string
		list []byte
	}{{"mixed", list}, {"quoted", allQuoted(list)}} {
		b.Run(kind.name, func(b *testing.B) {
			best := make([]took, len(readers))
			for b.Loop() {
				for i, r := range readers {
					if t := timed(func() { r.read(b, kind.list) }); best[i].wall == 0 {
						best[i] = t
					} else {
						best[i] = took{min(best[i].wall, t.wall), min(best[i].cpu, t.cpu)}
					}
				}
			}
			for i, r := range readers[1:] {
				b.ReportMetric(float64(best[i+1].wall)/float64(best[0].wall), "times-"+r.name)
				b.ReportMetric(float64(best[i+1].cpu)/float64(best[0].cpu), "cpu-times-"+r.name)
			}
			b.ReportMetric(float64(len(kind.list))/1e6/best[0].wall.Seconds(), "MB/s")
		})
	}
}

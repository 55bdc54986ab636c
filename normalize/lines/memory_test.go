package lines

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// pieces is a text of n times the same piece, behind a beginning.
type pieces struct {
	start, piece string
	n            int
	rest         string
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.start != "" {
		p.rest, p.start = p.start, ""
	}
	if p.rest == "" {
		if p.n == 0 {
			return 0, io.EOF
		}
		p.n--
		p.rest = p.piece
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// TestMemoryStaysSmall reads long files of the worst kinds; memory is looked at all along.
func TestMemoryStaysSmall(t *testing.T) {
	const size = 4 << 20
	for name, p := range map[string]pieces{
		"rows":         {start: "a,b\n", piece: strings.Repeat("1,2\n", 1000)},
		"one line":     {start: "a,b\n", piece: strings.Repeat("x", 4000)},
		"one quote":    {start: "a,b\n\"", piece: strings.Repeat("1,2\n", 1000)},
		"many quotes":  {start: "a,b\n", piece: strings.Repeat("\"\"", 2000)},
		"broken ones":  {start: "a,b\n", piece: strings.Repeat("1,\"x\n", 1000)},
		"no delimiter": {start: "a\n", piece: strings.Repeat("\r", 4000)},
		"NUL bytes":    {start: "a,b\n" + strings.Repeat("1,2\n", sampleSize), piece: strings.Repeat("\x00", 4000)},
	} {
		t.Run(name, func(t *testing.T) {
			p.n = size / len(p.piece)
			r, err := NewReader("list.csv", &p)
			if err != nil {
				t.Fatal(err)
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			before, n := m.HeapAlloc, 0
			for range r.Records() {
				if n++; n%200_000 == 0 {
					runtime.GC()
				}
				if n%200_000 != 0 && n > 3 {
					continue
				}
				if runtime.ReadMemStats(&m); m.HeapAlloc > before+16<<20 {
					t.Fatalf("%d bytes more are held after %d records", m.HeapAlloc-before, n)
				}
			}
		})
	}
}

package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// list is all that a reader tells of a file.
type list struct {
	Records  []string
	Encoding string
	Notes    []Note
	Err      string
}

// add keeps a record with all that it says.
func (l *list) add(rec Record, err error) {
	if ends(err) {
		l.Err = fmt.Sprintf("%#v", err)
		return
	}
	text := fmt.Sprintf("%d %q %q %v", rec.Line, rec.Fields, rec.Raw(), rec.Notes())
	for i := range rec.Fields {
		text += fmt.Sprint(" ", rec.Char(i))
	}
	if err != nil {
		text += " " + err.Error()
	}
	l.Records = append(l.Records, text)
}

// oneByOne reads a file record by record, as the careful path does; taken is how many are read before.
func oneByOne(text []byte, window, taken int) (l list, failed bool) {
	r, err := newReader("f", bytes.NewReader(text), window)
	if err != nil {
		return l, true
	}
	r.Peek(taken)
	for rec, err := range r.Records() {
		l.add(rec, err)
	}
	l.Encoding, l.Notes = r.Encoding, r.Notes()
	return l, false
}

// inBlocks reads a file block by block. Settled: half of the records are settled and made once more, and texts are written over.
func inBlocks(t testing.TB, text []byte, window, taken int, settled bool) (l list) {
	r, err := newReader("f", bytes.NewReader(text), window)
	if err != nil {
		t.Fatal(err)
	}
	r.Peek(taken)
	source, cells, blank, first := blocks{r: r, least: 1}, Cells{}, 0, 0
	l.Encoding = r.Encoding
	var b Block
	if r.Passing = settled; settled {
		var again Cells
		cells.Settled = func(rec *Record) bool {
			if rec.Line%2 == 0 {
				return false
			}
			l.add(b.Record(&again, rec.Line, rec.Raw()), nil)
			return true
		}
	}
	for {
		source.room = b.room
		if b, err = source.next(); err != nil {
			if !errors.Is(err, io.EOF) {
				l.add(Record{}, err)
			}
			break
		}
		cells.Reset()
		for rec, err := range b.Records(&cells) {
			l.add(rec, err)
		}
		l.Encoding, l.Notes = b.Encoding, b.Notes
		if blank += cells.Blank; first == 0 {
			first = cells.FirstBlank
		}
	}
	r.Close()
	l.Encoding, l.Notes = r.Encoding, r.Notes()
	if blank == 0 {
		return l
	}
	for i, n := range l.Notes {
		if n.Rule == ruleBlank {
			blank += n.Count
			if n.Line < first {
				first = n.Line
			}
			l.Notes = slices.Delete(l.Notes, i, i+1)
			break
		}
	}
	l.Notes = append(l.Notes, Note{Rule: ruleBlank, Line: first, Count: blank, Msg: "blank lines"})
	return l
}

// sorted puts notes in the order of their rules: blank lines that blocks count come late.
func (l list) sorted() list {
	slices.SortFunc(l.Notes, func(a, b Note) int { return strings.Compare(a.Rule, b.Rule) })
	return l
}

// FuzzBlocks holds the fast path against the careful one: same records, places, notes and errors, whatever the window is.
func FuzzBlocks(f *testing.F) {
	for _, s := range []string{
		"a,b\n1,2\n\n3,4\n", "a;b\r\n\"x;y\";\"z\"\"\"\r\n1;2\r\n", "a,b\n1,\"x\ny\"\n2,z\n", "a,b\n\"x\ny\",a\"b\n1,2\n\"\n", "a,b\n\"x\ny\",\"\x00\"\n1,2\n",
		"a,b\n1,\"2\n3,4\n5,\"6\"\n", "a,b\r\r\n1,2\r3,4\n", "a,b\n1,2\n\xe9,3\n4,\xc3\xa9\n", "\n\n\r\n a,b\n,,\n", "sep=;\na;b\n1;2\n", "a \"b\" c,d\n\"e\" ,f\n1,2\n",
		"a,b\n\"\",\"\"\"\"\n\"\"\"x\",1\n", "a,b\n1,2\x1a", "a\tb\n1\t\"x\r\ny\"\r\n", "a,b\n1,2\n\"\r\",3\n\"4\n",
	} {
		f.Add([]byte(s), uint8(0), uint8(0))
		f.Add([]byte(s), uint8(5), uint8(1))
	}
	f.Fuzz(func(t *testing.T, text []byte, window, taken uint8) {
		want, failed := oneByOne(text, int(window)+1, int(taken))
		if failed {
			return
		}
		for _, settled := range []bool{false, true} {
			got := inBlocks(t, text, int(window)+1, int(taken), settled)
			if d := cmp.Diff(want.sorted(), got.sorted()); d != "" {
				t.Errorf("settled %t: -record by record, +in blocks:\n%s", settled, d)
			}
		}
	})
}

// bigList has rows of every kind that the fast path meets, and n stretches between rows that need care.
func bigList(n int) []byte {
	var b bytes.Buffer
	b.WriteString("name,phone,note\n")
	for i := range n {
		for k := range 500 {
			fmt.Fprintf(&b, "Ana %d,+55119%08d,x\r\n", k, i*500+k)
			if k%50 == 7 {
				b.WriteString("\n\"Silva, \"\"Jo\"\"\",\"11\n22\",\n")
			}
		}
		b.WriteString([]string{"a \"b\" c,1,2\n", "x,\x00,y\n", "x,1,2\r3,4,5\n", "\"a\" ,b,c\n"}[i%4])
	}
	return b.Bytes()
}

// TestInOrder holds that all cores together read as one reader does.
func TestInOrder(t *testing.T) {
	text := bigList(80)
	want, _ := oneByOne(text, sampleSize, 0)
	for _, passing := range []bool{false, true} {
		testInOrder(t, text, want, passing)
	}
}

func testInOrder(t *testing.T, text []byte, want list, passing bool) {
	r, err := NewReader("f", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Passing = passing
	var got []string
	for records, err := range InOrder(r, func(b Block) (l list) {
		var cells Cells
		for rec, err := range b.Records(&cells) {
			l.add(rec, err)
		}
		return l
	}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, records.Records...)
	}
	if d := cmp.Diff(want.Records, got); d != "" || len(got) < 40_000 {
		t.Errorf("%d records: %s", len(got), d)
	}
}

// TestInOrderEndsEarly holds that nothing waits for ever where the rows are not read to the end, and that an error comes last.
func TestInOrderEndsEarly(t *testing.T) {
	broken := errors.New("broken")
	for _, want := range []int{1, 3, 1 << 30} {
		r, err := NewReader("f", io.MultiReader(bytes.NewReader(bigList(20)), failing{broken}))
		if err != nil {
			t.Fatal(err)
		}
		n, last := 0, error(nil)
		for _, err := range InOrder(r, func(b Block) int { return b.line }) {
			if last = err; err != nil {
				continue
			}
			if n++; n == want {
				break
			}
		}
		if errors.Is(last, broken) != (want == 1<<30) || n > want {
			t.Errorf("%d blocks, last error %v", n, last)
		}
	}
}

// failing is a source that fails at once.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

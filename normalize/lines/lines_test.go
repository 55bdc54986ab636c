package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// row is a record as a test writes it down.
type row struct {
	Line   int
	Fields []string
}

// readAll reads a whole text; the first error that ends the reading comes last.
func readAll(t testing.TB, text string) (rows []row, spoilt []int, err error) {
	t.Helper()
	r, err := NewReader("list.csv", strings.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	for rec, err := range r.Records() {
		if e, ok := errors.AsType[*LineError](err); ok {
			spoilt = append(spoilt, e.Line)
			continue
		}
		if err != nil {
			return rows, spoilt, err
		}
		rows = append(rows, row{rec.Line, rec.Fields})
	}
	return rows, spoilt, nil
}

func TestRecords(t *testing.T) {
	tests := map[string]struct {
		text string
		want []row
	}{
		"comma":             {"a,b\n1,2\n", []row{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"semicolon, CRLF":   {"a;b\r\nx, y;2\r\n", []row{{1, []string{"a", "b"}}, {2, []string{"x, y", "2"}}}},
		"tab with commas":   {"a\tb\n1, 2\t3\n4, 5\t6\n", []row{{1, []string{"a", "b"}}, {2, []string{"1, 2", "3"}}, {3, []string{"4, 5", "6"}}}},
		"both in header":    {"a;b, c;d\n1;2;3\n", []row{{1, []string{"a", "b, c", "d"}}, {2, []string{"1", "2", "3"}}}},
		"one column":        {"phone\n+1 2\n(3) 4", []row{{1, []string{"phone"}}, {2, []string{"+1 2"}}, {3, []string{"(3) 4"}}}},
		"BOM, quoted":       {bom + "\"a\",\"b\"\n\"1\",\"2\"\n", []row{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"blank lines count": {"a,b\n\n\r\n1,2\n", []row{{1, []string{"a", "b"}}, {4, []string{"1", "2"}}}},
		"newline in cell":   {"a,b\n1,\"x\r\ny\"\n2,z\n", []row{{1, []string{"a", "b"}}, {2, []string{"1", "x\r\ny"}}, {4, []string{"2", "z"}}}},
		"doubled quotes":    {"a,b\n\"x \"\"y\"\"\",2\n", []row{{1, []string{"a", "b"}}, {2, []string{`x "y"`, "2"}}}},
		"empty at the end":  {"a,b\n1,", []row{{1, []string{"a", "b"}}, {2, []string{"1", ""}}}},
		"empty quoted":      {"a,b\n\"\",\"\"", []row{{1, []string{"a", "b"}}, {2, []string{"", ""}}}},
		"DOS end of file":   {"a,b\n1,2\n\x1a", []row{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"CR ends the file":  {"a,b\n1,2\r", []row{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"delimiter quoted":  {"a;b\n\"x;y\";\"2\"\r\n", []row{{1, []string{"a", "b"}}, {2, []string{"x;y", "2"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, spoilt, err := readAll(t, tt.text)
			if err != nil || spoilt != nil {
				t.Fatalf("error %v, spoilt lines %v", err, spoilt)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	long := strings.Repeat("x", maxRecord)
	tests := map[string]struct {
		text       string
		want       error
		line, char int
		rows       int // read before the refusal
	}{
		"empty":                {"", ErrEmpty, 0, 0, 0},
		"blank":                {bom + " \r\n\n", ErrEmpty, 0, 0, 0},
		"UTF-16 LE":            {"\xff\xfea\x00", ErrEncoding, 0, 0, 0},
		"UTF-16 BE":            {"\xfe\xff\x00a", ErrEncoding, 0, 0, 0},
		"UTF-16, no BOM":       {"a\x00,\x00b\x00\n\x00", ErrEncoding, 0, 0, 0},
		"gzip":                 {"\x1f\x8b\x08\x00", ErrFormat, 0, 0, 0},
		"zstd":                 {"\x28\xb5\x2f\xfd\x00", ErrFormat, 0, 0, 0},
		"XLSX":                 {"PK\x03\x04\x14\x00", ErrFormat, 0, 0, 0},
		"Windows-1252":         {"Nome;N\xfamero\r\nA;1\r\n", ErrEncoding, 1, 7, 0},
		"Windows-1252 later":   {"a;b\n1;2\nJo\xe3o;2\n", ErrEncoding, 3, 3, 2},
		"CR only":              {"a,b\r1,2\r3,4\r", ErrFormat, 1, 4, 0},
		"CR inside":            {"a,b\n1,2\r3,4\n", ErrFormat, 2, 4, 1},
		"pipe":                 {"a|b\n1|2\n", ErrFormat, 1, 0, 0},
		"sep line":             {"sep=;\r\na;b\r\n", ErrFormat, 1, 0, 0},
		"sep line, quoted":     {bom + "\"SEP=,\"\na,b\n", ErrFormat, 1, 0, 0},
		"NUL":                  {"a,b\nAna\x00,2\n", ErrNUL, 2, 4, 1},
		"unclosed quote":       {"a,b\n1,2\nã,\"x\n3,4\n", ErrUnclosedQuote, 3, 3, 2},
		"unclosed, 1 MiB":      {"a,b\n1,\"" + long + "\n", ErrUnclosedQuote, 2, 3, 1},
		"long line":            {"a,b\n1," + long + "\n", ErrTooLong, 2, 1, 1},
		"text behind a quote":  {"a,b\n\"B \"u\" T\",2\n", ErrBareQuote, 2, 4, 1},
		"odd opening quote":    {"a,b\nx \"y,2\nz\",3\n", ErrBareQuote, 2, 3, 1},
		"quote after space":    {"a,b\n1, \"y\n", ErrBareQuote, 2, 4, 1},
		"truncated UTF-8":      {"a,b\n1,\xc3", ErrEncoding, 2, 3, 1},
		"bad byte then a CR":   {"a,\xe3\r1", ErrEncoding, 1, 3, 0},
		"one gigabyte of NULs": {"a,b\n" + strings.Repeat("\x00", 3*maxRecord), ErrNUL, 2, 1, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rows, _, err := readAll(t, tt.text)
			if !errors.Is(err, tt.want) {
				t.Fatalf("error %v, want %v", err, tt.want)
			}
			e, ok := errors.AsType[*FileError](err)
			if !ok || e.Msg == "" || e.Hint == "" {
				t.Fatalf("%#v has no message or no hint", err)
			}
			if e.Line != tt.line || e.Char != tt.char || len(rows) != tt.rows {
				t.Errorf("%v\nat line %d, character %d after %d rows, want line %d, character %d after %d", err, e.Line, e.Char, len(rows), tt.line, tt.char, tt.rows)
			}
		})
	}
}

func TestBareQuoteSpoilsOneLine(t *testing.T) {
	rows, spoilt, err := readAll(t, "a,b\nAna \"A\" T,1\nCarla 5\" T,2\nDavi,3\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{2, 3}, spoilt); diff != "" {
		t.Errorf("spoilt lines (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]row{{1, []string{"a", "b"}}, {4, []string{"Davi", "3"}}}, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestChar(t *testing.T) {
	r, err := NewReader("list.csv", strings.NewReader(bom+"São,b,c\n\"ã;\"\"x\",\"y\nz\",w\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got [][]int
	for rec, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, []int{rec.Char(0), rec.Char(1), rec.Char(2), rec.Char(3), rec.Char(-1)})
	}
	want := [][]int{{1, 5, 7, 0, 0}, {1, 9, 0, 0, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("characters (-want +got):\n%s", diff)
	}
}

// TestSmallReads holds that the record never depends on how the source hands out its bytes.
func TestSmallReads(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,c\r\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d,\"x\"\"%d\r\ny\",z\r\n", i, i)
	}
	whole, _, err := readAll(t, text.String())
	if err != nil || len(whole) != 20_001 {
		t.Fatalf("%d rows, error %v", len(whole), err)
	}
	r, err := NewReader("list.csv", iotest.HalfReader(strings.NewReader(text.String())))
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for rec, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole[i], row{rec.Line, rec.Fields}); diff != "" {
			t.Fatalf("record %d (-whole +half):\n%s", i, diff)
		}
		i++
	}
	if i != len(whole) {
		t.Errorf("%d records, want %d", i, len(whole))
	}
}

func TestSourceFails(t *testing.T) {
	broken := errors.New("cable pulled")
	r, err := NewReader("list.csv", io.MultiReader(strings.NewReader(strings.Repeat("a,b\n", 100_000)), iotest.ErrReader(broken)))
	if err != nil {
		t.Fatal(err)
	}
	var last error
	for _, err := range r.Records() {
		last = err
	}
	if !errors.Is(last, broken) || !strings.Contains(last.Error(), "list.csv") {
		t.Errorf("last error %v, want one that wraps %v and names the file", last, broken)
	}
}

func TestBreakEndsReading(t *testing.T) {
	r, err := NewReader("list.csv", bytes.NewReader([]byte("a,b\n1,2\n3,4\n")))
	if err != nil {
		t.Fatal(err)
	}
	for range r.Records() {
		break
	}
	n := 0
	for range r.Records() {
		n++
	}
	if n != 2 {
		t.Errorf("%d records after a break, want the 2 that were left", n)
	}
}

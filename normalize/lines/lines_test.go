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
	"pgregory.net/rapid"
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
		if _, ok := errors.AsType[*LineError](err); ok {
			spoilt = append(spoilt, rec.Line)
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
	ab := row{1, []string{"a", "b"}}
	tests := map[string]struct {
		text string
		want []row
	}{
		"comma":              {"a,b\n1,2\n", []row{ab, {2, []string{"1", "2"}}}},
		"semicolon, CRLF":    {"a;b\r\nx, y;2\r\n", []row{ab, {2, []string{"x, y", "2"}}}},
		"tab with commas":    {"a\tb\n1, 2\t3\n4, 5\t6\n", []row{ab, {2, []string{"1, 2", "3"}}, {3, []string{"4, 5", "6"}}}},
		"pipe":               {"a|b\nx, y|2\n", []row{ab, {2, []string{"x, y", "2"}}}},
		"both in header":     {"a;b, c;d\n1;2;3\n", []row{{1, []string{"a", "b, c", "d"}}, {2, []string{"1", "2", "3"}}}},
		"one column":         {"phone\n+1 2\n(3) 4", []row{{1, []string{"phone"}}, {2, []string{"+1 2"}}, {3, []string{"(3) 4"}}}},
		"BOM, quoted":        {bom + "\"a\",\"b\"\n\"1\",\"2\"\n", []row{ab, {2, []string{"1", "2"}}}},
		"blank lines count":  {"a,b\n\n\r\n1,2\n", []row{ab, {4, []string{"1", "2"}}}},
		"newline in cell":    {"a,b\n1,\"x\r\ny\"\n2,z\n", []row{ab, {2, []string{"1", "x\r\ny"}}, {4, []string{"2", "z"}}}},
		"doubled quotes":     {"a,b\n\"x \"\"y\"\"\",2\n", []row{ab, {2, []string{`x "y"`, "2"}}}},
		"empty at the end":   {"a,b\n1,", []row{ab, {2, []string{"1", ""}}}},
		"empty quoted":       {"a,b\n\"\",\"\"", []row{ab, {2, []string{"", ""}}}},
		"DOS end of file":    {"a,b\n1,2\n\x1a", []row{ab, {2, []string{"1", "2"}}}},
		"DOS end, no line":   {"a,b\n1,2\x1a\x1a", []row{ab, {2, []string{"1", "2"}}}},
		"CR ends the file":   {"a,b\n1,2\r", []row{ab, {2, []string{"1", "2"}}}},
		"CR only":            {"a,b\r1,2\r\r3,4\r", []row{ab, {2, []string{"1", "2"}}, {4, []string{"3", "4"}}}},
		"CR in a cell":       {"a,b\r1,\"x\ry\"\r3,4", []row{ab, {2, []string{"1", "x\ry"}}, {4, []string{"3", "4"}}}},
		"mixed endings":      {"a,b\n1,2\r3,4\r\n5,6\n", []row{ab, {2, []string{"1", "2"}}, {3, []string{"3", "4"}}, {4, []string{"5", "6"}}}},
		"CR CR LF":           {"a,b\r\r\n1,2\r\r\n", []row{ab, {2, []string{"1", "2"}}}},
		"delimiter quoted":   {"a;b\n\"x;y\";\"2\"\r\n", []row{ab, {2, []string{"x;y", "2"}}}},
		"sep line":           {"sep=;\r\na;b\r\n1;2", []row{{2, []string{"a", "b"}}, {3, []string{"1", "2"}}}},
		"sep line, quoted":   {bom + "\"SEP=,\"\na,b\n", []row{{2, []string{"a", "b"}}}},
		"sep line, tab":      {"sep=\t\na\tb\n", []row{{2, []string{"a", "b"}}}},
		"sep line, unusual":  {"sep=^\na^b,c\n", []row{{2, []string{"a", "b,c"}}}},
		"sep line, CR":       {"sep=;\ra;b\r", []row{{2, []string{"a", "b"}}}},
		"sep line, empty":    {"sep=\na,b\n", []row{{2, []string{"a", "b"}}}},
		"UTF-16 LE":          {"\xff\xfea\x00,\x00b\x00\n\x00\xe3\x00,\x002\x00", []row{ab, {2, []string{"ã", "2"}}}},
		"UTF-16 BE":          {"\xfe\xff\x00a\x00,\x00b\x00\r\x00\n\x00\xe3\x00,\x002", []row{ab, {2, []string{"ã", "2"}}}},
		"UTF-16 LE, no mark": {"a\x00,\x00b\x00\n\x001\x00,\x002\x00", []row{ab, {2, []string{"1", "2"}}}},
		"UTF-16 BE, no mark": {"\x00a\x00,\x00b\x00\n\x001\x00,\x002", []row{ab, {2, []string{"1", "2"}}}},
		"Windows-1252":       {"Nome;N\xfamero\r\nA;\x93ok\x94 \x80\r\n", []row{{1, []string{"Nome", "Número"}}, {2, []string{"A", "“ok” €"}}}},
		"Mac Roman":          {"Nome;N\x9cmero\rJo\x8bo;Concei\x8d\x8bo\r", []row{{1, []string{"Nome", "Número"}}, {2, []string{"João", "Conceição"}}}},
		"truncated UTF-8":    {"a,b\nç,ã\n1,\xc3", []row{ab, {2, []string{"ç", "ã"}}, {3, []string{"1", "Ã"}}}},
		"NUL stays":          {"a,b\nAna\x00,2\n", []row{ab, {2, []string{"Ana\x00", "2"}}}},
		"blank before quote": {"a,b\nx, \"y, z\" \nw, \"v\"", []row{ab, {2, []string{"x", "y, z"}}, {3, []string{"w", "v"}}}},
		"blank after quote":  {"a,b\n\"x\" ,\"y\"\n", []row{ab, {2, []string{"x", "y"}}}},
		"quotes in a name":   {"a,b\nAna \"A\" T,1\nCarla 5\" T,2\n\"B \"u\" T\",3\n", []row{ab, {2, []string{`Ana "A" T`, "1"}}, {3, []string{`Carla 5" T`, "2"}}, {4, []string{`B "u" T`, "3"}}}},
		"formula":            {"a,b\n=\"+5511\",=\"\"1\"\"\n", []row{ab, {2, []string{`="+5511"`, `=""1""`}}}},
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
		"UTF-32 LE":            {"\xff\xfe\x00\x00a\x00\x00\x00", ErrEncoding, 0, 0, 0},
		"gzip, cut":            {"\x1f\x8b\x08\x00", ErrPacked, 0, 0, 0},
		"zstd, cut":            {"\x28\xb5\x2f\xfd\x00", ErrPacked, 0, 0, 0},
		"ZIP, cut":             {"PK\x03\x04\x14\x00", ErrFormat, 0, 0, 0},
		"PDF":                  {"%PDF-1.4", ErrFormat, 0, 0, 0},
		"old XLS":              {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", ErrFormat, 0, 0, 0},
		"one endless field":    {"a,b\n1,\"" + long + "\n", ErrUnclosedQuote, 2, 3, 1},
		"long line":            {"a,b\n1," + long + "\n", ErrTooLong, 2, 1, 1},
		"no line at all":       {"a," + long + long, ErrTooLong, 1, 1, 0},
		"binary":               {"a,b\n" + strings.Repeat("\x00", 3*maxRecord), ErrNUL, 0, 0, 0},
		"NULs that come later": {strings.Repeat("a,b\n", sampleSize/4) + strings.Repeat("\x00", 3*maxRecord), ErrTooLong, sampleSize/4 + 1, 1, sampleSize / 4},
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

// TestSpoilt holds which records are in doubt, and that all others are read.
func TestSpoilt(t *testing.T) {
	tests := map[string]struct {
		text   string
		spoilt []int
		rule   string
		at     [3]int // line, column, character of the first fault
		rows   []int  // lines of the sound records
	}{
		"never closes":          {"a,b\n1,2\nã,\"x\n3,4\n\n5,6\n", []int{3, 4, 6}, ruleUnclosed, [3]int{3, 2, 3}, []int{1, 2}},
		"never closes, last":    {"a,b\n1,\"2", []int{2}, ruleUnclosed, [3]int{2, 2, 3}, []int{1}},
		"broken by the next":    {"a,b\n1,\"x\n3,4\n5,\"6\"\n7,8\n", []int{2, 3}, ruleUnclosed, [3]int{2, 2, 3}, []int{1, 4, 5}},
		"odd opening quote":     {"a,b\nx \"y,2\nz\",3\nw,4\n", []int{2, 3}, ruleBareQuote, [3]int{2, 1, 3}, []int{1, 4}},
		"odd quote after blank": {"a,b\n1, \"y\n2,3\n", []int{2}, ruleBareQuote, [3]int{2, 2, 4}, []int{1, 3}},
		"may open the next":     {"a,b,c\n\"x \"y,\"z\"\n1,2,3\n", []int{2}, ruleBareQuote, [3]int{2, 1, 7}, []int{1, 3}},
		"over 1 MiB":            {"a,b\n1,\"2\n" + strings.Repeat("3,4\n", maxRecord/3), nil, ruleUnclosed, [3]int{2, 2, 3}, []int{1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r, err := NewReader("list.csv", strings.NewReader(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			var first *LineError
			var spoilt, rows []int
			for rec, err := range r.Records() {
				e, ok := errors.AsType[*LineError](err)
				switch {
				case ok:
					if spoilt = append(spoilt, rec.Line); first == nil {
						first = e
					}
				case err != nil:
					t.Fatal(err)
				default:
					rows = append(rows, rec.Line)
				}
			}
			if first == nil || first.Rule != tt.rule || [3]int{first.Line, first.Column, first.Char} != tt.at {
				t.Errorf("first fault %#v, want %s at %v", first, tt.rule, tt.at)
			}
			if diff := cmp.Diff(tt.rows, rows); diff != "" {
				t.Errorf("sound lines (-want +got):\n%s", diff)
			}
			if tt.spoilt == nil && len(spoilt) == 1+maxRecord/3 {
				return
			}
			if diff := cmp.Diff(tt.spoilt, spoilt); diff != "" {
				t.Errorf("spoilt lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestUnclosedKeepsWhatStandsBefore holds that the fields before an unclosed quote are known.
func TestUnclosedKeepsWhatStandsBefore(t *testing.T) {
	r, err := NewReader("list.csv", strings.NewReader("a,b,c\n1,+55,\"x,y\n2,3,4\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []row
	for rec := range r.Records() {
		got = append(got, row{rec.Line, rec.Fields})
	}
	want := []row{{1, []string{"a", "b", "c"}}, {2, []string{"1", "+55", "\"x,y"}}, {3, []string{"2", "3", "4"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestNotes(t *testing.T) {
	big := strings.Repeat("1,2\n", sampleSize)
	tests := map[string]struct {
		text     string
		encoding string
		file     []Note // without words
		records  []Note
	}{
		"nothing":             {"a,b\n1,2\n", UTF8, nil, nil},
		"CR only":             {"a,b\rã,2\r", UTF8, []Note{{Rule: ruleCR, Line: 1, Char: 4, Count: 1}}, nil},
		"sep line":            {"sep=,\na,b\n", UTF8, []Note{{Rule: ruleSep, Line: 1, Count: 1}}, nil},
		"blank lines":         {"a,b\n\n\n1,2\n\n", UTF8, []Note{{Rule: ruleBlank, Line: 2, Count: 3}}, nil},
		"UTF-16 by looking":   {"a\x00,\x00b\x00\n\x001\x00,\x002\x00", "utf-16le", []Note{{Rule: ruleGuessed, Line: 1, Count: 1}}, nil},
		"UTF-16 with a mark":  {"\xff\xfea\x00,\x00b\x00", "utf-16le-bom", nil, nil},
		"Windows-1252":        {"a,b\nJo\xe3o,2\n\xc1,3\n", Windows1252, []Note{{Rule: ruleGuessed, Line: 2, Char: 3, Count: 2}}, nil},
		"Windows-1252, late":  {big + "Jo\xe3o,2\n", Windows1252, []Note{{Rule: ruleGuessed, Line: sampleSize + 1, Char: 3, Count: 1}}, nil},
		"one byte in UTF-8":   {"a,b\nã,ç\né,\xe3\n", UTF8, nil, []Note{{Rule: ruleGuessed, Line: 3, Char: 3}}},
		"NUL":                 {"a,b\nAã\x00,\"1\x002\"\n", UTF8, nil, []Note{{Rule: ruleNUL, Line: 2, Column: 1, Char: 3}, {Rule: ruleNUL, Line: 2, Column: 2, Char: 7}}},
		"quotes":              {"a,b\nã \"A\",1\nx,\"B \"u\" T\"\n", UTF8, nil, []Note{{Rule: ruleBareQuote, Line: 2, Column: 1, Char: 3}, {Rule: ruleBareQuote, Line: 3, Column: 2, Char: 6}}},
		"quote on a 2nd line": {"a,b\n\"x\ny\",5\"\n", UTF8, nil, []Note{{Rule: ruleBareQuote, Line: 3, Column: 2, Char: 5}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r, err := NewReader("list.csv", strings.NewReader(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			var records []Note
			for rec, err := range r.Records() {
				if err != nil {
					t.Fatal(err)
				}
				records = append(records, rec.Notes()...)
			}
			if r.Encoding != tt.encoding {
				t.Errorf("encoding %s, want %s", r.Encoding, tt.encoding)
			}
			if diff := cmp.Diff(tt.file, wordless(t, r.Notes())); diff != "" {
				t.Errorf("notes on the file (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.records, wordless(t, records)); diff != "" {
				t.Errorf("notes on records (-want +got):\n%s", diff)
			}
		})
	}
}

// wordless takes the words off notes, and holds that there were some.
func wordless(t testing.TB, notes []Note) (out []Note) {
	t.Helper()
	for _, n := range notes {
		if n.Msg == "" {
			t.Errorf("note %s has no words", n.Rule)
		}
		n.Msg = ""
		out = append(out, n)
	}
	return out
}

func TestChar(t *testing.T) {
	r, err := NewReader("list.csv", strings.NewReader(bom+"São,b,c\n\"ã;\"\"x\",\"y\nz\",w\n\"B \"u, x\" T\",\"y\", z\n"))
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
	want := [][]int{{1, 5, 7, 0, 0}, {1, 9, 0, 0, 0}, {1, 14, 18, 0, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("characters (-want +got):\n%s", diff)
	}
}

// TestSmallReads holds that the record never depends on how the source hands out its bytes.
func TestSmallReads(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "é", "\xe3", "\"", "\"\"", ",", "\n", "\r\n", "\r", " ", "\x00", "1,2,3\n", "\"x\ny\",", strings.Repeat("z", 5000)})
	rapid.Check(t, func(rt *rapid.T) {
		text := "a,b,c\n" + strings.Join(rapid.SliceOfN(piece, 0, 80).Draw(rt, "pieces"), "")
		want := dump(strings.NewReader(text))
		if got := dump(iotest.OneByteReader(strings.NewReader(text))); got != want {
			rt.Fatalf("read byte by byte:\n%s\nread at once:\n%s", got, want)
		}
	})
}

// TestWindow holds the same across the edges of the window, where quoted cells make it grow.
func TestWindow(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,c\r\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d,\"x\"\"%d\r\ny\",z\r\n", i, i)
	}
	whole, _, err := readAll(t, text.String())
	if err != nil || len(whole) != 20_001 {
		t.Fatalf("%d rows, error %v", len(whole), err)
	}
	for i, r := range whole[1:] {
		if diff := cmp.Diff(row{2 + 2*i, []string{fmt.Sprint(i), fmt.Sprintf("x\"%d\r\ny", i), "z"}}, r); diff != "" {
			t.Fatalf("record %d (-want +got):\n%s", i, diff)
		}
	}
}

// dump writes everything that a reader says.
func dump(src io.Reader) string {
	var b strings.Builder
	r, err := NewReader("f", src)
	if err != nil {
		return err.Error()
	}
	for rec, err := range r.Records() {
		fmt.Fprintf(&b, "%d %q %v %v\n", rec.Line, rec.Fields, rec.Notes(), err)
	}
	fmt.Fprintf(&b, "%s %q %v", r.Encoding, r.Delimiter, r.Notes())
	return b.String()
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

func TestPeekTakesNothing(t *testing.T) {
	r, err := NewReader("list.csv", strings.NewReader("a,b\n1, \"x\n3,4\n5,6\n"))
	if err != nil {
		t.Fatal(err)
	}
	sound, fault := r.Peek(3)
	if e, ok := errors.AsType[*LineError](fault); !ok || e.Line != 2 || len(sound) != 2 {
		t.Errorf("%d sound records and %v, want 2 and the fault in line 2", len(sound), fault)
	}
	if sound, _ = r.Peek(50); len(sound) != 3 {
		t.Errorf("%d sound records in all, want 3", len(sound))
	}
	var got []int
	for rec := range r.Records() {
		got = append(got, rec.Line)
	}
	if diff := cmp.Diff([]int{1, 2, 3, 4}, got); diff != "" {
		t.Errorf("lines behind a look ahead (-want +got):\n%s", diff)
	}
}

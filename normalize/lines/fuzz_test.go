package lines

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// FuzzRecords holds the reader against encoding/csv on every input whose reading needed no leniency of ours.
func FuzzRecords(f *testing.F) {
	for _, s := range []string{
		"a,b\n1,2\n", "a;b\r\n\"x;y\";\"z\"\"\"\r\n", "a\tb\n1\t2", "phone\n1\n\n2", "a,b\n1,\"x\ny\"\n2,z\n", "a,b\n\"\",\n", "a,b\n1,2\r",
		"\"a\"\r", "a,\"b", "a \"b\" c,d\n", "a,b\r1", "\n\na,b", "\"\n\n\",x\n", "a,b\n\"x\"y\n", "a, \"b\" \n", "sep=;\na;b\n", "a\x00b\n", "\xe3,b\n", "a,\"b\nc,\"d\"\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader("f", bytes.NewReader(b))
		if err != nil {
			mustBePlaced(t, err)
			return
		}
		got, lines, strict := [][]string{}, 0, !bytes.Contains(b, []byte("\r\r")) && strings.HasPrefix(r.Encoding, UTF8) && utf8.Valid(b)
		for rec, err := range r.Records() {
			if err != nil {
				mustBePlaced(t, err)
				strict = false
			}
			if rec.Line <= lines && !ends(err) {
				t.Fatalf("record at line %d after one at line %d", rec.Line, lines)
			}
			lines = rec.Line
			for i := range rec.Fields {
				if c := rec.Char(i); c < 0 || c > len(b)+1 {
					t.Fatalf("field %d at character %d", i, c)
				}
			}
			strict = strict && !hasRule(rec.Notes(), ruleBareQuote)
			got = append(got, unixFields(rec.Fields))
		}
		if !strict || hasRule(r.Notes(), ruleCR) || hasRule(r.Notes(), ruleSep) {
			return
		}
		want, err := oracle(bytes.TrimPrefix(b, []byte(bom)), rune(r.Delimiter))
		if err != nil {
			t.Fatalf("encoding/csv refuses what was read: %v", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("records (-encoding/csv +ours):\n%s", diff)
		}
	})
}

// hasRule says whether a note is of that rule.
func hasRule(notes []Note, rule string) bool {
	for _, n := range notes {
		if n.Rule == rule {
			return true
		}
	}
	return false
}

// oracle reads with encoding/csv; 0x1A at the end is no part of a DOS text.
func oracle(b []byte, delim rune) ([][]string, error) {
	c := csv.NewReader(bytes.NewReader(bytes.TrimRight(b, "\x1a")))
	c.Comma, c.FieldsPerRecord = delim, -1
	out := [][]string{}
	for {
		rec, err := c.Read()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, unixFields(rec))
	}
}

// unixFields writes line endings inside cells as encoding/csv does: it turns CRLF into LF, we keep the bytes.
func unixFields(fields []string) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = strings.ReplaceAll(f, "\r\n", "\n")
	}
	return out
}

// mustBePlaced holds that an error says what was found and what to do.
func mustBePlaced(t *testing.T, err error) {
	t.Helper()
	if e, ok := errors.AsType[*LineError](err); ok && e.Line > 0 && e.Msg != "" && e.Hint != "" {
		return
	}
	if e, ok := errors.AsType[*FileError](err); ok && e.Msg != "" && e.Hint != "" && e.Err != nil {
		return
	}
	t.Fatalf("error without place or hint: %#v", err)
}

// FuzzUTF16 holds that text reads the same in UTF-16 as in UTF-8.
func FuzzUTF16(f *testing.F) {
	f.Add("a,b\nã,\"x\ny\"\n", false)
	f.Add("الاسم;رقم\r\nع;5\r\n", true)
	f.Add("a,\"b\r1,2", true)
	f.Fuzz(func(t *testing.T, text string, big bool) {
		if !utf8.ValidString(text) || strings.HasPrefix(text, bom) || strings.ContainsRune(text, 0) || packingName(text) {
			t.Skip("not the same text in UTF-8")
		}
		want := dump(strings.NewReader(bom + text))
		got := dump(bytes.NewReader(encode16(text, big)))
		name := "utf-16le-bom"
		if big {
			name = "utf-16be-bom"
		}
		if want = strings.Replace(want, UTF8BOM+" ", name+" ", 1); got != want {
			t.Errorf("as UTF-16:\n%s\nas UTF-8:\n%s", got, want)
		}
	})
}

// packingName says whether a text starts like a format that is not text.
func packingName(s string) bool {
	return checkSignature("", []byte(s)) != nil || strings.HasPrefix(s, zipMark)
}

// encode16 writes a text in UTF-16 with a byte order mark.
func encode16(s string, big bool) (b []byte) {
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(s))...) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// FuzzBytes16 reads any bytes as UTF-16: no crash, no endless work.
func FuzzBytes16(f *testing.F) {
	f.Add([]byte("a\x00,\x00\x00\xd8"))
	f.Add([]byte("\x0a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
			drain(t, append([]byte(mark), b...))
		}
	})
}

// drain reads a file to its end.
func drain(t *testing.T, b []byte) (records int) {
	t.Helper()
	r, err := NewReader("f", bytes.NewReader(b))
	if err != nil {
		mustBePlaced(t, err)
		return 0
	}
	for i := range r.Sheets() {
		if err := r.Select(i); err != nil {
			mustBePlaced(t, err)
			return 0
		}
		for rec, err := range r.Records() {
			if err != nil {
				mustBePlaced(t, err)
			}
			for k := range rec.Fields {
				rec.Number(k)
			}
		}
	}
	for _, err := range r.Records() {
		if records++; err != nil {
			mustBePlaced(t, err)
		}
	}
	return records
}

// FuzzPacked holds that packed text reads as the text itself, and that damage is an error and not an end.
func FuzzPacked(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n3,4\n"), 4, 20)
	f.Add([]byte("a;b\n"), 0, 3)
	f.Fuzz(func(t *testing.T, b []byte, split, damage int) {
		if len(b) < 4 || packingName(string(b)) || packings[0].prefix == string(b[:2]) || packings[1].prefix == string(b[:4]) {
			t.Skip("not text")
		}
		split = min(max(split, 0), len(b))
		want := dump(bytes.NewReader(b))
		packed := append(zip1(t, b[:split]), zip1(t, b[split:])...)
		if got := dump(bytes.NewReader(packed)); got != want {
			t.Errorf("from two gzip members:\n%s\nfrom the text:\n%s", got, want)
		}
		if got := dump(bytes.NewReader(zstd1(t, b))); got != want {
			t.Errorf("from zstd:\n%s\nfrom the text:\n%s", got, want)
		}
		cutOff := packed[:min(max(damage, 0), len(packed)-1)]
		if len(cutOff) > len(zip1(t, b[:split])) {
			if r, err := NewReader("f", bytes.NewReader(cutOff)); err == nil && !fails(r) {
				t.Error("a cut gzip file passed for a whole one")
			}
		}
		for i := range packed {
			if i%7 == damage%7 {
				packed[i] ^= 0x55
			}
		}
		drain(t, packed)
	})
}

// fails says whether the reading of a file ends with an error.
func fails(r *Reader) (failed bool) {
	for _, err := range r.Records() {
		failed = failed || ends(err)
	}
	return failed
}

func zip1(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstd1(t testing.TB, b []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll(b, nil)
}

package lines

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzRecords holds the reader against encoding/csv on every input that both accept.
func FuzzRecords(f *testing.F) {
	for _, s := range []string{
		"a,b\n1,2\n", "a;b\r\n\"x;y\";\"z\"\"\"\r\n", "a\tb\n1\t2", "phone\n1\n\n2", "a,b\n1,\"x\ny\"\n2,z\n", "a,b\n\"\",\n", "a,b\n1,2\r",
		"\"a\"\r", "a,\"b", "a \"b\" c,d\n", "a,b\r1", "\n\na,b", "\"\n\n\",x\n", "a,b\n\"x\"y\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader("f", bytes.NewReader(b))
		if err != nil {
			mustBePlaced(t, err)
			return
		}
		got := [][]string{}
		lines := 0
		for rec, err := range r.Records() {
			if err != nil {
				mustBePlaced(t, err)
				return
			}
			if rec.Line <= lines {
				t.Fatalf("record at line %d after one at line %d", rec.Line, lines)
			}
			lines = rec.Line
			got = append(got, unixFields(rec.Fields))
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

// oracle reads with encoding/csv; a final 0x1A is no part of a DOS text.
func oracle(b []byte, delim rune) ([][]string, error) {
	if n := len(b); n > 0 && b[n-1] == 0x1a && (n == 1 || b[n-2] == '\n') {
		b = b[:n-1]
	}
	c := csv.NewReader(bytes.NewReader(b))
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

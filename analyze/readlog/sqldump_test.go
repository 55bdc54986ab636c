package readlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/analyze"
)

// TestSQLTexts reads texts of both dialects: what a backslash means depends on who wrote the dump.
func TestSQLTexts(t *testing.T) {
	for name, c := range map[string]struct{ dump, want string }{
		"a quote is doubled":                  {"INSERT INTO logs VALUES (1, 'it''s');", "it's"},
		"a backslash is one in Postgres":      {`INSERT INTO logs VALUES (1, 'C:\new');`, `C:\new`},
		"a backslash says a line in MySQL":    {"INSERT INTO `logs` VALUES (1, 'a\\nb\\'c');", "a\nb'c"},
		"JSON shows the dialect":              {`INSERT INTO logs VALUES (1, '{\"a\":\"b\"}');`, `{"a":"b"}`},
		"a bracket and a semicolon in a text": {"INSERT INTO logs VALUES (1, 'a);(b');", "a);(b"},
		"a text in a cast":                    {"INSERT INTO logs VALUES (1, CAST('{}' AS JSON));", "{}"},
		"a text with its charset":             {"INSERT INTO `logs` VALUES (1, _binary 'x');", "x"},
		"columns are named":                   {"REPLACE INTO logs (id, body) VALUES (1, 'x');", "x"},
		"a comment before it":                 {"-- it's a dump\n/* ; ' */ # '\nINSERT IGNORE INTO logs VALUES (1, 'x');", "x"},
		"a statement before it":               {"SET x = 'a;b';\nINSERT INTO logs VALUES (1, 'x')", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			d := sqlRowsOf(t, c.dump)
			for _, row := range d {
				got = append(got, row.cells[len(row.cells)-1].text)
			}
			if diff := cmp.Diff([]string{c.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// sqlRowsOf is the rows of a dump's only table that has some.
func sqlRowsOf(t *testing.T, dump string) []sqlRow {
	t.Helper()
	if !isSQL([]byte(dump)) {
		t.Fatalf("not taken for a dump: %q", dump)
	}
	p := newPass(0, analyze.Want{}, &Options{}, "dump.sql", func(analyze.Event) bool { return true })
	d := newSQLDump(p, strings.NewReader(dump))
	if err := d.run(); err == nil {
		t.Fatal("the end is an error for the loop")
	}
	for _, table := range d.order {
		if len(table.waiting) > 0 {
			return table.waiting
		}
	}
	return nil
}

func TestNoSQL(t *testing.T) {
	for _, text := range []string{
		`{"sql":"INSERT INTO logs VALUES (1)"}`, "2026-11-19 10:00:00 DEBUG INSERT INTO logs VALUES (1)\n", "id,INSERT INTO x\n1,2\n", "", "SELECT 1;\n",
	} {
		if isSQL([]byte(text)) {
			t.Errorf("taken for a dump: %q", text)
		}
	}
}

// FuzzSQL checks that no dump breaks the reader, that every event has a place in it, and that a second pass yields the same.
func FuzzSQL(f *testing.F) {
	paths, err := filepath.Glob(samples + "/cases/*.sql")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, s string) { checkPasses(t, "INSERT INTO `a` VALUES (1);\n"+s) })
}

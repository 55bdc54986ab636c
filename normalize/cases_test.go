package normalize

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wactl/wactl/normalize/lines"
)

const casesFolder = "../testdata/lists/cases"

// expectFile is what a case file says about its list.
type expectFile struct {
	Region *string `json:"default_region"`
	Rows   []struct {
		Line     int     `json:"line"`
		Input    string  `json:"input"`
		E164     *string `json:"e164"`
		Problem  *string `json:"problem"`
		Severity string  `json:"severity"`
	} `json:"rows"`
}

// refusedFiles are the cases that this version refuses as a file, and why; all others must be read.
var refusedFiles = map[string]error{
	"12-xlsx-cell-types":          lines.ErrFormat,
	"13-xlsx-ragged-hidden":       lines.ErrFormat,
	"15-utf16le-unicode-text":     lines.ErrEncoding,
	"17-windows1252-header":       lines.ErrEncoding,
	"19-cr-only":                  lines.ErrFormat,
	"21-sep-line":                 lines.ErrFormat,
	"24-unclosed-quote":           lines.ErrUnclosedQuote,
	"25-bare-quotes":              lines.ErrBareQuote,
	"28-duplicate-headers":        ErrAmbiguousPhoneColumn,
	"29-title-rows-before-header": ErrNoPhoneColumn,
	"31-nul-bytes":                lines.ErrNUL,
}

// acrossFiles are rules that another room or another file decides: here the row may keep its number.
var acrossFiles = map[string]bool{"suppressed": true}

// loadCase reads the expect file of a list.
func loadCase(t testing.TB, list string) (name string, want expectFile) {
	t.Helper()
	name = strings.TrimSuffix(filepath.Base(list), filepath.Ext(list))
	b, err := os.ReadFile(filepath.Join(casesFolder, name+".expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return name, want
}

// TestCases holds the golden rule over all lists with real faults: a number is the expected one, or nothing with a rule that says why.
func TestCases(t *testing.T) {
	all, err := filepath.Glob(filepath.Join(casesFolder, "[0-9]*.[ctx]*"))
	if err != nil || len(all) < 40 {
		t.Fatalf("%d case lists found in %s, error %v: this test proves nothing", len(all), casesFolder, err)
	}
	read, refusedCount := 0, 0
	for _, path := range all {
		name, want := loadCase(t, path)
		t.Run(name, func(t *testing.T) {
			got, held, err := numbersOf(t, path, want.Region)
			if !errors.Is(err, refusedFiles[name]) || (err != nil) != (refusedFiles[name] != nil) {
				t.Fatalf("error %v, want %v", err, refusedFiles[name])
			}
			for _, w := range want.Rows {
				r, ok := got[w.Line]
				switch {
				case !ok && err == nil:
					t.Errorf("line %d is no row", w.Line)
				case !ok || w.Problem != nil && acrossFiles[*w.Problem]:
				case r == "" && held[w.Line] == "":
					t.Errorf("line %d: %q has neither a number nor a rule that says why", w.Line, w.Input)
				case r == "" && w.E164 != nil:
					refusedCount++
					t.Logf("line %d: %q refused by %s", w.Line, w.Input, held[w.Line])
				case r != "" && (w.E164 == nil || *w.E164 != r):
					t.Errorf("line %d: %q became %s, a stranger", w.Line, w.Input, r)
				case r != "" && held[w.Line] != "" && w.Severity != "error":
					t.Errorf("line %d: %q is held back by %s, want it sent to %s", w.Line, w.Input, held[w.Line], r)
				default:
					read++
				}
			}
			if err == nil && len(got) != len(want.Rows) {
				t.Errorf("%d rows, want %d", len(got), len(want.Rows))
			}
		})
	}
	t.Logf("%d rows as expected, %d more refused by name", read, refusedCount)
	if read < 195 {
		t.Errorf("only %d rows read as expected", read)
	}
}

// numbersOf reads a list: for each line its number, and the rules of the rows that have none.
func numbersOf(t testing.TB, path string, region *string) (numbers, held map[int]string, err error) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := Options{}
	if region != nil {
		o.Region = *region
	}
	numbers, held = map[int]string{}, map[int]string{}
	l, err := Open(path, f, o)
	if err != nil {
		return numbers, held, err
	}
	for r, err := range l.Rows() {
		if err != nil {
			return numbers, held, err
		}
		numbers[r.Line] = r.E164()
		if r.Held() {
			held[r.Line] = ruleNames(r.Findings)
		}
	}
	return numbers, held, nil
}

func ruleNames(found []Finding) string {
	var names []string
	for _, f := range found {
		names = append(names, f.Rule)
	}
	return strings.Join(names, " ")
}

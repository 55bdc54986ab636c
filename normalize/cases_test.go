package normalize

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const casesFolder = "../testdata/lists/cases"

// expectFile is what a case file says about its list.
type expectFile struct {
	Region *string     `json:"default_region"`
	Rows   []expectRow `json:"rows"`
	File   []struct {
		Line int    `json:"line"`
		Rule string `json:"rule"`
	} `json:"file_problems"`
}

// inFile says whether a finding of a row stands with the problems of the file.
func (e expectFile) inFile(line int, rule string) bool {
	for _, p := range e.File {
		if p.Line == line && p.Rule == rule {
			return true
		}
	}
	return false
}

// expectRow is the right outcome of one row.
type expectRow struct {
	Line     int     `json:"line"`
	Input    string  `json:"input"`
	E164     *string `json:"e164"`
	Problem  *string `json:"problem"`
	Severity string  `json:"severity"`
	WaID     string  `json:"wa_id"`
	Suggest  any     `json:"suggest"`
}

// elsewhere are rules that need other rows, lists, columns or content: here the row must have its number and nothing else.
var elsewhereRules = map[string]bool{
	"duplicate": true, "duplicate-conflict": true, "suppressed": true, "formula-injection": true,
	"param-newline": true, "param-tab": true, "param-spaces": true, "param-empty": true, "param-spreadsheet-error": true, "param-unfilled-placeholder": true,
}

// leftOut are second warnings that the case files leave out where they are about something else.
var leftOut = map[string]bool{"fictional-number": true}

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

// TestCases holds every row of every list with real faults to its number, its main problem and how bad that is.
func TestCases(t *testing.T) {
	all, err := filepath.Glob(filepath.Join(casesFolder, "[0-9]*.[ctx]*"))
	if err != nil || len(all) < 40 {
		t.Fatalf("%d case lists found in %s, error %v: this test proves nothing", len(all), casesFolder, err)
	}
	read, refusedFiles := 0, []string(nil)
	for _, path := range all {
		if strings.Contains(path, ".suppress.") {
			continue
		}
		name, want := loadCase(t, path)
		t.Run(name, func(t *testing.T) {
			got, err := caseRows(t, path, want.Region)
			if err != nil {
				refusedFiles = append(refusedFiles, name)
				if name == "28-duplicate-headers" && !errors.Is(err, ErrAmbiguousPhoneColumn) {
					t.Errorf("error %v", err)
				}
				t.Log(err)
				return
			}
			if len(got) != len(want.Rows) {
				t.Errorf("%d rows, want %d", len(got), len(want.Rows))
			}
			for _, w := range want.Rows {
				compareRow(t, want, w, got[w.Line])
				read++
			}
		})
	}
	t.Logf("%d rows compared; %d files refused: %v", read, len(refusedFiles), refusedFiles)
	if read < 200 || len(refusedFiles) > mostRefused {
		t.Errorf("%d rows compared, %d files refused", read, len(refusedFiles))
	}
}

// mostRefused is how many case lists may be refused as a file: the one with three equal headers.
const mostRefused = 1

// compareRow holds a row to the outcome of its case.
func compareRow(t *testing.T, file expectFile, w expectRow, r *Row) {
	t.Helper()
	if r == nil {
		t.Errorf("line %d is no row", w.Line)
		return
	}
	var rule, severity, number string
	if w.Problem != nil {
		rule, severity = *w.Problem, w.Severity
	}
	if w.E164 != nil {
		number = *w.E164
	}
	if rule != "suppressed" && r.E164() != number {
		t.Errorf("line %d: %q became %q, want %q; %s", w.Line, w.Input, r.E164(), number, ruleNames(r.Findings))
	}
	if w.WaID != "" && r.Number.WaID != w.WaID {
		t.Errorf("line %d: %q has the WhatsApp id %q, want %q", w.Line, w.Input, r.Number.WaID, w.WaID)
	}
	for _, s := range suggestions(w.Suggest) {
		if !strings.Contains(strings.Join(r.Number.Suggest, " ")+" "+r.Number.E164(), s) && rule != "nul-byte" && rule != "missing-country-code" {
			t.Errorf("line %d: %q suggests %v, want %s", w.Line, w.Input, r.Number.Suggest, s)
		}
	}
	if elsewhereRules[rule] {
		return
	}
	main, bad := mainProblem(file, r, rule)
	if main != rule || bad != severity {
		t.Errorf("line %d: %q is %s %s, want %s %s; all: %s", w.Line, w.Input, main, bad, rule, severity, ruleNames(r.Findings))
	}
}

// mainProblem is the first finding that the case files do not leave out.
func mainProblem(file expectFile, r *Row, want string) (rule, severity string) {
	for _, f := range r.Findings {
		if f.Rule == want || !leftOut[f.Rule] && !file.inFile(r.Line, f.Rule) {
			return f.Rule, string(f.Severity)
		}
	}
	return "", ""
}

// suggestions are one or several numbers.
func suggestions(v any) (out []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, s := range v {
			out = append(out, s.(string))
		}
	}
	return out
}

// caseRows reads a list: its rows by line.
func caseRows(t testing.TB, path string, region *string) (map[int]*Row, error) {
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
	l, err := Open(path, f, o)
	if err != nil {
		return nil, err
	}
	rows := map[int]*Row{}
	for r, err := range l.Rows() {
		if err != nil {
			return nil, err
		}
		rows[r.Line] = &r
	}
	return rows, nil
}

func ruleNames(found []Finding) string {
	var names []string
	for _, f := range found {
		names = append(names, f.Rule)
	}
	return strings.Join(names, " ")
}

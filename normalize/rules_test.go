package normalize

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRulesAreTheOnesInUse holds the table and the code together: no finding without a row, no row without a finding.
func TestRulesAreTheOnesInUse(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?:Found\(|told\{rule: )"([a-z0-9-]+)"|^\s*\{"([a-z0-9-]+)", (?:func|regexp|(?:Error|Warning), (?:""|Info|Warning),)|"@[a-z.]+", "([a-z-]+)"|^\s*(?:Duplicate|DuplicateConflict)\s+= "([a-z-]+)"`)
	used := map[string]bool{"bare-quote": true} // by the name in the lines.LineError
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			for _, m := range named.FindAllStringSubmatch(line, -1) {
				used[m[1]+m[2]+m[3]+m[4]] = true
			}
		}
	}
	if len(used) < 40 {
		t.Fatalf("only %d uses found: this test proves nothing", len(used))
	}
	for _, r := range contentRules {
		used[r.Name] = true // by the name in the template.Fault
	}
	for _, name := range reachNames[1:] {
		used[name] = true
	}
	for _, r := range fileRules {
		used[r.Name] = true // by the name in the lines.Note
	}
	for name := range used {
		if _, ok := RuleNamed(name); !ok {
			t.Errorf("rule %s is used and not in the table", name)
		}
	}
	for _, r := range Rules() {
		if !used[r.Name] {
			t.Errorf("rule %s is in the table and not used", r.Name)
		}
		if r.Says == "" || r.Severity == "" {
			t.Errorf("rule %s has no words or no severity", r.Name)
		}
	}
	if len(ruleByName) != len(Rules()) {
		t.Error("two rules have one name")
	}
}

// TestMessagesAreFilledIn looks for verbs that got no value in every finding of every case.
func TestMessagesAreFilledIn(t *testing.T) {
	all, err := filepath.Glob(filepath.Join(casesFolder, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, path := range all {
		_, want := loadCase(t, path)
		for _, f := range findingsOf(t, path, want.Region) {
			seen[f.Rule] = true
			if strings.Contains(f.Message, "%!") || strings.Contains(f.Message, "%s") {
				t.Errorf("%s: %s", f.Rule, f.Message)
			}
			if f.Line == 0 || f.Rule != "bare-quote" && f.Column > 0 && (f.Header == "" || f.Char == 0) {
				t.Errorf("%s in %s has no place: %+v", f.Rule, path, f)
			}
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d rules seen: %v", len(seen), seen)
	}
}

// findingsOf are all findings of a list that can be opened.
func findingsOf(t testing.TB, path string, region *string) (found []Finding) {
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
		return nil
	}
	for r, err := range l.Rows() {
		if err == nil {
			found = append(found, r.Findings...)
		}
	}
	return found
}

// The words of a rule are those that fmt makes of them, whatever is put in.
func TestFillIsSprintf(t *testing.T) {
	values := []any{"", "text", "100 % of it", "with %d", 0, -7, 1 << 40, uint32(math.MaxUint32), int64(5), []string{"a"}, nil, 'x'}
	words := []string{"plain", "100 %", "%s", "%d", "%q of %s", "%%", "%"}
	for _, r := range Rules() {
		words = append(words, r.Says)
	}
	for _, says := range words {
		for n := range 4 {
			for i := range values {
				var args []any
				for k := range n {
					args = append(args, values[(i+5*k)%len(values)])
				}
				if got, want := fill(says, args), fmt.Sprintf(says, args...); got != want {
					t.Errorf("%q of %v: %q, want %q", says, args, got, want)
				}
			}
		}
	}
}

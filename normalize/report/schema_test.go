package report

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/wactl/wactl/normalize"
)

// schemas are the published descriptions of the JSON faces, and what each of them must refuse: one that takes anything proves nothing.
var schemas = []struct {
	format, file string
	lines        bool // each line is a document of its own
	refuses      string
}{
	{"sarif", "sarif-schema-2.1.0.json", false, `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"wactl"}},"results":[{"message":{"text":"m"},"fixes":[{}]}]}]}`},
	{"sarif", "sarif-subset.schema.json", false, `{"version":"2.1.0"}`},
	{"gitlab", "gitlab-codequality.schema.json", false, `[{"description":"d"}]`},
	{"rdjsonl", "reviewdog-diagnostic.schema.json", true, `{"message":"m","severity":"worst"}`},
}

// schemaReports are the reports that are held against every schema.
func schemaReports() map[string]Report {
	return map[string]Report{"example": example(), "hostile": hostileReport(), "empty": {}, "many": manyProblems(mostResults + 1), "fixes": fixes(),
		"unread": reportOf([]File{{Path: "-", Unread: true}}, All(Problem{Path: "-", Rule: "no-phone-column", Severity: normalize.Error, Message: "none"}))}
}

// fixes is a report with a repair of each shape: a cell, a cell that becomes empty, a row, a quoted cell.
func fixes() Report {
	problem := func(line int, r normalize.Repair) Problem {
		return Problem{Path: "./a b.csv", Line: line, Column: 1, Char: r.Char, Byte: r.Char, Header: "phone", Rule: "text-prefix", Severity: normalize.Info, Value: r.Old, Message: "m", Fix: &r}
	}
	return reportOf([]File{{Path: "./a b.csv", Rows: 4}}, All(
		problem(2, normalize.Repair{Line: 2, Char: 1, Old: "'+5511961234567", New: "+5511961234567"}),
		problem(3, normalize.Repair{Line: 3, Char: 1, Old: "+5511961234567,a", Row: true}),
		problem(4, normalize.Repair{Line: 4, Char: 3, Old: `"'+5511961234568"`, New: `"+5511961234568"`}),
		problem(5, normalize.Repair{Line: 5, Char: 1, Old: "'"}),
	))
}

func TestSchemas(t *testing.T) {
	for _, s := range schemas {
		t.Run(s.file, func(t *testing.T) {
			c := jsonschema.NewCompiler()
			c.AssertFormat()
			schema, err := c.Compile("testdata/" + s.file)
			if err != nil {
				t.Fatal(err)
			}
			if schema.Validate(parsed(t, s.refuses)) == nil {
				t.Errorf("the schema takes %s: this test proves nothing", s.refuses)
			}
			for name, r := range schemaReports() {
				for _, numbers := range []Numbers{Shown, Hidden} {
					if name == "many" && (numbers == Hidden || s.lines) {
						continue // the same again, thousands of times
					}
					text := written(t, s.format, r, Options{Version: "1.2.3", Numbers: numbers})
					documents := []string{text}
					if s.lines {
						documents = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
					}
					if text == "" {
						continue // no problems, so no lines
					}
					for _, d := range documents {
						if err := schema.Validate(parsed(t, d)); err != nil {
							t.Fatalf("%s: %v", name, err)
						}
					}
				}
			}
		})
	}
}

func parsed(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return v
}

// Repairs must be in the file that is held against the schema: else the schema's part about them was never asked.
func TestSchemaReportsHaveFixes(t *testing.T) {
	n := 0
	for _, r := range sarifRead(t, fixes(), Options{Numbers: Shown}).Results {
		n += len(r.Fixes)
	}
	if n != 4 {
		t.Errorf("%d fixes, want 4", n)
	}
	if got := strings.Count(written(t, "rdjsonl", fixes(), Options{Numbers: Shown}), `"suggestions"`); got != 4 {
		t.Errorf("%d suggestions, want 4", got)
	}
}

// TestJUnitSchema asks xmllint, which few machines have; checkXML holds the same reports against the format everywhere.
func TestJUnitSchema(t *testing.T) {
	texts := map[string]string{}
	for name, r := range schemaReports() {
		texts[name] = written(t, "junit", r, Options{})
		checkXML(t, texts[name])
	}
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed (Debian: libxml2-utils): the JUnit files were checked by hand-written rules only, not against the XSD of Jenkins")
	}
	valid := func(text string) ([]byte, error) {
		c := exec.CommandContext(t.Context(), xmllint, "--nonet", "--noout", "--schema", "testdata/jenkins-junit.xsd", "-")
		c.Stdin = strings.NewReader(text)
		var said bytes.Buffer
		c.Stderr = &said
		err := c.Run()
		return said.Bytes(), err
	}
	for name, text := range texts {
		if said, err := valid(text); err != nil {
			t.Errorf("%s: %v\n%.2000s", name, err, said)
		}
	}
	if _, err := valid(`<testsuites><testcase/></testsuites>`); err == nil {
		t.Error("the schema takes a case outside of any suite: this test proves nothing")
	}
}

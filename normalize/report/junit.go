package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/wactl/wactl/normalize"
)

// mostInCase is how many problems one test case spells out.
const mostInCase = 50

// The parts of the JUnit format that this face uses: a suite for each list, a case for each rule that was found in it.
type (
	junitSuites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Suites   []*junitSuite
	}
	junitSuite struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Cases    []junitCase
	}
	junitCase struct {
		XMLName xml.Name      `xml:"testcase"`
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitFailure `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"` // of what was found and fails nothing
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// caseKey is what a test case stands for.
type caseKey struct{ path, rule string }

// junitGroup collects the problems of a test case, and whether the worst of them fails it.
type junitGroup struct {
	*group[caseKey]
	worst normalize.Severity
}

// writeJUnit writes a suite for each list; a list without problems has one case that passes.
func writeJUnit(w *bufio.Writer, r Report, o Options) error {
	found, err := junitGroups(r)
	if err != nil {
		return err
	}
	all := junitSuites{Name: "wactl lint"}
	byPath := map[string]*junitSuite{}
	suite := func(path string) *junitSuite {
		if byPath[path] == nil {
			byPath[path] = &junitSuite{Name: visible(path)}
			all.Suites = append(all.Suites, byPath[path])
		}
		return byPath[path]
	}
	for _, f := range r.Files {
		suite(f.Path)
	}
	for _, g := range found {
		s := suite(g.key.path)
		s.Cases = append(s.Cases, g.testCase(o))
	}
	for _, s := range all.Suites {
		s.close()
		all.Tests += s.Tests
		all.Failures += s.Failures
	}
	w.WriteString(xml.Header)
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(all); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

// junitGroups are the test cases that were found, with their worst severity.
func junitGroups(r Report) ([]junitGroup, error) {
	levels := map[caseKey]int{}
	all, err := groups(r.each(), mostInCase, func(p Problem) caseKey {
		k := caseKey{p.Path, p.Rule}
		if level, ok := levels[k]; !ok || rank(p.Severity) < level {
			levels[k] = rank(p.Severity)
		}
		return k
	})
	found := make([]junitGroup, 0, len(all))
	for _, g := range all {
		found = append(found, junitGroup{g, severities[levels[g.key]]})
	}
	return found, err
}

// close counts a suite's cases. Some readers refuse an empty suite.
func (s *junitSuite) close() {
	if len(s.Cases) == 0 {
		s.Cases = []junitCase{{Name: "no problems", Class: s.Name}}
	}
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		if c.Failure != nil {
			s.Failures++
		}
	}
}

func (g junitGroup) testCase(o Options) junitCase {
	c := junitCase{Name: visible(g.key.rule), Class: visible(g.key.path)}
	text := g.text(o)
	if !o.FailOn.failing(g.worst) {
		c.Out = text
		return c
	}
	c.Failure = &junitFailure{Message: fmt.Sprintf("%d × %s: %s", g.count, visible(g.key.rule), Meaning(g.key.rule)), Type: string(g.worst), Text: text}
	return c
}

// text names the first problems of a case, a line each.
func (g junitGroup) text(o Options) string {
	var b strings.Builder
	for _, p := range g.first {
		p = o.shown(p)
		fmt.Fprintf(&b, "%s: %s: %s\n", where(p), severities[rank(p.Severity)], sentence(p))
	}
	if more := g.count - len(g.first); more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return b.String()
}

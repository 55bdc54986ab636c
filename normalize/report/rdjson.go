package report

import (
	"bufio"

	"github.com/wactl/wactl/normalize"
)

// rdSeverities are the words of reviewdog's diagnostic format for our severities.
var rdSeverities = map[normalize.Severity]string{normalize.Error: "ERROR", normalize.Warning: "WARNING", normalize.Info: "INFO"}

// The parts of reviewdog's diagnostic format that this face uses, by its names. Columns there are bytes of UTF-8, from 1.
type (
	rdDiagnostic struct {
		Message     string         `json:"message"`
		Location    rdLocation     `json:"location"`
		Severity    string         `json:"severity"`
		Source      rdSource       `json:"source"`
		Code        rdCode         `json:"code"`
		Suggestions []rdSuggestion `json:"suggestions,omitempty"`
	}
	rdLocation struct {
		Path  string   `json:"path"`
		Range *rdRange `json:"range,omitempty"`
	}
	rdRange struct {
		Start rdPosition  `json:"start"`
		End   *rdPosition `json:"end,omitempty"`
	}
	rdPosition struct {
		Line   int `json:"line"`
		Column int `json:"column,omitempty"`
	}
	rdSource struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	rdCode struct {
		Value string `json:"value"`
		URL   string `json:"url"`
	}
	rdSuggestion struct {
		Range rdRange `json:"range"`
		Text  string  `json:"text"`
	}
)

// writeRDJSONL writes each problem as a diagnostic of its own.
func writeRDJSONL(w *bufio.Writer, r Report, o Options) error {
	return objects(w, r, func(p Problem) any { return diagnostic(o.shown(p)) })
}

func diagnostic(p Problem) rdDiagnostic {
	d := rdDiagnostic{Message: sentence(p), Location: rdLocation{p.Path, nil}, Severity: rdSeverities[severities[rank(p.Severity)]],
		Source: rdSource{"wactl", homePage}, Code: rdCode{p.Rule, rulePages + slug(p.Rule) + ".md"}}
	if h := hint(p.Rule); h != "" {
		d.Message += "\n" + h
	}
	if p.Line == 0 {
		return d
	}
	d.Location.Range = &rdRange{Start: rdPosition{p.Line, byteColumn(p, p.Char)}}
	if r := p.Fix; r != nil && r.Old != "" && byteColumn(p, r.Char) > 0 {
		start := rdPosition{r.Line, byteColumn(p, r.Char)}
		line, column := endOf(r, start.Column, func(s string) int { return len(s) })
		d.Suggestions = []rdSuggestion{{rdRange{start, &rdPosition{line, column}}, r.New}}
	}
	return d
}

// byteColumn is a character of the problem's line in bytes, 0 where it is not known. The first character is the first byte.
func byteColumn(p Problem, char int) int {
	switch char {
	case 1:
		return 1
	case p.Char:
		return p.Byte
	}
	return 0
}

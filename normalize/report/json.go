package report

import (
	"bufio"

	"github.com/wactl/wactl/normalize"
)

// What the JSON face calls things. A published key keeps its name and meaning; a nil pointer is null and means not known.
type (
	jsonFile struct {
		Path        string         `json:"path"`
		Encoding    *string        `json:"encoding"`
		Delimiter   *string        `json:"delimiter"`
		HeaderLine  *int           `json:"header_line"`
		PhoneColumn *string        `json:"phone_column"`
		Rows        *int           `json:"rows"`
		Recipients  *int           `json:"recipients"`
		Countries   map[string]int `json:"countries"`
	}
	jsonProblem struct {
		Path      string             `json:"path"`
		Line      *int               `json:"line"`
		Column    *int               `json:"column"`
		Char      *int               `json:"char"`
		Header    *string            `json:"header"`
		Rule      string             `json:"rule"`
		Severity  normalize.Severity `json:"severity"`
		Value     *string            `json:"value"`
		Message   string             `json:"message"`
		FirstLine *int               `json:"first_line"`
		Fixable   bool               `json:"fixable"`
	}
	jsonSummary struct {
		Rows       *int           `json:"rows"`
		Recipients *int           `json:"recipients"`
		Errors     int            `json:"errors"`
		Warnings   int            `json:"warnings"`
		Infos      int            `json:"infos"`
		ByRule     map[string]int `json:"by_rule"`
	}
)

// known is a value, or null where it is the zero value and so not known.
func known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func fileJSON(f File) jsonFile {
	j := jsonFile{Path: f.Path, Encoding: known(f.Encoding), Delimiter: known(f.Delimiter), HeaderLine: known(f.HeaderLine), PhoneColumn: known(f.PhoneColumn)}
	if f.Unread {
		return j
	}
	j.Rows, j.Recipients, j.Countries = &f.Rows, &f.Recipients, f.Countries
	if j.Countries == nil {
		j.Countries = map[string]int{}
	}
	return j
}

func problemJSON(p Problem) jsonProblem {
	j := jsonProblem{
		Path: p.Path, Line: known(p.Line), Column: known(p.Column), Char: known(p.Char), Header: known(p.Header), Rule: p.Rule,
		Severity: severities[rank(p.Severity)], Value: known(p.Value), Message: p.Message, FirstLine: known(p.FirstLine), Fixable: p.Fix != nil,
	}
	if p.Column > 0 {
		j.Value = &p.Value // an empty cell is known to be empty
	}
	return j
}

func summaryJSON(s Summary) jsonSummary {
	j := jsonSummary{Errors: s.Errors, Warnings: s.Warnings, Infos: s.Infos, ByRule: s.ByRule}
	if s.Unread == 0 {
		j.Rows, j.Recipients = &s.Rows, &s.Recipients
	}
	if j.ByRule == nil {
		j.ByRule = map[string]int{}
	}
	return j
}

// writeJSON writes one object, a problem a line, without holding the problems in memory.
func writeJSON(w *bufio.Writer, r Report, o Options) error {
	files := []jsonFile{}
	for _, f := range r.Files {
		if o.Numbers == Hidden {
			f.PhoneColumn = maskedCell(f.PhoneColumn) // a list without a header shows a number there
		}
		files = append(files, fileJSON(f))
	}
	out := newJSONWriter(w)
	w.WriteString(`{"version":1,` + "\n" + `"files":`)
	if err := out.put(files); err != nil {
		return err
	}
	w.WriteString(",\n" + `"problems":`)
	if err := array(out, r, func(p Problem) any { return problemJSON(o.shown(p)) }); err != nil {
		return err
	}
	w.WriteString(",\n" + `"summary":`)
	if err := out.put(summaryJSON(r.Summary)); err != nil {
		return err
	}
	_, err := w.WriteString("}\n")
	return err
}

// array writes the problems as an array, one a line.
func array(out *jsonWriter, r Report, as func(Problem) any) error {
	out.w.WriteByte('[')
	before := "\n"
	for p, err := range r.each() {
		if err != nil {
			return err
		}
		out.w.WriteString(before)
		if err := out.put(as(p)); err != nil {
			return err
		}
		before = ",\n"
	}
	return out.w.WriteByte(']')
}

// writeJSONL writes each problem as an object of its own, with the keys that it has in the JSON face.
func writeJSONL(w *bufio.Writer, r Report, o Options) error {
	return objects(w, r, func(p Problem) any { return problemJSON(o.shown(p)) })
}

// objects writes each problem as an object on a line of its own.
func objects(w *bufio.Writer, r Report, as func(Problem) any) error {
	out := newJSONWriter(w)
	for p, err := range r.each() {
		if err != nil {
			return err
		}
		if err := out.putLine(as(p)); err != nil {
			return err
		}
	}
	return nil
}

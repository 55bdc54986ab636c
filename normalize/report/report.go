package report

import (
	"iter"
	"strings"

	"github.com/wactl/wactl/normalize"
)

// Report is what lint knows at its end. No face changes it, and each needs little memory whatever the number of problems.
type Report struct {
	Files    []File
	Problems iter.Seq2[Problem, error] // in file order; ranged over several times, nil for none
	Summary  Summary
}

// File is a list that was read, and how. Empty text and a zero HeaderLine mean not known.
type File struct {
	Path             string
	Encoding         string
	Delimiter        string
	HeaderLine       int // physical line, from 1
	PhoneColumn      string
	Unread           bool // no row could be read, so what follows is not known
	Rows, Recipients int
	Countries        map[string]int // recipients by ISO code
}

// Problem is one finding with its file. Line, Column, Char, Byte and FirstLine count from 1; 0 means not known.
type Problem struct {
	Path      string
	Line      int    // physical line where the record starts; the sheet's row in a workbook
	Column    int    // the field's place in the record; 0 for the whole row
	Char      int    // the field's first character in its line
	Byte      int    // the same place in bytes of UTF-8
	Header    string // of the column
	Rule      string
	Severity  normalize.Severity
	Value     string // the cell as it stands in the list
	Message   string
	Recipient string            // E.164, where the row has one
	FirstLine int               // of the row that this one repeats
	Fix       *normalize.Repair // nil where it cannot be repaired without guessing; without Old only its existence is known
}

// From is a finding as a problem of the list at path. What a finding does not tell stays unknown.
func From(path string, f normalize.Finding) Problem {
	return Problem{Path: path, Line: f.Line, Column: f.Column, Char: f.Char, Header: f.Header, Rule: f.Rule, Severity: f.Severity,
		Value: f.Value, Message: f.Message, FirstLine: f.FirstLine}
}

// FromNote is a finding about a list as a whole as a problem. One in its header has its place in bytes too.
func FromNote(l *normalize.List, f normalize.Finding) Problem {
	p := From(l.Path, f)
	if f.Line == l.HeaderLine && strings.HasPrefix(l.Encoding, "utf-8") {
		p.Byte = l.HeaderByte(f.Char)
	}
	return p
}

// FromRow is the findings of one row of a list as problems, with its recipient and its repair.
func FromRow(l *normalize.List, v normalize.Verdict) []Problem { return AppendRow(nil, l, &v) }

// AppendRow appends the problems of one row, as FromRow has them.
func AppendRow(problems []Problem, l *normalize.List, v *normalize.Verdict) []Problem {
	if len(v.Findings) == 0 {
		return problems
	}
	repair, ok := v.Repair(l)
	recipient := v.Number.E164()
	for _, f := range v.Findings {
		p := From(l.Path, f)
		p.Recipient = recipient
		if v.InUTF8() {
			p.Byte = v.Byte(f.Char)
		}
		if p.Value == "" {
			p.Value = cellOf(v.Fields, f.Column)
		}
		if ok && v.Repairs(f) {
			p.Fix = new(repair)
		}
		problems = append(problems, p)
	}
	return problems
}

// cellOf is a cell of a row, from 1; empty where the row has none there.
func cellOf(fields []string, column int) string {
	if column < 1 || column > len(fields) {
		return ""
	}
	return fields[column-1]
}

// All makes the problems of a report from those in memory.
func All(problems ...Problem) iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		for _, p := range problems {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// each is the problems of a report, none where it has no sequence.
func (r Report) each() iter.Seq2[Problem, error] {
	if r.Problems == nil {
		return All()
	}
	return r.Problems
}

// Summary counts what was read and found. Rows and Recipients are not known where a file is unread.
type Summary struct {
	Rows, Recipients        int
	Unread                  int // files of which no row could be read
	Errors, Warnings, Infos int
	ByRule                  map[string]int
}

// Summarize counts problems, and adds up the files; a recipient in two files counts twice.
func Summarize(files []File, problems iter.Seq2[Problem, error]) (Summary, error) {
	s, _, err := Overview(Report{Files: files, Problems: problems}, Options{})
	return s, err
}

// Overview is what Summarize and Sections say of a report, by one look at its problems: there may be millions.
func Overview(r Report, o Options) (Summary, Text, error) {
	s := Summary{ByRule: map[string]int{}}
	for _, f := range r.Files {
		if f.Unread {
			s.Unread++
			continue
		}
		s.Rows += f.Rows
		s.Recipients += f.Recipients
	}
	all, err := byRuleAndLevel(r, o)
	for _, g := range all {
		s.count(g.key, g.count)
	}
	return s, sections(all, o), err
}

func (s *Summary) count(key ruleLevel, n int) {
	s.ByRule[key.rule] += n
	switch severities[key.rank] {
	case normalize.Warning:
		s.Warnings += n
	case normalize.Info:
		s.Infos += n
	default: // what nobody graded holds its row back
		s.Errors += n
	}
}

// hint is what to do about a rule's problems, from the rule's own row.
func hint(rule string) string {
	r, _ := normalize.RuleNamed(rule)
	return r.Hint
}

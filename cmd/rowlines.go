package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/wactl/wactl/cmd/output"
	"github.com/wactl/wactl/normalize"
)

// rowLines writes each row as one JSON object a line.
type rowLines struct {
	w    *bufio.Writer
	mask bool
}

func newRowLines(w io.Writer, mask bool) *rowLines {
	return &rowLines{bufio.NewWriterSize(w, 1<<16), mask}
}

// rowLine is one row as published.
type rowLine struct {
	Line      int          `json:"line"`
	Input     string       `json:"input"`
	E164      *string      `json:"e164"` // null: this recipient must not be written to at all
	Region    *string      `json:"region"`
	Kind      *string      `json:"kind"`
	Aliases   []string     `json:"aliases"`
	Problems  []rowProblem `json:"problems"`
	Kept      bool         `json:"kept"`
	FirstLine *int         `json:"first_line"`
}

type rowProblem struct {
	Rule     string             `json:"rule"`
	Severity normalize.Severity `json:"severity"`
	Message  string             `json:"message"`
}

// WriteBatch writes rows whose face is Text.
func (r *rowLines) WriteBatch(b *normalize.Batch) error {
	for i := range b.Rows() {
		if _, err := r.w.Write(b.Text(i)); err != nil {
			return err
		}
	}
	return nil
}

// Text appends one row.
func (r *rowLines) Text(text []byte, v *normalize.Verdict) []byte {
	row := rowLine{Line: v.Line, Input: v.Raw, E164: known(v.E164()), Region: known(v.Number.Region), Kind: known(v.Number.Kind), Aliases: v.Number.Aliases(),
		Problems: []rowProblem{}, Kept: v.Kept, FirstLine: known(v.FirstLine)}
	if row.Aliases == nil {
		row.Aliases = []string{}
	}
	for _, f := range v.Findings {
		row.Problems = append(row.Problems, rowProblem{f.Rule, f.Severity, f.Message})
	}
	if r.mask {
		row.hide()
	}
	b := bytes.NewBuffer(text)
	out := json.NewEncoder(b)
	out.SetEscapeHTML(false)
	_ = out.Encode(row) // texts and numbers only
	return b.Bytes()
}

// hide masks the numbers of a row.
func (r *rowLine) hide() {
	r.Input = output.Mask(r.Input)
	if r.E164 != nil {
		r.E164 = new(output.MaskPhone(*r.E164))
	}
	hidden := make([]string, len(r.Aliases))
	for i, a := range r.Aliases {
		hidden[i] = output.MaskPhone(a)
	}
	r.Aliases = hidden
	for i := range r.Problems {
		r.Problems[i].Message = output.Mask(r.Problems[i].Message)
	}
}

// Flush writes what is still in memory.
func (r *rowLines) Flush() error { return r.w.Flush() }

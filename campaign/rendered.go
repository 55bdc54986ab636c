package campaign

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/normalize"
	"github.com/wactl/wactl/ratelimit"
)

// rendered is what one batch of rows says, each row by itself: what can be made of them on several cores, before the order of rows matters.
type rendered struct {
	seeds  [2]maphash.Seed // of messages' marks
	rows   []renderedRow
	odds   []oddRow
	text   []byte                  // the messages as JSON, one behind the other
	fields []string                // of the row that is rendered
	cell   func(column int) string // one of them; made once, since rows are many
	said   template.Message        // the row's message; its memory is taken again
}

func newRendered(seeds [2]maphash.Seed) *rendered {
	r := &rendered{seeds: seeds}
	r.cell = func(column int) string {
		if column >= len(r.fields) {
			return ""
		}
		return r.fields[column]
	}
	return r
}

// renderedRow is a row's message, in few bytes, since another core reads it next.
type renderedRow struct {
	planned        // but for its place among the others: at is in the batch's text, ordinal, number and region are open
	odd     uint32 // the place plus one of what else there is to say about the row; 0: nothing
}

// oddRow is what there is to say about some rows only.
type oddRow struct {
	left     LeftOut // no rule: the row has a message
	held     bool    // before anything was rendered
	optedOut bool    // the row says so
	unread   bool    // its last_inbound_at is no instant
	faults   []template.Fault
	barred   string // the rule by which the platform may not deliver it
	err      error
}

// oddOf is what there is to say about a row; it is valid until that of another row is asked for.
func (r *rendered) oddOf(one *renderedRow) *oddRow {
	if one.odd == 0 {
		r.odds = append(r.odds, oddRow{})
		one.odd = uint32(len(r.odds))
	}
	return &r.odds[one.odd-1]
}

// renderer renders the rows of batches; each batch keeps its [rendered].
func renderer(list *normalize.List, content *template.Content, o PlanOptions) func(*normalize.Batch, *normalize.Row) {
	inbound := list.Columns(normalize.RoleLastInbound)
	seeds := [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
	return func(b *normalize.Batch, row *normalize.Row) {
		r, ok := b.Kept.(*rendered)
		if !ok {
			r = newRendered(seeds)
			b.Kept = r
		}
		if r.rows = r.rows[:len(b.Verdicts)-1]; len(r.rows) == 0 {
			r.text, r.odds = r.text[:0], r.odds[:0]
		}
		r.rows = append(r.rows, renderedRow{})
		r.render(&r.rows[len(r.rows)-1], row, inbound, content, o)
	}
}

func (r *rendered) render(one *renderedRow, row *normalize.Row, inbound []int, content *template.Content, o PlanOptions) {
	one.recipient, one.line = row.Number.Digits, uint32(row.Line)
	if where, out := o.Suppressed.Find(row.Number); out {
		odd := r.oddOf(one)
		odd.held, odd.left = true, LeftOut{Line: row.Line, Rule: normalize.Suppressed, Value: strings.Clone(row.Raw), Message: normalize.Found(normalize.Suppressed, where).Message}
		return
	}
	if row.Held() {
		odd := r.oddOf(one)
		odd.held, odd.left, odd.optedOut = true, heldFor(row), row.OptedOut() && row.Number.Digits != 0
		return
	}
	r.fields = row.Fields
	m := &r.said
	if faults := content.RenderInto(m, r.cell, row.Number.Region); len(faults) > 0 {
		odd := r.oddOf(one)
		odd.faults = faults
		if i := slices.IndexFunc(faults, func(f template.Fault) bool { return f.Severity == template.SeverityError }); i >= 0 {
			odd.left = faultIn(row, faults[i])
			return
		}
	}
	if one.free = m.Type != template.TypeTemplate; o.NoHash {
		one.hash = m.Mark(r.seeds)
	} else {
		one.hash = m.Hash()
	}
	one.link = m.Media != nil && m.Media.Link != "" || m.Header != nil && m.Header.Media != nil && m.Header.Media.Link != ""
	var unread bool
	if one.open, unread = window(inbound, r.cell, o.Now); unread {
		r.oddOf(one).unread = true
	}
	if one.free && one.open != 0 && one.open <= ratelimit.At(o.Now) {
		r.oddOf(one).left = LeftOut{Line: row.Line, Rule: ruleOutside, Message: "the recipient last wrote more than 24 hours ago: only a template may be sent"}
		return
	}
	if f, barred := normalize.Barred(row.Number, content); barred {
		r.oddOf(one).barred = f.Rule
	}
	if !o.NoText {
		r.keep(one, m)
	}
}

// keep writes the row's message behind the batch's others.
func (r *rendered) keep(one *renderedRow, m *template.Message) {
	from := len(r.text)
	text, err := m.AppendJSON(r.text)
	if err != nil {
		r.oddOf(one).err = fmt.Errorf("line %d: %w", one.line, err)
		return
	}
	r.text, one.at = text, span{from: uint32(from), size: uint32(len(text) - from)}
}

// faultIn is a row that is held back for its content.
func faultIn(row *normalize.Row, f template.Fault) LeftOut {
	where := f.Key
	if f.Column > 0 {
		where = fmt.Sprintf("%s (column %q)", f.Key, f.Header)
	}
	return LeftOut{Line: row.Line, Rule: f.Rule, Message: where + ": " + f.Message}
}

// heldFor is why a row is held back: its first error, or that it has no number.
func heldFor(row *normalize.Row) LeftOut {
	l := LeftOut{Line: row.Line}
	for _, f := range row.Findings {
		if f.Severity == normalize.Error || l.Rule == "" {
			l.Rule, l.Value, l.Message = f.Rule, f.Value, f.Message
		}
		if f.Severity == normalize.Error {
			break
		}
	}
	l.Value = strings.Clone(l.Value) // the row's memory is taken again
	return l
}

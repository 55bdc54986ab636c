package readlog

import (
	"regexp"
	"strings"

	"github.com/wactl/wactl/normalize/lines"
)

// sqlTable is one table of a dump while its rows come.
type sqlTable struct {
	name    string
	columns []string // empty: not known
	waiting []sqlRow // rows that show what the columns hold
	decided bool
	table   *table // reads the rows as messages; nil: each is a record
}

// sqlRow is one row and the line where it begins.
type sqlRow struct {
	line  int
	cells []sqlCell
}

// messageTable is a table's name that says that its rows are messages or what became of them.
var messageTable = regexp.MustCompile(`(?i)messag|msg|whats|wa_|_wa\b|sms|notif|outbox|outgoing|sent|deliver|webhook|event|log|campaign|broadcast|mensag|mensaj|envio|disparo`)

// add takes one row. The first ones wait until there are enough of them to say what they are.
func (t *sqlTable) add(p *pass, row sqlRow) {
	if t.decided {
		t.take(p, row)
		return
	}
	if t.waiting = append(t.waiting, row); len(t.waiting) >= sampleRows {
		t.decide(p)
	}
}

// decide says how the rows are read, and reads those that waited.
func (t *sqlTable) decide(p *pass) {
	if t.decided {
		return
	}
	t.decided = true
	if len(t.columns) > 0 {
		sample := []lines.Record{{Line: 0, Fields: t.columns}}
		for _, row := range t.waiting {
			sample = append(sample, row.record())
		}
		found := rolesOf(t.columns)
		if found.tell() && (found.has(roleCode) || found.has(roleReason) || messageTable.MatchString(t.name)) {
			if t.table = newTable(p, sample); t.table != nil {
				t.table.dump = true
			}
		}
	}
	for _, row := range t.waiting {
		t.take(p, row)
	}
	t.waiting = nil
}

// take reads one row as what the table was found to be.
func (t *sqlTable) take(p *pass, row sqlRow) {
	if p.unwanted(row.line) || p.stopped {
		return
	}
	if t.table != nil {
		t.table.row(row.record())
		return
	}
	o := make(object, len(row.cells))
	for i, c := range row.cells {
		name := "column" + string(rune('a'+i%26))
		if i < len(t.columns) {
			name = t.columns[i]
		}
		if !c.null {
			o[name] = c.text
		}
	}
	r := record{place: p.place(row.line), format: formSQL, value: o}
	if text := onlyRecord(o); text != "" {
		r = p.ownClock(r, o)
		r.value = text
	}
	p.take(r)
}

// record is a row as a table's reader takes it.
func (r sqlRow) record() lines.Record {
	rec := lines.Record{Line: r.line}
	for _, c := range r.cells {
		rec.Fields = append(rec.Fields, c.text)
	}
	return rec
}

// onlyRecord is the one cell of a row that holds JSON, where the others tell of no message by themselves; empty: there is none.
func onlyRecord(o object) (text string) {
	for _, key := range sortedKeys(o) {
		if cell := str(o[key]); strings.HasPrefix(strings.TrimLeft(cell, junk), "{") {
			if text != "" {
				return ""
			}
			text = cell
		}
	}
	if tellsMessage(o, "") {
		return ""
	}
	return text
}

package readlog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
)

// formSQL is a database's dump that writes rows as INSERT statements.
const formSQL = "sql-dump"

// insertLine is the beginning of a statement that puts rows into a table.
var insertLine = regexp.MustCompile("(?im)^\\s*(?:(?:INSERT|REPLACE)\\s+(?:IGNORE\\s+)?INTO\\s+[`\"\\[\\w.]|COPY\\s+[\\w.\"]+\\s+\\([^)]*\\)\\s+FROM\\s+stdin;)")

// isSQL says whether a source that begins so is a dump of SQL statements.
func isSQL(head []byte) bool {
	first := bytes.TrimLeft(head, junk)
	return len(first) > 0 && strings.IndexByte("-/#ICSBLDRUAicsbldrua", first[0]) >= 0 && insertLine.Match(head)
}

// readSQL takes every row that a dump's INSERT statements hold as a record, with the names that the statement or its CREATE TABLE gives the columns.
func readSQL(p *pass, src io.Reader) error {
	d := newSQLDump(p, src)
	err := d.run()
	for _, t := range d.order {
		if t.decide(p); t.table != nil {
			t.table.finish()
		}
	}
	p.source.Lines = d.line
	if d.fresh {
		p.source.Lines-- // the last line ended
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return err
}

func newSQLDump(p *pass, src io.Reader) *sqlDump {
	return &sqlDump{pass: p, src: bufio.NewReaderSize(src, 1<<16), line: 1, tables: map[string]*sqlTable{}}
}

// sqlDump is a dump while it is read.
type sqlDump struct {
	*pass
	src     *bufio.Reader
	line    int
	fresh   bool // nothing of the line was read yet
	tables  map[string]*sqlTable
	order   []*sqlTable // as they came
	escapes bool        // names stand in backticks: a backslash in a text means something
}

// next is the next byte.
func (d *sqlDump) next() (byte, error) {
	b, err := d.src.ReadByte()
	if err == nil {
		if d.fresh = b == '\n'; d.fresh {
			d.line++
		}
	}
	return b, err
}

// peek is the byte behind it, 0 at the end.
func (d *sqlDump) peek() byte {
	b, _ := d.src.Peek(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

func (d *sqlDump) run() error {
	for !d.stopped {
		words, last, err := d.words()
		if err != nil {
			return err
		}
		head := strings.ToUpper(strings.Join(words[:min(len(words), 3)], " "))
		switch {
		case last == '(' && strings.HasPrefix(head, "CREATE TABLE") || last == '(' && strings.HasPrefix(head, "CREATE TEMP"):
			err = d.create(words[len(words)-1])
		case strings.HasPrefix(head, "COPY "):
			err = d.copied(words, last)
		case strings.HasPrefix(head, "INSERT") || strings.HasPrefix(head, "REPLACE"):
			err = d.insert(words, last)
		case last != ';':
			err = d.statementEnd()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// words is the words of a statement up to its first bracket, text or end, and what that was. Comments are none.
func (d *sqlDump) words() (words []string, last byte, err error) {
	var word []byte
	end := func() {
		if len(word) > 0 {
			words, word = append(words, string(word)), nil
		}
	}
	for {
		b, err := d.next()
		switch {
		case err != nil:
			return nil, 0, err
		case b == '-' && d.peek() == '-' || b == '#':
			err = d.skipTo("\n")
		case b == '/' && d.peek() == '*':
			err = d.skipTo("*/")
		case b == '(' || b == ';' || b == '\'':
			end()
			return words, b, nil
		case b == '`':
			d.escapes = true
		case b == '"' || b == '[' || b == ']':
		case b <= ' ':
			end()
		case len(words) > maxSQLWords || len(word) > maxSQLWord:
			return words, b, nil // no statement that puts rows into a table
		default:
			word = append(word, b)
		}
		if err != nil {
			return nil, 0, err
		}
	}
}

// The bounds of what is held of a statement's head.
const (
	maxSQLWords = 64
	maxSQLWord  = 1 << 10
)

// skipTo skips everything up to a mark, with it.
func (d *sqlDump) skipTo(mark string) error {
	for matched := 0; matched < len(mark); {
		b, err := d.next()
		switch {
		case err != nil:
			return err
		case b == mark[matched]:
			matched++
		default:
			matched = 0
			if b == mark[0] {
				matched = 1
			}
		}
	}
	return nil
}

// statementEnd skips the rest of a statement.
func (d *sqlDump) statementEnd() error {
	for {
		c, err := d.cell("", ";")
		if err != nil || c.end == ';' {
			return err
		}
	}
}

// create learns the names of a table's columns.
func (d *sqlDump) create(table string) error {
	t := d.table(table)
	t.columns = nil
	for {
		c, err := d.cell(",", ")")
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(strings.TrimLeft(c.text, " \t\r\n`\"["), " ")
		name = strings.Trim(name, "`\"]\t\r\n")
		if plain := strings.ToUpper(name); plain != "PRIMARY" && plain != "UNIQUE" && plain != "KEY" && plain != "CONSTRAINT" && plain != "INDEX" && plain != "FULLTEXT" && plain != "FOREIGN" && name != "" {
			t.columns = append(t.columns, name)
		}
		if c.end == ')' {
			return d.statementEnd()
		}
	}
}

// table is the table of a name, without the schema before it.
func (d *sqlDump) table(name string) *sqlTable {
	name = name[strings.LastIndexByte(name, '.')+1:]
	t := d.tables[name]
	if t == nil {
		t = &sqlTable{name: name}
		d.tables[name] = t
		d.order = append(d.order, t)
	}
	return t
}

// nameBehind is the word behind one, empty if there is none.
func nameBehind(words []string, key string) string {
	for i, w := range words[:max(len(words)-1, 0)] {
		if strings.EqualFold(w, key) {
			return words[i+1]
		}
	}
	return ""
}

// named reads the names of columns in brackets, whose opening was read.
func (d *sqlDump) named(t *sqlTable) error {
	row, err := d.row()
	if err != nil || t.decided {
		return err
	}
	t.columns = nil
	for _, c := range row {
		t.columns = append(t.columns, strings.Trim(c.text, "`\"[]"))
	}
	return nil
}

// insert takes the rows of one statement, of which the words before its first bracket were read.
func (d *sqlDump) insert(words []string, last byte) (err error) {
	t := d.table(nameBehind(words, "INTO"))
	if last == '(' && !strings.EqualFold(words[len(words)-1], "VALUES") {
		if err = d.named(t); err != nil {
			return err
		}
		if words, last, err = d.words(); err != nil {
			return err
		}
	}
	for last == '(' && !d.stopped {
		line := d.line
		row, err := d.row()
		if err != nil {
			d.skip(line, truncated)
			return err
		}
		t.add(d.pass, sqlRow{line, row})
		if _, last, err = d.words(); err != nil { // the comma between two rows is a word
			return err
		}
	}
	if last != ';' {
		return d.statementEnd()
	}
	return nil
}

// row is the cells up to the closing bracket.
func (d *sqlDump) row() (row []sqlCell, err error) {
	size := 0
	for {
		c, err := d.cell(",", ")")
		if err != nil {
			return nil, err
		}
		if size += len(c.text); size < maxRecord {
			row = append(row, c)
		}
		if c.end == ')' {
			return row, nil
		}
	}
}

// sqlCell is one value of a row.
type sqlCell struct {
	text   string // empty where it is null
	quoted bool
	null   bool
	end    byte // what ended it
}

// cell reads up to a comma or an end outside of texts and brackets; of a value with a text in it, as in _binary '…' or CAST('…' AS JSON), only the text counts.
func (d *sqlDump) cell(comma, end string) (c sqlCell, err error) {
	var plain []byte
	for depth := 0; ; {
		b, err := d.next()
		switch {
		case err != nil:
			return c, err
		case b == '\'':
			text, err := d.text()
			if err != nil {
				return c, err
			}
			if !c.quoted {
				c.text, c.quoted = text, true
			}
		case depth == 0 && (strings.IndexByte(comma, b) >= 0 || strings.IndexByte(end, b) >= 0):
			if c.end = b; !c.quoted {
				c.text = strings.TrimSpace(string(plain))
				if c.null = strings.EqualFold(c.text, "NULL"); c.null {
					c.text = ""
				}
			}
			return c, nil
		case b == '(':
			depth++
		case b == ')' && depth > 0:
			depth--
		case len(plain) < maxSQLWord:
			plain = append(plain, b)
		}
	}
}

// text is what stands in quotes, whose opening was read. A quote is doubled in it, and where the dialect has it so, a backslash says what follows.
func (d *sqlDump) text() (string, error) {
	var text []byte
	escapes := d.escapes
	for {
		b, err := d.next()
		switch {
		case err != nil:
			return "", err
		case b == '\'' && d.peek() == '\'':
			_, _ = d.next()
		case b == '\'':
			return string(text), nil
		case b == '\\' && (escapes || d.peek() == '"' && len(text) < 3):
			escapes = true // JSON does not begin with a backslash: it is the dialect's
			if b, err = d.next(); err != nil {
				return "", err
			}
			if i := strings.IndexByte("nrt0Z", b); i >= 0 {
				b = "\n\r\t\x00\x1a"[i]
			}
		}
		if len(text) <= maxRecord {
			text = append(text, b)
		}
	}
}

package readlog

import "strings"

// copied takes the rows that stand behind a COPY statement, one a line, with tabs between the cells.
func (d *sqlDump) copied(words []string, last byte) (err error) {
	t := d.table(nameBehind(words, "COPY"))
	if last == '(' {
		if err = d.named(t); err != nil {
			return err
		}
	}
	if last != ';' {
		if err = d.statementEnd(); err != nil {
			return err
		}
	}
	for first := true; !d.stopped; first = false {
		line := d.line
		text, err := d.textLine()
		switch {
		case err != nil || text == `\.`:
			return err
		case first && strings.TrimSpace(text) == "": // what ended the statement's line
		default:
			t.add(d.pass, sqlRow{line, copiedCells(text)})
		}
	}
	return nil
}

// textLine is the rest of a line.
func (d *sqlDump) textLine() (string, error) {
	var text []byte
	for {
		b, err := d.next()
		if err != nil || b == '\n' {
			return strings.TrimSuffix(string(text), "\r"), err
		}
		if len(text) <= maxRecord {
			text = append(text, b)
		}
	}
}

// copyEscapes is what a backslash makes of the byte behind it in copied rows.
var copyEscapes = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r", `\b`, "\b", `\f`, "\f", `\v`, "\v")

func copiedCells(line string) (cells []sqlCell) {
	for cell := range strings.SplitSeq(line, "\t") {
		if cell == `\N` {
			cells = append(cells, sqlCell{null: true})
			continue
		}
		cells = append(cells, sqlCell{text: copyEscapes.Replace(cell)})
	}
	return cells
}

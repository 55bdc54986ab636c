package lines

import "strings"

// plain cuts the records of a text that needs no care. Blank lines are counted and passed over.
func (b Block) plain(c *Cells, yield func(Record, error) bool) {
	if c.cells == nil { // later blocks are alike
		c.cells = make([]string, 0, strings.Count(b.text, string(b.delim))+b.lines)
	}
	rec := &Record{Line: b.line, delim: b.delim}
	for rest, quote := b.text, strings.IndexByte(b.text, '"'); rest != ""; {
		end, inner, first := strings.IndexByte(rest, '\n'), 0, len(c.cells)
		pass := c.Pass != nil && c.Pass(rec.Line)
		if rec.whole = quote < 0 || quote > end; rec.whole {
			if rec.raw = withoutCR(rest[:end]); rec.raw != "" && !pass {
				c.cells = split(c.cells, rec.raw, b.delim)
			}
		} else {
			c.cells, end = splitQuoted(c.cells, rest, end, b.delim)
			rec.raw = withoutCR(rest[:end])
			inner = strings.Count(rec.raw, "\n")
			if quote = strings.IndexByte(rest[end:], '"'); quote >= 0 {
				quote += end
			}
		}
		rest, quote = rest[end+1:], quote-end-1
		if rec.raw == "" {
			c.skip(rec.Line)
		} else if rec.Fields = c.cells[first:len(c.cells):len(c.cells)]; pass || c.Settled != nil && c.Settled(rec) {
			c.cells = c.cells[:first]
		} else if !yield(*rec, nil) {
			return
		}
		rec.Line += 1 + inner
	}
}

// withoutCR is a line without the CR that belongs to its ending.
func withoutCR(line string) string {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// skip counts a line without text.
func (c *Cells) skip(line int) {
	if c.Blank++; c.FirstBlank == 0 {
		c.FirstBlank = line
	}
}

// splitQuoted cuts the record with quotes at the start of s into its fields; end is its offset of the first LF, and becomes that of the one
// that ends it. Quotes stand around whole fields, and twice inside.
func splitQuoted(out []string, s string, end int, delim byte) ([]string, int) {
	for at := 0; ; at++ {
		start := at
		if s[at] == '"' {
			var field string
			field, at = quotedField(s, at)
			out = append(out, field)
		} else {
			if at = strings.IndexByte(s[start:end], delim); at < 0 {
				return append(out, withoutCR(s[start:end])), end
			}
			at += start
			out = append(out, s[start:at])
		}
		if end < at {
			end = at + strings.IndexByte(s[at:], '\n')
		}
		if s[at] != delim {
			return out, end
		}
	}
}

// quotedField is the value of the field whose quote opens at the offset, and the offset behind the quote that closes it.
func quotedField(s string, open int) (field string, end int) {
	doubled := false
	for at := open + 1; ; at += 2 {
		at += strings.IndexByte(s[at:], '"')
		if s[at+1] == '"' {
			doubled = true
			continue
		}
		if field = s[open+1 : at]; doubled {
			field = strings.ReplaceAll(field, `""`, `"`)
		}
		return field, at + 1
	}
}

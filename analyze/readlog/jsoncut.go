package readlog

import (
	"bytes"
	"io"
	"strings"
)

// cutter cuts text into records: lines, and JSON values that take less or more than one line.
type cutter struct {
	*pass
	w     *window
	quick *blockReader // that gives the window its bytes, and takes lines of forms that are known; nil: another reader does

	// Up to this offset no value may span lines: it was tried from an earlier line and broke there. So each byte is scanned twice at most.
	singleUntil int64
}

// cutRecords gives the pass every record of a text. The error is the source's own.
func cutRecords(p *pass, src io.Reader) error {
	c := cutter{pass: p, w: newWindow(src)}
	return c.run()
}

func (c *cutter) run() error {
	for !c.stopped {
		if c.quick != nil && c.quick.take(c.w) {
			continue
		}
		n, ended := c.w.lineEnd(maxLine)
		if n == 0 {
			break
		}
		c.one(n, ended)
	}
	c.flushPartials()
	c.texts.end()
	c.source.Lines = c.w.line - 1
	if c.w.base > 0 && !c.endedLine() {
		c.source.Lines++
	}
	if c.w.err == io.EOF {
		return nil
	}
	return c.w.err
}

// endedLine says whether the last byte that was read ended its line.
func (c *cutter) endedLine() bool { return c.w.last == '\n' }

// one takes the record that begins with the first n bytes, which are a line, or the beginning of a long one.
func (c *cutter) one(n int, ended bool) {
	line := c.w.buf[:n]
	lead := len(line) - len(bytes.TrimLeft(line, junk))
	if lead == n {
		c.w.drop(n)
		return
	}
	if ended && c.mayPass(c.w.line) && isObject(line) {
		c.w.drop(n)
		return
	}
	if b := line[lead]; b != '{' && b != '[' || lead > 0 && c.texts.open() || lead == 0 && c.texts.awaitsBody() {
		c.textLine(n, ended)
		return
	}
	if whole := bytes.TrimRight(line, junk); whole[len(whole)-1] == '}' && line[lead] == '{' {
		if v, err := decodeJSON(whole[lead:]); err == nil { // most lines of most logs: no need to look for their end first
			c.whole(whole[lead:], n, v)
			return
		}
	}
	var scan jsonScan
	for i, b := range line[lead:] {
		switch scan.step(b) {
		case complete:
			c.oneLine(n, lead, lead+i+1, ended)
			return
		case broken:
			if scan.inString && b == '\n' {
				c.cut(n)
				return
			}
			c.textLine(n, ended)
			return
		}
	}
	c.span(n, lead)
}

// whole takes a line that is one value. What a webhook was read from once need not be decoded when a line of its form comes again.
func (c *cutter) whole(text []byte, n int, v any) {
	at, webhooks := c.place(c.w.line), c.source.formats[formWebhook]
	c.w.drop(n)
	c.take(record{place: at, value: v})
	if c.quick != nil && c.source.formats[formWebhook] > webhooks {
		c.quick.learn(text, c.w)
	}
}

// junk may stand before a record and means nothing: spaces, NULs of a disk that was full, a byte order mark, the separator of JSON text sequences.
const junk = " \t\r\n\x00\x1e\ufeff"

// textLine takes a line that is no JSON.
func (c *cutter) textLine(n int, ended bool) {
	line := c.w.line
	if !ended && n >= maxLine {
		c.skip(line, tooLong)
		c.w.dropLine()
		return
	}
	text := string(bytes.Trim(bytes.TrimRight(c.w.buf[:n], "\r\n"), "\x00\ufeff"))
	c.w.drop(n)
	if v, ok := scalarLine(text); ok {
		c.take(record{place: c.place(line), value: v})
		return
	}
	c.text(record{place: c.place(line), text: text}, 0)
}

// scalarLine decodes a line that is one JSON string, which may hold JSON, or another value without brackets, which says nothing.
func scalarLine(text string) (any, bool) {
	if text = strings.Trim(text, junk); text == "" || !strings.ContainsAny(text[:1], `"ntf-0123456789`) {
		return nil, false
	}
	v, err := decodeJSON([]byte(text))
	if v == nil {
		v = false // null says as little, and a record without a value is a line of text
	}
	return v, err == nil
}

// oneLine takes the values of a line whose first one ends at end. What stands behind them is text, unless the first is a mere list of
// words: "[info] started".
func (c *cutter) oneLine(n, lead, end int, ended bool) {
	rest := bytes.Trim(c.w.buf[end:n], junk+",")
	if c.w.buf[lead] == '[' && len(rest) > 0 && rest[0] != '[' && rest[0] != '{' {
		c.textLine(n, ended)
		return
	}
	line := c.w.line
	c.jsonValue(c.w.buf[lead:end], line)
	skip := end
	if len(rest) > 0 {
		skip += bytes.Index(c.w.buf[end:n], rest)
	} else {
		skip = n
	}
	c.w.drop(skip)
}

// cut counts a JSON line that ends too early: the file's last line is cut off, another one is no JSON.
func (c *cutter) cut(n int) {
	reason := notJSON
	if c.w.buf[n-1] != '\n' {
		reason = truncated
	}
	c.skip(c.w.line, reason)
	c.w.drop(n)
}

// jsonValue decodes one value and takes it.
func (c *cutter) jsonValue(b []byte, line int) {
	v, err := decodeJSON(b)
	if err != nil {
		c.skip(line, notJSON)
		return
	}
	c.take(record{place: c.place(line), value: v})
}

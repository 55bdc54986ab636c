package readlog

import (
	"bufio"
	"bytes"
	"io"
)

// The bounds of a title above a table: a report's name, its dates, an empty line.
const (
	titleSize  = 4 << 10
	titleLines = 15
)

// titleEnd is how many bytes of lines stand above the header of a table: lines without the delimiter that the lines after them have. 0: none.
//
// The reader of tables finds the delimiter in the first line, and a title has none.
func titleEnd(head []byte) int {
	head = head[:min(len(head), titleSize)]
	if len(head) == 0 || bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return 0
	}
	for _, delimiter := range []byte{';', '\t', '|', ','} {
		at := 0
		for range titleLines {
			line := lineAt(head, at)
			if n := bytes.Count(line, []byte{delimiter}); n >= 2 {
				if at > 0 && bytes.Count(lineAt(head, at+len(line)), []byte{delimiter}) >= n {
					return at
				}
				break
			}
			if at += len(line); at >= len(head) || bytes.IndexByte(line, delimiter) >= 0 {
				break
			}
		}
	}
	return 0
}

// lineAt is the line that begins at a byte, with its ending.
func lineAt(b []byte, at int) []byte {
	if at >= len(b) {
		return nil
	}
	if end := bytes.IndexByte(b[at:], '\n'); end >= 0 {
		return b[at : at+end+1]
	}
	return b[at:]
}

// skipTitle takes the title off a table and says how many lines it had.
func skipTitle(src io.Reader) (io.Reader, int) {
	b := bufio.NewReaderSize(src, titleSize)
	head, _ := b.Peek(titleSize) // a shorter source has less; an error comes again when it is read
	end := titleEnd(head)
	above := bytes.Count(head[:end], []byte{'\n'})
	b.Discard(end)
	return b, above
}

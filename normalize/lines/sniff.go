package lines

import (
	"bytes"
)

// sampleSize is how much of the file is looked at before the first record; sampleRecords is how many records vote on the delimiter.
const (
	sampleSize    = 64 << 10
	sampleRecords = 50
)

// candidates are the bytes that may separate fields, in the order in which they win a tie.
var candidates = []byte{',', ';', '\t', '|'}

// sepLine is the line that tells Excel the delimiter; the delimiter is its group. A letter, digit, quote or blank is none.
var sepLine = pattern(`(?i)\A"?sep=([^\r\n"a-z0-9 ]?)"?[ \t]*(?:\r?\n|\r|\z)`)

// detect finds the delimiter: the one under which most of the first records have as many fields as the header.
//
// A delimiter that the header does not hold cannot win, so commas inside names do not beat a semicolon header.
func detect(sample []byte, eof bool) byte {
	best, bestAgree, bestWidth := candidates[0], 0, 1
	for _, c := range candidates {
		width, agree := vote(sample, c, eof)
		if width < 2 || agree < bestAgree || agree == bestAgree && width <= bestWidth {
			continue
		}
		best, bestAgree, bestWidth = c, agree, width
	}
	return best
}

// vote gives the header's number of fields under a delimiter, and how many of the records after it have the same number.
func vote(sample []byte, delim byte, eof bool) (width, agree int) {
	s, at := newScanner(delim), 0
	for range sampleRecords {
		if at == len(sample) {
			break
		}
		c := s.record(sample, at, eof)
		if c.kind != noFault {
			break
		}
		text := sample[at : at+c.text]
		at += c.size
		n := bytes.Count(text, []byte{delim}) + 1
		if len(s.spans) > 0 {
			n = len(s.spans)
		}
		switch {
		case len(bytes.TrimSpace(text)) == 0:
		case width == 0:
			width, agree = n, 1
		case n == width:
			agree++
		}
	}
	return width, agree
}

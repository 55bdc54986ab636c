package lines

import (
	"bytes"
	"fmt"
	"regexp"
)

// sampleSize is how much of the file is looked at before the first record; sampleRecords is how many records vote on the delimiter.
const (
	sampleSize    = 64 << 10
	sampleRecords = 50
)

const saveAsCSV = "save the sheet as \"CSV UTF-8\" and use that file"

// signature is a format that its first bytes give away.
type signature struct {
	prefix string
	name   string
	err    error
	hint   string
}

// signatures are the formats that are known but not read. The longest of two prefixes that overlap comes first.
var signatures = []signature{
	{"\xff\xfe\x00\x00", "UTF-32 text (little endian)", ErrEncoding, saveAsCSV},
	{"\x00\x00\xfe\xff", "UTF-32 text (big endian)", ErrEncoding, saveAsCSV},
	{"\xff\xfe", "UTF-16 text (little endian)", ErrEncoding, saveAsCSV},
	{"\xfe\xff", "UTF-16 text (big endian)", ErrEncoding, saveAsCSV},
	{"\x1f\x8b", "a gzip file", ErrFormat, "unpack it first, for example with gunzip"},
	{"\x28\xb5\x2f\xfd", "a zstd file", ErrFormat, "unpack it first, for example with unzstd"},
	{"PK\x03\x04", "an Excel workbook (XLSX) or another ZIP file", ErrFormat, saveAsCSV},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook (XLS)", ErrFormat, saveAsCSV},
	{"%PDF-", "a PDF", ErrFormat, saveAsCSV},
	{"SQLite format 3\x00", "an SQLite database", ErrFormat, "export the table as CSV"},
}

const bom = "\xef\xbb\xbf"

// candidate is a character that may separate fields.
type candidate struct {
	delim byte
	name  string
	read  bool // whether this version reads it
}

// candidates in the order in which they win a tie.
var candidates = []candidate{
	{',', "comma", true},
	{';', "semicolon", true},
	{'\t', "tab", true},
	{'|', "pipe", false},
}

// sepLine is the line that tells Excel the delimiter.
var sepLine = regexp.MustCompile(`(?i)\A"?sep=[^\r\n]{0,2}"?\s*(?:[\r\n]|\z)`)

// checkSignature refuses a file whose first bytes name a format that is not read.
func checkSignature(path string, sample []byte) error {
	for _, s := range signatures {
		if bytes.HasPrefix(sample, []byte(s.prefix)) {
			return &FileError{Path: path, Msg: "this is " + s.name + ", which is not read yet", Hint: s.hint, Err: s.err}
		}
	}
	if len(sample) >= 4 && (sample[0] == 0) != (sample[1] == 0) && (sample[0] == 0) == (sample[2] == 0) && (sample[1] == 0) == (sample[3] == 0) {
		return &FileError{Path: path, Rule: "nul-byte", Msg: "every second byte is NUL: this is UTF-16 text, which is not read yet", Hint: saveAsCSV, Err: ErrEncoding}
	}
	return nil
}

// checkSepLine refuses a file that starts with Excel's sep= line.
func checkSepLine(path string, sample []byte) error {
	if !sepLine.Match(sample) {
		return nil
	}
	return &FileError{Path: path, Line: 1, Rule: "sep-line", Err: ErrFormat,
		Msg:  fmt.Sprintf("the file starts with %q, which is not read yet", bytes.TrimSpace(firstLine(sample))),
		Hint: "delete the first line: the delimiter is found without it"}
}

// firstLine is b up to its first CR or LF.
func firstLine(b []byte) []byte {
	if i := bytes.IndexAny(b, "\r\n"); i >= 0 {
		return b[:i]
	}
	return b
}

// detect finds the delimiter: the one under which most of the first records have as many fields as the header.
//
// A delimiter that the header does not hold cannot win, so commas inside names do not beat a semicolon header.
func detect(sample []byte, eof bool) candidate {
	best, bestAgree, bestWidth := candidates[0], 0, 1
	for _, c := range candidates {
		width, agree := vote(sample, c.delim, eof)
		if width < 2 || agree < bestAgree || agree == bestAgree && width <= bestWidth {
			continue
		}
		best, bestAgree, bestWidth = c, agree, width
	}
	return best
}

// vote gives the header's number of fields under a delimiter, and how many of the records after it have the same number.
func vote(sample []byte, delim byte, eof bool) (width, agree int) {
	s := scanner{delim: delim}
	for range sampleRecords {
		if len(sample) == 0 {
			break
		}
		c := s.record(sample, eof)
		if c.kind != noFault && c.kind != quoteInUnquoted {
			break
		}
		text := sample[:c.text]
		sample = sample[c.size:]
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

package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// The most characters of strangers' text that a face for people and reviews shows of one cell, and of one message.
const (
	mostOfValue   = 60
	mostOfMessage = 400
)

// joiners are format characters that words and emoji need; alone they do no harm.
const joiners = "\u200c\u200d"

// harmful tells characters that steer a terminal, turn text round or break a line, and bytes that are no text.
func harmful(r rune) bool {
	if r < 0x7f { // nearly all of every list
		return r < ' '
	}
	return r == utf8.RuneError || unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		unicode.Is(unicode.Cf, r) && !strings.ContainsRune(joiners, r)
}

// named are the characters that people know by a letter.
var named = map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}

// visible is text with every harmful character written out. What is visible already stays as it is.
func visible(text string) string {
	if !strings.ContainsFunc(text, harmful) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case named[r] != "":
			b.WriteString(named[r])
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case !harmful(r) || r == utf8.RuneError:
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// cut is the first n characters of text, with a mark where more follow.
func cut(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// jsonWriter writes values as JSON that is plain even on a terminal: harmful characters become \u escapes, which every reader undoes.
type jsonWriter struct {
	w    *bufio.Writer
	line bytes.Buffer // the value before it goes out
	json *json.Encoder
}

func newJSONWriter(w *bufio.Writer) *jsonWriter {
	j := &jsonWriter{w: w}
	j.json = json.NewEncoder(&j.line)
	j.json.SetEscapeHTML(false) // <script> is text to a JSON reader; a page that shows it has to escape it anyway
	return j
}

// put writes v without a line end.
func (j *jsonWriter) put(v any) error {
	j.line.Reset()
	if err := j.json.Encode(v); err != nil {
		return err
	}
	line := bytes.TrimSuffix(j.line.Bytes(), []byte("\n"))
	// The encoder has written ASCII's own controls out but for DEL, so most lines need no look at their characters.
	if i := slices.IndexFunc(line, func(b byte) bool { return b >= 0x7f }); i < 0 || !bytes.ContainsFunc(line[i:], harmful) {
		_, err := j.w.Write(line)
		return err
	}
	return j.escaped(string(line))
}

// putLine writes v on a line of its own.
func (j *jsonWriter) putLine(v any) error {
	if err := j.put(v); err != nil {
		return err
	}
	return j.w.WriteByte('\n')
}

// escaped writes JSON. Outside of its strings it holds ASCII only, so whatever is harmful stands in a string.
func (j *jsonWriter) escaped(text string) (err error) {
	for _, r := range text {
		switch {
		case !harmful(r) || r == utf8.RuneError:
			_, err = j.w.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			_, err = fmt.Fprintf(j.w, `\u%04x\u%04x`, high, low)
		default:
			_, err = fmt.Fprintf(j.w, `\u%04x`, r)
		}
	}
	return err // the writer keeps its first error
}

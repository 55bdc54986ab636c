package output

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Safe is text with every control, format and invalid character written out, so that it cannot steer a terminal.
func Safe(text string) string {
	if isPlain(text) || !strings.ContainsFunc(text, unsafe) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r < 0x80 && unsafe(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case unsafe(r) && r != utf8.RuneError:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// SafeJSON is a JSON text with every character that could steer a terminal escaped in its strings: every reader undoes that.
func SafeJSON(text string) string {
	steers := func(r rune) bool { return r >= 0x7f && r != utf8.RuneError && unsafe(r) }
	if !strings.ContainsFunc(text, steers) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch high, low := utf16.EncodeRune(r); {
		case !steers(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// isPlain says whether a text is printable ASCII: most are, and a report has many.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// joiners are format characters that words and emoji need; alone they do nothing to a terminal.
const joiners = "\u200c\u200d"

// unsafe tells characters that Safe looks at: controls, line separators, and format characters such as the ones that turn text round.
func unsafe(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		unicode.Is(unicode.Cf, r) && !strings.ContainsRune(joiners, r)
}

var (
	wamids  = regexp.MustCompile(`wamid\.[A-Za-z0-9+/_=-]+|\b(?:HBg[H-P]|gBE[A-Z])[A-Za-z0-9+/_=-]{12,}`) // the bare ones hold a number too
	numbers = regexp.MustCompile(`\+?\(?\d(?:[ ().\-\x{00a0}]{0,3}\d)+`)
	dates   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:\D|$)`)
)

// The digits of what Mask takes for a phone number. More than 15 are no number, and less than 7 are no whole one.
const (
	fewestDigits = 7
	mostDigits   = 15
)

// Mask is free text with the middle digits of every phone number hidden, and every wamid replaced. Dates stay.
func Mask(text string) string {
	text = wamids.ReplaceAllStringFunc(text, MaskWamid)
	return numbers.ReplaceAllStringFunc(text, maskNumber)
}

func maskNumber(match string) string {
	if dates.MatchString(match) {
		const date = len("2006-01-02")
		return match[:date] + numbers.ReplaceAllStringFunc(match[date:], maskNumber)
	}
	n := countDigits(match)
	if n < fewestDigits || n > mostDigits && !strings.ContainsAny(match, " ().-\u00a0") {
		return match
	}
	return MaskPhone(match) // more digits with gaps between them are several numbers in a row
}

// MaskPhone hides the middle digits of one phone number: "+5511987654321" becomes "+5511*****4321". Separators stay.
func MaskPhone(phone string) string {
	n := countDigits(phone)
	keep := min(4, max(0, n-4)/2)
	seen := 0
	return strings.Map(func(r rune) rune {
		if !unicode.IsDigit(r) {
			return r
		}
		seen++
		if seen > keep && seen <= n-keep {
			return '*'
		}
		return r
	}, phone)
}

// MaskWamid replaces a message id, because a wamid holds its recipient's number. An empty one stays empty.
func MaskWamid(id string) string {
	if id == "" {
		return ""
	}
	return "wamid.****"
}

func countDigits(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

var literals = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// maskStrings masks inside the string literals of a JSON text.
func maskStrings(text string) string { return literals.ReplaceAllStringFunc(text, Mask) }

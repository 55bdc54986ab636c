package readlog

import (
	"regexp"
	"strings"
)

// near is a number that stands behind one of some words, as in "to: 12025550111". A pattern of all that would be tried at each letter of a line.
type near struct {
	words   []string       // in lower case; nothing but the start of a word counts
	between string         // the bytes of which at least one stands between
	arrow   bool           // an arrow between two numbers is such a word too
	number  *regexp.Regexp // from its own start
}

// The words before the number that a message goes to, and before the one that it comes from.
var (
	toNumber = near{[]string{"to", "recipient", "for", "para", "an", "à", "a", "ke", "destination"}, ` :=>"'(`, true,
		regexp.MustCompile(`^(?:\+\d[\d ().-]{6,20}\d|\+?\d{7,15}(?:@[a-z.]+)?)`)}
	fromNumber = near{[]string{"from", "phone_number_id", "phone id", "number id", "de", "von", "dari", "via"}, ` :=>"'`, false,
		regexp.MustCompile(`^\+?\d{7,20}`)}
)

// find is the first such number in s, empty if there is none.
func (n *near) find(s string) string {
	for i := 1; i < len(s); i++ {
		if c := s[i]; c != '+' && (c < '0' || c > '9') || strings.IndexByte(n.between, s[i-1]) < 0 {
			continue
		}
		if !n.endsIn(strings.TrimRight(s[:i], n.between)) && !(n.arrow && endsInArrow(s[:i])) {
			continue
		}
		if number := n.number.FindString(s[i:]); number != "" {
			return number
		}
	}
	return ""
}

// endsInArrow says whether s ends in an arrow with a number before it.
func endsInArrow(s string) bool {
	s = strings.TrimRight(s, " ")
	for _, arrow := range []string{"->", "→", "=>", "⇒"} {
		if before, ok := strings.CutSuffix(s, arrow); ok {
			before = strings.TrimRight(before, " ")
			return before != "" && before[len(before)-1] >= '0' && before[len(before)-1] <= '9'
		}
	}
	return false
}

// beforeArrow is the number that an arrow leads from, empty if there is none.
func beforeArrow(s string) string {
	if m := numberArrow.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

var numberArrow = regexp.MustCompile(`(?:^|[^\d+])(\+?\d{7,20}) ?(?:->|→|=>|⇒|to|para|an) ?\+?\d{7}`)

// endsIn says whether s ends in one of the words.
func (n *near) endsIn(s string) bool {
	for _, w := range n.words {
		from := len(s) - len(w)
		if from >= 0 && strings.EqualFold(s[from:], w) && (from == 0 || !inWord(s[from-1])) {
			return true
		}
	}
	return false
}

// inWord says whether a byte before a word makes it the end of a longer one.
func inWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

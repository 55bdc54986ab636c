package report

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/wactl/wactl/normalize"
)

// fewestDigits is the size of the shortest text that could be somebody's number.
const fewestDigits = 7

// mostBetween is how many other characters may stand between two digits of one number in free text.
const mostBetween = 3

// wamids are message ids, which hold their recipient's number.
var wamids = regexp.MustCompile(`wamid\.[A-Za-z0-9+/_=-]+`)

// Masked is free text with the middle digits of every number hidden, whatever its script and separators.
func Masked(text string) string {
	text = hideWamids(text)
	if digitsIn(text) < fewestDigits {
		return text
	}
	runes := []rune(text)
	for start := 0; start < len(runes); {
		if !unicode.IsDigit(runes[start]) {
			start++
			continue
		}
		end := numberEnd(runes, start)
		hideMiddle(runes[start:end])
		start = end
	}
	return string(runes)
}

// numberEnd is behind the last digit of the number that begins at start. A plus begins a number of its own.
func numberEnd(runes []rune, start int) int {
	end, between := start+1, 0
	for i := end; i < len(runes) && between <= mostBetween; i++ {
		switch r := runes[i]; {
		case unicode.IsDigit(r):
			end, between = i+1, 0
		case r == '+' || unicode.IsLetter(r):
			return end
		default:
			between++
		}
	}
	return end
}

// maskedCell is a cell with the middle of all its digits hidden, even where letters part them: a cell is taken for one number.
func maskedCell(cell string) string {
	cell = hideWamids(cell)
	if digitsIn(cell) < fewestDigits {
		return cell
	}
	runes := []rune(cell)
	hideMiddle(runes)
	return string(runes)
}

// hideMiddle leaves four digits at most on each side, and none of those between.
func hideMiddle(runes []rune) {
	n := 0
	for _, r := range runes {
		n += digit(r)
	}
	if n < fewestDigits {
		return
	}
	keep, seen := min(4, (n-4)/2), 0
	for i, r := range runes {
		seen += digit(r)
		if digit(r) == 1 && seen > keep && seen <= n-keep {
			runes[i] = '*'
		}
	}
}

// digit is 1 for a digit of any script, else 0.
func digit(r rune) int {
	if unicode.IsDigit(r) {
		return 1
	}
	return 0
}

func digitsIn(text string) (n int) {
	for _, r := range text {
		n += digit(r)
	}
	return n
}

func hideWamids(text string) string {
	if !strings.Contains(text, "wamid.") {
		return text
	}
	return wamids.ReplaceAllString(text, "wamid.****")
}

// shown is the problem as a face may show it: with Hidden, no number stands in its value, message, header or recipient.
func (o Options) shown(p Problem) Problem {
	if o.Numbers != Hidden {
		return p
	}
	value := maskedCell(p.Value)
	// A message may quote its cell, whose digits need not look like a number once they stand in a sentence.
	for _, form := range []func(string) string{func(s string) string { return s }, strings.TrimSpace, quotedInside} {
		if old := form(p.Value); old != "" && old != form(value) {
			p.Message = strings.ReplaceAll(p.Message, old, form(value))
		}
	}
	p.Value, p.Message = value, Masked(p.Message)
	p.Header, p.Recipient = maskedCell(p.Header), maskedCell(p.Recipient)
	if p.Fix != nil && maskedCell(p.Fix.New) != p.Fix.New {
		p.Fix = &normalize.Repair{} // a masked repair would destroy the number
	}
	return p
}

// quotedInside is text as %q writes it, without the quotes.
func quotedInside(text string) string {
	q := strconv.Quote(text)
	return q[1 : len(q)-1]
}

// sentence is a shown problem in one safe line: its message, and its cell where the message does not quote it.
func sentence(p Problem) string {
	text := cut(visible(p.Message), mostOfMessage)
	value := visible(p.Value)
	if strings.TrimSpace(value) == "" || strings.Contains(visible(p.Message), value) {
		return text
	}
	return text + ": " + cut(value, mostOfValue)
}

package readlog

import (
	"strings"
	"time"
)

// timeScan walks over a written time and keeps what it found.
type timeScan struct {
	s string
	i int

	year, month, day  int
	first, second     int // of a date such as 03/04/2026, whose order the clock knows
	dotted            bool
	hour, minute, sec int
	nano              int
	until             time.Duration
	hasZone           bool
	offset            int // seconds east of UTC
	yearless          bool
}

// digits is how many ASCII digits s starts with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// number reads between min and max digits, no more and no fewer.
func (p *timeScan) number(least, most int) (n, width int, ok bool) {
	width = digits(p.s[p.i:])
	if width < least || width > most {
		return 0, 0, false
	}
	for _, c := range []byte(p.s[p.i : p.i+width]) {
		n = n*10 + int(c-'0')
	}
	p.i += width
	return n, width, true
}

// accept passes over the first of the texts that stands here.
func (p *timeScan) accept(texts ...string) bool {
	for _, t := range texts {
		if strings.HasPrefix(p.s[p.i:], t) {
			p.i += len(t)
			return true
		}
	}
	return false
}

// peek is the byte here, 0 at the end.
func (p *timeScan) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// blanks are what stands for a space in times that a spreadsheet or a browser wrote.
var blanks = []string{" ", "\u00a0", "\u202f", "\u2009"}

// betweens stand between a date and a clock time, the longest first; the empty one must be last.
var betweens = []string{" @ ", ", at ", " at ", " às ", " a las ", " um ", " à ", " - ", ", ", "T", "t", "_", ":", ",", " ", "\u00a0", "\u202f"}

// dateThenClock reads a date and, mostly, a time of day behind it.
func (p *timeScan) dateThenClock() bool {
	if !p.date() {
		return false
	}
	if p.yearless || p.month == 0 && p.first == 0 {
		return p.clockInDate()
	}
	mark := p.i
	for _, b := range betweens {
		p.i = mark
		if p.accept(b) {
			p.accept(blanks...)
			if p.clock() {
				return true
			}
		}
	}
	p.i, p.until = mark, 24*time.Hour
	return p.i == len(p.s) || strings.IndexByte(" \t]),;\"'|}", p.s[p.i]) >= 0
}

// clockInDate reads the forms that put the year behind the time of day: asctime, and syslog's without a year.
func (p *timeScan) clockInDate() bool {
	if !p.accept(blanks...) || !p.clock() {
		return false
	}
	mark := p.i
	if p.accept(" ") {
		if n, _, ok := p.number(4, 4); ok && n >= 2000 && n < 2100 {
			p.year, p.yearless = n, false
			return true
		}
	}
	p.i = mark
	return true
}

// clockThenDate reads the forms that put the time of day first, such as 09:20:31 UTC 2026-11-19.
func (p *timeScan) clockThenDate() bool {
	if !p.clock() || !p.accept(", ", " ") {
		return false
	}
	return p.date() && !p.yearless
}

// date reads any of the forms of a calendar day.
func (p *timeScan) date() bool {
	switch n := digits(p.s[p.i:]); {
	case n == 0:
		return p.namedDate()
	case n == 4 && p.i+4 < len(p.s):
		return p.yearFirst()
	case n == 8:
		return p.compactDate()
	case n <= 2:
		return p.dayOrMonthFirst()
	}
	return false
}

// yearFirst reads 2026-11-19, also with slashes or points.
func (p *timeScan) yearFirst() bool {
	p.year, _, _ = p.number(4, 4)
	sep := p.peek()
	if sep != '-' && sep != '/' && sep != '.' {
		return false
	}
	p.i++
	month, _, ok := p.number(1, 2)
	if !ok || p.peek() != sep {
		return false
	}
	p.i++
	day, _, ok := p.number(1, 2)
	p.month, p.day = month, day
	return ok
}

// compactDate reads 20261119, which counts as a day only with a time of day behind it.
func (p *timeScan) compactDate() bool {
	n, _, _ := p.number(8, 8)
	p.year, p.month, p.day = n/10000, n/100%100, n%100
	return p.peek() == 'T' || p.peek() == ' ' || p.peek() == '-'
}

// dayOrMonthFirst reads 19/11/2026, 11/19/26, 19.11.2026, 19-Nov-2026, 19 Nov 2026 and 19 de nov. de 2026.
func (p *timeScan) dayOrMonthFirst() bool {
	first, _, _ := p.number(1, 2)
	sep := p.peek()
	if sep == '/' || sep == '-' || sep == '.' {
		p.i++
		if digits(p.s[p.i:]) == 0 {
			return p.monthBehind(first, string(sep))
		}
		second, _, ok := p.number(1, 2)
		if !ok || p.peek() != sep {
			return false
		}
		p.i++
		p.first, p.second, p.dotted = first, second, sep == '.'
		return p.shortYear()
	}
	if !p.accept(". ", " ") {
		return false
	}
	p.accept("de ")
	return p.monthBehind(first, " ")
}

// monthBehind reads the month's name and the year that follow a day.
func (p *timeScan) monthBehind(day int, sep string) bool {
	month, ok := p.monthName()
	if !ok || !p.accept(sep, " de ", " ", "-", ", ") {
		return false
	}
	p.accept("de ")
	p.month, p.day = month, day
	return p.shortYear()
}

// shortYear reads a year of four digits, or of two in this century.
func (p *timeScan) shortYear() bool {
	n, width, ok := p.number(2, 4)
	if !ok || width == 3 {
		return false
	}
	if width == 2 {
		n += 2000
	}
	p.year = n
	return true
}

// namedDate reads dates that begin with a name: Thu, 19 Nov 2026; Nov 19, 2026; Thu Nov 19 (its year comes later or never).
func (p *timeScan) namedDate() bool {
	mark := p.i
	if p.weekday() && digits(p.s[p.i:]) > 0 {
		return p.dayOrMonthFirst()
	}
	if p.i == mark || p.i == len(p.s) {
		p.i = mark
	}
	month, ok := p.monthName()
	if !ok || !p.accept("  ", " ") {
		return false
	}
	day, _, ok := p.number(1, 2)
	if !ok {
		return false
	}
	p.month, p.day = month, day
	mark = p.i
	if p.accept(", ", " ") {
		if n, width, ok := p.number(4, 4); ok && width == 4 {
			p.year = n
			return true
		}
	}
	p.i, p.yearless = mark, true
	return true
}

// weekday passes over the name of a day of the week.
func (p *timeScan) weekday() bool {
	word := letters(p.s[p.i:])
	if len(word) < 3 || strings.Index("|mon|tue|wed|thu|fri|sat|sun|", "|"+strings.ToLower(word[:3])+"|") < 0 {
		return false
	}
	p.i += len(word)
	return p.accept(", ", " ", ",")
}

// letters is the word that s starts with.
func letters(s string) string {
	for i, r := range s {
		if r|0x20 < 'a' || r|0x20 > 'z' {
			if r < 0xc0 || r > 0x24f {
				return s[:i]
			}
		}
	}
	return s
}

// months are how the months of a year start, in the languages that spreadsheets and consoles write them in.
var months = []string{
	"jan ene gen", "feb fev fév", "mar mär mrz", "apr abr avr", "may mai mei mag", "jun juin giu", "jul juil lug",
	"aug ago aoû agu ags", "sep set", "oct okt out ott", "nov", "dec dez dic déc des",
}

// monthLetters is what the names begin with; most words of a log begin with another letter.
const monthLetters = "jefmasondgl"

var monthStarts = func() (starts [12][]string) {
	for i, row := range months {
		starts[i] = strings.Fields(row)
	}
	return starts
}()

// monthName reads a month by its name or the beginning of it.
func (p *timeScan) monthName() (int, bool) {
	if strings.IndexByte(monthLetters, p.peek()|0x20) < 0 {
		return 0, false
	}
	word := strings.ToLower(letters(p.s[p.i:]))
	if len(word) < 3 {
		return 0, false
	}
	best, length := 0, 0
	for i, starts := range monthStarts {
		for _, start := range starts {
			if strings.HasPrefix(word, start) && len(start) > length {
				best, length = i+1, len(start)
			}
		}
	}
	if best == 0 {
		return 0, false
	}
	p.i += len(letters(p.s[p.i:]))
	p.accept(".")
	return best, true
}

// place gives a written time its instant: day and month in the clock's order, then the zone.
func (c *clock) place(p *timeScan) (stamp, bool) {
	if p.first > 0 && p.month == 0 {
		p.day, p.month = c.dayAndMonth(p)
	}
	if p.yearless {
		c.yearOf(p)
	}
	if p.month < 1 || p.month > 12 || p.day < 1 || p.day > daysIn(p.year, p.month) {
		return stamp{}, false
	}
	var at time.Time
	if p.hasZone {
		at = time.Date(p.year, time.Month(p.month), p.day, p.hour, p.minute, p.sec, p.nano, time.UTC).Add(-time.Duration(p.offset) * time.Second)
	} else {
		at = c.local(p.year, time.Month(p.month), p.day, p.hour, p.minute, p.sec, p.nano)
	}
	return stamp{at: at, until: p.until, naive: !p.hasZone}, at.Unix() >= earliest && at.Unix() < latest
}

// yearOf gives a date without a year the last one that it can have had when the source was written.
func (c *clock) yearOf(p *timeScan) {
	if c.written.IsZero() {
		return
	}
	c.sawYearless = true
	day := c.written.AddDate(0, 0, 1) // clocks and zones differ
	p.year = day.Year()
	if p.month > int(day.Month()) || p.month == int(day.Month()) && p.day > day.Day() {
		p.year--
	}
}

// daysIn is how many days a month has.
func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// dayAndMonth puts the two numbers of a date in order. Points always mean day first; a number over 12 decides for itself.
func (c *clock) dayAndMonth(p *timeScan) (day, month int) {
	switch {
	case p.first > 12, p.dotted:
		return p.first, p.second
	case p.second > 12:
		return p.second, p.first
	}
	if c.order == orderUnknown {
		c.order, c.sawGuessed = orderDMY, true
	}
	if c.order == orderMDY {
		return p.second, p.first
	}
	return p.first, p.second
}

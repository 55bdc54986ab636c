package readlog

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // a machine without zone files must read --timezone too; costs 0.4 MB of the program
)

// clock reads the times of one source. Its zero value takes times without a zone as UTC and guesses the order of day and month.
type clock struct {
	zone    *time.Location // of times without one; nil: not known, read as UTC
	order   dateOrder
	written time.Time // when the source was last written, for dates without a year, as in syslog; zero: such dates are no times
	serials bool      // whole numbers may be Excel days too: true in a table's time column

	sawNaive    bool // an event rests on a time without a zone; the others are notes only then
	sawGuessed  bool
	sawYearless bool
	sawRepeated bool
	last        time.Time // the time without a zone that was read before, for the hour that comes twice; zero: none
}

// dateOrder says which of 03/04/2026 is the day.
type dateOrder uint8

const (
	orderUnknown dateOrder = iota
	orderDMY
	orderMDY
)

// newClock makes a clock of what the options say of times.
func newClock(o *Options) *clock {
	c := &clock{zone: o.Timezone}
	switch o.DateOrder {
	case "dmy":
		c.order = orderDMY
	case "mdy":
		c.order = orderMDY
	}
	return c
}

// utc is the same clock for times that are known to be UTC though no zone stands beside them.
func (c *clock) utc() *clock {
	u := *c
	u.zone = time.UTC
	return &u
}

// notes are what a reader of the report must know of the times that were read.
func (c *clock) notes() []string {
	if !c.sawNaive {
		return nil
	}
	var notes []string
	if c.zone == nil {
		notes = append(notes, "zone unknown: times without a zone were read as UTC; give --timezone to place them (intervals between them hold)")
	}
	if c.sawGuessed {
		order := "day first (--date-order dmy)"
		if c.order == orderMDY {
			order = "month first (--date-order mdy)"
		}
		notes = append(notes, "date order guessed: no day after the 12th shows it, so dates were read "+order)
	}
	if c.sawYearless {
		notes = append(notes, "year unknown: times without a year were read as the last such day before the file was written")
	}
	if c.sawRepeated {
		notes = append(notes, "clocks went back: times in the repeated hour were read in the order of the file, each as near as can be to the one before it")
	}
	return notes
}

// read is a time in a decoded value: a number, or a text that holds nothing else.
func (c *clock) read(v any) (stamp, bool) {
	switch v := v.(type) {
	case string:
		return c.text(v)
	case json.Number:
		return c.text(string(v))
	case float64:
		return c.text(strconv.FormatFloat(v, 'f', -1, 64))
	case int:
		return c.text(strconv.Itoa(v))
	case int64:
		return c.text(strconv.FormatInt(v, 10))
	case object:
		return c.read(extended(v))
	}
	return stamp{}, false
}

// text is a time that is all of s, but for blanks, quotes and brackets around it.
func (c *clock) text(s string) (stamp, bool) {
	s = strings.Trim(s, " \t\r\n\"'[]()\u00a0\u202f\ufeff")
	if len(s) < 5 || len(s) > 80 {
		return stamp{}, false
	}
	st, n, ok := c.prefix(s)
	if !ok || !isZoneTail(s[n:]) {
		return stamp{}, false
	}
	return st, true
}

// isZoneTail says whether what follows a time is only the name of its zone, as in "(Central European Time)" or "WIB".
func isZoneTail(s string) bool {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "(") || strings.HasPrefix(s, "[") {
		return true
	}
	return len(s) <= 5 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// prefix is the time at the very start of s, and how many bytes it takes.
func (c *clock) prefix(s string) (stamp, int, bool) {
	if len(s) < 5 {
		return stamp{}, 0, false
	}
	if '0' <= s[0] && s[0] <= '9' {
		if st, n, ok := c.count(s); ok {
			return st, n, true
		}
	}
	p := &timeScan{s: s}
	if !p.dateThenClock() {
		*p = timeScan{s: s}
		if !p.clockThenDate() {
			return stamp{}, 0, false
		}
	}
	st, ok := c.place(p)
	return st, p.i, ok
}

// The instants that are believed: WhatsApp is younger than the first, and nobody logs the second.
const (
	earliest = 946684800  // 2000-01-01, unix seconds
	latest   = 4102444800 // 2100-01-01
)

// unit is what a count since 1970 counts.
type unit struct {
	from float64 // the unit of counts from here on
	per  int64   // of them in a second
}

// units are told apart by size alone, so each value decides for itself.
var units = []unit{{1e17, 1e9}, {1e14, 1e6}, {1e11, 1e3}, {1e9, 1}}

// count is a time written as one number: seconds or smaller units since 1970, or Excel's days since 1900.
func (c *clock) count(s string) (stamp, int, bool) {
	whole := digits(s)
	end, frac := whole, ""
	if whole < len(s) && (s[whole] == '.' || s[whole] == ',') {
		if n := digits(s[whole+1:]); n > 0 {
			frac = s[whole+1 : whole+1+n]
			end = whole + 1 + n
		}
	}
	exponent, n := exponentAt(s[end:])
	end += n
	if end < len(s) && strings.IndexByte(" \t]),;\"'|}", s[end]) < 0 {
		return stamp{}, 0, false
	}
	digit := s[:whole]
	if n > 0 {
		var ok bool
		if len(frac) > 6 && exponent > len(frac) {
			frac += strings.Repeat("0", exponent-len(frac)) // printed in full, without the zeros at its end; spreadsheets keep fewer digits
		}
		if digit, frac, ok = shift(digit, frac, exponent); !ok {
			return stamp{}, 0, false
		}
	}
	if len(digit) == 5 && (frac != "" || c.serials) {
		st, ok := c.serial(digit, frac)
		return st, end, ok
	}
	st, ok := unixTime(digit, frac)
	return st, end, ok
}

// exponentAt is the power of ten at the start of s, as in 1.795e+09, and its length.
func exponentAt(s string) (exponent, n int) {
	if len(s) < 2 || s[0]|0x20 != 'e' {
		return 0, 0
	}
	i := 1
	if s[i] == '+' {
		i++
	}
	n = digits(s[i:])
	if n == 0 || n > 2 {
		return 0, 0
	}
	exponent, _ = strconv.Atoi(s[i : i+n])
	return exponent, i + n
}

// shift moves the point by the exponent. A number that lost digits on the way is no time.
func shift(whole, frac string, exponent int) (string, string, bool) {
	if exponent > len(frac) {
		return "", "", false
	}
	return whole + frac[:exponent], frac[exponent:], true
}

// unixTime is a count since 1970 with the digits behind its point.
func unixTime(digit, frac string) (stamp, bool) {
	if len(digit) < 10 || len(digit) > 19 {
		return stamp{}, false
	}
	n, err := strconv.ParseInt(digit, 10, 64)
	if err != nil {
		return stamp{}, false
	}
	for _, u := range units {
		if float64(n) < u.from {
			continue
		}
		second := n / u.per
		if second < earliest || second >= latest {
			return stamp{}, false
		}
		one := time.Second / time.Duration(u.per)
		fine := time.Duration(n%u.per) * one
		until := one
		for _, d := range []byte(frac) {
			if until /= 10; until == 0 {
				until = 1
				break
			}
			fine += time.Duration(d-'0') * until
		}
		return stamp{at: time.Unix(second, int64(fine)).UTC(), until: until}, true
	}
	return stamp{}, false
}

// serial is an Excel day number. It is a local time, and its digits carry the noise of a binary fraction.
func (c *clock) serial(digit, frac string) (stamp, bool) {
	days, err := strconv.Atoi(digit)
	if err != nil || days < 36892 || days > 60000 {
		return stamp{}, false
	}
	part, err := strconv.ParseFloat("0."+frac+"0", 64)
	if err != nil {
		return stamp{}, false
	}
	ms := int(math.Round(part * 86400e3))
	until := time.Millisecond
	switch n := len(frac); {
	case n < 3, n >= 5 && n < 8: // spreadsheets drop zeros at the end: a short one is a round time of day
		until = time.Second
	case n < 5:
		until = 86400 * time.Second / time.Duration(math.Pow10(n))
	}
	if off := (ms+500)%1000 - 500; until >= time.Second || off >= -1 && off <= 1 {
		ms -= off
	}
	at := c.local(1899, time.December, 30+days, 0, 0, ms/1000, ms%1000*1e6)
	return stamp{at: at, until: until, naive: true}, true
}

// local is a wall-clock time in the clock's zone, with that zone's rules on that day.
func (c *clock) local(year int, month time.Month, day, hour, minute, second, nano int) time.Time {
	zone := c.zone
	if zone == nil {
		zone = time.UTC
	}
	at := time.Date(year, month, day, hour, minute, second, nano, zone)
	if zone != time.UTC {
		at = c.onePass(at)
		c.last = at
	}
	return at.UTC()
}

// onePass decides between two instants where clocks were put back and a wall-clock time stands for both: the one nearer to the time before it
// in the source, which may be sorted either way; without one, the earlier.
func (c *clock) onePass(at time.Time) time.Time {
	first, second := passes(at)
	if first.Equal(second) {
		return at
	}
	c.sawRepeated = true
	if near := c.last.Sub(second).Abs(); near < 24*time.Hour && near < c.last.Sub(first).Abs() {
		return second
	}
	return first
}

// passes are the instants that have the same wall-clock time as this one, which is both if it is the only one.
func passes(at time.Time) (first, second time.Time) {
	const most = 2 * time.Hour // no zone puts its clock back by more at once
	_, before := at.Add(-most).Zone()
	_, after := at.Add(most).Zone()
	back := time.Duration(before-after) * time.Second
	if back <= 0 {
		return at, at
	}
	wall := at.Format(time.DateTime)
	switch {
	case at.Add(-back).Format(time.DateTime) == wall:
		return at.Add(-back), at
	case at.Add(back).Format(time.DateTime) == wall:
		return at, at.Add(back)
	}
	return at, at
}

// decide settles the order of day and month for the rest of the source.
func (c *clock) decide(order dateOrder, guessed bool) {
	c.order, c.sawGuessed = order, guessed
}

// orderVotes is what a source's dates show of their order.
type orderVotes struct {
	order         dateOrder // settled by a day after the 12th
	first, second [13]bool  // the numbers that were seen in either place
}

// add looks at one date; true: it can be read in two ways, and nothing has settled which.
func (v *orderVotes) add(first, second int) bool {
	switch {
	case first < 1 || second < 1 || v.order != orderUnknown:
		return false
	case first > 12:
		v.order = orderDMY
	case second > 12:
		v.order = orderMDY
	default:
		v.first[first], v.second[second] = true, true
	}
	return v.order == orderUnknown
}

// guess is the order to use when no date settles it: of a number that stays and one that moves, the day moves. Else the day is first.
func (v *orderVotes) guess() dateOrder {
	if v.order != orderUnknown {
		return v.order
	}
	moves := func(seen [13]bool) bool {
		n := 0
		for _, s := range seen {
			if s {
				n++
			}
		}
		return n > 1
	}
	if moves(v.second) && !moves(v.first) {
		return orderMDY
	}
	return orderDMY
}

// orderedIn is the two numbers of a date such as 03/04/2026 that s is or begins with; zeros: it has no such date.
func orderedIn(s string) (first, second int) {
	p := timeScan{s: strings.TrimLeft(s, " \t[(\"'")}
	if len(p.s) < 6 || digits(p.s) == 0 || digits(p.s) > 2 || !p.dayOrMonthFirst() || p.month != 0 || p.dotted {
		return 0, 0
	}
	return p.first, p.second
}

// dateIn is orderedIn for a line of text, whose date may stand behind a time of day or a level.
func dateIn(line string) (first, second int) {
	line = line[:min(len(line), 80)]
	for i := 0; i < len(line); i++ {
		if i > 0 && strings.IndexByte(" \t[(=\"", line[i-1]) < 0 {
			continue
		}
		if first, second = orderedIn(line[i:]); first > 0 {
			return first, second
		}
	}
	return 0, 0
}

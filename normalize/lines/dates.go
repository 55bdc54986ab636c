package lines

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// datePart is one piece of a date format: text as it is, or a letter of the format and how often it stands there.
type datePart struct {
	text   string // of a literal
	letter byte   // y, m, d, h, s; n for minutes; 0 for a literal
	times  int
}

// dateFormat is a date format that is written here, since the library takes some hundred times as long. Nil: it is left to the library.
type dateFormat []datePart

// builtInDates are the codes of the built-in formats for dates as the library writes them.
var builtInDates = map[int]string{14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 20: "hh:mm", 21: "hh:mm:ss", 22: "m/d/yy hh:mm"}

// plainLocale are the languages that change nothing in a date of digits.
var plainLocale = pattern(`^\[\$-(?:409|416|809|40C|407|410|C0A|en-US|pt-BR)\]`)

// dateFormatOf reads the code of a date format; nil where it has anything but the common parts.
func dateFormatOf(id int, code string) dateFormat {
	if code == "" {
		code = builtInDates[id]
	}
	code, _ = strings.CutSuffix(code, ";@") // how texts are shown, which no date is
	locale := plainLocale().FindString(code)
	f := splitDate(code[len(locale):])
	if locale != "" && f.hasNames() {
		return nil
	}
	f.findMinutes()
	return f
}

// dateLetters are the letters of a date and how often each may stand in a row.
var dateLetters = map[byte]int{'y': 4, 'm': 4, 'd': 4, 'h': 2, 's': 2}

// splitDate cuts a code into its parts; nil where it has an unknown one.
func splitDate(code string) (f dateFormat) {
	for code != "" {
		c := code[0] | 0x20
		switch n := runOf(code); {
		case dateLetters[c] > 0 && n <= dateLetters[c] && (c != 'y' || n%2 == 0):
			f, code = append(f, datePart{letter: c, times: n}), code[n:]
		case strings.IndexByte(" -/.,:", code[0]) >= 0:
			f, code = append(f, datePart{text: code[:1]}), code[1:]
		case code[0] == '\\' && len(code) > 1 && code[1] < 0x80:
			f, code = append(f, datePart{text: code[1:2]}), code[2:]
		case code[0] == '"' && strings.IndexByte(code[1:], '"') > 0:
			end := 1 + strings.IndexByte(code[1:], '"')
			f, code = append(f, datePart{text: code[1:end]}), code[end+1:]
		default:
			return nil
		}
	}
	return f
}

// runOf is how often the first letter of a code stands in a row, in any case.
func runOf(code string) int {
	n := 1
	for n < len(code) && code[n]|0x20 == code[0]|0x20 {
		n++
	}
	return n
}

// hasNames says whether the format writes names of days or months.
func (f dateFormat) hasNames() bool {
	for _, p := range f {
		if (p.letter == 'm' || p.letter == 'd') && p.times > 2 {
			return true
		}
	}
	return false
}

// findMinutes tells minutes from months: an m behind hours or before seconds.
func (f dateFormat) findMinutes() {
	var before byte
	for i := range f {
		if f[i].letter == 0 {
			continue
		}
		if f[i].letter == 'm' && f[i].times <= 2 && (before == 'h' || f.next(i) == 's') {
			f[i].letter = 'n'
		}
		before = f[i].letter
	}
}

// next is the letter behind part i, 0 for none.
func (f dateFormat) next(i int) byte {
	for _, p := range f[i+1:] {
		if p.letter != 0 {
			return p.letter
		}
	}
	return 0
}

// The days that are written here: before the first one spreadsheets count a day that never was.
const (
	firstDay = 61
	lastDay  = 2_958_465 // the end of 9999
)

// A time of day is written here where it is a whole second but for what a stored number cannot hold.
const (
	daySeconds = 24 * 60 * 60
	nearSecond = 0.01
)

// dayZero is the day that spreadsheets count from.
var dayZero = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// show writes a stored number as a date; false where it is left to the library.
func (f dateFormat) show(plain string) (string, bool) {
	if f == nil || strings.Trim(plain, "0123456789.") != "" {
		return "", false
	}
	days, err := strconv.ParseFloat(plain, 64)
	if err != nil || days < firstDay || days > lastDay {
		return "", false
	}
	whole, part := math.Modf(days)
	seconds := math.Round(part * daySeconds)
	if math.Abs(part*daySeconds-seconds) > nearSecond || seconds == daySeconds {
		return "", false
	}
	at := dayZero.AddDate(0, 0, int(whole)).Add(time.Duration(seconds) * time.Second)
	b := make([]byte, 0, 24)
	for _, p := range f {
		b = p.append(b, at)
	}
	return string(b), true
}

// append writes one part.
func (p datePart) append(b []byte, at time.Time) []byte {
	switch p.letter {
	case 0:
		return append(b, p.text...)
	case 'y':
		return at.AppendFormat(b, [...]string{"", "06", "", "2006"}[p.times-1])
	case 'm':
		return at.AppendFormat(b, [...]string{"1", "01", "Jan", "January"}[p.times-1])
	case 'd':
		return at.AppendFormat(b, [...]string{"2", "02", "Mon", "Monday"}[p.times-1])
	}
	hour, minute, second := at.Clock()
	n := hour
	switch p.letter {
	case 'n':
		n = minute
	case 's':
		n = second
	}
	if p.times == 2 && n < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(n), 10)
}

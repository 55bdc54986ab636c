package readlog

import (
	"strings"
	"time"
)

// clock reads a time of day with its fraction, half of the day and zone.
func (p *timeScan) clock() bool {
	compact := digits(p.s[p.i:])
	var ok bool
	switch {
	case compact == 6 && p.i >= 8: // 20261119T090000
		n, _, _ := p.number(6, 6)
		p.hour, p.minute, p.sec, p.until = n/10000, n/100%100, n%100, time.Second
	default:
		if p.hour, _, ok = p.number(1, 2); !ok || !p.accept(":") {
			return false
		}
		if p.minute, _, ok = p.number(2, 2); !ok {
			return false
		}
		p.until = time.Minute
		if p.peek() == ':' {
			p.i++
			if p.sec, _, ok = p.number(2, 2); !ok {
				return false
			}
			p.until = time.Second
		}
	}
	if p.until == time.Second {
		p.fraction()
	}
	p.halfOfDay()
	p.zone()
	return p.hour < 24 && p.minute < 60 && p.sec <= 60
}

// fraction reads the digits behind the second. More than nine are cut.
func (p *timeScan) fraction() {
	if c := p.peek(); c != '.' && c != ',' {
		return
	}
	n := digits(p.s[p.i+1:])
	if n == 0 {
		return
	}
	p.nano = 0
	for _, d := range []byte(p.s[p.i+1 : p.i+1+min(n, 9)]) {
		p.until /= 10
		p.nano += int(d-'0') * int(p.until)
	}
	p.i += 1 + n
}

// halves are how the half of the day is written, and whether it is the second.
var halves = []struct {
	text  string
	after bool
}{
	{"a. m.", false}, {"p. m.", true}, {"a.m.", false}, {"p.m.", true}, {"am", false}, {"pm", true},
	{"上午", false}, {"下午", true}, {"午前", false}, {"午後", true}, {"오전", false}, {"오후", true}, {"ص", false}, {"م", true},
}

var plainBlanks = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

// halfOfDay makes an hour of twelve one of twenty-four.
func (p *timeScan) halfOfDay() {
	mark := p.i
	p.accept(blanks...)
	if c := p.peek() | 0x20; c != 'a' && c != 'p' && c < 0x80 {
		p.i = mark
		return
	}
	rest := plainBlanks.Replace(p.s[p.i:min(len(p.s), p.i+12)])
	for _, h := range halves {
		if len(rest) < len(h.text) || !strings.EqualFold(rest[:len(h.text)], h.text) || p.hour > 12 {
			continue
		}
		if len(rest) > len(h.text) && rest[len(h.text)]|0x20 >= 'a' && rest[len(h.text)]|0x20 <= 'z' {
			continue
		}
		p.i += widthOf(p.s[p.i:], h.text)
		p.hour %= 12
		if h.after {
			p.hour += 12
		}
		return
	}
	p.i = mark
}

// widthOf is how many bytes of s a text takes there, since its blanks may be wider ones.
func widthOf(s, text string) int {
	n := len([]rune(text))
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// zones are names that mean one offset wherever they are written in a log, in minutes east of UTC.
var zones = []struct {
	name   string
	offset int
}{
	{"UTC", 0}, {"GMT", 0}, {"Z", 0}, {"z", 0}, {"EST", -300}, {"EDT", -240}, {"CDT", -300}, {"MST", -420}, {"MDT", -360}, {"PST", -480}, {"PDT", -420},
	{"BRT", -180}, {"ART", -180}, {"WET", 0}, {"WEST", 60}, {"CET", 60}, {"CEST", 120}, {"EET", 120}, {"EEST", 180}, {"MSK", 180}, {"WIB", 420}, {"WITA", 480}, {"JST", 540},
}

// zone reads an offset or a name that stands for one. What is no zone is left.
func (p *timeScan) zone() {
	mark := p.i
	p.accept(blanks...)
	word := letters(p.s[p.i:])
	for _, z := range zones {
		if word == z.name {
			p.i += len(word)
			p.hasZone, p.offset = true, z.offset*60
			if z.offset == 0 {
				p.numericOffset()
			}
			p.zoneName()
			return
		}
	}
	if word == "" && p.numericOffset() {
		p.zoneName()
		return
	}
	p.i = mark
}

// numericOffset reads +01:00, +0100 or +01.
func (p *timeScan) numericOffset() bool {
	mark, sign := p.i, 1
	switch {
	case p.accept("+"):
	case p.accept("-", "\u2212"):
		sign = -1
	default:
		return false
	}
	n, width, ok := p.number(1, 4)
	switch {
	case !ok || width == 3:
		p.i = mark
		return false
	case width == 4:
		n = n/100*60 + n%100
	default:
		n *= 60
		if p.peek() == ':' {
			p.i++
			minutes, _, ok := p.number(2, 2)
			if !ok {
				p.i = mark
				return false
			}
			n += minutes
		}
	}
	if n > 14*60 {
		p.i = mark
		return false
	}
	p.hasZone, p.offset = true, sign*n*60
	return true
}

// zoneName passes over a name that only repeats the offset: [Europe/Paris] or (CET).
func (p *timeScan) zoneName() {
	for _, b := range [][2]string{{"[", "]"}, {" (", ")"}} {
		if !strings.HasPrefix(p.s[p.i:], b[0]) {
			continue
		}
		if end := strings.Index(p.s[p.i:], b[1]); end > 0 && end < 50 && isZoneWords(p.s[p.i+len(b[0]):p.i+end]) {
			p.i += end + 1
			return
		}
	}
}

// isZoneWords says whether a bracket behind a time can name a zone: words, slashes and underscores only.
func isZoneWords(s string) bool {
	for _, r := range s {
		if r != '/' && r != '_' && r != ' ' && (r|0x20 < 'a' || r|0x20 > 'z') {
			return false
		}
	}
	return s != ""
}

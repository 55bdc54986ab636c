package normalize

import (
	"slices"
	"strings"
	"unicode"
)

var extensionTail = pattern(`(?i)^(.*[0-9])[\s,;()./-]*(?:\b(?:extension|extensión|extensão|extn|ext|ramal|ramais|poste|interno|int|anexo|durchwahl|dw)\b|доб|x|#)[\s.:#=]*\d{1,6}\)?$`)

// extension drops the extension of an office phone, which WhatsApp has no use for.
func extension(t *text) *refusal {
	const least = 6 // digits of the number itself
	if m := extensionTail().FindStringSubmatch(t.s); m != nil && len(onlyDigits(m[1])) >= least {
		t.note(Found("extension-dropped"))
		t.s = m[1]
	}
	return nil
}

// noNumber are the words that people fill a phone field with, in folded form.
var noNumber = strings.Split("na|n/a|nan|none|null|nil|undefined|unknown|tbd|tba|test|teste|prueba|xxx|notavailable|nophone|nonumber|semtelefone|semnumero|sem|naotem|nenhum|s/n|sn|nulo|"+
	"notiene|ninguno|sintelefono|sinnumero|aucun|keine|kein|nessuno|tidakada|нет|без|无|没有|なし", "|")

// placeholderWord refuses words that stand for "no number".
func placeholderWord(t *text) *refusal {
	if slices.Contains(noNumber, fold(t.s)) {
		return refuse(Found("placeholder-number").as(Error, ""))
	}
	return nil
}

// placeholderSign refuses signs and zeros that stand for "no number".
func placeholderSign(t *text) *refusal {
	if t.s != "" && strings.Trim(t.s, "-–—._ ?0") == "" && len(onlyDigits(t.s)) != 1 || t.s == "0" {
		return refuse(Found("placeholder-number").as(Error, ""))
	}
	return nil
}

var carrierSign = pattern(`(?i)^(\(?\+?(?:55)?[ (-]*)\(?0 ?(?:xx|\*\*)[ -]*`)

// carrierMark takes the xx out of 0xx11: in Brazil it stands for the carrier that the caller chooses.
func carrierMark(t *text) *refusal {
	m := carrierSign().FindString(t.s)
	if m == "" || !slices.Contains(strings.Split(t.region, ","), "BR") && !strings.HasPrefix(t.s, "+55") {
		return nil
	}
	start := carrierSign().FindStringSubmatch(t.s)[1]
	rest := t.s[len(m):]
	open := strings.Count(start+rest, "(") < strings.Count(start+rest, ")")
	t.note(Found("carrier-prefix"))
	t.s = start + "0" + rest
	if open {
		t.s = strings.Replace(t.s, ")", " ", 1)
	}
	return nil
}

var maskSigns = pattern(`(?i)[*•●…?]{2,}|[0-9][ .-]*[*•●…?][ .-]*[0-9]|[0-9][*•●…?]|[…?][0-9]|__|_$|(?:^|[^\pL])x{2,}(?:$|[^\pL])|[0-9][ .-]*x+$|#{2,}|\d(?:[ .-]?x)+[ .-]?\d?`)

// masked refuses numbers with hidden digits.
func masked(t *text) *refusal {
	if maskSigns().MatchString(t.s) && strings.ContainsAny(t.s, "0123456789") {
		return refuse(Found("masked-number"))
	}
	t.s = strings.ReplaceAll(t.s, "_", "-")
	return nil
}

// lookalikes are letters that are typed for digits.
var lookalikes = strings.NewReplacer("O", "0", "o", "0", "l", "1", "I", "1", "i", "1", "S", "5", "s", "5", "B", "8", "Z", "2", "z", "2")

// letterForDigit refuses a number that reads well once the letters in it are taken for digits, and suggests it.
func letterForDigit(t *text) *refusal {
	const most = 3
	letters := 0
	for _, c := range t.s {
		if unicode.IsLetter(c) {
			letters++
		}
	}
	if letters == 0 || letters > most {
		return nil
	}
	if digits := lookalikes.Replace(t.s); readable(digits) {
		if n := Parse(digits, t.region); n.Digits != 0 && n.Problems == nil || n.Digits != 0 && len(onlyDigits(t.s)) >= 5 {
			return refuse(Found("letter-for-digit", n.E164()), n.E164())
		}
	}
	return nil
}

var leadingZeros = pattern(`^[ (]*(0{1,2}|011)[ ()]*\+`)

// twoPluses reads a + behind zeros, and a country code that stands there twice with a + each time.
func twoPluses(t *text) *refusal {
	if m := leadingZeros().FindStringSubmatchIndex(t.s); m != nil {
		t.note(Found("idd-prefix", t.s[m[2]:m[3]]).as(Warning, ""))
		t.s = t.s[m[1]-1:]
	}
	if m := doubledCode().FindStringSubmatch(t.s); m != nil && m[1] == m[2] {
		t.note(Found("double-country-code"))
		t.s = "+" + m[2] + m[3]
	} else if m != nil && strings.HasPrefix(m[2]+m[3], m[1]) && onlyDigits(m[2]+m[3]) != "" {
		if n := Parse("+"+m[2]+m[3], ""); n.Digits != 0 {
			t.note(Found("double-country-code"))
			t.s = "+" + m[2] + m[3]
		}
	}
	return nil
}

var doubledCode = pattern(`^[ (]*\+[ (]*(\d{2,3})[ ().-]*\+ ?(\d{2,3})([0-9 ().-]*)$`)

var (
	dividers  = pattern(`[/;|&,\n]+|:::`)
	remark    = pattern(`\([^0-9()]*\)`)
	core      = pattern(`^([^0-9+(]*)([0-9+(][0-9+() .-]*)([^0-9]*)$`)
	nameColon = pattern(`^[^:=+]*\pL[^:=+]*[:=]\s*`)
	inside    = pattern(`[0-9][.-]?\pL|\pL-?[0-9]`)
)

// separated tells a sign inside one number (0151/23456789) from one between two.
func separated(t *text) *refusal {
	parts := dividers().Split(t.s, -1)
	filled := parts[:0:0]
	for _, p := range parts {
		if strings.ContainsAny(p, "0123456789") {
			filled = append(filled, p)
		}
	}
	if len(filled) < 2 {
		return nil
	}
	suggest := pieces(t.s, t.region)
	joined := strings.Join(filled, " ")
	if len(filled) == 2 && len(suggest) < 2 && readable(joined) {
		switch sign := dividers().FindString(t.s); {
		case sign == "/" && len(onlyDigits(filled[0])) <= maxGroupStart:
			t.s = joined
			return nil
		case sign == "\n" && parsePiece(joined, t.region) != "":
			t.note(Found("invisible-characters", "U+000A"))
			t.s = joined
			return nil
		}
	}
	return refuse(Found("multiple-numbers"), suggest...)
}

// labelled takes words and signs off that stand before or behind a number; letters inside it are never read.
func labelled(t *text) *refusal {
	if readable(t.s) {
		return nil
	}
	s := remark().ReplaceAllString(t.s, " ")
	label := strings.Join(remark().FindAllString(t.s, -1), "")
	if at := nameColon().FindString(s); at != "" && len(onlyDigits(at)) <= 2 {
		s, label = s[len(at):], label+at
	}
	m := core().FindStringSubmatch(s)
	switch {
	case !strings.ContainsAny(s, "0123456789"):
		return refuse(Found("not-a-phone-number", short(t.s)))
	case inside().MatchString(s):
		return refuse(Found("letters-in-number"), keypad(s, t.region)...)
	case m == nil:
		return refuse(Found("multiple-numbers"), pieces(t.s, t.region)...)
	}
	severity := Info
	if label += m[1] + m[3]; strings.ContainsFunc(label, unicode.IsLetter) {
		severity = Warning
	}
	t.note(Found("label-text").as(severity, ""))
	t.s = strings.TrimRight(m[2], " .-(+")
	return nil
}

// keys are the digits that letters stand on, for vanity numbers.
const keys = "22233344455566677778889999"

// keypad suggests the number that a word like 1-800-FLOWERS spells.
func keypad(s, region string) []string {
	const least = 3 // letters of a word
	letters := 0
	digits := strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			letters++
			return rune(keys[c-'A'])
		}
		return c
	}, s)
	if letters < least || !readable(digits) {
		return nil
	}
	if n := Parse(digits, region); n.Digits != 0 {
		return []string{n.E164()}
	}
	return nil
}

var between = pattern(`[/;|&,\n]+|:::|\pL+|\s\+`)

// pieces are the numbers of a cell that holds several; a short end such as /82 changes the last digits of the number before it.
func pieces(s, region string) (out []string) {
	const most = 10 // a cell with more is a text
	last := ""
	for _, p := range between().Split(s, most) {
		digits := onlyDigits(p)
		if n := len(digits); last != "" && n > 0 && n <= 4 {
			p = last[:len(last)-n] + digits
		}
		p = strings.Trim(p, " .-:")
		if p == "" || !readable(p) {
			continue
		}
		n := parsePiece(p, region)
		if n != "" && !slices.Contains(out, n) {
			out, last = append(out, n), n
		}
	}
	return out
}

// parsePiece reads one of several numbers: with the + that was cut off before it, if that makes one.
func parsePiece(p, region string) string {
	if w, ok := scan(p); ok {
		if n := w.read(region); n.Digits != 0 {
			return n.E164()
		}
		if !w.plus && len(w.digits) > 10 {
			return written{digits: w.digits, plus: true}.read("").E164()
		}
	}
	return ""
}

// severalNumbers are two numbers with nothing but a space between them; nil where the digits are one.
func (w written) severalNumbers(region string) []string {
	const least = 14 // digits of two numbers
	if len(w.digits) < least || len(w.digits) > mostDigits || w.groups.n < 2 {
		return nil
	}
	at := 0
	for _, g := range w.groups.sizes[:w.groups.n-1] {
		at += int(g)
		first, second := written{digits: w.digits[:at], plus: w.plus}, written{digits: w.digits[at:], plus: w.plus}
		if second.digits[0] == '0' && w.plus {
			second.plus = false
		}
		a := first.read(region)
		if a.Digits == 0 {
			continue
		}
		if b := second.read(region); b.Digits != 0 {
			return []string{a.E164(), b.E164()}
		}
	}
	return nil
}

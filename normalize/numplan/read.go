package numplan

// Number is what digits mean as they are dialled. The zero value has no digits.
type Number struct {
	Status Status
	Kind   Kind   // NoKind unless Status is Valid
	Code   int    // country code, 0 where it cannot be told
	Region string // as in Entry

	size   uint8
	digits [20]byte // country code and national number
}

// E164 is the number with +, empty where the digits make none; it may be no valid number.
func (n Number) E164() string {
	if n.size == 0 {
		return ""
	}
	return "+" + string(n.digits[:n.size])
}

// NSN is the number without its country code, empty where the digits make none.
func (n Number) NSN() string { return string(n.digits[min(digitsIn(n.Code), n.size):n.size]) }

// longest is how many characters the library reads; of many digits it is enough to know the first ones.
const (
	longest = 250
	enough  = 60
	maxNSN  = 17
	minNSN  = 2
)

// Read reads digits, with or without + before them, as they are dialled in a region; an empty region stands for none.
//
// It is the library's Parse followed by its questions about the number: it takes international and national prefixes off, and a
// country code without + where the digits are no number without it. What people mean by their digits is another matter.
func Read[T text](s T, region string) Number {
	var buf [enough]byte
	digits, plus, ok := plain(s, &buf)
	home := planOf(region)
	switch {
	case len(s) > longest:
		return Number{Status: TooLong}
	case !ok:
		return Number{Status: Unreadable}
	case home == nil && !plus:
		return Number{Status: InvalidCode}
	}
	c, nsn, status := split(digits, plus, home)
	if status == InvalidCode && plus { // perhaps the + is one too many
		if c, nsn, status = split(digits, false, home); c == nil && status == Valid {
			status = InvalidCode
		}
	}
	if status != Valid {
		return Number{Status: status}
	}
	p := home
	if c != nil {
		p = c.main()
	} else {
		c = codeOf(int(home.code))
	}
	return c.number(p, nsn)
}

// plain copies the first digits; not ok: there are none, too few, or other characters.
func plain[T text](s T, buf *[enough]byte) (digits []byte, plus, ok bool) {
	plus = len(s) > 0 && s[0] == '+'
	if plus {
		s = s[1:]
	}
	if len(s) < minNSN || plus && len(s) == minNSN {
		return nil, plus, false
	}
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return nil, plus, false
		}
	}
	return buf[:copy(buf[:], s)], plus, true
}

// split takes the country code off, where the digits carry one: behind +, an international prefix, or where they are no number with it.
// Without a code and without a fault, the digits are a number of the region.
func split(digits []byte, plus bool, home *plan) (c *code, nsn []byte, fault Status) {
	full := digits
	if !plus && home != nil {
		full = home.withoutIDD(digits)
	}
	if plus || len(full) != len(digits) {
		if len(full) <= minNSN {
			return nil, nil, TooShort
		}
		number, length := SplitCode(full)
		if length == 0 {
			return nil, nil, InvalidCode
		}
		return codeOf(number), full[length:], Valid
	}
	if home != nil {
		if rest, ok := home.withoutOwnCode(digits); ok {
			return codeOf(int(home.code)), rest, Valid
		}
	}
	return nil, digits, Valid
}

// withoutIDD takes the international prefix off, unless a 0 follows, which no country code starts with.
func (p *plan) withoutIDD(digits []byte) []byte {
	rest := digits[cuts[found(p.idd, digits)].length:]
	if len(rest) > 0 && rest[0] == '0' {
		return digits
	}
	return rest
}

// withoutOwnCode takes the region's country code off, where the digits are no number of the region with it but are one without.
func (p *plan) withoutOwnCode(digits []byte) (rest []byte, ok bool) {
	number, length := SplitCode(digits)
	if number != int(p.code) {
		return nil, false
	}
	var buf [enough + maxNSN]byte
	short := p.strip(digits[length:], &buf)
	if p.length(len(digits)) != TooLong && (p.viable(digits) || !p.viable(short)) {
		return nil, false
	}
	return append(digits[:0], short...), true
}

// strip takes the national prefix off, or writes out the area code that the prefix stands for. It leaves alone what is a number with it
// and none without it.
func (p *plan) strip(digits []byte, buf *[enough + maxNSN]byte) []byte {
	cut := cuts[found(p.prefix, digits)]
	if cut.length == 0 {
		return digits
	}
	rest := digits[cut.length:]
	if p.rewrites && cut.from != noGroup {
		n := copy(buf[:], p.put)
		n += copy(buf[n:], digits[cut.from:cut.to])
		rest = buf[:n+copy(buf[n:], rest)]
	}
	if p.viable(digits) && !p.viable(rest) {
		return digits
	}
	return rest
}

// viable says whether the general pattern of the plan matches, whatever length its numbers have.
func (p *plan) viable(digits []byte) bool {
	c := codeOf(int(p.code))
	at := 0
	for &plans[int(c.first)+at] != p {
		at++
	}
	return labels[ended(c.start, digits)].viable(at)
}

// cut is what a prefix takes off: so many digits, of which some may be kept.
type cut struct{ length, from, to uint8 }

const noGroup = 255

// number judges a national number, once its prefix is off.
func (c *code) number(p *plan, nsn []byte) Number {
	if len(nsn) < minNSN {
		return Number{Status: TooShort}
	}
	var buf [enough + maxNSN]byte
	short := p.strip(nsn, &buf)
	if s := p.length(len(short)); s != TooShort && s != LocalOnly && s != InvalidLength {
		nsn = short
	}
	switch {
	case len(nsn) < minNSN:
		return Number{Status: TooShort}
	case len(nsn) > maxNSN:
		return Number{Status: TooLong}
	}
	e := c.entry(labels[ended(c.start, nsn)])
	n := Number{Kind: e.Kind, Code: int(c.digits), Region: e.Region}
	if e.Kind == NoKind {
		n.Status = c.main().length(len(nsn))
	}
	n.put(nsn)
	return n
}

// put writes the digits of a number whose code is known.
func (n *Number) put(nsn []byte) {
	n.size = digitsIn(n.Code)
	for i, code := int(n.size)-1, n.Code; i >= 0; i, code = i-1, code/10 {
		n.digits[i] = byte('0' + code%10)
	}
	n.size += uint8(copy(n.digits[n.size:], nsn))
}

// digitsIn is how many digits a country code has.
func digitsIn(code int) uint8 {
	switch {
	case code < 10:
		return 1
	case code < 100:
		return 2
	}
	return 3
}

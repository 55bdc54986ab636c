package normalize

import (
	"slices"
	"strings"
	"sync"

	"github.com/wactl/wactl/normalize/numplan"
)

// plain is a cell that is written as most are: digits with the usual signs between them. It makes no text of its own.
//
// What it says is what written says, for fewer cells. Where it is not certain at once what a cell means, nothing is said, and the
// careful way through written decides: this file holds no rule that is not there.
type plain struct {
	buf    [20]byte
	size   int
	plus   bool
	paren  bool // whether the first group stands in parentheses
	zero   bool // whether a (0) stands among the digits
	groups int  // runs of digits
	first  int  // length of the first run
	dots   int
	signs  int // spaces, dashes and parentheses
	dashes bool
	open   bool // whether a parenthesis is
	id     bool // whether the column holds WhatsApp ids, in which old writings are no fault
}

// longestPlain is how many bytes a plain cell has at most.
const longestPlain = 40

// scan takes the digits out of a cell; not ok: it has to be read with care.
func (p *plain) scan(cell string) bool {
	cell = strings.Trim(cell, " ")
	if len(cell) > longestPlain {
		return false
	}
	size, run := 0, 0 // of the digits, and of those without a sign between them
	for i := range len(cell) {
		if c := cell[i]; isDigit(c) {
			if size == len(p.buf) {
				return false
			}
			p.buf[size] = c
			size, run = size+1, run+1
			continue
		}
		if p.size = size; !p.sign(cell, i, run) {
			return false
		}
		run = 0
	}
	p.size = size
	p.group(run)
	return size > 0 && !p.open && cell[len(cell)-1] != '.' && (p.dots == 0 || p.dotted(run))
}

// group counts a run of digits.
func (p *plain) group(run int) {
	if run == 0 {
		return
	}
	if p.groups++; p.groups == 1 {
		p.first = run
	}
}

// sign takes the sign at i, behind a run of digits, in the order of one number only.
func (p *plain) sign(cell string, i, run int) bool {
	p.group(run)
	if i > 0 && cell[i-1] == '.' {
		return false
	}
	switch cell[i] {
	case '+':
		ok := p.size == 0 && !p.plus
		p.plus = true
		return ok
	case '.':
		p.dots++
		return run > 0
	case ' ':
		p.signs++
		return true
	case '-':
		p.signs, p.dashes = p.signs+1, true
		return p.size > 0
	case '(':
		ok := !p.open && p.size <= maxGroupStart
		p.open = true
		return ok
	case ')':
		ok := p.open && run > 0
		p.open, p.paren, p.signs = false, p.paren || p.groups == 1, p.signs+1
		p.zero = p.zero || strings.HasSuffix(cell[:i], "(0")
		return ok
	}
	return false
}

// dotted says whether dots are nothing but signs between groups: amounts, decimal numbers and days are written with them too.
func (p *plain) dotted(last int) bool {
	if p.signs > 0 {
		return !p.dashes || p.first != len("2006")
	}
	return p.dots < 3 && p.first > 1 && last > 2
}

// extra is what is said of a number beside its reach.
type extra int

const (
	noExtra extra = iota
	extraIDD
	extraPlus
	extraZero
	extraTrunk
	extraMexican
	extraNinth
	extraMissing
	extras
)

// plainFindings are the findings of all plain outcomes, made once and shared: a list has few different ones.
var plainFindings = sync.OnceValue(func() *[len(reachNames)][extras][]Finding {
	var all [len(reachNames)][extras][]Finding
	list := func(f Finding) []Finding { return []Finding{f} }
	idd, plus := list(Found("idd-prefix", "00").as(Info, "")), list(Found("plus-missing").as(Info, ""))
	zero, trunk := list(Found("trunk-zero-missing")), list(Found("trunk-zero", "0"))
	mexican, ninth := list(Found("mx-legacy-prefix")), list(Found("br-ninth-digit-missing"))
	missing := list(Found("plus-missing").as(Warning, ""))
	for r, name := range reachNames {
		var own []Finding
		if name != "" {
			own = list(Found(name))
		}
		all[r] = [...][]Finding{noExtra: own, extraIDD: slices.Concat(idd, own), extraPlus: slices.Concat(own, plus), extraZero: slices.Concat(own, zero),
			extraTrunk: slices.Concat(trunk, own), extraMexican: slices.Concat(mexican, own), extraNinth: slices.Concat(ninth, own),
			extraMissing: slices.Concat(missing, own)}
		for i, found := range all[r] {
			all[r][i] = slices.Clip(found) // who appends must not write into what others share
		}
	}
	return &all
})

// quick reads a cell whose meaning is certain at once; not ok: it has to be read with care, and n is not to be looked at.
func quick(n *Number, cell, region string, id bool) (ok bool) {
	p := plain{id: id}
	if !p.scan(cell) {
		return false
	}
	d := p.buf[:p.size]
	switch {
	case d[0] == '0' && (p.plus || len(d) < 3 || d[1] == '0' && d[2] == '0'):
		return false
	case d[0] == '0' && d[1] == '0':
		return p.withCode(n, d[2:], region, extraIDD)
	case p.plus || region == International:
		return p.withCode(n, d, region, noExtra)
	}
	return p.atHome(n, d, region) || !id && p.elsewhere(n, d, region)
}

// withCode reads digits that start with their country code.
func (p *plain) withCode(n *Number, d []byte, region string, more extra) bool {
	cc, size := numplan.SplitCode(d)
	if size == 0 {
		return false
	}
	nsn := d[size:]
	e := entry(cc, nsn)
	if !e.Valid() && more == noExtra && cc != 54 && len(nsn) > 0 && nsn[0] == '0' && numplan.Trunk(numplan.Region(cc)) == "0" {
		more, nsn = extraTrunk, nsn[1:]
		e = entry(cc, nsn)
	} else if p.zero && len(nsn) > 0 && nsn[0] == '0' {
		return false // the zero is there, or it is not
	}
	if !e.Valid() && more == noExtra {
		var room [11]byte
		if more, nsn = p.old(room[:0], cc, nsn); more != noExtra {
			if e = entry(cc, nsn); e.Kind != numplan.FixedLineOrMobile && e.Kind != numplan.Mobile {
				return false
			}
			n.WaID = string(d)
		}
	}
	if !e.Valid() || region != e.Region && numplan.Code(region) == cc {
		return false
	}
	n.become(cc, nsn, e, more)
	return true
}

// old is the number that the old writing of a mobile number means, as repairs has it, where no other repair can mean another one. Room is
// memory for it. Other digits stay as they are.
func (p *plain) old(room []byte, cc int, nsn []byte) (extra, []byte) {
	switch {
	case p.id:
	case cc == 52 && len(nsn) == 11 && nsn[0] == '1':
		return extraMexican, nsn[1:]
	case cc == 55 && len(nsn) == 10 && (nsn[2] == '6' || nsn[2] >= '8') && nsn[0] != '0' && string(nsn[:2]) != "55":
		return extraNinth, append(append(append(room, nsn[:2]...), '9'), nsn[2:]...)
	}
	return noExtra, nsn
}

// become makes n a number that exists.
func (n *Number) become(cc int, nsn []byte, e numplan.Entry, more extra) {
	d := uint64(cc)
	for _, c := range nsn {
		d = d*10 + uint64(c-'0')
	}
	n.Digits, n.Region, n.Kind = d, e.Region, e.Kind.String()
	if landlineOf54(cc, len(nsn), e.Kind) {
		n.Suggest = []string{"+549" + string(nsn)}
	}
	n.Problems = plainFindings()[reachOf(cc, nsn, e.Region, e.Kind)][more]
}

// atHome reads digits without a + under a region: as a national number that nothing else could be, or with the region's country code.
func (p *plain) atHome(n *Number, d []byte, region string) bool {
	home, trunk := numplan.Code(region), numplan.Trunk(region)
	if home == 0 {
		return false
	}
	nsn, e := d, entry(home, d)
	if trunk != "" && len(d) > len(trunk) && string(d[:len(trunk)]) == trunk {
		if short := entry(home, d[len(trunk):]); short.Valid() {
			if e.Valid() {
				return false
			}
			nsn, e = d[len(trunk):], short
		}
	}
	switch cc, size := numplan.SplitCode(d); {
	case cc == home && !certain(cc, d[size:], nsn, e):
		return own(n, cc, d[size:], e)
	case !e.Valid() || e.Region != region || cc != home && p.abroad(cc, d, size):
		return false
	}
	more := noExtra
	if len(nsn) == len(d) && p.groups < 2 && trunk == "0" && zeroRegions.has(region) {
		more = extraZero
	}
	n.become(home, nsn, e, more)
	n.bare = true
	return true
}

// certain says whether digits that are a national number, and start with the country code, are no other number behind it.
func certain(cc int, rest, nsn []byte, e numplan.Entry) bool {
	if !e.Valid() {
		return false
	}
	if behind := entry(cc, rest); behind.Valid() {
		return len(rest) == len(nsn) // the national prefix is the country code
	}
	return cc != 54 && !trunked(cc, rest)
}

// own reads digits that start with the region's country code and are no national number.
func own(n *Number, cc int, rest []byte, home numplan.Entry) bool {
	e := entry(cc, rest)
	if home.Valid() || cc == 54 || !e.Valid() {
		return false
	}
	n.become(cc, rest, e, extraPlus)
	return true
}

// trunked says whether digits behind a country code start with the national prefix.
func trunked(cc int, rest []byte) bool {
	trunk := numplan.Trunk(numplan.Region(cc))
	return trunk != "" && len(rest) >= len(trunk) && string(rest[:len(trunk)]) == trunk
}

// abroad says whether the digits are a mobile number of another country too.
func (p *plain) abroad(cc int, d []byte, size int) bool {
	if size == 0 || p.groups > 1 && (p.paren || p.first != size) {
		return false
	}
	return entry(cc, d[size:]).Kind == numplan.Mobile
}

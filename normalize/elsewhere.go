package normalize

import (
	"strings"

	"github.com/wactl/wactl/normalize/numplan"
)

// elsewhere reads digits without a + that are no number of the list's region at once: of one of its several regions, or of another country with
// its code. As in plain.go, what is not certain is left to the careful way, whose rules these are.
func (p *plain) elsewhere(n *Number, d []byte, region string) bool {
	text := string(d)
	if strings.Contains(region, ",") {
		return p.several(n, d, text, region)
	}
	t, sure := p.outside(n, d, text, region)
	return sure && t == tierAbroad
}

// several is written.several, where one number is left and nothing speaks for another.
func (p *plain) several(n *Number, d []byte, text, regions string) bool {
	best, lesser := tierNone, uint64(0)
	for region := range strings.SplitSeq(regions, ",") {
		var one Number
		t, sure := tierHome, true
		if !p.atHome(&one, d, region) {
			t, sure = p.outside(&one, d, text, region)
		}
		switch {
		case !sure:
			return false
		case t == tierNone && best == tierNone:
		case t > best || t == tierNone:
			lesser = one.Digits
		case t < best:
			if best != tierNone {
				lesser = n.Digits
			}
			best, *n = t, one
		case one.Digits != n.Digits:
			return false
		}
	}
	return best == tierAbroad || best == tierHome && (lesser == 0 || lesser == n.Digits)
}

// outside says what written.national makes of digits that atHome does not read for a region: a number abroad, or none. Not sure: they may be a
// number of the region all the same.
func (p *plain) outside(n *Number, d []byte, text, region string) (t tier, sure bool) {
	home := numplan.Code(region)
	cc, size := numplan.SplitCode(d)
	if home == 0 || cc == home && readTrunk(cc, text[size:]).valid() {
		return tierNone, false
	}
	if r, ok := readHome(home, text, region); !ok || r.valid() {
		return tierNone, false
	}
	if _, _, faulty := (written{digits: text}).repairedHome(home); faulty {
		return tierNone, false
	}
	if prefix := idds[region]; prefix != "" && strings.HasPrefix(text, prefix) {
		return tierNone, false
	}
	if size == 0 || cc == home || p.groups > 1 && (p.paren || p.first != size) {
		return tierNone, true
	}
	e := entry(cc, d[size:])
	if !e.Valid() || lacksArea(home, text, region) {
		return tierNone, true
	}
	if other, ok := planReads(text, region); ok && (other.cc != cc || other.nsn != text[size:]) {
		return tierNone, true
	}
	n.become(cc, d[size:], e, extraMissing)
	return tierAbroad, true
}

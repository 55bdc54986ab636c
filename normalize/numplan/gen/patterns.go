//go:build numplangen

package main

import (
	"regexp/syntax"

	"github.com/nyaruka/phonenumbers"
)

// slot is what a pattern of a plan is for. Those of kinds have the number that numplan gives the kind.
type slot int

const (
	slotGeneral      slot = 0  // no kind has the number 0
	slotGeneralSized slot = 29 // the same where the length is possible
	slotLeading      slot = 30 // any number that starts so is of the region
	slotService      slot = 31
	slotServices     slot = 32
)

// kindSlots are the types in the order in which the library tries them, with numplan's number of their kind.
var kindSlots = []struct {
	kind slot
	desc func(*phonenumbers.PhoneMetadata) *phonenumbers.PhoneNumberDesc
}{
	{5, (*phonenumbers.PhoneMetadata).GetPremiumRate},
	{4, (*phonenumbers.PhoneMetadata).GetTollFree},
	{6, (*phonenumbers.PhoneMetadata).GetSharedCost},
	{7, (*phonenumbers.PhoneMetadata).GetVoip},
	{8, (*phonenumbers.PhoneMetadata).GetPersonalNumber},
	{9, (*phonenumbers.PhoneMetadata).GetPager},
	{10, (*phonenumbers.PhoneMetadata).GetUan},
	{11, (*phonenumbers.PhoneMetadata).GetVoicemail},
	{kindFixed, (*phonenumbers.PhoneMetadata).GetFixedLine},
	{kindMobile, (*phonenumbers.PhoneMetadata).GetMobile},
}

const (
	kindFixed  slot = 1
	kindMobile slot = 2
	kindEither slot = 3
)

// pattern is one compiled pattern of a plan: it matches whole numbers, or with sticky their beginnings.
type pattern struct {
	plan   int // place of the plan among those of its code
	slot   slot
	sticky bool
	sizes  uint32 // possible lengths as bits, 0 for all
	prog   *syntax.Prog
}

func newPattern(plan int, s slot, expr string, sizes uint32) (*pattern, error) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(re.Simplify())
	return &pattern{plan: plan, slot: s, sticky: s == slotLeading, sizes: sizes, prog: prog}, err
}

// ofDesc is the pattern of a description. One without any number has the length -1, which no number has.
func ofDesc(plan int, s slot, d *phonenumbers.PhoneNumberDesc) (*pattern, error) {
	sizes, _ := lengths(d)
	if len(d.GetPossibleLength()) > 0 && sizes == 0 {
		return nil, nil
	}
	return newPattern(plan, s, d.GetNationalNumberPattern(), sizes)
}

// patterns are those of a plan that say which numbers are of it and of what kind.
func (p *plan) patterns(at int, only bool) (all []*pattern, err error) {
	general, err := newPattern(at, slotGeneral, p.meta.GetGeneralDesc().GetNationalNumberPattern(), 0)
	if err != nil {
		return nil, err
	}
	all = append(all, general)
	for _, k := range kindSlots {
		one, err := ofDesc(at, k.kind, k.desc(p.meta))
		if err != nil {
			return nil, err
		}
		if one != nil {
			all = append(all, one)
		}
	}
	if lead := p.meta.GetLeadingDigits(); lead != "" && !only {
		one, err := newPattern(at, slotLeading, lead, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// services are the patterns of the region's short codes; nil where it has none.
func (p *plan) servicePatterns() ([]*pattern, error) {
	if p.short == nil {
		return nil, nil
	}
	general, err := ofDesc(0, slotServices, p.short.GetGeneralDesc())
	if err != nil {
		return nil, err
	}
	one, err := ofDesc(0, slotService, p.short.GetShortCode())
	if err != nil || general == nil || one == nil {
		return nil, err
	}
	return []*pattern{general, one}, nil
}

// label is what a state says about the numbers that end in it.
type label struct {
	region  int    // place of the region among those of the code, from 1; 0 for none
	kind    int    // numplan's number of the kind, 0 for numbers that do not exist
	viable  uint32 // bits of the plans whose general pattern matches
	service bool
}

func (l label) bits() uint64 {
	v := uint64(l.region) | uint64(l.kind)<<8 | uint64(l.viable)<<32
	if l.service {
		v |= 1 << 16
	}
	return v
}

// labelOf decides as the library does: the first region whose leading digits match, or that has the number.
func labelOf(c *code, matched map[[2]int]bool) (l label) {
	has := func(plan int, s slot) bool { return matched[[2]int{plan, int(s)}] }
	l.service = has(0, slotService) && has(0, slotServices)
	for i, p := range c.plans {
		if has(i, slotGeneral) {
			l.viable |= 1 << i
		}
		kind := 0
		if has(i, slotGeneralSized) {
			kind = p.kindOf(func(s slot) bool { return has(i, s) })
		}
		switch {
		case l.region != 0:
		case len(c.plans) > 1 && p.meta.GetLeadingDigits() != "" && has(i, slotLeading),
			(len(c.plans) == 1 || p.meta.GetLeadingDigits() == "") && kind != 0:
			l.region, l.kind = i+1, kind
		}
	}
	return l
}

// kindOf is the first kind whose pattern matches; a landline may be a mobile number too.
func (p *plan) kindOf(has func(slot) bool) int {
	for _, k := range kindSlots {
		same := p.meta.GetSameMobileAndFixedLinePattern()
		switch {
		case !has(k.kind), k.kind == kindMobile && same:
		case k.kind == kindFixed && (same || has(kindMobile)):
			return int(kindEither)
		default:
			return int(k.kind)
		}
	}
	return 0
}

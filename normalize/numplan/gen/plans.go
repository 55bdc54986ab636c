//go:build numplangen

package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// code is a country calling code with the plans of its regions, the main one first.
type code struct {
	number int
	start  uint16 // of the automaton behind the code
	plans  []*plan
}

// plan is the numbering plan of one region, or of a code that belongs to no region.
type plan struct {
	region                string
	meta, short           *phonenumbers.PhoneMetadata
	idd, prefix, services uint16 // starts of the region's own automata
	put                   string // digits before the group that the prefix keeps
	rewrites              bool   // whether the prefix keeps a group
}

// libraryVersion is the version of the phonenumbers module that go.mod names.
func libraryVersion(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	m := regexp.MustCompile(`(?m)github\.com/nyaruka/phonenumbers (v\S+)`).FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s names no version of phonenumbers", path)
	}
	return string(m[1]), nil
}

// readCodes takes all plans from the library, in the order of their calling codes.
func readCodes() ([]*code, error) {
	all, err := phonenumbers.MetadataCollection()
	if err != nil {
		return nil, err
	}
	services, err := phonenumbers.ShortNumberMetadataCollection()
	if err != nil {
		return nil, err
	}
	var codes []*code
	for number := 1; number < 1000; number++ {
		c := &code{number: number}
		for _, region := range phonenumbers.GetRegionCodesForCountryCode(number) {
			p := &plan{region: region, meta: find(all, region, number), short: find(services, region, 0)}
			if err := p.check(number); err != nil {
				return nil, err
			}
			c.plans = append(c.plans, p)
		}
		if c.plans != nil {
			codes = append(codes, c)
		}
		if len(c.plans) > 32 || len(codes) > 254 || countPlans(codes) > 255 {
			return nil, fmt.Errorf("more codes or plans than the tables number, at code %d", number)
		}
	}
	return codes, nil
}

// find is the metadata of a region; the code tells those of no region apart.
func find(all *phonenumbers.PhoneMetadataCollection, region string, number int) *phonenumbers.PhoneMetadata {
	i := slices.IndexFunc(all.Metadata, func(m *phonenumbers.PhoneMetadata) bool {
		return m.GetId() == region && (region != worldRegion || int(m.GetCountryCode()) == number)
	})
	if i < 0 {
		return nil
	}
	return all.Metadata[i]
}

// worldRegion stands for codes that belong to no region.
const worldRegion = "001"

// check refuses metadata of a kind that the tables have no room for.
func (p *plan) check(number int) error {
	switch {
	case p.meta == nil || int(p.meta.GetCountryCode()) != number:
		return fmt.Errorf("region %s has no metadata of code %d", p.region, number)
	case p.meta.GetGeneralDesc().GetNationalNumberPattern() == "" || len(p.meta.GetGeneralDesc().GetPossibleLength()) == 0:
		return fmt.Errorf("region %s has no general pattern or no lengths", p.region)
	case p.meta.GetGeneralDesc().GetPossibleLength()[0] < 1:
		return fmt.Errorf("region %s has no possible length", p.region)
	}
	return p.readRule()
}

// readRule splits the rule that rewrites a number without its area code: the digits before the group.
func (p *plan) readRule() error {
	rule := p.meta.GetNationalPrefixTransformRule()
	if rule == "" {
		return nil
	}
	digits, group, ok := strings.Cut(rule, "$")
	last := regexp.MustCompile(p.meta.GetNationalPrefixForParsing()).NumSubexp()
	if !ok || group != fmt.Sprint(last) || strings.Trim(digits, "0123456789") != "" {
		return fmt.Errorf("region %s: the transform rule %q does not end in the last group", p.region, rule)
	}
	p.put, p.rewrites = digits, true
	return nil
}

// lengths are the possible lengths of national numbers as bits, and those that reach somebody in the same area only.
func lengths(d *phonenumbers.PhoneNumberDesc) (possible, local uint32) {
	for _, n := range d.GetPossibleLength() {
		possible |= bit(n)
	}
	for _, n := range d.GetPossibleLengthLocalOnly() {
		local |= bit(n)
	}
	return possible, local
}

func bit(n int32) uint32 {
	if n < 0 {
		return 0
	}
	return 1 << n
}

// example is the library's example number of a type and the length of its area code.
func (p *plan) example(kind phonenumbers.PhoneNumberType) (nsn string, area int) {
	n := phonenumbers.GetExampleNumberForType(p.region, kind)
	if n == nil {
		return "", 0
	}
	return phonenumbers.GetNationalSignificantNumber(n), phonenumbers.GetLengthOfGeographicalAreaCode(n)
}

func countPlans(codes []*code) (n int) {
	for _, c := range codes {
		n += len(c.plans)
	}
	return n
}

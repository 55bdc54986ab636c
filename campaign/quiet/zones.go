package quiet

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // a machine without zones of its own has these
)

//go:generate go run -tags zonesgen ./gen

// zonesText is the table, made by gen: a prefix of digits and the names of its zones in each line.
//
//go:embed zones.txt
var zonesText string

// Area is where a number may be, as far as the plans tell: areas differ where their zones do. The zero value is a place of which no plan tells.
type Area uint16

// AreaOf is where a number may be, by its country and area code. Recipient is its digits with the country code.
func AreaOf(recipient uint64) Area {
	if recipient > longestNumber {
		return 0
	}
	known.once.Do(known.read)
	return known.area(recipient)
}

// Zones are the time zones of the area; nil where no plan tells, as for +883. Equal zones are the same slice.
func (a Area) Zones() []*time.Location {
	known.once.Do(known.read)
	return known.zones[a]()
}

// Zones are the time zones in which a number may be, by its country and area code; nil where the plan does not say, as for +883.
//
// Recipient is the number's digits with the country code. Equal zones are the same slice. Source: the phonenumbers library's table of prefixes.
func Zones(recipient uint64) []*time.Location { return AreaOf(recipient).Zones() }

const (
	// longestNumber has 15 digits: what is above stands for somebody whose number is not known.
	longestNumber = 999_999_999_999_999
	// longestPrefix has nine digits, as many as the longest of the table: what follows says nothing about the place.
	longestPrefix = 999_999_999
	// shortest has the nine digits of longestPrefix too.
	shortest = 100_000_000
	// several marks four digits that do not tell the area alone.
	several Area = ^Area(0)
)

// known is the table, read when the first number is asked about.
var known table

type table struct {
	once     sync.Once
	prefixes map[uint64]Area
	four     [10_000]Area              // by the first four digits of a number of nine or more
	zones    []func() []*time.Location // of each area, loaded when they are needed first
}

func (t *table) read() {
	t.prefixes = map[uint64]Area{}
	t.zones = append(t.zones, func() []*time.Location { return nil })
	areas := map[string]Area{}
	for line := range strings.Lines(zonesText) {
		prefix, names, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseUint(prefix, 10, 64)
		if err != nil {
			continue // the first line names the source
		}
		if _, met := areas[names]; !met {
			areas[names] = Area(len(t.zones))
			t.zones = append(t.zones, sync.OnceValue(func() []*time.Location { return load(names) }))
		}
		t.prefixes[n] = areas[names]
	}
	for i := range t.four {
		t.four[i] = t.search(uint64(i))
	}
	for prefix := range t.prefixes {
		for ; prefix > 9999; prefix /= 10 {
			if prefix <= 99_999 {
				t.four[prefix/10] = several
			}
		}
	}
}

// load are the zones with these names; "Etc/Unknown", the library's word for what it does not know, is none.
func load(names string) (zones []*time.Location) {
	for _, name := range strings.Fields(names) {
		if zone, err := time.LoadLocation(name); err == nil {
			zones = append(zones, zone)
		}
	}
	return zones
}

// area finds a number by its first four digits, which mostly are enough, or by as many as it takes.
func (t *table) area(recipient uint64) Area {
	for recipient > longestPrefix {
		recipient /= 10
	}
	if recipient >= shortest {
		if a := t.four[recipient/100_000]; a != several {
			return a
		}
	}
	return t.search(recipient)
}

// search is the area of the longest prefix of some digits.
func (t *table) search(digits uint64) Area {
	for ; digits > 0; digits /= 10 {
		if a, ok := t.prefixes[digits]; ok {
			return a
		}
	}
	return 0
}

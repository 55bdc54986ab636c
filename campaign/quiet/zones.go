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

// Zones are the time zones in which a number may be, by its country and area code; nil where the plan does not say, as for +883.
//
// Recipient is the number's digits with the country code. Equal zones are the same slice. Source: the phonenumbers library's table of prefixes.
func Zones(recipient uint64) []*time.Location {
	if recipient > longestNumber {
		return nil
	}
	for recipient > longestPrefix {
		recipient /= 10
	}
	known.once.Do(known.read)
	for ; recipient > 0; recipient /= 10 {
		if names, ok := known.names[recipient]; ok {
			return known.zones(names)
		}
	}
	return nil
}

const (
	// longestNumber has 15 digits: what is above stands for somebody whose number is not known.
	longestNumber = 999_999_999_999_999
	// longestPrefix has nine digits, as many as the longest of the table: what follows says nothing about the place.
	longestPrefix = 999_999_999
)

// known is the table, read when the first number is asked about, and the zones that were needed so far.
var known table

type table struct {
	once   sync.Once
	names  map[uint64]string // by prefix
	loaded sync.Map          // from the names to their zones
}

func (t *table) read() {
	t.names = map[uint64]string{}
	for line := range strings.Lines(zonesText) {
		prefix, names, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseUint(prefix, 10, 64); err == nil { // the first line names the source
			t.names[n] = names
		}
	}
}

// zones are the zones with these names; "Etc/Unknown", the library's word for what it does not know, is none.
func (t *table) zones(names string) []*time.Location {
	if zones, ok := t.loaded.Load(names); ok {
		return zones.([]*time.Location)
	}
	var zones []*time.Location
	for _, name := range strings.Fields(names) {
		if zone, err := time.LoadLocation(name); err == nil {
			zones = append(zones, zone)
		}
	}
	first, _ := t.loaded.LoadOrStore(names, zones)
	return first.([]*time.Location)
}

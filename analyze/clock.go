package analyze

import (
	"maps"
	"slices"
	"time"
)

// clock is how far one source's times are behind the platform's, in milliseconds; 0 for what needs no correction.
type clock struct {
	host   int64 // of requests, which the sender's machine timed
	status int64 // of statuses, which another exporter timed
}

// The skew that is corrected: less is the way of a message, not a wrong clock.
const (
	leastSkew    = 2 * time.Second
	leastSamples = 3  // messages, since a single one may simply have waited
	nearSkew     = 15 // tenths of a second around the median: statuses have whole seconds, and some messages wait
)

// apart counts how far two clocks stood apart, message by message: tenths of a second to the number of messages.
type apart map[apartKey]map[int64]int

// apartKey is two clocks that timed the same messages: the requests' of a source, or the statuses' of another.
type apartKey struct {
	file, reference int
	host            bool
}

// compare takes what the messages say that were logged more than once: whose clocks differ, which ids are one number or one person, and which
// recipients were refused under another record's name. It says whether that is more than was known.
func (j *joined) compare(parts []*part) (news bool) {
	known := [...]int{len(j.unite), len(j.users.parent), j.refused.count}
	seconds := apart{}
	for _, p := range parts {
		for _, n := range p.said.numbers {
			j.Ledger.unite(j.unite, n[0], n[1])
		}
		for _, r := range p.said.recipients {
			j.Link(r[0], r[1])
		}
		for key, counts := range p.said.seconds {
			for s, n := range counts {
				seconds.add(key, s, n)
			}
		}
	}
	for r := range j.coded {
		j.refused.add(j.users.find(r))
	}
	for _, p := range parts {
		for _, r := range p.late {
			j.refused.add(j.users.find(r))
		}
	}
	before := j.skew
	j.setClocks(seconds)
	return !slices.Equal(before, j.skew) || known != [...]int{len(j.unite), len(j.users.parent), j.refused.count}
}

// comparison is what the messages of some lists say about clocks and names.
type comparison struct {
	numbers    [][2]uint16
	recipients [][2]uint64
	seconds    apart
}

// look compares the facts of one message.
func (c *comparison) look(g []fact) {
	var requests, statuses []*fact
	for i := range g {
		f := &g[i]
		if f.at() == 0 {
			continue
		}
		switch f.kind() {
		case Accepted, Attempt:
			requests = append(requests, f)
		case Sent, Echo:
			statuses = append(statuses, f)
		}
	}
	for _, s := range statuses[min(1, len(statuses)):] {
		if s.file() != statuses[0].file() && s.kind() == statuses[0].kind() {
			c.compareStatuses(statuses[0], s)
		}
	}
	if len(requests) > 0 && len(statuses) > 0 {
		c.add(apartKey{requests[0].file(), statuses[0].file(), true}, tenths(statuses[0].at()-requests[0].at()))
	}
	if g[0].message&1 == 1 || sameRecipient(g) {
		c.names(g)
	}
}

func (c *comparison) add(key apartKey, tenths int64) {
	if c.seconds == nil {
		c.seconds = apart{}
	}
	c.seconds.add(key, tenths, 1)
}

// compareStatuses takes the coarser clock for the platform's, which has whole seconds, and of two alike the first source's.
func (c *comparison) compareStatuses(a, b *fact) {
	if a.file() > b.file() {
		a, b = b, a
	}
	if a.naive() && !b.naive() || a.naive() == b.naive() && b.grain() > a.grain() {
		a, b = b, a
	}
	c.add(apartKey{b.file(), a.file(), false}, tenths(a.at()-b.at()))
}

// names notes the numbers and recipients that a message is logged under.
func (c *comparison) names(g []fact) {
	for i := range g[1:] {
		a, b := &g[0], &g[i+1]
		if a.number != noNumber && b.number != noNumber && a.number != b.number {
			c.numbers = append(c.numbers, [2]uint16{a.number, b.number})
		}
		if a.recipient() != b.recipient() && a.message&1 == 1 {
			c.recipients = append(c.recipients, [2]uint64{a.recipient(), b.recipient()})
		}
	}
}

// sameRecipient says whether all facts name one and the same recipient.
func sameRecipient(g []fact) bool {
	for i := range g {
		if g[i].recipient() == 0 || g[i].recipient() != g[0].recipient() {
			return false
		}
	}
	return true
}

func (a apart) add(key apartKey, seconds int64, n int) {
	if a[key] == nil {
		a[key] = map[int64]int{}
	}
	a[key][seconds] += n
}

// tenths is milliseconds as the nearest tenth of a second.
func tenths(ms int64) int64 { return roundTo(ms, 100) }

// roundTo divides and rounds to the nearest whole number.
func roundTo(n, by int64) int64 {
	if n < 0 {
		return -roundTo(-n, by)
	}
	return (n + by/2) / by
}

// setClocks decides which sources need a correction: status clocks first, then those of requests against them.
func (j *joined) setClocks(seconds apart) {
	j.skew = make([]clock, len(j.files))
	for _, host := range []bool{false, true} {
		best := map[int]apartKey{}
		for key, counts := range seconds {
			if key.host == host && better(seconds, key, best, counts) {
				best[key.file] = key
			}
		}
		for file, key := range best {
			s := wrongBy(seconds[key])
			if host {
				j.skew[file].host = shifted(s*1000, j.skew[key.reference].status)
			} else {
				j.skew[file].status = s * 1000
			}
		}
	}
}

// shifted is a correction against a clock that is itself corrected.
func shifted(ms, reference int64) int64 {
	if ms == 0 && reference == 0 {
		return 0
	}
	return ms + reference
}

// better says whether a comparison rests on more messages than the best one so far of its source.
func better(all apart, key apartKey, best map[int]apartKey, counts map[int64]int) bool {
	old, ok := best[key.file]
	if !ok {
		return true
	}
	n, m := total(counts), total(all[old])
	return n > m || n == m && key.reference < old.reference
}

func total(counts map[int64]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// wrongBy is the median of differences in whole seconds, or 0 when that is no wrong clock: a short way, or waits that vary.
func wrongBy(counts map[int64]int) int64 {
	n := total(counts)
	middle := (atRank(counts, (n-1)/2) + atRank(counts, n/2)) / 2
	near := 0
	for d, c := range counts {
		if d >= middle-nearSkew && d <= middle+nearSkew {
			near += c
		}
	}
	skew := time.Duration(middle) * (time.Second / 10)
	if skew.Abs() <= leastSkew || 2*near < n || skew > 0 && n < leastSamples {
		return 0
	}
	return roundTo(middle, 10)
}

// atRank is the difference that has that many below it.
func atRank(counts map[int64]int, rank int) int64 {
	for _, d := range slices.Sorted(maps.Keys(counts)) {
		if rank -= counts[d]; rank < 0 {
			return d
		}
	}
	return 0
}

// onPlatformClock corrects a fact's time.
func (p *part) onPlatformClock(f *fact) {
	if f.at() == 0 {
		return
	}
	by := p.skew[f.file()].status
	if f.host() {
		by = p.skew[f.file()].host
	}
	if by != 0 {
		f.setAt(max(f.at()+by, 1))
	}
}

// skewed says whether a fact's time is an estimate.
func (p *part) skewed(f *fact) bool { return f.host() && p.skew[f.file()].host != 0 }

package analyze

import (
	"cmp"
	"maps"
	"slices"

	"github.com/wactl/wactl/campaign/outcome"
)

// otherKey is an error code of one business number.
type otherKey struct {
	code   int
	number uint16
}

// otherCount counts one code of one number. Times are milliseconds, 0 where none is known.
type otherCount struct {
	count       int
	first, last int64
}

// countError counts what is no matter of the pair limit.
func (p *part) countError(f *fact, number uint16) {
	code := p.codes.code(f.code())
	if code == 0 || !f.fresh() || p.meaning.pairCode(f.file(), code) || !p.meaning.within(f.at()) {
		return
	}
	p.countOther(otherKey{code, number}, &otherCount{1, f.at(), f.at()})
}

func (p *part) countOther(key otherKey, c *otherCount)   { addOther(p.others, key, c) }
func (j *joined) countOther(key otherKey, c *otherCount) { addOther(j.others, key, c) }

func addOther(all map[otherKey]*otherCount, key otherKey, c *otherCount) {
	known, ok := all[key]
	if !ok {
		all[key] = c
		return
	}
	known.count += c.count
	if known.first == 0 || c.first != 0 && c.first < known.first {
		known.first = c.first
	}
	known.last = max(known.last, c.last)
}

// otherErrors are the errors that are not the pair limit's, the most frequent first.
func (j *joined) otherErrors() []OtherError {
	all := make([]OtherError, 0, len(j.others))
	for key, c := range j.others {
		known := outcome.ForCode(j.meaning.code(key.code))
		e := OtherError{
			Code: key.code, Count: c.count, First: instant(c.first), Last: instant(c.last), PhoneNumberID: j.numbers.text(int(key.number)),
			Meaning: known.Means, SlowingDownHelps: known.Slower,
		}
		if known.Class == outcome.NumberSlow {
			e.PeakSendsPerSecond = j.peak(key.number)
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b OtherError) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Code, b.Code), cmp.Compare(a.PhoneNumberID, b.PhoneNumberID))
	})
	return all
}

// peak is the most sends of a number in one second of the clock, nil where none has a time.
func (j *joined) peak(number uint16) *int {
	perSecond := map[int64]int{}
	for _, s := range j.pairs {
		for f := range s.each() {
			if f.number == number && f.role() == placed {
				perSecond[f.at()/1000]++
			}
		}
	}
	for _, s := range j.quiet {
		for i := range s.lists {
			for q := range s.list(i) {
				if s.kinds.all[q.kind].number == number {
					perSecond[int64(q.at)]++
				}
			}
		}
	}
	if len(perSecond) == 0 {
		return nil
	}
	return new(slices.Max(slices.Collect(maps.Values(perSecond))))
}

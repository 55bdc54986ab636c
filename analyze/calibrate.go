package analyze

import (
	"cmp"
	"fmt"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// Calibration is the pair limit that a log's accepted and refused sends fit best, and what they say of the published one. Times are seconds.
type Calibration struct {
	Version      int             `json:"version"` // always 1
	Accepted     int             `json:"accepted"`
	Refused      int             `json:"refused"`
	Reading      string          `json:"reading"` // that fits best: strict or bucket45
	Interval     float64         `json:"interval_s"`
	IntervalMin  *float64        `json:"interval_min_s"` // the data fit nothing less as well; null: no bound
	IntervalMax  *float64        `json:"interval_max_s"`
	Burst        int             `json:"burst"`
	BurstMin     *int            `json:"burst_min"`
	BurstMax     *int            `json:"burst_max"`
	Fit          ReadingCount    `json:"fit"`       // refusals that the best fit predicts, accepted sends that it would refuse
	Published    SummaryReadings `json:"published"` // the same for the published 6 s and 45
	Spaced       ReadingCount    `json:"spaced"`    // the same for one message in 6 s and no credit at all
	Inconclusive bool            `json:"inconclusive"`
	Notes        []string        `json:"notes"`
}

// The figures that are tried. Finer ones are tried around the best of these.
var (
	triedIntervals = []time.Duration{500, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 10000, 12000, 15000, 20000, 30000} // milliseconds
	triedBursts    = []int{1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 100}
)

const (
	fineInterval  = 100 * time.Millisecond
	leastInterval = fineInterval
	mostInterval  = time.Minute
	mostBurst     = 200
	mostTold      = 500_000 // sends and refusals that are looked at
)

// moment is one accepted send or one refusal.
type moment struct {
	at      ratelimit.Instant
	refused bool
}

// Calibrate finds the interval and the burst that a log's accepted and refused sends fit best, with the bounds that they allow.
func (l *Ledger) Calibrate(log Log, o Options) (Calibration, error) {
	j := l.join(o.meaning(log), false)
	asked, err := j.asked(o.Pair)
	if err != nil {
		return Calibration{}, err
	}
	_, pairs := j.timelines(false, func(t timeline, failed, _ bool) bool {
		return (failed || t.close()) && (asked == nil || asked.has(t.number, t.recipient))
	})
	c := Calibration{Version: 1, Notes: []string{}}
	all, cut := moments(pairs)
	for _, pair := range all {
		for _, m := range pair {
			if m.refused {
				c.Refused++
			} else {
				c.Accepted++
			}
		}
	}
	c.Published.Strict, c.Published.Bucket45 = score(all, strict).count, score(all, bucket45).count
	c.Spaced = score(all, ratelimit.PublishedPair(ratelimit.Spaced)).count
	c.fit(all)
	if cut {
		c.Notes = append(c.Notes, fmt.Sprintf("only the first %d sends and refusals were looked at", mostTold))
	}
	return c, nil
}

// close says whether a pair was sent to twice within the longest interval that is tried.
func (t timeline) close() bool {
	last := int64(0)
	for i := range t.facts {
		if f := &t.facts[i]; f.role() == placed {
			if last != 0 && time.Duration(f.at()-last)*time.Millisecond <= mostInterval {
				return true
			}
			last = f.at()
		}
	}
	return false
}

// moments are the sends and refusals of each pair, as many as are looked at; cut says whether there were more.
func moments(pairs []timeline) (all [][]moment, cut bool) {
	n := 0
	for _, t := range pairs {
		var pair []moment
		for i := range t.facts {
			if r := t.facts[i].role(); r == placed || r == failing {
				pair = append(pair, moment{instantOf(t.facts[i].at()), r == failing})
			}
		}
		if n += len(pair); n > mostTold {
			return all, true
		}
		all = append(all, pair)
	}
	return all, false
}

// fitness is how well a limit explains what happened.
type fitness struct {
	count  ReadingCount
	errors int // accepted sends that it refuses, and refusals that it allows
}

// score replays everything under one limit.
func score(all [][]moment, p ratelimit.Pair) (s fitness) {
	for _, pair := range all {
		var state ratelimit.PairState
		for _, m := range pair {
			switch refuses := p.Earliest(state, m.at) > m.at; {
			case m.refused && refuses:
				s.count.Right++
			case m.refused:
				s.errors++
			case refuses:
				s.count.Contradicted++
				s.errors++
			}
			if !m.refused {
				state = p.Charge(state, m.at)
			}
		}
	}
	return s
}

// fit looks for the best limit on a coarse grid first, then between its neighbours.
func (c *Calibration) fit(all [][]moment) {
	best, least := strict, score(all, strict)
	try := func(p ratelimit.Pair) {
		if s := score(all, p); s.errors < least.errors || s.errors == least.errors && nearer(p, best) {
			best, least = p, s
		}
	}
	for _, reading := range []ratelimit.Reading{ratelimit.Strict, ratelimit.Bucket45} {
		for _, ms := range triedIntervals {
			for _, burst := range triedBursts {
				try(ratelimit.Pair{Reading: reading, Interval: ms * time.Millisecond, Burst: burst})
			}
		}
	}
	for interval := max(leastInterval, best.Interval-2*time.Second); interval <= best.Interval+2*time.Second; interval += fineInterval {
		try(ratelimit.Pair{Reading: best.Reading, Interval: interval, Burst: best.Burst})
	}
	for burst := max(1, best.Burst/2); burst <= 2*best.Burst; burst++ {
		try(ratelimit.Pair{Reading: best.Reading, Interval: best.Interval, Burst: burst})
	}
	c.Reading, c.Interval, c.Burst, c.Fit = string(best.Reading), milli(best.Interval.Seconds()), best.Burst, least.count
	c.bound(all, best, least.errors)
}

// nearer says whether a limit is closer to the published one than another; of two that fit alike, it is told.
func nearer(a, b ratelimit.Pair) bool {
	away := func(p ratelimit.Pair) (time.Duration, int) {
		return (p.Interval - strict.Interval).Abs(), max(p.Burst-strict.Burst, strict.Burst-p.Burst)
	}
	x, m := away(a)
	y, n := away(b)
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(m, n)) < 0
}

// bound finds how far each figure may move until the data fit less well.
func (c *Calibration) bound(all [][]moment, best ratelimit.Pair, errors int) {
	fits := func(p ratelimit.Pair) bool { return score(all, p).errors <= errors }
	interval := func(n int64) ratelimit.Pair {
		p := best
		p.Interval = time.Duration(n) * fineInterval
		return p
	}
	burst := func(n int64) ratelimit.Pair {
		p := best
		p.Burst = int(n)
		return p
	}
	at := int64(best.Interval / fineInterval)
	if n, ok := edge(at, 1, -1, func(n int64) bool { return fits(interval(n)) }); ok {
		c.IntervalMin = new(milli((time.Duration(n) * fineInterval).Seconds()))
	}
	if n, ok := edge(at, int64(mostInterval/fineInterval), 1, func(n int64) bool { return fits(interval(n)) }); ok {
		c.IntervalMax = new(milli((time.Duration(n) * fineInterval).Seconds()))
	}
	if n, ok := edge(int64(best.Burst), 1, -1, func(n int64) bool { return fits(burst(n)) }); ok {
		c.BurstMin = new(int(n))
	}
	if n, ok := edge(int64(best.Burst), mostBurst, 1, func(n int64) bool { return fits(burst(n)) }); ok {
		c.BurstMax = new(int(n))
	}
	c.Inconclusive = c.Refused == 0 || c.IntervalMin == nil || c.IntervalMax == nil
	if c.Refused == 0 {
		c.Notes = append(c.Notes, "the log holds no refusal: accepted sends only say what the limit is not, so the published figures are given where they fit")
	}
}

// edge is the last number towards an end that still fits; not ok when all do, which is no bound. It doubles its steps, then halves them.
func edge(from, end, sign int64, fits func(int64) bool) (int64, bool) {
	beyond := func(n int64) bool { return (end-n)*sign < 0 }
	good, step := from, int64(1)
	for !beyond(good+sign*step) && fits(good+sign*step) {
		good += sign * step
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if n := good + sign*step; !beyond(n) && fits(n) {
			good = n
		}
	}
	return good, good != end
}

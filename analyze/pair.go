package analyze

import (
	"iter"
	"slices"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// timeline is all that a log shows of one pair, in the order of time.
type timeline struct {
	number    uint16
	recipient uint64
	facts     []fact
}

// The model that verdicts are reached with: every reading charges alike, they differ in what they allow.
var (
	strict   = ratelimit.PublishedPair(ratelimit.Strict)
	bucket45 = ratelimit.PublishedPair(ratelimit.Bucket45)
	readings = [2]ratelimit.Pair{strict, bucket45}
)

// reach is the longest that one burst can close a pair; what was sent before it cannot matter unless sends went on.
const reach = ratelimit.PairBurst * ratelimit.PairInterval

// ledgerState is the debt of a pair while its timeline is replayed.
type ledgerState struct {
	pair  ratelimit.PairState
	sends []*fact // all; the list only grows, so that verdicts may share it
	burst int     // where the burst begins in it
	wrong [2]*fact
}

// charge adds a send to the debt.
func (s *ledgerState) charge(f *fact) {
	at := instantOf(f.at())
	if at >= s.pair.ClearAt {
		s.burst, s.wrong = len(s.sends), [2]*fact{}
	}
	for i, r := range readings {
		if s.wrong[i] == nil && r.Earliest(s.pair, at) > at {
			s.wrong[i] = f
		}
	}
	s.pair = strict.Charge(s.pair, at)
	s.sends = append(s.sends, f)
}

// verdict is what the arithmetic says about one failure.
type verdict struct {
	failure  *fact
	reason   reason
	clearAt  ratelimit.Instant // of the burst; 0 without one
	start    ratelimit.Instant // its first send: what tells bursts apart
	sends    []*fact           // the burst's, all of known time
	before   ratelimit.PairState
	wrong    [2]*fact          // by reading: the first send of the burst that it would have refused
	countMax int               // sends of the burst if everything of unknown fate or time belongs to it
	clearMax ratelimit.Instant // and its clear time then
	unplaced int               // of these, accepted sends of unknown time
	doubtful int               // of these, requests of unknown fate
	recent   []*fact           // sends before the failure that unseen ones could have met
}

// reason is why a failure counts as explained.
type reason uint8

const (
	unexplained reason = iota
	early              // the pair was not clear
	afterLast          // clear, if the silence is counted from the burst's first message, but not from its last
	withinGrain        // clear, but by less than the log's times can show
)

func instantOf(ms int64) ratelimit.Instant { return ratelimit.Instant(ms * int64(time.Millisecond)) }

// roles counts the facts of a timeline by what they are in it.
func (t timeline) roles() (n [incoming + 1]int) {
	for i := range t.facts {
		n[t.facts[i].role()]++
	}
	return n
}

// judge replays a timeline and gives a verdict on each failure, until the desk is used for another.
func (t timeline) judge(d *desk) []verdict {
	n := t.roles()
	all, known, possible := lay(&d.verdicts, n[failing])[:0], ledgerState{sends: lay(&d.sent, n[placed])[:0]}, ledgerState{}
	doubtful := n[uncertain]+n[unplaced] > 0
	lost := d.lost[:0]
	for i := range t.facts {
		if f := &t.facts[i]; doubtful && f.role() == unplaced {
			lost = append(lost, f)
		}
	}
	doubts := 0
	for i := range t.facts {
		f := &t.facts[i]
		switch f.role() {
		case placed:
			known.charge(f)
			if doubtful {
				possible.charge(f)
			}
		case uncertain:
			possible.charge(f)
			doubts++
		case failing:
			v := known.verdict(f)
			v.recent = known.sends
			if doubts+len(lost) > 0 {
				v.widen(possible, lost)
			}
			all = append(all, v)
		}
	}
	d.lost = lost
	return all
}

// verdict is what the state says about a failure.
func (s *ledgerState) verdict(f *fact) verdict {
	v := verdict{failure: f, before: s.pair}
	at := instantOf(f.at())
	sends := s.sends[s.burst:len(s.sends):len(s.sends)]
	if len(sends) == 0 {
		return v
	}
	last := instantOf(sends[len(sends)-1].at())
	span := min(last.Sub(s.pair.Start), ratelimit.PairBurstWindow)
	switch grain := max(f.grain(), sends[0].grain(), sends[len(sends)-1].grain()); { // the coarsest that the verdict rests on
	case at < s.pair.ClearAt:
		v.reason = early
	case at < s.pair.ClearAt.Add(span):
		v.reason = afterLast
	case grain > time.Millisecond && at < s.pair.ClearAt.Add(grain):
		v.reason = withinGrain
	default:
		return v
	}
	v.clearAt, v.start, v.wrong = s.pair.ClearAt, s.pair.Start, s.wrong
	v.sends = sends
	return v
}

// longestKept is how long the platform tries to deliver a message.
const longestKept = 30 * 24 * time.Hour

// widen adds what the burst may have held beside the certain sends.
func (v *verdict) widen(possible ledgerState, lost []*fact) {
	most := possible.verdict(v.failure)
	from := firstKnown(v.start, most.start, instantOf(v.failure.at()).Add(-reach))
	for _, f := range lost {
		if seen := instantOf(f.at()); f.at() == 0 || seen >= from && seen.Add(-longestKept) <= instantOf(v.failure.at()) {
			v.unplaced++
		}
	}
	for _, f := range most.sends {
		if f.role() == uncertain {
			v.doubtful++
		}
	}
	if v.unplaced+v.doubtful == 0 {
		return
	}
	v.countMax = len(most.sends) + v.unplaced
	if most.clearAt == 0 { // nothing else is known: the unplaced alone, at the latest
		return
	}
	v.clearMax = most.clearAt.Add(time.Duration(v.unplaced) * strict.Interval)
}

// firstKnown is the first instant that is known.
func firstKnown(all ...ratelimit.Instant) ratelimit.Instant {
	i := slices.IndexFunc(all, func(t ratelimit.Instant) bool { return t != 0 })
	return all[max(i, 0)]
}

// tally is what a whole log adds up to.
type tally struct {
	pairs, sends int
	nameless     int    // requests that were joined to the status of their message though no id does
	wrong        [2]int // by reading: accepted sends that it would have refused
	perNumber    map[uint16]int
}

// count replays one timeline for the sums and says whether it holds a failure, and whether strict would have refused one of its sends.
func (t *tally) count(facts []fact) (failed, contradicted bool) {
	var state ratelimit.PairState
	sends, concerned := 0, false
	for i := range facts {
		switch f := &facts[i]; f.role() {
		case placed:
			var wrong bool
			state, wrong = t.replay(state, f.at())
			contradicted = contradicted || wrong
			sends++
		case unplaced:
			sends++
		case failing:
			failed = true
		case uncertain:
		default:
			continue
		}
		concerned = true
	}
	if concerned {
		t.pairs++
	}
	if t.sends += sends; sends > 0 {
		t.perNumber[facts[0].number] += sends
	}
	return failed, contradicted
}

// replay charges one send and says whether strict would have refused it.
func (t *tally) replay(state ratelimit.PairState, ms int64) (_ ratelimit.PairState, contradicted bool) {
	at := instantOf(ms)
	for i, r := range readings {
		if r.Earliest(state, at) > at {
			t.wrong[i]++
			contradicted = contradicted || i == 0
		}
	}
	return strict.Charge(state, at), contradicted
}

// wanted says which timelines a question needs; the others are only counted.
type wanted func(t timeline, failed, contradicted bool) bool

// timelines counts all pairs and gives those that are wanted, in the order of number and recipient.
//
// RefusedOnly says that none is wanted in which nothing was refused.
func (j *joined) timelines(refusedOnly bool, want wanted) (tally, []timeline) {
	type share struct {
		tally
		kept []timeline
	}
	parts := eachList(func(s *share, i int, r *room) {
		if s.perNumber == nil {
			s.perNumber = map[uint16]int{}
		}
		r.gather(i, j.pairs...)
		r.gatherQuiet(i, refusedOnly, j.quiet...)
		r.sort(pairHash, byPair)
		r.sortQuiet()
		s.countQuiet(r.quiet)
		for facts := range pairsOf(r.facts) {
			s.nameless += j.joinNameless(facts)
			failed, contradicted := s.count(facts)
			t := timeline{facts[0].number, facts[0].recipient(), facts}
			if want(t, failed, contradicted) {
				t.facts = slices.Clone(facts)
				s.kept = append(s.kept, t)
			}
		}
	})
	sum := tally{perNumber: map[uint16]int{}}
	var kept []timeline
	for _, r := range parts {
		sum.pairs += r.pairs
		sum.sends += r.sends
		sum.nameless += r.nameless
		for i := range sum.wrong {
			sum.wrong[i] += r.wrong[i]
		}
		for n, c := range r.perNumber {
			sum.perNumber[n] += c
		}
		kept = append(kept, r.kept...)
	}
	slices.SortFunc(kept, func(a, b timeline) int { return byPair(&a.facts[0], &b.facts[0]) })
	return sum, kept
}

// pairsOf cuts sorted facts into those of each pair.
func pairsOf(facts []fact) iter.Seq[[]fact] {
	return func(yield func([]fact) bool) {
		for start := 0; start < len(facts); {
			end := start + 1
			for end < len(facts) && facts[end].number == facts[start].number && facts[end].recipient() == facts[start].recipient() {
				end++
			}
			if !yield(facts[start:end]) {
				return
			}
			start = end
		}
	}
}

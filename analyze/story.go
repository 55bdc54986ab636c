package analyze

import (
	"cmp"
	"slices"
	"time"
)

// story is one failure with everything that may show its cause.
type story struct {
	*verdict
	victim  told
	burst   []told // the sends of the burst
	around  []told // accepted sends of the pair near the failure, before and after it
	refused []told // earlier failures of the same burst
	inbound []told // messages of the user and how often each was delivered, in the order of delivery
	echoes  []told // what the business app, or the platform, said back
	total   int    // accepted sends of the business number in the whole log
	sends   int    // and those of them that went to this pair
	attempt int    // which refused try of this message
	repeats *told  // the refused try before it
	sources []Source
	rhythm  *rhythm // of the burst, shared by its failures
	again   string  // that an inbound message was delivered again before its answers; empty: none was
}

// rhythm is how evenly the sends of a burst follow each other.
type rhythm struct {
	known bool
	gap   time.Duration // the median
	even  bool
}

// steady is steady of the burst, found out once.
func (s *story) steady() (time.Duration, bool) {
	if r := s.rhythm; !r.known {
		r.gap, r.even = steady(s.burst)
		r.known = true
	}
	return s.rhythm.gap, s.rhythm.even
}

// longestStory is how many sends of a burst the evidence looks at, the last ones.
const longestStory = 1000

// scene is the records around the failures of a timeline, each kind in the order of time.
type scene struct{ sends, inbound, echoes []told }

// scene looks up the records of the facts that have some.
func (r *records) scene(d *desk) scene {
	r.meet(d)
	s := scene{d.scene.sends[:0], d.scene.inbound[:0], d.scene.echoes[:0]}
	for i, f := range r.facts {
		switch {
		case f.kind() == Inbound:
			s.inbound = append(s.inbound, r.messageOf(i))
		case f.role() == placed:
			s.sends = append(s.sends, r.messageOf(i))
		}
		if f.kind() == Echo {
			s.echoes = append(s.echoes, r.messageOf(i))
		}
	}
	d.scene = s
	return s
}

// tell gathers the stories of a timeline's failures, until the desk is used for another.
func (r *records) tell(d *desk, verdicts []verdict) []story {
	scene := r.scene(d)
	all, victims := lay(&d.stories, len(verdicts)), lay(&d.victims, len(verdicts))
	for i := range verdicts {
		v := &verdicts[i]
		from, to := v.window()
		s := &all[i]
		*s = story{
			verdict: v, victim: r.messageOf(r.index(v.failure)),
			around: within(scene.sends, from, to), inbound: within(scene.inbound, from, to), echoes: within(scene.echoes, from, to),
		}
		if n := len(v.sends); n > 0 {
			s.burst = within(scene.sends, v.sends[0].at(), v.sends[n-1].at())
			s.burst = s.burst[max(0, len(s.burst)-longestStory):]
		}
		if i > 0 && all[i-1].sameSends(s) {
			s.rhythm = all[i-1].rhythm
		} else {
			s.rhythm = &rhythm{}
		}
		victims[i] = s.victim
		s.refused = victims[i-s.findTry(all[:i]) : i : i]
	}
	return all
}

// within is the part of a list from one instant to another, both included.
func within(all []told, from, to int64) []told {
	i, _ := slices.BinarySearchFunc(all, from, func(t told, ms int64) int { return cmp.Compare(t.at, ms) })
	j, _ := slices.BinarySearchFunc(all, to+1, func(t told, ms int64) int { return cmp.Compare(t.at, ms) })
	return all[i:max(i, j)]
}

// mostRefused is how many failures before one are compared with it.
const mostRefused = 50

// findTry numbers the refused tries of one message within its burst. It says how many stories before this one are of that burst, as far as they are looked at.
func (s *story) findTry(earlier []story) (same int) {
	s.attempt = 1
	for i := range slices.Backward(earlier) {
		e := &earlier[i]
		if same == mostRefused || !s.sameBurst(e) {
			break
		}
		same++
		if s.repeats == nil && sameMessage(e.victim, s.victim) {
			s.repeats, s.attempt = &e.victim, e.attempt+1
		}
	}
	return same
}

// sameBurst says whether two failures of a pair share a burst.
func (s *story) sameBurst(e *story) bool { return s.place().same(e.place()) }

func (s *story) place() burstPlace { return burstPlace{s.start, s.failure.at()} }

// sameMessage says whether a refused attempt was tried again: by the sender's own key, by its count of tries, or word for word.
func sameMessage(before, now told) bool {
	a, b := before.Detail, now.Detail
	differ := func(x, y string) bool { return x != "" && y != "" && x != y }
	alike := func(x, y string) bool { return x != "" && x == y }
	switch {
	case alike(before.MessageID, now.MessageID):
		return true
	case differ(a.Row, b.Row), differ(a.Text, b.Text), before.part != now.part:
		return false
	case alike(a.Job, b.Job), alike(a.Text, b.Text):
		return true
	case differ(a.Job, b.Job), a.Campaign != b.Campaign, a.Template != b.Template:
		return false
	}
	return b.Attempt > 1 && a.Attempt == b.Attempt-1 || alike(a.Row, b.Row)
}

// gaps are the times between neighbours.
func gaps(all []told) []time.Duration {
	out := make([]time.Duration, 0, len(all))
	for i := 1; i < len(all); i++ {
		out = append(out, between(all[i-1], all[i]))
	}
	return out
}

func between(a, b told) time.Duration { return time.Duration(b.at-a.at) * time.Millisecond }

// steady says whether most gaps are near their median, as far as the log's times can show, and gives the median.
func steady(all []told) (time.Duration, bool) {
	g := gaps(all)
	if len(g) < 2 {
		return 0, false
	}
	sorted := slices.Clone(g)
	slices.Sort(sorted)
	median := sorted[len(sorted)/2]
	slack := max(median/4, all[0].fact.grain(), 50*time.Millisecond)
	near := 0
	for _, d := range g {
		if d >= median-slack && d <= median+slack {
			near++
		}
	}
	const most = 0.8
	return median, float64(near) >= most*float64(len(g))
}

// groups are runs of two or more sends that follow each other at once.
func groups(all []told) (runs [][]told) {
	const atOnce = 2 * time.Second
	for start := 0; start < len(all); {
		end := start + 1
		for end < len(all) && between(all[end-1], all[end]) <= atOnce {
			end++
		}
		if end-start > 1 {
			runs = append(runs, all[start:end])
		}
		start = end
	}
	return runs
}

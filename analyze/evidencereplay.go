package analyze

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

// replayEvidence finds an inbound message that came several times and was answered each time.
func replayEvidence(s *story) []string {
	for id, d := range s.redelivered() {
		switch {
		case s.answeredEach(d):
			return []string{fmt.Sprintf("inbound message %s was delivered %d times, and each delivery was answered", id, len(d))}
		case s.answeredTogether(d):
			return []string{fmt.Sprintf("inbound message %s was delivered %d times before it was answered, and every answer then went out as often", id, len(d))}
		}
	}
	return nil
}

// redelivered are the inbound messages that came more than once before the failure, with their deliveries, in the order of their ids.
func (s *story) redelivered() iter.Seq2[string, []told] {
	return func(yield func(string, []told) bool) {
		if len(s.inbound) < 2 {
			return
		}
		deliveries := map[string][]told{}
		for _, in := range s.inbound {
			if in.MessageID != "" && in.at <= s.victim.at {
				deliveries[in.MessageID] = append(deliveries[in.MessageID], in)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(deliveries)) {
			if d := deliveries[id]; len(d) > 1 && !yield(id, d) {
				return
			}
		}
	}
}

// answeredTogether says whether all deliveries came before the first answer, and each text of the answers went out once for each of them: they
// were handled side by side. The refused one may be the last of its kind.
func (s *story) answeredTogether(deliveries []told) bool {
	last, texts := deliveries[len(deliveries)-1], map[string]int{}
	for _, b := range s.burst {
		switch {
		case follows(b, last) && b.Detail.Text != "":
			texts[b.Detail.Text]++
		case follows(b, deliveries[0]):
			return false
		}
	}
	if n, begun := texts[s.victim.Detail.Text]; begun {
		texts[s.victim.Detail.Text] = n + 1
	}
	for _, n := range texts {
		if n < len(deliveries) {
			return false
		}
	}
	return len(texts) > 0
}

// redeliveryText names an inbound message that came again at once and was then answered, where nothing proves that each delivery was.
func (s *story) redeliveryText() string {
	for id, d := range s.redelivered() {
		first, last := d[0], d[len(d)-1]
		between := func(b told) bool { return follows(b, first) && !follows(b, last) }
		if slices.ContainsFunc(s.burst, func(b told) bool { return follows(b, last) }) && !slices.ContainsFunc(s.burst, between) {
			return fmt.Sprintf("inbound message %s was delivered %d times before sends of this burst: if each delivery was handled, some of them are double", id, len(d))
		}
	}
	return ""
}

// answeredEach says whether sends, or the refused one, follow each delivery before the next.
func (s *story) answeredEach(deliveries []told) bool {
	answered := 0
	for i, d := range deliveries {
		answers := append(slices.Clone(within(s.around, d.at, min(d.at+lookBack.Milliseconds(), s.victim.at))), s.victim)
		if slices.ContainsFunc(answers, func(a told) bool {
			return follows(a, d) && (i+1 == len(deliveries) || !follows(a, deliveries[i+1]))
		}) {
			answered++
		}
	}
	inBurst := slices.ContainsFunc(s.burst, func(b told) bool { return follows(b, deliveries[0]) })
	return answered == len(deliveries) && inBurst
}

// follows says whether a came after b; at the same instant, whether it was logged after it.
func follows(a, b told) bool {
	if a.at != b.at {
		return a.at > b.at
	}
	return a.fact.file() == b.fact.file() && a.fact.line > b.fact.line
}

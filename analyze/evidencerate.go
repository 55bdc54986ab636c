package analyze

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"
)

// twoSystemsEvidence finds two senders that take turns within the burst.
func twoSystemsEvidence(s *story) []string {
	sender := sender
	if s.ofSeveralLogs() {
		sender = s.logOf
	}
	if !slices.ContainsFunc(s.burst, func(t told) bool { return sender(t) != sender(s.burst[0]) }) {
		return nil
	}
	count, turns, before := map[string]int{}, 0, ""
	for _, t := range s.burst {
		who := sender(t)
		if who == "" {
			continue
		}
		if before != "" && who != before {
			turns++
		}
		before = who
		count[who]++
	}
	const least = 2 // turns: one is only a handing over
	if len(count) < 2 || turns < least {
		return nil
	}
	var words []string
	for _, who := range slices.Sorted(maps.Keys(count)) {
		words = append(words, fmt.Sprintf("%s (%s)", who, sendsText(count[who])))
	}
	return []string{"took turns: " + lastFew(words)}
}

// ofSeveralLogs says whether the requests of the burst stand in more than one log, and nothing else tells their senders apart.
func (s *story) ofSeveralLogs() bool {
	file := -1
	several := false
	for _, t := range s.burst {
		switch {
		case t.Detail.Client != "" || t.fact.kind() == Echo:
			return false
		case t.fact.kind() == Accepted && file >= 0 && t.fact.file() != file:
			several = true
		case t.fact.kind() == Accepted:
			file = t.fact.file()
		}
	}
	return several
}

// logOf is the log that a request stands in, which is the sender's own; empty for what only a status shows.
func (s *story) logOf(t told) string {
	if t.fact.kind() != Accepted || t.fact.file() >= len(s.sources) {
		return ""
	}
	return s.sources[t.fact.file()].Path
}

// sender is who sent a message, as far as the log shows: a client, the business app, or the API.
func sender(t told) string {
	switch {
	case t.Detail.Client != "":
		return t.Detail.Client
	case t.fact.kind() == Echo:
		return "WhatsApp Business app"
	}
	return "Cloud API"
}

// multiBubbleEvidence finds answers that were sent in pieces.
func multiBubbleEvidence(s *story) []string {
	runs := groups(s.burst)
	if len(runs) == 0 {
		return nil
	}
	parts := countWhere(s.burst, func(t told) bool { return t.part != 0 })
	answers := 0
	for _, run := range runs {
		if s.answersInbound(run[0]) {
			answers++
		}
	}
	switch {
	case parts > 1:
		return []string{fmt.Sprintf("%d of %s are numbered parts of one answer", parts, sendsText(len(s.burst)))}
	case answers > 0:
		return []string{fmt.Sprintf("%d of %d groups of messages followed an inbound message", answers, len(runs))}
	}
	return nil
}

// answersInbound says whether the user wrote shortly before a send, and nothing was sent between.
func (s *story) answersInbound(send told) bool {
	const soon = 30 * time.Second
	return send.Detail.InReply != "" || slices.ContainsFunc(within(s.inbound, send.at-soon.Milliseconds(), send.at), func(in told) bool {
		return len(within(s.around, in.at+1, send.at-1)) == 0
	})
}

var loadTool = regexp.MustCompile(`(?i)\b(k6|jmeter|locust|artillery|gatling|vegeta|wrk|wrk2|autocannon|apachebench|ab|siege|bombardier|oha|hey|tsung|loadtest)\b`)

// loadTestEvidence finds a test: most of a number's traffic to one recipient, evenly, counted up or by a tool.
func loadTestEvidence(s *story) []string {
	const least, share = 20, 0.9
	gap, even := s.steady()
	if s.sends < least || float64(s.sends) < share*float64(s.total) || !even {
		return nil
	}
	words := []string{fmt.Sprintf("%d of %s of this number went to this recipient, about %s apart", s.sends, sendsText(s.total), seconds(gap))}
	if i := slices.IndexFunc(s.burst, func(t told) bool { return loadTool.MatchString(t.Detail.Client) }); i >= 0 {
		return append(words, "they came from "+s.burst[i].Detail.Client)
	}
	if countsUp(s.burst) {
		return append(words, "their texts count up")
	}
	return nil
}

var digits = regexp.MustCompile(`\d+`)

// countsUp says whether the texts differ in numbers only, and one of these grows.
func countsUp(all []told) bool {
	const share = 0.8
	grew := 0
	for i := 1; i < len(all); i++ {
		a, b := all[i-1].Detail.Text, all[i].Detail.Text
		x, y := digits.FindAllString(a, -1), digits.FindAllString(b, -1)
		if a != b && digits.ReplaceAllString(a, "#") == digits.ReplaceAllString(b, "#") && growing(x, y) {
			grew++
		}
	}
	return len(all) > 1 && float64(grew) >= share*float64(len(all)-1)
}

// growing says whether the first number in which two texts differ is greater in the second.
func growing(x, y []string) bool {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return len(x[i]) < len(y[i]) || len(x[i]) == len(y[i]) && x[i] < y[i]
		}
	}
	return false
}

// overrateEvidence finds a steady row that is too fast for minutes.
func overrateEvidence(s *story) []string {
	const leastSpan, least = time.Minute, 10
	gap, even := s.steady()
	whole := between(s.burst[0], s.burst[len(s.burst)-1])
	if !even || len(s.burst) < least || whole < leastSpan || gap >= strict.Interval {
		return nil
	}
	return []string{fmt.Sprintf("%s, about %s apart, for %s", sendsText(len(s.burst)), seconds(gap), seconds(whole))}
}

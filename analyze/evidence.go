package analyze

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func backoffEvidence(s *story) []string {
	if s.repeats == nil {
		return nil
	}
	var waits []string
	all := append(slices.Clone(s.refused), s.victim)
	for _, d := range gaps(all) {
		waits = append(waits, seconds(d))
	}
	return []string{
		fmt.Sprintf("try %d of a message that was refused %s before, while the pair was still closed", s.attempt, seconds(between(*s.repeats, s.victim))),
		"refusals in this burst came after " + lastFew(waits),
	}
}

// lastFew joins words, the last ones if they are many.
func lastFew(words []string) string {
	const most = 8
	if len(words) > most {
		return "…, " + strings.Join(words[len(words)-most:], ", ")
	}
	return strings.Join(words, ", ")
}

// echoEvidence finds an echo of the send before between most sends of a steady row.
func echoEvidence(s *story) []string {
	const least = 3
	spoken := s.spoken()
	gap, even := s.steady()
	if len(spoken) < len(s.burst) {
		gap, even = steady(spoken)
	}
	if len(spoken) < least || !even {
		return nil
	}
	echoed := 0
	for i, send := range spoken {
		next := s.victim
		if i+1 < len(spoken) {
			next = spoken[i+1]
		}
		if s.echoed(send, next) {
			echoed++
		}
	}
	if echoed < len(spoken)-1 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %s came back as an echo before the next one, each about %s apart", echoed, sendsText(len(spoken)), seconds(gap))}
}

// spoken is the sends of the burst without those that came back from the app word for word under an id of their own.
func (s *story) spoken() []told {
	const back = 2 * time.Second
	isEcho := func(b told) bool { return b.fact.kind() == Echo && b.Detail.Text != "" }
	if !slices.ContainsFunc(s.burst, isEcho) {
		return s.burst
	}
	var own []told
	for _, b := range s.burst {
		n := len(own)
		if n > 0 && isEcho(b) && own[n-1].fact.kind() != Echo && b.Detail.Text == own[n-1].Detail.Text && between(own[n-1], b) <= back {
			continue
		}
		own = append(own, b)
	}
	return own
}

// echoed says whether a send came back before the next one: by its id, or word for word from the user's side or the app's.
func (s *story) echoed(send, next told) bool {
	back := func(e told) bool {
		sameID := send.fact.message != 0 && e.fact.message == send.fact.message && e.fact != send.fact
		return sameID || e.fact.message != send.fact.message && e.Detail.Text != "" && e.Detail.Text == send.Detail.Text && (e.fact.kind() == Inbound || e.fact.kind() == Echo)
	}
	return slices.ContainsFunc(within(s.echoes, send.at, next.at), back) || slices.ContainsFunc(within(s.inbound, send.at, next.at), back)
}

var codeTemplate = regexp.MustCompile(`(?i)(^|[^a-z])(otp|2fa|mfa|pin|auth|authentication|verify|verification|verificacion|verificacao|passcode|login|code|codigo|token)([^a-z]|$)`)

// resendEvidence finds a person who presses the button again: one code template, at a human pace, and nothing else.
func resendEvidence(s *story) []string {
	const fastest, slowest = 2 * time.Second, 20 * time.Second
	d := s.burst[0].Detail
	for _, b := range s.burst {
		if !isCode(*b.Detail) || b.Detail.Template != d.Template {
			return nil
		}
	}
	grain := s.burst[0].fact.grain()
	for _, g := range gaps(append(slices.Clone(s.burst), s.victim)) {
		if g < fastest-grain || g > slowest+grain {
			return nil
		}
	}
	words := fmt.Sprintf("%s of a code", sendsText(len(s.burst)))
	if d.Template != "" {
		words += fmt.Sprintf(" (template %s)", d.Template)
	}
	words += ", 2 to 20 s apart and nothing else between"
	if n := countWhere(s.burst, func(t told) bool { return strings.Contains(t.Detail.Trigger, "resend") }); n > 0 {
		words += fmt.Sprintf("; %d of them by the resend button", n)
	}
	return []string{words}
}

func isCode(d Detail) bool {
	return strings.EqualFold(d.Category, "authentication") || d.Template != "" && codeTemplate.MatchString(d.Template) || strings.Contains(d.Trigger, "resend")
}

func countWhere(all []told, is func(told) bool) (n int) {
	for _, t := range all {
		if is(t) {
			n++
		}
	}
	return n
}

// duplicateEvidence finds one campaign that had the recipient in several rows.
func duplicateEvidence(s *story) []string {
	if s.victim.Detail.Campaign == "" && !slices.ContainsFunc(s.burst, func(t told) bool { return t.Detail.Campaign != "" }) {
		return nil
	}
	all := append(slices.Clone(s.burst), s.victim)
	type list struct{ campaign, template string }
	rows := map[list][]told{}
	for _, t := range all {
		if d := t.Detail; d.Campaign != "" && d.Attempt <= 1 {
			rows[list{d.Campaign, d.Template}] = append(rows[list{d.Campaign, d.Template}], t)
		}
	}
	for _, t := range all { // in the order of time
		key := list{t.Detail.Campaign, t.Detail.Template}
		same := distinctRows(rows[key])
		if len(same) < 2 {
			continue
		}
		words := fmt.Sprintf("campaign %s has this recipient %d times", key.campaign, len(same))
		if key.template != "" {
			words += " with template " + key.template
		}
		if known := slices.DeleteFunc(rowsOf(same), func(r string) bool { return r == "" }); len(known) > 0 {
			words += ", in rows " + lastFew(known)
		}
		return []string{words}
	}
	return nil
}

// distinctRows leaves out rows and jobs that were sent twice, which a retry does, and rows with other texts.
func distinctRows(all []told) (rows []told) {
	seen := map[[2]string]bool{}
	for _, t := range all {
		key := [2]string{t.Detail.Row, t.Detail.Job}
		if key != [2]string{} && seen[key] || t.Detail.Text != all[0].Detail.Text && t.Detail.Template == "" {
			continue
		}
		seen[key] = true
		rows = append(rows, t)
	}
	return rows
}

func rowsOf(all []told) (rows []string) {
	for _, t := range all {
		rows = append(rows, t.Detail.Row)
	}
	return rows
}

// retryLoopEvidence finds a job that was accepted and sent again, or a message in parts that began again.
func retryLoopEvidence(s *story) []string {
	sent := map[string][]told{}
	var jobs []string
	for _, t := range s.burst {
		if job := t.Detail.Job; job != "" {
			if sent[job] == nil {
				jobs = append(jobs, job)
			}
			sent[job] = append(sent[job], t)
		}
	}
	for _, job := range jobs {
		if len(sent[job]) < 2 || sent[job][0].part != 0 && !s.beganAgain(func(t told) bool { return t.Detail.Job == job }) {
			continue
		}
		return []string{fmt.Sprintf("job %s was accepted %d times in this burst%s", job, len(sent[job]), s.partsText(job))}
	}
	if s.beganAgain(func(t told) bool { return t.Detail.Job == "" && t.Detail.Text != "" }) {
		return []string{"the parts of one message were sent again from the first, although they had been accepted"}
	}
	return nil
}

// partsText names the parts of a job that were sent more than once.
func (s *story) partsText(job string) string {
	if s.burst[0].part == 0 {
		return ""
	}
	again := map[int]int{}
	for _, t := range s.around {
		if t.Detail.Job == job {
			again[t.part]++
		}
	}
	var parts []string
	for _, part := range slices.Sorted(maps.Keys(again)) {
		if again[part] > 1 {
			parts = append(parts, strconv.Itoa(part))
		}
	}
	return ", and its parts " + strings.Join(parts, ", ") + " were sent again from the first"
}

// beganAgain says whether a part of the burst, with the same words, was accepted before or after it too.
func (s *story) beganAgain(of func(told) bool) bool {
	if !slices.ContainsFunc(s.around, func(t told) bool { return t.part != 0 }) {
		return false
	}
	type piece struct {
		part int
		text string
	}
	mine, all := map[piece]bool{}, map[piece]int{}
	for _, t := range s.burst {
		mine[piece{t.part, t.Detail.Text}] = true
	}
	for _, t := range s.around {
		if p := (piece{t.part, t.Detail.Text}); p.part != 0 && of(t) {
			all[p]++
		}
	}
	const least = 2 // parts, since a single one may have been wanted twice
	again := 0
	for p, n := range all {
		if mine[p] && n > 1 {
			again++
		}
	}
	return again >= least
}

var partText = regexp.MustCompile(`(?:^|[^\d/])(\d{1,3})\s?/\s?(\d{1,3})(?:[^\d/]|$)`)

// partOf is the part of a message in parts, by the log's own count or by words like "part 2/5"; 0 if it is none.
func partOf(d *Detail) int {
	if d.Part != 0 {
		return d.Part
	}
	if d.Text == "" {
		return 0
	}
	m := partText.FindStringSubmatch(d.Text)
	if m == nil {
		return 0
	}
	part, _ := strconv.Atoi(m[1])
	whole, _ := strconv.Atoi(m[2])
	if part > whole || whole < 2 {
		return 0
	}
	return part
}

func sendsText(n int) string {
	if n == 1 {
		return "1 accepted send"
	}
	return strconv.Itoa(n) + " accepted sends"
}

// seconds is a duration as people read it in a report: seconds with at most three decimals.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(milli(d.Seconds()), 'f', -1, 64) + " s"
}

package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wactl/wactl/analyze"
)

// patternWords say what each pattern is in a few words. A pattern that is not here is told by its name.
var patternWords = map[string]string{
	"unexplained":        "the log shows no send that explains it",
	"short-backoff":      "the same message tried again too soon",
	"webhook-replay":     "one incoming message, answered more than once",
	"echo-loop":          "a bot that answers its own messages",
	"resend-code":        "codes asked for again within seconds",
	"duplicate-list":     "one person in several rows of a list",
	"retry-loop":         "one job, accepted more than once",
	"two-systems":        "two systems that write to one person",
	"multi-bubble":       "one answer, split into several messages",
	"load-test":          "a load test against one recipient",
	"sustained-overrate": "steady sends, faster than one each 6 seconds",
	"burst":              "sends close together; the log names no cause",
}

// confidenceWords say how sure it is that a refusal was one by the pair limit. What is certain needs no word.
var confidenceWords = map[string]string{
	"likely-pair":   "the provider folds several limits into this code; the sends before it make the pair limit the likely one",
	"provider-code": "the code is the provider's own, read as 131056",
	"not-shown":     "the provider folds several limits into this code, and nothing in the log shows that it was the pair limit",
}

// cause is a pattern by its name and in words.
func cause(pattern string) string {
	if words := patternWords[pattern]; words != "" {
		return pattern + ": " + words
	}
	return pattern
}

// count is a whole number with thousands separators.
func count(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// plural is a number with its noun, which takes an s when there are several.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// lasting is a duration in its two largest units: "2 min 38 s", "3 h 12 min", "7.9 s".
func lasting(d time.Duration) string {
	for _, u := range []struct {
		large, small time.Duration
		names        [2]string
	}{
		{24 * time.Hour, time.Hour, [2]string{"d", "h"}},
		{time.Hour, time.Minute, [2]string{"h", "min"}},
		{time.Minute, time.Second, [2]string{"min", "s"}},
	} {
		r := d.Round(u.small)
		switch {
		case r < u.large:
		case r%u.large == 0:
			return fmt.Sprintf("%d %s", r/u.large, u.names[0])
		default:
			return fmt.Sprintf("%d %s %d %s", r/u.large, u.names[0], r%u.large/u.small, u.names[1])
		}
	}
	return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}

// seconds is a number of seconds as a duration.
func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

const (
	dayLayout   = "2006-01-02"
	clockLayout = "15:04:05"
)

// clock is the time of day, with milliseconds where there are any; the day stands before it unless it is the day of base.
func (o Options) clock(at, base time.Time) string {
	at = at.In(o.zone())
	layout := clockLayout
	if at.Nanosecond()/int(time.Millisecond) != 0 {
		layout += ".000"
	}
	if day := at.Format(dayLayout); base.IsZero() || day != base.In(o.zone()).Format(dayLayout) {
		layout = dayLayout + " " + layout
	}
	return at.Format(layout)
}

// moment is day, time and zone.
func (o Options) moment(at time.Time) string {
	return o.clock(at, time.Time{}) + at.In(o.zone()).Format(" MST")
}

// between is a span of time with its day and zone, said once.
func (o Options) between(first, last time.Time) string {
	if first.Equal(last) {
		return o.moment(first)
	}
	return o.clock(first, time.Time{}) + " to " + o.clock(last, first) + last.In(o.zone()).Format(" MST")
}

func (o Options) zone() *time.Location {
	if o.Zone == nil {
		return time.UTC
	}
	return o.Zone
}

// from names a business number as logs do.
func from(number string) string {
	if number == "" {
		return "a number that the log does not name"
	}
	return number
}

// place is where something stands in a log.
func place(path string, line int) string {
	if line <= 0 {
		return path
	}
	return path + ":" + strconv.Itoa(line)
}

// placeAfter is a place named after another one in path before: what is the same is said once.
func placeAfter(before, path string, line int) string {
	if path == before && line > 0 {
		return "line " + strconv.Itoa(line)
	}
	return place(path, line)
}

// tally lists counts, the largest first: "truncated 3, not-json 1".
func tally(counts map[string]int) string {
	names := byCount(counts)
	for i, name := range names {
		names[i] = name + " " + count(counts[name])
	}
	return strings.Join(names, ", ")
}

// byCount are the keys with the largest count first; equal ones by name.
func byCount(counts map[string]int) []string {
	names := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	return names
}

// readingWords say what each reading of the published limit is.
var readingWords = [2][2]string{
	{"strict", "one burst of at most 45 within 6 s, then silence until all of it is paid back: 6 s for each message"},
	{"bucket45", "45 messages on credit at any time, and one back each 6 s"},
}

// disagreement says where the two readings of the limit part over one failure; empty where they do not.
func (o Options) disagreement(f analyze.Failure) string {
	strict, bucket := f.Readings.Strict, f.Readings.Bucket45
	if strict.Explains == bucket.Explains && strict.ContradictedBy == nil && bucket.ContradictedBy == nil {
		return ""
	}
	return o.reading(readingWords[0][0], strict, f) + "; " + o.reading(readingWords[1][0], bucket, f) + "."
}

func (o Options) reading(name string, v analyze.ReadingVerdict, f analyze.Failure) string {
	text := name + " expects this refusal"
	if !v.Explains {
		text = name + " does not expect it"
		if v.DebtAtFailure != nil {
			text += fmt.Sprintf(" with a debt of %s messages", strconv.FormatFloat(*v.DebtAtFailure, 'f', -1, 64))
		}
		if v.UnseenSends != nil {
			text += fmt.Sprintf(": at least %s would be missing from the log", plural(*v.UnseenSends, "send"))
		}
	}
	if v.ContradictedBy != nil {
		text += ", but it would have refused what was accepted at " + o.clock(v.ContradictedBy.Time, f.At.Time)
	}
	return text
}

// sentences joins what was found to one sentence.
func sentences(list []string) string {
	var parts []string
	for _, s := range list {
		if s = strings.TrimRight(strings.TrimSpace(s), ".;"); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "."
}

// times is a count as an adverb.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return count(n) + " times"
}

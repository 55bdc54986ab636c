package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/analyze"
)

// failureAt is a refusal of one pair at so many seconds after noon, which is open again at open; below 0: not known.
func failureAt(incident int, recipient, pattern string, s, open float64) analyze.Failure {
	f := analyze.Failure{Incident: incident, Recipient: recipient, PhoneNumberID: "106", Pattern: pattern, At: analyze.Millis{Time: at(s)[0]}}
	if open >= 0 {
		f.ClearAt = &analyze.Millis{Time: at(open)[0]}
	}
	return f
}

func TestHeadline(t *testing.T) {
	now := Options{Now: at(100)[0]}
	for name, c := range map[string]struct {
		r    analyze.Report
		o    Options
		want [3]string // each line holds this
	}{
		"nothing": {analyze.Report{Summary: analyze.Summary{Sends: 3900, Pairs: 1200}}, now,
			[3]string{"No incident: among 3,900 sends to 1,200 pairs, none was refused with 131056.", "No pair is closed.", "Nothing to change"}},
		"nothing of what was asked for": {analyze.Report{}, Options{Narrowed: true}, [3]string{"nothing of what was asked for", "was not asked", "Nothing to change"}},
		"nobody is named":               {analyze.Report{Unattributed: []analyze.Unattributed{{}, {}}}, now, [3]string{"2 refusals with 131056, but no record says to whom", "not known", "pair-limit"}},
		"other errors":                  {analyze.Report{OtherErrors: []analyze.OtherError{{Code: 4}}}, now, [3]string{"No incident", "No pair", "Other errors are listed below."}},
		"still closed": {analyze.Report{Failures: []analyze.Failure{failureAt(1, "+1", "burst", 90, 120)}}, now,
			[3]string{"1 incident, 1 message refused with 131056: 1 burst.", "1 pair still closed: +1 until 2020-03-02 12:02:00 UTC.", "Change first"}},
		"open at this instant": {analyze.Report{Failures: []analyze.Failure{failureAt(1, "+1", "burst", 90, 100)}}, now,
			[3]string{"1 incident", "No pair is still closed; the last was +1 until 2020-03-02 12:01:40 UTC.", "Change first"}},
		"the last to open first": {analyze.Report{Failures: []analyze.Failure{failureAt(1, "+1", "burst", 90, 120), failureAt(2, "+2", "load-test", 90, 180),
			failureAt(3, "+3", "burst", 91, 150), failureAt(4, "+4", "unexplained", 92, -1)}}, now,
			[3]string{"4 incidents, 4 messages refused with 131056: 2 burst, 1 load-test, 1 unexplained.",
				"3 pairs still closed: +2 until 2020-03-02 12:03:00 UTC, +3 until 2020-03-02 12:02:30 UTC, 1 more; not known of 1 more.", "Change first"}},
		"not known": {analyze.Report{Failures: []analyze.Failure{failureAt(1, "+1", "unexplained", 90, -1)}}, now,
			[3]string{"1 incident", "Until when the pair is closed is not known", "Change first"}},
		"the worst incident's advice": {analyze.Report{Failures: []analyze.Failure{failureAt(7, "+1", "burst", 90, 120)},
			Incidents: []analyze.Incident{{ID: 7, Pattern: "burst", Advice: "Space them."}}}, now, [3]string{"1 incident", "+1", "Change first: Space them."}},
	} {
		got := tell(complete(c.r)).headline(c.o)
		for i, want := range c.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s: line %d is %q, want %q", name, i+1, got[i], want)
			}
		}
	}
}

func TestWorstPairsFirst(t *testing.T) {
	var all []string
	for _, p := range pairsOf([]analyze.Failure{failureAt(1, "+1", "burst", 10, 20), failureAt(2, "+2", "burst", 11, 20), failureAt(3, "+2", "burst", 90, 99),
		failureAt(4, "+3", "burst", 12, -1)}) {
		all = append(all, fmt.Sprintf("%s %d in %d, %t", p, p.refused, p.incidents, p.open.IsZero()))
	}
	const want = "+2 from 106 2 in 2, false; +3 from 106 1 in 1, true; +1 from 106 1 in 1, false"
	if got := strings.Join(all, "; "); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// TestSendsCountOnce: the bursts of an incident's failures overlap, and its timeline shows each send once.
func TestSendsCountOnce(t *testing.T) {
	s := storm(t)
	n := tell(s).worst(1)[0]
	if len(n.failures) != 5 || len(n.sends) != 20 || len(n.timeline.sends) != 20 || len(n.timeline.refused) != 5 {
		t.Errorf("%d failures, %d sends", len(n.failures), len(n.sends))
	}
}

func TestAskedPairIsDrawn(t *testing.T) {
	r := analyze.Report{Model: analyze.Model{Interval: 6}}
	for i, send := range at(0, 1, 30) {
		r.Timeline = append(r.Timeline, analyze.Send{At: analyze.Millis{Time: send}, Path: "a.jsonl", Line: i + 1})
	}
	text := string(joined(Text(r, Options{Narrowed: true, ASCII: true})))
	for _, want := range []string{"Timeline of the pair: 2020-03-02 12:00:00 to 12:00:36 UTC", "3 sends |", "open again 12:00:36 ^"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "refusal |") {
		t.Errorf("no refusal is there to be drawn:\n%s", text)
	}
	if page := string(htmlOf(t, r)); !strings.Contains(page, `id="drawn-pair"`) {
		t.Error("the page does not draw the pair")
	}
}

func TestReadingsOnlyWhereTheyDisagree(t *testing.T) {
	agree := analyze.Failure{Readings: analyze.Readings{Strict: analyze.ReadingVerdict{Explains: true}, Bucket45: analyze.ReadingVerdict{Explains: true}}}
	if got := (Options{}).disagreement(agree); got != "" {
		t.Errorf("readings that agree are told: %q", got)
	}
	agree.Readings.Strict.ContradictedBy = &analyze.Millis{Time: noon.Add(6 * time.Second)}
	agree.At = analyze.Millis{Time: noon}
	if got := (Options{}).disagreement(agree); !strings.Contains(got, "strict expects this refusal, but it would have refused what was accepted at 12:00:06") {
		t.Errorf("a contradiction is not told: %q", got)
	}
}

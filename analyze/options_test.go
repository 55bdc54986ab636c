package analyze

import (
	"strings"
	"testing"
	"time"
)

// twoPairs is a log with three incidents of two people, at 10, 110 and 210 s.
func twoPairs() []Event {
	events := append(accepted(0, 1, 2, 100, 101, 200, 201), refusal(10, 131056), refusal(11, 131056), refusal(110, 131056))
	other := refusal(210, 131056)
	return append(with(events, func(i int, e *Event) {
		if i == 5 || i == 6 {
			e.Recipient = "447700900123"
		}
	}), with([]Event{other}, func(_ int, e *Event) { e.Recipient = "447700900123" })...)
}

func TestNarrowing(t *testing.T) {
	for _, tt := range []struct {
		name                string
		o                   Options
		failures, incidents int
		summary             int // failures that it counts
		timeline            int
	}{
		{"all", Options{}, 4, 3, 4, 0},
		{"from", Options{Since: sec(11)}, 3, 3, 3, 0},
		{"to", Options{Until: sec(110)}, 2, 1, 2, 0},
		{"one of the two", Options{Pair: "+44 7700 900123"}, 1, 1, 1, 2},
		{"by number too", Options{Pair: someNumber + ",12025550111"}, 3, 2, 3, 5},
		{"the worst", Options{Top: 1}, 2, 1, 4, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := analyzed(t, tt.o, twoPairs()...)
			if len(r.Failures) != tt.failures || len(r.Incidents) != tt.incidents || r.Summary.Failures != tt.summary || len(r.Timeline) != tt.timeline {
				t.Errorf("%d failures, %d incidents, summary of %d, timeline of %d", len(r.Failures), len(r.Incidents), r.Summary.Failures, len(r.Timeline))
			}
			if r.Summary.Sends != 7 || r.Summary.Pairs != 2 {
				t.Errorf("%d sends of %d pairs: the history is not whole", r.Summary.Sends, r.Summary.Pairs)
			}
		})
	}
}

// TestHistoryIsKept holds that what is not told is still known: the second try stays the second.
func TestHistoryIsKept(t *testing.T) {
	events := texts(append(accepted(0, 1, 2), refusal(10, 131056), refusal(11, 131056)), "a", "b", "c", "d", "d")
	events[4].Detail.Text = "d"
	f := only(t, analyzed(t, Options{Since: sec(11)}, events...))
	if f.Attempt != 2 || f.Pattern != "short-backoff" || f.Burst.Count != 3 {
		t.Errorf("attempt %d, %s, burst %d; want 2, short-backoff, 3", f.Attempt, f.Pattern, f.Burst.Count)
	}
}

func TestUnknownPairs(t *testing.T) {
	for _, pair := range []string{"+12025550199", "h:none", "990,12025550111", "1202555****"} {
		_, err := Analyze(logOf(twoPairs()...), Options{Pair: pair})
		hinted, ok := err.(interface{ Hint() string })
		if !ok || hinted.Hint() == "" || !strings.Contains(err.Error(), pair) {
			t.Errorf("%s: %v", pair, err)
		}
	}
}

func TestPairWithoutFailure(t *testing.T) {
	r := analyzed(t, Options{Pair: someone}, accepted(0, 1, 2)...)
	if len(r.Timeline) != 3 || r.Timeline[0].Line != 1 || r.Timeline[2].MessageID == nil || len(r.Failures) != 0 {
		t.Errorf("%+v", r.Timeline)
	}
}

func TestNotes(t *testing.T) {
	l := logOf(accepted(0)[0], refusal(100, 131056))
	l.sources[0].Notes = []string{"zone unknown"}
	r, err := Analyze(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "a.jsonl: zone unknown\nthe log begins only 100 s before the first failure that it cannot explain; a burst can reach back 270 s"
	if got := strings.Join(r.Notes, "\n"); got != want {
		t.Errorf("notes %q", got)
	}
}

func TestNoTimeIsNoPlace(t *testing.T) {
	lost := refusal(0, 131056)
	lost.At = time.Time{}
	r := analyzed(t, Options{}, append(accepted(0, 1), lost)...)
	if len(r.Failures) != 0 || len(r.Unattributed) != 1 || r.Unattributed[0].At != nil || r.Unattributed[0].Source.Line != 3 {
		t.Errorf("%d failures, unattributed %+v", len(r.Failures), r.Unattributed)
	}
}

func FuzzRecipient(f *testing.F) {
	for _, id := range []string{"", "+12025550111", "12025550111:12@s.whatsapp.net", "12025550***", "whatsapp:+1", "@", "\xff", "0012025550111"} {
		f.Add([]byte(id), "")
		f.Add([]byte(id), "BR")
	}
	f.Fuzz(func(t *testing.T, id []byte, region string) {
		l := Ledger{}
		if region == "BR" || region == "MX" {
			l.Region = region
		}
		r := l.Recipient(id)
		if again := l.Recipient(id); again != r {
			t.Fatalf("%q is %d and %d", id, r, again)
		}
		if r > whoMask {
			t.Fatalf("%q is %d, which a fact cannot hold", id, r)
		}
		if text := l.recipientText(r); (text == "") != (r == 0) {
			t.Fatalf("%q is %d and shown as %q", id, r, text)
		}
		l.Number(id)
		l.Message(id)
	})
}

package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// detailed sets the details of all events.
func detailed(events []Event, set func(i int, d *Detail)) []Event {
	return with(events, func(i int, e *Event) { set(i, &e.Detail) })
}

func texts(events []Event, all ...string) []Event {
	return detailed(events, func(i int, d *Detail) { d.Text = all[i%len(all)] })
}

func inbound(s float64, id string) Event { return at(s, Inbound, id) }

// TestPatterns has for each cause what proves it, and what comes near and does not.
func TestPatterns(t *testing.T) {
	victim := refusal(20, 131056)
	told := func(set func(d *Detail)) Event { e := victim; set(&e.Detail); return e }
	for _, tt := range []struct {
		name   string
		events []Event
		want   string
		words  string // in the evidence
	}{
		{"nothing known", append(accepted(0, 1, 2, 3), victim), "burst", "nothing that says why"},
		{"nothing before", []Event{victim}, "unexplained", "no accepted send"},
		{"paid off long ago", append(accepted(0), victim), "unexplained", "paid off 14 s before"},

		{"one inbound delivered and answered three times", slices.Concat(
			[]Event{inbound(0, "wamid.in"), inbound(5, "wamid.in"), inbound(10, "wamid.in")}, accepted(0.5, 1, 5.5, 6, 10.5, 11), []Event{victim}),
			"webhook-replay", "delivered 3 times"},
		{"three inbound messages are no replay", slices.Concat(
			[]Event{inbound(0, "in1"), inbound(5, "in2"), inbound(10, "in3")}, accepted(0.5, 1, 5.5, 6, 10.5, 11), []Event{victim}), "multi-bubble", "3 of 3 groups"},
		{"a redelivery that nobody answered", slices.Concat([]Event{inbound(0, "in1"), inbound(15, "in1")}, accepted(0.5, 1, 1.5, 2), []Event{refusal(10, 131056)}),
			"multi-bubble", "1 of 1 groups"},

		{"each send comes back", slices.Concat(
			[]Event{at(0, Sent, "e1"), at(0, Echo, "e1"), at(2, Sent, "e2"), at(2, Echo, "e2"), at(4, Sent, "e3"), at(4, Echo, "e3"), at(6, Sent, "e4"), at(6, Echo, "e4")},
			[]Event{refusal(8, 131056)}), "echo-loop", "came back as an echo"},
		{"only one comes back", slices.Concat([]Event{at(0, Sent, "e1"), at(0, Echo, "e1"), at(3, Sent, "e2"), at(6, Sent, "e3"), at(9, Sent, "e4")}, []Event{refusal(12, 131056)}),
			"burst", ""},

		{"a button pressed again", append(detailed(accepted(0, 4, 9, 13, 18), func(_ int, d *Detail) { d.Template, d.Category = "login_code", "authentication" }),
			told(func(d *Detail) { d.Template = "login_code" })), "resend-code", "5 accepted sends of a code (template login_code)"},
		{"a code and something else", append(detailed(accepted(0, 4, 9, 13, 18), func(i int, d *Detail) {
			d.Template, d.Category = []string{"login_code", "hello"}[i%2], []string{"authentication", "utility"}[i%2]
		}), victim), "burst", ""},
		{"codes by a machine", append(detailed(accepted(0, 0.1, 0.2, 0.3, 0.4), func(_ int, d *Detail) { d.Category = "authentication" }), victim), "burst", ""},

		{"rows of one list", append(detailed(accepted(0, 0.1, 0.2, 0.3), func(i int, d *Detail) {
			d.Campaign, d.Template, d.Row = "c-7", "promo", fmt.Sprint(i+2)
		}), victim), "duplicate-list", "campaign c-7 has this recipient 4 times with template promo, in rows 2, 3, 4, 5"},
		{"the row behind its original", []Event{with(detailed(accepted(19.7), func(_ int, d *Detail) { d.Campaign, d.Attempt = "c-7", 1 }), func(int, *Event) {})[0],
			told(func(d *Detail) { d.Campaign, d.Attempt = "c-7", 1 })}, "duplicate-list", "2 times"},
		{"two campaigns", append(detailed(accepted(0, 0.1, 0.2, 0.3), func(i int, d *Detail) { d.Campaign = fmt.Sprint("c-", i) }), victim), "burst", ""},
		{"one row again", append(detailed(accepted(0, 0.1, 0.2, 0.3), func(_ int, d *Detail) { d.Campaign, d.Row, d.Job = "c-7", "2", "j-1" }), victim), "retry-loop", "job j-1"},

		{"one job accepted again", append(detailed(accepted(0, 1, 2, 3), func(i int, d *Detail) { d.Job, d.Attempt = "j-5", i+1 }),
			told(func(d *Detail) { d.Job, d.Attempt = "j-5", 5 })), "retry-loop", "job j-5 was accepted 4 times"},
		{"jobs of their own", append(detailed(accepted(0, 1, 2, 3), func(i int, d *Detail) { d.Job = fmt.Sprint("j-", i) }), victim), "burst", ""},
		{"equal texts are not enough", append(texts(accepted(0, 1, 2, 3), "Hello"), victim), "burst", ""},
		{"parts that begin again", append(texts(accepted(0, 0.5, 1, 10, 10.5, 11), "A 1/4", "A 2/4", "A 3/4"), victim), "retry-loop", "sent again from the first"},
		{"parts of one job, once", append(detailed(accepted(0, 0.5, 1), func(i int, d *Detail) { d.Job, d.Part = "m-1", i+1 }), refusal(10, 131056)), "multi-bubble", "numbered parts"},
		{"parts of one job, later again", slices.Concat(detailed(accepted(0, 0.5, 1), func(i int, d *Detail) { d.Job, d.Part = "m-1", i+1 }), []Event{refusal(10, 131056)},
			detailed(accepted(30, 30.5, 31), func(i int, d *Detail) { d.Job, d.Part = "m-1", i+1 })), "retry-loop", "parts 1, 2, 3 were sent again"},

		{"app and API in turns", append([]Event{at(0, Sent, "s1"), at(2, Echo, "s2"), at(5, Sent, "s3"), at(8, Echo, "s4")}, victim), "two-systems", "Cloud API (2 accepted sends), WhatsApp Business app (2"},
		{"two clients in turns", append(detailed(accepted(0, 1, 2, 3), func(i int, d *Detail) { d.Client = []string{"bot/1", "crm/2"}[i%2] }), victim), "two-systems", "bot/1 (2"},
		{"the app takes over", append([]Event{at(0, Sent, "s1"), at(4, Sent, "s2"), at(8, Echo, "s3"), at(12, Echo, "s4")}, victim), "burst", ""},

		{"bubbles after a question", slices.Concat([]Event{inbound(0, "in1")}, accepted(1, 2, 3, 4), []Event{victim}), "multi-bubble", "1 of 1 groups of messages followed an inbound"},
		{"numbered parts", append(texts(accepted(0, 1, 2, 3), "part 1/5", "part 2/5", "part 3/5", "part 4/5"), victim), "multi-bubble", "numbered parts"},
		{"dates are no parts", append(texts(accepted(0, 1, 2, 3), "on 01/12/2026"), victim), "burst", ""},
		{"single answers", slices.Concat([]Event{inbound(0, "in1")}, accepted(3, 8, 13, 18), []Event{victim}), "burst", ""},

		{"a counter, evenly", append(texts(accepted(every(30, 0, 0.5)...), counter(30, "test %d")...), victim), "load-test", "count up"},
		{"a load tool", append(detailed(accepted(every(30, 0, 0.5)...), func(_ int, d *Detail) { d.Client = "k6/0.49" }), victim), "load-test", "k6/0.49"},
		{"a counter to one of many", slices.Concat(texts(accepted(every(30, 0, 0.5)...), counter(30, "test %d")...), []Event{victim}, others(30)), "burst", ""},
		{"even, without a counter", append(texts(accepted(every(30, 0, 0.5)...), "hello"), victim), "burst", ""},

		{"too fast for minutes", append(accepted(every(40, 0, 4)...), refusal(160, 131056)), "sustained-overrate", "40 accepted sends, about 4 s apart, for 156 s"},
		{"too fast for seconds", append(accepted(every(5, 0, 4)...), refusal(20, 131056)), "burst", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := only(t, analyzed(t, Options{}, tt.events...))
			if f.Pattern != tt.want || !strings.Contains(strings.Join(f.Evidence, "; "), tt.words) {
				t.Errorf("%s, want %s with %q; evidence %q", f.Pattern, tt.want, tt.words, f.Evidence)
			}
			if f.Advice == "" {
				t.Error("no advice")
			}
		})
	}
}

func counter(n int, format string) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf(format, i+1))
	}
	return all
}

// others are sends of the same number to somebody else.
func others(n int) []Event {
	return with(accepted(every(n, 100, 10)...), func(i int, e *Event) { e.Recipient, e.MessageID = "447700900123", fmt.Sprint("other", i) })
}

func TestTriesAreNumbered(t *testing.T) {
	events := accepted(every(20, 0, 0.1)...)
	for i, s := range []float64{30, 31, 33, 37, 45} {
		e := refusal(s, 131056)
		e.Detail.Text = "Did that help?"
		if i == 2 {
			e.Detail.Text = "Something else"
		}
		events = append(events, e)
	}
	r := analyzed(t, Options{}, events...)
	var got []string
	for _, f := range r.Failures {
		got = append(got, fmt.Sprint(f.Attempt, " ", f.Pattern, " ", f.Incident))
	}
	want := []string{"1 burst 1", "2 short-backoff 1", "1 burst 1", "3 short-backoff 1", "4 short-backoff 1"}
	if !slices.Equal(got, want) || r.Summary.Incidents != 1 || r.Incidents[0].Failures != 5 {
		t.Errorf("%q in %d incidents, want %q in 1", got, r.Summary.Incidents, want)
	}
}

func TestIncidents(t *testing.T) {
	two := []Event{refusal(10, 131056), refusal(11, 131056)}
	for _, tt := range []struct {
		name   string
		events []Event
		want   int
	}{
		{"one burst", append(accepted(0, 1, 2), two...), 1},
		{"two bursts", slices.Concat(accepted(0, 1), []Event{refusal(5, 131056)}, accepted(100, 101), []Event{refusal(105, 131056)}), 2},
		{"no burst, soon after each other", two, 1},
		{"no burst, far apart", []Event{refusal(0, 131056), refusal(300, 131056)}, 2},
		{"one load test over two bursts", slices.Concat(
			texts(accepted(append(every(20, 0, 0.5), every(20, 200, 0.5)...)...), counter(40, "test %d")...), []Event{refusal(12, 131056), refusal(215, 131056)}), 1},
		{"two people", append(accepted(0, 1), refusal(5, 131056), func() Event { e := refusal(5, 131056); e.Recipient = "447700900123"; return e }()), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := analyzed(t, Options{}, tt.events...)
			if r.Summary.Incidents != tt.want || len(r.Incidents) != tt.want {
				t.Errorf("%d incidents, want %d: %+v", r.Summary.Incidents, tt.want, r.Incidents)
			}
		})
	}
}

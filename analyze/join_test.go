package analyze

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// wamid makes an id as long as the platform's, which no two messages share.
func wamid(n int) string { return fmt.Sprintf("wamid.HBgLMTIwMjU1NTAx%08d", n) }

// counted is what a test of counting looks at.
type counted struct {
	Count, CountMax int
	First           time.Time
	ClearMax        time.Time
	Duplicates      int
}

func TestWhatCounts(t *testing.T) {
	deliveredTo := func(e Event, recipient string) Event { e.Recipient = recipient; return e }
	for _, tt := range []struct {
		name   string
		events []Event
		want   counted
	}{
		{"request, sent and delivered are one", []Event{at(0.05, Accepted, wamid(1)), at(0, Sent, wamid(1)), at(1, Delivered, wamid(1)), at(0.5, Accepted, wamid(2))},
			counted{Count: 2, First: sec(0.05)}},
		{"a status that comes again", []Event{at(0, Sent, wamid(1)), at(1, Sent, wamid(2)), at(0, Sent, wamid(1)), at(0, Sent, wamid(1))},
			counted{Count: 2, First: sec(0), Duplicates: 2}},
		{"out of order", []Event{at(2, Delivered, wamid(1)), at(1, Sent, wamid(2)), at(0, Sent, wamid(1))}, counted{Count: 2, First: sec(0)}},
		{"an echo of a send is that send", []Event{at(0, Sent, wamid(1)), at(0, Echo, wamid(1)), at(2, Sent, wamid(2)), at(2, Echo, wamid(2))},
			counted{Count: 2, First: sec(0)}},
		{"an echo of the app's is a send", []Event{at(0, Sent, wamid(1)), at(1, Echo, wamid(2))}, counted{Count: 2, First: sec(0)}},
		{"refused ones do not count", []Event{at(0, Accepted, wamid(1)), refusal(1, 131047), refusal(2, 130429)}, counted{Count: 1, First: sec(0)}},
		{"accepted and then failed otherwise counts", []Event{at(0, Accepted, wamid(1)), at(1, Accepted, wamid(2)), failed(3, wamid(2), 131026)},
			counted{Count: 2, First: sec(0)}},
		{"of a failure alone, the time of the send is unknown", []Event{at(0, Accepted, wamid(1)), failed(3, wamid(2), 131026)},
			counted{Count: 1, CountMax: 2, First: sec(0), ClearMax: sec(12)}},
		{"delivered an hour later", []Event{at(0, Sent, wamid(1)), at(3600, Delivered, wamid(2)), at(3700, Read, wamid(2))},
			counted{Count: 1, CountMax: 2, First: sec(0), ClearMax: sec(12)}},
		{"delivered before the burst began", []Event{at(-5, Delivered, wamid(2)), at(0, Sent, wamid(1))}, counted{Count: 1, First: sec(0)}},
		{"a request without an answer", []Event{at(0, Accepted, wamid(1)), at(1, Attempt, "")}, counted{Count: 1, CountMax: 2, First: sec(0), ClearMax: sec(12)}},
		{"a request whose status came", []Event{at(0, Accepted, wamid(1)), at(1, Attempt, wamid(2)), at(1, Sent, wamid(2))}, counted{Count: 2, First: sec(0)}},
		{"a request and its answer by the sender's key", with([]Event{at(0, Attempt, ""), at(0.1, Accepted, wamid(1))}, func(_ int, e *Event) { e.Request = "step-1" }),
			counted{Count: 1, First: sec(0.1)}},
		{"without ids each stands for itself", []Event{at(0, Accepted, ""), at(0, Accepted, ""), at(1, Accepted, "")}, counted{Count: 3, First: sec(0)}},
		{"one short id, two people", []Event{at(0, Accepted, "7"), deliveredTo(at(0, Accepted, "7"), "447700900123"), at(1, Accepted, "8")}, counted{Count: 2, First: sec(0)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := analyzed(t, Options{}, append(tt.events, refusal(5, 131056))...)
			f := only(t, r)
			if f.Burst == nil {
				t.Fatalf("no burst: %q", f.Evidence)
			}
			got := counted{Count: f.Burst.Count, CountMax: f.Burst.CountMax, First: f.Burst.First.Time, Duplicates: r.Sources[0].Duplicates}
			if f.ClearAtMax != nil {
				got.ClearMax = f.ClearAtMax.Time
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAcceptedThenFailed(t *testing.T) {
	r := analyzed(t, Options{}, append(accepted(0.12, 0.5), at(4.12, Accepted, wamid(9)), failed(6, wamid(9), 131056), failed(6, wamid(9), 131056))...)
	f := only(t, r)
	if f.Burst.Count != 2 || !f.At.Equal(sec(4.12)) || f.ReportedAt == nil || !f.ReportedAt.Equal(sec(6)) || f.Source.Line != 4 {
		t.Errorf("burst %d, at %s, reported %v, line %d; want 2, %s, %s, 4", f.Burst.Count, f.At, f.ReportedAt, f.Source.Line, sec(4.12), sec(6))
	}
	if r.Sources[0].Duplicates != 1 || r.Summary.Sends != 2 {
		t.Errorf("%d duplicates, %d sends; want 1, 2", r.Sources[0].Duplicates, r.Summary.Sends)
	}
}

func TestPairsMeet(t *testing.T) {
	spelled := func(e Event, number, recipient string) Event { e.Number, e.Recipient = number, recipient; return e }
	for _, tt := range []struct {
		name      string
		events    []Event
		number    string
		recipient string
	}{
		{"spellings", []Event{spelled(at(0, Accepted, ""), someNumber, "+1 (202) 555-0111"), spelled(at(1, Accepted, ""), someNumber, "12025550111@s.whatsapp.net"),
			spelled(at(2, Accepted, ""), someNumber, "12025550111:12@s.whatsapp.net"), spelled(at(3, Accepted, ""), someNumber, "whatsapp:+12025550111")}, someNumber, "+12025550111"},
		{"Brazil's ninth digit", []Event{spelled(at(0, Accepted, ""), someNumber, "552080000101"), spelled(at(1, Accepted, ""), someNumber, "+5520980000101"),
			spelled(at(2, Accepted, ""), someNumber, "5520980000101"), spelled(at(3, Accepted, ""), someNumber, "552080000101")}, someNumber, "+5520980000101"},
		{"what the API calls an input", []Event{
			func() Event {
				e := spelled(at(0, Accepted, ""), someNumber, "5511970000101")
				e.WaID = "551170000101"
				return e
			}(),
			spelled(at(1, Accepted, ""), someNumber, "551170000101"), spelled(at(2, Accepted, ""), someNumber, "5511970000101"),
			spelled(at(3, Accepted, ""), someNumber, "551170000101")}, someNumber, "+551170000101"},
		{"a user id", []Event{
			func() Event { e := at(0, Sent, ""); e.UserID = "US.13491208000000000001"; return e }(),
			func() Event {
				e := spelled(at(1, Sent, ""), someNumber, "")
				e.UserID = "US.13491208000000000001"
				return e
			}(),
			func() Event {
				e := spelled(at(2, Sent, ""), someNumber, "")
				e.UserID = "US.13491208000000000001"
				return e
			}(),
			at(3, Sent, "")}, someNumber, "+12025550111"},
		{"the message names what a record leaves out", []Event{at(0, Accepted, wamid(1)), spelled(at(0, Sent, wamid(1)), "", ""), spelled(at(1, Sent, wamid(2)), someNumber, ""),
			spelled(at(1, Delivered, wamid(2)), "", someone), at(2, Accepted, wamid(3)), at(3, Accepted, wamid(4))}, someNumber, "+12025550111"},
		{"the only number of a log", []Event{spelled(at(0, Accepted, ""), "", someone), spelled(at(1, Accepted, ""), someNumber, "447700900123"),
			spelled(at(1, Accepted, ""), "", someone), spelled(at(2, Accepted, ""), "", someone), spelled(at(3, Accepted, ""), "", someone)}, someNumber, "+12025550111"},
		{"a number under its id and its digits", []Event{spelled(at(0, Accepted, wamid(1)), "+12025550100", someone), at(0, Sent, wamid(1)),
			spelled(at(1, Accepted, ""), "12025550100", someone), at(2, Accepted, ""), at(3, Accepted, "")}, someNumber, "+12025550111"},
		{"hashes", with(accepted(0, 1, 2, 3), func(_ int, e *Event) { e.Recipient = "h:9af1" }), someNumber, "h:9af1"},
		{"app names", with(accepted(0, 1, 2, 3), func(_ int, e *Event) { e.Number = "inbox:3" }), "inbox:3", "+12025550111"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			last := refusal(5, 131056)
			last.Recipient, last.UserID, last.Number = tt.events[len(tt.events)-1].Recipient, tt.events[len(tt.events)-1].UserID, tt.events[len(tt.events)-1].Number
			f := only(t, analyzed(t, Options{}, append(tt.events, last)...))
			if f.Burst == nil || f.Burst.Count != 4 {
				t.Errorf("burst %+v, want one of 4", f.Burst)
			}
			if f.PhoneNumberID != tt.number || f.Recipient != tt.recipient {
				t.Errorf("pair %q, %q; want %q, %q", f.PhoneNumberID, f.Recipient, tt.number, tt.recipient)
			}
		})
	}
}

func TestPairsStayApart(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(i int, e *Event)
	}{
		{"recipients", func(i int, e *Event) { e.Recipient = []string{"12025550111", "12025550112"}[i%2] }},
		{"numbers", func(i int, e *Event) { e.Number = []string{"990000000000001", "990000000000002"}[i%2] }},
		{"Brazil, where 7 may be somebody else", func(i int, e *Event) { e.Recipient = []string{"551170000101", "5511970000101"}[i%2] }},
		{"hashes", func(i int, e *Event) { e.Recipient = []string{"h:1", "h:2"}[i%2] }},
		{"lids are no phone numbers", func(i int, e *Event) { e.Recipient = []string{"12025550111@lid", "12025550111"}[i%2] }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events := append(accepted(every(10, 0, 0.5)...), refusal(5, 131056))
			if f := only(t, analyzed(t, Options{}, with(events, tt.set)...)); f.Burst.Count != 5 {
				t.Errorf("burst of %d, want 5", f.Burst.Count)
			}
		})
	}
}

func TestMasksAreNoPair(t *testing.T) {
	events := with(append(accepted(0, 1, 2), refusal(5, 131056)), func(_ int, e *Event) { e.Recipient = "12025550***" })
	r := analyzed(t, Options{}, events...)
	if len(r.Failures) != 0 || len(r.Unattributed) != 1 || r.Summary.Unattributed != 1 || r.Summary.Sends != 0 {
		t.Errorf("failures %d, unattributed %v, summary %+v", len(r.Failures), r.Unattributed, r.Summary)
	}
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return len(n) > 0 && n[0] == '4' }) {
		t.Errorf("notes %q do not count the covered recipients", r.Notes)
	}
}

func TestClocks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		behind float64 // of the requests' clock, seconds
		skew   float64 // reported
		first  float64
	}{
		{"slow host", 95, 95, 0},
		{"fast host", -40, -40, 0},
		{"the way of a message", 1.2, 0, -1.2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var events []Event
			for i := range 10 {
				s := float64(i) / 2
				events = append(events, at(s-tt.behind, Accepted, wamid(i)), at(float64(i/2), Sent, wamid(i)))
			}
			r := analyzed(t, Options{}, append(events, refusal(30-tt.behind, 131056))...)
			f := only(t, r)
			if got := r.Sources[0].ClockSkew; (got == nil) != (tt.skew == 0) || got != nil && *got != tt.skew {
				t.Errorf("skew %v, want %v", got, tt.skew)
			}
			if (len(r.Notes) > 0) != (tt.skew != 0) {
				t.Errorf("notes %q", r.Notes)
			}
			wantAt := sec(30)
			if tt.skew == 0 {
				wantAt = sec(30 - tt.behind)
			}
			if f.Burst == nil || f.Burst.Count != 10 || !f.Burst.First.Equal(sec(tt.first)) || !f.At.Equal(wantAt) {
				t.Errorf("burst %+v at %s", f.Burst, f.At)
			}
		})
	}
}

// TestSourcesClocks holds that two exports of the same statuses are brought to one clock.
func TestSourcesClocks(t *testing.T) {
	var events []Event
	for i := range 5 {
		late := at(float64(i)+3600, Sent, wamid(i))
		late.Place, late.Until, late.Naive = Place{File: 1, Line: i + 1}, time.Millisecond, true
		events = append(events, at(float64(i), Sent, wamid(i)), late)
	}
	last := failed(3612, wamid(99), 131056)
	last.Place, last.Until, last.Naive = Place{File: 1, Line: 90}, time.Millisecond, true
	r := analyzed(t, Options{}, append(events, last)...)
	f := only(t, r)
	if f.Burst == nil || f.Burst.Count != 5 || !f.At.Equal(sec(12)) || r.Sources[1].ClockSkew == nil || *r.Sources[1].ClockSkew != -3600 || r.Sources[0].ClockSkew != nil {
		t.Errorf("burst %+v at %s, skew %v and %v", f.Burst, f.At, r.Sources[0].ClockSkew, r.Sources[1].ClockSkew)
	}
}

func TestCodes(t *testing.T) {
	for _, tt := range []struct {
		name, format string
		code         int
		codeMap      map[int]int
		sends        []float64
		confidence   string // empty: no failure
		others       int
	}{
		{"the platform's", "cloud-api-webhook", 131056, nil, []float64{0, 1}, "certain", 0},
		{"a mapped one", "csv", 11, map[int]int{11: 131056}, []float64{0, 1}, "provider-code", 0},
		{"one that is not mapped", "csv", 11, nil, []float64{0, 1}, "", 1},
		{"8x8's", "8x8", 11, nil, []float64{0, 1}, "provider-code", 0},
		{"Twilio's, with a debt", "twilio-bulkexport", 63018, nil, []float64{0, 1}, "likely-pair", 0},
		{"Twilio's, without one", "twilio-csv", 63018, nil, nil, "not-shown", 0},
		{"Twilio's in another log", "csv", 63018, nil, []float64{0, 1}, "", 1},
		{"mapped away", "csv", 131056, map[int]int{131056: 4}, []float64{0, 1}, "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := logOf(append(accepted(tt.sends...), refusal(5, tt.code))...)
			l.sources[0].Format = tt.format
			r, err := Analyze(l, Options{CodeMap: tt.codeMap})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(r.Failures) > 0 {
				f := r.Failures[0]
				got = f.Confidence
				if f.Code != tt.code || f.Means != 131056 || (got == "not-shown") != (f.MissingSends == 0 && f.Burst == nil) {
					t.Errorf("%+v", f)
				}
			}
			if got != tt.confidence || len(r.OtherErrors) != tt.others {
				t.Errorf("confidence %q, others %+v; want %q, %d", got, r.OtherErrors, tt.confidence, tt.others)
			}
		})
	}
}

func TestOtherErrors(t *testing.T) {
	events := accepted(0, 0.1, 0.2, 5)
	events = append(events, failed(1, wamid(1), 130429), failed(1, wamid(1), 130429), failed(3, wamid(2), 130429), refusal(2, 131049))
	system := at(9, Other, "")
	system.Recipient, system.Code = "", 130429
	r := analyzed(t, Options{}, append(events, system)...)
	if len(r.OtherErrors) != 2 {
		t.Fatalf("%+v", r.OtherErrors)
	}
	slow, capped := r.OtherErrors[0], r.OtherErrors[1]
	if slow.Code != 130429 || slow.Count != 3 || !slow.First.Equal(sec(1)) || !slow.Last.Equal(sec(9)) || !slow.SlowingDownHelps || *slow.PeakSendsPerSecond != 3 {
		t.Errorf("%+v", slow)
	}
	if capped.Code != 131049 || capped.SlowingDownHelps || capped.PeakSendsPerSecond != nil || capped.Meaning == "" {
		t.Errorf("%+v", capped)
	}
}

package readlog

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// written is one time as logs write it, and what it means.
type written struct {
	text  string
	at    string // RFC 3339; empty: it is no time
	until time.Duration
	naive bool
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func checkTimes(t *testing.T, c *clock, rows []written) {
	t.Helper()
	for _, w := range rows {
		st, ok := c.read(w.text)
		switch {
		case !ok && w.at == "":
		case !ok:
			t.Errorf("%q: no time, want %s", w.text, w.at)
		case w.at == "":
			t.Errorf("%q: %s, want none", w.text, st.at)
		case st.at.Format(time.RFC3339Nano) != w.at || st.until != w.until || st.naive != w.naive:
			t.Errorf("%q: %s until %s naive %v, want %s %s %v", w.text, st.at.Format(time.RFC3339Nano), st.until, st.naive, w.at, w.until, w.naive)
		}
	}
}

func TestTimeForms(t *testing.T) {
	s, ms, us, ns, m := time.Second, time.Millisecond, time.Microsecond, time.Nanosecond, time.Minute
	checkTimes(t, &clock{}, []written{
		{"1795082400", "2026-11-19T10:00:00Z", s, false},
		{"1795082400123", "2026-11-19T10:00:00.123Z", ms, false},
		{"1795082400123456", "2026-11-19T10:00:00.123456Z", us, false},
		{"1795082400123456789", "2026-11-19T10:00:00.123456789Z", ns, false},
		{"1795082400.5", "2026-11-19T10:00:00.5Z", 100 * ms, false},
		{"1795082400.123456", "2026-11-19T10:00:00.123456Z", us, false},
		{"1795082400123.25", "2026-11-19T10:00:00.12325Z", 10 * us, false},
		{"1.7950824e+09", "2026-11-19T10:00:00Z", s, false},
		{"1.795082400123E12", "2026-11-19T10:00:00.123Z", ms, false},
		{"1.79508E+12", "", 0, false}, // a spreadsheet lost its digits

		{"2026-11-19T10:00:00Z", "2026-11-19T10:00:00Z", s, false},
		{"2026-11-19T10:00:00.1Z", "2026-11-19T10:00:00.1Z", 100 * ms, false},
		{"2026-11-19T10:00:00.123456789Z", "2026-11-19T10:00:00.123456789Z", ns, false},
		{"2026-11-19T10:00:00.123+05:30", "2026-11-19T04:30:00.123Z", ms, false},
		{"2026-11-19T10:00:00.123+0000", "2026-11-19T10:00:00.123Z", ms, false},
		{"2026-11-19T10:00:00-03", "2026-11-19T13:00:00Z", s, false},
		{"2026-11-19 10:00:00,431+00:00", "2026-11-19T10:00:00.431Z", ms, false},
		{"2026-11-19T10:00:00+01:00[Europe/Paris]", "2026-11-19T09:00:00Z", s, false},
		{"2026-11-19T10:00Z", "2026-11-19T10:00:00Z", m, false},
		{"20261119T100000Z", "2026-11-19T10:00:00Z", s, false},
		{"2026-11-19 10:00:00 UTC", "2026-11-19T10:00:00Z", s, false},
		{"2026-11-19 10:00:00.5 +0200", "2026-11-19T08:00:00.5Z", 100 * ms, false},
		{"2026-11-19 10:00:00 +0000 UTC", "2026-11-19T10:00:00Z", s, false}, // Go's own way
		{"10:00:00 UTC 2026-11-19", "2026-11-19T10:00:00Z", s, false},

		{"2026-11-19 10:00:00", "2026-11-19T10:00:00Z", s, true},
		{"2026-11-19 10:00:00.123456", "2026-11-19T10:00:00.123456Z", us, true},
		{"2026-11-19 10:00:00,431", "2026-11-19T10:00:00.431Z", ms, true},
		{"2026/11/19 10:00:00", "2026-11-19T10:00:00Z", s, true},
		{"2026-11-19T10:00", "2026-11-19T10:00:00Z", m, true},
		{"2026-11-19", "2026-11-19T00:00:00Z", 24 * time.Hour, true},

		{"19/Nov/2026:13:40:00 +0000", "2026-11-19T13:40:00Z", s, false},
		{"[19/Nov/2026:13:40:00 -0300]", "2026-11-19T16:40:00Z", s, false},
		{"19-Nov-2026 01:40:09 PM", "2026-11-19T13:40:09Z", s, true},
		{"19-Nov-26 12:05:09 AM", "2026-11-19T00:05:09Z", s, true},
		{"Thu, 19 Nov 2026 09:00:00 +0000", "2026-11-19T09:00:00Z", s, false},
		{"Thu, 19 Nov 2026 09:00:00 GMT", "2026-11-19T09:00:00Z", s, false},
		{"19 Nov 2026 09:00:00 -0500", "2026-11-19T14:00:00Z", s, false},
		{"Thu Nov 19 09:00:00 2026", "2026-11-19T09:00:00Z", s, true},
		{"Thu Nov 19 2026 09:00:00 GMT+0100 (Central European Standard Time)", "2026-11-19T08:00:00Z", s, false},
		{"Nov 19, 2026 @ 09:00:00.123", "2026-11-19T09:00:00.123Z", ms, true},
		{"Nov 9, 2026, 9:00:01 PM", "2026-11-09T21:00:01Z", s, true},
		{"19 de nov. de 2026 09:00:01", "2026-11-19T09:00:01Z", s, true},
		{"19 nov 2026 09:00:01", "2026-11-19T09:00:01Z", s, true},

		{"19/11/2026 14:05:01", "2026-11-19T14:05:01Z", s, true},
		{"19/11/2026, 14:05:01", "2026-11-19T14:05:01Z", s, true},
		{"19.11.2026 14:05", "2026-11-19T14:05:00Z", m, true},
		{"11/19/2026 2:05:01 PM", "2026-11-19T14:05:01Z", s, true},
		{"11/19/2026 2:05:01PM", "2026-11-19T14:05:01Z", s, true},
		{"11/19/2026 2:05:01\u202fPM", "2026-11-19T14:05:01Z", s, true},
		{"19/11/2026 02:05:01 p. m.", "2026-11-19T14:05:01Z", s, true},
		{"19/11/26 02:05 p.m.", "2026-11-19T14:05:00Z", m, true},

		{"46344.41666667", "2026-11-18T10:00:00Z", ms, true},
		{"46344,41666667", "2026-11-18T10:00:00Z", ms, true},
		{"46344.41667824", "2026-11-18T10:00:01Z", ms, true},
		{"46344.4166782407", "2026-11-18T10:00:01Z", ms, true},
		{"46344.41667245", "2026-11-18T10:00:00.5Z", ms, true},
		{"46344.5", "2026-11-18T12:00:00Z", s, true},

		{"", "", 0, false}, {"hello", "", 0, false}, {"12025550111", "", 0, false}, {"131056", "", 0, false}, {"46344", "", 0, false},
		{"2026-13-01 00:00:00", "", 0, false}, {"2026-02-30", "", 0, false}, {"31/04/2026 10:00", "", 0, false}, {"2026-11-19 25:00:00", "", 0, false},
		{"2026-11-19 10:00:00 and more", "", 0, false}, {"v24.0", "", 0, false}, {"1.2.3.4", "", 0, false}, {"999999999999999999999", "", 0, false},
		{"Nov 19 09:00:00", "", 0, false}, // its year is not known
	})
}

func TestTimeInValues(t *testing.T) {
	c := &clock{}
	for _, v := range []any{json.Number("1795082400"), float64(1795082400), 1795082400, int64(1795082400), "1795082400", " \"2026-11-19T10:00:00Z\" "} {
		if st, ok := c.read(v); !ok || st.at.Unix() != 1795082400 {
			t.Errorf("%v (%T): %v %v", v, v, st, ok)
		}
	}
	for _, v := range []any{nil, true, []any{}, map[string]any{}} {
		if _, ok := c.read(v); ok {
			t.Errorf("%v is no time", v)
		}
	}
}

func TestTimeZones(t *testing.T) {
	s := time.Second
	checkTimes(t, &clock{zone: zone(t, "America/Sao_Paulo")}, []written{
		{"2026-11-19 10:00:00", "2026-11-19T13:00:00Z", s, true},
		{"2018-11-19 10:00:00", "2018-11-19T12:00:00Z", s, true}, // summer time, as it was then
		{"2026-11-19 10:00:00Z", "2026-11-19T10:00:00Z", s, false},
		{"1795082400", "2026-11-19T10:00:00Z", s, false},
	})
	paris := &clock{zone: zone(t, "Europe/Paris")}
	checkTimes(t, paris, []written{
		{"2026-07-19 10:00:00", "2026-07-19T08:00:00Z", s, true},
		{"46344.41666667", "2026-11-18T09:00:00Z", time.Millisecond, true},
	})
	if paris.sawRepeated {
		t.Error("no clock went back")
	}
	checkTimes(t, paris, []written{{"2026-10-25 02:30:00", "2026-10-25T00:30:00Z", s, true}, {"2026-10-25 03:00:00", "2026-10-25T02:00:00Z", s, true}})
	if !paris.sawRepeated {
		t.Error("02:30 stands for two instants, and that must be said")
	}
	madrid := &clock{zone: zone(t, "Europe/Madrid")} // the order of the source tells the two passes apart, whichever way it is sorted
	checkTimes(t, madrid, []written{{"2026-10-25 02:59:58", "2026-10-25T00:59:58Z", s, true}, {"2026-10-25 02:00:02", "2026-10-25T01:00:02Z", s, true}, {"2026-10-25 02:29:59", "2026-10-25T01:29:59Z", s, true}})
	checkTimes(t, madrid, []written{{"2026-10-25 03:00:01", "2026-10-25T02:00:01Z", s, true}, {"2026-10-25 02:59:58", "2026-10-25T01:59:58Z", s, true}, {"2026-10-25 02:00:02", "2026-10-25T01:00:02Z", s, true},
		{"2026-10-25 02:59:57", "2026-10-25T00:59:57Z", s, true}})
	howe := &clock{zone: zone(t, "Australia/Lord_Howe")} // half an hour
	checkTimes(t, howe, []written{{"2026-04-05 01:58:00", "2026-04-04T14:58:00Z", s, true}, {"2026-04-05 01:31:00", "2026-04-04T15:01:00Z", s, true}})
}

func TestTimeOrder(t *testing.T) {
	s := time.Second
	checkTimes(t, newClock(&Options{DateOrder: "mdy"}), []written{{"03/04/2026 10:00:00", "2026-03-04T10:00:00Z", s, true}, {"3.4.2026 10:00:00", "2026-04-03T10:00:00Z", s, true}})
	checkTimes(t, newClock(&Options{DateOrder: "dmy"}), []written{{"03/04/2026 10:00:00", "2026-04-03T10:00:00Z", s, true}, {"03/14/2026 10:00:00", "2026-03-14T10:00:00Z", s, true}})
	for name, row := range map[string]struct {
		dates []string
		want  dateOrder
	}{
		"a day after the 12th behind": {[]string{"03/04/2026", "03/14/2026"}, orderMDY},
		"a day after the 12th before": {[]string{"03/04/2026", "14/03/2026"}, orderDMY},
		"the second moves":            {[]string{"11/08/2026", "11/09/2026", "11/10/2026"}, orderMDY},
		"the first moves":             {[]string{"08/11/2026", "09/11/2026"}, orderDMY},
		"nothing moves":               {[]string{"08/11/2026"}, orderDMY},
		"points":                      {[]string{"08.11.2026", "2026-03-14"}, orderDMY},
	} {
		var v orderVotes
		for _, d := range row.dates {
			v.add(orderedIn(d))
		}
		if got := v.guess(); got != row.want {
			t.Errorf("%s: %d, want %d", name, got, row.want)
		}
	}
}

func TestTimePrefix(t *testing.T) {
	for text, rest := range map[string]string{
		"2026-11-19 10:00:00,431 INFO x":           " INFO x",
		"2026-11-19T10:00:00.000Z\tINFO":           "\tINFO",
		"2026-11-19 10:00:00 PST x":                " x",
		"Thu Nov 19 09:00:00 2026: x":              ": x",
		"2026-11-19 10:00:00 level=info":           " level=info",
		"2026-11-19 10:00:00 America went offline": " America went offline",
	} {
		if _, n, ok := (&clock{}).prefix(text); !ok || text[n:] != rest {
			t.Errorf("%q: left %q %v, want %q", text, text[n:], ok, rest)
		}
	}
	for written, want := range map[string]string{"2026-11-19T08:00:00Z": "2026-11-19T09:00:00Z", "2026-11-10T00:00:00Z": "2025-11-19T09:00:00Z", "2027-01-02T00:00:00Z": "2026-11-19T09:00:00Z", "2026-12-31T23:00:00Z": "2026-11-19T09:00:00Z"} {
		at, err := time.Parse(time.RFC3339, written)
		if err != nil {
			t.Fatal(err)
		}
		c := &clock{written: at}
		if st, n, ok := c.prefix("Nov 19 09:00:00 web-1 app[7]: x"); !ok || n != 15 || st.at.Format(time.RFC3339) != want {
			t.Errorf("syslog written %s: %v %d %v, want %s", written, st.at, n, ok, want)
		}
	}
}

// FuzzTime checks that no text breaks the clock, and that a time that was read can be written and read again.
func FuzzTime(f *testing.F) {
	for _, s := range []string{"1795082400", "46344.41666667", "19/Nov/2026:13:40:00 +0000", "Thu, 19 Nov 2026 09:00:00 GMT", "19/11/2026 02:05:01 p. m.", "2026-11-19T10:00:00+01:00[Europe/Paris]", "1.7e+09", "Nov 19, 2026 @ 09:00:00.123"} {
		f.Add(s)
	}
	paris := zone(f, "Europe/Paris")
	f.Fuzz(func(t *testing.T, s string) {
		c := &clock{zone: paris}
		st, n, ok := c.prefix(s)
		if !ok {
			return
		}
		if n <= 0 || n > len(s) || st.at.IsZero() || st.until <= 0 {
			t.Fatalf("%q: %v %d", s, st, n)
		}
		again, ok := c.text(st.at.Format(time.RFC3339Nano))
		if !ok || !again.at.Equal(st.at) {
			t.Fatalf("%q: read as %s, which reads as %s %v", s, st.at, again.at, ok)
		}
		if strings.ContainsAny(s[:n], "\n\r") {
			t.Fatalf("%q: a time over two lines", s)
		}
	})
}

// TestMonthLetters checks that no month begins with a letter that is not looked for.
func TestMonthLetters(t *testing.T) {
	for _, row := range months {
		for start := range strings.FieldsSeq(row) {
			if strings.IndexByte(monthLetters, start[0]) < 0 {
				t.Errorf("%s is never read", start)
			}
		}
	}
}

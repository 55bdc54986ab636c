package cmd

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseMoment(t *testing.T) {
	west := time.FixedZone("WST", -3*3600)
	for text, want := range map[string]string{
		"2020-03-02":                "2020-03-02T03:00:00Z",
		"2020-03-02T12:02":          "2020-03-02T15:02:00Z",
		"2020-03-02 12:02:31":       "2020-03-02T15:02:31Z",
		"2020-03-02T12:02:31.5Z":    "2020-03-02T12:02:31.5Z",
		"2020-03-02T12:02:31+05:30": "2020-03-02T06:32:31Z",
		"":                          "0001-01-01T00:00:00Z",
	} {
		got, err := parseMoment("since", text, west)
		if err != nil || got.UTC().Format(time.RFC3339Nano) != want {
			t.Errorf("parseMoment(%q) = %s, %v, want %s", text, got.UTC().Format(time.RFC3339Nano), err, want)
		}
	}
	got, err := parseMoment("since", "2h", west)
	if ago := time.Since(got); err != nil || ago < 2*time.Hour || ago > 2*time.Hour+time.Minute {
		t.Errorf("2h is %s ago, %v", ago, err)
	}
	for _, text := range []string{"yesterday", "02/03/2020", "-2h", "12:02"} {
		if got, err := parseMoment("since", text, west); err == nil {
			t.Errorf("parseMoment(%q) = %s", text, got)
		}
	}
}

func TestParseZone(t *testing.T) {
	at := time.Date(2020, 3, 2, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]int{"America/Sao_Paulo": -3 * 3600, "-03:00": -3 * 3600, "+0530": 5*3600 + 1800, "UTC": 0, "Z": 0} {
		zone, err := parseZone(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if _, got := at.In(zone).Zone(); got != want {
			t.Errorf("%q is %d s east, want %d", text, got, want)
		}
	}
	for _, text := range []string{"Local", "Mars/Olympus", "3", "../etc/passwd"} {
		if _, err := parseZone(text); err == nil {
			t.Errorf("%q is a zone", text)
		}
	}
}

func TestCodeMap(t *testing.T) {
	got, err := (&logFlags{codeMap: []string{"11=131056,1002=4", " 7 = 131049 "}}).codes()
	if diff := cmp.Diff(map[int]int{11: 131056, 1002: 4, 7: 131049}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, bad := range []string{"11", "11=", "=4", "a=b", "11=131056,"} {
		if _, err := (&logFlags{codeMap: []string{bad}}).codes(); err == nil {
			t.Errorf("%q is a pair of codes", bad)
		}
	}
}

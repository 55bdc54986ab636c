package readlog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wactl/wactl/analyze"
	"github.com/wactl/wactl/analyze/readlog"
)

// logCase is what an expect file says that a log holds. Keys that only explain are left out.
type logCase struct {
	Failures []wantFailure
	Options  struct {
		Zone      string         `json:"tz"`
		DateOrder string         `json:"date_order"`
		CodeMap   map[string]int `json:"code_map"`
		Region    string
	}
	Incidents  *int
	OtherCodes map[string]int `json:"other_codes"`
	Skipped    map[string]int
	Duplicates *int     `json:"duplicates_dropped"`
	Homeless   *int     `json:"unattributed"`
	ClockSkew  *float64 `json:"clock_skew_s"`
	Verdict    string   // set where the log cannot be judged
	Uncertain  *struct {
		CountMax   int       `json:"count_max"`
		ClearAtMax time.Time `json:"clear_at_max"`
	}
}

type wantFailure struct {
	Code       int
	Pair       [2]string
	Aliases    []string `json:"recipient_aliases"`
	At         time.Time
	Burst      *struct{ Count, First, Last any }
	ClearAt    *time.Time `json:"clear_at"`
	Pattern    string
	Accept     []string `json:"accept_patterns"`
	Attempt    int
	Confidence string
	Readings   map[string]wantReading
}

type wantReading struct {
	Explains     bool
	Debt         *float64   `json:"debt_at_failure"`
	Unseen       *int       `json:"unseen_sends_at_least"`
	Contradicted *time.Time `json:"contradicted_by_accepted_send_at"`
}

// TestCases explains every log of testdata/logs/cases and compares whatever its expect file says.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/logs/cases/*.expect.json")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d cases were found: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".expect.json")
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want logCase
			if err := json.Unmarshal(raw, &want); err != nil {
				t.Fatal(err)
			}
			logs, err := filepath.Glob(strings.TrimSuffix(file, ".expect.json") + ".*")
			if err != nil {
				t.Fatal(err)
			}
			logs = slices.DeleteFunc(logs, func(s string) bool { return s == file })
			want.compare(t, explainCase(t, logs, want))
		})
	}
}

// explainCase is the report of the logs of a case.
func explainCase(t *testing.T, logs []string, c logCase) analyze.Report {
	t.Helper()
	zone, err := time.LoadLocation(c.Options.Zone)
	if err != nil {
		t.Fatal(err)
	}
	log, err := readlog.Open(t.Context(), readlog.Options{Paths: logs, Timezone: zone, DateOrder: c.Options.DateOrder, Region: c.Options.Region})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	codes := map[int]int{}
	for from, to := range c.Options.CodeMap {
		n, err := strconv.Atoi(from)
		if err != nil {
			t.Fatal(err)
		}
		codes[n] = to
	}
	r, err := analyze.Analyze(log, analyze.Options{CodeMap: codes, Region: c.Options.Region})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (c *logCase) compare(t *testing.T, r analyze.Report) {
	t.Helper()
	if judged := r.Sources[0].Unreadable == ""; judged != (c.Verdict == "") {
		t.Errorf("judged: %v, want verdict %q: %s", judged, c.Verdict, r.Sources[0].Unreadable)
	}
	if len(r.Failures) != len(c.Failures) {
		t.Fatalf("%d failures, want %d", len(r.Failures), len(c.Failures))
	}
	for i, want := range c.Failures {
		for _, fault := range want.faults(r.Failures[i]) {
			t.Errorf("failure %d: %s", i, fault)
		}
	}
	if c.Incidents != nil && r.Summary.Incidents != *c.Incidents {
		t.Errorf("%d incidents, want %d", r.Summary.Incidents, *c.Incidents)
	}
	if c.Homeless != nil && len(r.Unattributed) != *c.Homeless {
		t.Errorf("%d unattributed, want %d", len(r.Unattributed), *c.Homeless)
	}
	if u := c.Uncertain; u != nil {
		f := r.Failures[0]
		if f.Burst.CountMax != u.CountMax || f.ClearAtMax == nil || !f.ClearAtMax.Equal(u.ClearAtMax) {
			t.Errorf("range %d, %v, want %d, %v", f.Burst.CountMax, f.ClearAtMax, u.CountMax, u.ClearAtMax)
		}
	}
	c.compareSources(t, r)
}

func (c *logCase) compareSources(t *testing.T, r analyze.Report) {
	t.Helper()
	others, s := map[string]int{}, r.Sources[0]
	for _, e := range r.OtherErrors {
		others[strconv.Itoa(e.Code)] += e.Count
	}
	if c.OtherCodes != nil && !maps.Equal(others, c.OtherCodes) {
		t.Errorf("other codes %v, want %v", others, c.OtherCodes)
	}
	if c.Skipped != nil && !maps.Equal(s.Skipped, c.Skipped) {
		t.Errorf("skipped %v, want %v", s.Skipped, c.Skipped)
	}
	if c.Duplicates != nil && s.Duplicates != *c.Duplicates {
		t.Errorf("%d duplicates, want %d", s.Duplicates, *c.Duplicates)
	}
	if c.ClockSkew != nil && (s.ClockSkew == nil || *s.ClockSkew != *c.ClockSkew) {
		t.Errorf("clock skew %v, want %v", s.ClockSkew, *c.ClockSkew)
	}
}

// faults are the differences between a failure and what it should be, as words.
func (w wantFailure) faults(f analyze.Failure) (faults []string) {
	differ := func(what string, got, want any) {
		if got, want := fmt.Sprint(got), fmt.Sprint(want); got != want {
			faults = append(faults, fmt.Sprintf("%s %s, want %s", what, got, want))
		}
	}
	differ("code", f.Code, w.Code)
	differ("number", f.PhoneNumberID, w.Pair[0])
	if people := append(w.Aliases, w.Pair[1]); !slices.Contains(people, strings.TrimPrefix(f.Recipient, "+")) {
		differ("recipient", f.Recipient, people)
	}
	differ("at", f.At.UTC(), w.At.Round(time.Millisecond).UTC())
	differ("clear_at", timeText(f.ClearAt), wantedTime(w.ClearAt))
	if !slices.Contains(append(w.Accept, w.Pattern), f.Pattern) {
		differ("pattern", f.Pattern, w.Pattern)
	}
	if w.Attempt != 0 {
		differ("attempt", f.Attempt, w.Attempt)
	}
	if w.Confidence != "" {
		differ("confidence", f.Confidence, w.Confidence)
	}
	if w.Burst == nil || f.Burst == nil {
		differ("no burst", f.Burst == nil, w.Burst == nil)
	} else {
		differ("burst", []any{f.Burst.Count, timeText(&f.Burst.First), timeText(&f.Burst.Last)}, []any{w.Burst.Count, jsonTime(w.Burst.First), jsonTime(w.Burst.Last)})
	}
	for name, got := range map[string]analyze.ReadingVerdict{"strict": f.Readings.Strict, "bucket45": f.Readings.Bucket45} {
		if want, ok := w.Readings[name]; ok {
			differ(name, readingText(got.Explains, got.DebtAtFailure, want.Debt != nil, got.UnseenSends, want.Unseen != nil, timeText(got.ContradictedBy)),
				readingText(want.Explains, want.Debt, true, want.Unseen, true, wantedTime(want.Contradicted)))
		}
	}
	return faults
}

// readingText writes a reading's verdict with the parts that are wanted; debts as the cases have them, with two digits.
func readingText(explains bool, debt *float64, withDebt bool, unseen *int, withUnseen bool, contradicted string) string {
	var b strings.Builder
	fmt.Fprint(&b, explains)
	if debt != nil && withDebt {
		fmt.Fprintf(&b, " debt %.2f", math.Floor(*debt*100+0.5)/100)
	}
	if unseen != nil && withUnseen {
		fmt.Fprintf(&b, " unseen %d", *unseen)
	}
	return b.String() + " contradicted " + contradicted
}

func timeText(m *analyze.Millis) string {
	if m == nil {
		return "none"
	}
	return m.UTC().Format(time.RFC3339Nano)
}

func wantedTime(t *time.Time) string {
	if t == nil {
		return "none"
	}
	return t.Round(time.Millisecond).UTC().Format(time.RFC3339Nano)
}

func jsonTime(v any) string {
	t, err := time.Parse(time.RFC3339Nano, fmt.Sprint(v))
	if err != nil {
		return fmt.Sprint(v)
	}
	return wantedTime(&t)
}

package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/wactl/wactl/analyze"
)

func written(t testing.TB, format string, r analyze.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJSONGolden(t *testing.T) { compare(t, "report.json", written(t, JSON, storm(t))) }

func TestJSONLHasOneObjectAFailure(t *testing.T) {
	r := storm(t)
	n := 0
	for line := range strings.Lines(string(written(t, JSONL, r))) {
		var f analyze.Failure
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r.Failures[n], f); diff != "" {
			t.Errorf("failure %d (-want +got):\n%s", n, diff)
		}
		n++
	}
	if n != len(r.Failures) || n == 0 {
		t.Errorf("%d lines for %d failures", n, len(r.Failures))
	}
}

func TestWriteKnowsItsFormats(t *testing.T) {
	if err := Write(&bytes.Buffer{}, "yaml", analyze.Report{}); err == nil {
		t.Error("yaml is written as something")
	}
}

func TestEmptyReportHasNoNull(t *testing.T) {
	text := string(written(t, JSON, analyze.Report{Sources: []analyze.SourceReport{{Path: "a"}}}))
	if !strings.HasPrefix(text, "{\n  \"version\": 1,\n") {
		t.Errorf("the first key is not the version: %.40s", text)
	}
	if n := strings.Count(text, "null"); n != 1 || !strings.Contains(text, `"clock_skew_s": null`) {
		t.Errorf("%d values are null; only the clock is unknown:\n%s", n, text)
	}
}

// drawReport is any report, as an analysis might make it or not.
func drawReport(t *rapid.T) analyze.Report {
	word := rapid.SampledFrom([]string{"", "+5511987654321", "multi-bubble", "unexplained", "logs/a.jsonl", "wamid.HBgL", "<b>\x1b[1m", "\u009b31m\u202e\u2028\U000e0041", "é 名", strings.Repeat("w ", 90)})
	number := rapid.IntRange(-3, 5000)
	at := rapid.Custom(func(t *rapid.T) analyze.Millis {
		return analyze.Millis{Time: time.UnixMilli(rapid.Int64Range(-62135596800000, 253402300799999).Draw(t, "ms")).UTC()}
	})
	near := rapid.Custom(func(t *rapid.T) analyze.Millis {
		return analyze.Millis{Time: time.UnixMilli(1_600_000_000_000 + rapid.Int64Range(0, 600_000).Draw(t, "ms")).UTC()}
	})
	instant := rapid.OneOf(near, near, near, at)
	seconds := rapid.Float64Range(-1e9, 1e9)
	send := rapid.Custom(func(t *rapid.T) analyze.Send {
		return analyze.Send{At: instant.Draw(t, "at"), MessageID: rapid.Ptr(word, true).Draw(t, "id"), Path: word.Draw(t, "path"), Line: number.Draw(t, "line")}
	})
	burst := rapid.Custom(func(t *rapid.T) analyze.Burst {
		return analyze.Burst{Count: number.Draw(t, "count"), CountMax: number.Draw(t, "max"), First: instant.Draw(t, "first"), Last: instant.Draw(t, "last"),
			Sends: rapid.SliceOfN(send, 0, 6).Draw(t, "sends")}
	})
	reading := rapid.Custom(func(t *rapid.T) analyze.ReadingVerdict {
		return analyze.ReadingVerdict{Explains: rapid.Bool().Draw(t, "explains"), DebtAtFailure: rapid.Ptr(seconds, true).Draw(t, "debt"),
			UnseenSends: rapid.Ptr(number, true).Draw(t, "unseen"), ContradictedBy: rapid.Ptr(instant, true).Draw(t, "contradicted")}
	})
	failure := rapid.Custom(func(t *rapid.T) analyze.Failure {
		return analyze.Failure{Code: number.Draw(t, "code"), Means: number.Draw(t, "means"), PhoneNumberID: word.Draw(t, "number"), Recipient: word.Draw(t, "recipient"),
			MessageID: rapid.Ptr(word, true).Draw(t, "id"), At: instant.Draw(t, "at"), ReportedAt: rapid.Ptr(instant, true).Draw(t, "reported"),
			Incident: rapid.IntRange(0, 4).Draw(t, "incident"), ClearAt: rapid.Ptr(instant, true).Draw(t, "clear"), ClearAtMax: rapid.Ptr(instant, true).Draw(t, "clear max"),
			EarlyBy: rapid.Ptr(seconds, true).Draw(t, "early"), Burst: rapid.Ptr(burst, true).Draw(t, "burst"), MissingSends: number.Draw(t, "missing"),
			Readings: analyze.Readings{Strict: reading.Draw(t, "strict"), Bucket45: reading.Draw(t, "bucket")}, Pattern: word.Draw(t, "pattern"),
			Evidence: rapid.SliceOfN(word, 0, 3).Draw(t, "evidence"), Advice: word.Draw(t, "advice"), Confidence: word.Draw(t, "confidence")}
	})
	incident := rapid.Custom(func(t *rapid.T) analyze.Incident {
		return analyze.Incident{ID: rapid.IntRange(0, 4).Draw(t, "id"), PhoneNumberID: word.Draw(t, "number"), Recipients: rapid.SliceOfN(word, 0, 3).Draw(t, "recipients"),
			Failures: number.Draw(t, "failures"), First: instant.Draw(t, "first"), Last: instant.Draw(t, "last"), ClearAt: rapid.Ptr(instant, true).Draw(t, "clear"),
			Pattern: word.Draw(t, "pattern"), Advice: word.Draw(t, "advice")}
	})
	source := rapid.Custom(func(t *rapid.T) analyze.SourceReport {
		return analyze.SourceReport{Path: word.Draw(t, "path"), Format: word.Draw(t, "format"), Lines: number.Draw(t, "lines"), Events: number.Draw(t, "events"),
			Skipped: rapid.MapOfN(word, number, 0, 3).Draw(t, "skipped"), FirstSkipped: rapid.SliceOfN(number, 0, 3).Draw(t, "first"),
			ClockSkew: rapid.Ptr(seconds, true).Draw(t, "skew"), Unreadable: word.Draw(t, "unreadable")}
	})
	other := rapid.Custom(func(t *rapid.T) analyze.OtherError {
		return analyze.OtherError{Code: number.Draw(t, "code"), Count: number.Draw(t, "count"), First: rapid.Ptr(instant, true).Draw(t, "first"),
			Last: rapid.Ptr(instant, true).Draw(t, "last"), PhoneNumberID: word.Draw(t, "number"), Meaning: word.Draw(t, "meaning"),
			PeakSendsPerSecond: rapid.Ptr(number, true).Draw(t, "peak")}
	})
	return analyze.Report{
		Notes: rapid.SliceOfN(word, 0, 3).Draw(t, "notes"), Sources: rapid.SliceOfN(source, 0, 3).Draw(t, "sources"),
		Model:    analyze.Model{Interval: rapid.OneOf(rapid.Just(6.0), seconds).Draw(t, "interval"), Burst: 45, BurstWindow: 6},
		Failures: rapid.SliceOfN(failure, 0, 6).Draw(t, "failures"), Incidents: rapid.SliceOfN(incident, 0, 4).Draw(t, "incidents"),
		OtherErrors: rapid.SliceOfN(other, 0, 2).Draw(t, "others"), Timeline: rapid.SliceOfN(send, 0, 4).Draw(t, "timeline"),
		Unattributed: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) analyze.Unattributed {
			return analyze.Unattributed{Code: number.Draw(t, "code"), At: rapid.Ptr(instant, true).Draw(t, "at")}
		}), 0, 2).Draw(t, "unattributed"),
		Summary: analyze.Summary{Pairs: number.Draw(t, "pairs"), ByPattern: rapid.MapOfN(word, number, 0, 3).Draw(t, "patterns")},
	}
}

// TestReadIsTheWayBack: what is written as JSON is read back as the same report.
func TestReadIsTheWayBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := complete(drawReport(t))
		var b bytes.Buffer
		if err := Write(&b, JSON, want); err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsFunc(b.Bytes(), steers) {
			t.Fatalf("the JSON can steer a terminal: %q", b.String())
		}
		got, err := Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-written +read):\n%s", diff)
		}
	})
}

// TestEveryReportCanBeTold: no report, however odd, breaks a face, and the drawing keeps to the width.
func TestEveryReportCanBeTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawReport(t)
		o := Options{Width: rapid.IntRange(0, 200).Draw(t, "width"), ASCII: rapid.Bool().Draw(t, "ascii"), Top: rapid.IntRange(0, 3).Draw(t, "top")}
		lines := Text(r, o)
		if len(lines) < 3 {
			t.Fatalf("%d lines", len(lines))
		}
		for _, n := range allTold(tell(complete(r))) {
			for _, line := range draw(n.timeline, o) {
				if w := len([]rune(line.String())); w > max(o.width(), labelWidth+fewestColums+2) {
					t.Fatalf("%d columns, %d are there: %q", w, o.width(), line)
				}
			}
		}
		if err := WriteHTML(&bytes.Buffer{}, r, o); err != nil {
			t.Fatal(err)
		}
	})
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "unexpected end",
		"{\n \"version\": 1,\n oops}": "line 3, column 2: invalid character",
		"[]":                          "line 1",
		"null":                        "it lacks version",
		`{"version":1}`:               "it lacks version, failures or summary",
		`{"version":2,"failures":[],"summary":{}}`:           "it has version 2, and this wactl reads version 1",
		`{"version":1,"failures":{},"summary":{}}`:           "failures cannot be a object",
		`{"version":1,"failures":[{"at":"x"}],"summary":{}}`: "cannot parse",
		`{"version":1,"failures":[],"summary":{}} {}`:        "after top-level value",
	} {
		_, err := Read(strings.NewReader(text))
		if !errors.Is(err, ErrNotReport) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if e, ok := errors.AsType[*ReadError](err); !ok || e.Hint() == "" {
			t.Errorf("%q: no hint", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f, JSON, storm(f)))
	f.Add([]byte(`{"version":1,"failures":[],"summary":{}}`))
	f.Add([]byte(`{"version":1,"failures":[{"at":"0000-01-01T00:00:00Z","clear_at":"9999-12-31T23:59:59.999Z","burst":{"sends":[{}]}}],"summary":{},"model":{"interval_s":1e300}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text))
		if err != nil {
			if !errors.Is(err, ErrNotReport) {
				t.Errorf("an error without a name: %v", err)
			}
			return
		}
		Text(r, Options{})
		if err := WriteHTML(&bytes.Buffer{}, r, Options{}); err != nil {
			t.Error(err)
		}
	})
}

func TestWorst(t *testing.T) {
	r := storm(t)
	got := Worst(r, 1)
	if len(got.Incidents) != 1 || len(got.Failures) != 5 || got.Summary.Failures != 11 {
		t.Errorf("%d incidents, %d failures, %d counted", len(got.Incidents), len(got.Failures), got.Summary.Failures)
	}
	for _, n := range []int{0, 3, math.MaxInt} {
		if diff := cmp.Diff(r, Worst(r, n)); diff != "" {
			t.Errorf("Worst %d (-want +got):\n%s", n, diff)
		}
	}
}

func TestWithTextsReachesEveryString(t *testing.T) {
	r := storm(t)
	r.Timeline = []analyze.Send{{Path: "logs/webhook.jsonl", MessageID: new("wamid.HBgN")}}
	r.Sources[0].Unreadable = "no bodies"
	before := written(t, JSON, r)
	var kept []string
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case string:
			if _, err := time.Parse(time.RFC3339, v); err != nil && v != "X" {
				kept = append(kept, v)
			}
		case []any:
			for _, e := range v {
				look(e)
			}
		case map[string]any:
			for _, e := range v {
				look(e)
			}
		}
	}
	var v any
	if err := json.Unmarshal(written(t, JSON, WithTexts(r, func(string) string { return "X" })), &v); err != nil {
		t.Fatal(err)
	}
	if look(v); len(kept) > 0 {
		t.Errorf("strings that no text function sees: %q", kept)
	}
	if diff := cmp.Diff(string(before), string(written(t, JSON, r))); diff != "" {
		t.Errorf("the given report changed:\n%s", diff)
	}
}

func allTold(s story) []incident { return s.worst(len(s.incidents)) }

package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/wactl/wactl/analyze"
)

// plainly writes a report by encoding/json, all at once.
func plainly(t testing.TB, format string, r analyze.Report) []byte {
	t.Helper()
	r = complete(r)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	all := []any{r}
	if format == JSON {
		e.SetIndent("", "  ")
	} else {
		all = nil
		for _, f := range r.Failures {
			all = append(all, f)
		}
	}
	for _, v := range all {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	return harmless(b.Bytes())
}

// TestWritesWhatTheEncoderWrites: every report is written byte for byte as encoding/json would write it.
func TestWritesWhatTheEncoderWrites(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := drawReport(rt)
		if n := len(r.Failures); n > 1 && r.Failures[0].Burst != nil { // one that shares its sends, and one that has a part of them
			same := *r.Failures[0].Burst
			r.Failures[n-1].Burst = &same
			if n > 2 && len(same.Sends) > 1 {
				part := same
				part.Sends = same.Sends[:1]
				r.Failures[1].Burst = &part
			}
		}
		for _, x := range []float64{0, math.Copysign(0, -1), 1e-6, 9.99e-7, 1e21, 1e20, -1e-300, 123456.789} {
			if rapid.Bool().Draw(rt, "odd") && len(r.Failures) > 0 {
				r.Failures[0].EarlyBy = &x
			}
		}
		for _, format := range []string{JSON, JSONL} {
			if diff := cmp.Diff(string(plainly(t, format, r)), string(written(t, format, r))); diff != "" {
				rt.Fatalf("%s (-encoding/json +own):\n%s", format, diff)
			}
		}
	})
}

// FuzzText holds that a string is written as encoding/json writes it, whatever is in it.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", "<&>", "\x7f\x80", "é\u2028\u200b", "\"\\\b\f\n\x00", "\xf0\x9f\x98", "\U000e0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := analyze.Report{Failures: []analyze.Failure{{Recipient: s, MessageID: &s, Evidence: []string{s}, Burst: &analyze.Burst{Sends: []analyze.Send{{Path: s}}}}}}
		if diff := cmp.Diff(plainly(t, JSONL, r), written(t, JSONL, r)); diff != "" {
			t.Errorf("%q (-encoding/json +own):\n%s", s, diff)
		}
	})
}

type fullDisk struct{ room int }

var errFull = errors.New("disk full")

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.room -= len(b); d.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestWriteSaysWhatFails: neither a full disk nor a number that JSON cannot say is passed over.
func TestWriteSaysWhatFails(t *testing.T) {
	r := analyze.Report{Failures: make([]analyze.Failure, 1000)}
	for _, format := range []string{JSON, JSONL} {
		for _, room := range []int{0, 100_000} {
			if err := Write(&fullDisk{room}, format, r); !errors.Is(err, errFull) {
				t.Errorf("%s, %d bytes of room: %v", format, room, err)
			}
		}
		r.Failures[500].EarlyBy = new(math.NaN())
		if err := Write(io.Discard, format, r); err == nil {
			t.Errorf("%s: NaN is written as something", format)
		}
		r.Failures[500].EarlyBy = nil
	}
}

// BenchmarkWrite writes failures that share their bursts; MB/s is of the JSON.
func BenchmarkWrite(b *testing.B) {
	r := storm(b)
	for len(r.Failures) < 10_000 {
		r.Failures = append(r.Failures, r.Failures...)
	}
	for _, format := range []string{JSON, JSONL} {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(written(b, format, r))))
			for b.Loop() {
				if err := Write(io.Discard, format, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

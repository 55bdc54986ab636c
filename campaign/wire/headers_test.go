package wire

import (
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 10, 28, 14, 4, 0, 0, time.UTC)
	for in, want := range map[string]time.Duration{
		"":                              0,
		"1":                             time.Second,
		" 120 ":                         2 * time.Minute,
		"0.5":                           500 * time.Millisecond,
		"0":                             0,
		"-3":                            0,
		"NaN":                           0,
		"Inf":                           24 * time.Hour,
		"99999999999999999999":          24 * time.Hour,
		"soon":                          0,
		"Wed, 28 Oct 2026 14:04:30 GMT": 30 * time.Second,
		"Wed, 28 Oct 2026 14:03:30 GMT": 0,
		"Wed, 28 Oct 2626 14:03:30 GMT": 24 * time.Hour,
	} {
		if got := RetryAfter(in, now); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestRegainAccess(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"":           0,
		"{}":         0,
		"[1]":        0,
		`{"1":[{}]}`: 0,
		`{"1":[{"estimated_time_to_regain_access":-5}]}`: 0,
		`{"102290129340398":[{"type":"whatsapp_business_management","call_count":101,"estimated_time_to_regain_access":7},` +
			`{"type":"whatsapp","estimated_time_to_regain_access":2}]}`: 7 * time.Minute,
		`{"1":[{"estimated_time_to_regain_access":1e12}]}`: 24 * time.Hour,
	} {
		if got := RegainAccess(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func FuzzHeaders(f *testing.F) {
	f.Add("120", int64(0))
	f.Add("Wed, 28 Oct 2026 14:04:30 GMT", int64(1793196240))
	f.Add(`{"1":[{"estimated_time_to_regain_access":7}]}`, int64(0))
	f.Fuzz(func(t *testing.T, value string, unix int64) {
		for _, d := range []time.Duration{RetryAfter(value, time.Unix(unix%1e11, 0)), RegainAccess(value)} {
			if d < 0 || d > longestWait {
				t.Errorf("%q asks for %s", value, d)
			}
		}
	})
}

package output

import (
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for in, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 12000: "12,000"} {
		if got := Count(in); got != want {
			t.Errorf("Count(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for in, want := range map[int]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 12_345_678: "12.3 MB", 999_949_999: "999.9 MB", 999_950_001: "1.0 GB", 5_000_000_000: "5.0 GB"} {
		if got := Bytes(in); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for in, want := range map[time.Duration]string{
		0:                         "0.0 s",
		300 * time.Millisecond:    "0.3 s",
		7900 * time.Millisecond:   "7.9 s",
		38 * time.Second:          "38 s",
		59700 * time.Millisecond:  "1 min 0 s",
		158200 * time.Millisecond: "2 min 38 s",
		3*time.Hour + 12*time.Minute + time.Second: "3 h 12 min",
		59*time.Minute + 59600*time.Millisecond:    "1 h 0 min",
		51 * time.Hour:                             "2 d 3 h",
		-90 * time.Second:                          "-1 min 30 s",
	} {
		if got := Duration(in); got != want {
			t.Errorf("Duration(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	at := time.Date(2026, 11, 30, 13, 4, 5, 67_890_000, time.UTC)
	s, _, _ := record("", Options{})
	s.Zone = time.FixedZone("CET", 3600)
	if got, want := s.Time(at), "2026-11-30 14:04:05 CET"; got != want {
		t.Errorf("Time = %q, want %q", got, want)
	}
	if got, want := Stamp(at.In(s.Zone)), "2026-11-30T13:04:05.068Z"; got != want {
		t.Errorf("Stamp = %q, want %q", got, want)
	}
	if got, want := Seconds(1234567*time.Microsecond), 1.235; got != want {
		t.Errorf("Seconds = %v, want %v", got, want)
	}
}

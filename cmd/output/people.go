package output

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Count is a whole number with thousands separators: "12,000".
func Count(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Duration is d in its two largest units, as people say it: "2 min 38 s", "3 h 12 min", "7.9 s".
func Duration(d time.Duration) string {
	if d < 0 {
		return "-" + Duration(-d)
	}
	for _, u := range []struct {
		large, small time.Duration
		names        [2]string
	}{
		{24 * time.Hour, time.Hour, [2]string{"d", "h"}},
		{time.Hour, time.Minute, [2]string{"h", "min"}},
		{time.Minute, time.Second, [2]string{"min", "s"}},
	} {
		// Rounded first, so that 59.7 s is a minute and not "60 s".
		if r := d.Round(u.small); r >= u.large {
			return fmt.Sprintf("%d %s %d %s", r/u.large, u.names[0], r%u.large/u.small, u.names[1])
		}
	}
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// Time is t in the user's zone, to the second, with the zone's name: "2026-11-30 14:04:05 CET".
func (s *Streams) Time(t time.Time) string { return t.In(s.Zone).Format("2006-01-02 15:04:05 MST") }

// Stamp is t for programs: RFC 3339 in UTC with milliseconds.
func Stamp(t time.Time) string {
	return t.UTC().Round(time.Millisecond).Format("2006-01-02T15:04:05.000Z")
}

// Seconds is d for programs: seconds, rounded to milliseconds.
func Seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

// Bytes is a number of bytes in decimal units, as "512 B", "9.5 kB" or "1.2 GB".
func Bytes(n int) string {
	for _, u := range []struct {
		name string
		size int
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= u.size-u.size/20_000 { // what rounds up to it, so that no "1000.0 MB" is written
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}

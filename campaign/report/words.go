package report

import (
	"fmt"
	"strconv"
	"time"
)

// count is a whole number with thousands separators.
func count(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// plural is a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

func orUnknown(n *int) string {
	if n == nil {
		return "unknown"
	}
	return count(*n)
}

// sentence puts text behind another one.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return "; " + text
}

// lasting is a duration in its two largest units.
func lasting(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		d = d.Round(time.Minute)
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	}
	d = d.Round(time.Hour)
	return fmt.Sprintf("%d d %d h", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

// moment is an instant on the user's clock, with its zone.
func moment(p Page, t time.Time) string {
	if t.IsZero() {
		return "not known"
	}
	return t.In(p.Zone).Format("2006-01-02 15:04:05 MST")
}

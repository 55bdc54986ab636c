package wire

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestWait bounds what a header can ask for: whoever asks for more, or for nonsense, gets a day.
const longestWait = 24 * time.Hour

// httpDate is the one form of date that HTTP still lets servers write.
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"

// RetryAfter reads a Retry-After header, in seconds or as a date seen from now. Zero means that it asks for nothing.
func RetryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
	}
	at, err := time.Parse(httpDate, value)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), longestWait)
}

// RegainAccess reads an X-Business-Use-Case-Usage header: the longest wait, given in minutes, until calls are allowed again.
func RegainAccess(value string) time.Duration {
	var usage map[string][]struct {
		Minutes float64 `json:"estimated_time_to_regain_access"`
	}
	if json.Unmarshal([]byte(value), &usage) != nil {
		return 0
	}
	longest := 0.0
	for _, uses := range usage {
		for _, u := range uses {
			longest = max(longest, u.Minutes)
		}
	}
	return time.Duration(min(longest, longestWait.Minutes()) * float64(time.Minute))
}

// Usage reads both headers about the budget of API calls, X-App-Usage and X-Business-Use-Case-Usage: how much of it is used, in per cent, and
// how long calls are refused now. Zero: not told.
func Usage(h http.Header) (percent float64, regain time.Duration) {
	type usage struct {
		Calls float64 `json:"call_count"`
		CPU   float64 `json:"total_cputime"`
		Time  float64 `json:"total_time"`
	}
	var app usage
	var cases map[string][]usage
	// A header that is no such JSON tells nothing, as one that is not there.
	_ = json.Unmarshal([]byte(h.Get("X-App-Usage")), &app)
	business := h.Get("X-Business-Use-Case-Usage")
	_ = json.Unmarshal([]byte(business), &cases)
	percent = max(app.Calls, app.CPU, app.Time)
	for _, uses := range cases {
		for _, u := range uses {
			percent = max(percent, u.Calls, u.CPU, u.Time)
		}
	}
	return percent, RegainAccess(business)
}

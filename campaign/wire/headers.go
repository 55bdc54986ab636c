package wire

import (
	"encoding/json"
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

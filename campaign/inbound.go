package campaign

import (
	"strconv"
	"strings"
	"time"

	"github.com/wactl/wactl/ratelimit"
)

// window is the end of the recipient's service window, 0 when the list does not tell.
func window(columns []int, cell func(int) string, now time.Time) (open ratelimit.Instant, unread bool) {
	for _, column := range columns {
		text := strings.TrimSpace(cell(column))
		if text == "" {
			continue
		}
		at, ok := instant(text)
		if !ok || at > ratelimit.At(now) {
			return 0, true
		}
		return at.Add(ratelimit.MessagingWindow), false
	}
	return 0, false
}

// warnInbound counts cells of last_inbound_at that say no instant, or one that is still to come: the recipient then counts as one who never
// wrote.
const warnInbound = "last-inbound-unreadable"

// instant reads a time with its zone, or Unix seconds.
func instant(text string) (ratelimit.Instant, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700"} {
		if t, err := time.Parse(layout, text); err == nil {
			return ratelimit.At(t), true
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > 1<<33 {
		return 0, false
	}
	return ratelimit.At(time.Unix(n, 0)), true
}

package analyze

import (
	"strings"
	"time"
)

// pairLimit is the platform's code for the limit on messages from one business number to one recipient.
const pairLimit = 131056

// The confidences: how sure it is that a code means the pair limit.
const (
	certain      = "certain"       // the platform's own code
	providerCode = "provider-code" // a provider's code for exactly this
	likelyPair   = "likely-pair"   // a provider's code for several limits, and the pair had debt
	notShown     = "not-shown"     // such a code, and nothing shows that it was the pair limit
)

// providerCodes are the codes under which providers hand the pair limit on.
var providerCodes = []struct {
	format string // start of the source's format
	code   int
	shared bool // it stands for other limits too
}{
	{"twilio", 63018, true}, // account rate, sender rate, portfolio's day, too many to one recipient
	{"8x8", 11, false},      // "Flooding"
}

// meaning is what codes mean in a log, and which part of it is asked about.
type meaning struct {
	sources      []Source
	codeMap      map[int]int
	since, until time.Time
}

// code is the platform's code for one of the log.
func (m meaning) code(code int) int {
	if means, ok := m.codeMap[code]; ok {
		return means
	}
	return code
}

// pairCode says whether a code of a source means the pair limit.
func (m meaning) pairCode(file, code int) bool {
	return code != 0 && m.confidence(file, code, true) != ""
}

// confidence is how sure it is that a code of a source means the pair limit; empty if it does not. Debt says whether the pair owed silence.
func (m meaning) confidence(file, code int, debt bool) string {
	if means, ok := m.codeMap[code]; ok {
		if means == pairLimit {
			return providerCode
		}
		return ""
	}
	if code == pairLimit {
		return certain
	}
	for _, p := range providerCodes {
		switch {
		case p.code != code || file >= len(m.sources) || !strings.HasPrefix(m.sources[file].Format, p.format):
		case !p.shared:
			return providerCode
		case debt:
			return likelyPair
		default:
			return notShown
		}
	}
	return ""
}

// within says whether an instant lies in the time that is asked about. What has no time always does.
func (m meaning) within(ms int64) bool {
	return ms == 0 || (m.since.IsZero() || ms >= m.since.UnixMilli()) && (m.until.IsZero() || ms < m.until.UnixMilli())
}

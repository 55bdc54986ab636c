package campaign

import (
	"fmt"

	"github.com/wactl/wactl/ratelimit"
)

// WaitOnTierLimit says that a send waits for the window to move when the messaging limit is used up. Else it stops, and is run again tomorrow.
const WaitOnTierLimit = "wait"

// Stopped says why a send ended before everything was sent. Nothing is lost: what was not sent is pending.
type Stopped struct {
	Code   int    // the platform's error code, 0 when none was the reason
	Why    string // for people, one sentence
	Resume string // what to do to go on
	Harm   bool   // a person has to look before it goes on
	Err    error  // the cause when it is an error of this machine
}

// Error is the reason in one line.
func (s *Stopped) Error() string {
	if s.Code != 0 {
		return fmt.Sprintf("stopped (%d): %s", s.Code, s.Why)
	}
	return "stopped: " + s.Why
}

// Unwrap is the cause when it is an error of this machine.
func (s *Stopped) Unwrap() error { return s.Err }

// The stops that no single answer explains.
func stopInterrupted() *Stopped {
	return &Stopped{Why: "interrupted", Resume: "run the same command again: it goes on where it stopped"}
}

func stopTier(opens ratelimit.Instant) *Stopped {
	when := "tomorrow"
	if opens != ratelimit.Never {
		when = "after " + opens.Time().Local().Format("2006-01-02 15:04 MST")
	}
	return &Stopped{Why: "the messaging limit is used up: no new recipient fits into the last 24 hours",
		Resume: "run the same command again " + when + ", or use --on-tier-limit wait"}
}

func stopDeadline(deadline ratelimit.Instant) *Stopped {
	return &Stopped{Why: "the deadline has come: what is left would leave after " + deadline.Time().Local().Format("2006-01-02 15:04 MST"),
		Resume: "run the same command again with a later --deadline, or without one"}
}

func stopHeld(code int, probes int) *Stopped {
	return &Stopped{Code: code, Why: fmt.Sprintf("the number did not come back after %d probes", probes),
		Resume: "look at the number in WhatsApp Manager, then run the same command again"}
}

func stopUnreachable(details string) *Stopped {
	return &Stopped{Why: fmt.Sprintf("the API could not be reached %d times in a row: %s", maxUnreachable, details),
		Resume: "look at the network and at --base-url, then run the same command again"}
}

func stopFailing(n int, details string) *Stopped {
	return &Stopped{Why: fmt.Sprintf("%d messages in a row failed, the last one: %s", n, details), Harm: true,
		Resume: "look at the failures with wactl status --failed; --stop-after N allows more"}
}

func stopMachine(err error) *Stopped {
	return &Stopped{Why: err.Error(), Err: err, Resume: "mend it, then run the same command again"}
}

func stopAnswer(a Answer, advice string) *Stopped {
	why := a.Title
	if a.Details != "" && a.Details != a.Title {
		why += ": " + a.Details
	}
	return &Stopped{Code: a.Code, Why: why, Harm: true, Resume: advice}
}

func stopWrong(a Answer, n int) *Stopped {
	s := stopAnswer(a, "mend the template, the mapping or the column that the message names, then run the same command again with --update")
	s.Why = fmt.Sprintf("%d messages in a row were refused as wrong: %s", n, s.Why)
	return s
}

const (
	maxUnreachable = 5 // connections refused in a row before the run ends; they come after growing waits
	maxWrong       = 5 // refusals of the request in a row, with one code, before it is the campaign's fault
)

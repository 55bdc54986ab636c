package feedback

import (
	"slices"
	"time"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/outcome"
)

// Attempt is one request of a step that has its answer, or of which nobody knows.
type Attempt struct {
	State     campaign.State // where the answer put the step
	MessageID string         // empty when no answer named one
}

// Word is what one status says of one message.
type Word struct {
	MessageID string
	Kind      string
	Code      int
}

// Verdict is where a step stands by the words about it. Without State they say nothing about where it stands now.
type Verdict struct {
	State campaign.State
	Code  int // of the failure; beside State sent it is a note: the person has the message, and an error came too
}

// confirms are the words that say that a person has the message.
var confirms = []string{"delivered", "read", "played"}

// Settle is where a step stands whose attempts all have an answer or are uncertain, in order. The order of words does not matter.
//
// Whoever has got the message, by whichever attempt, has got it. Otherwise the words about the latest attempt decide: a failure by its code, or
// that it was sent. Words about earlier attempts change nothing: a later request was made because of them.
func Settle(attempts []Attempt, words []Word) Verdict {
	if len(attempts) == 0 {
		return Verdict{}
	}
	if slices.ContainsFunc(words, func(w Word) bool { return slices.Contains(confirms, w.Kind) }) {
		return Verdict{State: campaign.Sent, Code: failure(words)}
	}
	last := attempts[len(attempts)-1]
	about := slices.DeleteFunc(slices.Clone(words), func(w Word) bool { return !concerns(w, last, attempts) })
	return latest(last.State, about)
}

// concerns says whether a word is about the last attempt. All words of a step with one attempt are, even where a proxy has ids of its own.
// Otherwise a strange id can only belong to an attempt whose answer named none: the platform gave the step's id back with it.
func concerns(w Word, last Attempt, attempts []Attempt) bool {
	if last.MessageID == w.MessageID || len(attempts) == 1 {
		return true
	}
	return last.State == campaign.Uncertain && !slices.ContainsFunc(attempts, func(a Attempt) bool { return a.MessageID == w.MessageID })
}

// latest is the verdict by the words about the latest attempt, none of which confirms it.
func latest(base campaign.State, words []Word) Verdict {
	taken := base == campaign.Sent || base == campaign.Held || base == campaign.Uncertain
	if !taken {
		return Verdict{}
	}
	// Where nobody knows which request was which, one that was sent and did not fail is the one that counts.
	sent, failed := outcomes(words)
	switch {
	case sent:
		return Verdict{State: campaign.Sent}
	case failed != nil:
		code := failure(failed)
		return Verdict{State: AfterFailure(base, code), Code: code}
	}
	return Verdict{}
}

// outcomes says whether a message was sent that did not fail, and which failures there were.
func outcomes(words []Word) (sent bool, failed []Word) {
	for _, w := range words {
		if w.Kind == "failed" {
			failed = append(failed, w)
		}
	}
	sent = slices.ContainsFunc(words, func(w Word) bool {
		return w.Kind == "sent" && !slices.ContainsFunc(failed, func(f Word) bool { return f.MessageID == w.MessageID })
	})
	return sent, failed
}

// failure is the code of a failure among words: the highest, so that it is the same in any order. 0 without one.
func failure(words []Word) (code int) {
	for _, w := range words {
		if w.Kind == "failed" {
			code = max(code, w.Code)
		}
	}
	return code
}

// AfterFailure is where a step goes whose message failed after the platform had taken it: a throttle or a stop puts it back to pending, since the
// person has nothing. A message that was held for its template's quality stays failed when the template was stopped: it must not go again.
func AfterFailure(base campaign.State, code int) campaign.State {
	switch outcome.ForCode(code).Class {
	case outcome.PairWait, outcome.NumberSlow, outcome.NumberHold, outcome.CallsWait:
		return campaign.Pending
	case outcome.Stop:
		if base == campaign.Held && code != 0 && outcome.ForCode(code).Scope == outcome.ScopeTemplate {
			return campaign.Failed
		}
		if code != 0 {
			return campaign.Pending
		}
	}
	return campaign.Failed
}

// RestFor is how long a person is left alone by all campaigns with marketing whom the platform has kept a message from by code; 0: not at all.
func RestFor(code int) time.Duration {
	if code == notNow {
		return 24 * time.Hour
	}
	return 0
}

// StoppedMarketing says that the code means: this person has stopped marketing messages from this business.
func StoppedMarketing(code int) bool { return code == stoppedMarketing }

// The platform's codes that tell something about a person for later sends too.
const (
	notNow           = 131049
	stoppedMarketing = 131050
)
